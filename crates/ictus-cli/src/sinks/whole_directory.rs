//! A directory of files that appear all together or not at all.
//!
//! Files go to a hidden temporary directory on the same disk. [`WholeDirectory::keep`] renames it to its name where there
//! is no such directory yet; where there is one, the files are moved in one by one, replacing their namesakes and leaving
//! all others alone. Dropping it instead leaves no trace.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir};

use crate::error::Error;

/// A directory being written.
pub struct WholeDirectory {
    option: &'static str,
    path: PathBuf,
    /// Removes what was not moved away.
    _temporary: TempDir,
    /// Where files are put, inside the temporary directory: it has the permissions of a new directory.
    files: PathBuf,
}

impl WholeDirectory {
    /// Opens a directory to be written to `path`, which the user gave with `option`. Fails if it cannot be written.
    pub fn create(option: &'static str, path: &Path) -> Result<Self, Error> {
        let failed = |source| Error::write(option, path, source);
        let temporary = temporary_for(path).map_err(failed)?;
        let files = temporary.path().join("files");
        fs::create_dir(&files).map_err(failed)?;
        Ok(Self { option, path: path.to_owned(), _temporary: temporary, files })
    }

    /// Writes a file of that name.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        fs::write(self.files.join(name), bytes).map_err(|source| self.error(source))
    }

    /// Gives everything its name.
    pub fn keep(self) -> Result<(), Error> {
        self.moved().map_err(|source| self.error(source))
    }

    fn moved(&self) -> io::Result<()> {
        if let Some(parent) = self.path.parent().filter(|parent| *parent != Path::new("")) {
            fs::create_dir_all(parent)?;
        }
        if !self.path.exists() {
            match fs::rename(&self.files, &self.path) {
                // Another one of the same name came first: the files go into it.
                Err(_) if self.path.is_dir() => {}
                done => return done,
            }
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.files)? {
            let name = entry?.file_name();
            if self.path.join(&name).is_dir() {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, format!("{name:?} there is a directory")));
            }
            names.push(name);
        }
        for name in names {
            fs::rename(self.files.join(&name), self.path.join(&name))?;
        }
        Ok(())
    }

    fn error(&self, source: io::Error) -> Error {
        Error::write(self.option, &self.path, source)
    }
}

/// A temporary directory inside `path`, or in the nearest directory above it that is there.
fn temporary_for(path: &Path) -> io::Result<TempDir> {
    if path == Path::new("") {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not the name of a directory"));
    }
    let present = path.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok());
    let directory = present.unwrap_or(Path::new("."));
    if !directory.is_dir() {
        let what = if directory == path { "it is not a directory" } else { "a part of it is not a directory" };
        return Err(io::Error::new(io::ErrorKind::NotADirectory, what));
    }
    let mut builder = Builder::new();
    builder.prefix(".ictus-");
    builder.tempdir_in(directory).map_err(|error| super::whole_file::without_path(&error))
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
