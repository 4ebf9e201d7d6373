//! What is live: pans, losses, and the ways that values go.

use ictus_scene::{Instrument, Reading, Scene, Source, read};

const RATE: f64 = 8000.0;

/// A bell of one mode with a T60 of 1 s, struck at the start and heard in the middle.
fn bell(more: &str) -> Scene {
    let text = format!(
        "ictus = 1\ntitle = \"Bell\"\nrate = 8000\nduration = \"1 s\"\n[output]\nhighpass = 0\n[objects.bell]\nkind = \"modal\"\npoints = [[1]]\n\
         modes = [{{ frequency = \"200 Hz\", mass = \"1 kg\", t60 = \"1 s\" }}]\n[exciters.clapper]\nkind = \"hammer\"\non = \"bell\"\n\
         mass = \"10 g\"\nstiffness = 1e7\n[pickups.ear]\nat = \"bell\"\n[controls.loudness]\nparameter = \"ear.gain\"\nrange = [0.01, 1]\n\
         scale = \"log\"\n[[events]]\ntime = 0\nstrike = \"clapper\"\nvelocity = \"1 m/s\"\n{more}"
    );
    read(&Source::new("bell.toml", text), &Reading::default()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Left and right, so many s.
fn heard(instrument: &mut Instrument, seconds: f64) -> [Vec<f64>; 2] {
    let mut block = vec![0.0; 2 * (seconds * RATE).round() as usize];
    instrument.process(&mut block);
    [0, 1].map(|channel| block.iter().skip(channel).step_by(2).copied().collect())
}

fn power(sound: &[f64]) -> f64 {
    sound.iter().map(|sample| sample * sample).sum()
}

#[test]
fn a_pan_that_is_set_is_that_of_a_scene_that_says_so() {
    let mut instrument = Instrument::new(&bell("")).unwrap();
    let first = heard(&mut instrument, 0.2);
    assert!((power(&first[0]) / power(&first[1]) - 1.0).abs() < 1e-12 && power(&first[0]) > 0.0, "in the middle");
    instrument.reset();
    let pan = instrument.parameter("ear.pan").unwrap();
    assert!(instrument.value(pan).unwrap().abs() < 1e-12);
    instrument.set(pan, 1.0).unwrap();
    let [left, right] = heard(&mut instrument, 0.2);
    let both = power(&first[0]) + power(&first[1]);
    assert!(power(&left) < 1e-30 * both && (power(&right) / both - 1.0).abs() < 1e-12, "equal power, all of it right");
    let said = Instrument::new(&bell("[pickups.other]\nat = \"bell\"\npan = 0.3\n")).unwrap();
    let mut said = said;
    let mut set = Instrument::new(&bell("[pickups.other]\nat = \"bell\"\n")).unwrap();
    set.set(set.parameter("other.pan").unwrap(), 0.3).unwrap();
    let (said, set) = (heard(&mut said, 0.2), heard(&mut set, 0.2));
    assert!(said.iter().flatten().zip(set.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-15));
    assert!(instrument.set(pan, 1.5).is_err() && instrument.set(pan, f64::NAN).is_err());
    instrument.reset();
    assert_eq!(heard(&mut instrument, 0.2), first, "as it was built, to the bit");
}

/// The envelope of a mode falls by exp(-losses σ t), σ = 6.91 / T60.
#[test]
fn losses_are_how_many_times_sooner_an_object_dies() {
    let scene = bell("[[events]]\ntime = \"0.2 s\"\nset = \"bell.losses\"\nto = 4\n");
    let mut instrument = Instrument::new(&scene).unwrap();
    instrument.keep_account_of_energy(true);
    // Ten swings each: the first with the blow, two as built, two that die sooner.
    heard(&mut instrument, 0.1);
    let powers = [0.05; 4].map(|seconds| power(&heard(&mut instrument, seconds)[0]));
    let decay = |from: f64, to: f64| -(to / from).ln() / 2.0 / 0.05 / 1000f64.ln();
    assert!((decay(powers[0], powers[1]) - 1.0).abs() < 1e-3, "{powers:?}");
    assert!((decay(powers[2], powers[3]) - 4.0).abs() < 4e-3, "{powers:?}");
    assert!(instrument.engine().balance().residual() < 1e-9);
    let mut plain = Instrument::new(&bell("")).unwrap();
    let first = heard(&mut plain, 0.3);
    plain.set(plain.parameter("bell.losses").unwrap(), 4.0).unwrap();
    heard(&mut plain, 0.1);
    plain.reset();
    let again = heard(&mut plain, 0.3);
    let peak = first[0].iter().fold(0.0f64, |most, sample| most.max(sample.abs()));
    assert!(first[0].iter().zip(&again[0]).all(|(a, b)| (a - b).abs() < 1e-12 * peak), "back to what it was built to");
    assert!(plain.set(plain.parameter("bell.losses").unwrap(), -1.0).is_err());
}

#[test]
fn values_go_straight_or_by_equal_ratios() {
    let way = |keys: &str| {
        let scene = bell(&format!("[[events]]\ntime = 0\n{keys}\nover = \"0.2 s\"\n"));
        let mut instrument = Instrument::new(&scene).unwrap();
        let gain = instrument.parameter("ear.gain").unwrap();
        [0.1, 0.1, 0.1].map(|seconds| {
            // The step of the sample that is reached comes with the next.
            heard(&mut instrument, seconds);
            instrument.value(gain).unwrap()
        })
    };
    let near = |way: [f64; 3], expected: [f64; 3]| way.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.02 * b);
    // The last step before a time is up to 16 samples earlier.
    assert!(near(way("set = \"ear.gain\"\nto = 0.01"), [0.5149, 0.0199, 0.01]));
    let ratios = way("set = \"ear.gain\"\nto = 0.01\nscale = \"log\"");
    assert!((ratios[0] - 0.1).abs() < 0.06 * 0.1 && ratios[2] == 0.01, "{ratios:?}");
    // A control of equal ratios turns by them, unless it is told otherwise.
    let turned = way("turn = \"loudness\"\nto = 0.01");
    assert_eq!(turned, ratios);
    let straight = way("turn = \"loudness\"\nto = 0.01\nscale = \"linear\"");
    assert!((straight[0] - 0.505).abs() < 0.02, "{straight:?}");
}

#[test]
fn a_way_by_ratios_to_nothing_is_refused() {
    let text = "ictus = 1\ntitle = \"x\"\n[objects.ball]\nkind = \"mass\"\nmass = 1\n[pickups.ear]\nat = \"ball\"\n[[events]]\ntime = 0\n\
        set = \"ear.gain\"\nto = 0\nover = \"1 s\"\nscale = \"log\"\n";
    let problems = read(&Source::new("x.toml", text), &Reading::default()).unwrap_err();
    assert!(problems.iter().any(|problem| problem.message == "equal ratios never reach 0"), "{problems:?}");
}
