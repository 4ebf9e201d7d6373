//! Sounds with known answers.

use std::f64::consts::TAU;

use super::*;
use crate::partial::cents;
use crate::spectrum::decibels;
use crate::test_signals::{noise, ringing, sine, sum};

const RATE: f64 = 48_000.0;

fn of(channels: &[&[f64]]) -> Measures {
    measure(channels, RATE, MeasureSettings::default()).unwrap()
}

fn scaled(samples: &[f64], factor: f64) -> Vec<f64> {
    samples.iter().map(|x| factor * x).collect()
}

/// A sine under any envelope, of the time in s.
fn shaped(frequency: f64, length: usize, envelope: impl Fn(f64) -> f64) -> Vec<f64> {
    let time = |n: usize| n as f64 / RATE;
    (0..length).map(|n| envelope(time(n)) * (TAU * frequency * time(n) + 0.3).sin()).collect()
}

/// T60 to a rate in 1/s.
fn falling(t60: f64) -> impl Fn(f64) -> f64 {
    move |time| 10f64.powf(-3.0 * time / t60)
}

fn off(measured: f64, expected: f64) -> f64 {
    (measured / expected - 1.0).abs()
}

/// Frequency, amplitude and T60 of the partials of a stiff string.
fn string(first: f64, stiffness: f64, count: usize) -> Vec<(f64, f64, f64)> {
    let base = first / (1.0 + stiffness).sqrt();
    let partial = |n: usize| {
        let n = n as f64;
        (n * base * (1.0 + stiffness * n * n).sqrt(), 0.3 / n, 3.0 / n.sqrt())
    };
    (1..=count).map(partial).collect()
}

fn sounding(partials: &[(f64, f64, f64)], length: usize) -> Vec<f64> {
    let one =
        |&(frequency, amplitude, t60): &(f64, f64, f64)| scaled(&shaped(frequency, length, falling(t60)), amplitude);
    sum(&partials.iter().map(one).collect::<Vec<_>>())
}

