//! What a page asks besides playing: the text of a scene, what is wrong with a text, and to keep one. docs/protocol.md describes it for people.
//!
//! A question needs no conversation and changes nothing that plays: whoever has a [`Library`] answers it, where and when it likes.

use ictus_scene::Source;
use serde::{Deserialize, Serialize};

use crate::building::build;
use crate::impact::{Impact, Results};
use crate::protocol::{MOST_TEXT, Problem, RATES};

/// A question of a page.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// What is the text of a scene of the list?
    Read {
        /// Its name.
        scene: String,
    },
    /// What is wrong with a text?
    Check {
        /// The text.
        text: String,
        /// Sample rate in Hz that it would be played at.
        rate: f64,
    },
    /// What do the schemes make of an impact?
    Impact(Box<Impact>),
    /// Will you keep this text as the scene's?
    Save {
        /// The scene's name.
        scene: String,
        /// The text.
        text: String,
        /// Version of the text that this one was made from.
        version: String,
    },
}

/// The answer to a question.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Answer {
    /// The text of a scene.
    Text(Held),
    /// What is wrong with a text.
    Checked {
        /// All of it, in the order of the text.
        problems: Vec<Problem>,
    },
    /// What the schemes make of an impact.
    Impact(Box<Results>),
    /// The text is kept.
    Saved {
        /// Its version.
        version: String,
    },
    /// The text is not kept: the scene has changed since. This is its text now.
    Conflict(Held),
    /// The question cannot be answered.
    Refused {
        /// Why, in words.
        message: String,
    },
}

impl Answer {
    /// As it is sent.
    pub fn text(&self) -> String {
        // An answer is plain data with text keys, so it can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The text of a scene.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Held {
    /// The text.
    pub text: String,
    /// What names this state of it: another text has another version.
    pub version: String,
    /// Whether it can be saved.
    pub writable: bool,
}

impl Held {
    /// A text, and whether it can be saved.
    pub fn new(text: impl Into<String>, writable: bool) -> Self {
        let text = text.into();
        Self { version: version(&text), text, writable }
    }
}

/// Where scenes are.
pub trait Library {
    /// The text of a scene.
    ///
    /// # Errors
    /// In words, when there is none.
    fn held(&self, scene: &str) -> Result<Held, String>;

    /// Keeps a text as a scene's own. It was made sure that its state is the one that the text was made from.
    ///
    /// # Errors
    /// In words, when it cannot be kept.
    fn keep(&self, scene: &str, text: &str) -> Result<(), String>;
}

/// Answers a question in JSON.
pub fn answer(question: &str, library: &impl Library) -> Answer {
    let refused = |message: String| Answer::Refused { message };
    match serde_json::from_str(question) {
        Ok(question) => answered(question, library).unwrap_or_else(refused),
        Err(error) => refused(format!("this is no question: {error}")),
    }
}

fn answered(question: Question, library: &impl Library) -> Result<Answer, String> {
    match question {
        Question::Read { scene } => {
            let held = library.held(&scene)?;
            within_size(&held.text)?;
            Ok(Answer::Text(held))
        }
        Question::Check { text, rate } => {
            within_size(&text)?;
            if !RATES.contains(&rate) {
                return Err(format!("a rate of {rate} Hz is not supported"));
            }
            let outcome = build("scene", &Source::new("scene.toml", text), rate);
            Ok(Answer::Checked { problems: outcome.err().unwrap_or_default() })
        }
        Question::Impact(impact) => Ok(Answer::Impact(Box::new(impact.results()?))),
        Question::Save { scene, text, version } => {
            within_size(&text)?;
            let held = library.held(&scene)?;
            if !held.writable {
                return Err(format!("{scene:?} is not a file that was opened to be written"));
            }
            if held.version != version {
                return Ok(Answer::Conflict(held));
            }
            library.keep(&scene, &text)?;
            Ok(Answer::Saved { version: self::version(&text) })
        }
    }
}

fn within_size(text: &str) -> Result<(), String> {
    if text.len() <= MOST_TEXT {
        return Ok(());
    }
    let (has, most) = (text.len().div_ceil(1 << 10), MOST_TEXT >> 10);
    Err(format!("the text has {has} kB; a page edits at most {most} kB"))
}

/// A name for a text (FNV-1a over its bytes).
fn version(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    const SCENE: &str = include_str!("../../../scenes/hammered-string.toml");

    /// One scene called `mine`.
    struct One(RefCell<String>);

    impl Library for One {
        fn held(&self, scene: &str) -> Result<Held, String> {
            if scene == "mine" { Ok(Held::new(self.0.borrow().clone(), true)) } else { Err("there is none".into()) }
        }

        fn keep(&self, _scene: &str, text: &str) -> Result<(), String> {
            text.clone_into(&mut self.0.borrow_mut());
            Ok(())
        }
    }

    fn asked(library: &One, question: &serde_json::Value) -> Answer {
        answer(&question.to_string(), library)
    }

    #[test]
    fn a_text_is_read_changed_and_kept_unless_another_hand_was_quicker() {
        let library = One(RefCell::new("first".into()));
        let Answer::Text(held) = asked(&library, &serde_json::json!({"type": "read", "scene": "mine"})) else {
            panic!("a text");
        };
        assert_eq!((held.text.as_str(), held.writable), ("first", true));
        let save = |version: &str, text: &str| {
            asked(&library, &serde_json::json!({"type": "save", "scene": "mine", "text": text, "version": version}))
        };
        let Answer::Saved { version } = save(&held.version, "second") else { panic!("is saved") };
        assert!(matches!(save(&held.version, "third"), Answer::Conflict(held) if held == Held::new("second", true)));
        assert_eq!(*library.0.borrow(), "second");
        assert!(matches!(save(&version, "third"), Answer::Saved { .. }));
        assert_eq!(*library.0.borrow(), "third");
    }

    #[test]
    fn all_errors_of_a_text_are_told_with_their_places() {
        let library = One(RefCell::default());
        let text = SCENE.replace("kind = \"string\"", "kind = \"strang\"").replace("[output]", "[outputt]");
        let checked = |text: &str| asked(&library, &serde_json::json!({"type": "check", "text": text, "rate": 48_000}));
        let Answer::Checked { problems } = checked(&text) else { panic!("is checked") };
        assert!(problems.len() >= 2, "{problems:?}");
        for problem in &problems {
            assert!(problem.line > 0 && problem.column > 0 && problem.length > 0, "{problem:?}");
        }
        assert!(matches!(checked(SCENE), Answer::Checked { problems } if problems.is_empty()));
    }

    #[test]
    fn what_cannot_be_answered_is_said_in_a_sentence() {
        let library = One(RefCell::default());
        let long = "#".repeat(MOST_TEXT + 1);
        for (question, expected) in [
            (serde_json::json!({"type": "read", "scene": "yours"}), "there is none"),
            (serde_json::json!({"type": "check", "text": long, "rate": 48_000}), "at most 256 kB"),
            (serde_json::json!({"type": "check", "text": "", "rate": 1}), "1 Hz is not supported"),
            (serde_json::json!({"type": "save", "scene": "mine", "text": long, "version": ""}), "at most 256 kB"),
            (serde_json::json!({"type": "erase", "scene": "mine"}), "this is no question"),
        ] {
            let Answer::Refused { message } = asked(&library, &question) else { panic!("{question} is refused") };
            assert!(message.contains(expected), "{message}");
        }
    }
}
