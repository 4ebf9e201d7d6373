//! Messages and questions of a page, made by chance: by the grammar of the protocol, and by mistakes in them.

use crate::dice::Dice;

/// What a page can talk about.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    pub scenes: Vec<String>,
    pub objects: usize,
    pub contacts: usize,
    pub controls: usize,
    pub parameters: Vec<String>,
    /// Texts of scenes.
    pub texts: Vec<String>,
}

/// Numbers as text: usual ones, the ends of every type, and what is hardly one.
const NUMBERS: [&str; 22] = [
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "-0.5",
    "1e-300",
    "5e-324",
    "1e300",
    "-1e300",
    "1e308",
    "1e309",
    "-1e999",
    "127",
    "128",
    "255",
    "256",
    "65536",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "1.7976931348623157e308",
];

/// Text that is put where it does not belong.
const STRAYS: [&str; 24] = [
    "null",
    "true",
    "NaN",
    "Infinity",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "\u{0}",
    "\u{feff}",
    "é",
    "🎻",
    "[]",
    "{}",
    "\"type\":",
    "\"strike\"",
    "1e999",
    " ",
];

impl Dice {
    fn number(&mut self) -> String {
        match self.below(3) {
            0 => (*self.one_of(&NUMBERS)).to_owned(),
            1 => format!("{}", self.fraction()),
            _ => format!("{:e}", self.value()),
        }
    }

    /// Mostly one that is there.
    fn index(&mut self, count: usize) -> String {
        if self.below(8) == 0 { self.number() } else { self.below(count + 1).to_string() }
    }

    fn at(&mut self) -> String {
        let count = *self.one_of(&[0, 1, 1, 2, 2, 2, 3, 40]);
        let numbers: Vec<String> = (0..count).map(|_| self.number()).collect();
        format!("[{}]", numbers.join(","))
    }

    /// How far a key is out of tune: mostly as far as in some temperament.
    fn cents(&mut self) -> String {
        if self.below(300) == 0 { self.number() } else { format!("{:.3}", 100.0 * self.fraction() - 50.0) }
    }

    fn flag(&mut self) -> &'static str {
        if self.below(2) == 0 { "true" } else { "false" }
    }
}

