//! Trial functions along one side of a plate, orthonormal on 0 to 1.
//!
//! ```text
//! g(t) P_k(t),  k = 0 … 6 - c,        g = (1 + t)^c0 (1 - t)^c1,   t = 2x - 1
//! cos(mπx) - h_m(x),  m = 1, 2, …
//! ```
//!
//! P_k are Legendre's polynomials; an end that is free, supported or clamped has c = 0, 1 or 2, and h_m is the lowest polynomial that lets the
//! function keep to its ends. A function with smooth derivatives is a cosine series plus the polynomials that carry its odd derivatives at the ends:
//! with degree 6 the coefficients of what is left fall as m⁻⁸. So a mode costs hardly more functions than it has half waves, and free edges get their
//! moments right without being told. Made orthonormal in this order (Gram and Schmidt, twice), the functions stay well
//! conditioned: what is new in each is at least 4e-5 of it.
//!
//! With alike ends, even and odd functions are families of their own. Between two supported ends every sine is one.
//!
//! Rejected: functions of beams, which have no moment at a free edge, so that coefficients fall as m⁻³ and Leissa's 36 products are off by 1 %;
//! polynomials alone, 2.5 times as many products and fifteen times the work; degrees above 6, no better in the band and worse conditioned.

use super::super::rectangle::Edge;
use super::eigen::{add, dot};
use std::f64::consts::{PI, SQRT_2};

/// Degree of the polynomials.
const DEGREE: usize = 6;

/// One function before it is made orthogonal to those before it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    /// g P_k.
    Polynomial(usize),
    /// cos(mπx) - h_m.
    Cosine(usize),
    /// √2 sin(mπx).
    Sine(usize),
}

/// A family of functions, and their integrals, from which those of plates are made.
#[derive(Clone, Debug)]
pub(super) struct Family {
    ends: [Edge; 2],
    terms: Vec<Term>,
    /// Lower triangle: what each function takes of each term.
    shares: Vec<f64>,
    /// Half waves along the side of each function, roughly: there are as many functions below it, in all families of the side.
    pub half_waves: Vec<f64>,
    /// Degree of the first function; below 2 it is not bent.
    pub degree: usize,
    /// ∫ f_i.
    pub means: Vec<f64>,
    /// ∫ f_i″ f_j″.
    pub bending: Vec<f64>,
    /// ∫ f_i′ f_j′.
    pub tilting: Vec<f64>,
    /// ∫ f_i″ f_j.
    pub coupling: Vec<f64>,
}

impl Family {
    /// All families of a side with cosines of up to so many half waves.
    pub(super) fn all(ends: [Edge; 2], waves: usize) -> Vec<Self> {
        if ends == [Edge::Supported; 2] {
            return (1..=waves).map(Self::sine).collect();
        }
        let rule = quadrature(2 * waves + DEGREE + 16);
        if ends[0] == ends[1] {
            [0, 1].map(|parity| Self::new(ends, waves, parity, 2, &rule)).to_vec()
        } else {
            vec![Self::new(ends, waves, 0, 1, &rule)]
        }
    }

    /// How many functions there are.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Writes all functions at x, a fraction of the side, into the beginning of a slice.
    pub(super) fn at(&self, x: f64, out: &mut [f64]) {
        for (out, term) in out.iter_mut().zip(&self.terms) {
            *out = term.at(self.ends, x)[0];
        }
        let mut end = self.shares.len();
        for i in (0..self.terms.len()).rev() {
            let row = &self.shares[end - i - 1..end];
            out[i] = dot(row, &out[..=i]);
            end -= row.len();
        }
    }

    fn sine(number: usize) -> Self {
        let wave_squared = (number as f64 * PI) * (number as f64 * PI);
        Self {
            ends: [Edge::Supported; 2],
            terms: vec![Term::Sine(number)],
            shares: vec![1.0],
            half_waves: vec![number as f64],
            degree: DEGREE,
            means: vec![if number % 2 == 1 { 2.0 * SQRT_2 / (number as f64 * PI) } else { 0.0 }],
            bending: vec![wave_squared * wave_squared],
            tilting: vec![wave_squared],
            coupling: vec![-wave_squared],
        }
    }

    fn new(ends: [Edge; 2], waves: usize, first: usize, step: usize, rule: &[[f64; 2]]) -> Self {
        let fixed = ends[0].conditions() + ends[1].conditions();
        let polynomials = (first..=DEGREE - fixed).step_by(step).map(Term::Polynomial);
        // The cosine without waves is a polynomial.
        let cosines = (1..=waves).filter(|m| m % step == first).map(Term::Cosine);
        let terms: Vec<Term> = polynomials.chain(cosines).collect();
        let (count, points) = (terms.len(), rule.len());
        // Values, first and second derivatives at the points, times the root of their weights.
        let mut tables = [0; 3].map(|_| vec![0.0; count * points]);
        for (i, term) in terms.iter().enumerate() {
            for (p, &[x, weight]) in rule.iter().enumerate() {
                let values = term.at(ends, x);
                (0..3).for_each(|k| tables[k][i * points + p] = values[k] * weight.sqrt());
            }
        }
        let shares = orthonormal(&mut tables, points);
        let [values, tilts, bends] = &tables;
        let integrals = |a: &[f64], b: &[f64]| {
            let row = |a| b.chunks_exact(points).map(move |b| dot(a, b));
            a.chunks_exact(points).flat_map(row).collect()
        };
        let roots: Vec<f64> = rule.iter().map(|[_, weight]| weight.sqrt()).collect();
        Self {
            ends,
            shares,
            half_waves: (0..count).map(|i| (first + i * step) as f64).collect(),
            degree: first + fixed,
            means: values.chunks_exact(points).map(|row| dot(row, &roots)).collect(),
            bending: integrals(bends, bends),
            tilting: integrals(tilts, tilts),
            coupling: integrals(bends, values),
            terms,
        }
    }
}

