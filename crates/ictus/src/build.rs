//! Model to engine: coefficients, admittances, islands. All memory is taken here.

use crate::cluster::{Clusters, TURN};
use crate::contact::{Aiming, Contact, ContactState};
use crate::coupling::Coupling;
use crate::engine::{Drive, Engine, Names, stored_energy};
use crate::error::{BuildError, User};
use crate::island::Islands;
use crate::laws::ContactLaw;
use crate::ledger::Ledger;
use crate::limits;
use crate::link::Link;
use crate::model::{Interaction, Model, Object, Point, Spread};
use crate::names::nearest;
use crate::neighbours::Neighbours;
use crate::objects::{
    AnyBody, Bodies, BodyId, ObjectError, Place, Profile, ProfilePoint, Site, Terminal, Use, checked,
};
use crate::pickups::{Heard, Listener};
use crate::probe::ContactLog;
use crate::rest::Rest;
use crate::roughness::Road;
use crate::start::begin;
use crate::tally::Tally;

/// Most contacts that are solved together: their matrix is dense.
const LARGEST_ISLAND: usize = 512;

/// Most numbers for the drawings of all bodies in modes together, 64 MB: of fifty plates, each is drawn in all modes that can be seen; of
/// more, in fewer.
const MOST_DRAWN: usize = 1 << 23;

/// Highest sample rate in Hz.
const HIGHEST_RATE: f64 = 1e7;

impl Model {
    /// Builds the engine, or says what is wrong with the model.
    ///
    /// # Errors
    /// As of [`Model::check`].
    pub fn build(&self) -> Result<Engine, BuildError> {
        let Parts { mut bodies, mut links, first_links, mut drives, mut listeners, channels, tally } = self.parts()?;
        let fixed = |links: &[Link], index: usize| self.is_spread(&links[index]);
        let room = MOST_DRAWN / bodies.modals.len().max(1);
        bodies.modals.iter_mut().for_each(|modal| modal.prepare_drawing(room));
        tally.expect(&mut bodies);
        for link in &mut links {
            let watched = link.is_watched();
            [&mut link.from, &mut link.to].into_iter().for_each(|at| bodies.attach(at, Use::Touch, watched));
            link.meet(&bodies);
        }
        drives.iter_mut().for_each(|drive| bodies.attach(&mut drive.at, Use::Touch, true));
        for listener in &mut listeners {
            if let Some((at, needs)) = listener.place_mut() {
                bodies.attach(at, needs, true);
            }
        }

        let coupling = Coupling::new(&links, &bodies, |index| fixed(&links, index), LARGEST_ISLAND).map_err(tangled)?;
        let clusters = Clusters::new(&bodies, &links, &drives, &listeners);
        let rest = Rest::new(bodies.masses.len());
        let names = |all: &mut dyn Iterator<Item = &String>| all.cloned().collect();
        let mut engine = Engine {
            rate: self.rate,
            level: crate::simd::level(),
            islands: Islands::new(&coupling, links.len()),
            contacts: ContactLog::new(&links, self.limits.contact_events),
            breakdown: None,
            names: Names {
                objects: names(&mut self.objects.iter().map(|object| &object.name)),
                interactions: names(&mut self.interactions.iter().map(|interaction| &interaction.name)),
                forces: names(&mut self.forces.iter().map(|force| &force.name)),
                first_links,
            },
            bodies,
            links,
            clusters,
            islands_stale: false,
            rest,
            surfaces_shifted: false,
            heard: vec![0.0; TURN * listeners.len()],
            mix: vec![0.0; TURN * channels.max(1)],
            coupling,
            drives,
            listeners,
            gains: self.pickups.iter().flat_map(|pickup| pickup.gains.iter().copied()).collect(),
            channels,
            ledger: Ledger::default(),
            keeps_account: false,
            time: 0,
        };
        engine.find_islands();
        engine.ledger.initial = engine.stored_energy();
        Ok(engine)
    }

    /// Says what is wrong with the model, without the memory that playing takes: that of the bodies alone.
    ///
    /// # Errors
    /// A value out of its range, a name that is not there, or more than the limits allow.
    pub fn check(&self) -> Result<(), BuildError> {
        self.parts().map(drop)
    }

