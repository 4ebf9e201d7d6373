//! A scene as a network: what there is, and what touches it where. Sets are one node and one edge each.

use std::collections::HashMap;

use ictus::laws::Law;
use ictus::model::{Interaction, ObjectSpec, Point, Target};
use ictus::objects::{Extent, Place};
use ictus_scene::Scene;

/// What is drawn.
#[derive(Debug, Default)]
pub struct Network {
    /// Objects, or sets of them.
    pub nodes: Vec<Node>,
    /// Interactions, or sets of them.
    pub edges: Vec<Edge>,
    /// Pickups, forces and plucks at nodes.
    pub tags: Vec<Tag>,
}

/// An object or a set of them.
#[derive(Debug)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What it is: the word that scenes use.
    pub kind: &'static str,
    /// What it looks like.
    pub look: Look,
    /// The tool it is a part of, if it is.
    pub tool: Option<&'static str>,
    /// How many there are.
    pub count: usize,
    /// Longest side in m, where there is one.
    pub length: Option<f64>,
}

/// An interaction or a set of them; `from` is below, `to` above.
#[derive(Debug, PartialEq)]
pub struct Edge {
    /// Its name.
    pub name: String,
    /// Name of its law.
    pub law: &'static str,
    /// How many there are.
    pub count: usize,
    /// Place of the node below, and where on it from 0 to 1.
    pub from: (usize, f64),
    /// Place of the node above, and where on it from 0 to 1.
    pub to: (usize, f64),
    /// Whether a pickup hears its force.
    pub heard: bool,
}

/// Something at a point of a node.
#[derive(Debug, PartialEq)]
pub struct Tag {
    /// What it is.
    pub kind: TagKind,
    /// What is written beside it.
    pub label: String,
    /// Place of the node, and where on it from 0 to 1.
    pub at: (usize, f64),
}

/// What a tag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKind {
    /// A pickup, drawn above its node.
    Pickup,
    /// A pluck without a tool, drawn above its node.
    Pluck,
    /// A force from outside, drawn below its node.
    Force,
}

impl Network {
    /// The network of a scene.
    pub fn of(scene: &Scene) -> Self {
        let mut network = Self::default();
        let places = network.add_nodes(scene);
        let at = |point: &Point| Some((*places.get(point.object.as_str())?, along(point.place)));
        for interaction in &scene.model.interactions {
            if let (Some(from), Some(to)) = (at(&interaction.from), at(&interaction.to)) {
                network.add_edge(interaction, from, to);
            }
        }
        for pickup in &scene.model.pickups {
            match pickup.source.target() {
                Target::Point(point) => {
                    network.add_tag(TagKind::Pickup, pickup.source.info().name.to_owned(), at(point));
                }
                Target::Interaction(name) => {
                    let name = set(name);
                    network.edges.iter_mut().filter(|edge| edge.name == name).for_each(|edge| edge.heard = true);
                }
                _ => {}
            }
        }
        for force in &scene.model.forces {
            network.add_tag(TagKind::Force, set(&force.name).to_owned(), at(&force.at));
        }
        for exciter in &scene.exciters {
            if let (Some(object), Some(centre)) = (exciter.tool.parts().plucked, exciter.tool.centre()) {
                let node = scene.model.objects.get(object.index()).and_then(|object| places.get(object.name.as_str()));
                let at = node.map(|node| (*node, centre));
                let text = format!("{} ({})", set(&exciter.name), exciter.tool.info().name);
                network.add_tag(TagKind::Pluck, text, at);
            }
        }
        network
    }

    /// Adds the objects, and tells which node each is a part of.
    fn add_nodes<'a>(&mut self, scene: &'a Scene) -> HashMap<&'a str, usize> {
        let mut tools: HashMap<usize, &'static str> = HashMap::new();
        for exciter in &scene.exciters {
            if let Some(body) = exciter.tool.parts().body {
                tools.insert(body.index(), exciter.tool.info().name);
            }
        }
        let mut places = HashMap::new();
        let mut sets: HashMap<(&str, &str), usize> = HashMap::new();
        for (index, object) in scene.model.objects.iter().enumerate() {
            let kind = object.spec.kind();
            let name = set(&object.name);
            let place = *sets.entry((name, kind)).or_insert(self.nodes.len());
            let length = length(&object.spec);
            match self.nodes.get_mut(place) {
                Some(node) => {
                    node.count += 1;
                    node.length = node.length.into_iter().chain(length).reduce(f64::max);
                }
                None => {
                    let tool = tools.get(&index).copied();
                    let look = Look::of(&object.spec);
                    self.nodes.push(Node { name: name.to_owned(), kind, look, tool, count: 1, length });
                }
            }
            places.insert(object.name.as_str(), place);
        }
        places
    }

    fn add_edge(&mut self, interaction: &Interaction, from: (usize, f64), to: (usize, f64)) {
        let name = set(&interaction.name);
        let same = |edge: &&mut Edge| edge.name == name && edge.from.0 == from.0 && edge.to.0 == to.0;
        match self.edges.iter_mut().find(same) {
            Some(edge) => edge.count += 1,
            None => {
                let law = law_name(&interaction.law);
                self.edges.push(Edge { name: name.to_owned(), law, count: 1, from, to, heard: false });
            }
        }
    }

    /// Adds a tag, unless the same is there already.
    fn add_tag(&mut self, kind: TagKind, label: String, at: Option<(usize, f64)>) {
        let Some(at) = at else { return };
        // Those of a set are at different places of the same node; one of them is enough.
        let one_of_set = self.nodes[at.0].count > 1;
        let same =
            |tag: &Tag| tag.kind == kind && tag.label == label && tag.at.0 == at.0 && (one_of_set || tag.at.1 == at.1);
        if !self.tags.iter().any(same) {
            self.tags.push(Tag { kind, label, at });
        }
    }
}

/// The name of the set that a name belongs to, or the name itself.
fn set(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(set, _)| set)
}

/// Where a place is drawn along a node.
fn along(place: Place) -> f64 {
    match place {
        Place::Along(x) | Place::On(x, _) => x,
        Place::Point(number) => 1.0 - 1.0 / (number as f64 + 2.0),
        _ => 0.5,
    }
}

/// What an object looks like. A kind without a look of its own looks as its extent asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A taut line.
    String,
    /// A stiff line.
    Bar,
    /// A taut surface.
    Skin,
    /// A stiff surface.
    Plate,
    /// Peaks of a spectrum.
    Modes,
    /// A hatched surface.
    Wall,
    /// A ball.
    Ball,
}

impl Look {
    fn of(spec: &ObjectSpec) -> Self {
        match (spec, spec.extent()) {
            (ObjectSpec::String(_), _) => Look::String,
            (ObjectSpec::Membrane(_), _) => Look::Skin,
            (ObjectSpec::Barrier(_), _) => Look::Wall,
            (_, Extent::Line { .. }) => Look::Bar,
            (_, Extent::Sheet { .. }) => Look::Plate,
            (_, Extent::Points(_)) => Look::Modes,
            _ => Look::Ball,
        }
    }
}

fn length(spec: &ObjectSpec) -> Option<f64> {
    let [x, y] = spec.extent().sides();
    Some(x.max(y)).filter(|length| *length > 0.0)
}

fn law_name(law: &Law) -> &'static str {
    law.info().name
}
