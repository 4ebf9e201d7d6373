//! Gravity: the weight of an object, and whether anything can hold it.
//!
//! Weight acts on all of a body, so it is given to an object and not to a point of it. A body that is free falls until a contact pushes it up. If
//! none can, it would fall for ever and be heard once at most: a slip, often of the two ends of a contact, and told as such.

use std::collections::{BTreeMap, BTreeSet};

use ictus::laws::ContactLaw;
use ictus::model::{Force, Interaction, Point};
use ictus::objects::Place;

use super::draft::{Draft, Scope};
use super::fields::Fields;
use super::points::written_name;
use crate::objects::words_of;
use crate::problem::{Found, Span};
use crate::scene::Exciter;

impl Draft<'_> {
    /// The weight of the object at `at`; what is wrong is reported.
    pub(crate) fn weight(&mut self, fields: &Fields<'_>, name: &str, scope: Scope<'_>) -> Option<Force> {
        let (index, place) = self.object_at(fields, "at", scope)?;
        let object = &self.model.objects[index];
        let written = fields.node("at").map_or("", written_name);
        if place != Place::Whole {
            let message = "gravity acts on all of an object, not on a point of it";
            fields.report("at", message, format!("write \"{written}\""));
            return None;
        }
        let Some(force) = Force::weight(&self.model_name(fields, scope, scope.full_name(name)), object) else {
            let (message, help) = (words_of(object.spec.kind()).weightless)(written);
            fields.report("at", message, help);
            return None;
        };
        self.weights.push((index, fields.span_of("at")));
        Some(force)
    }

    /// Tells of every body on which gravity acts and which nothing can hold.
    pub(crate) fn check_held(&self) {
        if self.weights.is_empty() {
            return;
        }
        let places: BTreeMap<&str, usize> =
            self.model.objects.iter().enumerate().map(|(index, object)| (&*object.name, index)).collect();
        let place = |point: &Point| places.get(&*point.object).copied();
        let ends = |contact: &Interaction| Some([place(&contact.from)?, place(&contact.to)?]);
        let contacts: Vec<(&Interaction, [usize; 2])> =
            self.model.interactions.iter().filter_map(|contact| Some((contact, ends(contact)?))).collect();
        let falling = self.falling(&contacts);
        // What lies on something that falls is mended with it.
        let below = |[from, to]: [usize; 2]| falling.contains_key(&from).then_some(to);
        let lying: BTreeSet<usize> = contacts.iter().filter_map(|(_, ends)| below(*ends)).collect();
        let round = falling.keys().all(|object| lying.contains(object));
        let upside_down = |[from, to]: [usize; 2]| (!falling.contains_key(&to)).then_some(from);
        let hanging: BTreeMap<usize, &str> =
            contacts.iter().filter_map(|(contact, ends)| Some((upside_down(*ends)?, &*contact.name))).collect();
        let mut last = None;
        for (&object, &span) in falling.iter().filter(|(object, _)| round || !lying.contains(object)) {
            // Those of a set were written in one place: one of them speaks for all.
            if last.replace(span) != Some(span) {
                self.context.report(self.unheld(object, span, hanging.get(&object).copied()));
            }
        }
    }

    /// The bodies that fall for ever, and where their weight was written.
    fn falling(&self, contacts: &[(&Interaction, [usize; 2])]) -> BTreeMap<usize, Span> {
        // The head of a hammer is put back by every blow.
        let head = |exciter: &Exciter| Some(exciter.tool.thrown()?.index());
        let thrown: BTreeSet<usize> = self.exciters.iter().filter_map(head).collect();
        let is_free = |object: &usize| !self.model.objects[*object].spec.is_held() && !thrown.contains(object);
        let mut falling: BTreeMap<usize, Span> =
            self.weights.iter().filter(|(object, _)| is_free(object)).copied().collect();
        // Which objects each object can lift.
        let mut lifts = vec![Vec::new(); self.model.objects.len()];
        for (contact, [from, to]) in contacts {
            lifts[*from].push(*to);
            // `from` is below: a contact that only pushes pushes it down.
            if contact.law.surface().is_none() {
                lifts[*to].push(*from);
            }
        }
        // What rests on something that does not fall does not fall.
        let holds = |object: &usize| !falling.contains_key(object) && !thrown.contains(object);
        let mut still: Vec<usize> = (0..lifts.len()).filter(holds).collect();
        while let Some(object) = still.pop() {
            still.extend(lifts[object].iter().filter(|lifted| falling.remove(lifted).is_some()));
        }
        falling
    }

    /// What is said of a body that nothing holds, and of the contact in which it is on the wrong side.
    fn unheld(&self, object: usize, span: Span, hanging: Option<&str>) -> Found {
        let name = &self.model.objects[object].name;
        let hold = words_of(self.model.objects[object].spec.kind()).hold;
        let help = match hanging {
            Some(contact) => format!(
                "in the contact `{contact}` it is `from`, the point below, which is only pushed down: exchange `from` and `to`"
            ),
            None => format!("{hold}put something under it by a contact in which it is `to`"),
        };
        Found::new(span, format!("nothing can hold `{name}`: it would fall for ever"))
            .help(format!("{help}; or give a `level` instead of `gravity` to let it fall"))
    }
}
