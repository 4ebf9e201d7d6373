//! What page and engine say to each other in JSON. docs/protocol.md describes it for people; frames.rs has the binary half.

use ictus::contact::Rule;
use serde::{Deserialize, Serialize};

use crate::description::Description;

pub use crate::conversation::{End, Wanted, check_tuning, greeted, heard};

/// Version of the protocol. A client of another version is told so and let go.
pub const VERSION: u32 = 2;

/// Most bytes of a message from a page that brings no text of a scene.
pub const MOST_BYTES: usize = 16 << 10;

/// Most bytes of a scene's text that a page brings along.
pub const MOST_TEXT: usize = 256 << 10;

/// Most bytes of a message with such a text, written in JSON.
pub const MOST_WITH_TEXT: usize = 2 * MOST_TEXT;

/// Sample rates in Hz that are played.
pub const RATES: std::ops::RangeInclusive<f64> = 8_000.0..=192_000.0;

/// A message from the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Something about the connection.
    Session(Session),
    /// Something is played.
    Play(Gesture),
}

/// What a page says about the connection.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Session {
    /// The first message of a connection.
    Hello {
        /// Version the page speaks.
        version: u32,
        /// Sample rate in Hz of its audio context.
        rate: f64,
        /// The scene to start with; the server's choice without it.
        #[serde(default)]
        scene: Option<String>,
        /// Its text, instead of that of the list.
        #[serde(default)]
        text: Option<String>,
    },
    /// Audio is wanted up to this frame, counted from the start of the connection. This is what paces the engine.
    Want {
        /// First frame that is not wanted yet.
        frame: u64,
    },
    /// Asks to mark the audio that is made after this message, to measure how long that takes to be heard.
    Ping {
        /// The mark.
        id: u32,
    },
    /// Asks for another scene: one of the list, or one that the page has written.
    Choose {
        /// Its name.
        scene: String,
        /// Its text, instead of that of the list.
        #[serde(default)]
        text: Option<String>,
    },
    /// Tunes the keys of every scene from here on; the one that is played is built anew.
    Tune {
        /// How far each of the 128 keys is from equal temperament, in cents; empty for what the scenes say.
        cents: Vec<f64>,
    },
}

/// What can be done to an instrument.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Gesture {
    /// A hammer is thrown at a place.
    Strike {
        /// The object.
        object: usize,
        /// The place: fractions of the sides, or the number of a point.
        at: Vec<f64>,
        /// Velocity in m/s.
        velocity: f64,
    },
    /// A bow is drawn over a place. Sent again, it changes velocity and force.
    Bow {
        /// The object.
        object: usize,
        /// The place.
        at: Vec<f64>,
        /// Velocity in m/s, of either sign.
        velocity: f64,
        /// Normal force in N.
        force: f64,
    },
    /// A place is held and pulled to a height, until it is released.
    Pull {
        /// The object.
        object: usize,
        /// The place.
        at: Vec<f64>,
        /// Height in m.
        height: f64,
    },
    /// A place is pulled to a height and let go: a pluck.
    Pluck {
        /// The object.
        object: usize,
        /// The place.
        at: Vec<f64>,
        /// Height in m.
        height: f64,
    },
    /// A finger rests on a place, until it is released.
    Damp {
        /// The object.
        object: usize,
        /// The place.
        at: Vec<f64>,
    },
    /// A hand lets go of an object.
    Release {
        /// The object.
        object: usize,
        /// Which hand.
        hand: Hand,
    },
    /// A key goes down.
    NoteOn {
        /// Key as in MIDI.
        key: u8,
        /// From 0 to 1.
        velocity: f64,
    },
    /// A key comes up.
    NoteOff {
        /// Key as in MIDI.
        key: u8,
    },
    /// The pedal.
    Sustain {
        /// Whether it is down.
        on: bool,
    },
    /// The pitch wheel.
    Bend {
        /// From -1 to 1.
        amount: f64,
    },
    /// The string of one key that sounds is bent.
    BendNote {
        /// Key as in MIDI.
        key: u8,
        /// Semitones from where the key has it.
        semitones: f64,
    },
    /// A named control is turned for one key that sounds.
    Express {
        /// Key as in MIDI.
        key: u8,
        /// The control's place in the list.
        control: usize,
        /// Its value.
        value: f64,
    },
    /// A named control is turned.
    Turn {
        /// Its place in the list.
        control: usize,
        /// Its value.
        value: f64,
    },
    /// A parameter is set.
    Set {
        /// Which, by its path or its number in the instrument's table.
        parameter: ParameterName,
        /// The value, in its unit.
        value: f64,
    },
    /// Contacts are computed by another rule.
    Rule {
        /// Places of the contacts in the list.
        contacts: Vec<usize>,
        /// Name of the rule.
        rule: Rule,
    },
    /// The energy account is kept, or not.
    Account {
        /// Whether it is.
        keep: bool,
    },
    /// The scene's own score is played from its beginning, or stopped.
    Score {
        /// Whether it plays.
        play: bool,
    },
    /// Everything goes back to rest. What was turned stays turned.
    Reset {},
}

