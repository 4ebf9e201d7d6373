//! Note names and their frequencies: `C4` is middle C, `A4` the tuning note, equal temperament.
//!
//! `f = tuning · 2^((key - 69 + cents/100)/12)`. Letters A to G, any number of sharps (`#`, `♯`) or flats (`b`, `♭`), the octave
//! (-1 to 9), and a deviation in cents: `A4+12c`.

/// A note: a key of the keyboard, and how far off it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Name as it was written, with `#` and `b` for the signs.
    pub name: String,
    /// Key as in MIDI, 0 to 127: 60 is C4, 69 is A4.
    pub key: u8,
    /// Deviation in cents.
    pub cents: f64,
}

impl Note {
    /// Frequency in Hz, A4 being the tuning in Hz.
    pub fn frequency(&self, tuning: f64) -> f64 {
        tuning * libm::exp2((f64::from(self.key) - 69.0 + self.cents / 100.0) / 12.0)
    }

    /// The key of a number, named with sharps.
    pub fn of_key(key: u8) -> Self {
        Self { name: key_name(key), key: key.min(127), cents: 0.0 }
    }
}

/// Keys of the keyboard.
const KEYS: usize = 128;

/// How far each key is from equal temperament in cents: of twelve keys from C on, repeated in every octave, or of all 128; `None` for
/// another number of them.
pub(crate) fn deviations(cents: &[f64]) -> Option<Vec<f64>> {
    match cents.len() {
        12 => Some((0..KEYS).map(|key| cents[key % 12]).collect()),
        KEYS => Some(cents.to_vec()),
        _ => None,
    }
}

/// Deviation of a key in cents, of those of [`deviations`] or of none.
pub(crate) fn deviation(cents: &[f64], key: u8) -> f64 {
    cents.get(usize::from(key)).copied().unwrap_or(0.0)
}

/// How far apart two keys are in semitones, each with its deviation.
pub(crate) fn interval(cents: &[f64], low: u8, high: u8) -> f64 {
    f64::from(high) - f64::from(low) + (deviation(cents, high) - deviation(cents, low)) / 100.0
}

const NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];

/// The name of a key as in MIDI, with sharps.
pub fn key_name(key: u8) -> String {
    format!("{}{}", NAMES[usize::from(key % 12)], i32::from(key / 12) - 1)
}

/// The key nearest to a frequency in Hz, if the keyboard has one.
pub fn nearest_key(frequency: f64, tuning: f64) -> Option<u8> {
    let key = (69.0 + 12.0 * libm::log2(frequency / tuning)).round();
    (0.0..=127.0).contains(&key).then_some(key as u8)
}

/// Reads a note name; `None` if it is none, or not on the keyboard.
pub fn parse(text: &str) -> Option<Note> {
    let text = text.trim().replace('♯', "#").replace('♭', "b");
    let mut letters = text.chars();
    let step = match letters.next()?.to_ascii_uppercase() {
        'C' => 0,
        'D' => 2,
        'E' => 4,
        'F' => 5,
        'G' => 7,
        'A' => 9,
        'B' => 11,
        _ => return None,
    };
    let rest = letters.as_str();
    let after_signs = rest.trim_start_matches(['#', 'b']);
    let signs = &rest[..rest.len() - after_signs.len()];
    if signs.len() > 3 {
        return None;
    }
    let alteration: i32 = signs.chars().map(|sign| if sign == '#' { 1 } else { -1 }).sum();
    let end = after_signs.char_indices().find(|(at, c)| !(c.is_ascii_digit() || (*at == 0 && *c == '-')));
    let (octave, deviation) = after_signs.split_at(end.map_or(after_signs.len(), |(at, _)| at));
    let octave: i32 = octave.parse().ok().filter(|octave| (-1..=9).contains(octave))?;
    let key = u8::try_from(12 * (octave + 1) + step + alteration).ok().filter(|key| *key <= 127)?;
    let cents = match deviation.trim() {
        "" => 0.0,
        deviation => {
            let number = deviation.trim_end_matches("cents").trim_end_matches('c').trim_end();
            let signed = number.starts_with(['+', '-']) && number.len() < deviation.len();
            number.parse().ok().filter(|cents: &f64| signed && cents.abs() <= 1200.0)?
        }
    };
    Some(Note { name: text, key, cents })
}

/// Names of the steps elsewhere, in small letters, longest first where one begins another.
const ELSEWHERE: &[(&str, &str)] = &[
    ("do", "C"),
    ("ut", "C"),
    ("ré", "D"),
    ("re", "D"),
    ("mi", "E"),
    ("fa", "F"),
    ("sol", "G"),
    ("so", "G"),
    ("la", "A"),
    ("si", "B"),
    ("ti", "B"),
    ("h", "B"),
];

/// Words for the signs elsewhere.
const SIGNS: &[(&str, &str)] = &[
    ("sharp", "#"),
    ("flat", "b"),
    ("dièse", "#"),
    ("diese", "#"),
    ("diesis", "#"),
    ("bémol", "b"),
    ("bemol", "b"),
    ("bemolle", "b"),
];

/// The note that a text which is none was probably meant as: `A 2`, `La3`, `H4`, `C sharp 4`.
pub(crate) fn meant(text: &str) -> Option<String> {
    let mut text = text.trim().to_lowercase();
    if text.len() > 24 || parse(&text).is_some() {
        return None;
    }
    for (word, sign) in SIGNS {
        text = text.replace(word, sign);
    }
    let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    let stepped = ELSEWHERE.iter().find_map(|(name, step)| text.strip_prefix(name).map(|rest| format!("{step}{rest}")));
    stepped.into_iter().chain([text]).find_map(|text| parse(&text)).map(|note| {
        let mut letters = note.name.chars();
        letters.next().map(|letter| letter.to_ascii_uppercase()).into_iter().chain(letters).collect()
    })
}

