//! `[exciters.NAME]`: as the reader makes them, or `of` parts of the scene.

use ictus::Model;
use ictus::id::{ContactId, ForceId, ObjectId};
use ictus::model::{Interaction, Object, ObjectSpec, Point};

use super::WriteError;
use super::names::{Names, named};
use super::numbers::key;
use super::points::point;
use super::rows::Rows;
use crate::read::parts_info;
use crate::registry::exciters;
use crate::scene::{Exciter, Scene};
use crate::tools::{CLEARANCE, Parts};

/// The parts of the model that the reader makes for an exciter, by their places.
#[derive(Default)]
pub(super) struct Made {
    pub(super) object: Option<usize>,
    pub(super) contact: Option<usize>,
    pub(super) force: Option<usize>,
}

/// An exciter's name and the model that its parts are in.
pub(crate) struct Owner<'a> {
    pub(crate) model: &'a Model,
    pub(crate) name: &'a str,
}

impl Owner<'_> {
    /// Whether an object is what the reader makes under the exciter's name.
    pub(crate) fn has_object(&self, object: ObjectId, spec: impl Into<ObjectSpec>) -> Option<()> {
        let made = Object { name: self.name.to_owned(), spec: spec.into(), start: None };
        (self.model.objects.get(object.index())? == &made).then_some(())
    }

    /// Whether a contact is what the reader makes under the exciter's name, altered as its keys say.
    pub(crate) fn has_contact(&self, contact: ContactId, alter: impl Fn(&Interaction, &mut Interaction)) -> Option<()> {
        let contact = self.model.interactions.get(contact.index())?;
        let mut made = Interaction::new(self.name, Point::of(self.name), contact.to.clone(), contact.law);
        made.active = false;
        alter(contact, &mut made);
        (contact == &made).then_some(())
    }

    /// The place of the object of the exciter's own name.
    pub(crate) fn object_of_its_name(&self) -> Option<usize> {
        self.model.objects.iter().position(|object| object.name == self.name)
    }
}

/// The parts of an exciter, if they are what the reader would make of it.
pub(super) fn made_by_reader(scene: &Scene, exciter: &Exciter) -> Option<Made> {
    let owner = Owner { model: &scene.model, name: &exciter.name };
    exciter.tool.is_as_read(&owner, exciter)?;
    let Parts { body, contact, force, .. } = exciter.tool.parts();
    // A tool that moves nothing rests on a barrier of its own name.
    let object = match (body, contact) {
        (None, Some(_)) => owner.object_of_its_name(),
        (body, _) => body.map(ObjectId::index),
    };
    Some(Made { object, contact: contact.map(ContactId::index), force: force.map(ForceId::index) })
}

/// The table of an exciter.
pub(super) fn exciter(names: &Names<'_>, place: usize) -> Result<String, WriteError> {
    let exciter = &names.scene.exciters[place];
    let of = format!("the exciter `{}`", exciter.name);
    let is_made = names.tools.make_parts || exciter.tool.info().of.is_none();
    let mut rows = if is_made { whole(names, exciter, &of)? } else { of_parts(names, exciter, &of)? };
    let table = &names.exciters[place];
    named(&mut rows, table, &exciter.name);
    Ok(rows.table(&format!("[exciters.{}]", key(table))))
}

/// An exciter that makes its parts.
fn whole<'a>(names: &Names<'_>, exciter: &Exciter, of: &str) -> Result<Rows<'a>, WriteError> {
    let (scene, info) = (names.scene, exciter.tool.info());
    let Parts { contact, .. } = exciter.tool.parts();
    let law = contact.filter(|_| info.law.is_some()).map(|contact| scene.model.interactions[contact.index()].law);
    let table = exciters().iter().find(|table| table.name == info.name);
    let table = table.ok_or_else(|| WriteError::unsayable(of, format!("the kind `{}`", info.name)))?;
    let mut rows = Rows::new(table.table_for(law.map(|law| law.info().name)), of);
    rows.text("kind", info.name);
    if let Some(on) = exciter.tool.point(&scene.model) {
        rows.raw("on", point(names, of, &on)?);
    }
    exciter.tool.write(&mut rows, scene, exciter)?;
    Ok(rows)
}

/// An exciter of parts that have their own tables.
fn of_parts<'a>(names: &Names<'_>, exciter: &Exciter, of: &str) -> Result<Rows<'a>, WriteError> {
    let (model, tool) = (&names.scene.model, &exciter.tool);
    let mut rows = Rows::new(parts_info(), of);
    let apart = || WriteError::unsayable(of, "a tool that is not `from` of its contact");
    rows.text("kind", tool.info().name);
    match tool.parts() {
        Parts { contact: Some(contact), body, .. } => {
            let from = names.object_place(of, &model.interactions[contact.index()].from.object)?;
            if body.is_some_and(|body| body.index() != from) {
                return Err(apart());
            }
            rows.text("of", names.contact_at(contact.index()).ok_or_else(apart)?);
        }
        Parts { force: Some(force), .. } => rows.text("of", names.force_at(force.index()).ok_or_else(apart)?),
        _ => return Err(apart()),
    }
    rows.number_unless(tool.info().amount.key, exciter.amount, tool.usual_of(model))?;
    if let Some(clearance) = tool.clearance() {
        rows.number_unless("clearance", clearance, CLEARANCE)?;
    }
    Ok(rows)
}
