//! What everything is called in the text, and which parts of the model the exciters make themselves.

use std::collections::{BTreeSet, HashMap};

use ictus::model::{Interaction, Object, ObjectSpec, Source, Target};

use super::WriteError;
use super::exciters;
use super::rows::Rows;
use crate::read::can_be_name;
use crate::scene::{Exciter, Parts, Scene};

/// The parts of the model that exciters make, by their places; none if the exciters are written `of` their parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tools {
    pub(crate) make_parts: bool,
    pub(crate) objects: Vec<usize>,
    pub(crate) contacts: Vec<usize>,
    pub(crate) forces: Vec<usize>,
}

impl Tools {
    /// Exciters that make nothing.
    pub(crate) fn of_parts() -> Self {
        Self::default()
    }
}

/// What exciters make, if all of them are what the reader makes and stand where it puts them: objects behind all others, contacts and forces before.
pub(crate) fn made_by_reader(scene: &Scene) -> Option<Tools> {
    let mut tools = Tools { make_parts: true, ..Tools::default() };
    for exciter in &scene.exciters {
        let made = exciters::made_by_reader(scene, exciter)?;
        tools.objects.extend(made.object);
        tools.contacts.extend(made.contact);
        tools.forces.extend(made.force);
    }
    let first = scene.model.objects.len().checked_sub(tools.objects.len())?;
    let in_order =
        |places: &[usize], first: usize| places.iter().enumerate().all(|(index, place)| *place == first + index);
    let is_usual = in_order(&tools.objects, first) && in_order(&tools.contacts, 0) && in_order(&tools.forces, 0);
    is_usual.then_some(tools)
}

/// Whether all that is named by its place or by its name is there.
pub(super) fn check(scene: &Scene) -> Result<(), WriteError> {
    let model = &scene.model;
    let missing = |of: &str, what: &str| WriteError::missing(format!("`{of}`"), what);
    for Exciter { name, tool, .. } in &scene.exciters {
        let Parts { body, contact, force, plucked } = tool.parts();
        let object = body.or(plucked);
        if object.is_some_and(|object| object.index() >= model.objects.len()) {
            return Err(missing(name, "an object"));
        }
        if contact.is_some_and(|contact| contact.index() >= model.interactions.len()) {
            return Err(missing(name, "a contact"));
        }
        if force.is_some_and(|force| force.index() >= model.forces.len()) {
            return Err(missing(name, "a force"));
        }
    }
    let all = [
        ("objects", unique(model.objects.iter().map(|object| &*object.name))),
        ("contacts", unique(model.interactions.iter().map(|contact| &*contact.name))),
        ("forces", unique(model.forces.iter().map(|force| &*force.name))),
        ("exciters", unique(scene.exciters.iter().map(|exciter| &*exciter.name))),
        ("controls", unique(scene.controls.iter().map(|control| &*control.name))),
    ];
    for (what, twice) in all {
        if let Some(name) = twice {
            return Err(WriteError::unsayable("the scene", format!("two {what} called `{name}`")));
        }
    }
    let channels = model.pickups.first().map_or(0, |pickup| pickup.gains.len());
    if model.pickups.iter().any(|pickup| pickup.gains.len() != channels) {
        return Err(WriteError::unsayable("the scene", "pickups with different numbers of channels"));
    }
    Ok(())
}

/// A name that stands twice.
fn unique<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut seen = BTreeSet::new();
    names.find(|name| !seen.insert(*name))
}

