//! Results that get their names all together or not at all.
//!
//! Everything is on the disk already, under a temporary name, so that giving a name is one step of the system that needs no space.
//! Should one fail all the same, those before it are undone: what they replaced has been kept under a second name until then.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;

use super::temporary::{self, SecondName};
use super::{Folders, WholeDirectory, WholeFile};
use crate::error::{Error, shown};

/// A name to be given.
pub(super) struct Move {
    /// The option that asked for it, and the path as the user wrote it.
    pub(super) option: &'static str,
    pub(super) asked: PathBuf,
    /// Where it is.
    pub(super) from: PathBuf,
    /// Where it goes.
    pub(super) to: PathBuf,
}

/// A move that was made, and what was at its place before.
struct Made<'a> {
    of: &'a Move,
    before: Option<SecondName>,
}

/// Gives all of these their names, or none.
pub fn keep(mut files: Vec<WholeFile>, directory: Option<WholeDirectory>) -> Result<(), Error> {
    // No signal ends the program between the first move and the last, and no other thread makes the directory meanwhile. Released
    // before the temporary files are dropped, which takes the lock again.
    let _held = temporary::hold();
    let mut folders = Folders::default();
    let mut moves = Vec::new();
    if let Some(directory) = &directory {
        moves.extend(directory.moves(&mut folders)?);
    }
    for file in &mut files {
        moves.extend(file.finished()?);
    }
    make(&moves)
}

/// Refuses two results that links lead to one file: the second would take the place of the first.
fn all_apart(moves: &[Move]) -> Result<(), Error> {
    let mut places = HashSet::new();
    match moves.iter().find(|next| !places.insert(&next.to)) {
        None => Ok(()),
        Some(Move { option, asked, to, .. }) => {
            let reason = format!("links lead two of the results to {}", shown(&to.display().to_string()));
            Err(Error::write(option, asked, io::Error::new(io::ErrorKind::AlreadyExists, reason)))
        }
    }
}

fn make(moves: &[Move]) -> Result<(), Error> {
    all_apart(moves)?;
    let mut made: Vec<Made<'_>> = Vec::new();
    for next in moves {
        match next.make(moves.len() > 1) {
            Ok(before) => made.push(Made { of: next, before }),
            Err(source) => {
                made.into_iter().rev().for_each(Made::undo);
                return Err(Error::write(next.option, &next.asked, source));
            }
        }
    }
    Ok(())
}

impl Move {
    /// Gives the name. What had it before gets a second one if it may be wanted back.
    fn make(&self, undoable: bool) -> io::Result<Option<SecondName>> {
        let there = fs::symlink_metadata(&self.to).ok();
        if there.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "there is a directory of that name"));
        }
        let before = match there {
            Some(_) if undoable => Some(SecondName::of(&self.to)?),
            _ => None,
        };
        fs::rename(&self.from, &self.to)?;
        Ok(before)
    }
}

impl Made<'_> {
    /// As it was before. What fails here cannot be mended any more, and the error that led here is told.
    fn undo(self) {
        let _ = match &self.before {
            Some(before) => fs::rename(before.path(), &self.of.to),
            None => fs::rename(&self.of.to, &self.of.from),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn names_in(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("the directory can be read");
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn file(path: &Path) -> WholeFile {
        let mut file = WholeFile::create("-o", path).expect("can be written");
        file.put(b"new").expect("is written");
        file
    }

    #[test]
    fn where_one_fails_the_others_are_as_they_were() {
        let root = tempfile::tempdir().expect("a directory");
        let path = |name: &str| root.path().join(name);
        fs::write(path("old.wav"), "old").expect("is written");
        let files = ["old.wav", "fresh.wav", "blocked.wav"].map(|name| file(&path(name)));
        let pictures = WholeDirectory::create("--plot", &path("deep/pictures")).expect("can be written");
        pictures.put("a.svg", b"new").expect("is written");
        fs::create_dir(path("blocked.wav")).expect("is made");
        let error = keep(files.into(), Some(pictures)).expect_err("cannot be kept");
        assert!(error.to_string().contains("blocked.wav"), "{error}");
        assert_eq!(names_in(root.path()), ["blocked.wav", "old.wav"]);
        assert_eq!(fs::read(path("old.wav")).expect("is there"), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn two_results_of_one_place_are_refused_and_nothing_is_lost() {
        let root = tempfile::tempdir().expect("a directory");
        let path = |name: &str| root.path().join(name);
        fs::create_dir(path("pictures")).expect("is made");
        fs::write(path("page.md"), "prose").expect("is written");
        std::os::unix::fs::symlink("../page.md", path("pictures/a.svg")).expect("is linked");
        let pictures = WholeDirectory::create("--output", &path("pictures")).expect("can be written");
        pictures.put("a.svg", b"new").expect("is written");
        let error = keep(vec![file(&path("page.md"))], Some(pictures)).expect_err("cannot both be kept");
        assert!(error.to_string().contains("links lead two of the results to"), "{error}");
        assert_eq!(fs::read(path("page.md")).expect("is there"), b"prose");
        assert_eq!(names_in(root.path()), ["page.md", "pictures"]);
    }

    #[test]
    fn pictures_in_a_directory_that_is_there_are_undone_too() {
        let root = tempfile::tempdir().expect("a directory");
        let path = |name: &str| root.path().join(name);
        fs::write(path("a.svg"), "old").expect("is written");
        let pictures = WholeDirectory::create("--plot", root.path()).expect("can be written");
        for name in ["a.svg", "b.svg"] {
            pictures.put(name, b"new").expect("is written");
        }
        let sound = file(&path("blocked.wav"));
        fs::create_dir(path("blocked.wav")).expect("is made");
        keep(vec![sound], Some(pictures)).expect_err("cannot be kept");
        assert_eq!(names_in(root.path()), ["a.svg", "blocked.wav"]);
        assert_eq!(fs::read(path("a.svg")).expect("is there"), b"old");
    }

    #[test]
    fn all_that_are_kept_are_there_and_nothing_else() {
        let root = tempfile::tempdir().expect("a directory");
        let path = |name: &str| root.path().join(name);
        fs::write(path("old.wav"), "old").expect("is written");
        let pictures = WholeDirectory::create("--plot", &path("deep/pictures")).expect("can be written");
        pictures.put("a.svg", b"new").expect("is written");
        keep(["old.wav", "fresh.wav"].map(|name| file(&path(name))).into(), Some(pictures)).expect("are kept");
        assert_eq!(names_in(root.path()), ["deep", "fresh.wav", "old.wav"]);
        assert_eq!(names_in(&path("deep/pictures")), ["a.svg"]);
        assert_eq!(fs::read(path("old.wav")).expect("is there"), b"new");
    }
}
