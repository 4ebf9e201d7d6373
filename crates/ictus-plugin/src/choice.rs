//! Which scene is played: what a host keeps in its project.

use ictus_render::GALLERY;
use nice_plug::plugin::ParamValue;
use nice_plug::prelude::PluginState;
use serde::{Deserialize, Serialize};

use crate::knobs::SCENE;

/// Scenes that audio from outside drives, strikes and rubs; they are silent without it.
const DRIVEN: &[(&str, &str)] = &[
    ("driven-plate", include_str!("../scenes/driven-plate.toml")),
    ("struck-string", include_str!("../scenes/struck-string.toml")),
    ("rubbed-bar", include_str!("../scenes/rubbed-bar.toml")),
];

/// How many scenes there are to choose from.
pub const SCENES: usize = GALLERY.len() + DRIVEN.len();

/// Names and texts of the scenes that can be chosen by a number from 0: the gallery's, then those that are driven.
pub fn scenes() -> impl Iterator<Item = (&'static str, &'static str)> {
    GALLERY.iter().chain(DRIVEN).copied()
}

/// The name under which a project keeps it.
pub const FIELD: &str = "scene";

/// A scene's text, and which knobs have been turned since it was chosen. The others leave what the scene says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// What it is called: a scene of the gallery, a file, or what its writer calls it.
    pub name: String,
    /// Its text, kept even where it cannot be read.
    pub text: String,
    /// A bit for each knob.
    #[serde(default)]
    pub turned: u64,
}

impl Choice {
    /// A scene to choose from, as it is written.
    pub fn of_number(number: usize) -> Option<Self> {
        let (name, text) = scenes().nth(number)?;
        Some(Self { name: name.to_owned(), text: text.to_owned(), turned: 0 })
    }

    /// The same by its name; an empty one where there is none.
    pub fn named(name: &str) -> Self {
        let number = scenes().position(|(known, _)| known == name);
        number.and_then(Self::of_number).unwrap_or_default()
    }
}

/// Which value of the parameter means a scene: 0 is one's own.
pub fn number_of(choice: &Choice) -> usize {
    scenes().position(|(name, text)| name == choice.name && text == choice.text).map_or(0, |place| place + 1)
}

/// Before a project is loaded: the text it keeps decides which scene it is. The gallery may have grown since, so that its number is another's.
pub fn renumber(state: &mut PluginState) {
    let choice =
        state.fields.get(FIELD).and_then(|text| nice_plug::params::persist::deserialize_field::<Choice>(text).ok());
    if let Some(choice) = choice {
        state.params.insert(SCENE.to_owned(), ParamValue::I32(number_of(&choice) as i32));
    }
}
