//! What a scene looks like from outside: names, places, ranges, for the page to draw and to turn.

use ictus::contact::Rule;
use ictus::id::{ContactId, ObjectId};
use ictus::laws::Allowed;
use ictus::model::{Interaction, Object, ObjectSpec, Point};
use ictus::objects::{End, Extent, Outline, Place, PlateEdges};
use ictus_scene::Scene;
use ictus_scene::parameters::ParameterInfo;
use ictus_scene::scene::{Parameter, Voice};

use crate::description::{
    ContactDescription, ControlDescription, Description, Held, ObjectDescription, ParameterDescription,
    PointDescription, Shape,
};
use ictus_scene::instrument::{Nature, input};

/// Describes a scene whose objects are drawn by so many points along each side, and of which hands can play some.
pub fn describe(name: &str, scene: &Scene, points: &[[usize; 2]], has_hands: impl Fn(ObjectId) -> bool) -> Description {
    let objects = points.iter().enumerate().map(|(object, points)| {
        let playable = has_hands(ObjectId::new(object));
        describe_object(scene, object, *points, playable)
    });
    let contacts = scene.model.interactions.iter();
    let parameters = scene.parameters();
    let controls = scene.controls.iter().map(|control| ControlDescription {
        name: control.name.clone(),
        unit: control.unit.clone(),
        range: control.range,
        value: control.value,
        logarithmic: control.logarithmic,
        midi: control.midi,
    });
    let keys = scene.notes.as_ref().and_then(|notes| {
        let low = notes.voices.iter().map(|voice| voice.keys[0]).min()?;
        let high = notes.voices.iter().map(|voice| voice.keys[1]).max()?;
        Some([low, high])
    });
    let notes = scene.notes.as_ref().map_or(vec![], |map| notes(&map.voices));
    let can_bend = |object: &Object| matches!(&object.spec, ObjectSpec::String(string) if string.bend > 1.0);
    Description {
        scene: name.to_owned(),
        generation: 0,
        title: scene.title.clone(),
        about: scene.about.clone(),
        rate: scene.model.rate,
        objects: objects.collect(),
        contacts: contacts
            .enumerate()
            .map(|(index, contact)| describe_contact(scene, index, contact, &parameters))
            .collect(),
        rules: Rule::ALL.iter().map(|rule| (*rule).into()).collect(),
        controls: controls.collect(),
        keys,
        notes,
        hears: input(scene).is_some(),
        bends: scene.model.objects.iter().any(can_bend),
        score: if scene.score.is_empty() { 0.0 } else { scene.duration },
    }
}

/// The keys that sound unlike each other; none where all sound alike.
fn notes(voices: &[Voice]) -> Vec<u8> {
    // A voice that plays every key says nothing of them.
    let mut keys: Vec<u8> = voices.iter().filter(|voice| voice.keys != [0, 127]).flat_map(Voice::pitches).collect();
    keys.sort_unstable();
    keys.dedup();
    let is_alone = |voice: &Voice| voice.keys[0] == voice.keys[1];
    if keys.len() == 1 && !voices.iter().any(is_alone) { vec![] } else { keys }
}

fn describe_object(scene: &Scene, index: usize, points: [usize; 2], playable: bool) -> ObjectDescription {
    let object = &scene.model.objects[index];
    let nature = Nature::of(object);
    let kind = object.spec.kind();
    let (shape, edges) = describe_outline(&object.spec);
    ObjectDescription {
        name: object.name.clone(),
        kind,
        shape,
        edges,
        points,
        sides: nature.map_or([0.0; 2], |nature| nature.sides),
        reach: nature.map_or(1e-3, |nature| nature.reach),
        bow_force: nature.map_or(1.0, |nature| nature.bow_force()),
        pitch: nature.map(|nature| nature.pitch).filter(|pitch| *pitch > 0.0),
        playable,
        tool: scene.is_part_of_exciter(ObjectId::new(index)),
    }
}

/// The outline of an object and how it is held there.
fn describe_outline(spec: &ObjectSpec) -> (Option<Shape>, Vec<Held>) {
    let of = |outline: &Outline| if let Outline::Circle(_) = outline { Shape::Circle } else { Shape::Rectangle };
    let all_around = |outline: &Outline, edge| vec![edge; if let Outline::Circle(_) = outline { 1 } else { 4 }];
    match spec.extent() {
        Extent::Line { ends, .. } => (Some(Shape::Line), ends.map(held).to_vec()),
        Extent::Sheet { outline, edges } => {
            let edges = match edges {
                PlateEdges::Free => all_around(&outline, Held::Free),
                PlateEdges::Clamped => all_around(&outline, Held::Clamped),
                PlateEdges::Each(edges) => edges.as_flattened().iter().copied().map(held).collect(),
                _ => all_around(&outline, Held::Supported),
            };
            (Some(of(&outline)), edges)
        }
        _ => (None, vec![]),
    }
}

fn held(end: End) -> Held {
    match end {
        End::Free => Held::Free,
        End::Clamped => Held::Clamped,
        End::SimplySupported => Held::Supported,
    }
}

/// The path that sets a number, of those that set it the one that sets most.
fn path_of(parameters: &[ParameterInfo], target: Parameter) -> Option<String> {
    let setting = parameters.iter().filter(|info| info.targets().contains(&target));
    setting.max_by_key(|info| info.targets().len()).map(|info| info.path.clone())
}

fn describe_contact(scene: &Scene, index: usize, contact: &Interaction, table: &[ParameterInfo]) -> ContactDescription {
    let id = ContactId::new(index);
    let info = contact.law.info();
    let parameters = info.parameters.iter().zip(contact.law.parameters()).enumerate();
    let parameters = parameters.map(|(place, (parameter, value))| ParameterDescription {
        path: path_of(table, Parameter::Law(id, place)),
        name: parameter.name,
        symbol: parameter.symbol,
        unit: parameter.unit,
        value,
        least: match parameter.allowed {
            Allowed::GreaterThan(least)
            | Allowed::AboveUpTo { above: least, .. }
            | Allowed::Within { least, .. }
            | Allowed::Between { least, .. } => least,
            _ => 1.0,
        },
    });
    ContactDescription {
        name: contact.name.clone(),
        from: describe_point(scene, &contact.from),
        to: describe_point(scene, &contact.to),
        law: info.name,
        parameters: parameters.collect(),
        damping: contact.damping,
        damping_path: path_of(table, Parameter::Damping(id)),
        gap: contact.gap,
        rule: contact.rule,
        spread: contact.spread.is_some(),
        active: contact.active,
    }
}

fn describe_point(scene: &Scene, point: &Point) -> PointDescription {
    let object = scene.model.objects.iter().position(|object| object.name == point.object).unwrap_or(0);
    let at = match point.place {
        Place::Along(along) => vec![along],
        Place::On(along, across) => vec![along, across],
        Place::Point(point) => vec![point as f64],
        _ => vec![],
    };
    PointDescription { object, at }
}
