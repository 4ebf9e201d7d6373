//! The scenes that can be played: those inside the program, those of a folder, and a file.
//!
//! A scene is asked for by its name in the list. A name is one plain part of a path, and what it leads to must be a regular file of the
//! folder: nothing else exists. Opening a scene looks at its own file only, whatever the length of the list.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::{Instant, SystemTime};

use ictus_page::protocol::{Problem, SceneEntry};
use ictus_page::questions::{Held, Library};
use ictus_page::{Stage, build_tuned, title};
use ictus_scene::Source;

use crate::files::{Files, replace};

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

/// When a file changed last, and its length in bytes.
pub type Stamp = (SystemTime, u64);

/// What the list tells of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// What it is called.
    pub title: String,
    /// State of its file when the title was read; none for a scene inside the program.
    stamp: Option<Stamp>,
}

/// A list of scenes.
#[derive(Clone, Debug)]
pub struct Gallery {
    shelf: Shelf,
    /// A file outside the shelf, and its name in the list.
    file: Option<(String, PathBuf)>,
    first: String,
    files: Files,
}

impl Gallery {
    fn new(shelf: Shelf) -> Self {
        Self { shelf, file: None, first: FAVOURITE.to_owned(), files: Files::default() }
    }

    /// Scenes inside the program: names and texts.
    pub fn of_texts(texts: &'static [(&'static str, &'static str)]) -> Self {
        Self::new(Shelf::Texts(texts))
    }

    /// The scenes of a folder: its regular files that end in `.toml`.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn folder(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        std::fs::read_dir(&folder)?;
        Ok(Self::new(Shelf::Folder(folder)))
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
        let listed = self.survey(&BTreeMap::new(), None);
        listed.into_iter().map(|(name, Listed { title, .. })| SceneEntry { name, title }).collect()
    }

    /// All scenes by name. Of files that are as they were when `known` was made, only the state is looked at. Files that have not been
    /// read by a moment are listed by their names, and are read by the next survey.
    pub fn survey(&self, known: &BTreeMap<String, Listed>, until: Option<Instant>) -> BTreeMap<String, Listed> {
        let mut listed = BTreeMap::new();
        let in_folder = match &self.shelf {
            Shelf::Texts(texts) => {
                listed.extend(texts.iter().map(|(name, text)| {
                    let title = title(text).unwrap_or_else(|| (*name).to_owned());
                    ((*name).to_owned(), Listed { title, stamp: None })
                }));
                None
            }
            Shelf::Folder(folder) => Some(files_of(folder)),
        };
        let mut reader = self.files.reader();
        for (name, path) in in_folder.into_iter().flatten().chain(self.file.clone()) {
            if until.is_some_and(|until| Instant::now() >= until) {
                listed.insert(name.clone(), Listed { title: name, stamp: None });
                continue;
            }
            let stamp = stamp(&path);
            let unchanged = known.get(&name).filter(|known| known.stamp == stamp && stamp.is_some());
            let title = match unchanged {
                Some(known) => known.title.clone(),
                None => reader.read(&path).ok().and_then(|source| title(&source.text)).unwrap_or_else(|| name.clone()),
            };
            listed.insert(name, Listed { title, stamp });
        }
        listed
    }

    /// Whether the list can change while the program runs.
    pub fn can_change(&self) -> bool {
        self.file.is_some() || matches!(self.shelf, Shelf::Folder(_))
    }

    fn find(&self, name: &str) -> Option<Found> {
        if let Some((_, path)) = self.file.as_ref().filter(|(own, _)| own == name) {
            return Some(Found::File(path.clone()));
        }
        match &self.shelf {
            Shelf::Texts(texts) => texts.iter().find(|(own, _)| *own == name).map(|(_, text)| Found::Text(text)),
            Shelf::Folder(folder) => inside(folder, name).map(Found::File),
        }
    }

    /// The name of the scene to begin with.
    pub fn first(&self) -> String {
        self.first_of(self.list().into_iter().map(|entry| entry.name))
    }

    /// The name of the scene to begin with, out of the names of the list.
    pub fn first_of(&self, names: impl Iterator<Item = String>) -> String {
        names.min_by_key(|name| (*name != self.first, name.clone())).unwrap_or_default()
    }

    /// The state of a scene's file; `None` if it has none.
    pub fn stamp(&self, name: &str) -> Option<Stamp> {
        match self.find(name)? {
            Found::File(path) => stamp(&path),
            Found::Text(_) => None,
        }
    }

    fn source(&self, name: &str) -> Result<Source, String> {
        match self.find(name).ok_or_else(|| format!("there is no scene called {name:?}"))? {
            Found::Text(text) => Ok(Source::new(format!("{name}.toml"), text)),
            Found::File(path) => self.files.reader().read(&path),
        }
    }

    /// Reads a scene and sets it up at a rate in Hz.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn open(&self, name: &str, rate: f64) -> Result<Box<Stage>, Vec<Problem>> {
        self.open_tuned(name, rate, &[])
    }

    /// The same with its keys tuned so far from equal temperament, in cents: all 128, or none for what the scene says.
    ///
    /// # Errors
    /// As of [`Gallery::open`].
    pub fn open_tuned(&self, name: &str, rate: f64, cents: &[f64]) -> Result<Box<Stage>, Vec<Problem>> {
        let source = self.source(name).map_err(|message| vec![Problem::plain(message)])?;
        build_tuned(name, &source, rate, cents)
    }
}

