//! W19's own 2×2 and 3×3 systems at the bridge, assembled here from the notes (with PHYSICS section 9's corrections), give the
//! engine's step.
//!
//! Each step starts from the engine's displacements; the notes' unknowns are solved for by elimination and compared with where the
//! engine went. ψ is kept here, by the notes' own update (18), from the start. Masses on springs have exact poles in the engine:
//! that is the notes' scheme with ω0² = 2(1 - cos ω0k)/k², and R = 2 tanh(σk)/k.

use ictus::contact::Rule;
use ictus::control::Change;
use ictus::laws::{CentreLimited, ContactLaw, Law, LinearCubicSpring, OneSidedPower};
use ictus::model::{Interaction, Point, Spread};
use ictus::objects::{BarrierSpec, Decay, MassSpec, Place, PlateSpec, StringMass, StringPitch, StringSpec};
use ictus::{Engine, Model};

const RATE: f64 = 44_100.0;
const K: f64 = 1.0 / RATE;
/// How far the two steps may differ, in parts of the largest displacement.
const ALLOWED: f64 = 1e-12;

/// The solution of a small linear system, by elimination with exchange of rows.
fn solve<const N: usize>(mut a: [[f64; N]; N], mut v: [f64; N]) -> [f64; N] {
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
struct Seen {
    object: usize,
    columns: usize,
    now: Vec<f64>,
    before: Vec<f64>,
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
struct Kept {
    law: Law,
    root: f64,
    now: f64,
    before: f64,
}

impl Kept {
    fn new(law: impl Into<Law>) -> Self {
        Self { law: law.into(), root: 0.0, now: 0.0, before: 0.0 }
    }

    /// g, (12) or (69).
    fn slope(&self) -> f64 {
        self.law.root_slope(self.now)
    }

    /// (18) with its g.
    fn update(&mut self, slope: f64, next: f64) {
        self.root += 0.5 * slope * (next - self.before);
    }
}

/// A string of the notes: ρA, T, EI, losses, grid.
struct Line {
    density: f64,
    tension: f64,
    bending: f64,
    sigma: [f64; 2],
    spacing: f64,
}

impl Line {
    const SEGMENTS: usize = 60;

    fn spec(&self) -> StringSpec {
        // EI = E π r⁴/4 with r = 1 mm.
        let radius: f64 = 1e-3;
        StringSpec {
            length: self.spacing * Self::SEGMENTS as f64,
            pitch: StringPitch::Tension(self.tension),
            radius,
            mass: StringMass::PerLength(self.density),
            youngs_modulus: self.bending * 4.0 / (std::f64::consts::PI * radius.powi(4)),
            sigma0: self.sigma[0],
            sigma1: self.sigma[1],
            segments: Some(Self::SEGMENTS),
            ..StringSpec::default()
        }
    }

    fn second(&self, u: &[f64], l: usize) -> f64 {
        (u[l + 1] - 2.0 * u[l] + u[l - 1]) / self.spacing.powi(2)
    }

    fn fourth(&self, u: &[f64], l: usize) -> f64 {
        (u[l + 2] - 4.0 * u[l + 1] + 6.0 * u[l] - 4.0 * u[l - 1] + u[l - 2]) / self.spacing.powi(4)
    }

    /// The coefficient of u⁺ without a contact, (59) with ρA on the loss.
    fn inertia(&self) -> f64 {
        self.density * (1.0 / (K * K) + self.sigma[0] / K)
    }

    /// The known side without a contact, (46a).
    fn known(&self, seen: &Seen, l: usize) -> f64 {
        let (u, b) = (&seen.now, &seen.before);
        self.density / (K * K) * (2.0 * u[l] - b[l]) + self.tension * self.second(u, l)
            - self.bending * self.fourth(u, l)
            + self.density * self.sigma[0] / K * b[l]
            + 2.0 * self.density * self.sigma[1] * (self.second(u, l) - self.second(b, l)) / K
    }
}

const LIMP: Line = Line { density: 5e-3, tension: 60.0, bending: 0.0, sigma: [0.0; 2], spacing: 0.02 };
const STIFF: Line = Line { density: 5e-3, tension: 60.0, bending: 2e-3, sigma: [0.7, 3e-3], spacing: 0.02 };

/// The notes' coefficients of a mass on a spring: ω0² and R.
fn spring_of(frequency: f64, sigma: f64) -> (f64, f64) {
    let omega = std::f64::consts::TAU * frequency;
    let (damping, swing) = ((sigma * K).tanh(), (omega * omega - sigma * sigma).sqrt() * K);
    ((2.0 - 2.0 * swing.cos() / (sigma * K).cosh()) / (K * K), 2.0 * damping / K)
}

/// Compares for some steps: `notes` returns, from what is seen, the displacements it finds for the next sample and the object and node they
/// belong to.
fn compare(
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

fn basic(name: &str, from: Point, to: Point, law: impl Into<Law>) -> Interaction {
    Interaction { rule: Rule::Basic, ..Interaction::new(name, from, to, law) }
}

fn node(l: usize) -> Place {
    Place::Along(l as f64 / Line::SEGMENTS as f64)
}

#[test]
fn two_mass_springs_by_24() {
    let law = OneSidedPower::new(1e9, 1.5, 0.0).unwrap();
    let (m1, m2, f1, f2) = (0.01, 0.5, 90.0, 37.0);
    let mut engine = Model::new(RATE)
        .with("u", MassSpec { displacement: 2e-3, ..MassSpec::oscillator(m1, f1, Decay::None) })
        .with("w", MassSpec { velocity: 0.5, ..MassSpec::oscillator(m2, f2, Decay::None) })
        .join(basic("hit", Point::of("w"), Point::of("u"), law))
        .build()
        .unwrap();
    let (o1, o2) = (spring_of(f1, 0.0).0, spring_of(f2, 0.0).0);
    let (mut kept, mut touched) = (Kept::new(law), 0);
    compare(&mut engine, &["u", "w"], 5000, |seen| {
        let [(u, ub), (w, wb)] =
            [(&seen[0].now, &seen[0].before), (&seen[1].now, &seen[1].before)].map(|(n, b)| (n[0], b[0]));
        (kept.now, kept.before) = (w - u, wb - ub);
        let g = kept.slope();
        touched += usize::from(g > 0.0);
        let d = 0.25 * g * g;
        let a = [[m1 / (K * K) + d, -d], [-d, m2 / (K * K) + d]];
        let push = -d * kept.before + kept.root * g;
        let v =
            [m1 / (K * K) * (2.0 * u - ub) - m1 * o1 * u + push, m2 / (K * K) * (2.0 * w - wb) - m2 * o2 * w - push];
        let [u, w] = solve(a, v);
        kept.update(g, w - u);
        vec![(0, 0, u), (1, 0, w)]
    });
    assert!(touched > 20, "in contact for {touched} samples");
}

#[test]
fn mass_spring_and_string_by_30() {
    let law = OneSidedPower::new(1e7, 1.3, 0.0).unwrap();
    let (l, m, f0) = (17, 0.005, 30.0);
    let mut engine = Model::new(RATE)
        .with("string", STIFF.spec())
        .with("mass", MassSpec { displacement: -1e-3, velocity: 1.0, ..MassSpec::oscillator(m, f0, Decay::None) })
        .join(basic("hit", Point::of("mass"), Point::on("string", node(l)), law))
        .build()
        .unwrap();
    let (omega, h) = (spring_of(f0, 0.0).0, STIFF.spacing);
    let (mut kept, mut touched) = (Kept::new(law), 0);
    compare(&mut engine, &["string", "mass"], 5000, |seen| {
        let (w, wb) = (seen[1].now[0], seen[1].before[0]);
        (kept.now, kept.before) = (w - seen[0].now[l], wb - seen[0].before[l]);
        let g = kept.slope();
        touched += usize::from(g > 0.0);
        let d = 0.25 * g * g;
        let a = [[STIFF.inertia() + d / h, -d / h], [-d, m / (K * K) + d]];
        let push = -d * kept.before + kept.root * g;
        let v = [STIFF.known(&seen[0], l) + push / h, m / (K * K) * (2.0 * w - wb) - m * omega * w - push];
        let [u, w] = solve(a, v);
        kept.update(g, w - u);
        vec![(0, l, u), (1, 0, w)]
    });
    assert!(touched > 50, "in contact for {touched} samples");
}

/// Distance in m of the two strings at rest.
const GAP: f64 = 1e-4;

#[test]
fn string_and_string_by_27() {
    let law = OneSidedPower::new(1e9, 1.3, 0.0).unwrap();
    let upper = Line { density: 8e-3, ..LIMP };
    let mut contact = basic("touch", Point::of("below"), Point::of("above"), law);
    contact.spread = Some(Spread::Neighbours);
    contact.gap = GAP;
    let mut engine =
        Model::new(RATE).with("above", upper.spec()).with("below", LIMP.spec()).join(contact).build().unwrap();
    engine.change(&Change::Pluck(1, 0.3, 0.1, -2e-3)).unwrap();
    let mut kept: Vec<Kept> = (0..=Line::SEGMENTS).map(|_| Kept::new(law)).collect();
    let mut touched = 0;
    compare(&mut engine, &["above", "below"], 3000, |seen| {
        let mut found = Vec::new();
        for l in 2..Line::SEGMENTS - 1 {
            let kept = &mut kept[l];
            (kept.now, kept.before) =
                (seen[1].now[l] - seen[0].now[l] - GAP, seen[1].before[l] - seen[0].before[l] - GAP);
            let g = kept.slope();
            touched += usize::from(g > 0.0);
            let d = 0.25 * g * g;
            let a = [[upper.inertia() + d, -d], [-d, LIMP.inertia() + d]];
            // The unknowns are displacements: the gap goes to the known side.
            let push = -d * (kept.before + GAP) + kept.root * g;
            let [u, w] = solve(a, [upper.known(&seen[0], l) + push, LIMP.known(&seen[1], l) - push]);
            kept.update(g, w - u - GAP);
            found.extend([(0, l, u), (1, l, w)]);
        }
        found
    });
    assert!(touched > 100, "{touched} points and samples in contact");
}

#[test]
fn bridge_between_string_and_barrier_by_appendix_d() {
    let (above, below) = (CentreLimited::new(1e7, 1.5, 0.0).unwrap(), OneSidedPower::new(1e8, 1.3, 0.0).unwrap());
    let (l, m, barrier, h) = (9, 0.002, -1e-5, LIMP.spacing);
    let mut engine = Model::new(RATE)
        .with("string", LIMP.spec())
        .with("bridge", MassSpec::free(m))
        .with("barrier", BarrierSpec { height: barrier, velocity: 0.0 })
        .join(basic("above", Point::of("bridge"), Point::on("string", node(l)), above))
        .join(basic("below", Point::of("barrier"), Point::of("bridge"), below))
        .build()
        .unwrap();
    engine.change(&Change::Pluck(0, 0.5, 0.2, -3e-3)).unwrap();
    let (mut joint, mut rattle, mut touched) = (Kept::new(above), Kept::new(below), 0);
    compare(&mut engine, &["string", "bridge"], 5000, |seen| {
        let (u, ub, w, wb) = (seen[0].now[l], seen[0].before[l], seen[1].now[0], seen[1].before[0]);
        (joint.now, joint.before) = (w - u, wb - ub);
        (rattle.now, rattle.before) = (barrier - w, barrier - wb);
        let (gm, gb) = (joint.slope(), rattle.slope());
        touched += usize::from(gb > 0.0);
        // (87), and (90) less (87); the unknowns are δt· of both compressions.
        let (bb, mm) = (K * K * gb * gb / (4.0 * m), K * K * gm * gm / (4.0 * m));
        let a = [[1.0 + bb, -mm], [-bb, 1.0 + mm + K * K * gm * gm / (4.0 * LIMP.density * h)]];
        let first = -(w - wb) / K + K * gm * joint.root / (2.0 * m) - K * gb * rattle.root / (2.0 * m);
        let second = -(u - ub) / K
            - LIMP.tension * K / (2.0 * LIMP.density) * LIMP.second(&seen[0].now, l)
            - K * gm * joint.root / (2.0 * LIMP.density * h);
        let [of_rattle, of_joint] = solve(a, [first, second - first]);
        let next_w = wb - 2.0 * K * of_rattle;
        let next_u = ub - 2.0 * K * (of_rattle + of_joint);
        joint.update(gm, next_w - next_u);
        rattle.update(gb, barrier - next_w);
        vec![(0, l, next_u), (1, 0, next_w)]
    });
    assert!(touched > 50, "the bridge is on the barrier for {touched} samples");
}

/// The tromba's plate: ρH, D, losses, cells.
struct Sheet {
    spec: PlateSpec,
    segments: [usize; 2],
}

impl Sheet {
    fn new() -> Self {
        let segments = [30, 12];
        let spec = PlateSpec {
            sides: [1.35, 0.6],
            thickness: 0.01,
            density: 50.0,
            youngs_modulus: 2e5,
            sigma0: 1.343,
            sigma1: 4.59e-3,
            grid: Some(segments),
            ..PlateSpec::default()
        };
        Self { spec, segments }
    }

    fn cell(&self) -> [f64; 2] {
        [0, 1].map(|side| self.spec.sides[side] / self.segments[side] as f64)
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
        self.surface_density() * (1.0 / (K * K) + self.spec.sigma0 / K)
    }

    /// The known side without a contact, (46c) with δΔ and ρH on the losses.
    fn known(&self, seen: &Seen, [x, y]: [usize; 2]) -> f64 {
        let PlateSpec { thickness, youngs_modulus, poissons_ratio, sigma0, sigma1, .. } = self.spec;
        let bending = youngs_modulus * thickness.powi(3) / (12.0 * (1.0 - poissons_ratio.powi(2)));
        let (density, columns, place) = (self.surface_density(), seen.columns, y * seen.columns + x);
        let (v, b) = (&seen.now, &seen.before);
        let spread = self.laplacian(v, columns, x, y) - self.laplacian(b, columns, x, y);
        density / (K * K) * (2.0 * v[place] - b[place]) - bending * self.bilaplacian(v, columns, x, y)
            + density * sigma0 / K * b[place]
            + 2.0 * density * sigma1 * spread / K
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
    engine.change(&Change::Pluck(0, 0.4, 0.1, 2e-3)).unwrap();
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
