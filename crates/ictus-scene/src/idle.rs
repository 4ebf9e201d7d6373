//! Objects that a scene has for nothing: nothing touches, plays, pushes or hears them.

use std::collections::BTreeSet;

use ictus::model::Target;

use crate::problem::{Found, Problem, Problems, Span};
use crate::registry::Family;
use crate::scene::Scene;
use crate::source::Source;
use crate::tree::{self, Node};

/// Most objects that are told.
const MOST_TOLD: usize = 5;

/// What is to be known of objects that do nothing for the sound; empty if there are none. The text is where the scene was read from.
pub fn idle_objects(scene: &Scene, source: &Source) -> Vec<Problem> {
    let model = &scene.model;
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for interaction in &model.interactions {
        used.extend([&*interaction.from.object, &*interaction.to.object]);
    }
    used.extend(model.forces.iter().map(|force| &*force.at.object));
    for pickup in &model.pickups {
        if let Target::Point(point) = pickup.source.target() {
            used.insert(&point.object);
        }
    }
    for exciter in &scene.exciters {
        let parts = exciter.tool.parts();
        let objects = parts.body.into_iter().chain(parts.plucked);
        used.extend(objects.filter_map(|object| model.objects.get(object.index())).map(|object| &*object.name));
    }
    let text = tree::parse(&source.text).unwrap_or_default();
    let written = |name: &str| Some(text.get(Family::Objects.key()).and_then(Node::table)?.key(name)?.span);
    let idle = model.objects.iter().filter(|object| !used.contains(&*object.name)).take(MOST_TOLD);
    let found = idle.map(|object| {
        let span = written(&object.name).unwrap_or(Span::Text { start: 0, end: 0 });
        Found::new(span, format!("nothing touches, plays or hears `{}`", object.name))
            .help("it costs time and is not heard: give it a contact, an exciter or a pickup, or leave it out")
    });
    Problems::new(source, found.collect()).iter().cloned().collect()
}
