//! The joint step of an island: contacts that feel each other, solved together.
//!
//! `(I + W D) s = r` with `r = s0 - W ψ g`, `D = diag(g²/4 + R/2k)`. With `E² = D` and `t = E s` it is `(I + E W E) t = E r`, symmetric and
//! positive definite for any admittance matrix, solved by Cholesky; then `s = r - W E t`. Two contacts are solved in closed form.

use crate::contact::{Member, Solved};
use crate::coupling::Island;
use crate::link::Link;
use crate::objects::Bodies;

/// Memory for the joint step of the largest island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joint {
    /// Slots of the contacts that take part in the step under way, and their state in it.
    slots: Vec<usize>,
    members: Vec<Member>,
    /// What came of it for each.
    outcomes: Vec<Solved>,
    /// Free step of every link of the island, taking part or not.
    free_steps: Vec<f64>,
    conductances: Vec<f64>,
    right: Vec<f64>,
    /// E, then E r, then t.
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

impl Joint {
    pub(crate) fn new(largest_island: usize) -> Self {
        let size = largest_island;
        Self {
            slots: Vec::with_capacity(size),
            members: Vec::with_capacity(size),
            outcomes: Vec::with_capacity(size),
            free_steps: vec![0.0; size],
            conductances: vec![0.0; size],
            right: vec![0.0; size],
            scaled: vec![0.0; size],
            unknown: vec![0.0; size],
            factor: vec![0.0; size * size],
        }
    }

    /// Steps all links of an island.
    pub(crate) fn step(
        &mut self,
        island: &Island,
        coupling: &[f64],
        members: &[usize],
        links: &mut [Link],
        bodies: &mut Bodies,
        rate: f64,
    ) -> Work {
        self.gather(members, links, bodies, rate);
        let matrix =
            Coupled { entries: &coupling[island.matrix..island.matrix + island.size * island.size], size: island.size };
        self.outcomes.clear();
        match self.slots.first() {
            None => {}
            // Alone in this step: all that one contact can know in advance applies.
            Some(&slot) if self.slots.len() == 1 => {
                let link = &mut links[members[slot]];
                self.outcomes.push(link.contact.advance(&mut link.state, &self.members[0].motion));
            }
            Some(_) => {
                self.choose(&matrix, members, links, rate);
                for (member, &slot) in self.members.iter().zip(&self.slots) {
                    let link = &mut links[members[slot]];
                    self.outcomes.push(link.contact.take(&mut link.state, member));
                }
            }
        }
        self.scatter(&matrix, members, links, bodies)
    }

    /// Reads how each link would move, and picks those that touch.
    fn gather(&mut self, members: &[usize], links: &[Link], bodies: &Bodies, rate: f64) {
        self.slots.clear();
        self.members.clear();
        for (slot, &index) in members.iter().enumerate() {
            let link = &links[index];
            let motion = link.motion(bodies, rate);
            self.free_steps[slot] = motion.free_step;
            if link.acts() && !link.contact.rests(&link.state, &motion) {
                self.slots.push(slot);
                self.members.push(Member::new(motion));
            }
        }
    }

    /// The rules, between two solves; and up to two more where the solution asks a contact for what it cannot do.
    fn choose(&mut self, matrix: &Coupled, members: &[usize], links: &mut [Link], rate: f64) {
        for (member, &slot) in self.members.iter_mut().zip(&self.slots) {
            let link = &mut links[members[slot]];
            member.terms = link.contact.choose(&mut link.state, &member.motion);
        }
        self.solve(matrix, members, links, rate);
        let mut aimed = false;
        for (member, &slot) in self.members.iter_mut().zip(&self.slots) {
            let link = &mut links[members[slot]];
            if let Some(terms) = link.contact.choose_again(&mut link.state, member) {
                member.terms = terms;
                aimed = true;
            }
        }
        if aimed {
            self.solve(matrix, members, links, rate);
        }
        for _ in 0..2 {
            let mut mended = false;
            for (member, &slot) in self.members.iter_mut().zip(&self.slots) {
                let link = &links[members[slot]];
                mended |= link.contact.mend(&link.state, member);
            }
            if !mended {
                break;
            }
            self.solve(matrix, members, links, rate);
        }
    }

