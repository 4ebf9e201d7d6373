//! Facts and promises of membranes and plates.

use fearless_simd::Level;

use super::super::{At, Body, Loss, Outline, Place, Support};
use super::super::{MembraneSpec, PlateEdges, PlateSpec, Tension};
use super::Sheet;
use crate::levels::reference;

mod energy;
mod frequencies;
mod input;
mod parity;
mod points;

const RATE: f64 = 48_000.0;

fn build_plate(spec: &PlateSpec) -> Sheet {
    spec.on_grid(RATE, 1_000_000).expect("a sound plate")
}

fn build_membrane(spec: &MembraneSpec) -> Sheet {
    spec.on_grid(RATE, 1_000_000).expect("a sound membrane")
}

/// A steel plate of about `nx` by `ny` segments at the bound.
fn small_plate(nx: f64, ny: f64, sigma0: f64, sigma1: f64, edges: PlateEdges) -> PlateSpec {
    let mut spec = PlateSpec { loss: Loss::sigma(sigma0, sigma1), edges, ..PlateSpec::default() };
    let kappa = spec.stiffness_squared().sqrt();
    let cell = 2.0 * ((sigma1 + kappa.hypot(sigma1)) / RATE).sqrt();
    spec.outline = Outline::Rectangle([nx * cell, ny * cell]);
    spec
}

/// A mylar membrane of about `nx` by `ny` segments at the bound.
fn small_membrane(nx: f64, ny: f64, sigma0: f64, sigma1: f64) -> MembraneSpec {
    let speed: f64 = 90.0;
    let k = 1.0 / RATE;
    let cell = (2.0 * speed * speed * k * k + 8.0 * sigma1 * k).sqrt();
    let mut spec = MembraneSpec {
        outline: Outline::Rectangle([nx * cell, ny * cell]),
        loss: Loss::sigma(sigma0, sigma1),
        ..MembraneSpec::default()
    };
    spec.tension = Tension::NewtonsPerMetre(spec.mass_per_area() * speed * speed);
    spec
}

/// Every combination of kind, edges and losses on a small grid, wider than high and higher than wide, and one of long rows.
fn all_kinds() -> Vec<(String, Sheet)> {
    let mut sheets = Vec::new();
    for (nx, ny) in [(13.4, 7.3), (6.5, 19.8), (9.0, 9.0), (80.3, 5.6)] {
        for (sigma0, sigma1) in [(0.0, 0.0), (2.0, 0.0), (0.0, 0.01), (2.0, 0.01)] {
            for edges in [PlateEdges::SimplySupported, PlateEdges::Clamped] {
                let name = format!("plate {nx}×{ny} {edges:?} σ0 {sigma0} σ1 {sigma1}");
                sheets.push((name, build_plate(&small_plate(nx, ny, sigma0, sigma1, edges))));
            }
            let name = format!("membrane {nx}×{ny} σ0 {sigma0} σ1 {sigma1}");
            sheets.push((name, build_membrane(&small_membrane(nx, ny, sigma0, sigma1))));
        }
    }
    sheets
}

/// One sample without forces.
fn step(sheet: &mut impl Body) {
    sheet.free_step_at(Level::new());
    sheet.advance();
}

/// A small generator of numbers from -1 to 1, the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A place well on the sheet or up to its edges.
    fn support(&mut self, sheet: &impl Body) -> Support {
        let (x, y) = (0.5 + 0.5 * self.next(), 0.5 + 0.5 * self.next());
        sheet.support(Place::On(x, y)).expect("a place on the sheet")
    }
}

/// Starts a sheet with noise in displacement and velocity: all modes at once.
fn excite(sheet: &mut Sheet, seed: u64) {
    let noise = std::cell::RefCell::new(Noise(seed));
    sheet.displace(|_, _| 1e-3 * noise.borrow_mut().next());
    sheet.set_velocity(|_, _| noise.borrow_mut().next());
}
