//! Islands at work: the links of the engine that move each other within a step, and the linear system they share.
//!
//! `(I + W D) s = r` with `r = s0 - W ψ g`. With `E² = D` and `t = E s` it is `(I + E W E) t = E r`, symmetric and
//! positive definite for any admittance matrix, solved by Cholesky; then `s = r - W E t`. Two contacts are solved in closed form.

use crate::contact::step::{self, Island};
use crate::contact::{Contact, ContactState, Member, Motion, Solved};
use crate::coupling;
use crate::laws::ContactLaw;
use crate::link::Link;
use crate::objects::Bodies;

/// Memory for the step of the largest island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Slots of the links that take part in the step under way, and their part in it.
    slots: Vec<usize>,
    members: Vec<Member>,
    /// How each link of the island would move if nothing touched, and whether it takes part.
    motions: Vec<Motion>,
    awake: Vec<bool>,
    /// Elastic forces in N of those that take part, now and one sample ago.
    elastic: Vec<[f64; 2]>,
    system: System,
}

/// The linear system, in the order of those that take part.
#[derive(Clone, Debug, Default)]
struct System {
    conductances: Vec<f64>,
    /// ψg, in N.
    offsets: Vec<f64>,
    right: Vec<f64>,
    /// E, then the solution.
    scaled: Vec<f64>,
    unknown: Vec<f64>,
    factor: Vec<f64>,
}

/// Energy terms of a step, in J.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    pub dissipated: f64,
    pub supplied: f64,
}

impl Scratch {
    pub(crate) fn new(largest_island: usize) -> Self {
        let size = largest_island;
        let zeros = || vec![0.0; size];
        Self {
            slots: Vec::with_capacity(size),
            members: Vec::with_capacity(size),
            motions: Vec::with_capacity(size),
            awake: Vec::with_capacity(size),
            elastic: Vec::with_capacity(size),
            system: System {
                conductances: zeros(),
                offsets: zeros(),
                right: zeros(),
                scaled: zeros(),
                unknown: zeros(),
                factor: vec![0.0; size * size],
            },
        }
    }

    /// Steps all links of an island.
    pub(crate) fn step(
        &mut self,
        island: &coupling::Island,
        matrices: &[f64],
        members: &[usize],
        links: &mut [Link],
        bodies: &mut Bodies,
        rate: f64,
    ) -> Work {
        self.gather(members, links, bodies, rate);
        let size = island.size;
        let matrix = Matrix { entries: &matrices[island.matrix..island.matrix + size * size], size };
        let mut at_work = Coupled { scratch: self, matrix, indices: members, links };
        if at_work.count() > 0 {
            step::advance(&mut at_work);
        }
        at_work.finish(bodies)
    }

