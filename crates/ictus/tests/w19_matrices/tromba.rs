//! The 3×3 systems of the tromba marina, (59) and (74).

use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::laws::{CentreLimited, LinearCubicSpring, OneSidedPower};
use ictus::model::{Interaction, Point};
use ictus::objects::{Decay, Loss, MassSpec, Method, Outline, Place, PlateSpec};
use ictus::{Engine, Model};

use super::compared::{Kept, Seen, basic, compare, solve, spring_of};
use super::line::{STIFF, node};
use super::{K, RATE};

/// σ0 in 1/s and σ1 in m²/s of the plate.
const SIGMA: [f64; 2] = [1.343, 4.59e-3];

/// Sides of the plate in m.
const SIDES: [f64; 2] = [1.35, 0.6];

/// The tromba's plate: ρH, D, losses, cells.
struct Sheet {
    spec: PlateSpec,
    segments: [usize; 2],
}

impl Sheet {
    fn new() -> Self {
        let segments = [30, 12];
        let spec = PlateSpec {
            outline: Outline::Rectangle(SIDES),
            thickness: 0.01,
            density: 50.0,
            youngs_modulus: 2e5,
            loss: Loss::sigma(SIGMA[0], SIGMA[1]),
            method: Method::Grid,
            grid: Some(segments),
            ..PlateSpec::default()
        };
        Self { spec, segments }
    }

    fn cell(&self) -> [f64; 2] {
        [0, 1].map(|side| SIDES[side] / self.segments[side] as f64)
    }

    fn surface_density(&self) -> f64 {
        self.spec.density * self.spec.thickness
    }

    fn laplacian(&self, v: &[f64], columns: usize, x: usize, y: usize) -> f64 {
        let [hx, hy] = self.cell();
        let at = |x: usize, y: usize| v[y * columns + x];
        (at(x + 1, y) - 2.0 * at(x, y) + at(x - 1, y)) / (hx * hx)
            + (at(x, y + 1) - 2.0 * at(x, y) + at(x, y - 1)) / (hy * hy)
    }

    fn bilaplacian(&self, v: &[f64], columns: usize, x: usize, y: usize) -> f64 {
        let [hx, hy] = self.cell();
        let at = |x: usize, y: usize| self.laplacian(v, columns, x, y);
        (at(x + 1, y) - 2.0 * at(x, y) + at(x - 1, y)) / (hx * hx)
            + (at(x, y + 1) - 2.0 * at(x, y) + at(x, y - 1)) / (hy * hy)
    }

    fn inertia(&self) -> f64 {
        self.surface_density() * (1.0 / (K * K) + SIGMA[0] / K)
    }

    /// The known side without a contact, (46c) with δΔ and ρH on the losses.
    fn known(&self, seen: &Seen, [x, y]: [usize; 2]) -> f64 {
        let PlateSpec { thickness, youngs_modulus, poissons_ratio, .. } = self.spec;
        let bending = youngs_modulus * thickness.powi(3) / (12.0 * (1.0 - poissons_ratio.powi(2)));
        let (density, columns, place) = (self.surface_density(), seen.columns, y * seen.columns + x);
        let (v, b) = (&seen.now, &seen.before);
        let spread = self.laplacian(v, columns, x, y) - self.laplacian(b, columns, x, y);
        density / (K * K) * (2.0 * v[place] - b[place]) - bending * self.bilaplacian(v, columns, x, y)
            + density * SIGMA[0] / K * b[place]
            + 2.0 * density * SIGMA[1] * spread / K
    }
}

const BRIDGE: usize = 48;
const FOOT: [usize; 2] = [11, 6];
const BRIDGE_MASS: f64 = 0.001;
const BRIDGE_SIGMA: f64 = 4.0;
const BRIDGE_FREQUENCY: f64 = 80.0;

fn tromba(sheet: &Sheet, joint: Interaction, rattle: OneSidedPower) -> Engine {
    let foot = Place::On(FOOT[0] as f64 / sheet.segments[0] as f64, FOOT[1] as f64 / sheet.segments[1] as f64);
    let mut engine = Model::new(RATE)
        .with("string", STIFF.spec())
        .with("bridge", MassSpec::oscillator(BRIDGE_MASS, BRIDGE_FREQUENCY, Decay::Sigma(BRIDGE_SIGMA)))
        .with("plate", sheet.spec.clone())
        .join(joint)
        .join(basic("rattle", Point::on("plate", foot), Point::of("bridge"), rattle))
        .build()
        .unwrap();
    engine.change(&Change::Pluck { object: ObjectId::new(0), centre: 0.4, half_width: 0.1, height: 2e-3 }).unwrap();
    engine
}

/// What both trombas need of the bridge: (M/k² + MR/2k), and the known side of (46b).
fn bridge(seen: &Seen) -> (f64, f64) {
    let (omega, loss) = spring_of(BRIDGE_FREQUENCY, BRIDGE_SIGMA);
    let (w, wb) = (seen.now[0], seen.before[0]);
    let known = BRIDGE_MASS * ((2.0 * w - wb) / (K * K) - omega * w + loss / (2.0 * K) * wb);
    (BRIDGE_MASS * (1.0 / (K * K) + loss / (2.0 * K)), known)
}

