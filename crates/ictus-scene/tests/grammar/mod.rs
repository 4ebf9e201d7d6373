//! Random scenes by the grammar: every table and key of the registry, with values in and out of their ranges, names that are there
//! and names that are not. The same seed gives the same text.

use std::sync::Arc;

use ictus_scene::registry::{self, Family, Field, Kind, TableInfo, contact, played, whole};
use ictus_scene::{Files, Missing, Passage, Source};

/// Random numbers (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0, included, to 1, excluded.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From 0 to below a number above 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// The files that random scenes name, all of them by the same word: a sound that is as long as there is room for, and a small scene.
#[derive(Debug)]
pub struct Shelf;

impl Files for Shelf {
    fn sound(&self, _: &str, passage: Passage) -> Result<Vec<f64>, Missing> {
        let count = passage.length.map_or(1000, |length| (length * passage.rate) as usize);
        if count > passage.most {
            return Err(Missing::TooLong);
        }
        Ok((0..count).map(|n| (n % 97) as f64 / 97.0).collect())
    }

    fn scene(&self, _: &str) -> Result<Source, String> {
        Ok(Source::new("used.toml", include_str!("../scenes/hammer.toml")).with_files(Arc::new(Self)))
    }
}

/// A text of a scene, with its files.
pub fn source(name: &str, text: &str) -> Source {
    Source::new(name, text).with_files(Arc::new(Shelf))
}

/// A scene, most of it in order.
pub fn scene(dice: &mut Dice) -> String {
    let tame = dice.chance(0.7);
    let mut writer = Writer { dice, tame, law: "", text: String::new(), objects: Vec::new(), names: Vec::new() };
    writer.whole();
    writer.text
}

struct Writer<'a> {
    dice: &'a mut Dice,
    /// Whether it keeps to what must be there, so that a good part of the scenes can be played.
    tame: bool,
    /// The law whose keys are written.
    law: &'static str,
    text: String,
    /// Names and kinds of objects.
    objects: Vec<(String, &'static str)>,
    /// Names of everything else.
    names: Vec<String>,
}

