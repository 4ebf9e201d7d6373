use super::*;
use std::f64::consts::TAU;

const HIGHEST: f64 = 4000.0;

/// Plates of every family of modes.
fn plates() -> Vec<PlateSpec> {
    let spec = PlateSpec { thickness: 0.003, loss: Loss::None, ..PlateSpec::default() };
    let grain = Some(Grain { youngs_modulus_across: 2e10, shear_modulus: 1.5e10 });
    let hinge = PlateEdges::Each([[End::SimplySupported, End::Free], [End::Free, End::Free]]);
    let mut all = Vec::new();
    for edges in [PlateEdges::SimplySupported, PlateEdges::Clamped, PlateEdges::Free, hinge] {
        let outline = Outline::Rectangle([0.4, 0.27]);
        all.push(PlateSpec { edges, outline, ..spec.clone() });
        all.push(PlateSpec { edges, outline: Outline::Rectangle([1.2, 0.08]), grain, ..spec.clone() });
        if !matches!(edges, PlateEdges::Each(_)) {
            all.push(PlateSpec { edges, outline: Outline::Circle(0.3), ..spec.clone() });
        }
    }
    all
}

fn bending(shapes: &dyn Shapes) -> Vec<Mode> {
    shapes.modes().iter().filter(|mode| mode.frequency > 0.0).copied().collect()
}

#[test]
fn a_plate_of_a_pitch_has_its_lowest_mode_there_and_the_partials_of_its_moduli() {
    for spec in plates() {
        let damping = Damping::new(&Loss::None, Surroundings::Solid).unwrap();
        let as_given = bending(&*spec.shapes(1.0, HIGHEST, 4000).unwrap());
        let pitch = 1.37 * as_given[0].frequency;
        let tuned = bending(&*spec.tuned(pitch, &damping, 1.37 * HIGHEST, 4000).unwrap().0);
        assert!((tuned[0].frequency / pitch - 1.0).abs() < 1e-14, "{spec:?}: {}", tuned[0].frequency);
        assert_eq!(tuned.len(), as_given.len(), "{spec:?}");
        // By Ritz's method the functions taken may differ by one where `highest` falls between two.
        let tolerance = if matches!(spec.edges, PlateEdges::Each(_)) { 1e-5 } else { 1e-12 };
        for (tuned, given) in tuned.iter().zip(&as_given) {
            let off = (tuned.frequency / given.frequency / 1.37 - 1.0).abs();
            assert!(off < tolerance, "{spec:?}: {off:e}");
        }
    }
}

#[test]
fn a_plate_of_a_pitch_sounds_there_whatever_its_loss() {
    for spec in plates() {
        for loss in [Loss::sigma(30.0, 0.0), Loss::sigma(1.0, 0.2), Loss::t60(0.15)] {
            let damping = Damping::new(&loss, Surroundings::Solid).unwrap();
            let lowest = bending(&*spec.tuned(100.0, &damping, HIGHEST, 4000).unwrap().0)[0];
            let sounding = (lowest.frequency.powi(2) - (damping.of(&lowest) / TAU).powi(2)).sqrt();
            assert!((sounding / 100.0 - 1.0).abs() < 6e-7, "{spec:?} {loss:?}: {sounding} Hz");
        }
    }
}

#[test]
fn pitches_that_cannot_be_are_refused() {
    let site =
        Site { rate: 48_000.0, most_points: 1000, most_modes: 4000, most_products: 1 << 24, touched_along: false };
    let refused = |spec: PlateSpec| spec.build(&site).err().map(|error| error.to_string()).unwrap_or_default();
    let spec = PlateSpec { edges: PlateEdges::Free, ..PlateSpec::default() };
    for pitch in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(refused(PlateSpec { pitch: Some(pitch), ..spec.clone() }).contains("pitch"), "{pitch}");
    }
    assert!(refused(PlateSpec { pitch: Some(21e3), ..spec.clone() }).contains("no mode below 20000 Hz"));
    let grid = PlateSpec { method: Method::Grid, pitch: Some(200.0), ..PlateSpec::default() };
    assert!(refused(grid).contains("pitch is 200"));
}