    /// Everything that is played, not yet joined. All that can be refused is refused here.
    fn parts(&self) -> Result<Parts<'_>, BuildError> {
        if !(self.rate > 0.0 && self.rate <= HIGHEST_RATE) {
            return Err(BuildError::Rate(self.rate));
        }
        unique("objects", self.objects.iter().map(|object| &object.name))?;
        unique("interactions", self.interactions.iter().map(|interaction| &interaction.name))?;
        unique("forces", self.forces.iter().map(|force| &force.name))?;
        let bodies = self.build_bodies()?;
        let mut tally = Tally::new(self);
        let (links, first_links) = self.build_links(&bodies, &mut tally)?;
        let drives = self.build_drives(&bodies)?;
        let (listeners, channels) = self.build_listeners(&bodies, &first_links)?;
        drives.iter().try_for_each(|drive| tally.add(drive.at.body, 1, &bodies))?;
        for listener in &listeners {
            if let Heard::Point(at) = listener.heard() {
                tally.add(at.body, 1, &bodies)?;
            }
        }
        let neighbours = Neighbours::new(&links, &bodies, |index| self.is_spread(&links[index]));
        let count = neighbours.largest_island(LARGEST_ISLAND);
        if count > LARGEST_ISLAND {
            return Err(tangled(count));
        }
        limits::energy(stored_energy(&bodies, &links)).map_err(BuildError::TooMuchEnergy)?;
        Ok(Parts { bodies, links, first_links, drives, listeners, channels, tally })
    }

    /// Whether a link is one of those along a body, which stay where they are.
    fn is_spread(&self, link: &Link) -> bool {
        self.interactions[link.interaction].spread.is_some()
    }

    fn build_bodies(&self) -> Result<Bodies, BuildError> {
        let build = |object: &Object| -> Result<AnyBody, ObjectError> {
            let site = Site {
                rate: self.rate,
                most_points: self.limits.grid_points,
                most_modes: self.limits.modes,
                most_products: self.limits.products,
                touched_along: self.is_touched_along(&object.name),
            };
            object.spec.build(&site)
        };
        let mut bodies = Bodies::default();
        for object in &self.objects {
            let named = |error| BuildError::Object { name: object.name.clone(), error };
            let mut body = build(object).map_err(named)?;
            if let Some(start) = &object.start {
                begin(&mut body, start).map_err(named)?;
            }
            bodies.add(body);
        }
        Ok(bodies)
    }

    /// Whether something is spread along an object.
    fn is_touched_along(&self, object: &str) -> bool {
        let spread = self.interactions.iter().filter(|interaction| interaction.spread.is_some());
        spread.flat_map(|interaction| [&interaction.from, &interaction.to]).any(|point| point.object == object)
    }

    fn terminal(&self, point: &Point, user: &User, bodies: &Bodies) -> Result<Terminal, BuildError> {
        bodies.terminal(self.body_of(point, user, bodies)?, point.place).map_err(|error| value(user, error))
    }

    fn body_of(&self, point: &Point, user: &User, bodies: &Bodies) -> Result<BodyId, BuildError> {
        let place = self.objects.iter().position(|object| object.name == point.object);
        place.and_then(|place| bodies.id(place)).ok_or_else(|| BuildError::NoSuchObject {
            user: user.clone(),
            name: point.object.clone(),
            suggestion: nearest(&point.object, self.objects.iter().map(|object| object.name.as_str()))
                .map(str::to_owned),
        })
    }

    /// Links in the order of the interactions, and where each interaction's begin.
    fn build_links(&self, bodies: &Bodies, tally: &mut Tally<'_>) -> Result<(Vec<Link>, Vec<usize>), BuildError> {
        let mut links = Vec::new();
        let mut first_links = vec![0];
        for (index, interaction) in self.interactions.iter().enumerate() {
            let user = User::Interaction(interaction.name.clone());
            limits::position("gap", interaction.gap).map_err(|error| value(&user, error))?;
            checked("force at which it slips", interaction.slips_at.unwrap_or(1.0), "above 0 N", |x| x > 0.0)
                .map_err(|error| value(&user, error))?;
            limits::resistance(interaction.damping).map_err(|error| value(&user, error))?;
            match &interaction.spread {
                None => {
                    links.push(self.build_link(index, interaction, &user, bodies)?);
                    let link = &links[links.len() - 1];
                    tally.add(link.from.body, 1, bodies)?;
                    tally.add(link.to.body, 1, bodies)?;
                }
                Some(_) if interaction.roughness.is_some() => {
                    let needs = "roughness is for contacts at a point";
                    return Err(BuildError::NotSpreadable { name: interaction.name.clone(), needs });
                }
                Some(spread) => self.build_spread(index, spread, &user, bodies, tally, &mut links)?,
            }
            for link in &links[*first_links.last().unwrap_or(&0)..] {
                let pressed = if link.active { link.now.max(link.previous) } else { 0.0 };
                limits::contact(link.contact.law(), interaction.damping, link.admittance, self.rate, pressed)
                    .map_err(|error| value(&user, error))?;
            }
            first_links.push(links.len());
            let limit = self.limits.interactions;
            if links.len() > limit {
                return Err(BuildError::TooManyInteractions { count: links.len(), limit });
            }
        }
        Ok((links, first_links))
    }

    fn build_link(
        &self,
        index: usize,
        interaction: &Interaction,
        user: &User,
        bodies: &Bodies,
    ) -> Result<Link, BuildError> {
        let from = self.terminal(&interaction.from, user, bodies)?;
        let to = self.terminal(&interaction.to, user, bodies)?;
        let mut link = new_link(index, interaction, from, to, 0.0, 1.0, bodies)?;
        if let Some(roughness) = &interaction.roughness {
            let road = Road::new(roughness, self.rate).map_err(|error| value(user, error))?;
            link.road = Some(Box::new(road));
            link.refresh(bodies);
            link.settle();
        }
        Ok(link)
    }

    /// One link at every grid point of the string `to`, or at every node of its modes.
    fn build_spread(
        &self,
        index: usize,
        spread: &Spread,
        user: &User,
        bodies: &Bodies,
        tally: &mut Tally<'_>,
        links: &mut Vec<Link>,
    ) -> Result<(), BuildError> {
        let interaction = &self.interactions[index];
        let refuse = |needs| BuildError::NotSpreadable { name: interaction.name.clone(), needs };
        let (from, to) = (self.body_of(&interaction.from, user, bodies)?, self.body_of(&interaction.to, user, bodies)?);
        let segments = bodies.segments(to).ok_or_else(|| refuse("`to` must be a string or a bar"))?;
        let points = match (spread, from) {
            (Spread::Profile(profile), BodyId::Barrier(_)) => {
                profile.validate().map_err(|error| value(user, error))?;
                profile.contact_points(segments)
            }
            (Spread::Neighbours, _) if bodies.segments(from) == Some(segments) => {
                let at = |node: usize| ProfilePoint { position: node as f64 / segments as f64, height: 0.0 };
                (0..=segments).map(at).collect()
            }
            (Spread::Profile(_), _) => return Err(refuse("`from` must be a barrier")),
            (Spread::Neighbours, _) => {
                return Err(refuse("`from` must be a string of as many grid points or modes as `to`"));
            }
        };
        // Before the links are made: a few points may be at held ends, where there will be none.
        let limit = self.limits.interactions;
        let count = links.len() + points.len();
        if count > limit.saturating_add(2) {
            return Err(BuildError::TooManyInteractions { count, limit });
        }
        tally.add(to, points.len().saturating_sub(2), bodies)?;
        tally.add(from, points.len().saturating_sub(2), bodies)?;
        // A fret is one contact; a surface is one for every cell of the grid.
        let is_edge = matches!(spread, Spread::Profile(Profile::Frets(_)));
        for ProfilePoint { position, height } in points {
            let at = |body, place| bodies.terminal(body, place).map_err(|error| value(user, error));
            let to = at(to, Place::Along(position))?;
            let from =
                if let BodyId::Barrier(_) = from { at(from, Place::Whole)? } else { at(from, Place::Along(position))? };
            let spacing = if is_edge { 1.0 } else { bodies.cell_at(to.body, position) };
            match new_link(index, interaction, from, to, height, spacing, bodies) {
                // A supported end is part of the profile, but nothing moves there.
                Err(BuildError::Immovable(_)) => {}
                link => links.push(link?),
            }
        }
        Ok(())
    }

    fn build_drives(&self, bodies: &Bodies) -> Result<Vec<Drive>, BuildError> {
        let build = |force: &crate::model::Force| {
            let user = User::Force(force.name.clone());
            let at = self.terminal(&force.at, &user, bodies)?;
            let samples = force.signal.iter().flatten().copied();
            for level in samples.chain([force.level]) {
                checked("force", level, "at most 1e9 N either way", |x| x.abs() <= limits::STRONGEST)
                    .map_err(|error| value(&user, error))?;
            }
            limits::push(force.level, bodies.admittance(&at, &at), self.rate).map_err(|error| value(&user, error))?;
            Ok(Drive { at, level: force.level, signal: force.signal.clone(), position: usize::MAX, force: 0.0 })
        };
        self.forces.iter().map(build).collect()
    }

    fn build_listeners(&self, bodies: &Bodies, first_links: &[usize]) -> Result<(Vec<Listener>, usize), BuildError> {
        let channels = self.pickups.first().map_or(1, |pickup| pickup.gains.len());
        let mut listeners = Vec::new();
        for (index, pickup) in self.pickups.iter().enumerate() {
            let user = User::Pickup(index);
            if pickup.gains.len() != channels {
                return Err(BuildError::Channels { pickup: index, expected: channels, actual: pickup.gains.len() });
            }
            for &gain in &pickup.gains {
                checked("gain", gain, "finite", |_| true).map_err(|error| value(&user, error))?;
            }
            let names = || self.interactions.iter().map(|interaction| interaction.name.as_str());
            let links = |name: &str| {
                let place = names().position(|other| other == name).ok_or_else(|| BuildError::NoSuchInteraction {
                    name: name.to_owned(),
                    suggestion: nearest(name, names()).map(str::to_owned),
                })?;
                Ok(first_links[place]..first_links[place + 1])
            };
            listeners.push(pickup.source.start(|point| self.terminal(point, &user, bodies), links)?);
        }
        Ok((listeners, channels))
    }
}

