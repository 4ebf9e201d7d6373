//! The scene as it comes together: the model, and what each of its parts was called and where it was written.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ictus::Model;
use ictus::model::{Interaction, Object, ObjectSpec};
use ictus::objects::Place;

use super::context::Context;
use super::fields::Fields;
use super::paths::Targets;
use super::quantity::Share;
use crate::ExciterId;
use crate::files::Recorded;
use crate::gains::Heard;
use crate::notes::Note;
use crate::parameters::{Parts, Thing};
use crate::problem::{Found, Span};
use crate::registry::Family;
use crate::scene::Exciter;

/// Where an object of the model was written, and what kind it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) span: Span,
    /// Where its grid was written, if it was.
    pub(crate) grid: Option<Span>,
    /// Where its decay times were written, if they were.
    pub(crate) t60: Option<Span>,
    pub(crate) kind: &'static str,
    /// Whether some of its keys are wrong: physics then has nothing to say, for it would speak of what nobody wrote.
    pub(crate) is_faulty: bool,
}

/// A set, before its templates are read.
pub(crate) struct SetDraft {
    pub(crate) name: String,
    pub(crate) notes: Vec<Note>,
    /// What each copy is called: its note, or its number in a pool.
    pub(crate) suffixes: Vec<String>,
    /// Whether the copies are a pool of voices for all notes.
    pub(crate) is_pool: bool,
}

impl SetDraft {
    pub(crate) fn count(&self) -> usize {
        self.suffixes.len()
    }

    /// Lowest and highest key.
    pub(crate) fn keys(&self) -> [u8; 2] {
        let keys = || self.notes.iter().map(|note| note.key);
        [keys().min().unwrap_or(0), keys().max().unwrap_or(0)]
    }

    pub(crate) fn share(&self, index: usize) -> Share {
        let count = self.count();
        let [low, high] = self.keys().map(f64::from);
        let fraction = match self.notes.get(index) {
            Some(note) if !self.is_pool && high > low => (f64::from(note.key) - low) / (high - low),
            _ if count > 1 => index as f64 / (count - 1) as f64,
            _ => 0.0,
        };
        Share { fraction, index, count }
    }
}

/// Where a table stands: in the scene, or in a copy of a set.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) set: Option<(&'a SetDraft, usize)>,
}

impl Scope<'_> {
    pub(crate) const SCENE: Scope<'static> = Scope { set: None };

    pub(crate) fn share(&self) -> Option<Share> {
        self.set.map(|(set, index)| set.share(index))
    }

    /// The full name of what this table calls `name`.
    pub(crate) fn full_name(&self, name: &str) -> String {
        match self.set {
            None => name.to_owned(),
            Some((set, index)) => format!("{}.{name}.{}", set.name, set.suffixes[index]),
        }
    }

    /// The full name of what a text in this table refers to: `each` is the copy's own.
    pub(crate) fn referred(&self, text: &str) -> String {
        let Some((set, index)) = self.set else { return text.to_owned() };
        if text == "each" {
            return format!("{}.{}", set.name, set.suffixes[index]);
        }
        match text.strip_prefix("each.") {
            Some(name) => self.full_name(name),
            None => text.to_owned(),
        }
    }

    /// The name under which all copies are found together.
    pub(crate) fn group_name(&self, name: &str) -> Option<String> {
        self.set.map(|(set, _)| format!("{}.{name}", set.name))
    }
}

