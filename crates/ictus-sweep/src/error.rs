//! Why a sweep cannot be: a mistake in its plan, a folder of another sweep, a file that cannot be written.

use std::io;
use std::path::{Path, PathBuf};

use ictus_scene::Problems;

/// Why a sweep stops. A point that fails is none of these: it is a row with its message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The plan's text asks for what cannot be.
    #[error("{place}: {message}")]
    Plan {
        /// Name of the plan with line and column.
        place: String,
        /// What is wrong and what is allowed.
        message: String,
    },
    /// The plan's scene is wrong as it stands.
    #[error("{0}")]
    Scene(Box<Problems>),
    /// The folder holds another sweep.
    #[error(
        "{folder:?} holds another sweep: its {what} has the hash {theirs}, this one's is {ours}; choose another folder, or remove that one"
    )]
    OtherSweep {
        /// The folder.
        folder: PathBuf,
        /// What differs: scene, plan or program.
        what: &'static str,
        /// What the folder's manifest says.
        theirs: String,
        /// What this sweep has.
        ours: String,
    },
    /// The folder was made by another version of the program, whose numbers may be others.
    #[error("{folder:?} was made by {theirs}, this is {ours}: go on with the same version, or choose another folder")]
    OtherVersion {
        /// The folder.
        folder: PathBuf,
        /// Version that made it.
        theirs: String,
        /// This version.
        ours: String,
    },
    /// The folder is no sweep's.
    #[error("{folder:?} {reason}")]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// Why not: completes the sentence.
        reason: String,
    },
    /// Another process is at work in the folder.
    #[error("{folder:?} is in use: another sweep is writing into it")]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// A file could not be written.
    #[error("{path:?} could not be written: {source}{}", consolation(.source))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file could not be read.
    #[error("{path:?} could not be read: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl SweepError {
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { path: path.to_owned(), source }
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.to_owned(), source }
    }

    /// Whether the user asked for what cannot be, rather than something having failed.
    pub fn is_mistake(&self) -> bool {
        !matches!(self, Self::Write { .. } | Self::InUse { .. })
    }
}

/// What a person with a full disk wants to know.
fn consolation(source: &io::Error) -> &'static str {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    match source.kind() {
        StorageFull | QuotaExceeded | FileTooLarge => {
            "; the parts written so far are whole: make room and run the same sweep again to go on"
        }
        _ => "",
    }
}
