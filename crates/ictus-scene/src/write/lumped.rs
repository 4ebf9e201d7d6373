//! `[objects.NAME]`: masses, modal objects and barriers.

use ictus::objects::{BarrierSpec, Decay, MassSpec, ModalSpec};

use super::WriteError;
use super::numbers::bare;
use super::rows::Rows;
use crate::read::mode_info;

pub(super) fn mass<'a>(mut rows: Rows<'a>, spec: &MassSpec) -> Result<Rows<'a>, WriteError> {
    rows.number("mass", spec.mass)?;
    rows.number_unless("displacement", spec.displacement, 0.0)?;
    rows.number_unless("velocity", spec.velocity, 0.0)?;
    rows.number_unless("frequency", spec.frequency, 0.0)?;
    decay(&mut rows, spec.decay)?;
    Ok(rows)
}

pub(super) fn barrier<'a>(mut rows: Rows<'a>, spec: &BarrierSpec) -> Result<Rows<'a>, WriteError> {
    rows.number_unless("height", spec.height, 0.0)?;
    rows.number_unless("velocity", spec.velocity, 0.0)?;
    Ok(rows)
}

pub(super) fn modal<'a>(mut rows: Rows<'a>, spec: &ModalSpec) -> Result<Rows<'a>, WriteError> {
    let mut modes = Vec::new();
    for mode in &spec.modes {
        let mut inner = Rows::new(mode_info(), &*rows.of);
        inner.number("frequency", mode.frequency)?;
        inner.number("mass", mode.mass)?;
        decay(&mut inner, mode.decay)?;
        modes.push(format!("  {},\n", inner.inline()));
    }
    rows.raw("modes", format!("[\n{}]", modes.concat()));
    let mut points = Vec::new();
    for weights in &spec.points {
        if !weights.iter().all(|weight| weight.abs() <= 1e6) {
            return Err(rows.unsayable("weights that are no numbers up to 1e6"));
        }
        let weights: Vec<String> = weights.iter().map(|weight| bare(*weight)).collect();
        points.push(format!("  [{}],\n", weights.join(", ")));
    }
    rows.raw("points", format!("[\n{}]", points.concat()));
    Ok(rows)
}

/// How one oscillator dies.
fn decay(rows: &mut Rows<'_>, decay: Decay) -> Result<(), WriteError> {
    match decay {
        Decay::None => Ok(()),
        Decay::Sigma(sigma) => rows.number("sigma", sigma),
        Decay::T60(seconds) => rows.number("t60", seconds),
        Decay::Quality(quality) => rows.number("quality", quality),
        _ => Err(rows.unsayable("a decay of this kind")),
    }
}
