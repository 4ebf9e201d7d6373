//! The text of a scene and where it came from.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::files::Files;

/// Most bytes of a scene's text.
pub const MOST_BYTES: usize = 4 << 20;

/// A scene's text with a name for messages.
#[derive(Clone, Debug)]
pub struct Source {
    /// File name, or what else it is called in messages.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// Where the files are that it names; without them it cannot name any.
    pub files: Option<Arc<dyn Files>>,
}

impl Source {
    /// A text by a name.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into(), files: None }
    }

    /// The same text, which can name these files.
    #[must_use]
    pub fn with_files(self, files: Arc<dyn Files>) -> Self {
        Self { files: Some(files), ..self }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// There is no such file, it is a directory, cannot be read, is larger than [`MOST_BYTES`] or not UTF-8.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => LoadError::NoSuchFile { name: name.clone() },
            std::io::ErrorKind::IsADirectory => LoadError::Directory { name: name.clone() },
            _ => LoadError::Unreadable { name: name.clone(), error: error.to_string() },
        };
        if path.is_dir() {
            return Err(LoadError::Directory { name });
        }
        let mut file = std::fs::File::open(path).map_err(failed)?;
        Self::from_reader(&name, &mut file)
    }

    /// Reads what comes from a file or a pipe, by a name for messages.
    ///
    /// # Errors
    /// It cannot be read, is larger than [`MOST_BYTES`] or not UTF-8.
    pub fn from_reader(name: &str, reader: &mut dyn Read) -> Result<Self, LoadError> {
        let name = name.to_owned();
        // One byte more than allowed is enough to know, even from a pipe without a length.
        let mut bytes = Vec::new();
        let read = reader.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes);
        match read.map_err(|error| (error.kind(), error.to_string())) {
            Ok(_) => {}
            Err((std::io::ErrorKind::IsADirectory, _)) => return Err(LoadError::Directory { name }),
            Err((_, error)) => return Err(LoadError::Unreadable { name, error }),
        }
        if bytes.len() > MOST_BYTES {
            return Err(LoadError::TooLarge { name });
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(name, text)),
            Err(error) => {
                let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
                Err(LoadError::NotUtf8 { name, line })
            }
        }
    }
}

/// Why a file could not be loaded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is none.
    #[error("{name}: no such file")]
    NoSuchFile {
        /// Path as it was given.
        name: String,
    },
    /// It is a directory.
    #[error("{name} is a directory; a scene is a text file")]
    Directory {
        /// Path as it was given.
        name: String,
    },
    /// The system does not let us.
    #[error("{name} cannot be read: {error}")]
    Unreadable {
        /// Path as it was given.
        name: String,
        /// What the system says.
        error: String,
    },
    /// It is larger than a scene can be.
    #[error("{name} is larger than {} MB, the most a scene may have", MOST_BYTES >> 20)]
    TooLarge {
        /// Path as it was given.
        name: String,
    },
    /// It is no text.
    #[error("{name}, line {line}: this is not UTF-8 text")]
    NotUtf8 {
        /// Path as it was given.
        name: String,
        /// Line of the first byte that is no text, from 1.
        line: usize,
    },
}