    /// Solves for the steps and forces of the contacts that take part.
    fn solve(&mut self, matrix: &Coupled, members: &[usize], links: &[Link], rate: f64) {
        let count = self.slots.len();
        for (i, member) in self.members.iter().enumerate() {
            let slope = if member.free { 0.0 } else { member.terms.slope };
            let resistance = if member.free { 0.0 } else { member.terms.resistance };
            self.conductances[i] = 0.25 * slope * slope + 0.5 * resistance * rate;
            // ψ g, for now.
            self.unknown[i] = links[members[self.slots[i]]].state.root() * slope;
        }
        for i in 0..count {
            let pushed: f64 = (0..count).map(|j| matrix.at(self.slots[i], self.slots[j]) * self.unknown[j]).sum();
            self.right[i] = self.members[i].motion.free_step - pushed;
        }
        match count {
            2 => self.solve_two(matrix),
            _ => self.solve_many(matrix),
        }
        for (i, member) in self.members.iter_mut().enumerate() {
            let offset =
                if member.free { 0.0 } else { links[members[self.slots[i]]].state.root() * member.terms.slope };
            member.step = self.scaled[i];
            member.force = self.conductances[i] * member.step + offset;
        }
    }

    fn solve_two(&mut self, matrix: &Coupled) {
        let (i, j) = (self.slots[0], self.slots[1]);
        let (w00, w01, w11) = (matrix.at(i, i), matrix.at(i, j), matrix.at(j, j));
        let (d0, d1) = (self.conductances[0], self.conductances[1]);
        let (r0, r1) = (self.right[0], self.right[1]);
        // Expanded, so that the large products of two stiff contacts do not cancel; det W is never negative.
        let determinant = 1.0 + w00 * d0 + w11 * d1 + d0 * d1 * (w00 * w11 - w01 * w01).max(0.0);
        self.scaled[0] = (r0 + d1 * (w11 * r0 - w01 * r1)) / determinant;
        self.scaled[1] = (r1 + d0 * (w00 * r1 - w01 * r0)) / determinant;
    }

    fn solve_many(&mut self, matrix: &Coupled) {
        let count = self.slots.len();
        self.conductances[..count].iter().zip(&mut self.scaled).for_each(|(d, e)| *e = d.sqrt());
        for i in 0..count {
            for j in 0..=i {
                let entry = self.scaled[i] * matrix.at(self.slots[i], self.slots[j]) * self.scaled[j];
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
            let stiff = self.conductances[i] * matrix.at(self.slots[i], self.slots[i]) > 1.0;
            self.scaled[i] = if stiff {
                self.factor[i] / self.scaled[i]
            } else {
                let moved: f64 = (0..count).map(|j| matrix.at(self.slots[i], self.slots[j]) * self.unknown[j]).sum();
                self.right[i] - moved
            };
        }
    }

    /// Ends the step of every link, those that did not take part included: the others have moved them.
    fn scatter(&mut self, matrix: &Coupled, members: &[usize], links: &mut [Link], bodies: &mut Bodies) -> Work {
        let mut work = Work::default();
        let mut next = 0;
        for (slot, &index) in members.iter().enumerate() {
            let link = &mut links[index];
            let solved = if self.slots.get(next) == Some(&slot) {
                next += 1;
                self.outcomes[next - 1]
            } else {
                let moved: f64 = self
                    .slots
                    .iter()
                    .zip(&self.outcomes)
                    .map(|(&other, outcome)| matrix.at(slot, other) * outcome.force)
                    .sum();
                Solved { step: self.free_steps[slot] - moved, force: 0.0, dissipated: 0.0 }
            };
            let (dissipated, supplied) = link.finish(solved, bodies);
            work.dissipated += dissipated;
            work.supplied += supplied;
        }
        work
    }
}

/// A view of an island's matrix W.
struct Coupled<'a> {
    entries: &'a [f64],
    size: usize,
}

impl Coupled<'_> {
    #[inline]
    fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
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
