//! T60 asked against T60 heard.
//!
//! A body is bent and let go. Of what a point on it then does, the partials are found by a Fourier transform, and the fall of one
//! of them by two windows on the sound, one after the other. The times are asked at the frequencies that the body has: it is built, heard,
//! and built again until what is asked for is what sounds.

mod heard;

use heard::{Heard, partials};
use ictus::model::{ObjectSpec, Pickup, Point, Source, Start};
use ictus::objects::{
    BarPitch, BarSpec, End, Loss, MembraneSpec, Method, Outline, Place, PlateEdges, PlateSpec, StringPitch, StringSpec,
    material,
};
use ictus::{Engine, Model};

const ENDS: [End; 3] = [End::SimplySupported, End::Clamped, End::Free];
const RATES: [f64; 3] = [44_100.0, 96_000.0, 192_000.0];

/// What T60 may differ by.
const BOUND: f64 = 0.01;

/// Two of a body's partials, chosen from all of them in Hz.
type Choice = fn(&[f64]) -> [f64; 2];

/// A body of which only the loss is left to say.
struct Body {
    name: String,
    with_loss: Box<dyn Fn(Loss) -> ObjectSpec>,
    start: Start,
    ear: Place,
}

impl Body {
    fn sound(&self, loss: Loss, rate: f64, seconds: f64) -> Vec<f64> {
        let ear = Pickup { source: Source::Velocity(Point::on("body", self.ear)), gains: vec![1.0] };
        let model = Model::new(rate).with("body", on_grid((self.with_loss)(loss))).starting(self.start).listen(ear);
        let mut engine: Engine = model.build().unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let mut sound = vec![0.0; (seconds * rate) as usize];
        engine.process(&mut sound);
        sound
    }

    /// Asks for two decay times at two partials and returns what is heard there, in parts of what was asked.
    fn error(&self, rate: f64, choice: Choice, seconds: [f64; 2]) -> [f64; 2] {
        let dull = Loss::Sigma { sigma0: 3.0, sigma1: 0.0 };
        let mut frequencies = choice(&partials(&self.sound(dull, rate, 1.0), rate));
        let mut heard = [Heard::default(); 2];
        for _ in 0..3 {
            let times = [0, 1].map(|which| (frequencies[which], seconds[which]));
            let sound = self.sound(Loss::t60_at(&times), rate, 1.0);
            heard = frequencies.map(|frequency| Heard::in_sound(&sound, rate, frequency));
            frequencies = heard.map(|heard| heard.frequency);
        }
        [0, 1].map(|which| heard[which].t60 / seconds[which] - 1.0)
    }
}

/// The same body on its grid; those in modes are in `bodies.rs`.
fn on_grid(spec: ObjectSpec) -> ObjectSpec {
    let method = Method::Grid;
    match spec {
        ObjectSpec::String(spec) => StringSpec { method, ..spec }.into(),
        ObjectSpec::Bar(spec) => BarSpec { method, ..spec }.into(),
        ObjectSpec::Membrane(spec) => MembraneSpec { method, ..spec }.into(),
        ObjectSpec::Plate(spec) => PlateSpec { method, ..spec }.into(),
        other => other,
    }
}

/// Fails with every error beyond the bound, and prints them all.
#[derive(Default)]
struct Misses(Vec<String>);

impl Misses {
    fn listen(&mut self, body: &Body, rate: f64, choice: Choice, seconds: [f64; 2]) {
        let [low, high] = body.error(rate, choice, seconds);
        let told = format!("{} at {rate} Hz: {:+.3} % {:+.3} %", body.name, 100.0 * low, 100.0 * high);
        println!("{told}");
        if [low, high].iter().any(|error| error.is_nan() || error.abs() > BOUND) {
            self.0.push(told);
        }
    }

    fn none(self) {
        assert!(self.0.is_empty(), "T60 heard is off:\n{}", self.0.join("\n"));
    }
}

fn all_pairs_of_ends() -> impl Iterator<Item = [End; 2]> {
    ENDS.into_iter().flat_map(|left| ENDS.into_iter().map(move |right| [left, right]))
}

fn line(name: String, with_loss: impl Fn(Loss) -> ObjectSpec + 'static) -> Body {
    let start = Start { centre: Place::Along(0.29), half_width: 0.06, displacement: 1e-5, velocity: 0.0 };
    Body { name, with_loss: Box::new(with_loss), start, ear: Place::Along(0.62) }
}

fn bar(ends: [End; 2]) -> Body {
    line(format!("bar {ends:?}"), move |loss| {
        let bar = BarSpec { pitch: BarPitch::Fundamental(220.0), ends, ..BarSpec::default() };
        bar.with_loss(loss).unwrap().into()
    })
}

/// A string so stiff that its ends matter.
fn string(ends: [End; 2]) -> Body {
    line(format!("string {ends:?}"), move |loss| {
        let pitch = StringPitch::Fundamental(220.0);
        let string = StringSpec { length: 0.3, radius: 1e-3, pitch, ends, ..StringSpec::default() };
        string.with_loss(loss).unwrap().into()
    })
}

