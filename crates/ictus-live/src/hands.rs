//! The player's hands: for every object a bow, a hammer, a grip that pulls and a finger that damps.
//!
//! They are added to a scene's model behind everything it has, so that no number in the scene changes, and do nothing until
//! they are used. Where the scene has a hammer or a bow for an object, the hand takes one like it; otherwise its weight,
//! hardness and force follow from the object's mass and pitch, so that any object can be played without settings.

use ictus::control::{Change, ControlError, End};
use ictus::id::{ContactId, ObjectId};
use ictus::laws::{BowFriction, Law, LawError, LinearCubicSpring};
use ictus::model::{Interaction, Object, ObjectSpec, Point};
use ictus::objects::{BarrierSpec, MassSpec, Place};
use ictus::{Engine, Model};
use ictus_scene::Scene;
use ictus_scene::scene::Tool;

use crate::nature::Nature;

/// Time in s in which bow and grip follow the player's hand to 63 %: longer than between two events of a pointer, so that the
/// steps between them are not heard.
const FOLLOWING: f64 = 0.012;

/// Distance in m from which a hammer is thrown.
const CLEARANCE: f64 = 2e-4;

/// Time in s after which a hammer that was thrown is taken away.
const THROW_LASTS: f64 = 0.25;

/// Where in the model a tool's parts are.
#[derive(Clone, Copy, Debug)]
struct Part {
    object: ObjectId,
    interaction: ContactId,
}

/// The hands for one object.
#[derive(Clone, Debug)]
pub struct Hands {
    hammer: Part,
    bow: Bow,
    grip: Grip,
    finger: Part,
    /// Samples until the hammer is taken away; 0 when there is none.
    hammer_stays: f64,
}

#[derive(Clone, Copy, Debug)]
struct Bow {
    part: Part,
    /// How it grips and slides; its normal force follows the hand.
    friction: BowFriction,
    playing: bool,
    /// Velocity in m/s and force in N: where they are and where they go.
    velocity: [f64; 2],
    force: [f64; 2],
}

#[derive(Clone, Copy, Debug)]
struct Grip {
    part: Part,
    holding: bool,
    /// Height in m: where it is and where it goes.
    height: [f64; 2],
}

/// What is added to a model for one object.
struct Adding<'a> {
    model: &'a mut Model,
    target: Point,
}

impl Adding<'_> {
    fn add(&mut self, tool: &str, spec: ObjectSpec, law: Law, damping: f64) -> Part {
        // A blank cannot be in a name of a scene, so these are never taken.
        let name = format!("{tool} on {}", self.target.object);
        let part = Part {
            object: ObjectId::new(self.model.objects.len()),
            interaction: ContactId::new(self.model.interactions.len()),
        };
        self.model.objects.push(Object { name: name.clone(), spec, start: None });
        let contact = Interaction::new(&name, Point::of(&name), self.target.clone(), law);
        self.model.interactions.push(Interaction { damping, active: false, ..contact });
        part
    }
}

impl Hands {
    /// Adds hands for the object at this place of a scene's model. `None` for a barrier, which cannot be played.
    ///
    /// # Errors
    /// When the object's description gives no usable law, which only happens for extreme masses.
    pub fn add(scene: &Scene, model: &mut Model, object: usize) -> Result<Option<Self>, LawError> {
        let Some(described) = scene.model.objects.get(object) else { return Ok(None) };
        let Some(nature) = Nature::of(described) else { return Ok(None) };
        let (mut hammer_mass, mut felt) = (nature.hammer_mass(), nature.felt()?);
        let mut friction = BowFriction::new(0.0, 100.0)?;
        for exciter in &scene.exciters {
            let (contact, mass) = match exciter.tool {
                Tool::Hammer { mass, contact, .. } => (contact, Some(mass)),
                Tool::Bow { contact, .. } => (contact, None),
                _ => continue,
            };
            let Some(contact) = scene.model.interactions.get(contact.index()) else { continue };
            if contact.to.object != described.name {
                continue;
            }
            if let (Some(mass), true) =
                (mass.and_then(|mass| scene.model.objects.get(mass.index())), contact.spread.is_none())
            {
                if let ObjectSpec::Mass(mass) = &mass.spec {
                    (hammer_mass, felt) = (mass.mass, contact.law);
                }
            } else if let Law::BowFriction(law) = contact.law {
                friction = law.with_normal_force(0.0)?;
            }
        }
        let mut adding = Adding { model, target: Point::on(&described.name, nature.rest_place) };
        let spring = |stiffness: f64| LinearCubicSpring::new(stiffness, 0.0).map(Law::from);
        let hammer = adding.add("hammer", MassSpec::free(hammer_mass).into(), felt, 0.0);
        let bow = adding.add("bow", BarrierSpec::default().into(), friction.into(), 0.0);
        let grip =
            adding.add("grip", BarrierSpec::default().into(), spring(nature.grip_stiffness())?, nature.grip_damping());
        let finger = adding.add(
            "finger",
            BarrierSpec::default().into(),
            spring(0.05 * nature.grip_stiffness())?,
            2.0 * nature.impedance(),
        );
        Ok(Some(Self {
            hammer,
            bow: Bow { part: bow, friction, playing: false, velocity: [0.0; 2], force: [0.0; 2] },
            grip: Grip { part: grip, holding: false, height: [0.0; 2] },
            finger,
            hammer_stays: 0.0,
        }))
    }