/// A message that the protocol knows, with any values.
pub fn by_grammar(dice: &mut Dice, words: &Vocabulary) -> String {
    let object = dice.index(words.objects);
    let fields = match dice.below(24) {
        0 => format!(r#""want","frame":{}"#, dice.number()),
        1 => format!(r#""ping","id":{}"#, dice.number()),
        2 if dice.below(4) == 0 => {
            let scene = r#"ictus = 1\ntitle = \"x\"\n[objects.m]\nkind = \"mass\""#;
            let text = *dice.one_of(&["", "ictus = 1", scene, r"[[\u0000"]);
            format!(r#""choose","scene":"{}","text":"{text}""#, dice.one_of(&words.scenes))
        }
        2 => format!(r#""choose","scene":"{}""#, dice.one_of(&words.scenes)),
        3 | 4 => format!(r#""strike","object":{object},"at":{},"velocity":{}"#, dice.at(), dice.number()),
        5 | 6 => format!(
            r#""bow","object":{object},"at":{},"velocity":{},"force":{}"#,
            dice.at(),
            dice.number(),
            dice.number()
        ),
        7 | 8 => format!(r#""pull","object":{object},"at":{},"height":{}"#, dice.at(), dice.number()),
        9 => format!(r#""damp","object":{object},"at":{}"#, dice.at()),
        10 => format!(r#""release","object":{object},"hand":"{}""#, dice.one_of(&["bow", "pull", "damp"])),
        11 => format!(r#""note-on","key":{},"velocity":{}"#, dice.index(127), dice.number()),
        12 => format!(r#""note-off","key":{}"#, dice.index(127)),
        13 => format!(r#""sustain","on":{}"#, dice.flag()),
        14 => format!(r#""bend","amount":{}"#, dice.number()),
        15 => format!(r#""turn","control":{},"value":{}"#, dice.index(words.controls), dice.number()),
        16 | 17 => {
            let parameter = match dice.below(3) {
                0 => dice.index(words.parameters.len()),
                _ => format!("\"{}\"", dice.one_of(&words.parameters)),
            };
            format!(r#""set","parameter":{parameter},"value":{}"#, dice.number())
        }
        18 => {
            let contacts: Vec<String> = (0..dice.below(40)).map(|_| dice.index(words.contacts)).collect();
            let rule = dice.one_of(&["basic", "release", "non-adhesive", "secant-plain", "secant"]);
            format!(r#""rule","contacts":[{}],"rule":"{rule}""#, contacts.join(","))
        }
        19 | 20 => format!(r#""pluck","object":{object},"at":{},"height":{}"#, dice.at(), dice.number()),
        21 => format!(r#""bend-note","key":{},"semitones":{}"#, dice.index(127), dice.number()),
        22 => {
            let (key, control) = (dice.index(127), dice.index(words.controls));
            format!(r#""express","key":{key},"control":{control},"value":{}"#, dice.number())
        }
        _ => match dice.below(30) {
            // Seldom: the scene is built anew.
            1 => {
                let count = *dice.one_of(&[0, 1, 127, 128, 128, 128, 129]);
                let cents: Vec<String> = (0..count).map(|_| dice.cents()).collect();
                format!(r#""tune","cents":[{}]"#, cents.join(","))
            }
            0 => r#""hello","version":2,"rate":48000"#.to_owned(),
            2..=10 => format!(r#""account","keep":{}"#, dice.flag()),
            11..=20 => format!(r#""score","play":{}"#, dice.flag()),
            _ => r#""reset""#.to_owned(),
        },
    };
    format!(r#"{{"type":{fields}}}"#)
}

/// A message with one to four mistakes.
pub fn mutated(dice: &mut Dice, message: &str) -> String {
    let mut text: Vec<char> = message.chars().collect();
    for _ in 0..=dice.below(4) {
        let place = dice.below(text.len() + 1);
        let end = place + dice.below(12).min(text.len() - place);
        match dice.below(7) {
            0 => drop(text.drain(place..end)),
            1 => drop(text.splice(place..place, dice.one_of(&STRAYS).chars())),
            2 => drop(text.splice(place..end, dice.one_of(&NUMBERS).chars())),
            3 => text.truncate(place),
            4 => {
                let piece = text[place..end].to_vec();
                let count = 1 + dice.below(40);
                let pieces: Vec<char> = piece.iter().copied().cycle().take(count * piece.len()).collect();
                drop(text.splice(place..place, pieces));
            }
            5 => {
                // Deep, or long.
                let filling = *dice.one_of(&['[', '{', '9', '"', 'x', '\\', ' ']);
                let count = *dice.one_of(&[10, 200, 5000, 20_000]);
                drop(text.splice(place..place, std::iter::repeat_n(filling, count)));
            }
            _ => {
                let other = dice.below(text.len() + 1);
                if place < text.len() && other < text.len() {
                    text.swap(place, other);
                }
            }
        }
    }
    text.into_iter().collect()
}

/// A text of a scene, as a JSON string: one of the list with a slip of the pen, or hardly one.
fn text(dice: &mut Dice, words: &Vocabulary) -> String {
    let text = match dice.below(3) {
        0 => (*dice.one_of(&["", "ictus = 1", "[[\0", "\u{feff}x = 1"])).to_owned(),
        _ => {
            let whole = dice.one_of(&words.texts).clone();
            if dice.below(2) == 0 { whole } else { mutated(dice, &whole) }
        }
    };
    serde_json::Value::from(text).to_string()
}

/// A question as pages ask it besides playing, with any values, now and then with mistakes.
pub fn question(dice: &mut Dice, words: &Vocabulary) -> String {
    let scene = dice.one_of(&words.scenes).clone();
    let fields = match dice.below(8) {
        0 => format!(r#""read","scene":"{scene}""#),
        1..=3 => {
            format!(r#""check","text":{},"rate":{}"#, text(dice, words), dice.one_of(&["48000", "8000", "1e999", "-1"]))
        }
        4 => format!(r#""save","scene":"{scene}","text":{},"version":"0123456789abcdef""#, text(dice, words)),
        _ => {
            let keys =
                ["mass", "stiffness", "exponent", "dissipation", "velocity", "rate", "gap", "gravity", "duration", "s"];
            let mut all = vec![r#""impact""#.to_owned()];
            for key in keys {
                if dice.below(4) == 0 {
                    all.push(format!(r#""{key}":"{}""#, dice.number()));
                }
            }
            if dice.below(2) == 0 {
                all.push(format!(r#""scheme":["{}"]"#, dice.one_of(&["all", "secant", "psi", "x", ""])));
            }
            all.join(",")
        }
    };
    let question = format!(r#"{{"type":{fields}}}"#);
    if dice.below(4) == 0 { mutated(dice, &question) } else { question }
}

/// A message of either kind.
pub fn any(dice: &mut Dice, words: &Vocabulary) -> String {
    let message = by_grammar(dice, words);
    if dice.below(3) == 0 { mutated(dice, &message) } else { message }
}

/// The list of messages and questions in docs/protocol.md, beside what is said here by chance.
#[test]
fn every_message_and_question_of_the_protocol_is_said() {
    let words = Vocabulary {
        scenes: vec!["a".into()],
        objects: 2,
        contacts: 2,
        controls: 2,
        parameters: vec!["a.b".into()],
        texts: vec!["ictus = 1".into()],
    };
    let mut dice = Dice::new(1);
    let kind = |text: &str| text.split('"').nth(3).unwrap_or_default().to_owned();
    let mut said: std::collections::BTreeSet<String> =
        (0..20_000).map(|_| kind(&by_grammar(&mut dice, &words))).collect();
    said.extend((0..1000).map(|_| kind(&question(&mut dice, &words))));
    let page = include_str!("../../../docs/protocol.md");
    let mut told = 0;
    for heading in ["## From the page\n", "## Questions\n"] {
        let (_, section) = page.split_once(heading).expect("the page has this section");
        let rows = section.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
        for name in rows.filter_map(|line| line.split('`').nth(1)) {
            assert!(said.contains(name), "{name} is never said in a storm");
            told += 1;
        }
    }
    assert!(told > 20, "{told}");
}
