//! The scenes that can be asked for, as the page brings them: a list of names and texts in JSON.

use ictus_page::protocol::SceneEntry;
use ictus_page::questions::{Held, Library};
use ictus_page::title;
use serde::Deserialize;

/// The scene that is played when nobody says which.
const FAVOURITE: &str = "tromba-marina";

/// A scene by its name, and its text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: String,
    text: String,
}

/// Scenes in the order of the list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Shelf(Vec<Text>);

impl Shelf {
    /// Reads a list `[{"name": …, "text": …}, …]`.
    ///
    /// # Errors
    /// In words, when it is no such list.
    pub fn read(json: &str) -> Result<Self, String> {
        serde_json::from_str(json).map_err(|error| format!("the list of scenes cannot be read: {error}"))
    }

    /// Names and titles.
    pub fn entries(&self) -> Vec<SceneEntry> {
        let entry = |Text { name, text }: &Text| SceneEntry {
            name: name.clone(),
            title: title(text).unwrap_or_else(|| name.clone()),
        };
        self.0.iter().map(entry).collect()
    }

    /// The text of a scene, if it is there.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|text| text.name == name).map(|text| text.text.as_str())
    }

    /// The name of the scene to begin with; empty if there is none.
    pub fn first(&self) -> &str {
        let names = self.0.iter().map(|text| text.name.as_str());
        names.min_by_key(|name| (*name != FAVOURITE, *name)).unwrap_or_default()
    }
}

impl Library for Shelf {
    fn held(&self, scene: &str) -> Result<Held, String> {
        let text = self.text(scene).ok_or_else(|| format!("there is no scene called {scene:?}"))?;
        Ok(Held::new(text, false))
    }

    fn keep(&self, scene: &str, _text: &str) -> Result<(), String> {
        Err(format!("{scene:?} is not a file; download the text instead"))
    }
}
