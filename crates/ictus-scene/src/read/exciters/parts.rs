//! An exciter `of` a contact or a force that the scene has: it makes no parts of its own.

use std::sync::LazyLock;

use ictus::id::{ContactId, ForceId, ObjectId};
use ictus::model::ObjectSpec;

use super::{Draft, Fields, Scope, Span, Table, Thing};
use crate::instrument::bounds::{FASTEST, MOST_RESISTANCE, STRONGEST};
use crate::problem::suggestion;
use crate::registry::field::{above_to, between};
use crate::registry::{Family, Field, Kind, TableInfo};
use crate::scene::{Exciter, Tool};
use crate::units::{FORCE, LENGTH, RESISTANCE, VELOCITY};

/// Kinds that consist of a contact or a force.
const KINDS: &[&str] = &["hammer", "plectrum", "bow", "finger", "signal"];

/// `of = …`
pub(crate) fn parts_info() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "an exciter of parts",
            "An exciter that plays with a contact, or a signal with a force, that the scene has.",
            vec![
                Field::choice("kind", KINDS).required().doc("What it is."),
                Field::new("of", Kind::Name("contacts or forces"))
                    .required()
                    .doc("The contact it plays with; `from` is the mass of a hammer, or the barrier of a plectrum or bow. Of a signal: the force with `samples`."),
                Field::quantity("velocity", VELOCITY, between(-FASTEST, FASTEST))
                    .default("as without `of`")
                    .doc("Of a hammer, plectrum or bow: how fast."),
                Field::quantity("clearance", LENGTH, above_to(0.0, 10.0))
                    .default("1 mm")
                    .doc("Of a hammer or plectrum: from how far it comes."),
                Field::quantity("damping", RESISTANCE, between(0.0, MOST_RESISTANCE))
                    .default("that of the contact")
                    .doc("Of a finger: its resistance."),
                Field::quantity("level", FORCE, between(-STRONGEST, STRONGEST))
                    .default("that of the force")
                    .doc("Of a signal: its factor."),
                Field::name(),
            ],
        )
    });
    &INFO
}

/// Keys of a kind besides `kind`, `of` and `name`.
fn keys_of(kind: &str) -> &'static [&'static str] {
    match kind {
        "hammer" | "plectrum" => &["velocity", "clearance"],
        "bow" => &["velocity"],
        "finger" => &["damping"],
        _ => &["level"],
    }
}

impl Draft<'_> {
    /// Keeps the place of an exciter of parts in the list: its contact is read later.
    pub(crate) fn reserve_exciter(&mut self, name: &str) -> usize {
        let unknown = Tool::Pluck { object: ObjectId::new(usize::MAX), centre: 0.0, half_width: 0.0 };
        self.add_exciter(Exciter { name: name.to_owned(), tool: unknown, amount: 0.0 }, usize::MAX)
    }

    /// Fills a place that was kept; what is wrong is reported.
    pub(crate) fn read_parts(&mut self, place: usize, name: &str, span: Span, table: &Table) {
        let fields = Fields::new(self.context, parts_info(), table, span, None);
        let Some((tool, amount, played)) = self.parts(&fields) else { return };
        let name_given = self.model_name(&fields, Scope::SCENE, name.to_owned());
        self.exciters[place] = Exciter { name: name_given, tool, amount };
        self.played[place] = played;
        self.name(Scope::SCENE, name, Thing::Exciter(place));
    }

    /// The tool, its amount, and the object it plays.
    fn parts(&self, fields: &Fields<'_>) -> Option<(Tool, f64, usize)> {
        let kind = fields.text("kind").filter(|kind| KINDS.contains(kind))?;
        let keys = keys_of(kind);
        for (key, _) in &fields.table.entries {
            let known = ["kind", "of", "name"].contains(&&*key.name) || keys.contains(&&*key.name);
            if !known && fields.info.field(&key.name).is_some() {
                let message = format!("`{}` does not go with a {kind} that is `of` something", key.name);
                self.report(key.span, message, format!("with it go: {}", keys.join(", ")));
                return None;
            }
        }
        let of = fields.text("of")?;
        if self.is_broken(of) {
            return None;
        }
        let thing = match self.things.get(of).map(Vec::as_slice) {
            Some([thing @ (Thing::Contact(_) | Thing::Force(_))]) => *thing,
            _ => {
                let family = if kind == "signal" { Family::Forces } else { Family::Contacts };
                let fits = |things: &[Thing]| matches!(things, [Thing::Contact(_) | Thing::Force(_)]);
                let names = self.names_of(Some(family), fits);
                let message = format!("there is no contact or force `{}`", super::shortened(of));
                fields.report("of", message, suggestion(of, family.key(), names));
                return None;
            }
        };
        let object = |name: &str| self.model.objects.iter().position(|object| object.name == name);
        match (kind, thing) {
            ("signal", Thing::Force(force)) => {
                let model = &self.model.forces[force];
                if model.signal.is_none() {
                    fields.report("of", "this force has no `samples`", "a signal plays the samples of a force");
                    return None;
                }
                let amount = fields.number_or("level", model.level);
                Some((Tool::Signal { force: ForceId::new(force) }, amount, object(&model.at.object)?))
            }
            ("signal", _) => {
                fields.report("of", "a signal is `of` a force", "");
                None
            }
            (_, Thing::Contact(contact)) => {
                let model = &self.model.interactions[contact];
                let (from, played) = (object(&model.from.object)?, object(&model.to.object)?);
                let (part, contact) = (ObjectId::new(from), ContactId::new(contact));
                let clearance = fields.number_or("clearance", 1e-3);
                let (tool, usual) = match kind {
                    "hammer" => (Tool::Hammer { mass: part, contact, clearance }, 1.0),
                    "plectrum" => (Tool::Plectrum { barrier: part, contact, clearance }, 0.3),
                    "bow" => (Tool::Bow { barrier: part, contact }, 0.1),
                    _ => (Tool::Finger { contact }, model.damping),
                };
                let fits = match (kind, &self.model.objects[from].spec) {
                    ("hammer", spec) => matches!(spec, ObjectSpec::Mass(_)),
                    ("plectrum" | "bow", spec) => matches!(spec, ObjectSpec::Barrier(_)),
                    _ => true,
                };
                if !fits {
                    let part = if kind == "hammer" { "mass" } else { "barrier" };
                    fields.report(
                        "of",
                        format!("`from` of this contact is no {part}"),
                        format!("a {kind} moves a {part}"),
                    );
                    return None;
                }
                let key = if kind == "finger" { "damping" } else { "velocity" };
                Some((tool, fields.number_or(key, usual), played))
            }
            _ => {
                fields.report("of", format!("a {kind} is `of` a contact"), "");
                None
            }
        }
    }
}
