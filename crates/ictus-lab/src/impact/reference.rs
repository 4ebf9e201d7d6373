//! The exact motion, to compare with: the orbit of an impact, and bounce after bounce under gravity.
//!
//! During a contact gravity is small against the wall's force and is left out, as in P09's figure 8.

use ictus::impact::exact::WallImpact;
use ictus::impact::{Problem, Sample, Settings, run, scheme};
use ictus::laws::{ContactLaw, Law};

/// Steps per contact of the fine run that stands for the exact motion in time.
const FINE_STEPS: usize = 800;

/// One bounce.
pub struct Bounce {
    /// The impact.
    pub impact: WallImpact,
    /// Time of first touch in s.
    pub start: f64,
    /// Time of release in s.
    pub end: f64,
    /// Gravity in m/s².
    gravity: f64,
}

impl Bounce {
    /// When the mass is back at the wall, in s.
    pub fn next(&self) -> f64 {
        self.end - 2.0 * self.impact.output_velocity() / self.gravity
    }
}

/// The bounces of a mass that reaches the wall after `approach` seconds; only the first without gravity.
pub fn bounces(first: WallImpact, approach: f64, gravity: f64) -> impl Iterator<Item = Bounce> {
    let bounce = move |impact: WallImpact, start: f64| {
        let end = start + impact.contact_time();
        Bounce { impact, start, end, gravity }
    };
    std::iter::successors(Some(bounce(first, approach)), move |last| {
        let velocity = -last.impact.output_velocity();
        let next = last.next();
        // Ever smaller bounces pile up at a finite time: stop where they no longer advance it.
        let goes_on = gravity > 0.0 && velocity > 0.0 && next.is_finite() && next > last.end;
        goes_on.then(|| bounce(WallImpact { velocity, ..last.impact }, next))
    })
}

/// Points (compression, velocity, force) along the exact orbit, from touch to release.
pub fn orbit(impact: &WallImpact, law: &Law, points: usize) -> Vec<(f64, f64, f64)> {
    let (first, last) = (impact.velocity, impact.output_velocity());
    let point = |index: usize| {
        // Denser towards the ends, where the compression changes fastest with the velocity.
        let way = (1.0 - (std::f64::consts::PI * index as f64 / points as f64).cos()) / 2.0;
        let velocity = first + (last - first) * way;
        let compression = impact.displacement_at(velocity);
        let force = law.force(compression) + law.resistance(compression, velocity) * velocity;
        (compression, velocity, force)
    };
    (0..=points).map(point).collect()
}

/// The motion within one contact: time since the touch in s, and the state. Stepped finely enough to stand for the
/// exact one; `None` where that fails.
pub fn contact(impact: &WallImpact, law: Law) -> Option<Vec<(f64, Sample)>> {
    let duration = impact.contact_time();
    let rate = FINE_STEPS as f64 / duration;
    let problem =
        Problem { mass: impact.mass, law, acceleration: 0.0, displacement: 0.0, velocity: impact.velocity, rate };
    let run = run(scheme("rk4")?, &problem, &Settings::default(), FINE_STEPS);
    let released = run.samples.last()?.velocity;
    let expected = impact.output_velocity();
    let close = (released - expected).abs() < 0.01 * impact.velocity;
    (run.failure.is_none() && close)
        .then(|| run.samples.into_iter().enumerate().map(|(n, sample)| (n as f64 / rate, sample)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMPACT: WallImpact =
        WallImpact { mass: 1e-2, stiffness: 1e7, exponent: 1.1, dissipation: 0.1, velocity: 0.3 };

    #[test]
    fn bounces_get_shorter_and_end_without_gravity() {
        assert_eq!(bounces(IMPACT, 0.0, 0.0).count(), 1);
        let starts: Vec<f64> = bounces(IMPACT, 0.0, 9.81).take(10).map(|bounce| bounce.start).collect();
        let steps: Vec<f64> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(steps.len(), 9);
        assert!(steps.windows(2).all(|pair| pair[1] < pair[0]), "{steps:?}");
    }
}
