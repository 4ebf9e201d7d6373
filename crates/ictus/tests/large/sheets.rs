//! Membranes and plates that are stretched as a whole (Berger).

use std::f64::consts::PI;

use ictus::Model;
use ictus::laws::HuntCrossley;
use ictus::model::{Interaction, ObjectSpec, Pickup, Point, Source, Start};
use ictus::objects::{
    Amplitude, Loss, MassSpec, MembraneSpec, Method, Outline, Place, PlateEdges, PlateSpec, SurfaceDensity, Tension,
};

use super::{cents, duffing, frequency_of};

fn membrane(sides: [f64; 2]) -> MembraneSpec {
    MembraneSpec {
        outline: Outline::Rectangle(sides),
        tension: Tension::Fundamental(120.0),
        amplitude: Amplitude::Large,
        loss: Loss::None,
        ..MembraneSpec::default()
    }
}

fn plate(sides: [f64; 2]) -> PlateSpec {
    PlateSpec {
        outline: Outline::Rectangle(sides),
        amplitude: Amplitude::Large,
        loss: Loss::None,
        ..PlateSpec::default()
    }
}

/// Of `w = q sin(πx/a) sin(πy/b)`: `½∫|∇w|² = q²π²(b/a + a/b)/8` and kinetic energy `ρHab q̇²/8`. The tension that it adds to
/// `V = C/(8ab) (∫|∇w|²)²`, `C = EH/(1-ν²)`, gives `γ = C π⁴ (b/a + a/b)² / (8 a²b² ρH)`.
fn cubic([a, b]: [f64; 2], stiffness: f64, surface_density: f64) -> f64 {
    stiffness * PI.powi(4) * (b / a + a / b).powi(2) / (8.0 * (a * b).powi(2) * surface_density)
}

#[test]
fn one_mode_rings_at_its_elliptic_frequency() {
    let sides = [0.4, 0.3];
    let head = membrane(sides);
    let head_cubic = cubic(sides, 4e9 * 0.00019 / (1.0 - 0.38 * 0.38), 0.00019 * 1390.0);
    let sheet = plate(sides);
    let sheet_cubic = cubic(sides, 2e11 * 0.001 / (1.0 - 0.09), 7.85);
    let pitch = 0.5 * PI * sheet.stiffness_squared().sqrt() * (1.0 / 0.16 + 1.0 / 0.09);
    let retuned = PlateSpec { pitch: Some(2.0 * pitch), highest: Some(3.0 * pitch), ..sheet.clone() };
    let bodies: [(ObjectSpec, f64, f64); 3] = [
        (MembraneSpec { highest: Some(150.0), ..head }.into(), 120.0, head_cubic),
        (PlateSpec { highest: Some(1.5 * pitch), ..sheet }.into(), pitch, sheet_cubic),
        (retuned.into(), 2.0 * pitch, 4.0 * sheet_cubic),
    ];
    for (spec, pitch, cubic) in bodies {
        for rate in [44_100.0, 192_000.0] {
            for amplitude in [1e-3, 4e-3] {
                let half_width = 0.3;
                let start = Start { centre: Place::On(0.5, 0.5), half_width, displacement: amplitude, velocity: 0.0 };
                let place = Point::on("it", Place::On(0.5, 0.5));
                let model = Model::new(rate).with("it", spec.clone()).starting(start);
                let mut engine =
                    model.listen(Pickup { source: Source::Displacement(place), gains: vec![1.0] }).build().unwrap();
                let mut block = vec![0.0; rate as usize];
                engine.process(&mut block);
                // The crest between samples, of a swing that is a cosine to a part in a thousand there.
                let top = block.iter().fold(0.0, |top: f64, u| top.max(u.abs()));
                let error = cents(frequency_of(&block, rate), duffing(2.0 * PI * pitch, cubic, top));
                assert!(error.abs() < 0.1, "{pitch} Hz, {rate} Hz, {top} m: {error} cents");
                assert!(cents(frequency_of(&block, rate), pitch) > 0.5, "it glides");
            }
        }
    }
}

#[test]
fn the_account_closes_over_ten_seconds_however_hard_it_is_struck() {
    let round = MembraneSpec { outline: Outline::Circle(0.33), loss: Loss::sigma(2.0, 0.01), ..membrane([0.3, 0.3]) };
    let crashing = PlateSpec {
        amplitude: Amplitude::VonKarman { airy_modes: Some(12) },
        highest: Some(1200.0),
        ..plate([0.3, 0.26])
    };
    let bodies: [ObjectSpec; 4] = [
        MembraneSpec { highest: Some(1500.0), ..round }.into(),
        MembraneSpec { highest: Some(2500.0), ..membrane([0.3, 0.26]) }.into(),
        PlateSpec { highest: Some(6000.0), ..plate([0.3, 0.26]) }.into(),
        crashing.into(),
    ];
    for spec in bodies {
        for velocity in [1.0, 30.0] {
            let mut model = Model::new(44_100.0).with("it", spec.clone());
            for (number, place) in
                [Place::On(0.4, 0.5), Place::On(0.6, 0.45), Place::On(0.5, 0.3)].into_iter().enumerate()
            {
                let name = number.to_string();
                let displacement = -1e-3 * (1.0 + number as f64);
                model = model.with(&name, MassSpec { displacement, velocity, ..MassSpec::free(0.02) });
                let law = HuntCrossley::new(1e6, 1.5, 0.2).unwrap();
                model = model.join(Interaction::new(&name, Point::of(&name), Point::on("it", place), law));
            }
            let mut engine = model.build().unwrap();
            engine.keep_account_of_energy(true);
            engine.advance(441_000);
            let balance = engine.balance();
            assert!(balance.residual() <= 1e-11, "{velocity} m/s: {:e} {balance:?}", balance.residual());
        }
    }
}

#[test]
fn what_cannot_be_stretched_is_refused() {
    let refused = |spec: ObjectSpec| Model::new(48_000.0).with("it", spec).build().map(|_| ()).unwrap_err().to_string();
    let grid = refused(MembraneSpec { method: Method::Grid, ..membrane([0.3, 0.3]) }.into());
    assert!(grid.contains("amplitude is large") && grid.contains("modes"), "{grid}");
    let unknown =
        MembraneSpec { surface_density: SurfaceDensity::KilogramsPerSquareMetre(0.3), ..membrane([0.3, 0.3]) };
    assert!(refused(unknown.into()).contains("a thickness"));
    let soft = refused(MembraneSpec { youngs_modulus: 0.0, ..membrane([0.3, 0.3]) }.into());
    assert!(soft.contains("Young's modulus is 0"), "{soft}");
    let free = refused(PlateSpec { edges: PlateEdges::Free, ..plate([0.3, 0.3]) }.into());
    assert!(free.contains("supported edges"), "{free}");
}