    /// Throws the hammer at a place that is at this displacement in m.
    pub fn strike(&mut self, engine: &mut Engine, at: Place, velocity: f64, surface: f64) -> Result<(), ControlError> {
        let Part { object, interaction } = self.hammer;
        let velocity = velocity.clamp(0.01, 30.0);
        engine.change(&Change::Move { contact: interaction, end: End::To, place: at })?;
        engine.change(&Change::Throw { object, displacement: surface - CLEARANCE, velocity })?;
        engine.change(&Change::Active { contact: interaction, active: true })?;
        self.hammer_stays = THROW_LASTS * engine.rate();
        Ok(())
    }

    /// Draws the bow over a place; when it plays already, at another velocity (m/s) and force (N).
    pub fn bow(&mut self, engine: &mut Engine, at: Place, velocity: f64, force: f64) -> Result<(), ControlError> {
        let Part { interaction, .. } = self.bow.part;
        if !self.bow.playing {
            engine.change(&Change::Move { contact: interaction, end: End::To, place: at })?;
            engine.change(&Change::Active { contact: interaction, active: true })?;
            (self.bow.velocity[0], self.bow.force[0]) = (0.0, 0.0);
            self.bow.playing = true;
        }
        self.bow.velocity[1] = velocity.clamp(-5.0, 5.0);
        self.bow.force[1] = force.clamp(0.0, 1000.0);
        Ok(())
    }

    /// Holds a place that is at this displacement in m and pulls it to a height in m.
    pub fn pull(&mut self, engine: &mut Engine, at: Place, height: f64, surface: f64) -> Result<(), ControlError> {
        let Part { object, interaction } = self.grip.part;
        if !self.grip.holding {
            engine.change(&Change::Move { contact: interaction, end: End::To, place: at })?;
            engine.change(&Change::Height { object, height: surface })?;
            engine.change(&Change::Active { contact: interaction, active: true })?;
            self.grip.height = [surface; 2];
            self.grip.holding = true;
        }
        self.grip.height[1] = height.clamp(-1.0, 1.0);
        Ok(())
    }

    /// Lays a finger on a place.
    pub fn damp(&mut self, engine: &mut Engine, at: Place) -> Result<(), ControlError> {
        let Part { interaction, .. } = self.finger;
        engine.change(&Change::Move { contact: interaction, end: End::To, place: at })?;
        engine.change(&Change::Active { contact: interaction, active: true })
    }

    /// Takes the bow away.
    pub fn release_bow(&mut self) {
        // It leaves in `follow`, when its force has gone.
        self.bow.force[1] = 0.0;
    }

    /// Lets go of what the grip holds.
    pub fn release_grip(&mut self, engine: &mut Engine) -> Result<(), ControlError> {
        self.grip.holding = false;
        engine.change(&Change::Active { contact: self.grip.part.interaction, active: false })?;
        engine.change(&Change::Velocity { object: self.grip.part.object, velocity: 0.0 })
    }

    /// Lifts the finger.
    pub fn release_finger(&mut self, engine: &mut Engine) -> Result<(), ControlError> {
        engine.change(&Change::Active { contact: self.finger.interaction, active: false })
    }

    /// Takes every tool away at once.
    pub fn rest(&mut self, engine: &mut Engine) {
        (self.bow.playing, self.grip.holding, self.hammer_stays) = (false, false, 0.0);
        for part in [self.hammer, self.bow.part, self.grip.part, self.finger] {
            // These are parts of this model, so the change cannot be refused.
            let _ = engine.change(&Change::Active { contact: part.interaction, active: false });
            let _ = engine.change(&Change::Velocity { object: part.object, velocity: 0.0 });
        }
    }

    /// Moves bow and grip on by this many samples towards where the player wants them.
    pub fn follow(&mut self, engine: &mut Engine, samples: usize) {
        let time = samples as f64 / engine.rate();
        let share = 1.0 - (-time / FOLLOWING).exp();
        if self.bow.playing {
            let bow = &mut self.bow;
            for [now, goal] in [&mut bow.velocity, &mut bow.force] {
                *now += share * (*goal - *now);
            }
            // What is changed here is of this model and within its range, so it cannot be refused.
            let _ = engine.change(&Change::Velocity { object: bow.part.object, velocity: bow.velocity[0] });
            if let Ok(law) = bow.friction.with_normal_force(bow.force[0]) {
                let _ = engine.change(&Change::Law { contact: bow.part.interaction, law: law.into() });
            }
            if bow.force[1] == 0.0 && bow.force[0] < 1e-4 {
                bow.playing = false;
                let _ = engine.change(&Change::Active { contact: bow.part.interaction, active: false });
                let _ = engine.change(&Change::Velocity { object: bow.part.object, velocity: 0.0 });
            }
        }
        if self.grip.holding {
            let [now, goal] = &mut self.grip.height;
            let velocity = share * (*goal - *now) / time;
            *now += velocity * time;
            let _ = engine.change(&Change::Velocity { object: self.grip.part.object, velocity });
        }
        if self.hammer_stays > 0.0 {
            self.hammer_stays -= samples as f64;
            if self.hammer_stays <= 0.0 {
                let _ = engine.change(&Change::Active { contact: self.hammer.interaction, active: false });
            }
        }
    }

    /// Largest force of the hands on the object in the last step, in N.
    pub fn force(&self, engine: &Engine) -> f64 {
        [self.hammer, self.bow.part, self.grip.part, self.finger]
            .iter()
            .filter_map(|part| engine.interaction_force(part.interaction))
            .fold(0.0, |most, force| most.max(force.abs()))
    }

    /// Whether any tool may be at work.
    pub fn at_work(&self) -> bool {
        self.bow.playing || self.grip.holding || self.hammer_stays > 0.0
    }
}