/// The hands of a player.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Hand {
    /// The one that bows.
    Bow,
    /// The one that pulls.
    Pull,
    /// The one that damps.
    Damp,
}

/// A parameter of the instrument's table.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum ParameterName {
    /// By its number, from 0.
    Number(usize),
    /// By its path, as on the command line: `felt.stiffness`.
    Path(String),
}

/// A message to the page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Reply {
    /// The answer to a hello.
    Welcome {
        /// Version the server speaks.
        version: u32,
        /// Version of the program.
        program: &'static str,
        /// The scenes that can be chosen.
        scenes: Vec<SceneEntry>,
    },
    /// What is played from here on.
    Instrument(Box<Description>),
    /// A scene could not be read or built. What was played before goes on.
    Problems {
        /// Name of the scene.
        scene: String,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
    /// Something asked for could not be done; the connection stays.
    Refused {
        /// Why.
        message: String,
    },
    /// The connection ends.
    Error {
        /// One of `malformed`, `oversized`, `too-many`, `too-fast`, `version`, `hello`, `stalled`, `stopping`.
        code: &'static str,
        /// In words.
        message: String,
    },
}

impl Reply {
    /// As it is sent.
    pub fn text(&self) -> String {
        // A reply is plain data with text keys, so it can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A line of the list of scenes.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct SceneEntry {
    /// What it is asked for by.
    pub name: String,
    /// What it is called.
    pub title: String,
}

/// One thing wrong with a scene.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Problem {
    /// In words.
    pub message: String,
    /// How to put it right; may be empty.
    pub help: String,
    /// Line from 1; 0 if it has no place in the file.
    pub line: usize,
    /// Column from 1; 0 if it has no place in the file.
    pub column: usize,
    /// Length in characters.
    pub length: usize,
}

impl Problem {
    /// One that has no place in a file.
    pub fn plain(message: String) -> Self {
        Self { message, help: String::new(), line: 0, column: 0, length: 0 }
    }
}

/// Reads a message. The error says what is wrong in words.
pub fn parse(text: &str) -> Result<Request, String> {
    #[derive(Deserialize)]
    struct Kind {
        r#type: String,
    }
    let said = |error: serde_json::Error| error.to_string();
    let kind: Kind = serde_json::from_str(text).map_err(said)?;
    if matches!(kind.r#type.as_str(), "hello" | "want" | "ping" | "choose" | "tune") {
        serde_json::from_str(text).map(Request::Session).map_err(said)
    } else {
        serde_json::from_str(text).map(Request::Play).map_err(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_of_the_page_is_read() {
        let strike = r#"{"type":"strike","object":0,"at":[0.1],"velocity":1.5}"#;
        let expected = Gesture::Strike { object: 0, at: vec![0.1], velocity: 1.5 };
        assert_eq!(parse(strike), Ok(Request::Play(expected)));
        let set = r#"{"type":"set","parameter":"felt.stiffness","value":1e8}"#;
        let expected = Gesture::Set { parameter: ParameterName::Path("felt.stiffness".into()), value: 1e8 };
        assert_eq!(parse(set), Ok(Request::Play(expected)));
        let numbered = Gesture::Set { parameter: ParameterName::Number(3), value: 2.0 };
        assert_eq!(parse(r#"{"type":"set","parameter":3,"value":2}"#), Ok(Request::Play(numbered)));
        assert_eq!(parse(r#"{"type":"want","frame":256}"#), Ok(Request::Session(Session::Want { frame: 256 })));
        assert_eq!(parse(r#"{"type":"reset"}"#), Ok(Request::Play(Gesture::Reset {})));
    }

    #[test]
    fn what_is_not_a_message_is_refused() {
        let bad = [
            "",
            "{}",
            "[]",
            "null",
            "\u{0}",
            r#"{"type":"format-disk"}"#,
            r#"{"type":"want","frame":-1}"#,
            r#"{"type":"want","frame":1,"extra":2}"#,
            r#"{"type":"strike","object":0,"at":[1e999],"velocity":1}"#,
            r#"{"type":"note-on","key":300,"velocity":1}"#,
        ];
        for text in bad {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