impl Writer<'_> {
    fn whole(&mut self) {
        self.text += "ictus = 1\ntitle = \"Random\"\n";
        if self.dice.chance(0.3) {
            self.text += &format!("rate = {}\n", self.dice.of(&[8000, 24_000, 96_000, 768_000]));
        }
        if self.dice.chance(0.2) {
            let tempo = self.number(0.1, 1e4);
            self.text += &format!("tempo = {tempo}\n");
        }
        if self.dice.chance(0.1) {
            let used = self.inline(whole::used(), 1);
            self.text += &format!("use = [{used}]\n");
        }
        if self.dice.chance(0.6) {
            self.text += "[limits]\n";
            self.fields(whole::limits(), 0.7, &[]);
        }
        if self.dice.chance(0.2) {
            self.text += "[output]\n";
            self.fields(whole::output(), 0.4, &[]);
        }
        for number in 0..1 + self.dice.below(5) {
            let kind = self.dice.of(registry::objects());
            let name = format!("o{number}");
            self.text += &format!("[objects.{name}]\n");
            self.fields(&kind.table, 0.25, &[]);
            self.objects.push((name, kind.name));
        }
        if self.dice.chance(0.4) {
            self.set();
        }
        self.things(Family::Exciters, "e", 3);
        self.things(Family::Contacts, "c", 3);
        self.things(Family::Forces, "f", 2);
        self.things(Family::Pickups, "p", 3);
        let ear = self.point();
        self.text += &format!("[pickups.ear]\nat = {ear}\n");
        if self.dice.chance(0.2) {
            self.text += "[showers.s0]\n";
            self.fields(played::shower(), 0.2, &[]);
        }
        if self.tame {
            return;
        }
        if self.dice.chance(0.2) {
            self.text += "[controls.k]\n";
            self.fields(played::control(), 0.4, &[]);
        }
        if self.dice.chance(0.2) {
            self.text += "[notes]\n";
            self.fields(played::notes(), 0.3, &[]);
        }
        for _ in 0..self.dice.below(3) {
            let verb = self.dice.of(played::VERB_KEYS);
            self.text += "[[events]]\n";
            self.fields(played::event(), 0.05, &["time", verb]);
        }
    }

    fn table(&mut self, family: Family) -> TableInfo {
        match family {
            Family::Exciters => {
                let kind = self.dice.of(registry::exciters());
                if kind.by_law.is_empty() {
                    return kind.table.clone();
                }
                let (law, table) = self.dice.of(&kind.by_law);
                self.law = law;
                table.clone()
            }
            Family::Contacts => {
                let (law, table) = self.dice.of(contact::contacts());
                self.law = law;
                table.clone()
            }
            Family::Forces => contact::force().clone(),
            _ => contact::pickup().clone(),
        }
    }

    fn things(&mut self, family: Family, letter: &str, most: usize) {
        let most = if self.tame && family == Family::Exciters { 1 } else { most };
        for number in 0..self.dice.below(most + 1) {
            let name = format!("{letter}{number}");
            self.text += &format!("[{}.{name}]\n", family.key());
            let table = self.table(family);
            self.fields(&table, 0.2, &[]);
            self.names.push(name);
        }
    }

    /// A set; now and then one that multiplies whatever it holds by all notes there are.
    fn set(&mut self) {
        let notes = self.dice.of(&["C4..E4", "C2..C6 white", "C-1..G9", "C4..D4"]);
        let kind = self.dice.of(registry::objects());
        self.text += &format!("[sets.s]\nnotes = \"{notes}\"\n[sets.s.object]\n");
        self.fields(&kind.table, 0.2, &[]);
        self.objects.push(("each".to_owned(), kind.name));
        for family in [Family::Exciters, Family::Contacts, Family::Pickups] {
            let most = if self.dice.chance(0.05) { 90 } else { 3 };
            for number in 0..self.dice.below(most) {
                self.text += &format!("[sets.s.{}.x{number}{}]\n", family.key(), family.key());
                let table = self.table(family);
                self.fields(&table, 0.2, &[]);
            }
        }
        self.objects.pop();
        if !self.tame {
            // A group, where one object is wanted.
            self.objects.push(("s".to_owned(), kind.name));
        }
    }

    /// Some keys of a table: those that must be there, those named, and others by chance.
    fn fields(&mut self, table: &TableInfo, chance: f64, also: &[&str]) {
        let excluded: Vec<&str> = table.exclusive.iter().flat_map(|keys| keys.iter().skip(1).copied()).collect();
        let mut needed: Vec<&str> =
            table.needs_one_of.iter().map(|keys| if self.tame { keys[0] } else { *self.dice.of(keys) }).collect();
        needed.extend(also);
        let chance = if self.tame { 0.15 * chance } else { chance };
        let is_modal = table.fields.iter().any(|field| field.key == "preset");
        for Field { key, kind, required, .. } in &table.fields {
            // The law in force needs its keys, and modal objects their modes.
            let of_law = self.tame
                && ["stiffness", "law", "exponent", "half_width", "normal_force", "preset", "linear_stiffness"]
                    .contains(&&**key)
                || self.tame && is_modal && ["mass", "pitch"].contains(&&**key);
            let wanted = *required || needed.contains(&&**key) || of_law;
            let allowed = !excluded.contains(&&**key) || self.dice.chance(0.1);
            // A name of its own would only make it hard to refer to.
            let by_chance = *key != "name" && allowed && self.dice.chance(chance);
            if (wanted || by_chance) && !self.dice.chance(0.002) {
                let in_beats = *key == "time" && self.dice.chance(0.3);
                let value = if in_beats { format!("\"{} beats\"", self.dice.below(9)) } else { self.value(kind, 0) };
                self.text += &format!("{key} = {value}\n");
            }
        }
    }

    fn value(&mut self, kind: &Kind, depth: usize) -> String {
        if self.dice.chance(0.003) {
            return (*self.dice.of(&["-1", "1e308", "nan", "\"\"", "[]", "{}", "true", "0"])).to_owned();
        }
        match kind {
            Kind::Quantity(_, bounds) if self.dice.chance(0.03) => self.range(bounds.least, bounds.most),
            Kind::Quantity(_, bounds) => self.number(bounds.least, bounds.most),
            Kind::Value => self.number(0.0, f64::INFINITY),
            Kind::Whole(least, most) => match self.dice.below(3) {
                0 => least.to_string(),
                1 => most.to_string(),
                _ => (least + (self.dice.unit() * (most - least).min(10_000) as f64) as i64).to_string(),
            },
            Kind::Truth => self.dice.chance(0.5).to_string(),
            Kind::Text => "\"words\"".to_owned(),
            Kind::Choice(words) => format!("\"{}\"", self.dice.of(words)),
            Kind::Constant(word) => format!("\"{word}\""),
            Kind::Material => format!("\"{}\"", self.dice.of(&["steel", "spruce", "nylon", "glass"])),
            Kind::Law => {
                let laws: Vec<&str> = ictus::laws::Law::ALL.iter().map(|law| law.name).collect();
                let by_chance = *self.dice.of(&laws);
                format!("\"{}\"", if self.tame && !self.law.is_empty() { self.law } else { by_chance })
            }
            Kind::Name(what) => {
                let objects = || self.objects.iter().map(|(name, _)| name.clone()).collect();
                let names: Vec<String> = if *what == "objects" { objects() } else { self.names.clone() };
                let name = if names.is_empty() { "e0".to_owned() } else { self.dice.of(&names).clone() };
                format!("\"{name}\"")
            }
            Kind::Point => self.point(),
            Kind::Path => {
                let keys = ["gain", "force", "stiffness", "mass", "at", "decay"];
                let names = self.names.clone();
                let name = if names.is_empty() { "p0".to_owned() } else { self.dice.of(&names).clone() };
                format!("\"{name}.{}\"", self.dice.of(&keys))
            }
            Kind::Note => format!("\"{}\"", self.dice.of(&["C4", "A2", "F#7", "G9"])),
            Kind::NoteRange => format!("\"{}\"", self.dice.of(&["C4..E4", "C-1..G9"])),
            Kind::Columns(kinds) => {
                let all: Vec<String> = kinds.iter().map(|kind| self.value(kind, depth + 1)).collect();
                format!("[{}]", all.join(", "))
            }
            Kind::List(kind) => {
                let most = if depth == 0 && self.dice.chance(0.05) { 20_000 } else { 4 };
                let count = 1 + self.dice.below(most);
                let all: Vec<String> = (0..count).map(|_| self.value(kind, depth + 1)).collect();
                format!("[{}]", all.join(", "))
            }
            Kind::Either(kinds) => {
                let kind = self.dice.of(kinds).clone();
                self.value(&kind, depth)
            }
            Kind::Table(table) if depth < 3 => self.inline(table(), depth),
            Kind::Table(_) | Kind::Named(_) => "{}".to_owned(),
            Kind::Template => "{ kind = \"mass\", mass = 1 }".to_owned(),
        }
    }

    fn inline(&mut self, table: &TableInfo, depth: usize) -> String {
        let needed: Vec<&str> = table.needs_one_of.iter().map(|keys| *self.dice.of(keys)).collect();
        let mut all = Vec::new();
        for Field { key, kind, required, .. } in &table.fields {
            if *required || needed.contains(&&**key) || self.dice.chance(0.4) {
                all.push(format!("{key} = {}", self.value(kind, depth + 1)));
            }
        }
        format!("{{ {} }}", all.join(", "))
    }

    /// Somewhere on an object that is there, mostly.
    fn point(&mut self) -> String {
        let (name, kind) = match self.objects.is_empty() {
            true => ("o0".to_owned(), "mass"),
            false => {
                let objects = self.objects.clone();
                self.dice.of(&objects).clone()
            }
        };
        let (x, y) = (self.dice.unit(), self.dice.unit());
        match kind {
            "string" | "bar" | "tube" if self.dice.chance(0.05) => format!("\"{name}@{x:.3} ± 0.05\""),
            "string" | "bar" | "tube" => format!("\"{name}@{x:.3}\""),
            "modal" if self.dice.chance(0.5) => format!("\"{name}#{}\"", 1 + self.dice.below(2)),
            "membrane" | "plate" => format!("\"{name}@{x:.3},{y:.3}\""),
            _ => format!("\"{name}\""),
        }
    }

    /// A range or a spread, from which chance takes a number.
    fn range(&mut self, least: f64, most: f64) -> String {
        let (one, other) = (self.number(least, most), self.number(least, most));
        match self.dice.below(4) {
            0 => format!("{{ between = [{one}, {other}], scale = \"log\" }}"),
            1 => format!("{{ between = [{one}, {other}] }}"),
            2 => format!("{{ around = {one}, spread = \"10 %\" }}"),
            _ => format!("\"{one} ± 10 %\""),
        }
    }

    /// Mostly of the size of things one can hold, now and then at an end of the range.
    fn number(&mut self, least: f64, most: f64) -> String {
        let (low, high) = (least.max(-1e6), most.min(1e9));
        let value = match self.dice.below(12) {
            0 if self.tame => low + 1e-3 * (high - low).min(1.0),
            0 => low,
            1 => high,
            2 => low + (high - low) * self.dice.unit(),
            _ => 10f64.powf(-3.0 + 5.0 * self.dice.unit()).clamp(low, high.max(low)),
        };
        if value.is_finite() { format!("{value:?}") } else { "1.0".to_owned() }
    }
}
