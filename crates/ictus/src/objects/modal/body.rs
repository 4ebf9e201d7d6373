//! A body in modes as the engine knows it.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::super::lanes::LANES;
use super::super::{Accelerance, At, Body, ObjectError, Place, SILENCE, Support, Use};
use super::{Modal, slot};

impl Body for Modal {
    #[inline(always)]
    fn free_step<S: Simd>(&mut self, simd: S) {
        self.level = simd.level();
        self.state.stepped = true;
        match &mut self.stretch {
            None => self.state.step(simd, &mut self.points),
            Some(stretch) => stretch.step(simd, &mut self.state, &mut self.points),
        }
    }

    #[inline]
    fn read(&self, support: &Support, at: At) -> f64 {
        let steps_before = match at {
            At::Next => 0,
            At::Now => usize::from(self.state.stepped),
            At::Previous => 1 + usize::from(self.state.stepped),
        };
        match *support {
            Support::Modes { point } => match self.points.memory.followed.get(point) {
                Some(true) => {
                    let read = self.points.memory.displacements[slot(self.state.clock, steps_before)][point];
                    if steps_before == 0 { self.points.as_felt(point, read) } else { read }
                }
                Some(false) => self.look(support, at),
                None => 0.0,
            },
            Support::Seen(_) => self.look(support, at),
            _ => 0.0,
        }
    }

    #[inline]
    fn push(&mut self, support: &Support, force: f64) {
        let Support::Modes { point } = *support else { return };
        let now = slot(self.state.clock, 0);
        match &mut self.stretch {
            None => self.points.push(point, force, now, self.level),
            Some(stretch) => stretch.push(&mut self.points, point, force, now),
        }
        self.state.pushed[now] = true;
    }

    #[inline(always)]
    fn feel<S: Simd>(&mut self, simd: S) {
        self.points.feel(simd, slot(self.state.clock, 0));
    }

    #[inline]
    fn admittance(&self, here: &Support, there: &Support) -> f64 {
        match (*here, *there) {
            (Support::Modes { point: here }, Support::Modes { point: there }) => {
                self.points.admittance(here, there).at_once
            }
            _ => self.look_across(here, there),
        }
    }

    fn accelerance(&self, support: &Support) -> Option<Accelerance> {
        let Support::Modes { point } = *support else { return None };
        Some(self.points.accelerance(point, &self.poles))
    }

    fn reach(&self, support: &Support, energy: f64, samples: u64) -> f64 {
        let Support::Modes { point } = *support else { return f64::INFINITY };
        let mut reach = (self.points.largest[point][0] * energy).sqrt();
        for &mode in &self.rigid {
            let driven = samples as f64 * self.poles[mode].largest(energy)[1];
            reach += self.points.weights.at(point, mode).abs() * (self.motion(mode)[0].abs() + driven);
        }
        reach
    }

    fn excursion(&self, support: &Support, energy: f64) -> [f64; 2] {
        let Support::Modes { point } = *support else { return [f64::INFINITY; 2] };
        if energy == 0.0 {
            return [0.0; 2];
        }
        let [displacement, step] = self.points.largest[point].map(|largest| (largest * energy).sqrt());
        let drifts = self.rigid.iter().any(|mode| self.points.weights.at(point, *mode) != 0.0);
        [if drifts { f64::INFINITY } else { displacement }, step]
    }

    fn ringing(&self, support: &Support) -> [f64; 2] {
        let Support::Modes { point } = *support else { return [f64::INFINITY; 2] };
        if self.stretch.is_some() {
            // Modes that stretch each other do not keep their energies.
            return self.excursion(support, self.stored_energy());
        }
        dispatch!(self.level, simd => {
            let mut sums = [0.0; 2];
            let row = self.points.weights.row(point);
            for (index, poles) in self.poles.chunks(LANES).enumerate() {
                let weights = row.octet(index);
                let [u, d] = self.motion_of(simd, index).map(|lanes| lanes.to_array());
                for (lane, poles) in poles.iter().enumerate() {
                    let (weight, energy) = (weights.0[lane].abs(), poles.response * poles.stored(u[lane], d[lane]));
                    let [displacement, step] = poles.largest(energy);
                    sums[0] += if weight > 0.0 && energy > 0.0 { weight * displacement } else { 0.0 };
                    sums[1] += weight * step;
                }
            }
            sums
        })
    }

    fn unrest(&self) -> f64 {
        if self.stretch.as_ref().is_some_and(|stretch| !stretch.only_stiffens() && stretch.energy() > 0.0) {
            return f64::INFINITY;
        }
        dispatch!(self.level, simd => self.unrest_of_modes(simd))
    }

    fn open_books(&mut self) {
        self.open_account();
    }

    fn close_books(&mut self) -> f64 {
        dispatch!(self.level, simd => self.close_account(simd))
    }

    #[inline]
    fn advance(&mut self) {
        if !self.points.unfelt.is_empty() {
            dispatch!(self.level, simd => self.feel(simd));
        }
        self.state.stepped = false;
        if let Some(stretch) = &mut self.stretch {
            stretch.advance();
        }
    }

    fn stored_energy(&self) -> f64 {
        dispatch!(self.level, simd => self.stored(simd))
    }

    fn support(&self, place: Place) -> Result<Support, ObjectError> {
        self.places.check(self.kind, place)?;
        Ok(Support::Seen(place))
    }

    fn expect(&mut self, points: usize) {
        self.points.expect(points, self.state.octets.len());
    }

    fn attach(&mut self, support: &Support, purpose: Use, followed: bool) -> Support {
        match *support {
            Support::Seen(place) => self.add_point(place, purpose, followed),
            attached => attached,
        }
    }

    fn follow(&mut self, support: &Support, follow: bool) {
        if let Support::Modes { point } = *support {
            self.follow_point(point, follow);
        }
    }

    fn move_point(&mut self, support: &Support, place: Place) -> Result<Support, ObjectError> {
        self.places.check(self.kind, place)?;
        match *support {
            Support::Modes { point } => {
                self.put_point(point, place);
                Ok(*support)
            }
            _ => Ok(Support::Seen(place)),
        }
    }

    fn reset(&mut self) {
        let state = &mut self.state;
        for octet in &mut state.octets {
            (octet.displacement, octet.last_move) = Default::default();
        }
        for (octet, [displacement, last_move]) in state.octets.iter_mut().zip(self.initial.iter().flatten()) {
            (octet.displacement, octet.last_move) = (*displacement, *last_move);
        }
        (state.pushed, state.clock, state.stepped) = Default::default();
        self.points.memory.clear();
        self.points.unfelt.clear();
        self.find_stretch();
        self.read_points();
    }

    fn dimensions(&self) -> [usize; 2] {
        self.places.dimensions()
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn shape(&self, out: &mut [f64]) {
        out.fill(0.0);
        for (mode, drawn) in self.drawing.iter().enumerate() {
            let displacement = self.displacement_of(mode);
            out.iter_mut().zip(drawn).for_each(|(out, weight)| *out += weight * displacement);
        }
    }

    fn quieten(&mut self) {
        // Of a body that is stretched, squares are taken too.
        let least = if self.stretch.is_some() { SILENCE.sqrt() } else { SILENCE };
        for octet in &mut self.state.octets {
            for lanes in [&mut octet.displacement, &mut octet.last_move] {
                lanes.0.iter_mut().for_each(|value| *value = if value.abs() < least { 0.0 } else { *value });
            }
        }
    }
}
