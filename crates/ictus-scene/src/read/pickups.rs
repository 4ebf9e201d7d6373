//! Forces from outside, and pickups.

use ictus::model::{Force, Pickup, PickupInfo, Source};

use super::draft::{Draft, Scope};
use super::fields::Fields;
use super::quantity::shortened;
use crate::gains::directions_of;
use crate::parameters::Thing;
use crate::problem::{Span, suggestion};
use crate::registry::Family;
use crate::registry::contact::{force, pickup, usual};
use crate::tree::{Node, Table};
use crate::units::GAIN;

impl Draft<'_> {
    /// `[forces.NAME]`
    pub(crate) fn read_force(&mut self, name: &str, span: Span, table: &Table, scope: Scope<'_>) {
        let fields = Fields::new(self.context, force(), table, span, scope.share());
        let force = if fields.truth("gravity") == Some(true) && !fields.has("level") {
            self.weight(&fields, name, scope)
        } else {
            // Without gravity, and without a level, it does nothing.
            let level = fields.number("level").or(fields.truth("gravity").map(|_| 0.0));
            let at = self.point(&fields, "at", scope, false);
            let signal = fields.samples(self.context);
            at.zip(level).map(|(at, level)| Force {
                name: self.model_name(&fields, scope, scope.full_name(name)),
                at: at.point,
                level,
                signal,
            })
        };
        let Some(force) = force else { return };
        let index = self.model.forces.len();
        self.model.forces.push(force);
        self.forces.push(span);
        self.name(scope, name, Thing::Force(index));
    }

    /// `[pickups.NAME]`
    pub(crate) fn read_pickup(&mut self, name: &str, span: Span, table: &Table, scope: Scope<'_>) {
        let fields = Fields::new(self.context, pickup(), table, span, scope.share());
        let Some(source) = self.source(&fields, scope) else { return };
        let gain = fields.number_or("gain", 1.0);
        // For a gain of 1.
        let mut gains = vec![0.0; self.channels];
        match fields.whole("channel") {
            _ if fields.has("gains") => {
                let list = fields.node("gains").and_then(Node::list).unwrap_or_default();
                if list.len() != self.channels {
                    let message = format!("there are {} gains for {} channels", list.len(), self.channels);
                    fields.report("gains", message, "give one for each channel; [output] says how many `channels`");
                    return;
                }
                for (gain, node) in gains.iter_mut().zip(list) {
                    *gain = fields.quantity_of(node, "gains", &GAIN).unwrap_or(0.0);
                }
            }
            Some(channel) if channel > self.channels => {
                let message = format!("there is no channel {channel}: the scene has {}", self.channels);
                fields.report("channel", message, "raise `channels` in [output]");
                return;
            }
            Some(channel) => gains[channel - 1] = 1.0,
            None => match &mut gains[..] {
                [only] => *only = 1.0,
                [left, right, ..] => [*left, *right] = directions_of(fields.number_or("pan", 0.0)),
                [] => {}
            },
        }
        let index = self.model.pickups.len();
        if !fields.has("gains") {
            if gain == 0.0 {
                // Which its gains cannot tell.
                self.heard.note(index, gain, gains.clone());
            }
            // What is silent is 0, and not -0.
            gains.iter_mut().filter(|direction| **direction != 0.0).for_each(|direction| *direction *= gain);
        }
        self.model.pickups.push(Pickup { source, gains });
        self.pickups.push(span);
        self.name(scope, name, Thing::Pickup(index));
    }

    fn source(&self, fields: &Fields<'_>, scope: Scope<'_>) -> Option<Source> {
        let listen = fields.text("listen");
        let names = |kinds: &[PickupInfo]| kinds.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
        if let Some(text) = fields.text("contact") {
            let kind = listen.unwrap_or(usual(Source::AT_INTERACTIONS));
            if !Source::AT_INTERACTIONS.iter().any(|info| info.name == kind) {
                let message = format!("a pickup hears a {kind} at a point, not at a `contact`");
                let help = format!(
                    "write `at = …` instead of `contact`; at a contact it hears: {}",
                    names(Source::AT_INTERACTIONS)
                );
                fields.report("listen", message, help);
                return None;
            }
            let full = scope.referred(text);
            if self.is_broken(&full) {
                return None;
            }
            if let Some([thing]) = self.things.get(&full).map(Vec::as_slice)
                && let Some(contact) = self.contact_of(*thing)
            {
                return Source::at_interaction(kind, self.model.interactions[contact].name.clone());
            }
            let is_contact = |things: &[Thing]| matches!(things, [thing] if self.contact_of(*thing).is_some());
            let names = self.names_of(Some(Family::Contacts), is_contact);
            let message = format!("there is no contact `{}`", shortened(text));
            fields.report("contact", message, suggestion(text, "contacts", names));
            return None;
        }
        let kind = listen.unwrap_or(usual(Source::AT_POINTS));
        if Source::AT_INTERACTIONS.iter().any(|info| info.name == kind) {
            let message = format!("a pickup hears a {kind} at a `contact`, not at a point");
            let help =
                format!("write `contact = …` instead of `at`; at a point it hears: {}", names(Source::AT_POINTS));
            fields.report("listen", message, help);
            return None;
        }
        Source::at_point(kind, self.point(fields, "at", scope, false)?.point)
    }
}
