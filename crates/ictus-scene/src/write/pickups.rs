//! `[forces.NAME]` and `[pickups.NAME]`.

use std::f64::consts::FRAC_PI_4;

use ictus::laws::ContactLaw;
use ictus::model::{Force, Interaction, Source, Target};
use ictus::objects::Place;

use super::WriteError;
use super::names::{Names, named};
use super::numbers::{key, quoted};
use super::points::point;
use super::rows::Rows;
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
    let is_zero = |gain: &f64| gain.to_bits() == 0;
    if let [only] = gains {
        return rows.number_unless("gain", *only, 1.0);
    }
    let mut heard = gains.iter().enumerate().filter(|(_, gain)| !is_zero(gain));
    if let (Some((channel, gain)), None) = (heard.next(), heard.next()) {
        rows.number_unless("gain", *gain, 1.0)?;
        return rows.whole("channel", channel + 1);
    }
    let panned = match gains {
        [left, right, others @ ..] if others.iter().all(is_zero) => panned(*left, *right),
        _ => None,
    };
    match panned {
        Some([gain, pan]) => {
            rows.number_unless("gain", gain, 1.0)?;
            rows.number_unless("pan", pan, 0.0)
        }
        None => rows.list("gains", gains),
    }
}

/// The gain and the pan, as round as can be, that the reader turns into these gains of left and right.
fn panned(left: f64, right: f64) -> Option<[f64; 2]> {
    let sign = if left < 0.0 || right < 0.0 { -1.0 } else { 1.0 };
    let gain = sign * libm::hypot(left, right);
    let pan = libm::atan2(sign * right, sign * left) / FRAC_PI_4 - 1.0;
    let gives = |gain: f64, pan: f64| {
        let angle = (pan + 1.0) * FRAC_PI_4;
        (gain * libm::cos(angle)).to_bits() == left.to_bits() && (gain * libm::sin(angle)).to_bits() == right.to_bits()
    };
    let decibels = libm::pow(10.0, (2000.0 * libm::log10(gain.abs())).round() / 2000.0);
    let round = |value: f64, digits: usize| format!("{value:.digits$e}").parse().unwrap_or(value);
    let near = |value: f64| [value, value.next_up(), value.next_down()];
    let gains: Vec<f64> = (0..7).map(|digits| round(gain, digits)).chain([sign * decibels]).chain(near(gain)).collect();
    // A pan of 0 is worked out as something of 1e-16.
    let rounded = (0..7).map(|decimals| {
        let scale = libm::pow(10.0, f64::from(decimals));
        (scale * pan).round() / scale + 0.0
    });
    let pans = rounded.chain(near(pan)).filter(|pan| (-1.0..=1.0).contains(pan));
    let pairs = pans.flat_map(|pan| gains.iter().map(move |gain| [*gain, pan]));
    pairs.into_iter().find(|[gain, pan]| gives(*gain, *pan))
}
