//! A file that appears whole or not at all.
//!
//! The text goes to a temporary file in the target's own directory; [`WholeFile::keep`] renames it to its name,
//! which the system does in one step. Dropping it instead leaves no trace. A symbolic link stays one, and a file that is replaced
//! leaves its permissions to the new one; other names of the replaced file keep the old text. Devices and pipes cannot be renamed
//! over: they are written straight through.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::identity::destination;
use super::temporary::Temporary;
use super::together::{self, Move};
use crate::error::Error;

/// A file being written.
pub struct WholeFile {
    option: &'static str,
    path: PathBuf,
    target: Target,
}

enum Target {
    Temporary { file: Temporary<NamedTempFile>, destination: PathBuf },
    Device(File),
    StandardOutput(io::Stdout),
}

/// Whether a path means standard output: `-`.
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

impl WholeFile {
    /// Opens a file to be written to `path`, which the user gave with `option`. Fails if it cannot be written.
    pub fn create(option: &'static str, path: &Path) -> Result<Self, Error> {
        let target = Target::open(path).map_err(|source| Error::write(option, path, source))?;
        Ok(Self { option, path: path.to_owned(), target })
    }

    /// Standard output, which the user asked for with `option`: written straight through.
    pub fn standard_output(option: &'static str) -> Self {
        Self { option, path: PathBuf::from("-"), target: Target::StandardOutput(io::stdout()) }
    }

    /// Writes all of `bytes`.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.target.write_all(bytes).map_err(|source| self.error(source))
    }

    /// Whether what was written can be replaced: not in a device or a pipe.
    pub fn can_go_back(&self) -> bool {
        matches!(self.target, Target::Temporary { .. })
    }

    /// Writes other bytes over the first ones.
    pub fn replace_start(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let replaced = match &mut self.target {
            Target::Temporary { file, .. } => file.open().and_then(|file| {
                file.seek(SeekFrom::Start(0))?;
                file.write_all(bytes)?;
                file.seek(SeekFrom::End(0)).map(drop)
            }),
            Target::Device(_) | Target::StandardOutput(_) => Err(io::ErrorKind::NotSeekable.into()),
        };
        replaced.map_err(|source| self.error(source))
    }

    /// Finishes the file and gives it its name.
    pub fn keep(self) -> Result<(), Error> {
        together::keep(vec![self], None)
    }

    /// Finishes the file and gives it its name, unless a file has got that name in the meantime.
    pub fn keep_if_new(self) -> Result<(), Error> {
        let Self { option, path, target } = self;
        let kept = match target {
            Target::Temporary { file, destination } => file.keep_if_new(&destination),
            Target::Device(mut device) => device.flush(),
            Target::StandardOutput(mut output) => output.flush(),
        };
        kept.map_err(|source: io::Error| Error::write(option, &path, source))
    }

    /// Finishes the file; what is left is to give it its name, if it is to have one.
    pub(super) fn finished(&mut self) -> Result<Option<Move>, Error> {
        self.target.flush().map_err(|source| self.error(source))?;
        let moved = |file: &Temporary<_>, to: &PathBuf| Move {
            option: self.option,
            asked: self.path.clone(),
            from: file.path().to_owned(),
            to: to.clone(),
        };
        Ok(match &self.target {
            Target::Temporary { file, destination } => Some(moved(file, destination)),
            Target::Device(_) | Target::StandardOutput(_) => None,
        })
    }

    fn error(&self, source: io::Error) -> Error {
        Error::write(self.option, &self.path, source)
    }
}

impl Target {
    fn open(path: &Path) -> io::Result<Self> {
        let destination = destination(path)?;
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
        let file = Temporary::file(directory, present.as_ref())?;
        Ok(Self::Temporary { file, destination })
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // To the file itself: errors of the wrapper name the temporary file.
            Self::Temporary { file, .. } => file.open()?.write(bytes),
            Self::Device(device) => device.write(bytes),
            Self::StandardOutput(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Temporary { file, .. } => file.open()?.flush(),
            Self::Device(device) => device.flush(),
            Self::StandardOutput(output) => output.flush(),
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

    #[cfg(unix)]
    #[test]
    fn links_stay_links_also_those_to_nothing_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        fs::write(path("old.csv"), "old").expect("is written");
        // More than a new file gets by the usual mask.
        fs::set_permissions(path("old.csv"), fs::Permissions::from_mode(0o666)).expect("are set");
        symlink("old.csv", path("link.csv")).expect("is linked");
        symlink("fresh.csv", path("dangling.csv")).expect("is linked");
        for (link, target) in [("link.csv", "old.csv"), ("dangling.csv", "fresh.csv")] {
            let mut file = WholeFile::create("--csv", &path(link)).expect("can be written");
            file.put(b"new").expect("is written");
            file.keep().expect("is kept");
            assert_eq!(fs::read_link(path(link)).expect("is still a link"), Path::new(target));
            assert_eq!(fs::read(path(target)).expect("is there"), b"new");
        }
        let mode = fs::metadata(path("old.csv")).expect("is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o666);
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
