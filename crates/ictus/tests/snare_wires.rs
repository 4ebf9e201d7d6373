//! Steel wires on a drum head at a full stroke: no contact alternates from sample to sample.
//!
//! The head and one wire of the snare drum of the gallery. Of its four wires the one at E4 lay on the stability bound of its grid at
//! 48 kHz; its forces rose and fell in turn for up to 118 samples, and there were 28 dB more above 20 kHz than at eight times the rate.

use ictus::Model;
use ictus::laws::HuntCrossley;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{
    Loss, MassSpec, MembraneSpec, Method, Outline, Place, StringPitch, StringSpec, SurfaceDensity, Tension,
};

/// Places of the contacts along the head and along the wire.
const PLACES: [(f64, f64); 5] = [(0.18, 0.15), (0.34, 0.32), (0.5, 0.5), (0.66, 0.68), (0.82, 0.85)];

fn drum(pitch: f64) -> Model {
    let head = MembraneSpec {
        outline: Outline::Rectangle([0.32; 2]),
        tension: Tension::Fundamental(190.0),
        surface_density: SurfaceDensity::Material { density: 1390.0, thickness: 0.25e-3 },
        loss: Loss::t60_at(&[(190.0, 0.4), (3e3, 0.1)]),
        method: Method::Grid,
        grid: Some([26, 26]),
        ..MembraneSpec::default()
    };
    let wire = StringSpec {
        length: 0.3,
        pitch: StringPitch::Fundamental(pitch),
        radius: 0.35e-3,
        loss: Loss::t60_at(&[(330.0, 0.35), (6e3, 0.1)]),
        ..StringSpec::default()
    };
    let stick = MassSpec { displacement: -1e-3, velocity: 6.0, ..MassSpec::free(0.015) };
    let tip = HuntCrossley::new(1e7, 1.5, 0.3).unwrap();
    let on_head = |x, y| Point::on("head", Place::On(x, y));
    let mut model = Model::new(48e3).with("head", head).with("wire", wire).with("stick", stick).join(Interaction::new(
        "stick",
        Point::of("stick"),
        on_head(0.4, 0.3),
        tip,
    ));
    for (index, (along_head, along_wire)) in PLACES.into_iter().enumerate() {
        let law = HuntCrossley::new(1.5e7, 1.5, 0.2).unwrap();
        let name = format!("wire {index}");
        let to = Point::on("wire", Place::Along(along_wire));
        let gains = (0..PLACES.len()).map(|channel| if channel == index { 1.0 } else { 0.0 }).collect();
        model = model
            .join(Interaction::new(&name, on_head(along_head, 0.46), to, law))
            .listen(Pickup { source: Source::Force(name.clone()), gains });
    }
    model
}

/// Longest run of samples in which a force rises and falls in turn, each time by a twentieth of itself or more.
fn longest_alternation(force: &[f64]) -> usize {
    let (mut run, mut longest) = (0, 0);
    for three in force.windows(3) {
        let (before, after) = (three[1] - three[0], three[2] - three[1]);
        let least = 0.05 * three.iter().copied().fold(0.0, f64::max);
        run = if before * after < 0.0 && before.abs().min(after.abs()) > least { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[test]
fn forces_of_wires_on_a_head_do_not_alternate() {
    // Semitones from D#4 to F#4, in steps of a tenth: somewhere a grid meets its bound.
    for tenths in 0..30 {
        let pitch = 311.127 * (f64::from(tenths) / 120.0).exp2();
        let mut engine = drum(pitch).build().unwrap();
        let mut heard = vec![0.0; PLACES.len() * 12_000];
        engine.process(&mut heard);
        for contact in 0..PLACES.len() {
            let force: Vec<f64> = heard.chunks_exact(PLACES.len()).map(|sample| sample[contact]).collect();
            assert!(force.iter().any(|force| *force > 0.5), "{pitch} Hz, contact {contact}: no blow");
            let longest = longest_alternation(&force);
            println!("{pitch:.1} Hz, contact {contact}: {longest}");
            assert!(longest <= 8, "{pitch} Hz, contact {contact}: {longest} samples in turn");
        }
    }
}
