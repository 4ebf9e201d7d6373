//! A raised cosine in the modes of a body: `⟨φ f⟩`, by Gauss's rule on as many panels as the finest mode asks for.
//!
//! ```text
//! f = ½ (1 + cos πd),   d = distance from the centre over the half-width, 0 beyond 1
//! ```
//!
//! On bodies of uniform density the amplitude of a mode is `⟨φ f⟩/⟨φ²⟩`.

use super::Shapes;

/// Gauss's rule of eight points from 0 to 1: places and weights.
const GAUSS: [(f64, f64); 8] = [
    (0.019_855_071_751_231_884, 0.050_614_268_145_188_13),
    (0.101_666_761_293_186_63, 0.111_190_517_226_687_24),
    (0.237_233_795_041_835_5, 0.156_853_322_938_943_65),
    (0.408_282_678_752_175_1, 0.181_341_891_689_180_98),
    (0.591_717_321_247_825, 0.181_341_891_689_180_98),
    (0.762_766_204_958_164_5, 0.156_853_322_938_943_65),
    (0.898_333_238_706_813_4, 0.111_190_517_226_687_24),
    (0.980_144_928_248_768_1, 0.050_614_268_145_188_13),
];

/// Half waves that a panel of eight points still follows to 1e-9.
const HALF_WAVES: f64 = 3.0;

fn raised(distance: f64) -> f64 {
    if distance < 1.0 { 0.5 + 0.5 * libm::cos(std::f64::consts::PI * distance) } else { 0.0 }
}

/// Panels over a part of a side on which there are so many half waves.
fn panels(part: f64, half_waves: f64) -> usize {
    (part * half_waves / HALF_WAVES).ceil().max(2.0) as usize
}

/// Along a line, around a fraction of its length. `weights` is room for φ; the answer is in `projected`.
pub(crate) fn along(shapes: &dyn Shapes, centre: f64, half_width: f64, weights: &mut [f64], projected: &mut [f64]) {
    projected.fill(0.0);
    let ends = [(centre - half_width).max(0.0), (centre + half_width).min(1.0)];
    let panels = panels(ends[1] - ends[0], weights.len() as f64 + 2.0);
    let width = (ends[1] - ends[0]) / panels as f64;
    for panel in 0..panels {
        for (place, weight) in GAUSS {
            let x = ends[0] + width * (panel as f64 + place);
            shapes.at([x, 0.0], weights);
            let value = width * weight * raised((x - centre).abs() / half_width);
            projected.iter_mut().zip(&*weights).for_each(|(sum, shape)| *sum += value * shape);
        }
    }
}

/// On a sheet, around fractions of its sides; the half-width is a fraction of the first in both. `weights` is room for φ; the answer is in
/// `projected`.
pub(crate) fn on(shapes: &dyn Shapes, centre: [f64; 2], half_width: f64, weights: &mut [f64], projected: &mut [f64]) {
    projected.fill(0.0);
    let ends = centre.map(|centre| [(centre - half_width).max(0.0), (centre + half_width).min(1.0)]);
    // A sheet of N modes has some 2√N half waves along a side.
    let half_waves = 2.0 * (weights.len() as f64).sqrt() + 2.0;
    let panels = ends.map(|[first, last]| panels(last - first, half_waves));
    let widths: [f64; 2] = std::array::from_fn(|side| (ends[side][1] - ends[side][0]) / panels[side] as f64);
    for (row, column) in (0..panels[1]).flat_map(|row| (0..panels[0]).map(move |column| (row, column))) {
        for (down, down_weight) in GAUSS {
            for (across, across_weight) in GAUSS {
                let x = ends[0][0] + widths[0] * (column as f64 + across);
                let y = ends[1][0] + widths[1] * (row as f64 + down);
                let value = raised(libm::hypot(x - centre[0], y - centre[1]) / half_width);
                if value > 0.0 && shapes.contains([x, y]) {
                    shapes.at([x, y], weights);
                    let value = value * widths[0] * widths[1] * across_weight * down_weight / shapes.filling();
                    projected.iter_mut().zip(&*weights).for_each(|(sum, shape)| *sum += value * shape);
                }
            }
        }
    }
}
