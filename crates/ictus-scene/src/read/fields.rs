//! A table of the text, checked against its list of keys: unknown and missing keys, types, units, ranges, keys that exclude each other.

use std::cell::Cell;

use ictus::names::nearest;
use ictus::objects::{Material, material};

use super::check::check;
use super::context::Context;
use super::quantity::{Share, quantity, shortened};
use super::variation;
use crate::notes;
use crate::problem::{Found, Span, kin, suggestion};
use crate::registry::field::ANY;
use crate::registry::{Kind, TableInfo};
use crate::tree::{Key, Node, Table, Value};
use crate::units::{Measure, NUMBER};

/// Most unknown keys of one table that are told.
const MOST_UNKNOWN: usize = 20;

/// A table whose keys and values have been checked. What was wrong has been reported, and reads as if it were not there.
pub(crate) struct Fields<'a> {
    pub(crate) context: &'a Context,
    pub(crate) info: &'a TableInfo,
    pub(crate) table: &'a Table,
    /// Where its name was written.
    pub(crate) span: Span,
    pub(crate) share: Option<Share>,
    /// Frequency in Hz of the note of a set that this object is to have.
    pub(crate) note: Option<f64>,
    note_used: Cell<bool>,
    is_faulty: Cell<bool>,
}

impl<'a> Fields<'a> {
    pub(super) fn unchecked(
        context: &'a Context,
        info: &'a TableInfo,
        table: &'a Table,
        span: Span,
        share: Option<Share>,
    ) -> Self {
        let (note_used, is_faulty) = (Cell::new(false), Cell::new(false));
        Self { context, info, table, span, share, note: None, note_used, is_faulty }
    }

    /// A table, checked.
    pub(crate) fn new(
        context: &'a Context,
        info: &'a TableInfo,
        table: &'a Table,
        span: Span,
        share: Option<Share>,
    ) -> Self {
        let fields = Self::unchecked(context, info, table, span, share);
        fields.report_all([fields.check_unknown_keys(), fields.check()].concat());
        fields
    }

    /// A table of which only some keys are known, because what would tell the others could not be read: these are checked.
    pub(crate) fn of_known_keys(
        context: &'a Context,
        info: &'a TableInfo,
        table: &'a Table,
        span: Span,
        share: Option<Share>,
    ) -> Self {
        let fields = Self::unchecked(context, info, table, span, share);
        fields.report_all(fields.check());
        fields
    }

    fn report_all(&self, found: Vec<Found>) {
        if !found.is_empty() {
            self.is_faulty.set(true);
        }
        found.into_iter().for_each(|found| self.context.report(found));
    }

    /// Whether anything was wrong with its keys: what has been read is then not what was meant.
    pub(crate) fn is_faulty(&self) -> bool {
        self.is_faulty.get()
    }

    /// The same for a set's object, which has the pitch of a note in Hz.
    pub(crate) fn with_note(mut self, frequency: f64) -> Self {
        self.note = Some(frequency);
        self
    }

    pub(super) fn check(&self) -> Vec<Found> {
        let mut all = self.check_keys();
        for (key, node) in &self.table.entries {
            if let Some(field) = self.info.field(&key.name) {
                all.extend(check(self.context, &field.kind, &key.name, node, self.share));
            }
        }
        all
    }

