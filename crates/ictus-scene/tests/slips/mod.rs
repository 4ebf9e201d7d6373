//! Slips of the pen, at random places of a text.

use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of a text that belong together: words, numbers, spaces, signs.
fn pieces(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '.' || c == '-' => 0,
        ' ' => 1,
        _ => 2,
    };
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match class(first) {
            2 => first.len_utf8(),
            kind => rest.find(|c| class(c) != kind).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(end);
        all.push(piece);
        rest = after;
    }
    all
}

/// What can go wrong in writing.
#[derive(Clone, Debug)]
pub enum Slip {
    Delete(prop::sample::Index),
    Double(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    Replace(prop::sample::Index, &'static str),
    Insert(prop::sample::Index, char),
}

const WORDS: &[&str] = &[
    "0",
    "-1",
    "1e308",
    "nan",
    "inf",
    "9223372036854775807",
    "true",
    "\"\"",
    "[]",
    "{}",
    "{ low = 1, high = 2 }",
    "\"1 kg\"",
    "\"C4\"",
    "\"each\"",
    "\"string@0.5\"",
    "string",
    "plate",
    "kind",
    "at",
    "1979-05-27",
    "0.5",
    "\"bars.mallet\"",
    "100000",
    "\n",
    "=",
    "\"",
];

/// A slip of the pen.
pub fn slip() -> impl Strategy<Value = Slip> {
    use prop::sample::Index;
    prop_oneof![
        any::<Index>().prop_map(Slip::Delete),
        any::<Index>().prop_map(Slip::Double),
        any::<[Index; 2]>().prop_map(|[a, b]| Slip::Swap(a, b)),
        (any::<Index>(), select(WORDS)).prop_map(|(at, word)| Slip::Replace(at, word)),
        (any::<Index>(), any::<char>()).prop_map(|(at, character)| Slip::Insert(at, character)),
    ]
}

/// A text with some slips.
pub fn slipped(text: &str, slips: &[Slip]) -> String {
    let mut pieces: Vec<String> = pieces(text).into_iter().map(str::to_owned).collect();
    for slip in slips {
        let count = pieces.len();
        if count == 0 {
            break;
        }
        match slip {
            Slip::Delete(at) => drop(pieces.remove(at.index(count))),
            Slip::Double(at) => pieces.insert(at.index(count), pieces[at.index(count)].clone()),
            Slip::Swap(a, b) => pieces.swap(a.index(count), b.index(count)),
            Slip::Replace(at, word) => pieces[at.index(count)] = (*word).to_owned(),
            Slip::Insert(at, character) => pieces.insert(at.index(count), character.to_string()),
        }
    }
    pieces.concat()
}
