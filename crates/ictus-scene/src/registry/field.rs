//! One key of a table: what may stand there.

use std::borrow::Cow;

use crate::units::{FREQUENCY, Measure, NUMBER, TIME, show};

/// One key of a table.
#[derive(Clone, Debug)]
pub struct Field {
    /// The key.
    pub key: Cow<'static, str>,
    /// What may stand there.
    pub kind: Kind,
    /// What holds if nothing stands there, as it would be written; empty if that is nothing.
    pub default: Cow<'static, str>,
    /// Whether something must stand there.
    pub required: bool,
    /// What it means and does, in a sentence.
    pub doc: Cow<'static, str>,
}

impl Field {
    /// A key that may be left out.
    pub fn new(key: impl Into<Cow<'static, str>>, kind: Kind) -> Self {
        Self { key: key.into(), kind, default: "".into(), required: false, doc: "".into() }
    }

    /// A quantity.
    pub fn quantity(key: impl Into<Cow<'static, str>>, measure: Measure, bounds: Bounds) -> Self {
        Self::new(key, Kind::Quantity(measure, bounds))
    }

    /// What a thing is called in reports and on the page, where that is not the name of its table.
    pub fn name() -> Self {
        Self::new("name", Kind::Text)
            .default("that of its table")
            .doc("What reports and the page call it. Any text; in sets it cannot be given.")
    }

    /// One of some words.
    pub fn choice(key: &'static str, words: &'static [&'static str]) -> Self {
        Self::new(key, Kind::Choice(words))
    }

    /// What it means.
    #[must_use]
    pub fn doc(mut self, doc: impl Into<Cow<'static, str>>) -> Self {
        self.doc = doc.into();
        self
    }

    /// What holds if it is left out.
    #[must_use]
    pub fn default(mut self, default: impl Into<Cow<'static, str>>) -> Self {
        self.default = default.into();
        self
    }

    /// It cannot be left out.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

/// A table of a scene.
#[derive(Clone, Debug, Default)]
pub struct TableInfo {
    /// What it describes, with its article: "a string".
    pub title: Cow<'static, str>,
    /// What that is, in a sentence or two.
    pub doc: Cow<'static, str>,
    /// Its keys.
    pub fields: Vec<Field>,
    /// Keys of which only one may stand.
    pub exclusive: Vec<&'static [&'static str]>,
    /// Keys of which one must stand.
    pub needs_one_of: Vec<&'static [&'static str]>,
}

impl TableInfo {
    /// A table of some keys.
    pub fn new(title: impl Into<Cow<'static, str>>, doc: impl Into<Cow<'static, str>>, fields: Vec<Field>) -> Self {
        Self { title: title.into(), doc: doc.into(), fields, exclusive: vec![], needs_one_of: vec![] }
    }

    /// Of these keys only one may stand.
    #[must_use]
    pub fn exclusive(mut self, keys: &'static [&'static str]) -> Self {
        self.exclusive.push(keys);
        self
    }

    /// Of these keys one must stand, and only one.
    #[must_use]
    pub fn exactly_one(mut self, keys: &'static [&'static str]) -> Self {
        self.needs_one_of.push(keys);
        self.exclusive(keys)
    }

    /// The field of a key.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }
}

/// What may stand at a key.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A number, or a text with a unit. In sets also `{ low, high }` and `{ values }`.
    Quantity(Measure, Bounds),
    /// A whole number from the first to the second.
    Whole(i64, i64),
    /// `true` or `false`.
    Truth,
    /// Words for people.
    Text,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Exactly this word.
    Constant(&'static str),
    /// A material by name.
    Material,
    /// A law by name.
    Law,
    /// The name of something: what, in the plural.
    Name(&'static str),
    /// A point of an object.
    Point,
    /// The path of a live parameter.
    Path,
    /// A quantity in the unit of what the table is about.
    Value,
    /// A note by name.
    Note,
    /// A list of notes, or a range of them.
    NoteRange,
    /// A list of exactly these.
    Columns(Vec<Kind>),
    /// Any number of a kind.
    List(Box<Kind>),
    /// One of several kinds.
    Either(Vec<Kind>),
    /// A table.
    Table(fn() -> &'static TableInfo),
    /// Tables by names that the scene chooses.
    Named(Family),
    /// A template that is read once for every note of a set.
    Template,
}

/// The tables whose names a scene chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Things that move.
    Objects,
    /// What acts between them.
    Contacts,
    /// Tools that play them.
    Exciters,
    /// Forces from outside.
    Forces,
    /// What is heard.
    Pickups,
    /// Templates over notes.
    Sets,
    /// Streams of impacts.
    Showers,
    /// Knobs.
    Controls,
}

impl Family {
    /// Its key in a scene.
    pub fn key(self) -> &'static str {
        match self {
            Self::Objects => "objects",
            Self::Contacts => "contacts",
            Self::Exciters => "exciters",
            Self::Forces => "forces",
            Self::Pickups => "pickups",
            Self::Sets => "sets",
            Self::Showers => "showers",
            Self::Controls => "controls",
        }
    }
}

impl Kind {
    /// One or several of a kind.
    pub fn one_or_more(kind: Kind) -> Self {
        Self::Either(vec![kind.clone(), Self::List(Box::new(kind))])
    }

