//! A MIDI file in place of a scene's events: refused where nothing of it could be heard.

use std::path::Path;

use ictus_scene::Scene;
use ictus_scene::midi::{self, Midi};
use ictus_scene::notes::key_name;
use ictus_scene::scene::NoteMap;

use crate::error::Error;

/// Time in s that goes on after the last event.
const AFTER_END: f64 = 3.0;

/// What of a MIDI file an instrument can play.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// How many notes the file has.
    pub notes: usize,
    /// How many of them have no key in the instrument.
    pub without_key: usize,
    /// The keys of the instrument, for people to read.
    keys: String,
    /// What the user should know about the file.
    pub warnings: Vec<String>,
}

impl Piece {
    /// Puts the events of a MIDI file in place of the scene's. A duration in s that was asked for wins over the file's.
    pub fn put_into(scene: &mut Scene, path: &Path, duration: Option<f64>) -> Result<Self, Error> {
        let failed = |reason: String| Error::Input(format!("--midi {path:?} cannot be played: {reason}"));
        if path.is_dir() {
            return Err(failed("it is a directory".to_owned()));
        }
        let midi = midi::load(path).map_err(|error| failed(error.to_string()))?;
        let warned = |warning| format!("--midi {path:?}: {warning}");
        let silent = (midi.notes() == 0 && scene.notes.is_some()).then(|| "it has no notes".to_owned());
        let warnings = midi.warnings().into_iter().chain(silent).map(warned).collect();
        let piece = Self { warnings, ..Self::of(&midi, scene).map_err(failed)? };
        scene.score = midi.events(scene);
        scene.duration = duration.unwrap_or(midi.duration(AFTER_END));
        Ok(piece)
    }

    /// What the scene can play of a file, or why it would be silent.
    fn of(midi: &Midi, scene: &Scene) -> Result<Self, String> {
        let notes = midi.notes();
        let Some(map) = &scene.notes else {
            let turned = scene.controls.iter().any(|control| control.midi.is_some());
            return match (notes, turned) {
                (0, true) => Ok(Self { notes, without_key: 0, keys: String::new(), warnings: Vec::new() }),
                (0, false) => Err("the scene has neither [notes] nor controls with `midi`".to_owned()),
                (notes, _) => Err(format!("it has {}, but the scene has no [notes] to play them", count(notes))),
            };
        };
        let piece = Self { notes, without_key: midi.notes_without_key(map), keys: keys(map), warnings: Vec::new() };
        if notes > 0 && piece.without_key == notes {
            return Err(format!("none of its {} has a key in this instrument (it has {})", count(notes), piece.keys));
        }
        Ok(piece)
    }

    /// What the user should know about notes that stay silent.
    pub fn silent_notes(&self) -> Option<String> {
        let Self { notes, without_key, keys, .. } = self;
        let verb = if *without_key == 1 { "has" } else { "have" };
        (*without_key > 0)
            .then(|| format!("{without_key} of {} {verb} no key in this instrument (it has {keys})", count(*notes)))
    }
}

fn count(notes: usize) -> String {
    if notes == 1 { "1 note".to_owned() } else { format!("{notes} notes") }
}

/// The keys of an instrument: from the lowest to the highest, and how many if there are gaps.
fn keys(map: &NoteMap) -> String {
    let keys: Vec<u8> = map.keys().collect();
    match keys.as_slice() {
        [] => "none".to_owned(),
        [only] => format!("only {}", key_name(*only)),
        [lowest, .., highest] if usize::from(highest - lowest) + 1 == keys.len() => {
            format!("{} to {}", key_name(*lowest), key_name(*highest))
        }
        [lowest, .., highest] => format!("{} keys from {} to {}", keys.len(), key_name(*lowest), key_name(*highest)),
    }
}

#[cfg(test)]
mod tests {
    use ictus_scene::ExciterId;
    use ictus_scene::scene::Voice;

    use super::*;

    #[test]
    fn the_keys_of_an_instrument_are_told_in_a_few_words() {
        let told = |ranges: &[[u8; 2]]| {
            let voice =
                |&keys: &[u8; 2]| Voice { keys, exciter: ExciterId::new(0), damper: None, string: None, stop: None };
            let voices = ranges.iter().map(voice).collect();
            keys(&NoteMap { voices, amounts: [0.0, 1.0], curve: 1.0, over: 0.0, bend_range: 2.0, cents: vec![] })
        };
        assert_eq!(told(&[[60, 60], [61, 61], [62, 62]]), "C4 to D4");
        assert_eq!(told(&[[62, 72], [60, 64]]), "C4 to C5");
        assert_eq!(told(&[[60, 60], [64, 64], [62, 62]]), "3 keys from C4 to E4");
        assert_eq!(told(&[[69, 69]]), "only A4");
    }
}
