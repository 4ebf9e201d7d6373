//! `kind = "signal"`: a force that follows a signal.

use std::f64::consts::TAU;

use ictus::id::ForceId;
use ictus::model::Force;

use super::{Draft, Fields, Made, Naming, on_field};
use crate::instrument::bounds::STRONGEST;
use crate::random::Generator;
use crate::registry::contact::{MOST_SAMPLES, samples_field};
use crate::registry::field::{above, above_to, between};
use crate::registry::{Field, TableInfo};
use crate::scene::Tool;
use crate::units::{FORCE, FREQUENCY, TIME};

pub(super) fn info() -> TableInfo {
    TableInfo::new(
        "a signal",
        "A force that follows a signal. It makes a force of its own name.",
        vec![
            on_field(),
            Field::choice("shape", &["pulse", "noise", "sine", "click"])
                .default("\"pulse\"")
                .doc("`pulse`: a raised cosine. `noise`: white, from the seed. `sine`: faded in and out. `click`: one sample."),
            Field::quantity("length", TIME, above_to(0.0, 600.0)).default("2 ms").doc("How long it is."),
            Field::quantity("frequency", FREQUENCY, above(0.0)).default("440 Hz").doc("Of `sine`."),
            samples_field().doc("The signal itself, sample by sample, instead of a shape; `level` is its factor."),
            Field::quantity("level", FORCE, between(-STRONGEST, STRONGEST)).default("1 N").doc("Its largest value."),
        ],
    )
    .exclusive(&["samples", "shape"])
    .exclusive(&["samples", "length"])
    .exclusive(&["samples", "frequency"])
}

pub(super) fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
    let on = draft.point(fields, "on", naming.scope, false)?;
    let signal = if fields.has("samples") { fields.samples(draft.context) } else { shaped(fields, draft, naming) }?;
    let level = fields.number_or("level", 1.0);
    let played = on.object;
    let force = ForceId::new(draft.model.forces.len());
    draft.model.forces.push(Force { name: naming.full_name.clone(), at: on.point, level, signal: Some(signal) });
    draft.forces.push(naming.span);
    Some(Made { tool: Tool::Signal { force }, amount: level, played })
}

/// The samples of a shape; one that is too long is reported.
fn shaped(fields: &Fields<'_>, draft: &Draft<'_>, naming: &Naming<'_>) -> Option<Vec<f64>> {
    let rate = draft.context.rate;
    let length = fields.number_or("length", 2e-3);
    let count = (length * rate).round().max(1.0) as usize;
    if count > MOST_SAMPLES {
        let message =
            format!("a signal of {length} s has {count} samples at {rate} Hz; at most {MOST_SAMPLES} are kept");
        fields.report("length", message, "make it shorter, or trigger a shorter one again and again");
        return None;
    }
    if !draft.context.take_room(count, fields.span_of("length")) {
        return None;
    }
    let shape = fields.text("shape").unwrap_or("pulse");
    let frequency = fields.number_or("frequency", 440.0);
    let noise = Generator::named(draft.context.seed, &naming.full_name);
    Some(samples(shape, count, |index| TAU * frequency * index as f64 / rate, noise))
}

/// A shape of so many samples, given the phase of a sine at each and what noise is drawn from.
pub(crate) fn samples(shape: &str, count: usize, phase: impl Fn(usize) -> f64, mut noise: Generator) -> Vec<f64> {
    let sample = |index: usize| {
        // Samples lie in the middle of their steps, so that a pulse begins and ends alike.
        let part = (index as f64 + 0.5) / count as f64;
        let edge = (part.min(1.0 - part) * 8.0).min(1.0);
        match shape {
            "click" => f64::from(u8::from(index == 0)),
            "noise" => 2.0 * noise.unit() - 1.0,
            "sine" => edge * libm::sin(phase(index)),
            _ => 0.5 - 0.5 * libm::cos(TAU * part),
        }
    };
    (0..if shape == "click" { 1 } else { count }).map(sample).collect()
}