    /// Reads how each link would move, and picks those that touch.
    fn gather(&mut self, indices: &[usize], links: &[Link], bodies: &Bodies, rate: f64) {
        self.slots.clear();
        self.members.clear();
        self.motions.clear();
        self.awake.clear();
        for (slot, &index) in indices.iter().enumerate() {
            let link = &links[index];
            let motion = link.motion(bodies, rate);
            let touches = link.acts() && !link.contact.rests(&link.state, &motion);
            self.motions.push(motion);
            self.awake.push(touches);
            if touches {
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
    /// How far the forces of the step move the contact of a slot, one of the members left out, in m.
    fn moved(&self, slot: usize, but: Option<usize>) -> f64 {
        let Scratch { slots, members, .. } = &*self.scratch;
        let others = slots.iter().zip(members).enumerate().filter(|(index, _)| Some(*index) != but);
        others.map(|(_, (&other, member))| self.matrix.at(slot, other) * member.force).sum()
    }

    /// Fills in D and ψg of all members, but for one.
    fn fill_lines(&mut self, but: Option<usize>) {
        let Scratch { slots, members, system, .. } = &mut *self.scratch;
        for (index, (member, &slot)) in members.iter().zip(&*slots).enumerate() {
            let line = member.line(self.links[self.indices[slot]].state.root());
            (system.conductances[index], system.offsets[index]) = if Some(index) == but { (0.0, 0.0) } else { line };
        }
    }

    /// The right side of the system for the motion of the step.
    fn fill_right(&mut self) {
        let Scratch { slots, members, system, .. } = &mut *self.scratch;
        for (index, (member, &slot)) in members.iter().zip(&*slots).enumerate() {
            let pushed: f64 =
                slots.iter().zip(&system.offsets).map(|(&other, offset)| self.matrix.at(slot, other) * offset).sum();
            system.right[index] = member.motion.free_step - pushed;
        }
    }

    /// Ends the step of every link, those that did not take part included: the others have moved them.
    fn finish(mut self, bodies: &mut Bodies) -> Work {
        let mut work = Work::default();
        // Before any state changes, since the others' forces count.
        for slot in 0..self.indices.len() {
            if !self.scratch.awake[slot] {
                self.scratch.motions[slot].free_step -= self.moved(slot, None);
            }
        }
        let Self { scratch, indices, links, .. } = &mut self;
        for (slot, &index) in indices.iter().enumerate() {
            if !scratch.awake[slot] {
                let solved = Solved { step: scratch.motions[slot].free_step, force: 0.0, dissipated: 0.0 };
                work.add(links[index].finish(solved, bodies));
            }
        }
        for (member, &slot) in scratch.members.iter().zip(&scratch.slots) {
            let link = &mut links[indices[slot]];
            let solved = link.contact.take(&mut link.state, member);
            work.add(link.finish(solved, bodies));
        }
        work
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
        let Scratch { slots, elastic, .. } = &mut *self.scratch;
        elastic.clear();
        for &slot in &*slots {
            let link = &mut self.links[self.indices[slot]];
            let presses = link.contact.is_conservative() && link.state.root() > 0.0;
            let force = if presses { link.contact.law().force(link.now) } else { 0.0 };
            elastic.push(link.state.follow_elastic(force));
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
                    link.state.take_from(&mut other.state, 0.125 * self.matrix.at(first, second) * turned);
                }
            }
        }
    }

    fn solve(&mut self) {
        self.fill_lines(None);
        self.fill_right();
        let Scratch { slots, members, system, .. } = &mut *self.scratch;
        system.solve(&self.matrix, slots);
        for (index, member) in members.iter_mut().enumerate() {
            member.step = system.scaled[index];
            member.force = system.conductances[index] * member.step + system.offsets[index];
        }
        for index in 0..self.count() {
            let felt =
                self.scratch.members[index].motion.free_step - self.moved(self.scratch.slots[index], Some(index));
            self.scratch.members[index].felt = felt;
        }
    }

    fn seen_by(&mut self, index: usize) -> Motion {
        self.fill_lines(Some(index));
        self.fill_right();
        let Scratch { slots, members, system, .. } = &mut *self.scratch;
        system.solve(&self.matrix, slots);
        let free_step = system.scaled[index];
        // A unit force on it instead of the motion.
        for (right, &slot) in system.right.iter_mut().zip(&*slots) {
            *right = self.matrix.at(slot, slots[index]);
        }
        system.solve(&self.matrix, slots);
        Motion { free_step, admittance: system.scaled[index], ..members[index].motion }
    }

    fn wake(&mut self) {
        for slot in 0..self.indices.len() {
            if self.scratch.awake[slot] {
                continue;
            }
            let motion = self.scratch.motions[slot];
            let moved = Motion { free_step: motion.free_step - self.moved(slot, None), ..motion };
            let link = &mut self.links[self.indices[slot]];
            if link.acts() && !link.contact.rests(&link.state, &moved) {
                let mut member = Member::new(motion);
                link.contact.enter(&mut link.state, &mut member);
                (member.step, member.felt) = (moved.free_step, moved.free_step);
                self.scratch.awake[slot] = true;
                self.scratch.slots.push(slot);
                self.scratch.members.push(member);
            }
        }
    }
}

/// A view of an island's matrix W.
#[derive(Clone, Copy)]
struct Matrix<'a> {
    entries: &'a [f64],
    size: usize,
}

