//! Islands at work: the links of the engine that move each other within a step, and the linear system they share, which `island/system.rs` sets up and `island/factor.rs` solves.

mod factor;
mod springs;
mod system;

use crate::contact::step::{self, Island};
use crate::contact::{Contact, ContactState, Member, Motion, Solved};
use crate::coupling::{self, Coupling};
use crate::laws::ContactLaw;
use crate::link::Link;
use crate::objects::Bodies;
use crate::room::Room;
use springs::Springs;
use system::{Matrix, System};

/// What is known of all islands and remembered from sample to sample, and memory for their steps.
#[derive(Clone, Debug)]
pub(crate) struct Islands {
    springs: Springs,
    scratch: Scratch,
}

/// Memory for the step of the largest island.
#[derive(Clone, Debug)]
struct Scratch {
    /// Slots of the links that take part in the step under way, and their part in it.
    slots: Room<usize>,
    members: Room<Member>,
    /// How each link of the island would move if nothing touched, and its part in the step.
    motions: Room<Motion>,
    parts: Room<Part>,
    /// Elastic forces in N of those that take part, now and one sample ago.
    elastic: Room<[f64; 2]>,
    /// Its matrix in this step, if that changes.
    matrix: Room<f64>,
    system: System,
    /// Forces in N of those that take part, by slot, and how far they move each link of the island, in m.
    pushes: Room<(usize, f64)>,
    moved: Room<f64>,
}

/// What a link of an island does in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// Nothing; others may move it.
    Rests,
    /// It takes part.
    Touches,
    /// It is linear, and was taken out of the system.
    Spring,
}

/// Energy terms of a step, in J.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    pub dissipated: f64,
    pub supplied: f64,
}

impl Islands {
    /// Memory for all islands of a model with so many links.
    pub(crate) fn new(coupling: &Coupling, links: usize) -> Self {
        Self { springs: Springs::new(coupling, links), scratch: Scratch::new(coupling.largest_island) }
    }

    /// Steps all links of an island.
    pub(crate) fn step(
        &mut self,
        coupling: &Coupling,
        island: &coupling::Island,
        links: &mut [Link],
        bodies: &mut Bodies,
        rate: f64,
    ) -> Work {
        let members = &coupling.members[island.first..][..island.size];
        let Self { springs, scratch } = self;
        scratch.motions.clear();
        scratch.motions.extend(members.iter().map(|&index| links[index].motion(bodies, rate)));
        let reduced = springs.find(coupling, island, links, rate);
        if reduced {
            springs.relax(island, members, links, bodies, &mut scratch.motions);
        }
        let entries = if reduced { springs.entries() } else { &coupling.matrices };
        let entries = &entries[island.matrix..][..island.size * island.size];
        // Taken out while it is worked with, and put back.
        let mut changing = std::mem::take(&mut scratch.matrix);
        if island.stretches {
            changing.clear();
            changing.extend_from_slice(entries);
            hold_back(&mut changing, members, links, bodies);
        }
        let entries = if island.stretches { &changing[..] } else { entries };
        let matrix = Matrix { entries, size: island.size };
        scratch.gather(members, links, if reduced { &springs.slots } else { &[] });
        scratch.system.choose(&matrix, &scratch.slots);
        let mut at_work = Coupled { scratch, matrix, indices: members, links };
        if at_work.count() > 0 {
            step::advance(&mut at_work);
            at_work.slip();
        }
        let mut work = Work::default();
        if reduced {
            at_work.finish_springs(springs, island, bodies, &mut work);
        }
        at_work.finish(bodies, &mut work);
        scratch.matrix = changing;
        work
    }
}

/// Makes the matrix of an island that of this step: bodies that are stretched give way less. Only links on such bodies feel that, and springs
/// that were taken out are none of them.
fn hold_back(matrix: &mut [f64], members: &[usize], links: &[Link], bodies: &Bodies) {
    let size = members.len();
    let on_stretched = |slot: &usize| links[members[*slot]].stretches;
    for i in (0..size).filter(on_stretched) {
        for j in (0..=i).filter(on_stretched) {
            let less = links[members[i]].held_back(&links[members[j]], bodies);
            matrix[i * size + j] -= less;
            if i != j {
                matrix[j * size + i] -= less;
            }
        }
    }
}