/// Pages read every scene of the list, and write the one file that the program was asked to play.
impl Library for Gallery {
    fn held(&self, scene: &str) -> Result<Held, String> {
        let source = self.source(scene)?;
        let is_own = self.file.as_ref().is_some_and(|(own, _)| own == scene);
        Ok(Held::new(source.text.as_ref(), is_own))
    }

    fn keep(&self, scene: &str, text: &str) -> Result<(), String> {
        match self.file.as_ref().filter(|(own, _)| own == scene) {
            Some((_, path)) => {
                replace(path, text).map_err(|error| format!("{} is not written: {error}", path.display()))
            }
            None => Err(format!("{scene:?} is not a file that was opened to be written")),
        }
    }
}

/// The scenes of a folder by name. A link counts if it leads to a regular file of the folder.
fn files_of(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| {
        let path = file.path();
        path.extension().filter(|ending| *ending == "toml")?;
        let name = path.file_stem()?.to_str()?.to_owned();
        // The folder's own entry tells what it is. Resolving every path would take eight times as many calls of the system.
        let kind = file.file_type().ok()?;
        let path = if kind.is_symlink() { inside(path.parent()?, &name)? } else { path };
        (kind.is_file() || kind.is_symlink()).then_some((name, path))
    })
}

/// The file of this name in a folder, if it really is in there, wherever a link may lead.
fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut parts = Path::new(name).components();
    let (Some(Component::Normal(only)), None) = (parts.next(), parts.next()) else { return None };
    // "a/" and "a/." have one part too.
    if only != name {
        return None;
    }
    let path = folder.join(format!("{name}.toml")).canonicalize().ok()?;
    (path.starts_with(folder) && path.is_file()).then_some(path)
}

fn stamp(path: &Path) -> Option<Stamp> {
    let about = path.metadata().ok()?;
    Some((about.modified().ok()?, about.len()))
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
    fn a_survey_reads_only_what_has_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["one", "two"] {
            let text = format!("title = \"{name}\"");
            std::fs::write(folder.path().join(format!("{name}.toml")), text).expect("is written");
        }
        let gallery = Gallery::folder(folder.path()).expect("a gallery");
        let mut known = gallery.survey(&BTreeMap::new(), None);
        // A title that no file has comes back only if the file was not read.
        known.values_mut().for_each(|listed| listed.title = "remembered".into());
        std::fs::write(folder.path().join("two.toml"), "title = \"longer than before\"").expect("is written");
        let titles: Vec<String> = gallery.survey(&known, None).into_values().map(|listed| listed.title).collect();
        assert_eq!(titles, ["remembered", "longer than before"]);
    }

    #[test]
    fn what_a_short_survey_has_no_time_for_has_its_name_until_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("one.toml"), "title = \"A title\"").expect("is written");
        let gallery = Gallery::folder(folder.path()).expect("a gallery");
        let titles = |found: &BTreeMap<String, Listed>| found.values().map(|one| one.title.clone()).collect::<Vec<_>>();
        let short = gallery.survey(&BTreeMap::new(), Some(Instant::now()));
        assert_eq!(titles(&short), ["one"]);
        assert_eq!(titles(&gallery.survey(&short, None)), ["A title"]);
    }

    #[test]
    fn only_the_file_that_is_played_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let [own, other] = ["own", "other"].map(|name| folder.path().join(format!("{name}.toml")));
        for path in [&own, &other] {
            std::fs::write(path, "before").expect("is written");
        }
        let gallery = Gallery::folder(folder.path()).expect("a gallery").with_file(&own);
        assert!(gallery.held("own").is_ok_and(|held| held.writable && held.text == "before"));
        assert!(gallery.held("other").is_ok_and(|held| !held.writable));
        assert!(gallery.keep("other", "after").is_err() && gallery.keep("../own", "after").is_err());
        assert_eq!(gallery.keep("own", "after"), Ok(()));
        let texts = [&own, &other].map(|path| std::fs::read_to_string(path).expect("is read"));
        assert_eq!(texts, ["after", "before"]);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing else is left there");
    }

    #[test]
    fn only_names_of_the_list_are_opened() {
        let gallery = scenes();
        for name in [
            "",
            ".",
            "..",
            "../Cargo",
            "../scenes/hammered-string",
            "/etc/passwd",
            "hammered-string.toml",
            "hammered-string/",
            "./hammered-string",
            "no-such",
        ] {
            assert!(gallery.open(name, 48_000.0).is_err(), "{name}");
            assert!(gallery.stamp(name).is_none(), "{name}");
        }
        assert!(gallery.open("hammered-string", 48_000.0).is_ok());
    }
}
