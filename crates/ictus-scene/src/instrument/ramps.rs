//! Parameters on their way: in a straight line or in equal ratios, in steps of 16 samples.
//!
//! The steps are counted from the start of the scene, not from the block, so that a render equals a performance. A barrier does
//! not jump from step to step but moves between them: what it presses against would hear the staircase.

use crate::scene::Parameter;
use ictus::id::ContactId;

/// Samples between two steps.
pub(super) const STEP: u64 = 16;

/// Samples between two steps of what is costly.
pub(super) const LONG_STEP: u64 = 64 * STEP;

/// What goes from one value to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    Parameter(Parameter),
    /// How far a bow or a finger has come, by its contact.
    Presence(ContactId),
}

/// The way from one value to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ramp {
    pub target: Target,
    pub from: f64,
    pub to: f64,
    /// Sample at which it starts.
    pub start: u64,
    /// Samples it takes, at least 1.
    pub length: u64,
    /// Whether equal times are equal ratios; both values are then on one side of 0.
    pub logarithmic: bool,
}

impl Ramp {
    /// Where it is at a sample.
    pub(super) fn at(&self, time: u64) -> f64 {
        if self.is_over(time) {
            return self.to;
        }
        let part = time.saturating_sub(self.start) as f64 / self.length as f64;
        if self.logarithmic {
            self.from * libm::pow(self.to / self.from, part)
        } else {
            self.from + part * (self.to - self.from)
        }
    }

    pub(super) fn is_over(&self, time: u64) -> bool {
        time.saturating_sub(self.start) >= self.length
    }
}

/// All that is on its way, one ramp for each target at most.
#[derive(Debug)]
pub(super) struct Ramps {
    under_way: Vec<Ramp>,
}

impl Clone for Ramps {
    fn clone(&self) -> Self {
        // A clone has room for every target too.
        let mut clone = Self::new(self.under_way.capacity());
        clone.under_way.extend_from_slice(&self.under_way);
        clone
    }
}

impl Ramps {
    /// Room for so many targets.
    pub(super) fn new(targets: usize) -> Self {
        Self { under_way: Vec::with_capacity(targets) }
    }

    /// Starts a ramp in place of one of the same target.
    pub(super) fn start(&mut self, ramp: Ramp) {
        self.stop(ramp.target);
        // There is room for every target there is, so this holds; a push beyond it would take memory.
        if self.under_way.len() < self.under_way.capacity() {
            self.under_way.push(ramp);
        }
    }

    /// Leaves a target where it is.
    pub(super) fn stop(&mut self, target: Target) {
        self.under_way.retain(|other| other.target != target);
    }

    pub(super) fn clear(&mut self) {
        self.under_way.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Where a target is on its way to.
    pub(super) fn goal(&self, target: Target) -> Option<f64> {
        self.under_way.iter().find(|ramp| ramp.target == target).map(|ramp| ramp.to)
    }

    /// A ramp by its number, oldest first.
    pub(super) fn get(&self, number: usize) -> Option<Ramp> {
        self.under_way.get(number).copied()
    }

    pub(super) fn remove(&mut self, number: usize) {
        if number < self.under_way.len() {
            self.under_way.remove(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(target: Parameter) -> Ramp {
        Ramp { target: Target::Parameter(target), from: 1.0, to: 3.0, start: 100, length: 200, logarithmic: false }
    }

    #[test]
    fn a_ramp_is_a_straight_line_that_ends_on_its_value() {
        let ramp = ramp(Parameter::Gap(ContactId::new(0)));
        assert_eq!([0, 100, 200, 300, u64::MAX].map(|time| ramp.at(time)), [1.0, 1.0, 2.0, 3.0, 3.0]);
        assert!(!ramp.is_over(299) && ramp.is_over(300));
    }

    #[test]
    fn a_way_by_ratios_is_half_way_at_the_geometric_mean() {
        for sign in [1.0, -1.0] {
            let target = Target::Parameter(Parameter::Gap(ContactId::new(0)));
            let (from, to) = (sign * 1e-3, sign * 10.0);
            let ramp = Ramp { target, from, to, start: 100, length: 200, logarithmic: true };
            let at = |time| sign * ramp.at(time);
            assert!((at(200) - 0.1).abs() < 1e-15 && (at(250) - 1.0).abs() < 1e-14);
            assert_eq!([at(100), at(300)], [1e-3, 10.0]);
        }
    }

    #[test]
    fn a_new_ramp_takes_the_place_of_the_old_one() {
        let mut ramps = Ramps::new(2);
        ramps.start(ramp(Parameter::Gap(ContactId::new(0))));
        ramps.start(ramp(Parameter::Gap(ContactId::new(1))));
        ramps.start(Ramp { to: 9.0, ..ramp(Parameter::Gap(ContactId::new(0))) });
        let ends: Vec<f64> = (0..3).filter_map(|number| ramps.get(number)).map(|ramp| ramp.to).collect();
        assert_eq!(ends, [3.0, 9.0]);
    }
}