impl Scratch {
    fn new(size: usize) -> Self {
        Self {
            slots: Room::new(size),
            members: Room::new(size),
            motions: Room::new(size),
            parts: Room::new(size),
            elastic: Room::new(size),
            matrix: Room::new(size * size),
            system: System::new(size),
            pushes: Room::new(size),
            moved: Room::new(size),
        }
    }

    /// Picks those that touch; not those that are taken out.
    fn gather(&mut self, indices: &[usize], links: &[Link], springs: &[usize]) {
        self.slots.clear();
        self.members.clear();
        self.parts.clear();
        self.parts.resize(indices.len(), Part::Rests);
        springs.iter().for_each(|slot| self.parts[*slot] = Part::Spring);
        for (slot, &index) in indices.iter().enumerate() {
            let link = &links[index];
            let motion = self.motions[slot];
            let rests = self.parts[slot] == Part::Rests;
            if rests && link.acts() && !link.contact.rests(&link.state, &motion) {
                self.parts[slot] = Part::Touches;
                self.slots.push(slot);
                self.members.push(Member::new(motion));
            }
        }
    }
}

/// An island in its step.
struct Coupled<'a> {
    scratch: &'a mut Scratch,
    matrix: Matrix<'a>,
    /// Its links, by slot.
    indices: &'a [usize],
    links: &'a mut [Link],
}

impl Coupled<'_> {
    /// Finds how far the forces of the step move each link of the island.
    fn move_all(&mut self) {
        let Scratch { slots, members, pushes, moved, system, .. } = &mut *self.scratch;
        pushes.clear();
        pushes.extend(slots.iter().zip(&**members).map(|(slot, member)| (*slot, member.force)));
        moved.resize(self.matrix.size, 0.0);
        self.matrix.combine(system.level(), pushes, moved);
    }

    /// Fills in D, ψg and s0 of all members, but for D and ψg of one.
    fn fill_system(&mut self, but: Option<usize>) {
        let Scratch { slots, members, system, .. } = &mut *self.scratch;
        for (index, (member, &slot)) in members.iter().zip(&*slots).enumerate() {
            let line = member.line(self.links[self.indices[slot]].state.root());
            (system.conductances[index], system.offsets[index]) = if Some(index) == but { (0.0, 0.0) } else { line };
            system.free_steps[index] = member.motion.free_step;
        }
    }

    /// Cuts short the force of those that slip off in this step; the others feel it. Not where that would make energy.
    fn slip(&mut self) {
        for index in 0..self.count() {
            let link = &self.links[self.indices[self.scratch.slots[index]]];
            let (before, stored) = (self.scratch.members[index], link.state.energy());
            let Some(force) = link.slip_force(before.force) else { continue };
            self.scratch.members[index].slip(force);
            self.solve();
            if self.scratch.members[index].step * 0.5 * force + stored < 0.0 {
                self.scratch.members[index] = before;
                self.solve();
            }
        }
    }

    /// Ends the step of the linear members: the others' forces act on them too.
    fn finish_springs(&mut self, springs: &Springs, island: &coupling::Island, bodies: &mut Bodies, work: &mut Work) {
        let Scratch { slots, members, motions, .. } = &*self.scratch;
        for &slot in &springs.slots {
            let link = &mut self.links[self.indices[slot]];
            let others = slots.iter().zip(members).map(|(other, member)| (*other, member.force));
            let (force, step) = springs.force_and_step(island, slot, link, others);
            let solved = link.contact.spring(&mut link.state, step, force, motions[slot].rate);
            work.add(link.finish(solved, bodies));
        }
    }

    /// Ends the step of every other link, those that did not take part included: the others have moved them.
    fn finish(mut self, bodies: &mut Bodies, work: &mut Work) {
        self.move_all();
        let Self { scratch, indices, links, .. } = &mut self;
        for (slot, &index) in indices.iter().enumerate() {
            if scratch.parts[slot] == Part::Rests {
                let step = scratch.motions[slot].free_step - scratch.moved[slot];
                work.add(links[index].finish(Solved { step, force: 0.0, dissipated: 0.0 }, bodies));
            }
        }
        for (member, &slot) in scratch.members.iter().zip(&scratch.slots) {
            let link = &mut links[indices[slot]];
            let solved = link.contact.take(&mut link.state, member);
            if member.has_slipped() {
                link.slip();
            }
            work.add(link.finish(solved, bodies));
        }
    }
}

