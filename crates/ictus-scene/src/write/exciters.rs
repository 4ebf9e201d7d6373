//! `[exciters.NAME]`: as the reader makes them, or `of` parts of the scene.

use ictus::id::{ContactId, ObjectId};
use ictus::laws::{ContactLaw, Law, LinearCubicSpring, OneSidedPower};
use ictus::model::{Force, Interaction, Object, ObjectSpec, Point};
use ictus::objects::{BarrierSpec, MassSpec, Place};

use super::WriteError;
use super::contacts::{law, rule};
use super::names::{Names, named};
use super::numbers::{key, roundest};
use super::points::point;
use super::rows::Rows;
use crate::random::Generator;
use crate::read::{parts_info, samples};
use crate::registry::exciters;
use crate::scene::{Exciter, Scene, Tool};

/// The parts of the model that the reader makes for an exciter, by their places.
#[derive(Default)]
pub(super) struct Made {
    pub(super) object: Option<usize>,
    pub(super) contact: Option<usize>,
    pub(super) force: Option<usize>,
}

/// The parts of an exciter, if they are what the reader would make of it.
pub(super) fn made_by_reader(scene: &Scene, exciter: &Exciter) -> Option<Made> {
    let model = &scene.model;
    let name = &exciter.name;
    let own_object = |place: ObjectId, spec: ObjectSpec| {
        let place = place.index();
        let made = Object { name: name.clone(), spec, start: None };
        (model.objects.get(place)? == &made).then_some(place)
    };
    let own_contact = |place: ContactId, alter: &dyn Fn(&Interaction, &mut Interaction)| {
        let place = place.index();
        let contact = model.interactions.get(place)?;
        let mut made = Interaction::new(name, Point::of(name), contact.to.clone(), contact.law);
        made.active = false;
        alter(contact, &mut made);
        (contact == &made).then_some(place)
    };
    let made = |object, contact| Some(Made { object: Some(object), contact: Some(contact), force: None });
    match exciter.tool {
        Tool::Hammer { mass, contact, clearance } => {
            let ObjectSpec::Mass(MassSpec { mass: kilograms, .. }) = model.objects.get(mass.index())?.spec else {
                return None;
            };
            let spec = MassSpec { displacement: -clearance, ..MassSpec::free(kilograms) };
            let contact =
                own_contact(contact, &|contact, made| (made.rule, made.damping) = (contact.rule, contact.damping))?;
            made(own_object(mass, spec.into())?, contact)
        }
        Tool::Plectrum { barrier, contact, clearance } => {
            let (stiffness, ..) = model.interactions.get(contact.index())?.law.power_law()?;
            let edge = Law::from(OneSidedPower::new(stiffness, 1.0, 0.0).ok()?);
            let contact = own_contact(contact, &|contact, made| {
                made.law = edge;
                (made.slips_at, made.damping) = (contact.slips_at, contact.damping);
            })?;
            model.interactions[contact].slips_at?;
            made(own_object(barrier, BarrierSpec { height: -clearance, velocity: 0.0 }.into())?, contact)
        }
        Tool::Bow { barrier, contact } => {
            let contact = own_contact(contact, &|_, _| {})?;
            model.interactions[contact].law.friction()?;
            made(own_object(barrier, BarrierSpec::default().into())?, contact)
        }
        Tool::Finger { contact } => {
            let stiffness = model.interactions.get(contact.index())?.law.spring_stiffness()?;
            let skin = Law::from(LinearCubicSpring::new(stiffness, 0.0).ok()?);
            let contact = own_contact(contact, &|_, made| (made.law, made.damping) = (skin, exciter.amount))?;
            let barrier = model.objects.iter().position(|object| object.name == *name)?;
            made(own_object(ObjectId::new(barrier), BarrierSpec::default().into())?, contact)
        }
        Tool::Signal { force } => {
            let force = force.index();
            let Force { name: own, level, signal, .. } = model.forces.get(force)?;
            let is_made = own == name && level.to_bits() == exciter.amount.to_bits() && signal.is_some();
            is_made.then_some(Made { force: Some(force), ..Made::default() })
        }
        Tool::Pluck { .. } => Some(Made::default()),
    }
}

