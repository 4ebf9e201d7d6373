//! How fine a line's grid may be, and the numbers that follow.
//!
//! ```text
//! h_min² = ½ (c²k² + 4σ1k + √((c²k² + 4σ1k)² + 16κ²k²)),     N = ⌊L/1.005 h_min⌋,     h = L/N
//! ```
//!
//! The bound h ≥ h_min keeps `M - ¼k²K - σ1k L` positive, so that the stored energy is; the margin is [`GRID_MARGIN`]. See
//! [`super::edges`] for the ends. A line that is tuned to a frequency gets its tension or stiffness from the grid it is on
//! ([`super::tuning`]), and one segment less if that takes it within the margin. A number of segments that is asked for may go up
//! to the bound.

use super::super::{GRID_MARGIN, ObjectError, Support, checked};
use super::edges::End;
use super::pieces::Pieces;
use super::tuning::{Pitch, Tuned, tune};

/// Least number of segments: a cubic needs four points.
pub(crate) const LEAST_SEGMENTS: usize = 3;

/// Part by which the spacing exceeds the bound when both ends are free, even if so many segments are asked for.
pub(super) const FREE_MARGIN: f64 = 1e-4;

/// What strings and bars come down to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LineSpec {
    /// What it is called in messages.
    pub(crate) kind: &'static str,
    /// L in m.
    pub(crate) length: f64,
    /// ρA in kg/m.
    pub(crate) linear_density: f64,
    /// T in N.
    pub(crate) tension: f64,
    /// EI in N m².
    pub(crate) bending_stiffness: f64,
    /// Loss that all frequencies share, in 1/s.
    pub(crate) sigma0: f64,
    /// Loss that grows with frequency, in m²/s.
    pub(crate) sigma1: f64,
    /// The ends at fraction 0 and 1.
    pub(crate) ends: [End; 2],
    /// Segments asked for; as many as the bound and its margin allow if none.
    pub(crate) segments: Option<usize>,
    /// Frequency in Hz of the lowest mode on the grid, and what is chosen for it; tension and stiffness are then a first guess.
    pub(crate) tuning: Option<(Tuned, f64)>,
    /// Largest ratio of frequency to that of the start which the tension may be raised for, at least 1.
    pub(crate) bend: f64,
}

/// Part by which rounding may bring a tuned line beyond the bound. The largest eigenvalue stays below it by more.
const GRACE: f64 = 1e-10;

/// A line's grid and its coefficients, all without unit but where said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    /// N.
    pub(crate) segments: usize,
    /// h in m.
    pub(crate) spacing: f64,
    /// The ends at node 0 and N.
    pub(crate) ends: [End; 2],
    /// k in s.
    pub(crate) time_step: f64,
    /// Energy per squared step of one node: ρA h/k², in J/m².
    pub(crate) scale: f64,
    /// B = k²/(ρA h (1 + σ0k)), in m/N.
    pub(crate) mobility: f64,
    /// λ² = c²k²/h².
    pub(crate) tension: f64,
    /// μ² = κ²k²/h⁴.
    pub(crate) stiffness: f64,
    /// σ0k.
    pub(crate) loss: f64,
    /// (1 - σ0k)/(1 + σ0k), the number the step multiplies with.
    pub(crate) keep: f64,
    /// s = 2σ1k/h².
    pub(crate) bend_loss: f64,
}

impl Grid {
    /// The grid of a description, and the pitch a string has on it.
    pub(super) fn new(spec: &LineSpec, rate: f64, most_points: usize) -> Result<(Self, Option<Pitch>), ObjectError> {
        spec.check()?;
        checked("rate", rate, "from 1 to 1e8 Hz", |rate| (1.0..=1e8).contains(&rate))?;
        let k = 1.0 / rate;
        let wave = spec.tension / spec.linear_density * k * k;
        let bending = spec.bending_stiffness / spec.linear_density * k * k;
        let spacing = least_spacing(wave * spec.bend * spec.bend, bending, spec.sigma1 * k, spec.ends);
        let margin = if spec.segments.is_some() { 1.0 } else { GRID_MARGIN };
        let mut most = (spec.length / (margin * spacing)).floor() as usize;
        let mut segments = spec.segments.unwrap_or(most);
        loop {
            let points = segments.saturating_add(1);
            if segments < LEAST_SEGMENTS {
                return Err(ObjectError::TooSmall { points, least: LEAST_SEGMENTS + 1 });
            }
            if segments > most {
                return Err(ObjectError::Unstable { points, most: most.saturating_add(1) });
            }
            if points > most_points {
                return Err(ObjectError::TooLarge { points, limit: most_points });
            }
            let (grid, pitch) = Self::with_segments(spec, segments, rate).tuned(spec)?;
            let highest = pitch.map_or(grid.tension, |pitch| pitch.tension_at(pitch.largest));
            if grid.is_stable_at(highest, margin) {
                return Ok((grid, pitch));
            }
            most = segments - 1;
            segments = spec.segments.unwrap_or(most);
        }
    }

