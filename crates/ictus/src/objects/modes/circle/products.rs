//! Products of curvatures ([`super::super::curvature`]) of a circle that nothing holds.
//!
//! On a free rim no stress pulls, so `F = 0` and `F' = 0`: Airy's modes are those of a clamped plate. With `φ = R(s) t(θ)` of order m, t being cos mθ or sin mθ and t̂ being -sin mθ or cos mθ,
//!
//! ```text
//! [φ, φ'] = (R'' V' + V R''') t t' - 2 W W' t̂ t̂',     V = R'/s - m²R/s²,   W = m (R'/s - R/s²)
//! P = (A ∫(R'' V' + V R''') Ψ s ds - 2B ∫ W W' Ψ s ds) / (√π a λ²),     A = ∫ t t' T dθ,   B = ∫ t̂ t̂' T dθ
//! ```
//!
//! A and B in closed form, and 0 unless the order of Ψ = R(s) T(θ) is the sum or the difference of the two others; the radial parts by Gauss's rule, which is exact to rounding for them.

use std::f64::consts::PI;

use super::super::curvature::Curvatures;
use super::super::gauss::gauss;
use super::{Disc, PlateCircle, Rim};
use crate::objects::ObjectError;

/// The products of a free circle.
#[derive(Clone, Debug)]
pub(super) struct Products {
    modes: Vec<Swing>,
    airy: Vec<Swing>,
    /// Of every radial shape of the plate at the nodes: R'', V and W; and of Airy's: R s times the weight of the node over √π a λ².
    bent: Vec<[Vec<f64>; 3]>,
    stress: Vec<Vec<f64>>,
}

/// The angular part of a mode, and which radial shape it has.
#[derive(Clone, Copy, Debug)]
struct Swing {
    order: usize,
    is_sine: bool,
    radial: usize,
}

impl Products {
    /// Of the modes of a free plate of a radius in m, with the lowest Airy modes.
    pub(super) fn new(disc: &Disc, radius: f64, airy_modes: usize) -> Result<Self, ObjectError> {
        // Of a radius, a stiffness and a density of 1, f = λ²/2π. As many modes lie below λ as λ²/4, less what the rim takes.
        let most = 4 * airy_modes + 64;
        let mut highest = 2.0 * (airy_modes as f64).sqrt() + 4.0;
        let clamped = loop {
            let plate = PlateCircle::new(2.0, 1.0, 1.0, 0.3, Rim::Clamped, highest * highest / (2.0 * PI), most)?;
            if plate.disc.modes.len() >= airy_modes {
                break plate.disc;
            }
            highest *= 1.1;
        };
        let terms = disc.terms + clamped.terms;
        let nodes = gauss(2 * terms + 16);
        let bent = disc.radials.iter().map(|radial| {
            let rigid = disc.modes[radial.first].frequency == 0.0;
            let mut values = [const { Vec::new() }; 3];
            for (s, _) in &nodes {
                let m = radial.order as f64;
                let [shape, slope, curve] =
                    if rigid { [0.0; 3] } else { derivatives(disc.series_of(radial), radial.order, *s) };
                let (bent, turned) = (slope / s - m * m * shape / (s * s), m * (slope / s - shape / (s * s)));
                values.iter_mut().zip([curve, bent, turned]).for_each(|(values, value)| values.push(value));
            }
            values
        });
        let bent = bent.collect();
        let stress = clamped.radials.iter().map(|radial| {
            let root_squared = 2.0 * PI * clamped.modes[radial.first].frequency;
            let scale = 1.0 / (PI.sqrt() * radius * root_squared);
            let value = |(s, weight): &(f64, f64)| {
                scale * s * weight * derivatives(clamped.series_of(radial), radial.order, *s)[0]
            };
            nodes.iter().map(value).collect()
        });
        let stress = stress.collect();
        let mut airy = swings(&clamped);
        airy.truncate(airy_modes);
        Ok(Self { modes: swings(disc), airy, bent, stress })
    }
}

