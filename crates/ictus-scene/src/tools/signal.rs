//! `kind = "signal"`: a force that follows a signal.

use std::f64::consts::TAU;

use ictus::Model;
use ictus::id::ForceId;
use ictus::model::Force;

use super::{Amount, Held, Part, Parts, ToolInfo, ToolKind, on_field};
use crate::ExciterId;
use crate::files::{Missing, Passage, Recorded};
use crate::instrument::bounds::STRONGEST;
use crate::instrument::{Mechanism, PlayError};
use crate::random::Generator;
use crate::read::{Draft, Fields, Made, Naming, shortened};
use crate::registry::contact::samples_field;
use crate::registry::field::{above, above_to, between};
use crate::registry::{Field, Kind, TableInfo};
use crate::scene::{Exciter, Parameter, Scene};
use crate::silence::Prospect;
use crate::units::{FORCE, FREQUENCY, TIME};
use crate::write::{Owner, Rows, WriteError, roundest};

/// A force that follows a signal. The amount is the factor of the signal, in N.

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Signal {
    /// The force.
    pub force: ForceId,
}

impl ToolKind for Signal {
    const INFO: ToolInfo = ToolInfo {
        name: "signal",
        verb: "trigger",
        amount: Amount { key: "level", measure: FORCE, unit: "N", range: [-STRONGEST, STRONGEST], usual: 1.0 },
        takes_time: false,
        goes_on: true,
        moves: None,
        law: None,
        damping: false,
        clearance: false,
        of: Some(Part::Force),
    };

    fn table() -> TableInfo {
        TableInfo::new(
            "a signal",
            "A force that follows a signal. It makes a force of its own name.",
            vec![
                on_field(),
                Field::new("file", Kind::Text)
                    .doc("A sound to follow instead of a shape: WAV, FLAC, MP3 or OGG, its path from the scene's folder on. Its channels count together, and it is brought to the scene's rate; full scale is `level`."),
                Field::quantity("start", TIME, between(0.0, 1e6)).doc("Where in the `file` it begins; at its beginning if nothing is said."),
                Field::choice("shape", &["pulse", "noise", "sine", "click"])
                    .default("\"pulse\"")
                    .doc("`pulse`: a raised cosine. `noise`: white, from the seed. `sine`: faded in and out. `click`: one sample."),
                Field::quantity("length", TIME, above_to(0.0, 600.0)).default("2 ms").doc("How long it is; of a `file` at most so long, and all of it if nothing is said."),
                Field::quantity("frequency", FREQUENCY, above(0.0)).default("440 Hz").doc("Of `sine`."),
                samples_field().doc("The signal itself, sample by sample, instead of a shape; `level` is its factor."),
                Field::quantity("level", FORCE, between(-STRONGEST, STRONGEST)).default("1 N").doc("Its largest value; of a `file`, that of full scale."),
            ],
        )
        .exclusive(&["file", "shape"])
        .exclusive(&["file", "samples"])
        .exclusive(&["file", "frequency"])
        .exclusive(&["samples", "start"])
        .exclusive(&["samples", "shape"])
        .exclusive(&["samples", "length"])
        .exclusive(&["samples", "frequency"])
    }

    fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
        let on = draft.point(fields, "on", naming.scope, false)?;
        let force = ForceId::new(draft.model.forces.len());
        let signal = if fields.has("samples") {
            fields.samples(draft.context)
        } else if fields.has("file") {
            recorded(fields, draft, force)
        } else {
            shaped(fields, draft, naming)
        }?;
        let level = fields.number_or("level", Self::INFO.amount.usual);
        let played = on.object;
        draft.model.forces.push(Force { name: naming.full_name.clone(), at: on.point, level, signal: Some(signal) });
        draft.forces.push(naming.span);
        Some(Made { tool: Self { force }.into(), amount: level, played })
    }

    fn of(held: Held) -> Option<Self> {
        let Held::Force(force) = held else { return None };
        Some(Self { force })
    }

    fn write(&self, rows: &mut Rows<'_>, scene: &Scene, _exciter: &Exciter) -> Result<(), WriteError> {
        let force = &scene.model.forces[self.force.index()];
        match scene.written.recordings.iter().find(|recorded| recorded.is(self.force.index(), signal_of(force))) {
            Some(Recorded { file, start, length, .. }) => {
                rows.text("file", file);
                rows.number_unless("start", *start, 0.0)?;
                length.map_or(Ok(()), |length| rows.number("length", length))?;
            }
            None => write_shape(rows, scene, force)?,
        }
        rows.number_unless("level", force.level, Self::INFO.amount.usual)
    }

    fn is_as_read(&self, owner: &Owner<'_>, exciter: &Exciter) -> Option<()> {
        let Force { name, level, signal, .. } = owner.model.forces.get(self.force.index())?;
        let is_own = name == owner.name && level.to_bits() == exciter.amount.to_bits() && signal.is_some();
        is_own.then_some(())
    }

    fn parts(&self) -> Parts {
        Parts { force: Some(self.force), ..Parts::default() }
    }

    fn with_parts(self, parts: Parts) -> Self {
        Self { force: parts.force.unwrap_or(self.force) }
    }

    fn usual_of(&self, model: &Model) -> f64 {
        model.forces.get(self.force.index()).map_or(f64::NAN, |force| force.level)
    }

    fn followed(&self) -> Option<Parameter> {
        Some(Parameter::Level(self.force))
    }

    fn play(&self, mechanism: &mut Mechanism, exciter: ExciterId, amount: f64, _over: f64) -> Result<(), PlayError> {
        mechanism.trigger(exciter, self.force, amount)
    }

    fn release(&self, mechanism: &mut Mechanism, _exciter: ExciterId, over: f64) -> Result<(), PlayError> {
        mechanism.go(Parameter::Level(self.force), 0.0, over)
    }

    fn stir(&self, prospect: &mut Prospect<'_>, exciter: ExciterId, amount: f64, _time: f64) {
        if amount != 0.0 {
            prospect.push(self.force);
        } else {
            prospect.blame(exciter, "has a level of 0 N", "");
        }
    }
}

/// The samples of a file; one that cannot be had is reported.
fn recorded(fields: &Fields<'_>, draft: &mut Draft<'_>, force: ForceId) -> Option<Vec<f64>> {
    let context = draft.context;
    let file = fields.text("file")?;
    let Some(files) = &context.files else {
        let message = format!("`{}` cannot be read: this text has no folder", shortened(file));
        fields.report("file", message, "save the scene as a file beside the sound, and name that file");
        return None;
    };
    let length = fields.has("length").then(|| fields.number("length")).flatten();
    let passage =
        Passage { start: fields.number_or("start", 0.0), length, rate: context.rate, most: context.room_for_sound() };
    let samples = match files.sound(file, passage) {
        Ok(samples) => samples,
        Err(Missing::TooLong) => {
            context.report_long_sound(&shortened(file), fields.span_of("file"));
            return None;
        }
        Err(Missing::Because(reason)) => {
            fields.report("file", format!("`{}` {reason}", shortened(file)), "");
            return None;
        }
    };
    context.take_room_for_sound(samples.len());
    draft.recordings.push(Recorded::new(force.index(), file, &passage, &samples));
    Some(samples)
}

/// The samples of a shape; one that is too long is reported.
fn shaped(fields: &Fields<'_>, draft: &Draft<'_>, naming: &Naming<'_>) -> Option<Vec<f64>> {
    if fields.has("start") {
        fields.report("start", "only a signal with a `file` has a `start`", "a shape begins when it is triggered");
        return None;
    }
    let rate = draft.context.rate;
    let length = fields.number_or("length", 2e-3);
    let count = (length * rate).round().max(1.0) as usize;
    if !draft.context.take_room_for_signal(count, fields.span_of("length")) {
        return None;
    }
    let shape = fields.text("shape").unwrap_or("pulse");
    let frequency = fields.number_or("frequency", 440.0);
    let noise = match shape {
        "noise" => draft.context.generator(&naming.full_name),
        _ => Generator::named(0, ""),
    };
    Some(samples(shape, count, phase(frequency, rate), noise).collect())
}

