//! The numbers of a text by their paths, as `--set` takes them: what is written, and what holds where nothing is.

use super::THINGS;
use super::context::Context;
use super::family;
use super::quantity::{Share, is_spread, number_of, quantity};
use super::{occasions, variation};
use crate::parameters::FixedKey;
use crate::registry::{Bounds, Family, Field, Kind, TableInfo, contact, exciters, objects, played, whole};
use crate::tree::{Node, Table, Value};
use crate::units::{Measure, NUMBER};

/// Every number of a scene's text.
pub(super) fn of(context: &Context, scene: &Table) -> Vec<FixedKey> {
    let mut keys = Keys { context, all: Vec::new(), is_in_set: false };
    keys.add("", whole::scene(), scene);
    for (name, info) in [("output", whole::output as fn() -> _), ("limits", whole::limits), ("notes", played::notes)] {
        if let Some(table) = scene.get(name).and_then(Node::table) {
            keys.add(name, info(), table);
        }
    }
    keys.add_things("", scene);
    for (set, node) in family(scene, Family::Sets) {
        let Some(table) = node.table() else { continue };
        keys.is_in_set = true;
        keys.add_things(&set.name, table);
        if let Some(template) = table.get("object").and_then(Node::table) {
            keys.add_thing(&format!("{}.object", set.name), Family::Objects, template);
        }
        keys.is_in_set = false;
    }
    for (name, node) in family(scene, Family::Showers) {
        if let Some(table) = node.table() {
            context.repeat.set(Some(0));
            keys.add(&name.name, played::shower(), table);
            context.repeat.set(None);
        }
    }
    let events = scene.get("events").and_then(Node::list).unwrap_or_default();
    for (number, event) in events.iter().enumerate() {
        if let Some(table) = event.table() {
            // Of an event that repeats, what holds for the first time.
            context.repeat.set(occasions::repeats(table).then_some(0));
            keys.add_written(&format!("events.{number}"), played::event(), table);
            context.repeat.set(None);
        }
    }
    keys.all
}

struct Keys<'a> {
    context: &'a Context,
    all: Vec<FixedKey>,
    is_in_set: bool,
}

impl Keys<'_> {
    fn add_things(&mut self, set: &str, table: &Table) {
        for each in THINGS {
            for (key, node) in family(table, each) {
                if let Some(table) = node.table() {
                    self.add_thing(&joined(set, &key.name), each, table);
                }
            }
        }
    }

    fn add_thing(&mut self, path: &str, family: Family, table: &Table) {
        if let Some(info) = info_of(family, table) {
            self.add(path, info, table);
        }
    }

    /// The numbers of a table, and those that hold because they are not written.
    fn add(&mut self, path: &str, info: &TableInfo, table: &Table) {
        self.add_written(path, info, table);
        for field in info.fields.iter().filter(|field| table.get(&field.key).is_none()) {
            let excluded =
                |group: &&&[&str]| group.contains(&&*field.key) && group.iter().any(|key| table.get(key).is_some());
            if info.exclusive.iter().find(excluded).is_some() {
                continue;
            }
            if let Some((measure, range)) = number_kind(&field.kind)
                && let Ok(value) = number_of(&field.default, &measure, self.context)
            {
                self.put(path, field, &measure, range, value);
            }
        }
    }

    /// The numbers that are written in a table, and in the tables in it.
    fn add_written(&mut self, path: &str, info: &TableInfo, table: &Table) {
        for (key, node) in &table.entries {
            let Some(field) = info.field(&key.name) else { continue };
            if let Kind::Table(inner) = field.kind
                && let Some(table) = node.table()
                && !path.is_empty()
            {
                self.add_written(&joined(path, &key.name), inner(), table);
            } else if let Some((measure, range)) = number_kind(&field.kind)
                && let Some(value) = self.value(node, field, &measure)
            {
                self.put(path, field, &measure, range, value);
            }
        }
    }

    /// The number of a node; of one that changes from note to note, that of the first.
    fn value(&self, node: &Node, field: &Field, measure: &Measure) -> Option<f64> {
        let count = match &node.value {
            Value::Table(table) if is_spread(table) => {
                table.get("values").and_then(Node::list).map_or(1, <[Node]>::len)
            }
            _ => 1,
        };
        let first = Share { fraction: 0.0, index: 0, count };
        if let Value::Varied(_) = node.value {
            let share = self.is_in_set.then_some(first);
            return match field.kind {
                Kind::Whole(least, most) => {
                    let whole = variation::whole(self.context, node, &field.key, [least, most], share).ok()?;
                    Some(whole as f64)
                }
                _ => quantity(self.context, node, &field.key, measure, &crate::registry::field::ANY, share).ok(),
            };
        }
        quantity(self.context, node, "", measure, &crate::registry::field::ANY, Some(first)).ok()
    }

    fn put(&mut self, path: &str, field: &Field, measure: &Measure, range: [f64; 2], value: f64) {
        self.all.push(FixedKey { path: joined(path, &field.key), unit: measure.unit, range, value });
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// What a number of a field measures, and its range; none if it can only be one.
fn number_kind(kind: &Kind) -> Option<(Measure, [f64; 2])> {
    match kind {
        Kind::Quantity(measure, Bounds { least, most, .. }) => Some((*measure, [*least, *most])),
        Kind::Whole(least, most) if least < most => Some((NUMBER, [*least as f64, *most as f64])),
        Kind::Either(kinds) => kinds.iter().find_map(number_kind),
        _ => None,
    }
}

/// The keys of a thing.
fn info_of(family: Family, table: &Table) -> Option<&'static TableInfo> {
    let kind = || table.get("kind").and_then(Node::text);
    match family {
        Family::Objects => objects().iter().find(|info| Some(info.name) == kind()).map(|info| &info.table),
        Family::Exciters if table.get("of").is_some() => Some(super::exciters::parts_info()),
        Family::Exciters => {
            let info = exciters().iter().find(|info| Some(info.name) == kind())?;
            Some(info.table_for(table.get("law").and_then(Node::text)))
        }
        Family::Contacts => {
            let law = table.get("law").and_then(Node::text)?;
            contact::contacts().iter().find(|(name, _)| *name == law).map(|(_, info)| info)
        }
        Family::Forces => Some(contact::force()),
        Family::Pickups => Some(contact::pickup()),
        Family::Sets | Family::Showers | Family::Controls => None,
    }
}
