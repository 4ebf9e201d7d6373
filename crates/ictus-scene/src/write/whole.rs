//! The keys at the top, the limits and the output.

use super::WriteError;
use super::rows::Rows;
use crate::registry::whole;
use crate::scene::{Output, Scene};

/// The keys before the first table.
pub(super) fn head(scene: &Scene) -> Result<String, WriteError> {
    let mut rows = Rows::new(whole::scene(), "the scene");
    rows.raw("ictus", "1".into());
    rows.text("title", &scene.title);
    if !scene.about.is_empty() {
        rows.text("about", &scene.about);
    }
    rows.number_unless("rate", scene.model.rate, 48_000.0)?;
    rows.number_unless("duration", scene.duration, 4.0)?;
    match i64::try_from(scene.seed) {
        Ok(1) => {}
        Ok(seed) => rows.raw("seed", seed.to_string()),
        Err(_) => return Err(rows.unsayable(format!("a seed of {}, above {}", scene.seed, i64::MAX))),
    }
    Ok(rows.bare())
}

/// `[limits]`, those that are not usual.
pub(super) fn limits(scene: &Scene) -> Result<String, WriteError> {
    let (limits, usual) = (scene.model.limits, ictus::model::Limits::default());
    let mut rows = Rows::new(whole::limits(), "the limits");
    rows.whole_unless("grid_points", limits.grid_points, usual.grid_points)?;
    rows.whole_unless("modes", limits.modes, usual.modes)?;
    rows.whole_unless("products", limits.products, usual.products)?;
    rows.whole_unless("interactions", limits.interactions, usual.interactions)?;
    rows.whole_unless("contact_events", limits.contact_events, usual.contact_events)?;
    Ok(if rows.count() > 0 { rows.table("[limits]") } else { String::new() })
}

/// `[output]`, if it is not the usual one.
pub(super) fn output(scene: &Scene) -> Result<String, WriteError> {
    let usual = Output::default();
    let mut rows = Rows::new(whole::output(), "the output");
    let Some(first) = scene.model.pickups.first() else {
        return Err(rows.unsayable("a scene without a pickup"));
    };
    rows.whole_unless("channels", first.gains.len(), 2)?;
    rows.number_unless("gain", scene.output.gain, usual.gain)?;
    rows.number_unless("highpass", scene.output.highpass, usual.highpass)?;
    rows.number_unless("fade", scene.output.fade, usual.fade)?;
    Ok(if rows.count() > 0 { rows.table("[output]") } else { String::new() })
}