/// The table of an exciter.
pub(super) fn exciter(names: &Names<'_>, place: usize) -> Result<String, WriteError> {
    let exciter = &names.scene.exciters[place];
    let of = format!("the exciter `{}`", exciter.name);
    let is_made = names.tools.make_parts || matches!(exciter.tool, Tool::Pluck { .. });
    let rows = if is_made { whole(names, exciter, &of)? } else { of_parts(names, exciter, &of)? };
    let table = &names.exciters[place];
    let mut rows = rows;
    named(&mut rows, table, &exciter.name);
    Ok(rows.table(&format!("[exciters.{}]", key(table))))
}

/// An exciter that makes its parts.
fn whole<'a>(names: &Names<'_>, exciter: &Exciter, of: &str) -> Result<Rows<'a>, WriteError> {
    let model = &names.scene.model;
    let start = |kind: &str, law: Option<&str>| {
        let info = exciters().iter().find(|info| info.name == kind);
        let info = info.ok_or_else(|| WriteError::unsayable(of, format!("the kind `{kind}`")))?;
        let mut rows = Rows::new(info.table_for(law), of);
        rows.text("kind", kind);
        Ok(rows)
    };
    match exciter.tool {
        Tool::Hammer { mass, contact, clearance } => {
            let contact = &model.interactions[contact.index()];
            let mut rows = start("hammer", Some(contact.law.info().name))?;
            rows.raw("on", point(names, of, &contact.to)?);
            if let Some(ObjectSpec::Mass(spec)) = names.spec(mass.index()) {
                rows.number("mass", spec.mass)?;
            }
            if contact.law.info().name != "hunt-crossley" {
                rows.text("law", contact.law.info().name);
            }
            law(&mut rows, &contact.law)?;
            rows.number_unless("velocity", exciter.amount, 1.0)?;
            rows.number_unless("clearance", clearance, 1e-3)?;
            rows.number_unless("damping", contact.damping, 0.0)?;
            rule(&mut rows, contact.rule);
            Ok(rows)
        }
        Tool::Plectrum { contact, clearance, .. } => {
            let contact = &model.interactions[contact.index()];
            let mut rows = start("plectrum", None)?;
            rows.raw("on", point(names, of, &contact.to)?);
            rows.number_unless("stiffness", contact.law.parameter(0).unwrap_or(f64::NAN), 1e5)?;
            rows.number_unless("force", contact.slips_at.unwrap_or(f64::NAN), 1.0)?;
            rows.number_unless("velocity", exciter.amount, 0.3)?;
            rows.number_unless("clearance", clearance, 1e-3)?;
            rows.number_unless("damping", contact.damping, 0.0)?;
            Ok(rows)
        }
        Tool::Pluck { object, centre, half_width } => {
            let mut rows = start("pluck", None)?;
            let name = &model.objects[object.index()].name;
            rows.raw("on", point(names, of, &Point::on(name, Place::Along(centre)))?);
            rows.number_unless("width", half_width, 0.1)?;
            rows.number_unless("height", exciter.amount, 1e-3)?;
            Ok(rows)
        }
        Tool::Bow { contact, .. } => {
            let contact = &model.interactions[contact.index()];
            let mut rows = start("bow", None)?;
            rows.raw("on", point(names, of, &contact.to)?);
            let mut numbers = contact.law.parameters();
            let mut next = || numbers.next().unwrap_or(f64::NAN);
            rows.number_unless("force", next(), 0.2)?;
            rows.number_unless("sharpness", next(), 100.0)?;
            rows.number_unless("sliding", next(), 0.3)?;
            rows.number_unless("velocity", exciter.amount, 0.1)?;
            Ok(rows)
        }
        Tool::Finger { contact } => {
            let contact = &model.interactions[contact.index()];
            let mut rows = start("finger", None)?;
            rows.raw("on", point(names, of, &contact.to)?);
            rows.number_unless("stiffness", contact.law.parameter(0).unwrap_or(f64::NAN), 1000.0)?;
            rows.number_unless("damping", exciter.amount, 1.0)?;
            Ok(rows)
        }
        Tool::Signal { force } => {
            let force = &model.forces[force.index()];
            let mut rows = start("signal", None)?;
            rows.raw("on", point(names, of, &force.at)?);
            signal(&mut rows, names.scene, force)?;
            rows.number_unless("level", force.level, 1.0)?;
            Ok(rows)
        }
    }
}