/// What helps someone whose text is no note.
pub(crate) fn advice(text: &str) -> String {
    match meant(text) {
        Some(note) => format!("did you mean \"{note}\"?"),
        None => {
            "notes are C, C# or Db to B with the octave, from \"C-1\" to \"G9\": \"A4\" is the tuning note".to_owned()
        }
    }
}

/// Whether a text that is no note was meant as one: a letter of the scale, signs, and a number or nothing; or what [`meant`] knows.
pub(crate) fn looks_like_one(text: &str) -> bool {
    let text = text.trim();
    let Some(letter) = text.chars().next().filter(|letter| letter.is_ascii_alphabetic()) else { return false };
    let rest = text[letter.len_utf8()..].trim_start_matches(['#', 'b', '♯', '♭', '-', '+']);
    let is_number = rest.chars().all(|c| c.is_ascii_digit()) || rest.chars().next().is_some_and(|c| c.is_ascii_digit());
    is_number || meant(text).is_some()
}

/// Steps of the scales a range of notes can be limited to, by their names; `white` are the white keys whatever the first note is.
pub const SCALES: &[(&str, &[u8])] = &[
    ("chromatic", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    ("major", &[0, 2, 4, 5, 7, 9, 11]),
    ("minor", &[0, 2, 3, 5, 7, 8, 10]),
    ("pentatonic", &[0, 2, 4, 7, 9]),
    ("whole-tone", &[0, 2, 4, 6, 8, 10]),
    ("white", &[0, 2, 4, 5, 7, 9, 11]),
];

/// Why a text is no range of notes.
#[derive(Clone, Debug, PartialEq)]
pub enum RangeError {
    /// It has no `..`.
    NoRange,
    /// One of its ends is no note.
    NoNote(String),
    /// Its scale is not known.
    NoScale(String),
    /// It goes down.
    Downwards,
}

/// Reads a range of notes: `C4..C5`, `C4..C6 major`.
pub fn parse_range(text: &str) -> Result<Vec<Note>, RangeError> {
    let (first, rest) = text.split_once("..").ok_or(RangeError::NoRange)?;
    let rest = rest.trim();
    let (last, scale) = rest.split_once(char::is_whitespace).unwrap_or((rest, "chromatic"));
    let note = |text: &str| parse(text).ok_or_else(|| RangeError::NoNote(text.trim().to_owned()));
    let (first, last) = (note(first)?.key, note(last)?.key);
    let scale = scale.trim();
    let (name, steps) =
        SCALES.iter().find(|(name, _)| *name == scale).ok_or_else(|| RangeError::NoScale(scale.to_owned()))?;
    if first > last {
        return Err(RangeError::Downwards);
    }
    let root = if *name == "white" { 0 } else { first };
    Ok((first..=last).filter(|key| steps.contains(&((key - root) % 12))).map(Note::of_key).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_have_the_keys_and_frequencies_of_the_keyboard() {
        for (name, key) in
            [("C4", 60), ("A4", 69), ("a4", 69), ("C#4", 61), ("Db4", 61), ("B♭3", 58), ("C-1", 0), ("G9", 127)]
        {
            assert_eq!(parse(name).unwrap().key, key, "{name}");
        }
        assert_eq!(parse("A4").unwrap().frequency(440.0), 440.0);
        assert!((parse("C4").unwrap().frequency(440.0) - 261.625_565_300_6).abs() < 1e-9);
        assert!(
            (parse("A4+100c").unwrap().frequency(440.0) / parse("A#4").unwrap().frequency(440.0) - 1.0).abs() < 1e-15
        );
        assert!((parse("A4-12c").unwrap().cents + 12.0).abs() < 1e-15);
    }

    #[test]
    fn what_is_no_note_is_refused() {
        for text in ["", "H4", "A", "A10", "A4 Hz", "A4+c", "A4+12", "A####4", "G#9", "Cb-1", "440", "é4"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_was_meant_as_a_note_is_told() {
        let pairs = [
            ("A 2", "A2"),
            ("La3", "A3"),
            ("la 3", "A3"),
            ("Sol#4", "G#4"),
            ("Ré4", "D4"),
            ("H4", "B4"),
            ("c sharp 4", "C#4"),
            ("Si bémol 2", "Bb2"),
        ];
        for (text, note) in pairs {
            assert_eq!(meant(text).as_deref(), Some(note), "{text}");
            assert!(looks_like_one(text) && advice(text).contains(note), "{text}");
        }
        for text in ["A4", "", "X4", "hammer", "La", "do it", "a string", "é4", "H99"] {
            assert_eq!(meant(text), None, "{text}");
        }
        assert!(advice("X4").contains("C-1"));
    }

    #[test]
    fn every_key_has_a_name_that_reads_back() {
        for key in 0..=127 {
            assert_eq!(parse(&key_name(key)).unwrap(), Note::of_key(key));
            assert_eq!(nearest_key(Note::of_key(key).frequency(442.0), 442.0), Some(key));
        }
    }

    #[test]
    fn ranges_follow_their_scale() {
        let keys = |text| parse_range(text).unwrap().iter().map(|note| note.key).collect::<Vec<_>>();
        assert_eq!(keys("C4..E4"), [60, 61, 62, 63, 64]);
        assert_eq!(keys("D4..D5 major"), [62, 64, 66, 67, 69, 71, 73, 74]);
        assert_eq!(keys("D4..G4 white"), [62, 64, 65, 67]);
        assert_eq!(parse_range("C5..C4"), Err(RangeError::Downwards));
        assert_eq!(parse_range("C4..C5 bluse"), Err(RangeError::NoScale("bluse".into())));
    }
}