/// What is played, not yet joined.
struct Parts<'a> {
    bodies: Bodies,
    links: Vec<Link>,
    /// Where each interaction's links begin.
    first_links: Vec<usize>,
    drives: Vec<Drive>,
    listeners: Vec<Listener>,
    channels: usize,
    tally: Tally<'a>,
}

fn tangled(count: usize) -> BuildError {
    BuildError::TooTangled { count, limit: LARGEST_ISLAND }
}

/// A link between two points that are known.
fn new_link(
    index: usize,
    interaction: &Interaction,
    from: Terminal,
    to: Terminal,
    height: f64,
    spacing: f64,
    bodies: &Bodies,
) -> Result<Link, BuildError> {
    let law = if spacing == 1.0 { interaction.law } else { interaction.law.scaled(spacing) };
    let contact = Contact::new(law, interaction.rule, Aiming::default()).with_damping(interaction.damping);
    let contact = contact.between(bodies.nature(from.body).max(bodies.nature(to.body)));
    let contact = if interaction.spread.is_some() { contact.spread() } else { contact };
    let mut link = Link {
        from,
        to,
        // Friction knows no place, and its velocities would be rounded at the size of the gap.
        gap: if law.is_friction() { 0.0 } else { interaction.gap - height },
        shift: 0.0,
        height,
        road: None,
        contact,
        state: ContactState::default(),
        previous: 0.0,
        now: 0.0,
        last_step: 0.0,
        force: 0.0,
        admittance: 0.0,
        stretches: bodies.is_stretched(from.body) || bodies.is_stretched(to.body),
        active: interaction.active,
        out_of_reach: false,
        slipped: false,
        touching: false,
        slips_at: interaction.slips_at.unwrap_or(f64::INFINITY),
        interaction: index,
        spacing,
    };
    link.refresh(bodies);
    link.settle();
    if link.admittance > 0.0 { Ok(link) } else { Err(BuildError::Immovable(interaction.name.clone())) }
}

fn value(user: &User, error: ObjectError) -> BuildError {
    BuildError::Value { user: user.clone(), error }
}

fn unique<'a>(kind: &'static str, names: impl Iterator<Item = &'a String>) -> Result<(), BuildError> {
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(BuildError::SameName { kind, name: name.clone() });
        }
    }
    Ok(())
}