/// What everything is called in the text.
pub(super) struct Names<'a> {
    pub(super) scene: &'a Scene,
    pub(super) tools: Tools,
    /// Tables by the places of what they describe.
    pub(super) exciters: Vec<String>,
    objects: Vec<Option<String>>,
    contacts: Vec<Option<String>>,
    forces: Vec<Option<String>>,
    pub(super) pickups: Vec<String>,
    pub(super) controls: Vec<String>,
    object_places: HashMap<&'a str, usize>,
    contact_places: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    pub(super) fn new(scene: &'a Scene, tools: Tools) -> Self {
        let model = &scene.model;
        let mut taken = BTreeSet::new();
        let exciters: Vec<String> =
            scene.exciters.iter().map(|exciter| claim(&mut taken, &exciter.name, "exciter")).collect();
        let mut unless = |is_made: bool, name: &str, what: &str| (!is_made).then(|| claim(&mut taken, name, what));
        let objects = model.objects.iter().enumerate();
        let objects =
            objects.map(|(place, object)| unless(tools.objects.contains(&place), &object.name, object.spec.kind()));
        let objects = objects.collect();
        let contacts = model.interactions.iter().enumerate();
        let contacts =
            contacts.map(|(place, contact)| unless(tools.contacts.contains(&place), &contact.name, "contact"));
        let contacts = contacts.collect();
        let forces = model.forces.iter().enumerate();
        let forces = forces.map(|(place, force)| unless(tools.forces.contains(&place), &force.name, "force")).collect();
        let pickups = model.pickups.iter().map(|pickup| claim(&mut taken, &ear(&pickup.source), "ear")).collect();
        let mut knobs = BTreeSet::new();
        let controls = scene.controls.iter().map(|control| claim(&mut knobs, &control.name, "control")).collect();
        let place_of = |(place, object): (usize, &'a Object)| (&*object.name, place);
        let contact_place = |(place, contact): (usize, &'a Interaction)| (&*contact.name, place);
        Self {
            scene,
            tools,
            exciters,
            objects,
            contacts,
            forces,
            pickups,
            controls,
            object_places: model.objects.iter().enumerate().map(place_of).collect(),
            contact_places: model.interactions.iter().enumerate().map(contact_place).collect(),
        }
    }

    /// Objects that have a table of their own.
    pub(super) fn objects(&self) -> impl Iterator<Item = usize> {
        own(&self.objects)
    }

    /// Contacts that have a table of their own.
    pub(super) fn contacts(&self) -> impl Iterator<Item = usize> {
        own(&self.contacts)
    }

    /// Forces that have a table of their own.
    pub(super) fn forces(&self) -> impl Iterator<Item = usize> {
        own(&self.forces)
    }

    /// The place of an object.
    pub(super) fn object_place(&self, of: &str, name: &str) -> Result<usize, WriteError> {
        self.object_places.get(name).copied().ok_or_else(|| WriteError::missing(of, format!("the object `{name}`")))
    }

    /// What an object is called: by its own table, or by the exciter it belongs to.
    pub(super) fn object(&self, of: &str, place: usize) -> Result<&str, WriteError> {
        if let Some(Some(key)) = self.objects.get(place) {
            return Ok(key);
        }
        let moves = |exciter: &Exciter| exciter.tool.parts().body.is_some_and(|body| body.index() == place);
        let exciter = self.scene.exciters.iter().position(moves);
        exciter.map(|exciter| &*self.exciters[exciter]).ok_or_else(|| WriteError::missing(of, "an object"))
    }

    /// What a contact of this name in the model is called: by its own table, or by the exciter it belongs to.
    pub(super) fn contact(&self, of: &str, name: &str) -> Result<&str, WriteError> {
        let missing = || WriteError::missing(of, format!("the contact `{name}`"));
        let place = *self.contact_places.get(name).ok_or_else(missing)?;
        self.contact_at(place).ok_or_else(missing)
    }

    /// The same by its place.
    pub(super) fn contact_at(&self, place: usize) -> Option<&str> {
        if let Some(key) = self.contacts.get(place)? {
            return Some(key);
        }
        let plays = |exciter: &Exciter| exciter.tool.parts().contact.is_some_and(|contact| contact.index() == place);
        self.scene.exciters.iter().position(plays).map(|exciter| &*self.exciters[exciter])
    }

    /// What a force with a table of its own is called.
    pub(super) fn force_at(&self, place: usize) -> Option<&str> {
        self.forces.get(place)?.as_deref()
    }

    /// What an object's specification is, by its place.
    pub(super) fn spec(&self, place: usize) -> Option<&'a ObjectSpec> {
        self.scene.model.objects.get(place).map(|object| &object.spec)
    }
}

/// Says what a thing is called, if its table is called otherwise.
pub(super) fn named(rows: &mut Rows<'_>, key: &str, name: &str) {
    if key != name {
        rows.text("name", name);
    }
}

fn own(keys: &[Option<String>]) -> impl Iterator<Item = usize> {
    keys.iter().enumerate().filter(|(_, key)| key.is_some()).map(|(place, _)| place)
}

/// What a pickup is called: the scene has no names for them.
fn ear(source: &Source) -> String {
    match source.target() {
        Target::Interaction(_) => format!("{}-ear", source.info().name),
        _ => "ear".to_owned(),
    }
}

/// The name of a table: the thing's own if it can be one and is free, or one like it.
fn claim(taken: &mut BTreeSet<String>, name: &str, what: &str) -> String {
    const MOST: usize = 80;
    let mut key: String = if can_be_name(name) {
        name.to_owned()
    } else {
        name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect()
    };
    while key.len() > MOST {
        key.pop();
    }
    if !can_be_name(&key) {
        key = what.to_owned();
    }
    if taken.contains(&key) && !key.ends_with(what) {
        key = format!("{key}-{what}");
    }
    let free = |key: &String| !taken.contains(key);
    let numbered = || (2..).map(|number: usize| format!("{key}-{number}")).find(|key| free(key));
    let key = if free(&key) { key } else { numbered().unwrap_or_default() };
    taken.insert(key.clone());
    key
}
