//! Where scenes come from: a file, or the gallery that is part of the program.

use std::path::Path;

use ictus::names::nearest;
use ictus_scene::{LoadError, Source};

/// Names and texts of the gallery's scenes, in order of their names.
pub const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// A scene's text, and what files made from it are called.
#[derive(Clone, Debug)]
pub struct Found {
    /// Name of the file without its ending, or of the gallery's scene.
    pub name: String,
    /// The text.
    pub source: Source,
}

/// Why there is no scene.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// Neither a file nor a scene of the gallery has this name.
    #[error("{name:?} is neither a file nor a scene of the gallery{}", .suggestion.as_ref().map_or(String::new(), |meant| format!("; did you mean {meant:?}?")))]
    Unknown {
        /// The name as typed.
        name: String,
        /// What was probably meant.
        suggestion: Option<String>,
    },
    /// There is a file, but it cannot be read; or there is none, and it is a path.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// The argument that means standard input.
pub const STANDARD_INPUT: &str = "-";

/// The scene that is meant by an argument: standard input for `-`, a file if there is one, otherwise the gallery's scene of that name.
///
/// # Errors
/// There is neither, or the file cannot be read.
pub fn find(argument: &Path) -> Result<Found, FindError> {
    if argument == Path::new(STANDARD_INPUT) {
        let source = Source::from_reader("standard input", &mut std::io::stdin().lock())?;
        #[cfg(feature = "files")]
        let source = source.with_files(std::sync::Arc::new(crate::Folder::here()));
        return Ok(Found { name: "scene".to_owned(), source });
    }
    if !argument.exists() || argument.is_dir() {
        let name = argument.to_string_lossy();
        if let Some((name, text)) = GALLERY.iter().find(|(known, _)| *known == name) {
            return Ok(Found { name: (*name).to_owned(), source: Source::new(format!("{name}.toml"), *text) });
        }
        // A link that leads nowhere is there, and reading it says what is wrong.
        if is_plain_name(argument) && argument.symlink_metadata().is_err() {
            let suggestion = nearest(&name, GALLERY.iter().map(|(known, _)| *known)).map(str::to_owned);
            return Err(FindError::Unknown { name: name.into_owned(), suggestion });
        }
    }
    let source = Source::load(argument)?;
    #[cfg(feature = "files")]
    let source = source.with_files(std::sync::Arc::new(crate::Folder::of(argument)));
    let name = argument.file_stem().map_or_else(|| "scene".into(), |stem| stem.to_string_lossy().into_owned());
    Ok(Found { name, source })
}

/// Whether an argument could be the name of a scene: it is no path, and has no ending.
fn is_plain_name(argument: &Path) -> bool {
    argument.components().count() == 1 && argument.extension().is_none() && argument != ".."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_gallery_are_sorted_and_plain() {
        assert!(GALLERY.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(GALLERY.iter().all(|(name, _)| is_plain_name(Path::new(name))));
    }

    #[test]
    fn a_strange_name_is_neither_file_nor_scene_and_a_path_is_a_missing_file() {
        assert!(matches!(find(Path::new("no-such-scene")), Err(FindError::Unknown { .. })));
        for path in ["no/such/scene", "no-such-scene.toml", "/", "."] {
            assert!(matches!(find(Path::new(path)), Err(FindError::Load(_))), "{path}");
        }
    }
}