#[test]
fn partials_of_stiff_strings_are_true_under_noise() {
    let mut wrong = Vec::new();
    for (first, stiffness, count) in [(55.0, 1e-4, 20), (110.0, 4e-4, 25), (261.63, 4e-4, 20), (1046.5, 3e-3, 8)] {
        let expected = string(first, stiffness, count);
        let clean = sounding(&expected, 144_000);
        // 60 dB under the largest sample.
        let peak = clean.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let heard = sum(&[clean, scaled(&noise(144_000), 1e-3 * peak)]);
        let measures = of(&[&heard]);
        let harmonics = measures.harmonics.as_ref().unwrap();
        if off(harmonics.inharmonicity.unwrap_or(0.0), stiffness) > 0.01 || measures.partials.len() != count {
            wrong.push(format!("{first} Hz: {harmonics:?}, {} partials", measures.partials.len()));
        }
        for (n, (partial, &(frequency, amplitude, t60))) in measures.partials.iter().zip(&expected).enumerate() {
            let deviation = cents((n as f64 + 1.0) * expected[0].0, frequency);
            let decay = partial.decay.unwrap();
            let is_true = cents(frequency, partial.frequency).abs() < 0.5
                && partial.harmonic == Some(n as u32 + 1)
                && (partial.deviation.unwrap() - deviation).abs() < 0.6
                && (decibels(partial.amplitude) - decibels(amplitude)).abs() < 0.2
                && off(decay.early, t60) < 0.03
                && off(decay.late, t60) < 0.03;
            if !is_true {
                wrong.push(format!(
                    "{first} Hz: {partial:?}, not {frequency} Hz, {amplitude}, {t60} s, {deviation} cents"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn two_stages_of_a_decay_are_told_apart() {
    let (fast, slow) = (0.8, 6.0);
    let mut wrong = Vec::new();
    for share in [0.3, 0.1, 0.03] {
        let amplitudes = move |time: f64| falling(fast)(time) + share * falling(slow)(time);
        let powers = move |time: f64| (falling(fast)(time).powi(2) + (share * falling(slow)(time)).powi(2)).sqrt();
        let knee = -20.0 * f64::log10(share);
        let bent = move |time: f64| {
            let bend = knee / 60.0 * fast;
            if time < bend { falling(fast)(time) } else { share * falling(slow)(time - bend) }
        };
        let shapes: [&dyn Fn(f64) -> f64; 3] = [&amplitudes, &powers, &bent];
        for (shape, envelope) in shapes.into_iter().enumerate() {
            let sound = sum(&[shaped(220.0, 192_000, envelope), scaled(&noise(192_000), 1e-4)]);
            let partials = of(&[&sound]).partials;
            let is_true = |decay: Decay| {
                off(decay.early, fast) < 0.03
                    && off(decay.late, slow) < 0.03
                    && decay.knee.is_some_and(|level| (level + knee).abs() < 6.0)
            };
            if partials.len() != 1 || !partials[0].decay.is_some_and(is_true) {
                wrong.push(format!("shape {shape}, {share}: {partials:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_rate_is_told_as_one() {
    for t60 in [0.03, 0.1, 0.5, 2.0, 12.0, 40.0] {
        let sound = ringing(880.0, 0.5, t60, RATE, 96_000);
        let measures = of(&[&sound]);
        assert_eq!(measures.partials.len(), 1, "{:?}", measures.partials);
        let decay = measures.partials[0].decay.unwrap();
        assert!(off(decay.early, t60) < 0.01 && decay.knee.is_none() && decay.early == decay.late, "{t60}: {decay:?}");
        assert!(
            (decibels(measures.partials[0].amplitude) - decibels(0.5)).abs() < 0.1,
            "{t60}: {:?}",
            measures.partials
        );
    }
    // What does not fall has no decay.
    assert_eq!(of(&[&sine(880.0, 0.5, 0.0, RATE, 96_000)]).partials[0].decay, None);
}

#[test]
fn a_partial_that_is_gone_at_once_is_found_beside_long_ones() {
    let expected = [(196.0, 0.3, 4.0), (784.9, 0.2, 0.5), (1803.2, 0.2, 0.06), (3520.7, 0.1, 0.03)];
    let measures = of(&[&sounding(&expected, 96_000)]);
    assert_eq!(measures.partials.len(), 4, "{:?}", measures.partials);
    for (partial, (frequency, amplitude, t60)) in measures.partials.iter().zip(expected) {
        assert!(cents(frequency, partial.frequency).abs() < 0.5, "{partial:?}");
        assert!((decibels(partial.amplitude) - decibels(amplitude)).abs() < 0.3, "{partial:?}");
        assert!(off(partial.decay.unwrap().early, t60) < 0.03, "{partial:?}");
    }
    // 1803.2 Hz is 8.8 times the first, whatever the pitch.
    assert_eq!(measures.partials[1].harmonic, Some(4));
    assert!((measures.partials[1].deviation.unwrap() - cents(784.0, 784.9)).abs() < 0.5);
}

#[test]
fn noise_has_no_partials_and_hides_none_that_stand_out() {
    assert_eq!(of(&[&scaled(&noise(96_000), 0.1)]).partials, []);
    let faint = sum(&[
        ringing(500.0, 0.5, 5.0, RATE, 96_000),
        sine(1234.5, 1e-3, 0.2, RATE, 96_000),
        scaled(&noise(96_000), 5e-4),
    ]);
    let measures = of(&[&faint]);
    assert_eq!(measures.partials.len(), 2, "{:?}", measures.partials);
    assert!(cents(1234.5, measures.partials[1].frequency).abs() < 0.5);
}

#[test]
fn a_partial_of_opposite_signs_in_two_channels_is_heard() {
    let (one, two) = (ringing(300.0, 0.4, 2.0, RATE, 96_000), ringing(700.0, 0.4, 2.0, RATE, 96_000));
    let left = sum(&[one.clone(), two.clone()]);
    let right = sum(&[one, scaled(&two, -1.0)]);
    let measures = of(&[&left, &right]);
    let found: Vec<f64> = measures.partials.iter().map(|partial| decibels(partial.amplitude)).collect();
    assert!(found.len() == 2 && found.iter().all(|level| (level - decibels(0.4)).abs() < 0.1), "{found:?}");
    let stereo = measures.stereo.unwrap();
    assert!(stereo.correlation.unwrap().abs() < 0.01 && !stereo.is_mono);
    assert!((stereo.balance.unwrap() - 1.0).abs() < 0.01);
    let same = of(&[&left, &left]).stereo.unwrap();
    assert!(same.is_mono && same.correlation == Some(1.0));
    let opposite = of(&[&left, &scaled(&left, -0.5)]).stereo.unwrap();
    assert!((opposite.correlation.unwrap() + 1.0).abs() < 1e-12 && (opposite.balance.unwrap() - 2.0).abs() < 1e-12);
    assert!(of(&[&left]).stereo.is_none() && of(&[&left, &[0.0; 96_000]]).stereo.unwrap().balance.is_none());
}

#[test]
fn levels_are_those_of_known_sounds() {
    let tone = sine(997.0, 0.5, 0.0, RATE, 96_000);
    let shifted: Vec<f64> = tone.iter().map(|x| x + 0.01).collect();
    let levels = of(&[&shifted]).levels;
    assert!((levels.offsets[0] - 0.01).abs() < 1e-6, "{levels:?}");
    assert!((levels.peak - 0.51).abs() < 1e-4 && (levels.rms - (0.125f64 + 1e-4).sqrt()).abs() < 1e-4);
    assert!((levels.loudness.unwrap() + 3.01 + 6.02).abs() < 0.05, "{levels:?}");
    assert!(levels.true_peak >= levels.peak && levels.clipped == 0);
    // Half of the energy of white noise is in half of the band.
    let white = of(&[&scaled(&noise(96_000), 0.1)]).levels;
    assert!(
        (white.near_nyquist - 0.1).abs() < 0.005 && (white.above_20_khz.unwrap() - 4.0 / 24.0).abs() < 0.005,
        "{white:?}"
    );
    let faded = |n: usize| (TAU * n as f64 / 96_000.0).cos();
    let swell: Vec<f64> = tone.iter().enumerate().map(|(n, x)| 0.5 * (1.0 - faded(n)) * x).collect();
    assert!(of(&[&swell]).levels.near_nyquist < 1e-12);
    let high = sum(&[tone.clone(), sine(22_000.0, 0.05, 0.0, RATE, 96_000)]);
    assert!((of(&[&high]).levels.near_nyquist - 0.01 / 1.01).abs() < 1e-4);
    let clipped: Vec<f64> = tone.iter().map(|x| (3.0 * x).clamp(-1.0, 1.0)).collect();
    let share = of(&[&clipped]).levels.clipped as f64 / 96_000.0;
    // A sine of 1.5 is beyond 1 for 53.5 % of the time.
    assert!((share - 0.535).abs() < 0.01, "{share}");
}

#[test]
fn the_attack_is_the_rise_of_the_envelope() {
    for rise in [0.01, 0.1, 0.4] {
        let swell = [vec![0.0; 4800], shaped(500.0, 48_000, |time| (time / rise).min(1.0))].concat();
        let measures = of(&[&swell]);
        assert!((measures.attack.unwrap() - 0.8 * rise).abs() < 2e-3, "{rise}: {:?}", measures.attack);
        assert!((measures.onset.unwrap() - 0.1).abs() < 2e-3);
    }
}

#[test]
fn the_centroid_follows_the_sound() {
    let sound = [shaped(4000.0, 24_000, |_| 0.3), shaped(1000.0, 24_000, |_| 0.3)].concat();
    let track = of(&[&sound]).centroid;
    let at = |time: f64| track.iter().find(|frame| frame.time >= time).unwrap().frequency.unwrap();
    assert!(off(at(0.2), 4000.0) < 0.02 && off(at(0.7), 1000.0) < 0.02, "{} {}", at(0.2), at(0.7));
}

#[test]
fn clicks_are_found_where_they_are_and_nowhere_else() {
    let clean = sounding(&string(220.0, 4e-4, 20), 96_000);
    let faded: Vec<f64> = clean.iter().enumerate().map(|(n, x)| x * ((96_000 - n) as f64 / 480.0).min(1.0)).collect();
    assert_eq!(of(&[&faded]).clicks, []);
    let mut clicked = faded.clone();
    clicked[30_000..].iter_mut().for_each(|x| *x += 0.01);
    clicked[50_000] += 0.02;
    clicked[70_000..].iter_mut().for_each(|x| *x -= 0.01);
    let found = of(&[&clicked]).clicks;
    let places: Vec<i64> = found.iter().map(|click| (click.time * RATE).round() as i64).collect();
    assert!(
        places.len() == 3 && places.iter().zip([30_000, 50_000, 70_000]).all(|(a, b)| (a - b).abs() <= 2),
        "{found:?}"
    );
    assert!(off(found[0].size, 0.01) < 0.2, "{found:?}");
    // Noise, strokes that ring on, a rough sound: none.
    let strokes: Vec<f64> = (0..96_000).map(|n| if n < 48_000 { 0.0 } else { clean[n - 48_000] }).collect();
    let hiss = scaled(&noise(96_000), 0.1);
    let fade = |sound: &[f64]| -> Vec<f64> {
        sound.iter().enumerate().map(|(n, x)| x * ((96_000 - n) as f64 / 480.0).min(1.0)).collect()
    };
    for sound in [strokes, hiss.clone(), sum(&[clean.clone(), hiss])] {
        let clicks = of(&[&fade(&sound)]).clicks;
        assert_eq!(clicks, []);
    }
    // A sound that is cut off.
    let cut = of(&[&clean[..20_010]]).clicks;
    assert!(cut.len() <= 1);
    let loud = sine(100.0, 0.5, 0.3, RATE, 24_000 + 120);
    assert_eq!(of(&[&loud[..24_120]]).clicks.len(), 1);
}

#[test]
fn silence_and_bad_input() {
    let silence = of(&[&[0.0; 9600]]);
    assert!(
        silence.onset.is_none()
            && silence.partials.is_empty()
            && silence.harmonics.is_none()
            && silence.levels.loudness.is_none()
    );
    let settings = MeasureSettings::default();
    for (channels, rate) in
        [(vec![], RATE), (vec![&[][..]], RATE), (vec![&[0.1][..], &[0.1, 0.2][..]], RATE), (vec![&[0.1][..]], 100.0)]
    {
        assert!(measure(&channels, rate, settings).is_err());
    }
    assert!(measure(&[&[f64::NAN]], RATE, settings).is_err());
    assert!(measure(&[&[0.1]], RATE, MeasureSettings { partials: 0, ..settings }).is_err());
    assert!(measure(&[&[0.1]], RATE, MeasureSettings { range: f64::NAN, ..settings }).is_err());
    for length in [1, 2, 3, 10, 100, 300, 1000] {
        let measures = of(&[&noise(length)]);
        assert!(measures.onset.is_some());
    }
}