/// A shape of so many samples, given the phase of a sine at each and what noise is drawn from.
fn samples(shape: &str, count: usize, phase: impl Fn(usize) -> f64, mut noise: Generator) -> impl Iterator<Item = f64> {
    let sample = move |index: usize| match shape {
        "click" => f64::from(u8::from(index == 0)),
        "noise" => 2.0 * noise.unit() - 1.0,
        "sine" => edge(index, count) * libm::sin(phase(index)),
        _ => 0.5 - 0.5 * libm::cos(TAU * part(index, count)),
    };
    (0..if shape == "click" { 1 } else { count }).map(sample)
}

/// How far a sample is through the shape. Samples lie in the middle of their steps, so that a pulse begins and ends alike.
fn part(index: usize, count: usize) -> f64 {
    (index as f64 + 0.5) / count as f64
}

/// How far a sine is faded in.
fn edge(index: usize, count: usize) -> f64 {
    let part = part(index, count);
    (part.min(1.0 - part) * 8.0).min(1.0)
}

fn phase(frequency: f64, rate: f64) -> impl Fn(usize) -> f64 {
    move |index| TAU * frequency * index as f64 / rate
}

/// The frequency in Hz of a sine, to rounding, if the signal is one below half the rate: from its second sample, and then from later and later
/// ones, each of which tells it twice as well.
fn frequency_of(signal: &[f64], rate: f64) -> Option<f64> {
    let count = signal.len();
    let sine = |index: usize| Some((signal.get(index)? / edge(index, count)).clamp(-1.0, 1.0));
    let first = libm::asin(sine(1)?);
    let mut step = if sine(2)? < 0.0 { std::f64::consts::PI - first } else { first };
    let mut index = 1;
    while index < count / 2 {
        // Where the sine is steep.
        let steep = |index: &usize| libm::cos(step * *index as f64).abs() > 0.5;
        let here = (index..(2 * index).min(count)).find(steep).unwrap_or(index);
        let phase = step * here as f64;
        step += (sine(here)? - libm::sin(phase)) / libm::cos(phase) / here as f64;
        index *= 2;
    }
    (step > 0.0).then_some(step * rate / TAU)
}

fn signal_of(force: &Force) -> &[f64] {
    force.signal.as_deref().unwrap_or_default()
}

/// The shape of a signal if it has one that the reader can make, or its samples.
fn write_shape(rows: &mut Rows<'_>, scene: &Scene, force: &Force) -> Result<(), WriteError> {
    let signal = signal_of(force);
    let (count, rate) = (signal.len(), scene.model.rate);
    let is = |shape: &str, frequency: f64| {
        let noise = Generator::named(scene.seed, &force.name);
        count > 0 && samples(shape, count, phase(frequency, rate), noise).eq(signal.iter().copied())
    };
    if signal == [1.0] {
        rows.text("shape", "click");
        return Ok(());
    }
    let sine = || roundest(frequency_of(signal, rate)?, |frequency| frequency > 0.0 && is("sine", frequency));
    let shape = ["pulse", "noise"].into_iter().find(|shape| is(shape, 1.0)).map(|shape| (shape, None));
    let shape = shape.or_else(|| sine().map(|frequency| ("sine", Some(frequency))));
    let lasts = |seconds: f64| seconds > 0.0 && seconds <= 600.0 && (seconds * rate).round().max(1.0) == count as f64;
    let length = if lasts(2e-3) { Some(2e-3) } else { roundest(count as f64 / rate, lasts) };
    let (Some((shape, frequency)), Some(length)) = (shape, length) else { return rows.long_list("samples", signal) };
    if shape != "pulse" {
        rows.text("shape", shape);
    }
    rows.number_unless("length", length, 2e-3)?;
    frequency.map_or(Ok(()), |frequency| rows.number_unless("frequency", frequency, 440.0))
}