    /// The grid of so many segments, tension and stiffness being those of the description.
    fn with_segments(spec: &LineSpec, segments: usize, rate: f64) -> Self {
        let k = 1.0 / rate;
        let h = spec.length / segments as f64;
        let keep = (1.0 - spec.sigma0 * k) / (1.0 + spec.sigma0 * k);
        // The account must use the σ0 that the rounded `keep` stands for: half a unit in its last place, 480000 times
        // over, is 3e-11 of the energy.
        let loss = (1.0 - keep) / (1.0 + keep);
        let scale = spec.linear_density * h * rate * rate;
        let per_mass = |value: f64| value / spec.linear_density * k * k;
        Self {
            segments,
            spacing: h,
            ends: spec.ends,
            time_step: k,
            scale,
            mobility: 1.0 / (scale * (1.0 + loss)),
            tension: per_mass(spec.tension) / (h * h),
            stiffness: per_mass(spec.bending_stiffness) / (h * h * h * h),
            loss,
            keep,
            bend_loss: 2.0 * spec.sigma1 * k / (h * h),
        }
    }

    /// The same grid in tune, and its pitch if it is a string.
    fn tuned(self, spec: &LineSpec) -> Result<(Self, Option<Pitch>), ObjectError> {
        let Some((tuned, frequency)) = spec.tuning else {
            return Ok((self, (self.tension > 0.0).then(|| Pitch::of(&self, spec.bend))));
        };
        let phase = std::f64::consts::TAU * frequency * self.time_step;
        let grid = tune(self, tuned, phase).ok_or(ObjectError::OutOfRange {
            parameter: "fundamental frequency",
            value: frequency,
            allowed: "above what stiffness alone gives",
        })?;
        Ok((grid, (tuned == Tuned::Tension).then(|| Pitch::of(&grid, spec.bend))))
    }

    /// Whether the bound holds at a tension λ², and the spacing is a margin above it.
    fn is_stable_at(&self, tension: f64, margin: f64) -> bool {
        // The bound in units of the spacing.
        let bound = least_spacing(tension, self.stiffness, 0.5 * self.bend_loss, self.ends);
        tension.is_finite() && margin * bound <= 1.0 + GRACE
    }

    /// The support of a point at a fraction of the length.
    pub(super) fn support(&self, fraction: f64) -> Support {
        let (first, weights) = cubic(fraction, self.segments);
        let pushes = std::array::from_fn(|offset| self.mobility_of(first + offset) * weights[offset]);
        let pieces = self.pieces();
        let slots = std::array::from_fn(|offset| pieces.slot(first + offset));
        Support::Line { first, slots, weights, pushes }
    }

    /// Where the nodes lie.
    pub(super) fn pieces(&self) -> Pieces {
        Pieces::new(self.segments)
    }

    /// Mobility of a node over one step, B = k²/(M (1 + σ0k)) in m/N: a free end has half the mass.
    pub(super) fn mobility_of(&self, node: usize) -> f64 {
        self.weight(node) * self.mobility
    }

    /// Whether a node cannot move.
    pub(crate) fn is_fixed(&self, node: usize) -> bool {
        (node == 0 && self.ends[0] != End::Free) || (node == self.segments && self.ends[1] != End::Free)
    }

    /// Inverse of a node's share of the mass ρAh: 0 if it cannot move, 2 on a free end, else 1.
    pub(crate) fn weight(&self, node: usize) -> f64 {
        if self.is_fixed(node) {
            0.0
        } else if node == 0 || node == self.segments {
            2.0
        } else {
            1.0
        }
    }
}

impl LineSpec {
    /// Wave speed c in m/s and stiffness κ in m²/s.
    pub(crate) fn speeds(&self) -> (f64, f64) {
        let per_mass = |value: f64| (value / self.linear_density).sqrt();
        (per_mass(self.tension), per_mass(self.bending_stiffness))
    }

    fn check(&self) -> Result<(), ObjectError> {
        checked("length", self.length, "from 1e-4 to 1e4 m", |value| (1e-4..=1e4).contains(&value))?;
        checked("linear density", self.linear_density, "from 1e-9 to 1e6 kg/m", |value| (1e-9..=1e6).contains(&value))?;
        checked("tension", self.tension, "from 0 to 1e9 N", |value| (0.0..=1e9).contains(&value))?;
        checked("bending stiffness", self.bending_stiffness, "from 0 to 1e12 N m²", |value| {
            (0.0..=1e12).contains(&value)
        })?;
        checked("sigma0", self.sigma0, "from 0 to 1e6 1/s", |value| (0.0..=1e6).contains(&value))?;
        checked("sigma1", self.sigma1, "from 0 to 1e4 m²/s", |value| (0.0..=1e4).contains(&value))?;
        Ok(())
    }
}

/// The stability bound for h in m, from c²k², κ²k² and σ1k.
pub(super) fn least_spacing(wave: f64, bending: f64, bend_loss: f64, ends: [End; 2]) -> f64 {
    let sum = wave + 4.0 * bend_loss;
    let spacing = (0.5 * (sum + (sum * sum + 16.0 * bending).sqrt())).sqrt();
    if ends == [End::Free; 2] { spacing * (1.0 + FREE_MARGIN) } else { spacing }
}

/// Four nodes, the first and their weights in the cubic through them, at a fraction of the length; all of it on one node if there.
fn cubic(fraction: f64, segments: usize) -> (usize, [f64; 4]) {
    let mut position = fraction * segments as f64;
    if (position - position.round()).abs() < 1e-9 {
        position = position.round();
    }
    let first = (position as usize).saturating_sub(1).min(segments - LEAST_SEGMENTS);
    let t = position - first as f64;
    let (a, b, c, d) = (t, t - 1.0, t - 2.0, t - 3.0);
    (first, [-b * c * d / 6.0, a * c * d / 2.0, -a * b * d / 2.0, a * b * c / 6.0])
}