/// The modes of a circle in their order.
fn swings(disc: &Disc) -> Vec<Swing> {
    let mut swings = vec![Swing { order: 0, is_sine: false, radial: 0 }; disc.modes.len()];
    for (index, radial) in disc.radials.iter().enumerate() {
        let order = radial.order;
        for is_sine in if order == 0 { &[false][..] } else { &[false, true] } {
            swings[radial.first + usize::from(*is_sine)] = Swing { order, is_sine: *is_sine, radial: index };
        }
    }
    swings
}

/// R, R' and R'' at s from the series of T_k, k even or odd.
fn derivatives(series: &[f64], order: usize, s: f64) -> [f64; 3] {
    let mut sum = [0.0; 3];
    // T_k, T_k' and T_k'', of two neighbouring k.
    let (mut before, mut now) = ([1.0, 0.0, 0.0], [s, 1.0, 0.0]);
    let mut terms = series.iter();
    for degree in 0.. {
        if degree % 2 == order % 2 {
            let Some(factor) = terms.next() else { break };
            sum.iter_mut().zip(before).for_each(|(sum, value)| *sum += factor * value);
        }
        let next = [
            2.0 * s * now[0] - before[0],
            2.0 * now[0] + 2.0 * s * now[1] - before[1],
            4.0 * now[1] + 2.0 * s * now[2] - before[2],
        ];
        (before, now) = (now, next);
    }
    sum
}

/// A product of two angular parts as a sum of two: their orders, and how much of each; all cosines or all sines.
fn products_of([one, other]: [(usize, bool); 2]) -> ([(i64, f64); 2], bool) {
    let (m, n) = (one.0 as i64, other.0 as i64);
    match (one.1, other.1) {
        (false, false) => ([(m - n, 0.5), (m + n, 0.5)], false),
        (true, true) => ([(m - n, 0.5), (m + n, -0.5)], false),
        (true, false) => ([(m - n, 0.5), (m + n, 0.5)], true),
        (false, true) => ([(m - n, -0.5), (m + n, 0.5)], true),
    }
}

/// `∫ t t' T dθ` over the circle, each part by its order and whether it is a sine.
fn around(parts: [(usize, bool); 2], (order, is_sine): (usize, bool)) -> f64 {
    let (terms, sines) = products_of(parts);
    if sines != is_sine {
        return 0.0;
    }
    let order = order as i64;
    let term = |(number, part): (i64, f64)| match (number.abs() == order, sines, number) {
        (false, ..) | (true, true, 0) => 0.0,
        (true, true, _) => part * PI * number.signum() as f64,
        (true, false, 0) => part * 2.0 * PI,
        (true, false, _) => part * PI,
    };
    terms.into_iter().map(term).sum()
}

impl Curvatures for Products {
    fn airy_modes(&self) -> usize {
        self.airy.len()
    }

    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.modes.len()).collect();
        order.sort_by_key(|&mode| (self.modes[mode].is_sine, self.modes[mode].order));
        order
    }

    fn product(&self, airy: usize, one: usize, other: usize) -> f64 {
        let (stress, one, other) = (self.airy[airy], self.modes[one], self.modes[other]);
        let parts = [one, other].map(|swing| (swing.order, swing.is_sine));
        let straight = around(parts, (stress.order, stress.is_sine));
        // t̂ = -sin of a cosine, cos of a sine.
        let sign = if one.is_sine == other.is_sine { 1.0 } else { -1.0 };
        let turned = sign * around(parts.map(|(order, is_sine)| (order, !is_sine)), (stress.order, stress.is_sine));
        if straight == 0.0 && turned == 0.0 {
            return 0.0;
        }
        let ([curve, bent, turn], [curve2, bent2, turn2]) = (&self.bent[one.radial], &self.bent[other.radial]);
        let mut sums = [0.0; 2];
        for (node, stress) in self.stress[stress.radial].iter().enumerate() {
            sums[0] += (curve[node] * bent2[node] + bent[node] * curve2[node]) * stress;
            sums[1] += turn[node] * turn2[node] * stress;
        }
        straight * sums[0] - 2.0 * turned * sums[1]
    }
}