#[test]
fn tromba_with_a_two_sided_collision_by_74() {
    let sheet = Sheet::new();
    let (two_sided, one_sided) =
        (CentreLimited::new(5e6, 1.5, 0.0).unwrap(), OneSidedPower::new(5e6, 1.3, 0.0).unwrap());
    let at_bridge = Point::on("string", node(BRIDGE));
    let mut engine = tromba(&sheet, basic("joint", Point::of("bridge"), at_bridge, two_sided), one_sided);
    let (mut joint, mut rattle, mut touched) = (Kept::new(two_sided), Kept::new(one_sided), 0);
    let (hs, area) = (STIFF.spacing, sheet.cell()[0] * sheet.cell()[1]);
    compare(&mut engine, &["string", "bridge", "plate"], 5000, |seen| {
        let place = FOOT[1] * seen[2].columns + FOOT[0];
        let (u, w, v) = (seen[0].now[BRIDGE], seen[1].now[0], seen[2].now[place]);
        let (ub, wb, vb) = (seen[0].before[BRIDGE], seen[1].before[0], seen[2].before[place]);
        (joint.now, joint.before) = (w - u, wb - ub);
        (rattle.now, rattle.before) = (v - w, vb - wb);
        let (g1, g2) = (joint.slope(), rattle.slope());
        touched += usize::from(g2 > 0.0);
        let (d1, d2) = (0.25 * g1 * g1, 0.25 * g2 * g2);
        let (mass, known) = bridge(&seen[1]);
        let a = [
            [STIFF.inertia() + d1 / hs, -d1 / hs, 0.0],
            [-d1, mass + d1 + d2, -d2],
            [0.0, -d2 / area, sheet.inertia() + d2 / area],
        ];
        let (push1, push2) = (d1 * joint.before - joint.root * g1, d2 * rattle.before - rattle.root * g2);
        let right = [
            STIFF.known(&seen[0], BRIDGE) - push1 / hs,
            known + push1 - push2,
            sheet.known(&seen[2], FOOT) + push2 / area,
        ];
        let [u, w, v] = solve(a, right);
        joint.update(g1, w - u);
        rattle.update(g2, v - w);
        vec![(0, BRIDGE, u), (1, 0, w), (2, place, v)]
    });
    assert!(touched > 50, "the bridge is on the plate for {touched} samples");
}

/// Section 7's elimination of the connection force, (49)-(52), and its matrix (59). The connection is the engine's: quadratised, so
/// that K1 η/2 becomes ψ g, Φ+ is g²/4 + σ×/k and Φ- its opposite.
#[test]
fn tromba_with_a_connection_by_59() {
    let sheet = Sheet::new();
    let (spring, one_sided) = (LinearCubicSpring::new(1e5, 1e10).unwrap(), OneSidedPower::new(5e6, 1.3, 0.0).unwrap());
    let mut connection = basic("joint", Point::on("string", node(BRIDGE)), Point::of("bridge"), spring);
    connection.damping = 0.2;
    let mut engine = tromba(&sheet, connection, one_sided);
    let (mut joint, mut rattle, mut touched) = (Kept::new(spring), Kept::new(one_sided), 0);
    let (hs, area) = (STIFF.spacing, sheet.cell()[0] * sheet.cell()[1]);
    compare(&mut engine, &["string", "bridge", "plate"], 5000, |seen| {
        let place = FOOT[1] * seen[2].columns + FOOT[0];
        let (u, w, v) = (seen[0].now[BRIDGE], seen[1].now[0], seen[2].now[place]);
        let (ub, wb, vb) = (seen[0].before[BRIDGE], seen[1].before[0], seen[2].before[place]);
        (joint.now, joint.before) = (u - w, ub - wb);
        (rattle.now, rattle.before) = (v - w, vb - wb);
        let (g1, g) = (joint.slope(), rattle.slope());
        touched += usize::from(g > 0.0);
        let (mass, bridge_known) = bridge(&seen[1]);
        let (string, string_known) = (STIFF.inertia(), STIFF.known(&seen[0], BRIDGE));
        let d = 0.25 * g * g;
        let phi = 0.25 * g1 * g1 + 0.2 / (2.0 * K);
        let psi = 1.0 / phi + 1.0 / (hs * string) + 1.0 / (mass + d);
        let theta = d / (psi * (mass + d));
        let push = -d * rattle.before + rattle.root * g;
        let force =
            (joint.root * g1 / phi - joint.before + string_known / string - (bridge_known + push) / (mass + d)) / psi;
        let a = [[string, 0.0, -theta / hs], [0.0, mass + d, theta - d], [0.0, -d / area, sheet.inertia() + d / area]];
        let right = [string_known - force / hs, bridge_known + push + force, sheet.known(&seen[2], FOOT) - push / area];
        let [u, w, v] = solve(a, right);
        joint.update(g1, u - w);
        rattle.update(g, v - w);
        vec![(0, BRIDGE, u), (1, 0, w), (2, place, v)]
    });
    assert!(touched > 50, "the bridge is on the plate for {touched} samples");
}
