//! The notes' side of a comparison: what they see, keep and solve, and how it is held against the engine.

use ictus::Engine;
use ictus::contact::Rule;
use ictus::id::ObjectId;
use ictus::laws::{ContactLaw, Law};
use ictus::model::{Interaction, Point};

use super::K;

/// How far the two steps may differ, in parts of the largest displacement.
const ALLOWED: f64 = 1e-12;

/// The solution of a small linear system, by elimination with exchange of rows.
pub fn solve<const N: usize>(mut a: [[f64; N]; N], mut v: [f64; N]) -> [f64; N] {
    for i in 0..N {
        let best = (i..N).max_by(|&p, &q| a[p][i].abs().total_cmp(&a[q][i].abs())).unwrap();
        a.swap(i, best);
        v.swap(i, best);
        for row in i + 1..N {
            let factor = a[row][i] / a[i][i];
            let above = a[i];
            a[row].iter_mut().zip(above).for_each(|(cell, above)| *cell -= factor * above);
            v[row] -= factor * v[i];
        }
    }
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| a[i][j] * v[j]).sum();
        v[i] = (v[i] - known) / a[i][i];
    }
    v
}

/// Displacements of an object in the last two samples.
pub struct Seen {
    pub object: ObjectId,
    pub columns: usize,
    pub now: Vec<f64>,
    pub before: Vec<f64>,
}

impl Seen {
    fn of(engine: &Engine, name: &str) -> Self {
        let object = engine.object(name).unwrap();
        let [columns, rows] = engine.dimensions(object).unwrap();
        Self { object, columns, now: vec![0.0; columns * rows], before: vec![0.0; columns * rows] }
    }

    fn look(&mut self, engine: &Engine) {
        std::mem::swap(&mut self.now, &mut self.before);
        engine.shape(self.object, &mut self.now).unwrap();
    }
}

/// One contact as the notes keep it: ψ, and η in the last two samples.
pub struct Kept {
    pub law: Law,
    pub root: f64,
    pub now: f64,
    pub before: f64,
}

impl Kept {
    pub fn new(law: impl Into<Law>) -> Self {
        Self { law: law.into(), root: 0.0, now: 0.0, before: 0.0 }
    }

    /// g, (12) or (69).
    pub fn slope(&self) -> f64 {
        self.law.root_slope(self.now)
    }

    /// (18) with its g.
    pub fn update(&mut self, slope: f64, next: f64) {
        self.root += 0.5 * slope * (next - self.before);
    }
}

/// The notes' coefficients of a mass on a spring: ω0² and R.
pub fn spring_of(frequency: f64, sigma: f64) -> (f64, f64) {
    let omega = std::f64::consts::TAU * frequency;
    let (damping, swing) = ((sigma * K).tanh(), (omega * omega - sigma * sigma).sqrt() * K);
    ((2.0 - 2.0 * swing.cos() / (sigma * K).cosh()) / (K * K), 2.0 * damping / K)
}

/// Compares for some steps: `notes` returns, from what is seen, the displacements it finds for the next sample and the object and node they
/// belong to.
pub fn compare(
    engine: &mut Engine,
    names: &[&str],
    steps: usize,
    mut notes: impl FnMut(&[Seen]) -> Vec<(usize, usize, f64)>,
) {
    let mut seen: Vec<Seen> = names.iter().map(|name| Seen::of(engine, name)).collect();
    seen.iter_mut().for_each(|seen| seen.look(engine));
    engine.advance(1);
    seen.iter_mut().for_each(|seen| seen.look(engine));
    let mut largest: f64 = 0.0;
    for step in 0..steps {
        let found = notes(&seen);
        engine.advance(1);
        seen.iter_mut().for_each(|seen| seen.look(engine));
        for (object, node, value) in found {
            largest = seen[object].now.iter().fold(largest, |most, x| most.max(x.abs()));
            let difference = (value - seen[object].now[node]).abs();
            assert!(difference <= ALLOWED * largest, "step {step}, {}: {difference:e} of {largest:e}", names[object]);
        }
    }
}

pub fn basic(name: &str, from: Point, to: Point, law: impl Into<Law>) -> Interaction {
    Interaction { rule: Rule::Basic, ..Interaction::new(name, from, to, law) }
}
