//! Shapes measured by quadrature, for the tests: Gauss points on panels, with the derivative of the polynomial through them.

use super::Shapes;
pub(super) use super::gauss::gauss;
use crate::objects::End::{self, Clamped, Free, SimplySupported};

/// All pairs of ends.
pub(super) const PAIRS: [[End; 2]; 9] = [
    [SimplySupported, SimplySupported],
    [SimplySupported, Clamped],
    [SimplySupported, Free],
    [Clamped, SimplySupported],
    [Clamped, Clamped],
    [Clamped, Free],
    [Free, SimplySupported],
    [Free, Clamped],
    [Free, Free],
];

/// Whether a value is what is expected, up to a part of it.
pub(super) fn near(value: f64, expected: f64, tolerance: f64) -> bool {
    (value / expected - 1.0).abs() < tolerance
}

/// Points of a Gauss rule on one panel.
const ORDER: usize = 20;

/// Places along a line, their weights, and how to differentiate from panel to panel.
pub(super) struct Samples {
    pub places: Vec<f64>,
    weights: Vec<f64>,
    widths: Vec<f64>,
    derivative: Vec<f64>,
}

impl Samples {
    /// A number of equal panels, the first and the last halved towards the end a number of times.
    pub fn new(panels: usize, halvings: usize) -> Self {
        let width = 1.0 / panels as f64;
        let mut breaks: Vec<f64> = vec![0.0];
        breaks.extend((1..=halvings).rev().map(|k| width * 0.5_f64.powi(k as i32)));
        breaks.extend((1..panels).map(|k| k as f64 * width));
        breaks.extend((1..=halvings).map(|k| 1.0 - width * 0.5_f64.powi(k as i32)));
        breaks.push(1.0);
        let rule = gauss(ORDER);
        let (mut places, mut weights, mut widths) = (vec![], vec![], vec![]);
        for pair in breaks.windows(2) {
            let width = pair[1] - pair[0];
            widths.push(width);
            for (node, weight) in &rule {
                places.push(pair[0] + width * node);
                weights.push(width * weight);
            }
        }
        // Barycentric weights of the nodes give the matrix of the derivative.
        let barycentric: Vec<f64> = (0..ORDER)
            .map(|i| 1.0 / (0..ORDER).filter(|j| *j != i).map(|j| 8.0 * (rule[i].0 - rule[j].0)).product::<f64>())
            .collect();
        let mut derivative = vec![0.0; ORDER * ORDER];
        for i in 0..ORDER {
            for j in (0..ORDER).filter(|j| *j != i) {
                let entry = barycentric[j] / barycentric[i] / (rule[i].0 - rule[j].0);
                derivative[i * ORDER + j] = entry;
                derivative[i * ORDER + i] -= entry;
            }
        }
        Self { places, weights, widths, derivative }
    }

    /// φ of all modes, mode by mode.
    pub fn shapes(&self, body: &impl Shapes) -> Vec<Vec<f64>> {
        let count = body.modes().len();
        let mut weights = vec![0.0; count];
        let mut shapes = vec![Vec::with_capacity(self.places.len()); count];
        for &place in &self.places {
            body.at([place, 0.0], &mut weights);
            shapes.iter_mut().zip(&weights).for_each(|(shape, weight)| shape.push(*weight));
        }
        shapes
    }

    /// Mean of a product.
    pub fn mean(&self, one: &[f64], other: &[f64]) -> f64 {
        self.weights.iter().zip(one).zip(other).map(|((weight, one), other)| weight * one * other).sum()
    }

    /// Derivative with respect to the fraction of the length.
    pub fn derivative(&self, shape: &[f64]) -> Vec<f64> {
        let panels = shape.chunks_exact(ORDER).zip(&self.widths);
        let rows = |panel: &[f64], row: usize| -> f64 {
            self.derivative[row * ORDER..][..ORDER].iter().zip(panel).map(|(entry, value)| entry * value).sum()
        };
        panels.flat_map(|(panel, width)| (0..ORDER).map(move |row| rows(panel, row) / width)).collect()
    }
}
