//! `[contacts.NAME]`

use ictus::contact::Rule;
use ictus::laws::Law;
use ictus::model::{Interaction, Roughness, Spread};
use ictus::objects::{Profile, ProfilePoint};

use super::WriteError;
use super::names::{Names, named};
use super::numbers::{key, quantity};
use super::points::point;
use super::rows::Rows;
use crate::registry::contact::{contact as any_contact, contacts, parameter_key, profile, roughness};
use crate::units::{FRACTION, LENGTH};

/// The table of a contact.
pub(super) fn contact(names: &Names<'_>, place: usize) -> Result<String, WriteError> {
    let contact = &names.scene.model.interactions[place];
    let table = names.contact_at(place).unwrap_or_default();
    let of = format!("the contact `{}`", contact.name);
    let info = contacts().iter().find(|(law, _)| *law == contact.law.info().name);
    let mut rows = Rows::new(info.map_or_else(any_contact, |(_, info)| info), &*of);
    named(&mut rows, table, &contact.name);
    rows.raw("from", point(names, &of, &contact.from)?);
    rows.raw("to", point(names, &of, &contact.to)?);
    rows.text("law", contact.law.info().name);
    law(&mut rows, &contact.law)?;
    rows.number_unless("gap", contact.gap, 0.0)?;
    rows.number_unless("damping", contact.damping, 0.0)?;
    rule(&mut rows, contact.rule);
    if let Some(force) = contact.slips_at {
        rows.number("slips_at", force)?;
    }
    if !contact.active {
        rows.raw("active", "false".into());
    }
    spread(&mut rows, contact)?;
    if let Some(surface) = &contact.roughness {
        rough(&mut rows, surface)?;
    }
    Ok(rows.table(&format!("[contacts.{}]", key(table))))
}

/// The parameters of a law that are not the usual ones.
pub(crate) fn law(rows: &mut Rows<'_>, law: &Law) -> Result<(), WriteError> {
    let info = law.info();
    for (parameter, value) in info.parameters.iter().zip(law.parameters()) {
        match parameter.default {
            Some(default) => rows.number_unless(&parameter_key(parameter), value, default)?,
            None => rows.number(&parameter_key(parameter), value)?,
        }
    }
    Ok(())
}

/// The rule, if it is not the usual one.
pub(crate) fn rule(rows: &mut Rows<'_>, rule: Rule) {
    if rule != Rule::default() {
        rows.text("rule", rule.info().name);
    }
}

fn spread(rows: &mut Rows<'_>, contact: &Interaction) -> Result<(), WriteError> {
    match &contact.spread {
        None => Ok(()),
        Some(_) if contact.roughness.is_some() => Err(rows.unsayable("a contact that is both spread and rough")),
        Some(Spread::Neighbours) => {
            rows.raw("neighbours", "true".into());
            Ok(())
        }
        Some(Spread::Profile(under)) => {
            let mut inner = Rows::new(profile(), &*rows.of);
            heights(&mut inner, under)?;
            rows.raw("profile", inner.inline());
            Ok(())
        }
        Some(_) => Err(rows.unsayable("a spread of this kind")),
    }
}

fn heights(rows: &mut Rows<'_>, profile: &Profile) -> Result<(), WriteError> {
    match profile {
        Profile::Flat { height } => {
            rows.text("kind", "flat");
            rows.number_unless("height", *height, 0.0)?;
        }
        Profile::Parabola { start, end, apex, apex_height, drop } => {
            rows.text("kind", "parabola");
            rows.number("start", *start)?;
            rows.number("end", *end)?;
            rows.number("apex", *apex)?;
            rows.number_unless("apex_height", *apex_height, 0.0)?;
            rows.number("drop", *drop)?;
        }
        Profile::Points(points) | Profile::Frets(points) => {
            rows.text("kind", if matches!(profile, Profile::Frets(_)) { "frets" } else { "points" });
            let is_number = |point: &ProfilePoint| point.position.is_finite() && point.height.is_finite();
            if !points.iter().all(is_number) {
                return Err(rows.unsayable("a profile of points that are not numbers"));
            }
            let pair = |point: &ProfilePoint| {
                format!("[{}, {}]", quantity(point.position, &FRACTION), quantity(point.height, &LENGTH))
            };
            rows.raw("points", format!("[{}]", points.iter().map(pair).collect::<Vec<_>>().join(", ")));
        }
        _ => return Err(rows.unsayable("a profile of this kind")),
    }
    Ok(())
}

fn rough(rows: &mut Rows<'_>, surface: &Roughness) -> Result<(), WriteError> {
    let mut inner = Rows::new(roughness(), &*rows.of);
    inner.number("spacing", surface.spacing)?;
    inner.number_unless("velocity", surface.velocity, 0.0)?;
    inner.long_list("heights", &surface.heights)?;
    rows.raw("roughness", inner.inline());
    Ok(())
}