impl Term {
    /// The function and its first two derivatives at x from 0 to 1.
    fn at(self, ends: [Edge; 2], x: f64) -> [f64; 3] {
        let t = 2.0 * x - 1.0;
        match self {
            Self::Polynomial(degree) => {
                let mut f = legendre(degree, t);
                for _ in 0..ends[0].conditions() {
                    f = [(1.0 + t) * f[0], f[0] + (1.0 + t) * f[1], 2.0 * f[1] + (1.0 + t) * f[2]];
                }
                for _ in 0..ends[1].conditions() {
                    f = [(1.0 - t) * f[0], -f[0] + (1.0 - t) * f[1], -2.0 * f[1] + (1.0 - t) * f[2]];
                }
                [f[0], 2.0 * f[1], 4.0 * f[2]]
            }
            Self::Cosine(number) => {
                let wave = number as f64 * PI;
                let (sine, cosine) = libm::sincos(wave * x);
                let odd = number % 2 == 1;
                // The slope of the cosine is 0 at both ends, so h is 1 at 0 and ±1 at 1, and level there.
                let h = match ends {
                    [Edge::Free, Edge::Free] => [0.0; 3],
                    [Edge::Free, _] => [if odd { -1.0 } else { 1.0 }, 0.0, 0.0],
                    [_, Edge::Free] => [1.0, 0.0, 0.0],
                    _ if odd => [-0.5 * t * (3.0 - t * t), -3.0 * (1.0 - t * t), 12.0 * t],
                    _ => [1.0, 0.0, 0.0],
                };
                [cosine - h[0], -wave * sine - h[1], -wave * wave * cosine - h[2]]
            }
            Self::Sine(number) => {
                let wave = number as f64 * PI;
                let (sine, cosine) = libm::sincos(wave * x);
                [sine, wave * cosine, -wave * wave * sine].map(|f| SQRT_2 * f)
            }
        }
    }
}

/// P_k and its first two derivatives at t.
fn legendre(degree: usize, t: f64) -> [f64; 3] {
    let (mut before, mut here) = ([0.0; 3], [1.0, 0.0, 0.0]);
    for k in 1..=degree {
        let (a, b) = ((2 * k - 1) as f64 / k as f64, (k - 1) as f64 / k as f64);
        let next = [t * here[0], here[0] + t * here[1], 2.0 * here[1] + t * here[2]];
        (before, here) = (here, [0, 1, 2].map(|i| a * next[i] - b * before[i]));
    }
    here
}

/// Points and weights of Gauss's rule on 0 to 1.
fn quadrature(points: usize) -> Vec<[f64; 2]> {
    let point = |i: usize| {
        let mut t = libm::cos(PI * (i as f64 + 0.75) / (points as f64 + 0.5));
        // From this start Newton's method is at rounding after three or four steps.
        for _ in 0..6 {
            let [value, slope, _] = legendre(points, t);
            t -= value / slope;
        }
        let slope = legendre(points, t)[1];
        [0.5 * (1.0 - t), 1.0 / ((1.0 - t * t) * slope * slope)]
    };
    (0..points).map(point).collect()
}

/// Makes the rows of the first table orthonormal, those of the others by the same steps; returns the lower triangle of shares.
fn orthonormal(tables: &mut [Vec<f64>; 3], points: usize) -> Vec<f64> {
    let count = tables[0].len() / points;
    let mut shares: Vec<f64> = Vec::with_capacity(count * (count + 1) / 2);
    for i in 0..count {
        let mut own = vec![0.0; i + 1];
        own[i] = 1.0;
        for _ in 0..2 {
            for j in 0..i {
                let (before, here) = tables[0].split_at(i * points);
                let part = dot(&here[..points], &before[j * points..][..points]);
                for table in tables.iter_mut() {
                    let (before, here) = table.split_at_mut(i * points);
                    add(&mut here[..points], &before[j * points..][..points], -part);
                }
                add(&mut own[..=j], &shares[j * (j + 1) / 2..][..=j], -part);
            }
        }
        let here = &tables[0][i * points..][..points];
        let length = dot(here, here).sqrt();
        for table in tables.iter_mut() {
            table[i * points..][..points].iter_mut().for_each(|x| *x /= length);
        }
        shares.extend(own.iter().map(|x| x / length));
    }
    shares
}
