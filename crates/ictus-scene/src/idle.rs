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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reading, read};

    const TEXT: &str = "ictus = 1\ntitle = \"t\"\n[objects.string]\nkind = \"string\"\npitch = \"A3\"\n[objects.bell]\nkind = \"mass\"\nmass = \"1 g\"\n\
                        [pickups.out]\nat = \"string@0.3\"\n[exciters.pick]\nkind = \"pluck\"\non = \"string@0.2\"\nheight = \"1 mm\"\n\
                        [[events]]\ntime = 0\npluck = \"pick\"\n";

    fn told(text: &str) -> Vec<String> {
        let source = Source::new("t", text);
        let scene = read(&source, &Reading::default()).expect("is a scene");
        idle_objects(&scene, &source).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_nothing_uses_is_told_where_it_is_written() {
        let told_of_bell = told(TEXT);
        assert!(told_of_bell.len() == 1 && told_of_bell[0].contains("`bell`"), "{told_of_bell:?}");
        for used in [
            "[pickups.other]\nat = \"bell\"\n",
            "[exciters.hand]\nkind = \"hammer\"\non = \"bell\"\nmass = \"1 g\"\nstiffness = 1e6\nexponent = 1.5\n",
            "[contacts.touch]\nfrom = \"bell\"\nto = \"string@0.5\"\nlaw = \"hunt-crossley\"\nstiffness = 1e6\nexponent = 1.5\n",
        ] {
            assert_eq!(told(&format!("{TEXT}{used}")), [""; 0], "{used}");
        }
    }
}
