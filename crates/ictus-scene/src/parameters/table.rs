//! The table of parameters: what each is called, measures and may be.

use std::collections::BTreeMap;

use super::live::{Live, Parts, Thing};
use crate::files::Recorded;
use crate::gains::Heard;
use crate::instrument::bounds;
use crate::scene::{Control, Parameter, Scene};
use crate::{ControlId, ExciterId};

/// Widest range, as a ratio, over which equal steps still make sense.
const WIDE: f64 = 1e3;

/// A parameter of an instrument: its place in the list of [`Instrument::parameters`](crate::Instrument::parameters).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(usize);

impl ParameterId {
    /// The one at this place, from 0.
    pub const fn new(index: usize) -> Self {
        Self(index)
    }

    /// Its place in the list, from 0.
    pub const fn index(self) -> usize {
        self.0
    }
}

/// How a knob for a parameter is best laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal turns are equal steps.
    Linear,
    /// Equal turns are equal ratios.
    Logarithmic,
}

/// What is known of a parameter.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ParameterInfo {
    /// How it is addressed, in `--set` and live: `hammer.stiffness`, `bars.mallet.velocity`, `events.0.time`.
    pub path: String,
    /// What it is called, for people.
    pub label: String,
    /// SI unit; empty for a pure number.
    pub unit: String,
    /// Least and largest value that is accepted, in that unit; infinite where there is no bound.
    pub range: [f64; 2],
    /// How a knob for it is best laid out.
    pub scale: Scale,
    /// Value in the scene. A path that means several, as of all notes of a set, has that of the first.
    pub default: f64,
    /// Whether it can change while the instrument sounds; if not, only reading the scene anew changes it.
    pub live: bool,
    pub(crate) targets: Targets,
}

impl ParameterInfo {
    /// The numbers of the model and of its tools that follow it, all of them; none for a control or what is not live.
    pub fn targets(&self) -> &[Parameter] {
        if let Targets::Parts(targets) = &self.targets { targets } else { &[] }
    }
}

/// What follows a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Targets {
    /// A control, by its place.
    Control(ControlId),
    /// Numbers of the model and of its tools; all get the value.
    Parts(Vec<Parameter>),
    /// Nothing, until the scene is read anew.
    Fixed,
}

/// What a text says beyond the scene it makes: the names of things, and the numbers that only a new reading can change. Scenes are equal
/// whatever they were written like.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// Things by the names they have in paths; a name of a set means several.
    pub(crate) names: BTreeMap<String, Vec<Thing>>,
    /// What the gains of pickups are.
    pub(crate) heard: Heard,
    /// Names of the controls.
    pub(crate) controls: Vec<String>,
    pub(crate) keys: Vec<FixedKey>,
    /// What signals were read from files.
    pub(crate) recordings: Vec<Recorded>,
    /// The numbers that were drawn from the seed.
    pub(crate) draws: Vec<Draw>,
    /// Whether anything was drawn from the seed: numbers, noise, surfaces.
    pub(crate) is_random: bool,
    /// Length in s of the beat that times are counted in, of a scene that was read.
    pub(crate) beat: Option<f64>,
}

/// A number of a scene that was drawn from its seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Its path, as in [`ParameterInfo::path`]; in brackets behind it which copy of a set, and which repeat of an event, from 0.
    pub path: String,
    /// The value, in that unit.
    pub value: f64,
    /// SI unit; empty for a pure number.
    pub unit: &'static str,
}

