//! Where scenes come from, as the command line tells it.

use std::path::{Path, PathBuf};

use ictus_render::gallery::FindError;
pub use ictus_render::gallery::{Found, GALLERY};
use ictus_scene::{Scene, Source};

use crate::error::Error;

/// The scene that is meant by an argument: a file if there is one, otherwise the gallery's scene of that name.
pub fn find(argument: &Path) -> Result<Found, Error> {
    ictus_render::gallery::find(argument).map_err(|error| match error {
        FindError::Unknown { name, suggestion } => Error::UnknownScene { name, suggestion },
        other => Error::Input(other.to_string()),
    })
}

/// The sound files that a scene was read from, as seen from here.
pub fn sounds(source: &Source, scene: &Scene) -> Vec<PathBuf> {
    scene.sounds().map(|sound| Path::new(&source.name).with_file_name(sound)).collect()
}