    /// Two of a quantity.
    pub fn pair(measure: Measure, bounds: Bounds) -> Self {
        Self::two(Self::Quantity(measure, bounds))
    }

    /// Two of a kind.
    pub fn two(kind: Kind) -> Self {
        Self::Columns(vec![kind.clone(), kind])
    }

    /// A decay: one time, or times at some frequencies.
    pub fn t60() -> Self {
        let at = Self::Columns(vec![Self::Quantity(FREQUENCY, above(0.0)), Self::Quantity(TIME, above(0.0))]);
        Self::Either(vec![Self::Quantity(TIME, above(0.0)), Self::List(Box::new(at))])
    }

    /// What may stand there, in words with an example.
    pub fn describe(&self) -> String {
        match self {
            Self::Quantity(measure, _) if measure.name == FREQUENCY.name => {
                format!("{}, such as \"{}\" or \"A2\"", measure.name, measure.example)
            }
            Self::Quantity(measure, _) => match measure.example.parse::<f64>() {
                Ok(_) => format!("{}, such as {}", measure.name, measure.example),
                Err(_) => format!("{}, such as \"{}\"", measure.name, measure.example),
            },
            Self::Whole(least, most) if *most >= i64::from(u32::MAX) => format!("a whole number, {least} or more"),
            Self::Whole(least, most) if least == most => format!("the number {least}"),
            Self::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Self::Truth => "true or false".into(),
            Self::Text => "a text".into(),
            Self::Choice(words) => format!("one of {}", quoted(words)),
            Self::Constant(word) => format!("\"{word}\""),
            Self::Material => "a material, such as \"steel\"".into(),
            Self::Law => "a contact law, such as \"hunt-crossley\"".into(),
            Self::Name(what) => format!("the name of one of the {what}"),
            Self::Point => "a point, such as \"string@0.12\", \"plate@0.3,0.4\" or \"mass\"".into(),
            Self::Path => "the path of a live parameter, such as \"bow.force\"".into(),
            Self::Value => "a number, or a quantity in the unit of what is set".into(),
            Self::Note => "a note, such as \"C4\"".into(),
            Self::NoteRange => "a list of notes or a range, such as \"C4..C5 major\"".into(),
            Self::Columns(kinds) => {
                let mut each: Vec<String> = kinds.iter().map(Kind::describe).collect();
                let count = each.len();
                each.dedup();
                match &each[..] {
                    [one] => format!("a list of {count}, each {one}"),
                    _ => format!("a list of {count}: {}", each.join(" and ")),
                }
            }
            Self::List(kind) if matches!(**kind, Kind::Table(_)) => "a list of tables".into(),
            Self::List(kind) => format!("a list, each {}", kind.describe()),
            Self::Either(kinds) => kinds.iter().map(Kind::describe).collect::<Vec<_>>().join("; or "),
            Self::Table(info) => {
                let keys: Vec<&str> = info().fields.iter().map(|field| &*field.key).collect();
                format!("a table {{ {} }}", keys.join(", "))
            }
            Self::Named(family) => format!("tables [{}.NAME]", family.key()),
            Self::Template => "a table that describes one object of the set".into(),
        }
    }
}

/// Words in quotation marks, with commas.
pub fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

/// The values a quantity may take, in SI. Every range holds finite numbers only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least value.
    pub least: f64,
    /// Whether the least value itself is refused.
    pub above: bool,
    /// Greatest value.
    pub most: f64,
    /// Whether the greatest value itself is refused.
    pub below: bool,
}

/// Any finite number.
pub const ANY: Bounds = Bounds { least: f64::NEG_INFINITY, above: false, most: f64::INFINITY, below: false };

/// More than this.
pub const fn above(least: f64) -> Bounds {
    Bounds { least, above: true, ..ANY }
}

/// This or more.
pub const fn at_least(least: f64) -> Bounds {
    Bounds { least, ..ANY }
}

/// From one to the other, both included.
pub const fn between(least: f64, most: f64) -> Bounds {
    Bounds { least, most, ..ANY }
}

/// More than one, up to the other.
pub const fn above_to(least: f64, most: f64) -> Bounds {
    Bounds { least, above: true, most, below: false }
}

impl Bounds {
    /// Whether a value is accepted.
    pub fn contains(&self, value: f64) -> bool {
        let high_enough = if self.above { value > self.least } else { value >= self.least };
        let low_enough = if self.below { value < self.most } else { value <= self.most };
        value.is_finite() && high_enough && low_enough
    }

    /// The range in words, in a unit; empty if every number is accepted.
    pub fn describe(&self, measure: &Measure) -> String {
        let write = |value| show(value, measure);
        match (self.least.is_finite(), self.most.is_finite()) {
            (false, false) => String::new(),
            (true, false) if self.above => format!("above {}", write(self.least)),
            (true, false) => format!("{} or more", write(self.least)),
            (false, true) if self.below => format!("below {}", write(self.most)),
            (false, true) => format!("at most {}", write(self.most)),
            (true, true) => {
                let least = show(self.least, &NUMBER);
                let from = if self.above { format!("above {least}, ") } else { format!("from {least} ") };
                let to = match (self.above, self.below) {
                    (false, false) => "to ",
                    (true, false) => "at most ",
                    (false, true) => "to below ",
                    (true, true) => "below ",
                };
                format!("{from}{to}{}", write(self.most))
            }
        }
    }
}
