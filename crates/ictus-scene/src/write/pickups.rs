//! `[forces.NAME]` and `[pickups.NAME]`.

use ictus::laws::ContactLaw;
use ictus::model::{Force, Interaction, Source, Target};
use ictus::objects::Place;

use super::WriteError;
use super::names::{Names, named};
use super::numbers::{key, quoted};
use super::points::point;
use super::rows::Rows;
use crate::gains::{alone, panned};
use crate::registry::contact::{force as force_info, pickup as pickup_info, usual};
use crate::scene::Tool;

/// The table of a force.
pub(super) fn force(names: &Names<'_>, place: usize) -> Result<String, WriteError> {
    let force = &names.scene.model.forces[place];
    let of = format!("the force `{}`", force.name);
    let mut rows = Rows::new(force_info(), &*of);
    let table = names.force_at(place).unwrap_or_default();
    named(&mut rows, table, &force.name);
    if is_weight(names, force, &of)? {
        let object = names.object(&of, names.object_place(&of, &force.at.object)?)?;
        rows.raw(
            "at",
            if object.contains('#') { format!("{{ object = {} }}", quoted(object)) } else { quoted(object) },
        );
        rows.raw("gravity", "true".into());
    } else {
        rows.raw("at", point(names, &of, &force.at)?);
        rows.number("level", force.level)?;
    }
    if let Some(signal) = &force.signal {
        if signal.is_empty() {
            return Err(rows.unsayable("a signal without a sample"));
        }
        rows.long_list("samples", signal)?;
    }
    Ok(rows.table(&format!("[forces.{}]", key(table))))
}

/// Whether a force is the weight of an object that something may hold: the reader refuses `gravity` for what falls for ever.
fn is_weight(names: &Names<'_>, force: &Force, of: &str) -> Result<bool, WriteError> {
    if force.at.place != Place::Everywhere || force.signal.is_some() {
        return Ok(false);
    }
    let scene = names.scene;
    let place = names.object_place(of, &force.at.object)?;
    let object = &scene.model.objects[place];
    let is_thrown = |tool: &Tool| tool.thrown().is_some_and(|mass| mass.index() == place);
    let lifts = |contact: &Interaction| {
        contact.to.object == object.name || contact.from.object == object.name && contact.law.surface().is_none()
    };
    let may_be_held = object.spec.is_held()
        || scene.exciters.iter().any(|exciter| is_thrown(&exciter.tool))
        || scene.model.interactions.iter().any(lifts);
    Ok(may_be_held && Force::weight(&force.name, object).as_ref() == Some(force))
}

/// The table of a pickup.
pub(super) fn pickup(names: &Names<'_>, place: usize) -> Result<String, WriteError> {
    let pickup = &names.scene.model.pickups[place];
    let of = format!("pickup {}", place + 1);
    let mut rows = Rows::new(pickup_info(), &*of);
    let listens = pickup.source.info().name;
    let kinds = match pickup.source.target() {
        Target::Point(at) => {
            rows.raw("at", point(names, &of, at)?);
            Source::AT_POINTS
        }
        Target::Interaction(contact) => {
            rows.text("contact", names.contact(&of, contact)?);
            Source::AT_INTERACTIONS
        }
        _ => return Err(rows.unsayable("what it hears")),
    };
    if listens != usual(kinds) {
        rows.text("listen", listens);
    }
    gains(&mut rows, &pickup.gains)?;
    Ok(rows.table(&format!("[pickups.{}]", key(&names.pickups[place]))))
}

/// The gains of the channels, by a gain and a pan or a channel if these give them to the bit.
fn gains(rows: &mut Rows<'_>, gains: &[f64]) -> Result<(), WriteError> {
    if let [only] = gains {
        return rows.number_unless("gain", *only, 1.0);
    }
    if let Some((channel, gain)) = alone(gains) {
        rows.number_unless("gain", gain, 1.0)?;
        return rows.whole("channel", channel + 1);
    }
    match panned(gains) {
        Some([gain, pan]) => {
            rows.number_unless("gain", gain, 1.0)?;
            rows.number_unless("pan", pan, 0.0)
        }
        None => rows.list("gains", gains),
    }
}