impl Work {
    fn add(&mut self, (dissipated, supplied): (f64, f64)) {
        self.dissipated += dissipated;
        self.supplied += supplied;
    }
}

impl Island for Coupled<'_> {
    fn count(&self) -> usize {
        self.scratch.slots.len()
    }

    fn parts(&mut self, index: usize) -> (&Contact, &mut ContactState, &mut Member) {
        let link = &mut self.links[self.indices[self.scratch.slots[index]]];
        (&link.contact, &mut link.state, &mut self.scratch.members[index])
    }

    /// Each contact stores its part of one energy, `φ_i - φ_i' A_i/8` with A the second difference of its compression, and by the power of
    /// its own force. But of what is between two that press the same body, `W_ij f_i f_j/4`, each is handed its half while the power of the
    /// two is not the same: in every sample `W_ij (f_i⁻ f_j - f_i f_j⁻)/8` is with the wrong one. Without this a lossless chain is of second
    /// order and ten times as far off.
    fn exchange(&mut self) {
        let Scratch { slots, elastic, system, .. } = &mut *self.scratch;
        elastic.clear();
        let mut any = false;
        for &slot in &*slots {
            let link = &mut self.links[self.indices[slot]];
            let presses = link.contact.is_conservative() && link.state.root() > 0.0;
            let force = if presses { link.contact.law().force(link.now) } else { 0.0 };
            any |= presses;
            elastic.push(link.state.follow_elastic(force));
        }
        if !any {
            return;
        }
        for (j, &second) in slots.iter().enumerate() {
            for (i, &first) in slots.iter().enumerate().take(j) {
                let ([now, before], [other_now, other_before]) = (elastic[i], elastic[j]);
                let turned = before * other_now - now * other_before;
                if turned != 0.0
                    && let Ok([link, other]) = self.links.get_disjoint_mut([self.indices[first], self.indices[second]])
                    && link.state.root() > 0.0
                    && other.state.root() > 0.0
                {
                    link.state.take_from(&mut other.state, 0.125 * system.between(i, j) * turned);
                }
            }
        }
    }

    fn solve(&mut self) {
        self.fill_system(None);
        let Scratch { members, system, .. } = &mut *self.scratch;
        system.solve();
        for (index, member) in members.iter_mut().enumerate() {
            (member.step, member.force, member.felt) = (system.steps[index], system.forces[index], system.felt[index]);
        }
    }

    fn seen_by(&mut self, index: usize) -> Motion {
        self.fill_system(Some(index));
        let Scratch { slots, members, system, .. } = &mut *self.scratch;
        system.solve();
        let free_step = system.steps[index];
        // A unit force on it instead of motion and stored forces.
        for other in 0..slots.len() {
            system.free_steps[other] = system.between(other, index);
        }
        system.offsets[..slots.len()].fill(0.0);
        system.solve_again();
        Motion { free_step, admittance: system.steps[index], ..members[index].motion }
    }

    fn wake(&mut self) {
        let pressing = self.count();
        if pressing == self.indices.len() {
            return;
        }
        self.move_all();
        for slot in 0..self.indices.len() {
            if self.scratch.parts[slot] != Part::Rests {
                continue;
            }
            let motion = self.scratch.motions[slot];
            let moved = Motion { free_step: motion.free_step - self.scratch.moved[slot], ..motion };
            let link = &mut self.links[self.indices[slot]];
            if link.acts() && !link.contact.rests(&link.state, &moved) {
                let mut member = Member::new(motion);
                link.contact.enter(&mut link.state, &mut member);
                (member.step, member.felt) = (moved.free_step, moved.free_step);
                self.scratch.parts[slot] = Part::Touches;
                self.scratch.slots.push(slot);
                self.scratch.members.push(member);
            }
        }
        if self.count() > pressing {
            self.scratch.system.choose(&self.matrix, &self.scratch.slots);
        }
    }
}
