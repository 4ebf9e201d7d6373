//! A file that appears whole or not at all.
//!
//! The text goes to a temporary file in the target's own directory; [`WholeFile::keep`] renames it to its name,
//! which the system does in one step. Dropping it instead leaves no trace. Devices and pipes cannot be renamed
//! over: they are written straight through.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::error::Error;

/// A file being written.
pub struct WholeFile {
    option: &'static str,
    path: PathBuf,
    target: Target,
}

enum Target {
    Temporary { file: NamedTempFile, destination: PathBuf },
    Device(File),
}

impl WholeFile {
    /// Opens a file to be written to `path`, which the user gave with `option`. Fails if it cannot be written.
    pub fn create(option: &'static str, path: &Path) -> Result<Self, Error> {
        let target = Target::open(path).map_err(|source| Error::write(option, path, source))?;
        Ok(Self { option, path: path.to_owned(), target })
    }

    /// Writes all of `bytes`.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.target.write_all(bytes).map_err(|source| Error::write(self.option, &self.path, source))
    }

    /// Finishes the file and gives it its name.
    pub fn keep(self) -> Result<(), Error> {
        self.target.keep().map_err(|source| Error::write(self.option, &self.path, source))
    }
}

impl WholeFile {
    /// Finishes the file and gives it its name, unless a file has got that name in the meantime.
    pub fn keep_if_new(self) -> Result<(), Error> {
        let Self { option, path, target } = self;
        let kept = match target {
            Target::Temporary { file, destination } => {
                file.persist_noclobber(destination).map(drop).map_err(Into::into)
            }
            device => device.keep(),
        };
        kept.map_err(|source: io::Error| Error::write(option, &path, source))
    }
}

/// Where a file of this name ends up: the same for every way to spell it.
///
/// A symbolic link is followed, so that it stays one; a file that is not there yet is one of its directory.
pub fn destination(path: &Path) -> PathBuf {
    let new_file = || {
        let name = path.file_name()?;
        let directory = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
        Some(fs::canonicalize(directory).ok()?.join(name))
    };
    fs::canonicalize(path).ok().or_else(new_file).unwrap_or_else(|| path.to_owned())
}

impl Target {
    fn open(path: &Path) -> io::Result<Self> {
        let destination = destination(path);
        let present = fs::metadata(&destination).ok();
        if present.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        if let Some(present) = &present {
            // A file that may not be written may not be replaced either.
            let device = OpenOptions::new().write(true).open(&destination)?;
            if !present.is_file() {
                return Ok(Self::Device(device));
            }
        }
        let directory = match destination.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        if destination.file_name().is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not the name of a file"));
        }
        let file = temporary(directory, present.as_ref().map(fs::Metadata::permissions))?;
        Ok(Self::Temporary { file, destination })
    }

    fn keep(self) -> io::Result<()> {
        match self {
            Self::Temporary { mut file, destination } => {
                file.as_file_mut().flush()?;
                file.persist(destination)?;
                Ok(())
            }
            Self::Device(mut device) => device.flush(),
        }
    }
}

/// A new hidden file in `directory`, with the permissions of the file it will replace or of a new file.
fn temporary(directory: &Path, permissions: Option<fs::Permissions>) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".ictus-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(permissions.unwrap_or_else(|| fs::Permissions::from_mode(0o666)));
    }
    #[cfg(not(unix))]
    let _ = permissions;
    builder.tempfile_in(directory).map_err(|error| without_path(&error))
}

/// The system's reason without the temporary file's name, which nobody asked for.
pub(super) fn without_path(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split_once(" at path \"").map_or(text.as_str(), |(reason, _)| reason);
    io::Error::new(error.kind(), reason)
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // To the file itself: errors of the wrapper name the temporary file.
            Self::Temporary { file, .. } => file.as_file_mut().write(bytes),
            Self::Device(device) => device.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Temporary { file, .. } => file.as_file_mut().flush(),
            Self::Device(device) => device.flush(),
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.target.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("the directory can be read");
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_that_is_not_kept_leaves_no_trace() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut file = WholeFile::create("--csv", &directory.path().join("a.csv")).expect("a file");
        file.put(b"half a ro").expect("can be written");
        drop(file);
        assert!(names_in(directory.path()).is_empty());
    }

    #[test]
    fn a_file_that_is_kept_replaces_the_old_one_whole() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.csv");
        fs::write(&path, "a longer old text").expect("can be written");
        let mut file = WholeFile::create("--csv", &path).expect("a file");
        file.put(b"new").expect("can be written");
        assert_eq!(fs::read(&path).expect("is there"), b"a longer old text");
        file.keep().expect("can be renamed");
        assert_eq!(fs::read(&path).expect("is there"), b"new");
        assert_eq!(names_in(directory.path()), ["a.csv"]);
    }

    #[test]
    fn a_new_file_does_not_replace_one_that_came_first() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.toml");
        let file = WholeFile::create("NAME", &path).expect("a file");
        fs::write(&path, "first").expect("can be written");
        assert!(file.keep_if_new().is_err());
        assert_eq!(fs::read(&path).expect("is there"), b"first");
        assert_eq!(names_in(directory.path()), ["a.toml"]);
    }

    #[test]
    fn directories_and_missing_directories_are_refused_with_exit_code_1() {
        let directory = tempfile::tempdir().expect("a directory");
        for path in [directory.path().to_owned(), directory.path().join("missing/a.csv"), "..".into(), "".into()] {
            let error = WholeFile::create("--csv", &path).err().expect("is refused");
            assert_eq!(error.exit_code(), 1, "{path:?}");
        }
    }
}
