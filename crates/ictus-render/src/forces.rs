//! Forces of interactions over time, for drawing: the largest in each of many short spans, and the strongest contact
//! sample by sample.

use ictus::Engine;
use ictus::id::ContactId;

/// Spans that the whole time is divided into.
const SPANS: usize = 1500;
/// Longest time in s of a contact that is kept sample by sample.
const LONGEST: f64 = 0.02;

/// Forces of every interaction.
#[derive(Clone, Debug)]
pub struct Forces {
    /// One for each interaction, in the order of the model.
    pub all: Vec<Force>,
    /// Steps per second.
    pub rate: f64,
    steps_per_span: usize,
    step: usize,
    longest: usize,
}

/// The force of one interaction.
#[derive(Clone, Debug, Default)]
pub struct Force {
    /// Largest magnitude in N of each span.
    pub spans: Vec<f64>,
    /// The strongest contact, sample by sample in N.
    pub strongest: Contact,
    current: Contact,
}

/// Samples of a force from touch to release.
#[derive(Clone, Debug, Default)]
pub struct Contact {
    /// Number of its first step.
    pub start: usize,
    /// The force in N.
    pub forces: Vec<f64>,
    /// Largest magnitude in N.
    pub peak: f64,
}

impl Forces {
    /// For so many interactions over so many steps at `rate` Hz.
    pub fn new(interactions: usize, rate: f64, steps: f64) -> Self {
        Self {
            all: (0..interactions).map(|_| Force::default()).collect(),
            rate,
            steps_per_span: ((steps / SPANS as f64).ceil() as usize).max(1),
            step: 0,
            longest: ((LONGEST * rate) as usize).max(8),
        }
    }

    /// Length of a span in s.
    pub fn span(&self) -> f64 {
        self.steps_per_span as f64 / self.rate
    }

    /// Takes the forces of the step that the engine has just made.
    pub fn look_at(&mut self, engine: &Engine) {
        let opens = self.step.is_multiple_of(self.steps_per_span);
        for (index, force) in self.all.iter_mut().enumerate() {
            force.take(engine.interaction_force(ContactId::new(index)).unwrap_or(0.0), opens, self.step, self.longest);
        }
        self.step += 1;
    }
}

impl Force {
    fn take(&mut self, newtons: f64, opens: bool, step: usize, longest: usize) {
        if opens {
            self.spans.push(0.0);
        }
        if let Some(span) = self.spans.last_mut() {
            *span = span.max(newtons.abs());
        }
        if newtons == 0.0 || self.current.forces.len() >= longest {
            self.end_contact();
        }
        if newtons != 0.0 {
            if self.current.forces.is_empty() {
                self.current.start = step;
            }
            self.current.forces.push(newtons);
            self.current.peak = self.current.peak.max(newtons.abs());
        }
    }

    fn end_contact(&mut self) {
        if self.current.peak > self.strongest.peak {
            std::mem::swap(&mut self.current, &mut self.strongest);
        }
        self.current.forces.clear();
        self.current.peak = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_contact_is_kept_sample_by_sample() {
        let mut force = Force::default();
        for (step, newtons) in [0.0, 1.0, 2.0, 0.0, 0.0, 3.0, 5.0, 4.0, 0.0, 1.0, 0.0].into_iter().enumerate() {
            force.take(newtons, step % 4 == 0, step, 100);
        }
        assert_eq!((force.strongest.start, force.strongest.forces.as_slice()), (5, [3.0, 5.0, 4.0].as_slice()));
        assert_eq!(force.spans, [2.0, 5.0, 1.0]);
    }

    #[test]
    fn a_force_that_never_ends_is_cut_into_pieces() {
        let mut force = Force::default();
        for step in 0..25 {
            force.take(-1.0 - step as f64, step == 0, step, 10);
        }
        assert_eq!((force.strongest.start, force.strongest.forces.len(), force.strongest.peak), (10, 10, 20.0));
    }
}