impl Matrix<'_> {
    #[inline]
    fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }
}

impl System {
    /// Solves `(I + W D) s = r` for the links of these slots; s replaces E.
    fn solve(&mut self, matrix: &Matrix, slots: &[usize]) {
        match *slots {
            [one] => self.scaled[0] = self.right[0] / (1.0 + matrix.at(one, one) * self.conductances[0]),
            [first, second] => self.solve_two(matrix, first, second),
            _ => self.solve_many(matrix, slots),
        }
    }

    fn solve_two(&mut self, matrix: &Matrix, i: usize, j: usize) {
        let (w00, w01, w11) = (matrix.at(i, i), matrix.at(i, j), matrix.at(j, j));
        let (d0, d1) = (self.conductances[0], self.conductances[1]);
        let (r0, r1) = (self.right[0], self.right[1]);
        // Expanded, so that the large products of two stiff contacts do not cancel; det W is never negative.
        let determinant = 1.0 + w00 * d0 + w11 * d1 + d0 * d1 * (w00 * w11 - w01 * w01).max(0.0);
        self.scaled[0] = (r0 + d1 * (w11 * r0 - w01 * r1)) / determinant;
        self.scaled[1] = (r1 + d0 * (w00 * r1 - w01 * r0)) / determinant;
    }

    fn solve_many(&mut self, matrix: &Matrix, slots: &[usize]) {
        let count = slots.len();
        self.conductances[..count].iter().zip(&mut self.scaled).for_each(|(d, e)| *e = d.sqrt());
        for i in 0..count {
            for j in 0..=i {
                let entry = self.scaled[i] * matrix.at(slots[i], slots[j]) * self.scaled[j];
                self.factor[i * count + j] = entry + if i == j { 1.0 } else { 0.0 };
            }
            self.unknown[i] = self.scaled[i] * self.right[i];
        }
        solve_positive(&mut self.factor[..count * count], &mut self.unknown[..count]);
        // s = t/E where the contact is stiff, s = r - W E t where it is soft: the other form cancels.
        for i in 0..count {
            self.factor[i] = self.unknown[i];
            self.unknown[i] *= self.scaled[i];
        }
        for i in 0..count {
            let stiff = self.conductances[i] * matrix.at(slots[i], slots[i]) > 1.0;
            self.scaled[i] = if stiff {
                self.factor[i] / self.scaled[i]
            } else {
                let moved: f64 = (0..count).map(|j| matrix.at(slots[i], slots[j]) * self.unknown[j]).sum();
                self.right[i] - moved
            };
        }
    }
}

/// Solves A x = b in place, A symmetric positive definite, given by its lower triangle.
fn solve_positive(matrix: &mut [f64], unknown: &mut [f64]) {
    let n = unknown.len();
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|l| matrix[i * n + l] * matrix[j * n + l]).sum();
            let rest = matrix[i * n + j] - dot;
            // The diagonal is at least 1 in exact arithmetic; rounding cannot bring it near 0.
            matrix[i * n + j] = if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / matrix[j * n + j] };
        }
    }
    for i in 0..n {
        let dot: f64 = (0..i).map(|j| matrix[i * n + j] * unknown[j]).sum();
        unknown[i] = (unknown[i] - dot) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|j| matrix[j * n + i] * unknown[j]).sum();
        unknown[i] = (unknown[i] - dot) / matrix[i * n + i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_solves_what_it_was_given() {
        let lower = [4.0, 0.0, 0.0, 2.0, 5.0, 0.0, -1.0, 0.5, 3.0];
        let x = [1.0, -2.0, 0.5];
        let full = |i: usize, j: usize| if i >= j { lower[i * 3 + j] } else { lower[j * 3 + i] };
        let mut b = [0.0; 3];
        (0..3).for_each(|i| b[i] = (0..3).map(|j| full(i, j) * x[j]).sum());
        solve_positive(&mut lower.clone(), &mut b);
        assert!(b.iter().zip(&x).all(|(got, want)| (got - want).abs() < 1e-14));
    }
}