/// The scene as it comes together.
pub(crate) struct Draft<'a> {
    pub(crate) context: &'a Context,
    pub(crate) model: Model,
    pub(crate) exciters: Vec<Exciter>,
    /// Things by their names; groups have several.
    pub(crate) things: BTreeMap<String, Vec<Thing>>,
    /// What the gains of pickups are.
    pub(crate) heard: Heard,
    pub(crate) objects: Vec<Written>,
    pub(crate) contacts: Vec<Span>,
    pub(crate) forces: Vec<Span>,
    /// What signals were read from files.
    pub(crate) recordings: Vec<Recorded>,
    /// Objects on which gravity acts, and where that was written.
    pub(crate) weights: Vec<(usize, Span)>,
    pub(crate) pickups: Vec<Span>,
    /// The object that each exciter acts on.
    pub(crate) played: Vec<usize>,
    /// For objects of sets: the keys they can sound.
    pub(crate) keys: BTreeMap<usize, [u8; 2]>,
    pub(crate) channels: usize,
    /// Names of what the text has but could not be read, and what it would be: what refers to them is not to blame.
    pub(crate) broken: BTreeMap<String, Family>,
    /// Targets of paths that were looked up before.
    pub(crate) known_paths: RefCell<BTreeMap<String, Targets>>,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(context: &'a Context, channels: usize) -> Self {
        Self {
            context,
            model: Model::new(context.rate),
            exciters: vec![],
            things: BTreeMap::new(),
            heard: Heard::default(),
            objects: vec![],
            contacts: vec![],
            forces: vec![],
            recordings: vec![],
            weights: vec![],
            pickups: vec![],
            played: vec![],
            keys: BTreeMap::new(),
            channels,
            broken: BTreeMap::new(),
            known_paths: RefCell::default(),
        }
    }

    pub(crate) fn report(&self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.context.report(Found::new(span, message).help(help));
    }

    /// What the model calls a thing: the table's own `name`, or that of the table.
    pub(crate) fn model_name(&self, fields: &Fields<'_>, scope: Scope<'_>, full_name: String) -> String {
        match fields.text("name") {
            Some(_) if scope.set.is_some() => {
                fields.report("name", "the things of a set are called after its notes", "leave `name` out");
                full_name
            }
            Some(given) => given.to_owned(),
            None => full_name,
        }
    }

    /// Names a thing, alone and in its group.
    pub(crate) fn name(&mut self, scope: Scope<'_>, name: &str, thing: Thing) {
        self.things.insert(scope.full_name(name), vec![thing]);
        if let Some(group) = scope.group_name(name) {
            self.things.entry(group).or_default().push(thing);
        }
    }

    /// Remembers that what has this name could not be read.
    pub(crate) fn break_name(&mut self, family: Family, scope: Scope<'_>, name: &str) {
        self.broken.insert(scope.full_name(name), family);
        self.broken.extend(scope.group_name(name).map(|group| (group, family)));
    }

    /// Names that may have been meant: of things that fit, and of those of a family that could not be read.
    pub(crate) fn names_of(&self, family: Option<Family>, fits: impl Fn(&[Thing]) -> bool) -> Vec<&str> {
        let read = self.things.iter().filter(|(_, things)| fits(things)).map(|(name, _)| name.as_str());
        let belongs = |of: Family| family.is_none_or(|family| family == of);
        let broken = self.broken.iter().filter(|(_, family)| belongs(**family)).map(|(name, _)| name.as_str());
        let mut names: Vec<&str> = read.chain(broken).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether a name, or what it is part of, could not be read; or looking on is no use at all.
    pub(crate) fn is_broken(&self, name: &str) -> bool {
        let prefixes = name.match_indices('.').map(|(at, _)| &name[..at]).chain([name]);
        self.context.is_full() || prefixes.into_iter().any(|prefix| self.broken.contains_key(prefix))
    }

    /// Adds an object to the model and returns its place.
    pub(crate) fn add_object(&mut self, name: String, spec: impl Into<ObjectSpec>, written: Written) -> usize {
        self.model.objects.push(Object { name, spec: spec.into(), start: None });
        self.objects.push(written);
        self.objects.len() - 1
    }

    /// Adds a contact to the model and returns its place.
    pub(crate) fn add_contact(&mut self, contact: Interaction, written: Span) -> usize {
        self.model.interactions.push(contact);
        self.contacts.push(written);
        self.contacts.len() - 1
    }

    /// Adds an exciter and returns its handle.
    pub(crate) fn add_exciter(&mut self, exciter: Exciter, played: usize) -> ExciterId {
        let place = ExciterId::new(self.exciters.len());
        self.exciters.push(exciter);
        self.played.push(played);
        place
    }

    /// The object that a name stands for: itself, or the mass or barrier of an exciter.
    pub(crate) fn object_of(&self, thing: Thing) -> Option<usize> {
        match thing {
            Thing::Object(object) => Some(object),
            Thing::Exciter(exciter) => Some(self.exciters.get(exciter.index())?.tool.parts().body?.index()),
            _ => None,
        }
    }

    /// The contact that a name stands for: itself, or that of an exciter.
    pub(crate) fn contact_of(&self, thing: Thing) -> Option<usize> {
        Parts { model: &self.model, exciters: &self.exciters, heard: &self.heard }.contact_of(thing)
    }

    /// The kind of an object, and whether a place is one on it.
    pub(crate) fn fits(&self, object: usize, place: Place) -> bool {
        let Some(written) = self.model.objects.get(object) else { return false };
        match place {
            Place::Everywhere => written.spec.mass().is_some(),
            place => written.spec.extent().has(place),
        }
    }
}
