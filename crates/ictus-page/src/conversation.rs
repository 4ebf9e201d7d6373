//! How a conversation with a page begins, goes on and ends: what is taken for a message, and why it may be the last.

use crate::protocol::{MOST_BYTES, MOST_WITH_TEXT, RATES, Reply, Request, Session, VERSION, parse};

/// Why a conversation with a page ends: a code of the protocol and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// One of the codes of [`Reply::Error`].
    pub code: &'static str,
    /// In words.
    pub message: String,
}

impl End {
    /// An end by its code and its sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The page has sent more at once than is read.
    pub fn oversized() -> Self {
        let message = format!("a message has at most {MOST_BYTES} bytes, {MOST_WITH_TEXT} with the text of a scene");
        Self::new("oversized", message)
    }

    /// What the page is told.
    pub fn told(self) -> Reply {
        Reply::Error { code: self.code, message: self.message }
    }
}

/// The rate and the scene that the first message asks for.
///
/// # Errors
/// It is no hello, of another version, or of a rate that is not played.
pub fn greeted(first: Request) -> Result<(f64, Option<Wanted>), End> {
    let Request::Session(Session::Hello { version, rate, scene, text }) = first else {
        return Err(End::new("hello", "the first message must be a hello"));
    };
    if version != VERSION {
        return Err(End::new(
            "version",
            format!("this server speaks version {VERSION} of the protocol, not {version}"),
        ));
    }
    if !RATES.contains(&rate) {
        return Err(End::new(
            "hello",
            format!("a rate of {rate} Hz is not supported: it must be from {} to {} Hz", RATES.start(), RATES.end()),
        ));
    }
    Ok((rate, scene.map(|scene| Wanted { scene, text })))
}

/// A scene that a page asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name.
    pub scene: String,
    /// Its text, if it is the page's own and not that of the list.
    pub text: Option<String>,
}

/// Reads a message of a page.
///
/// # Errors
/// How the conversation ends: it is too long, or no message.
pub fn heard(text: &str) -> Result<Request, End> {
    if text.len() > MOST_WITH_TEXT {
        return Err(End::oversized());
    }
    let request = parse(text);
    let brings_text = matches!(
        request,
        Ok(Request::Session(Session::Hello { text: Some(_), .. } | Session::Choose { text: Some(_), .. }))
    );
    if text.len() > MOST_BYTES && !brings_text {
        return Err(End::oversized());
    }
    request.map_err(|error| End::new("malformed", error))
}

/// Whether keys can be tuned so far from equal temperament, in cents.
///
/// # Errors
/// In words, when there are neither 128 nor none, or one is farther than the keyboard is long.
pub fn check_tuning(cents: &[f64]) -> Result<(), String> {
    if !matches!(cents.len(), 0 | 128) {
        return Err(format!("a tuning has 128 keys, not {}", cents.len()));
    }
    match cents.iter().position(|cents| cents.is_nan() || cents.abs() > 12_800.0) {
        Some(key) => Err(format!("key {key} is {} cents from equal temperament, must be at most 12800", cents[key])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_message_with_the_text_of_a_scene_may_be_long() {
        let long = "x".repeat(MOST_BYTES);
        let code = |message: String| heard(&message).map_err(|end| end.code);
        assert_eq!(code(format!(r#"{{"type":"choose","scene":"{long}"}}"#)), Err("oversized"));
        assert_eq!(code(long.clone() + "x"), Err("oversized"));
        let choose = Session::Choose { scene: "mine".into(), text: Some(long.clone()) };
        assert_eq!(
            code(format!(r#"{{"type":"choose","scene":"mine","text":"{long}"}}"#)),
            Ok(Request::Session(choose))
        );
        let longest = "x".repeat(MOST_WITH_TEXT);
        assert_eq!(code(format!(r#"{{"type":"choose","scene":"mine","text":"{longest}"}}"#)), Err("oversized"));
    }
}
