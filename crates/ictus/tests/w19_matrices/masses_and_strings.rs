//! (24), (27), (30) and appendix D.

use ictus::Model;
use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::laws::{CentreLimited, OneSidedPower};
use ictus::model::{Point, Spread};
use ictus::objects::{BarrierSpec, Decay, MassSpec};

use super::compared::{Kept, basic, compare, solve, spring_of};
use super::line::{LIMP, Line, STIFF, node};
use super::{K, RATE};

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
    engine.change(&Change::Pluck { object: ObjectId::new(1), centre: 0.3, half_width: 0.1, height: -2e-3 }).unwrap();
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
    engine.change(&Change::Pluck { object: ObjectId::new(0), centre: 0.5, half_width: 0.2, height: -3e-3 }).unwrap();
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
