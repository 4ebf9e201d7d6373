//! What is drawn of a part: what there is to draw, told once, and how it stands, told while somebody looks.

use ictus::Engine;
use ictus::id::{ContactId, ObjectId};
use ictus::model::Point;
use ictus::objects::{Extent, Outline, Place};
use ictus_scene::{Instrument, Scene};

/// Most points of a line, and of each side of a sheet; most objects, contacts and points in all.
const FINEST: [usize; 2] = [96, 24];
const MOST_OBJECTS: usize = 256;
const MOST_CONTACTS: usize = 1024;
const MOST_POINTS: usize = 16_384;

/// How an object looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A point.
    Lump,
    /// What does not move by itself.
    Wall,
    /// A string or bar.
    Line,
    /// A plate or membrane; round, or with these sides.
    Sheet {
        /// Whether its rim is a circle.
        round: bool,
    },
}

/// An object, as it is drawn.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// Its name in the scene.
    pub name: String,
    /// How it looks.
    pub look: Look,
    /// Whether it is only a part of a tool.
    pub is_tool: bool,
    /// Points along each side.
    pub points: [usize; 2],
    /// Points that the object has itself.
    own: [usize; 2],
}

/// A place on something that is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// The object's place in the list; none where it is not drawn.
    pub object: Option<usize>,
    /// Parts of its two sides.
    pub at: [f32; 2],
}

/// What there is to draw.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The first objects of the scene.
    pub objects: Vec<Sketch>,
    /// What touches what, and where.
    pub contacts: Vec<[Spot; 2]>,
}

impl Drawing {
    /// What can be drawn of a scene and its engine.
    pub fn of(scene: &Scene, engine: &Engine) -> Self {
        let mut room = MOST_POINTS;
        let mut objects = Vec::new();
        for (index, object) in scene.model.objects.iter().enumerate().take(MOST_OBJECTS) {
            let own = engine.dimensions(ObjectId::new(index)).unwrap_or([1, 1]);
            let (look, points) = match object.spec.extent() {
                Extent::Line { .. } => (Look::Line, [own[0].min(FINEST[0]), 1]),
                Extent::Sheet { outline, .. } => {
                    let round = matches!(outline, Outline::Circle(_));
                    (Look::Sheet { round }, own.map(|count| count.min(FINEST[1])))
                }
                _ if object.spec.kind() == "barrier" => (Look::Wall, [1, 1]),
                _ => (Look::Lump, [1, 1]),
            };
            if points[0] * points[1] > room {
                break;
            }
            room -= points[0] * points[1];
            let is_tool = scene.is_part_of_exciter(ObjectId::new(index));
            objects.push(Sketch { name: object.name.clone(), look, is_tool, points, own });
        }
        let spot = |point: &Point| Spot {
            object: objects.iter().position(|object| object.name == point.object),
            at: match point.place {
                Place::Along(along) => [along as f32, 0.5],
                Place::On(x, y) => [x as f32, y as f32],
                _ => [0.5; 2],
            },
        };
        let interactions = scene.model.interactions.iter().take(MOST_CONTACTS);
        let contacts = interactions.map(|contact| [spot(&contact.from), spot(&contact.to)]);
        Self { contacts: contacts.collect(), objects }
    }

    /// An empty picture for it, made for a part of this number. Its memory is all that drawing takes.
    pub fn picture(&self, choice: u64) -> Picture {
        let points = self.objects.iter().map(|object| object.points[0] * object.points[1]).sum();
        let largest = self.objects.iter().map(|object| object.own[0] * object.own[1]).max().unwrap_or(1);
        Picture {
            choice,
            layout: self.objects.iter().map(|object| (object.points, object.own)).collect(),
            shapes: vec![0.0; points],
            energies: vec![0.0; self.objects.len()],
            forces: vec![0.0; self.contacts.len()],
            whole: vec![0.0; largest],
        }
    }
}

/// How everything stands at a moment.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The number of the choice whose part it is of.
    pub choice: u64,
    layout: Vec<([usize; 2], [usize; 2])>,
    /// Displacements in m of all points, object by object, row by row.
    pub shapes: Vec<f32>,
    /// Energy in J of every object.
    pub energies: Vec<f32>,
    /// Force in N of every contact, the largest since the last picture.
    pub forces: Vec<f32>,
    /// All points of one object.
    whole: Vec<f64>,
}

impl Picture {
    /// Draws what it was made for. Takes no memory.
    pub fn draw(&mut self, choice: u64, instrument: &mut Instrument) {
        if choice != self.choice {
            return;
        }
        let engine = instrument.engine();
        let mut next = 0;
        for (index, &([across, down], [columns, rows])) in self.layout.iter().enumerate() {
            let object = ObjectId::new(index);
            let _ = engine.shape(object, &mut self.whole[..columns * rows]);
            self.energies[index] = engine.object_energy(object).unwrap_or(0.0) as f32;
            for row in 0..down {
                for column in 0..across {
                    let nearest =
                        |drawn: usize, most: usize, all: usize| (drawn * (all - 1)).checked_div(most - 1).unwrap_or(0);
                    let at = nearest(row, down, rows) * columns + nearest(column, across, columns);
                    self.shapes[next] = self.whole[at] as f32;
                    next += 1;
                }
            }
        }
        for (index, force) in self.forces.iter_mut().enumerate() {
            *force = engine.interaction_force(ContactId::new(index)).unwrap_or(0.0).abs() as f32;
        }
        for event in instrument.drain_contacts() {
            if let Some(force) = self.forces.get_mut(event.contact.index()) {
                *force = force.max(event.peak_force as f32);
            }
        }
    }
}
