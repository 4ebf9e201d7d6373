//! The files that a scene names, in the folder of the scene.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ictus_recording::{Part, Recording, RecordingError, resampled};
use ictus_scene::{Files, LoadError, Missing, Passage, Source};

use crate::gallery::STANDARD_INPUT;

/// Samples of all channels that are read for each that is wanted: files of two channels at four times the rate.
const MOST_FOR_EACH: usize = 8;

/// A folder with files that scenes name. `-` is standard input, read once for all that want it.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// What came from standard input, once it has been asked for; nothing where the scene itself comes from there.
    input: Option<Mutex<Option<Arc<[u8]>>>>,
    /// Whether names that lead elsewhere are refused, and what is no file.
    is_confined: bool,
}

impl Folder {
    /// The folder that a scene's file is in.
    pub fn of(scene: &Path) -> Self {
        let path = scene.parent().unwrap_or(Path::new("")).to_owned();
        Self { path, input: Some(Mutex::default()), is_confined: false }
    }

    /// The same for scenes that others may write, as those of a server: only files in the folder and below it, and nothing that does not end.
    pub fn only_below(scene: &Path) -> Self {
        Self { input: None, is_confined: true, ..Self::of(scene) }
    }

    /// The folder that the program was started in, for a scene that comes from standard input.
    pub fn here() -> Self {
        Self { path: PathBuf::new(), input: None, is_confined: false }
    }

    /// The path of a name, or why it cannot be read.
    fn find(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.path.join(name);
        let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if self.is_confined && !is_below {
            return Err("lies outside the folder of the scene".to_owned());
        }
        if self.is_confined && path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir()) {
            return Err("is no file".to_owned());
        }
        Ok(path)
    }

    fn recording(&self, name: &str, part: Part) -> Result<Recording, RecordingError> {
        if name != STANDARD_INPUT {
            return Recording::read(&self.find(name).map_err(RecordingError::Unreadable)?, part);
        }
        let taken = || RecordingError::Unreadable("standard input is not there for it: it holds the scene".to_owned());
        let mut input = self.input.as_ref().ok_or_else(taken)?.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = match &*input {
            Some(bytes) => bytes.clone(),
            None => input.insert(Recording::bytes_of(&mut std::io::stdin().lock(), part)?.into()).clone(),
        };
        Recording::from_bytes(bytes.to_vec(), part)
    }
}

impl Files for Folder {
    fn sound(&self, name: &str, passage: Passage) -> Result<Vec<f64>, Missing> {
        let Passage { start, length, rate, most } = passage;
        let because = |reason: String| Err(Missing::Because(reason));
        if rate.fract() != 0.0 {
            return because(format!("cannot be brought to {rate} Hz: sounds need a rate of whole Hz"));
        }
        // A little more than there is room for, to know whether it is longer.
        let room = (most as f64 + 1.0) / rate;
        let part = Part {
            from: start,
            to: Some(start + length.map_or(room, |length| length.min(room))),
            most: most.saturating_mul(MOST_FOR_EACH),
        };
        let recording = match self.recording(name, part) {
            Ok(recording) => recording,
            Err(RecordingError::TooLong { .. }) => return Err(Missing::TooLong),
            Err(error) => return because(error.to_string()),
        };
        if recording.duration() * rate > most as f64 {
            return Err(Missing::TooLong);
        }
        resampled(&recording.mono(), recording.rate, rate as u32).or_else(|error| because(error.to_string()))
    }

    fn scene(&self, name: &str) -> Result<Source, String> {
        let path = self.find(name)?;
        let source = Source::load(&path).map_err(|error| match error {
            LoadError::NoSuchFile { .. } => "does not exist".to_owned(),
            LoadError::Directory { .. } => "is a folder, not a scene".to_owned(),
            LoadError::Unreadable { error, .. } => format!("cannot be read: {error}"),
            LoadError::NotUtf8 { line, .. } => format!("is no text: line {line} is not UTF-8"),
            other => format!("cannot be read: {other}"),
        })?;
        let folder = if self.is_confined { Self::only_below(&path) } else { Self::of(&path) };
        Ok(source.with_files(Arc::new(folder)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_others_write_into_is_not_left() {
        let folder = Folder::only_below(Path::new("scenes/mine.toml"));
        for name in ["../knock.wav", "/etc/passwd", "a/../../b.wav", "./../x.wav"] {
            assert_eq!(folder.find(name), Err("lies outside the folder of the scene".to_owned()), "{name}");
        }
        assert_eq!(folder.find("a/knock.wav"), Ok(PathBuf::from("scenes/a/knock.wav")));
        assert_eq!(Folder::of(Path::new("mine.toml")).find("../knock.wav"), Ok(PathBuf::from("../knock.wav")));
    }
}
