//! Texts of strangers, fit to be shown: a scene must not move the cursor of the terminal that tells what is wrong with it, nor turn round the
//! order in which its message is read.

use std::borrow::Cow;

/// Most characters of a message that are shown.
const MOST_SHOWN: usize = 2000;

/// Whether a character does something to the terminal instead of being seen: controls, and marks that change the direction of reading.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A message with such characters spelled out, and no longer than anybody reads.
pub(crate) fn spelled(text: String) -> String {
    let is_long = text.len() > MOST_SHOWN && text.chars().nth(MOST_SHOWN).is_some();
    if !is_long && !text.chars().any(is_hidden) {
        return text;
    }
    let mut shown = String::new();
    for c in text.chars().take(MOST_SHOWN) {
        if is_hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    if is_long {
        shown.push('…');
    }
    shown
}

/// A text with something as long in place of such characters, so that every place in it stays what it is.
pub(crate) fn veiled(text: &str) -> Cow<'_, str> {
    let returns = |at: usize| text[at..].starts_with("\r\n");
    if !text.char_indices().any(|(at, c)| is_hidden(c) && !returns(at)) {
        return Cow::Borrowed(text);
    }
    let veil = |(at, c): (usize, char)| match c.len_utf8() {
        _ if !is_hidden(c) || returns(at) => c,
        1 => '?',
        2 => '·',
        _ => char::REPLACEMENT_CHARACTER,
    };
    Cow::Owned(text.char_indices().map(veil).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_spelled_out_or_veiled_and_all_else_stays() {
        let text = "é\t\u{1b}[2J\u{7}\u{85}\u{202e}\r\n\rx\u{7f}";
        assert_eq!(spelled(text.into()), "é\t\\u{1b}[2J\\u{7}\\u{85}\\u{202e}\\u{d}\n\\u{d}x\\u{7f}");
        assert_eq!(veiled(text), "é\t?[2J?·\u{fffd}\r\n?x?");
        assert_eq!(veiled(text).len(), text.len());
        assert!(matches!(veiled("é\r\nx"), Cow::Borrowed(_)));
        assert_eq!(spelled("é".repeat(MOST_SHOWN)).chars().count(), MOST_SHOWN);
        assert!(spelled("é".repeat(MOST_SHOWN + 1)).ends_with("é…"));
    }
}
