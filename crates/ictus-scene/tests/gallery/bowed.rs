//! What a bow must do: a string that sticks and slips once in every period, and a bar that speaks soon.

use ictus_analysis::{cents, partial_near};
use ictus_scene::Reading;

use super::rendering::{key_alone, scene};
use super::tuning::frequency;

/// A bowed key alone, with some values changed, and its rate in Hz.
fn bowed(name: &str, overrides: &[(&str, &str)], key: u8, velocity: f64, seconds: f64) -> (Vec<f64>, f64) {
    let overrides = overrides.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect();
    let scene = scene(name, &Reading { overrides, ..Reading::default() });
    (key_alone(&scene, key, velocity, seconds), scene.model.rate)
}

/// Helmholtz's motion, heard as the velocity of the string under the bow: it goes with the bow for all of a period but the part that the bow is from
/// the bridge, and slips back once.
fn check_helmholtz(name: &str, keys: &[u8], velocities: &[f64], from_bridge: f64) {
    let place = format!("each@{}", 1.0 - from_bridge);
    let under_the_bow = [
        ("strings.foot.listen", "velocity"),
        ("strings.foot.at", place.as_str()),
        ("strings.foot.gain", "1"),
        ("left.gain", "0"),
        ("right.gain", "0"),
        ("output.highpass", "0"),
    ];
    for &key in keys {
        for &velocity in velocities {
            let (sound, rate) = bowed(name, &under_the_bow, key, velocity, 1.0);
            let periods = (0.3 * frequency(key)).floor();
            let part = &sound[sound.len() - (periods * rate / frequency(key)) as usize..];
            let mut sorted = part.to_vec();
            sorted.sort_by(f64::total_cmp);
            // That of the bow, more or less: for most of a period the string has it.
            let middle = sorted[sorted.len() / 2];
            let sticks = part.iter().filter(|velocity| **velocity > 0.5 * middle).count() as f64 / part.len() as f64;
            let slips = part.windows(2).filter(|pair| pair[0] > 0.0 && pair[1] <= 0.0).count() as f64;
            println!(
                "{name} {key} at {velocity}: sticks for {sticks:.3} of a period, {slips} slips in {periods} periods"
            );
            assert!((slips - periods).abs() <= 1.0, "{name} {key} at {velocity}: {slips} slips in {periods} periods");
            assert!((sticks - (1.0 - from_bridge)).abs() <= 0.06, "{name} {key} at {velocity}: sticks for {sticks:.3}");
        }
    }
}

/// Harmonics fall as those of a saw-tooth, and the tone is near its note.
fn check_saw_tooth(name: &str, keys: &[u8]) {
    for &key in keys {
        let (sound, rate) = bowed(name, &[("left.gain", "0"), ("right.gain", "0")], key, 0.5, 1.0);
        let part = &sound[(0.4 * rate) as usize..];
        let partial = |number: f64| {
            let found = partial_near(part, rate, number * frequency(key), 60.0).expect("a fair signal");
            found.unwrap_or_else(|| panic!("{name} {key} has no harmonic {number}"))
        };
        let first = partial(1.0);
        let off = cents(frequency(key), first.frequency);
        let levels: Vec<f64> = (2..=6)
            .map(|number| {
                let number = f64::from(number);
                20.0 * (number * partial(number).amplitude / first.amplitude).log10()
            })
            .collect();
        println!("{name} {key}: {off:+.1} cents; harmonics 2 to 6 over those of a saw-tooth {levels:+.1?} dB");
        assert!(off.abs() <= 5.0, "{name} {key} is off by {off:+.1} cents");
        assert!(levels.iter().all(|level| level.abs() <= 6.0), "{name} {key}: {levels:+.1?} dB");
    }
}

/// A bar reaches half of its amplitude within a time in s.
fn check_speaks(name: &str, keys: &[u8], within: f64) {
    for &key in keys {
        let (sound, rate) = bowed(name, &[], key, 0.6, 2.5);
        let length = (0.02 * rate) as usize;
        let rms = |part: &[f64]| (part.iter().map(|sample| sample * sample).sum::<f64>() / part.len() as f64).sqrt();
        let full = rms(&sound[(2.0 * rate) as usize..]);
        let frame = sound.chunks(length).position(|frame| rms(frame) >= 0.5 * full).expect("it sounds");
        let time = (frame + 1) as f64 * length as f64 / rate;
        println!("{name} {key}: half of its amplitude after {time:.2} s");
        assert!(time <= within, "{name} {key} speaks after {time:.2} s");
    }
}

#[test]
fn a_bowed_string_slips_once_in_every_period() {
    check_helmholtz("bowed-string", &[36, 43, 50, 57], &[0.3, 0.5, 0.7], 0.11);
    check_saw_tooth("bowed-string", &[36, 43, 50, 57]);
}

#[test]
fn a_bowed_bar_speaks_within_three_tenths_of_a_second() {
    check_speaks("bowed-bar", &[53, 60, 69, 76], 0.3);
}
