//! The things of a scene: objects, exciters, contacts, forces and pickups, those of scenes that it uses and those of its sets.

use std::collections::BTreeMap;

use super::draft::{Draft, Scope, SetDraft};
use super::joined::Joined;
use super::quantity;
use crate::parameters::Thing;
use crate::problem::Span;
use crate::registry::Family;
use crate::tree::{Key, Node, Table};

/// Most objects, contacts, exciters, forces and pickups each, sets written out.
const MOST_THINGS: usize = 10_000;

/// Longest name of a table, in bytes.
const MOST_NAME: usize = 100;

/// Whether a table can be called so. Sets make names such as `bars.C#4+10c`: written out, they stand in quotation marks.
pub(crate) fn can_be_name(name: &str) -> bool {
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '#' | '+');
    let parts_are_whole = name.split('.').all(|part| !part.is_empty() && part != "each");
    name.len() <= MOST_NAME && parts_are_whole && name.chars().all(good)
}

/// The tables of a family, in the order of the text.
pub(super) fn family(table: &Table, family: Family) -> impl Iterator<Item = &(Key, Node)> {
    table.get(family.key()).and_then(Node::table).map(|table| &*table.entries).unwrap_or_default().iter()
}

/// The families whose names are the scene's, in the order in which they can refer to each other.
pub(super) const THINGS: [Family; 5] =
    [Family::Objects, Family::Exciters, Family::Contacts, Family::Forces, Family::Pickups];

