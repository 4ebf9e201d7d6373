//! A directory of files that appear all together or not at all.
//!
//! Files go to a hidden temporary directory on the same disk. [`WholeDirectory::keep`] renames it to its name where there
//! is no such directory yet; where there is one, the files are moved in one by one, replacing their namesakes and leaving
//! all others alone. Dropping it instead leaves no trace.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Folders;
use super::identity::destination;
use super::temporary::{self, Temporary};
use super::together::{self, Move};
use crate::error::Error;

/// A directory being written.
pub struct WholeDirectory {
    option: &'static str,
    /// As the user wrote it.
    asked: PathBuf,
    /// Where it is, links followed.
    path: PathBuf,
    /// Removes what was not moved away.
    _temporary: Temporary<TempDir>,
    /// Where files are put, inside the temporary directory: it has the permissions of a new directory.
    files: PathBuf,
}

impl WholeDirectory {
    /// Opens a directory to be written to `path`, which the user gave with `option`. Fails if it cannot be written.
    pub fn create(option: &'static str, path: &Path) -> Result<Self, Error> {
        let failed = |source| Error::write(option, path, source);
        let asked = path.to_owned();
        let temporary = temporary_for(path).map_err(failed)?;
        let files = temporary.path().join("files");
        fs::create_dir(&files).map_err(failed)?;
        Ok(Self { option, asked, path: destination(path).map_err(failed)?, _temporary: temporary, files })
    }

    /// Writes a file of that name.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        // So that a signal does not find the directory growing while it is removed.
        let _held = temporary::hold();
        fs::write(self.files.join(name), bytes).map_err(|source| self.error(source))
    }

    /// Gives everything its name.
    pub fn keep(self) -> Result<(), Error> {
        together::keep(Vec::new(), Some(self))
    }

    /// The names that are to be given. Makes the directories around it.
    pub(super) fn moves(&self, folders: &mut Folders) -> Result<Vec<Move>, Error> {
        self.planned(folders).map_err(|source| self.error(source))
    }

    fn planned(&self, folders: &mut Folders) -> io::Result<Vec<Move>> {
        if let Some(parent) = self.path.parent().filter(|parent| *parent != Path::new("")) {
            folders.make(parent)?;
        }
        let to_be = |from: PathBuf, to: PathBuf| Move { option: self.option, asked: self.asked.clone(), from, to };
        if !self.path.exists() {
            return Ok(vec![to_be(self.files.clone(), self.path.clone())]);
        }
        let mut moves = Vec::new();
        for entry in fs::read_dir(&self.files)? {
            let name = entry?.file_name();
            let (from, to) = (self.files.join(&name), destination(&self.path.join(&name))?);
            match fs::metadata(&to) {
                Ok(there) if there.is_dir() => {
                    return Err(io::Error::new(io::ErrorKind::IsADirectory, format!("{name:?} there is a directory")));
                }
                Ok(there) => temporary::take_after(&from, &there)?,
                Err(_) => {}
            }
            moves.push(to_be(from, to));
        }
        Ok(moves)
    }

    fn error(&self, source: io::Error) -> Error {
        Error::write(self.option, &self.asked, source)
    }
}

/// A temporary directory inside `path`, or in the nearest directory above it that is there.
fn temporary_for(path: &Path) -> io::Result<Temporary<TempDir>> {
    if path == Path::new("") {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not the name of a directory"));
    }
    let place = destination(path)?;
    let present = place.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok());
    let directory = present.unwrap_or(Path::new("."));
    if !directory.is_dir() {
        let what = if directory == place { "it is not a directory" } else { "a part of it is not a directory" };
        return Err(io::Error::new(io::ErrorKind::NotADirectory, what));
    }
    Temporary::directory(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("the directory can be read");
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_directory_that_is_not_kept_leaves_no_trace() {
        let root = tempfile::tempdir().expect("a directory");
        let directory = WholeDirectory::create("--output", &root.path().join("a/b")).expect("can be written");
        directory.put("x.csv", b"1").expect("is written");
        drop(directory);
        assert!(names_in(root.path()).is_empty());
    }

    #[test]
    fn files_appear_together_and_strangers_stay() {
        let root = tempfile::tempdir().expect("a directory");
        let path = root.path().join("a/b");
        for text in ["old", "new"] {
            let directory = WholeDirectory::create("--output", &path).expect("can be written");
            directory.put("x.csv", text.as_bytes()).expect("is written");
            directory.keep().expect("is kept");
            fs::write(path.join("mine.txt"), "mine").expect("is written");
        }
        assert_eq!(names_in(&path), ["mine.txt", "x.csv"]);
        assert_eq!(fs::read(path.join("x.csv")).expect("is there"), b"new");
        assert_eq!(names_in(root.path()), ["a"]);
    }

    #[test]
    fn what_is_no_directory_is_refused_with_exit_code_1() {
        let root = tempfile::tempdir().expect("a directory");
        fs::write(root.path().join("file"), "x").expect("is written");
        for path in [root.path().join("file"), root.path().join("file/deeper"), "".into()] {
            let error = WholeDirectory::create("--output", &path).err().expect("is refused");
            assert_eq!(error.exit_code(), 1, "{path:?}");
        }
        assert_eq!(names_in(root.path()), ["file"]);
    }

    #[test]
    fn a_directory_in_the_way_of_a_file_stops_the_move_before_it_begins() {
        let root = tempfile::tempdir().expect("a directory");
        fs::create_dir(root.path().join("b.csv")).expect("is made");
        let directory = WholeDirectory::create("--output", root.path()).expect("can be written");
        directory.put("a.csv", b"1").expect("is written");
        directory.put("b.csv", b"2").expect("is written");
        assert!(directory.keep().is_err());
        assert_eq!(names_in(root.path()), ["b.csv"]);
    }
}