    fn names(&self) -> impl Iterator<Item = &'a str> + Clone {
        self.info.fields.iter().map(|field| &*field.key)
    }

    /// Keys that the table does not have, the first of them.
    fn unknown_keys(&self) -> impl Iterator<Item = &'a Key> {
        let keys = self.table.entries.iter().map(|(key, _)| key);
        keys.filter(|key| self.info.field(&key.name).is_none()).take(MOST_UNKNOWN)
    }

    pub(super) fn check_unknown_keys(&self) -> Vec<Found> {
        let found = |key: &Key| {
            let message = format!("{} has no key `{}`", self.info.title, shortened(&key.name));
            let meant = kin(&key.name).find(|other| self.info.field(other).is_some());
            let suggested = || suggestion(&key.name, "its keys", self.names());
            Found::new(key.span, message).help(meant.map_or_else(suggested, |meant| format!("did you mean `{meant}`?")))
        };
        self.unknown_keys().map(found).collect()
    }

    /// Whether a key is missing, and no unknown key looks like a slip for it.
    pub(crate) fn lacks(&self, key: &str) -> bool {
        !self.has(key) && !self.unknown_keys().any(|unknown| nearest(&unknown.name, self.names()) == Some(key))
    }

    fn check_keys(&self) -> Vec<Found> {
        let Self { info, table, .. } = self;
        let mut all = Vec::new();
        for field in info.fields.iter().filter(|field| field.required && self.lacks(&field.key)) {
            let message = format!("{} needs `{}`", info.title, field.key);
            all.push(Found::new(self.span, message).help(format!(
                "add `{} = …`: {}",
                field.key,
                field.kind.describe()
            )));
        }
        for group in &info.exclusive {
            let keys = table.entries.iter().map(|(key, _)| key).filter(|key| group.contains(&&*key.name));
            let keys: Vec<_> = keys.collect();
            if let [first, second, ..] = keys[..] {
                let message = format!("`{}` and `{}` cannot both be given", first.name, second.name);
                all.push(Found::new(second.span, message).help(format!("keep one of {}", group.join(", "))));
            }
        }
        for group in &info.needs_one_of {
            if group.iter().all(|key| self.lacks(key)) {
                all.push(Found::new(self.span, format!("{} needs one of {}", info.title, group.join(", "))));
            }
        }
        all
    }

    /// The value of a key, as it was written.
    pub(crate) fn node(&self, key: &str) -> Option<&'a Node> {
        self.table.get(key)
    }

    /// Whether a key stands there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    /// Where a key's value was written; the table's name without one.
    pub(crate) fn span_of(&self, key: &str) -> Span {
        self.table.get(key).map_or(self.span, |node| node.span)
    }

    /// Reports a problem at a key.
    pub(crate) fn report(&self, key: &str, message: impl Into<String>, help: impl Into<String>) {
        self.report_all(vec![Found::new(self.span_of(key), message).help(help)]);
    }

    /// A quantity in SI.
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        let node = self.table.get(key)?;
        let (measure, bounds) = quantity_kind(&self.info.field(key)?.kind)?;
        quantity(self.context, node, key, measure, bounds, self.share).ok()
    }

    /// A quantity in SI, or what holds without one.
    pub(crate) fn number_or(&self, key: &str, default: f64) -> f64 {
        self.number(key).unwrap_or(default)
    }

    /// The frequency of a key in Hz, or of the set's note.
    pub(crate) fn pitch(&self, key: &str) -> Option<f64> {
        let Some(note) = self.note else { return self.number(key) };
        self.note_used.set(true);
        if self.has(key) {
            self.report(key, format!("`{key}` comes from the note of the set"), format!("leave `{key}` out"));
        }
        Some(note)
    }

    /// Says that this object is the same for every note of a set.
    pub(crate) fn keep_own_pitch(&self) {
        self.note_used.set(true);
    }

    /// The note of the set in Hz, if this is the object of one.
    pub(crate) fn note(&self) -> Option<f64> {
        self.note_used.set(true);
        self.note
    }

    /// Whether a set's note became the pitch of this object, if there is one.
    pub(crate) fn took_note(&self) -> bool {
        self.note.is_none() || self.note_used.get()
    }

    /// A quantity of a measure that the table itself does not know.
    pub(crate) fn value(&self, key: &str, measure: &Measure) -> Option<f64> {
        self.quantity_of(self.table.get(key)?, key, measure)
    }

    /// A node as a quantity of a measure; what is wrong is reported.
    pub(crate) fn quantity_of(&self, node: &Node, key: &str, measure: &Measure) -> Option<f64> {
        match quantity(self.context, node, key, measure, &ANY, self.share) {
            Ok(value) => Some(value),
            Err(found) => {
                self.report_all(vec![found]);
                None
            }
        }
    }

    /// How far keys are from equal temperament, if `cents` says so for 12 or 128 of them.
    pub(crate) fn cents(&self) -> Option<Vec<f64>> {
        let list = self.table.get("cents")?.list()?;
        let cents: Option<Vec<f64>> = list.iter().map(|node| self.quantity_of(node, "cents", &NUMBER)).collect();
        notes::deviations(&cents?)
    }

    /// Two quantities in SI.
    pub(crate) fn pair(&self, key: &str) -> Option<[f64; 2]> {
        let list = self.table.get(key)?.list()?;
        let kinds = columns_kind(&self.info.field(key)?.kind)?;
        let read = |index: usize| {
            let (measure, bounds) = quantity_kind(kinds.get(index)?)?;
            quantity(self.context, list.get(index)?, key, measure, bounds, self.share).ok()
        };
        Some([read(0)?, read(1)?])
    }

    /// A whole number.
    pub(crate) fn whole(&self, key: &str) -> Option<usize> {
        let range = whole_kind(&self.info.field(key)?.kind)?;
        usize::try_from(self.whole_of(self.table.get(key)?, key, range)?).ok()
    }

    /// A node as a whole number in a range that has been checked.
    pub(crate) fn whole_of(&self, node: &Node, key: &str, (least, most): (i64, i64)) -> Option<i64> {
        match node.value {
            Value::Whole(whole) if (least..=most).contains(&whole) => Some(whole),
            Value::Varied(_) => variation::whole(self.context, node, key, [least, most], self.share).ok(),
            _ => None,
        }
    }

    /// `true` or `false`.
    pub(crate) fn truth(&self, key: &str) -> Option<bool> {
        self.table.get(key)?.truth()
    }

    /// A text.
    pub(crate) fn text(&self, key: &str) -> Option<&'a str> {
        self.table.get(key)?.text()
    }

    /// One text or several, each with where it was written.
    pub(crate) fn texts(&self, key: &str) -> Vec<(&'a str, Span)> {
        let Some(node) = self.table.get(key) else { return vec![] };
        match &node.value {
            Value::Text(text) => vec![(text, node.span)],
            Value::List(list) => list.iter().filter_map(|node| Some((node.text()?, node.span))).collect(),
            _ => vec![],
        }
    }

    /// A signal, sample by sample; what is too long is reported.
    pub(crate) fn samples(&self, context: &Context) -> Option<Vec<f64>> {
        let list = self.node("samples")?.list()?;
        if list.is_empty() {
            self.report("samples", "a signal without samples", "give at least one");
            return None;
        }
        if !context.take_room_for_signal(list.len(), self.span_of("samples")) {
            return None;
        }
        list.iter().map(|node| self.quantity_of(node, "samples", &NUMBER)).collect()
    }

    /// A material.
    pub(crate) fn material(&self, key: &str) -> Option<&'static Material> {
        material(self.text(key)?)
    }

    /// A table within the table, which has been checked with it.
    pub(crate) fn nested(&self, key: &str) -> Option<Fields<'a>> {
        let table = self.table.get(key)?.table()?;
        let Kind::Table(info) = self.info.field(key)?.kind else { return None };
        let span = self.table.key(key)?.span;
        Some(Fields::unchecked(self.context, info(), table, span, self.share))
    }
}

fn quantity_kind(kind: &Kind) -> Option<(&Measure, &crate::registry::Bounds)> {
    match kind {
        Kind::Quantity(measure, bounds) => Some((measure, bounds)),
        Kind::Either(kinds) => kinds.iter().find_map(quantity_kind),
        _ => None,
    }
}

fn whole_kind(kind: &Kind) -> Option<(i64, i64)> {
    match kind {
        Kind::Whole(least, most) => Some((*least, *most)),
        Kind::Either(kinds) => kinds.iter().find_map(whole_kind),
        _ => None,
    }
}

fn columns_kind(kind: &Kind) -> Option<&[Kind]> {
    match kind {
        Kind::Columns(kinds) => Some(kinds),
        Kind::Either(kinds) => kinds.iter().find_map(columns_kind),
        _ => None,
    }
}
