//! One table as it comes together: its keys and values, checked against the list that the reader checks against.

use super::WriteError;
use super::numbers::{bare, pitch, quantity, quoted};
use crate::registry::field::{ANY, Bounds, Kind, TableInfo};
use crate::units::{Measure, NUMBER};

/// The rows of a table.
#[derive(Clone)]
pub(crate) struct Rows<'a> {
    info: &'a TableInfo,
    /// What it describes, for messages.
    pub(crate) of: String,
    rows: Vec<(String, String)>,
}

/// The quantity that stands at a key, alone or in a list.
fn quantity_in(kind: &Kind) -> Option<(Measure, Bounds)> {
    match kind {
        Kind::Quantity(measure, bounds) => Some((*measure, *bounds)),
        Kind::Either(kinds) | Kind::Columns(kinds) => kinds.iter().find_map(quantity_in),
        Kind::List(kind) => quantity_in(kind),
        _ => None,
    }
}

impl<'a> Rows<'a> {
    pub(crate) fn new(info: &'a TableInfo, of: impl Into<String>) -> Self {
        Self { info, of: of.into(), rows: vec![] }
    }

    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// Whether the table has a key at all.
    pub(crate) fn knows(&self, key: &str) -> bool {
        self.info.field(key).is_some()
    }

    pub(crate) fn unsayable(&self, what: impl Into<String>) -> WriteError {
        WriteError::unsayable(&*self.of, what)
    }

    /// A value as it stands in the text.
    pub(crate) fn raw(&mut self, key: &str, value: String) {
        self.rows.push((key.to_owned(), value));
    }

    pub(crate) fn text(&mut self, key: &str, text: &str) {
        self.raw(key, quoted(text));
    }

    pub(crate) fn texts(&mut self, key: &str, texts: &[&str]) {
        self.raw(key, one_or_list(texts.iter().map(|text| quoted(text))));
    }

    /// What a key measures, if the value is one that the reader accepts.
    fn checked(&self, key: &str, value: f64) -> Result<Measure, WriteError> {
        let (measure, bounds) =
            self.info.field(key).and_then(|field| quantity_in(&field.kind)).unwrap_or((NUMBER, ANY));
        self.within(key, value, &measure, &bounds)?;
        Ok(measure)
    }

    fn within(&self, key: &str, value: f64, measure: &Measure, bounds: &Bounds) -> Result<(), WriteError> {
        if bounds.contains(value) {
            return Ok(());
        }
        let allowed = bounds.describe(measure);
        let allowed = if allowed.is_empty() { "a finite number".to_owned() } else { allowed };
        Err(WriteError::OutOfRange { of: self.of.clone(), key: key.to_owned(), value, allowed })
    }

    pub(crate) fn number(&mut self, key: &str, value: f64) -> Result<(), WriteError> {
        let measure = self.checked(key, value)?;
        self.raw(key, quantity(value, &measure));
        Ok(())
    }

    /// A number, if it is not what holds without it.
    pub(crate) fn number_unless(&mut self, key: &str, value: f64, default: f64) -> Result<(), WriteError> {
        if value.to_bits() == default.to_bits() { Ok(()) } else { self.number(key, value) }
    }

    /// A frequency, as a note if it is one.
    pub(crate) fn pitch(&mut self, key: &str, value: f64) -> Result<(), WriteError> {
        let measure = self.checked(key, value)?;
        self.raw(key, pitch(value, &measure));
        Ok(())
    }

    /// A value in the unit of something else.
    pub(crate) fn value(&mut self, key: &str, value: f64, measure: &Measure) -> Result<(), WriteError> {
        self.within(key, value, measure, &ANY)?;
        self.raw(key, quantity(value, measure));
        Ok(())
    }

    /// Two values in the unit of something else.
    pub(crate) fn values(&mut self, key: &str, values: [f64; 2], measure: &Measure) -> Result<(), WriteError> {
        for value in values {
            self.within(key, value, measure, &ANY)?;
        }
        self.raw(key, format!("[{}]", values.map(|value| quantity(value, measure)).join(", ")));
        Ok(())
    }

    /// A list of numbers with their units.
    pub(crate) fn list(&mut self, key: &str, values: &[f64]) -> Result<(), WriteError> {
        let texts = values.iter().map(|value| Ok(quantity(*value, &self.checked(key, *value)?)));
        let texts = texts.collect::<Result<Vec<_>, WriteError>>()?;
        self.raw(key, format!("[{}]", texts.join(", ")));
        Ok(())
    }

    /// A long list of bare numbers, ten to a line.
    pub(crate) fn long_list(&mut self, key: &str, values: &[f64]) -> Result<(), WriteError> {
        for value in values {
            self.checked(key, *value)?;
        }
        let line = |values: &[f64]| values.iter().map(|value| bare(*value)).collect::<Vec<_>>().join(", ");
        let lines: Vec<String> = values.chunks(10).map(line).collect();
        self.raw(
            key,
            match &lines[..] {
                [] => "[]".to_owned(),
                [one] => format!("[{one}]"),
                several => format!("[\n  {},\n]", several.join(",\n  ")),
            },
        );
        Ok(())
    }

    pub(crate) fn whole_unless(&mut self, key: &str, value: usize, default: usize) -> Result<(), WriteError> {
        if value == default { Ok(()) } else { self.whole(key, value) }
    }

    pub(crate) fn whole(&mut self, key: &str, value: usize) -> Result<(), WriteError> {
        if let Some(Kind::Whole(least, most)) = self.info.field(key).map(|field| &field.kind)
            && !i64::try_from(value).is_ok_and(|value| (least..=most).contains(&&value))
        {
            let (of, key, allowed) = (self.of.clone(), key.to_owned(), format!("from {least} to {most}"));
            return Err(WriteError::OutOfRange { of, key, value: value as f64, allowed });
        }
        self.raw(key, value.to_string());
        Ok(())
    }

    /// As a table of the text, under its header.
    pub(crate) fn table(&self, header: &str) -> String {
        let rows: String = self.rows.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        format!("\n{header}\n{rows}")
    }

    /// Without a header.
    pub(crate) fn bare(&self) -> String {
        self.rows.iter().map(|(key, value)| format!("{key} = {value}\n")).collect()
    }

    /// As a table within a line.
    pub(crate) fn inline(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        format!("{{ {} }}", rows.join(", "))
    }
}

/// One value as it is, several as a list.
pub(crate) fn one_or_list(values: impl Iterator<Item = String>) -> String {
    let values: Vec<String> = values.collect();
    match &values[..] {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}
