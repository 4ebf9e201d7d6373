//! An exciter `of` a contact or a force that the scene has: it makes no parts of its own.

use std::sync::LazyLock;

use ictus::id::{ContactId, ForceId, ObjectId};

use super::{Draft, Fields, Scope, Span, Table, Thing};
use crate::ExciterId;
use crate::instrument::bounds::{FASTEST, MOST_RESISTANCE, STRONGEST};
use crate::problem::suggestion;
use crate::registry::field::{above_to, between};
use crate::registry::{Family, Field, Kind, TableInfo};
use crate::scene::Exciter;
use crate::tools::{CLEARANCE, Held, Part, Signal, TOOLS, Tool};
use crate::units::{FORCE, LENGTH, RESISTANCE, VELOCITY};

/// Names of the kinds that can be `of` a part.
fn kinds() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| TOOLS.iter().filter(|kind| kind.info.of.is_some()).map(|kind| kind.info.name).collect());
    &NAMES
}

/// `of = …`
pub(crate) fn parts_info() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "an exciter of parts",
            "An exciter that plays with a contact, or a signal with a force, that the scene has.",
            vec![
                Field::choice("kind", kinds()).required().doc("What it is."),
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

impl Draft<'_> {
    /// Keeps the place of an exciter of parts in the list: its contact is read later.
    pub(crate) fn reserve_exciter(&mut self, name: &str) -> ExciterId {
        let unknown = Signal { force: ForceId::new(usize::MAX) }.into();
        self.add_exciter(Exciter { name: name.to_owned(), tool: unknown, amount: 0.0 }, usize::MAX)
    }

    /// Fills a place that was kept; what is wrong is reported.
    pub(crate) fn read_parts(&mut self, exciter: ExciterId, name: &str, span: Span, table: &Table) {
        let fields = Fields::new(self.context, parts_info(), table, span, None);
        let Some((tool, amount, played)) = self.parts(&fields) else { return };
        let name_given = self.model_name(&fields, Scope::SCENE, name.to_owned());
        self.exciters[exciter.index()] = Exciter { name: name_given, tool, amount };
        self.played[exciter.index()] = played;
        self.name(Scope::SCENE, name, Thing::Exciter(exciter));
    }

    /// The tool, its amount, and the object it plays.
    fn parts(&self, fields: &Fields<'_>) -> Option<(Tool, f64, usize)> {
        let entry = TOOLS.iter().find(|entry| Some(entry.info.name) == fields.text("kind"))?;
        let (kind, part) = (entry.info.name, entry.info.of?);
        let mut keys = vec![entry.info.amount.key];
        if entry.info.clearance {
            keys.push("clearance");
        }
        for (key, _) in &fields.table.entries {
            let known = ["kind", "of", "name"].contains(&&*key.name) || keys.contains(&&*key.name);
            if !known && fields.info.field(&key.name).is_some() {
                let message = format!("a {kind} that is `of` something does not take `{}`", key.name);
                self.report(key.span, message, format!("it takes: {}", keys.join(", ")));
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
                let family = if part == Part::Force { Family::Forces } else { Family::Contacts };
                let fits = |things: &[Thing]| matches!(things, [Thing::Contact(_) | Thing::Force(_)]);
                let names = self.names_of(Some(family), fits);
                let message = format!("there is no contact or force `{}`", super::shortened(of));
                fields.report("of", message, suggestion(of, family.key(), names));
                return None;
            }
        };
        let object = |name: &str| self.model.objects.iter().position(|object| object.name == name);
        let (held, played) = match (part, thing) {
            (Part::Force, Thing::Force(force)) => {
                let model = &self.model.forces[force];
                if model.signal.is_none() {
                    fields.report(
                        "of",
                        "this force has no `samples`",
                        format!("a {kind} plays the samples of a force"),
                    );
                    return None;
                }
                (Held::Force(ForceId::new(force)), object(&model.at.object)?)
            }
            (Part::Contact, Thing::Contact(contact)) => {
                let model = &self.model.interactions[contact];
                let (from, played) = (object(&model.from.object)?, object(&model.to.object)?);
                if let Some(moved) = entry.info.moves.filter(|moved| !moved.is(&self.model.objects[from].spec)) {
                    let moved = moved.kind();
                    let message = format!("`from` of this contact is not a {moved}");
                    fields.report("of", message, format!("a {kind} moves a {moved}"));
                    return None;
                }
                let clearance = fields.number_or("clearance", CLEARANCE);
                (Held::Contact { body: ObjectId::new(from), contact: ContactId::new(contact), clearance }, played)
            }
            (Part::Force, _) => {
                fields.report("of", format!("a {kind} is `of` a force"), "");
                return None;
            }
            (Part::Contact, _) => {
                fields.report("of", format!("a {kind} is `of` a contact"), "");
                return None;
            }
        };
        let tool = (entry.of)(held)?;
        Some((tool, fields.number_or(entry.info.amount.key, tool.usual_of(&self.model)), played))
    }
}
