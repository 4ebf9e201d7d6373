//! A value of the text as a number in SI: a number, a text with a unit, a note; in sets also one that changes from note to note.

use super::context::Context;
use super::variation;
use crate::notes;
use crate::problem::{Found, suggestion};
use crate::registry::{Bounds, Kind};
use crate::tree::{Node, Table, Value};
use crate::units::{self, FRACTION, FREQUENCY, Measure, NUMBER, TIME, UnitError, show};

/// Which of a set's copies is being read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share {
    /// Where it lies between the lowest note (0) and the highest (1).
    pub(crate) fraction: f64,
    /// Its number, from 0.
    pub(crate) index: usize,
    /// How many there are.
    pub(crate) count: usize,
}

/// The SI value of a node, or what is wrong with it. `key` is what it is called in messages.
pub(crate) fn quantity(
    context: &Context,
    node: &Node,
    key: &str,
    measure: &Measure,
    bounds: &Bounds,
    share: Option<Share>,
) -> Result<f64, Found> {
    let expected = || format!("expected {}", Kind::Quantity(*measure, *bounds).describe());
    let value = match &node.value {
        Value::Whole(whole) => *whole as f64,
        Value::Number(number) => *number,
        Value::Text(text) => match number_of(text, measure, context) {
            Ok(value) => value,
            Err(error) => {
                let message = format!("`{key}` is \"{}\": {error}", shortened(text));
                return Err(Found::new(node.span, message).help(expected()));
            }
        },
        Value::Varied(varied) => variation::draw(context, node.span, varied, key, measure, bounds, share)?,
        Value::Table(table) if is_spread(table) => match share {
            Some(share) => spread(context, node, table, key, measure, bounds, share)?,
            None => {
                let message = format!("`{key}` changes from note to note, but this is not in a set");
                return Err(Found::new(node.span, message).help(expected()));
            }
        },
        _ => {
            let message = format!("`{key}` is {}, which is not a quantity", node.kind());
            return Err(Found::new(node.span, message).help(expected()));
        }
    };
    if bounds.contains(value) {
        return Ok(value);
    }
    let allowed = if value.is_finite() { bounds.describe(measure) } else { "a finite number".to_owned() };
    Err(Found::new(node.span, format!("`{key}` is {}, must be {allowed}", show(value, measure))).help(expected()))
}

/// The SI value of a text: a quantity, a note where a frequency is meant, or beats where a time is.
pub(crate) fn number_of(text: &str, measure: &Measure, context: &Context) -> Result<f64, UnitError> {
    if measure.name == FREQUENCY.name {
        match notes::parse(text) {
            Some(note) => return Ok(note.frequency(context.tuning)),
            None if notes::looks_like_one(text) => return Err(UnitError::NoNote(notes::advice(text))),
            None => {}
        }
    }
    if measure.name == TIME.name
        && let Some(beats) = text.trim().strip_suffix("beats").or_else(|| text.trim().strip_suffix("beat"))
    {
        return Ok(context.beat * units::parse(beats, &NUMBER)?);
    }
    units::parse(text, measure)
}

/// Whether a table is `{ low, high }` or `{ values }`.
pub(crate) fn is_spread(table: &Table) -> bool {
    table.entries.iter().any(|(key, _)| matches!(&*key.name, "low" | "high" | "values"))
}

fn spread(
    context: &Context,
    node: &Node,
    table: &Table,
    key: &str,
    measure: &Measure,
    bounds: &Bounds,
    share: Share,
) -> Result<f64, Found> {
    let help = "write { low = …, high = … } from the lowest to the highest note, or { values = […] } with one for each";
    if let Some((stranger, _)) = table.entries.iter().find(|(key, _)| !matches!(&*key.name, "low" | "high" | "values"))
    {
        let message = format!("there is no key `{}` here", shortened(&stranger.name));
        return Err(Found::new(stranger.span, message).help(suggestion(
            &stranger.name,
            "keys",
            ["low", "high", "values"],
        )));
    }
    let read = |node: &Node| quantity(context, node, key, measure, bounds, None);
    match (table.get("low"), table.get("high"), table.get("values")) {
        (Some(low), Some(high), None) => Ok(between(read(low)?, read(high)?, share.fraction, measure)),
        (None, None, Some(values)) => {
            let Some(list) = values.list() else {
                return Err(Found::new(values.span, "`values` is not a list").help(help));
            };
            match list.get(share.index) {
                Some(value) if list.len() == share.count => read(value),
                _ => {
                    let message = format!("`values` has {}, but the set has {} notes", list.len(), share.count);
                    Err(Found::new(values.span, message).help(help))
                }
            }
        }
        _ => Err(Found::new(node.span, format!("`{key}` does not say how it changes from note to note")).help(help)),
    }
}

/// From one value to another: in equal ratios, or in equal steps for places and where a ratio makes no sense.
fn between(low: f64, high: f64, fraction: f64, measure: &Measure) -> f64 {
    let in_steps = measure.name == FRACTION.name || low * high <= 0.0;
    if fraction <= 0.0 {
        low
    } else if fraction >= 1.0 {
        high
    } else if in_steps {
        low + fraction * (high - low)
    } else {
        low * libm::pow(high / low, fraction)
    }
}

/// A text that is not too long for a message.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(['…']).collect()
}