impl Draft<'_> {
    /// Objects, exciters, contacts, forces and pickups of scenes that are used, of the scene and of its sets.
    pub(super) fn read_things(&mut self, table: &Table, joined: &mut [Joined]) -> Vec<(SetDraft, Table)> {
        let mut names = BTreeMap::new();
        for each in THINGS.into_iter().chain([Family::Sets]) {
            for (key, node) in family(table, each) {
                self.check_name(key, &mut names);
                if node.table().is_none() {
                    self.report(node.span, format!("`{}` is {}, must be a table", key.name, node.kind()), "");
                }
            }
        }
        for each in joined.iter().filter(|each| names.contains_key(each.prefix())) {
            let message = format!("the name `{}` is used twice", each.prefix());
            self.report(each.span(), message, "give the scene another `name`: { scene = \"…\", name = \"other\" }");
        }
        self.check_foreign_names(table, joined);
        let mut sets = Vec::new();
        for (key, node) in family(table, Family::Sets) {
            let Some(inner) = node.table() else { continue };
            let mut names = BTreeMap::new();
            for (key, _) in THINGS.iter().flat_map(|each| family(inner, *each)) {
                self.check_name(key, &mut names);
                if key.name.contains('.') {
                    self.report(
                        key.span,
                        format!("in a set `{}` cannot be a name", quantity::shortened(&key.name)),
                        "",
                    );
                }
            }
            match self.read_set(&key.name, key.span, inner) {
                Some(set) => {
                    self.check_suffixes(&set, inner);
                    sets.push((set, inner.clone()));
                }
                None => {
                    self.broken.insert(key.name.clone(), Family::Objects);
                    for each in THINGS {
                        let names = family(inner, each).map(|(inner, _)| format!("{}.{}", key.name, inner.name));
                        self.broken.extend(names.map(|name| (name, each)));
                    }
                }
            }
        }
        if !self.has_room(table, &sets, joined) {
            return sets;
        }
        self.join(joined, Family::Objects);
        for (set, inner) in &sets {
            self.read_each(set, inner);
            for suffix in &set.suffixes {
                let each = format!("{}.{suffix}", set.name);
                if !self.things.contains_key(&each) {
                    self.broken.insert(each, Family::Objects);
                }
            }
            if !self.things.contains_key(&set.name) {
                self.broken.insert(set.name.clone(), Family::Objects);
            }
        }
        let mut of_parts = Vec::new();
        for each in THINGS {
            if each != Family::Objects {
                self.join(joined, each);
            }
            if each == Family::Pickups {
                for (place, key, table) in of_parts.drain(..) {
                    let (key, table): (&Key, &Table) = (key, table);
                    self.read_parts(place, &key.name, key.span, table);
                    if !self.things.contains_key(&key.name) {
                        self.break_name(Family::Exciters, Scope::SCENE, &key.name);
                    }
                }
            }
            for (key, node) in family(table, each) {
                match node.table().filter(|inner| each == Family::Exciters && inner.get("of").is_some()) {
                    Some(inner) => of_parts.push((self.reserve_exciter(&key.name), key, inner)),
                    None => self.read_thing(each, key, node, Scope::SCENE),
                }
            }
            for (set, inner) in &sets {
                for (key, node) in family(inner, each) {
                    let before = self.context.count();
                    for index in 0..set.count() {
                        self.read_thing(each, key, node, Scope { set: Some((set, index)) });
                        if self.context.count() > before {
                            // What is wrong for one note is wrong for the others.
                            self.broken.insert(format!("{}.{}", set.name, key.name), each);
                            break;
                        }
                    }
                }
            }
        }
        sets
    }

    fn read_thing(&mut self, family: Family, key: &Key, node: &Node, scope: Scope<'_>) {
        let Some(table) = node.table() else { return };
        if self.context.is_full() {
            return;
        }
        let full_name = scope.full_name(&key.name);
        match family {
            Family::Objects => {
                if let Some(object) = self.read_object(&full_name, key.span, table, scope, None) {
                    self.name(scope, &key.name, Thing::Object(object));
                }
            }
            Family::Contacts => self.read_contact(&key.name, key.span, table, scope),
            Family::Exciters => self.read_exciter(&key.name, key.span, table, scope),
            Family::Forces => self.read_force(&key.name, key.span, table, scope),
            Family::Pickups => self.read_pickup(&key.name, key.span, table, scope),
            Family::Sets | Family::Showers | Family::Controls => {}
        }
        if !self.things.contains_key(&full_name) {
            self.break_name(family, scope, &key.name);
        }
    }

    /// Names are letters, digits, `-` and `_`, and in quotation marks what sets make of them too; each stands once.
    pub(super) fn check_name(&self, key: &Key, names: &mut BTreeMap<String, ()>) {
        if !can_be_name(&key.name) {
            let message = format!("`{}` cannot be a name", quantity::shortened(&key.name));
            self.report(key.span, message, "names are letters, digits, - and _, and not `each`");
        }
        if names.insert(key.name.clone(), ()).is_some() {
            let message = format!("the name `{}` is used twice", quantity::shortened(&key.name));
            self.report(key.span, message, "objects, contacts, exciters, forces, pickups and sets share their names");
        }
    }

    /// What is called like a thing of a set, in quotation marks, must not be in a scene that has the set.
    fn check_foreign_names(&self, table: &Table, joined: &[Joined]) {
        let is_set = |name: &str| family(table, Family::Sets).any(|(key, _)| key.name == name);
        for (key, _) in THINGS.iter().flat_map(|each| family(table, *each)) {
            if let Some((set, _)) = key.name.split_once('.').filter(|(set, _)| is_set(set)) {
                let message = format!("`{}` is a name of the set `{set}`", quantity::shortened(&key.name));
                self.report(key.span, message, "give it another name, or write it into the set");
            }
        }
        let is_used = |name: &str| joined.iter().any(|each| each.prefix() == name);
        for (key, _) in THINGS.iter().flat_map(|each| family(table, *each)) {
            if let Some((prefix, _)) = key.name.split_once('.').filter(|(prefix, _)| is_used(prefix)) {
                let message = format!("`{}` is a name of the scene `{prefix}`", quantity::shortened(&key.name));
                self.report(key.span, message, "give it another name");
            }
        }
        for (key, _) in family(table, Family::Sets).filter(|(key, _)| key.name.contains('.')) {
            self.report(key.span, format!("`{}` cannot be the name of a set", quantity::shortened(&key.name)), "");
        }
    }

    /// What a set calls its things must not be what it calls its notes: `bars.C4` is a bar.
    fn check_suffixes(&self, set: &SetDraft, inner: &Table) {
        for (key, _) in THINGS.iter().flat_map(|each| family(inner, *each)) {
            if set.suffixes.contains(&key.name) {
                let message = format!("`{}` is the name of a note of this set", key.name);
                self.report(key.span, message, "give it another name");
            }
        }
    }

    /// Whether the scene, its sets written out, is not too large to look at.
    fn has_room(&self, table: &Table, sets: &[(SetDraft, Table)], joined: &[Joined]) -> bool {
        let own: usize = THINGS.iter().map(|each| family(table, *each).count()).sum();
        let copies = |(set, inner): &(SetDraft, Table)| {
            set.count() * (1 + THINGS.iter().map(|each| family(inner, *each).count()).sum::<usize>())
        };
        let used: usize = joined.iter().map(Joined::count).sum();
        let count = own + used + sets.iter().map(copies).sum::<usize>();
        if count > MOST_THINGS {
            let message =
                format!("the scene has {count} objects, contacts, exciters, forces and pickups; at most {MOST_THINGS}");
            self.report(Span::Text { start: 0, end: 0 }, message, "use fewer notes in its sets");
        }
        count <= MOST_THINGS
    }
}