fn plate(sides: [f64; 2], edges: PlateEdges) -> Body {
    Body {
        name: format!("plate {edges:?} {sides:?}"),
        with_loss: Box::new(move |loss| {
            PlateSpec { outline: Outline::Rectangle(sides), edges, ..PlateSpec::default() }
                .with_loss(loss)
                .unwrap()
                .into()
        }),
        // What is bent and heard in the middle has a quarter of the modes, the others do not come near them.
        start: Start { centre: Place::On(0.5, 0.5), half_width: 0.1, displacement: 1e-5, velocity: 0.0 },
        ear: Place::On(0.5, 0.5),
    }
}

/// The lowest, and the highest below 8 kHz.
fn lowest_and_high(partials: &[f64]) -> [f64; 2] {
    let high = partials.iter().rfind(|partial| **partial < 8000.0);
    [partials[0], *high.expect("partials below 8 kHz")]
}

/// The lowest and the third, which σ1 damps most of all if their times are as far apart as they may be.
fn lowest_and_third(partials: &[f64]) -> [f64; 2] {
    [partials[0], partials[2]]
}

/// The lowest, and of those from 1 to 3 kHz the one furthest from the others.
fn lowest_and_lonely(partials: &[f64]) -> [f64; 2] {
    let apart = |three: &[f64]| (three[2] - three[1]).min(three[1] - three[0]);
    let high = partials.windows(3).filter(|three| (1000.0..3000.0).contains(&three[1]));
    let lonely = high.max_by(|a, b| apart(a).total_cmp(&apart(b))).expect("partials from 1 to 3 kHz");
    [partials[0], lonely[1]]
}

#[test]
fn a_bar_with_any_ends_decays_in_the_time_asked() {
    let mut misses = Misses::default();
    for ends in all_pairs_of_ends() {
        for rate in RATES {
            misses.listen(&bar(ends), rate, lowest_and_high, [1.0, 0.4]);
            misses.listen(&bar(ends), rate, lowest_and_third, [1.0, 0.35]);
        }
    }
    misses.none();
}

#[test]
fn a_stiff_string_with_any_ends_decays_in_the_time_asked() {
    let mut misses = Misses::default();
    for ends in all_pairs_of_ends() {
        for rate in RATES {
            misses.listen(&string(ends), rate, lowest_and_high, [1.0, 0.4]);
            misses.listen(&string(ends), rate, lowest_and_third, [1.0, 0.35]);
        }
    }
    misses.none();
}

#[test]
fn a_plate_of_any_shape_and_edges_decays_in_the_time_asked() {
    let mut misses = Misses::default();
    for edges in [PlateEdges::Clamped, PlateEdges::SimplySupported] {
        for sides in [[0.4, 0.3], [0.35, 0.35], [0.6, 0.15], [0.2, 0.43]] {
            for rate in [44_100.0, 96_000.0] {
                misses.listen(&plate(sides, edges), rate, lowest_and_lonely, [1.0, 0.4]);
            }
        }
    }
    misses.listen(&plate([0.4, 0.3], PlateEdges::Clamped), 192_000.0, lowest_and_lonely, [1.0, 0.4]);
    misses.none();
}

#[test]
fn a_membrane_decays_in_the_time_asked() {
    let mut misses = Misses::default();
    let head = Body {
        name: "membrane".into(),
        with_loss: Box::new(|loss| {
            MembraneSpec { outline: Outline::Rectangle([0.3, 0.22]), ..MembraneSpec::default() }
                .with_loss(loss)
                .unwrap()
                .into()
        }),
        start: Start { centre: Place::On(0.5, 0.5), half_width: 0.1, displacement: 1e-5, velocity: 0.0 },
        ear: Place::On(0.5, 0.5),
    };
    for rate in [44_100.0, 48_000.0] {
        misses.listen(&head, rate, lowest_and_lonely, [1.0, 0.4]);
    }
    misses.none();
}

/// T60 = 6.91/(0.3 + ηπf) of the lowest mode of a free bar of 440 Hz, whatever it is made of.
#[test]
fn a_bar_of_a_material_rings_as_long_as_its_loss_factor_says() {
    for (name, seconds) in [("rosewood", 1.146), ("glass", 4.106), ("steel", 11.98), ("spruce", 0.598)] {
        let body = line(name.into(), move |loss| {
            let bar = BarSpec::default().of(material(name).unwrap());
            BarSpec { pitch: BarPitch::Fundamental(440.0), loss, ..bar }.into()
        });
        let sound = body.sound(Loss::Material(material(name).unwrap().loss_factor), 48_000.0, 1.0);
        let heard = Heard::in_sound(&sound, 48_000.0, 440.0).t60;
        assert!((heard / seconds - 1.0).abs() < 0.02, "{name}: {heard} s instead of {seconds} s");
    }
}