impl PartialEq for Written {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A number of the text.
#[derive(Clone, Debug)]
pub(crate) struct FixedKey {
    pub(crate) path: String,
    pub(crate) unit: &'static str,
    pub(crate) range: [f64; 2],
    pub(crate) value: f64,
}

/// Every parameter of a scene, each path once.
pub(super) fn of(scene: &Scene) -> Vec<ParameterInfo> {
    let mut all: Vec<ParameterInfo> = Vec::new();
    for (index, control) in scene.controls.iter().enumerate() {
        let path = scene.written.controls.get(index).unwrap_or(&control.name);
        all.push(of_control(path, ControlId::new(index), control));
    }
    let parts = Parts { model: &scene.model, exciters: &scene.exciters, heard: &scene.written.heard };
    let built;
    let names = if scene.written.names.is_empty() {
        built = names_of(scene);
        &built
    } else {
        &scene.written.names
    };
    for (name, things) in names {
        if !things.iter().all(|thing| thing.is_in(scene)) {
            continue;
        }
        let of_each: Vec<Vec<Live>> = things.iter().map(|thing| parts.live(*thing)).collect();
        for live in of_each.first().into_iter().flatten() {
            let same = |of: &Vec<Live>| of.iter().find(|other| other.key == live.key).map(|live| live.parameter);
            let targets: Option<Vec<Parameter>> = of_each.iter().map(same).collect();
            if let Some(targets) = targets {
                all.push(of_live(scene, name, live, targets));
            }
        }
    }
    let mut seen: std::collections::BTreeSet<String> = all.iter().map(|known| known.path.clone()).collect();
    for key in &scene.written.keys {
        if seen.insert(key.path.clone()) {
            all.push(of_key(key));
        }
    }
    all
}

fn of_control(path: &str, id: ControlId, control: &Control) -> ParameterInfo {
    ParameterInfo {
        path: path.to_owned(),
        label: control.name.replace(['_', '-'], " "),
        unit: control.unit.clone(),
        range: control.range,
        scale: if control.logarithmic { Scale::Logarithmic } else { Scale::Linear },
        default: control.value,
        live: true,
        targets: Targets::Control(id),
    }
}

fn of_live(scene: &Scene, name: &str, live: &Live, targets: Vec<Parameter>) -> ParameterInfo {
    let range = bounds::range_in(scene, live.parameter);
    ParameterInfo {
        path: format!("{name}.{}", live.key),
        label: label(name, &live.key),
        unit: live.measure.unit.to_owned(),
        range,
        scale: scale(range, live.value),
        default: live.value,
        live: true,
        targets: Targets::Parts(targets),
    }
}

fn of_key(key: &FixedKey) -> ParameterInfo {
    let (name, last) = key.path.rsplit_once('.').unwrap_or(("", &key.path));
    ParameterInfo {
        path: key.path.clone(),
        label: label(name, last),
        unit: key.unit.to_owned(),
        range: key.range,
        scale: scale(key.range, key.value),
        default: key.value,
        live: false,
        targets: Targets::Fixed,
    }
}

fn label(name: &str, key: &str) -> String {
    format!("{name} {key}").replace(['_', '-', '.'], " ").trim().to_owned()
}

/// Quantities that are never negative and may differ by orders of magnitude are turned by ratios.
fn scale([least, most]: [f64; 2], default: f64) -> Scale {
    if least >= 0.0 && default > 0.0 && most > WIDE * least.max(1e-3) { Scale::Logarithmic } else { Scale::Linear }
}

/// The names of a scene that was not read from a text: those of its model. What has the name of an exciter is a part of it.
fn names_of(scene: &Scene) -> BTreeMap<String, Vec<Thing>> {
    let mut names = BTreeMap::new();
    let mut add = |name: &str, thing: Thing| {
        names.entry(name.to_owned()).or_insert_with(|| vec![thing]);
    };
    scene
        .exciters
        .iter()
        .enumerate()
        .for_each(|(index, exciter)| add(&exciter.name, Thing::Exciter(ExciterId::new(index))));
    scene.model.objects.iter().enumerate().for_each(|(index, object)| add(&object.name, Thing::Object(index)));
    scene.model.interactions.iter().enumerate().for_each(|(index, contact)| add(&contact.name, Thing::Contact(index)));
    scene.model.forces.iter().enumerate().for_each(|(index, force)| add(&force.name, Thing::Force(index)));
    (0..scene.model.pickups.len()).for_each(|index| add(&format!("pickup-{}", index + 1), Thing::Pickup(index)));
    names
}

impl Thing {
    /// Whether a scene has it.
    fn is_in(self, scene: &Scene) -> bool {
        match self {
            Thing::Object(index) => index < scene.model.objects.len(),
            Thing::Contact(index) => index < scene.model.interactions.len(),
            Thing::Exciter(exciter) => exciter.index() < scene.exciters.len(),
            Thing::Force(index) => index < scene.model.forces.len(),
            Thing::Pickup(index) => index < scene.model.pickups.len(),
        }
    }
}