/// The shape of a signal if it has one that the reader can make, or its samples.
fn signal(rows: &mut Rows<'_>, scene: &Scene, force: &Force) -> Result<(), WriteError> {
    let signal = force.signal.as_deref().unwrap_or_default();
    let (count, rate) = (signal.len(), scene.model.rate);
    let is = |shape: &str| samples(shape, count, |_| 0.0, Generator::named(scene.seed, &force.name)) == signal;
    if signal == [1.0] {
        rows.text("shape", "click");
        return Ok(());
    }
    let shape = if count == 0 { None } else { ["pulse", "noise"].into_iter().find(|shape| is(shape)) };
    let lasts = |seconds: f64| seconds > 0.0 && seconds <= 600.0 && (seconds * rate).round().max(1.0) == count as f64;
    let length = if lasts(2e-3) { Some(2e-3) } else { roundest(count as f64 / rate, lasts) };
    match (shape, length) {
        (Some(shape), Some(length)) => {
            if shape != "pulse" {
                rows.text("shape", shape);
            }
            rows.number_unless("length", length, 2e-3)
        }
        _ => rows.long_list("samples", signal),
    }
}

/// An exciter of parts that have their own tables.
fn of_parts<'a>(names: &Names<'_>, exciter: &Exciter, of: &str) -> Result<Rows<'a>, WriteError> {
    let model = &names.scene.model;
    let mut rows = Rows::new(parts_info(), of);
    let apart = || WriteError::unsayable(of, "a tool that is not `from` of its contact");
    let contact_key = |contact: ContactId, tool: Option<ObjectId>| {
        let contact = contact.index();
        let from = names.object_place(of, &model.interactions[contact].from.object)?;
        if tool.is_some_and(|tool| tool.index() != from) {
            return Err(apart());
        }
        names.contact_at(contact).ok_or_else(apart)
    };
    match exciter.tool {
        Tool::Hammer { mass, contact, clearance } => {
            rows.text("kind", "hammer");
            rows.text("of", contact_key(contact, Some(mass))?);
            rows.number_unless("velocity", exciter.amount, 1.0)?;
            rows.number_unless("clearance", clearance, 1e-3)?;
        }
        Tool::Plectrum { barrier, contact, clearance } => {
            rows.text("kind", "plectrum");
            rows.text("of", contact_key(contact, Some(barrier))?);
            rows.number_unless("velocity", exciter.amount, 0.3)?;
            rows.number_unless("clearance", clearance, 1e-3)?;
        }
        Tool::Bow { barrier, contact } => {
            rows.text("kind", "bow");
            rows.text("of", contact_key(contact, Some(barrier))?);
            rows.number_unless("velocity", exciter.amount, 0.1)?;
        }
        Tool::Finger { contact } => {
            rows.text("kind", "finger");
            rows.text("of", contact_key(contact, None)?);
            rows.number_unless("damping", exciter.amount, model.interactions[contact.index()].damping)?;
        }
        Tool::Signal { force } => {
            rows.text("kind", "signal");
            rows.text("of", names.force_at(force.index()).ok_or_else(apart)?);
            rows.number_unless("level", exciter.amount, model.forces[force.index()].level)?;
        }
        Tool::Pluck { .. } => return Err(apart()),
    }
    Ok(rows)
}
