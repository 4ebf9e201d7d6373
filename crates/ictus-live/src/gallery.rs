//! The scenes that can be played: those inside the program, those of a folder, and a file.
//!
//! A scene is asked for by a name from the list, and only a name from the list is ever turned into a path: what is not there,
//! or leads out of the folder, does not exist.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ictus_scene::{Reading, Source, read};

use crate::protocol::{Problem, SceneEntry};
use crate::stage::Stage;

/// The scene that is played when nobody says which.
const FAVOURITE: &str = "tromba-marina";

/// Where scenes come from.
#[derive(Clone, Debug)]
enum Shelf {
    /// Names and texts inside the program.
    Texts(&'static [(&'static str, &'static str)]),
    /// A folder, as the system resolves it.
    Folder(PathBuf),
}

/// Where one scene comes from.
enum Found {
    Text(&'static str),
    File(PathBuf),
}

/// A list of scenes.
#[derive(Clone, Debug)]
pub struct Gallery {
    shelf: Shelf,
    /// A file outside the shelf, and its name in the list.
    file: Option<(String, PathBuf)>,
    first: String,
}

impl Gallery {
    /// Scenes inside the program: names and texts.
    pub fn of_texts(texts: &'static [(&'static str, &'static str)]) -> Self {
        Self { shelf: Shelf::Texts(texts), file: None, first: FAVOURITE.to_owned() }
    }

    /// The scenes of a folder: its files that end in `.toml`. Looked at anew whenever a page asks.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn folder(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        std::fs::read_dir(&folder)?;
        Ok(Self { shelf: Shelf::Folder(folder), file: None, first: FAVOURITE.to_owned() })
    }

    /// The same list with a file of its own, which is played first and takes the place of one of the same name.
    #[must_use]
    pub fn with_file(mut self, file: &Path) -> Self {
        let name = file.file_stem().map_or_else(|| "scene".to_owned(), |stem| stem.to_string_lossy().into_owned());
        self.first.clone_from(&name);
        self.file = Some((name, file.to_owned()));
        self
    }

    /// The same list, beginning with the scene of this name; `None` if there is no such scene.
    #[must_use]
    pub fn beginning_with(mut self, name: &str) -> Option<Self> {
        self.find(name)?;
        name.clone_into(&mut self.first);
        Some(self)
    }

    /// The scenes that can be asked for, by name.
    pub fn list(&self) -> Vec<SceneEntry> {
        let mut titles: BTreeMap<String, String> = BTreeMap::new();
        for name in self.names() {
            let title = self.find(&name).and_then(|found| title(&found)).unwrap_or_else(|| name.clone());
            titles.insert(name, title);
        }
        titles.into_iter().map(|(name, title)| SceneEntry { name, title }).collect()
    }

    fn names(&self) -> Vec<String> {
        let stem = |path: &Path| {
            let plain = path.extension().is_some_and(|ending| ending == "toml");
            plain.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
        };
        let mut names: Vec<String> = match &self.shelf {
            Shelf::Texts(texts) => texts.iter().map(|(name, _)| (*name).to_owned()).collect(),
            Shelf::Folder(folder) => {
                let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
                files.filter_map(|file| stem(&file.path())).filter(|name| inside(folder, name).is_some()).collect()
            }
        };
        names.extend(self.file.iter().map(|(name, _)| name.clone()));
        names
    }

    fn find(&self, name: &str) -> Option<Found> {
        if let Some((_, path)) = self.file.as_ref().filter(|(own, _)| own == name) {
            return Some(Found::File(path.clone()));
        }
        // Whatever a page asks for, only what is in the list is looked for.
        if !self.names().iter().any(|listed| listed == name) {
            return None;
        }
        match &self.shelf {
            Shelf::Texts(texts) => texts.iter().find(|(own, _)| *own == name).map(|(_, text)| Found::Text(text)),
            Shelf::Folder(folder) => inside(folder, name).map(Found::File),
        }
    }

    /// The name of the scene to begin with.
    pub fn first(&self) -> String {
        if self.find(&self.first).is_some() {
            return self.first.clone();
        }
        self.names().into_iter().min().unwrap_or_default()
    }

    /// When the file of a scene changed last and how long it is; `None` if it has none.
    pub fn stamp(&self, name: &str) -> Option<(SystemTime, u64)> {
        let Some(Found::File(path)) = self.find(name) else { return None };
        let about = path.metadata().ok()?;
        Some((about.modified().ok()?, about.len()))
    }

    /// Reads a scene and sets it up at a rate in Hz.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn open(&self, name: &str, rate: f64) -> Result<Box<Stage>, Vec<Problem>> {
        let plain = |message: String| vec![Problem::plain(message)];
        let found = self.find(name).ok_or_else(|| plain(format!("there is no scene called {name:?}")))?;
        let source = match found {
            Found::Text(text) => Source::new(format!("{name}.toml"), text),
            Found::File(path) => Source::load(path).map_err(|error| plain(error.to_string()))?,
        };
        let options = Reading { rate: Some(rate), ..Reading::default() };
        let scene =
            read(&source, &options).map_err(|problems| problems.iter().map(Problem::from).collect::<Vec<_>>())?;
        let stage = Stage::new(name, &scene).map_err(plain)?;
        Ok(Box::new(stage))
    }
}

/// The file of this name in a folder, if it really is in there, wherever a link may lead.
fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = folder.join(format!("{name}.toml")).canonicalize().ok()?;
    (path.starts_with(folder) && path.is_file()).then_some(path)
}

/// The title of a scene without reading the whole of it.
fn title(found: &Found) -> Option<String> {
    let text = match found {
        Found::Text(text) => (*text).to_owned(),
        Found::File(path) => Source::load(path).ok()?.text.to_string(),
    };
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("title")?.trim_start().strip_prefix('='))?;
    let title = line.trim().strip_prefix('"')?.split('"').next()?;
    Some(title.to_owned())
}

impl From<&ictus_scene::Problem> for Problem {
    fn from(problem: &ictus_scene::Problem) -> Self {
        Self {
            message: problem.message.clone(),
            help: problem.help.clone(),
            line: problem.line,
            column: problem.column,
            length: problem.length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenes() -> Gallery {
        Gallery::folder(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes"))).expect("the folder is there")
    }

    #[test]
    fn a_gallery_begins_with_the_tromba_marina_where_there_is_one_and_else_with_the_first() {
        const BOTH: &[(&str, &str)] = &[("gong", "title = \"Gong\""), ("tromba-marina", "title= \"Tromba\"")];
        assert_eq!(Gallery::of_texts(BOTH).first(), "tromba-marina");
        assert_eq!(Gallery::of_texts(&BOTH[..1]).first(), "gong");
        let titles: Vec<String> = Gallery::of_texts(BOTH).list().into_iter().map(|entry| entry.title).collect();
        assert_eq!(titles, ["Gong", "Tromba"]);
    }

    #[test]
    fn only_names_of_the_list_are_opened() {
        let gallery = scenes();
        for name in
            ["", ".", "..", "../Cargo", "../scenes/hammered-string", "/etc/passwd", "hammered-string.toml", "no-such"]
        {
            assert!(gallery.open(name, 48_000.0).is_err(), "{name}");
            assert!(gallery.stamp(name).is_none(), "{name}");
        }
        assert!(gallery.open("hammered-string", 48_000.0).is_ok());
    }
}
