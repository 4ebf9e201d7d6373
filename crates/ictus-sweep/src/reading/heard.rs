//! Refuses a parameter whose values nobody hears: thousands of rows that say they differ would be the same.
//!
//! Scenes are read at two corners of the plan, all other parameters first at the beginning of their values, then at the end. A value that cannot be read
//! there tells nothing; that is for its row to say.

use std::ops::Range;

use ictus_scene::{Reading, Source, read, unheard};

use super::Keys;
use crate::axis::{Axis, Value, Values};
use crate::error::SweepError;

/// Most values of a list that are tried.
const MOST_TRIED: usize = 4;

/// Most parameters that are tried: each takes at least two readings of the scene.
const MOST_PARAMETERS: usize = 64;

impl Keys<'_> {
    pub(super) fn check_heard(
        &self,
        source: &Source,
        reading: &Reading,
        axes: &[(Axis, Range<usize>)],
    ) -> Result<(), SweepError> {
        let varied = |(axis, _): &&(Axis, Range<usize>)| axis.path != "seed" && !axis.is_constant();
        for (axis, span) in axes.iter().filter(varied).take(MOST_PARAMETERS) {
            let at = |end: End| why_unheard(source, reading, axes, axis, end);
            if let Some(message) = at(End::First)
                && at(End::Last).is_some()
            {
                return Err(self.text.wrong(span.clone(), message));
            }
        }
        Ok(())
    }
}

/// Where the other parameters stand.
#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

/// Why no value of a parameter sounds unlike its first, while the others stand at an end of theirs; nothing if one may.
fn why_unheard(
    source: &Source,
    reading: &Reading,
    axes: &[(Axis, Range<usize>)],
    axis: &Axis,
    end: End,
) -> Option<String> {
    let stands = |other: &Axis| {
        let mut values = tried(other);
        match end {
            End::First => values.swap_remove(0),
            End::Last => values.pop().unwrap_or(Value::Number(0.0)),
        }
    };
    let others: Vec<(String, String)> = axes
        .iter()
        .map(|(other, _)| other)
        .filter(|other| other.path != axis.path && other.path != "seed")
        .map(|other| (other.path.clone(), stands(other).written()))
        .collect();
    let scene = |value: &Value| {
        let mut overrides = others.clone();
        overrides.push((axis.path.clone(), value.written()));
        read(source, &Reading { overrides, ..reading.clone() }).ok()
    };
    let values = tried(axis);
    let first = scene(&values[0])?;
    let mut why = None;
    for value in values[1..].iter().filter(|value| **value != values[0]) {
        let other = scene(value)?;
        why = Some(if first == other {
            format!("`{}`: its values make no difference", axis.path)
        } else {
            unheard(&axis.path, &first, &other, source)?.into_sentence()
        });
    }
    why
}

/// Values of a parameter, its ends among them; never none.
fn tried(axis: &Axis) -> Vec<Value> {
    match &axis.values {
        Values::Uniform(low, high) | Values::Log(low, high) => vec![Value::Number(*low), Value::Number(*high)],
        Values::List(list) => {
            let last = list.len() - 1;
            (0..list.len().min(MOST_TRIED))
                .map(|n| list[n * last / (list.len().min(MOST_TRIED) - 1).max(1)].clone())
                .collect()
        }
    }
}
