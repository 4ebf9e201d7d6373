//! What things of the house must let hear: coins that land sooner and sooner and fall otherwise with every seed, and that it matters how hard, where and with what.

use ictus_analysis::{Spectrum, Window, decibels};
use ictus_scene::{Instrument, Reading};

use super::rendering::{Sound, render, scene};

/// A scene with some values changed, from its beginning for a time in s.
fn part(name: &str, overrides: &[(&str, &str)], seconds: f64) -> Sound {
    let overrides = overrides.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect();
    let mut scene = scene(name, &Reading { overrides, ..Reading::default() });
    scene.duration = seconds;
    render(&scene)
}

/// Centroid in Hz of the power spectrum, and level in dB.
fn heard(sound: &Sound) -> [f64; 2] {
    let spectrum = Spectrum::new(&sound.mono(), sound.rate, Window::Rectangular).expect("a fair signal");
    let power = spectrum.power();
    let all: f64 = power.iter().sum();
    let moment: f64 = power.iter().enumerate().map(|(bin, power)| power * spectrum.frequency(bin)).sum();
    [moment / all, decibels(all.sqrt())]
}

/// When a coin lands, in s: where none of its points touched for half a millisecond and one begins to.
fn landings(name: &str, coin: &str, seed: &str, seconds: f64) -> Vec<f64> {
    let overrides = vec![("seed".into(), seed.into())];
    let scene = scene(name, &Reading { overrides, ..Reading::default() });
    let mut instrument = Instrument::new(&scene).unwrap_or_else(|error| panic!("{error}"));
    let rate = instrument.rate();
    let points: Vec<_> = {
        let engine = instrument.engine();
        let of_coin = |name: &&str| name.strip_prefix(coin).is_some_and(|rest| rest.starts_with('-'));
        engine.interaction_names().filter(of_coin).filter_map(|name| engine.interaction(name)).collect()
    };
    assert!(points.len() > 2, "{name}: {coin} has {} points", points.len());
    let (mut frame, mut landings, mut last) = (vec![0.0; instrument.channels()], Vec::new(), f64::NEG_INFINITY);
    for n in 0..(seconds * rate) as usize {
        instrument.process(&mut frame);
        let touches = |point| instrument.engine().interaction_force(point).is_some_and(|force| force > 0.0);
        if points.iter().any(|point| touches(*point)) {
            let now = n as f64 / rate;
            if now - last > 5e-4 {
                landings.push(now);
            }
            last = now;
        }
    }
    landings
}

/// The intervals between the landings of a coin shrink, and each seed has its own.
fn check_falls(name: &str, coin: &str) {
    let falls = ["1", "2", "3"].map(|seed| landings(name, coin, seed, 0.7));
    let mut shrunk = Vec::new();
    for fall in &falls {
        let intervals: Vec<f64> = fall.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(intervals.len() >= 12, "{name}: {coin} lands {} times only", fall.len());
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let third = intervals.len() / 3;
        let [early, late] = [&intervals[..third.min(6)], &intervals[2 * third..]].map(mean);
        println!(
            "{name}, {coin}: {} landings, {:.1} ms apart at first, {:.1} ms late",
            fall.len(),
            1e3 * early,
            1e3 * late
        );
        assert!(late <= 0.75 * early, "{name}, {coin}: {early:.4} s apart at first, {late:.4} s late");
        shrunk.push(late / early);
    }
    // A single fall is chaotic; all of them together are not.
    let mean = shrunk.iter().sum::<f64>() / shrunk.len() as f64;
    assert!(mean <= 0.5, "{name}, {coin}: late intervals are {shrunk:.3?} of the early ones");
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let apart =
            falls[one].iter().zip(&falls[other]).skip(3).filter(|(one, other)| (*one - *other).abs() > 1e-4).count();
        assert!(apart * 2 >= falls[one].len().min(falls[other].len()), "{name}: falls {one} and {other} are alike");
    }
}

/// The values on the right, in place of those of the scene, are heard: so much louder at least in dB, or brighter or darker by a tenth.
fn check_changed(name: &str, seconds: f64, changed: &[(&str, &str)]) {
    let [centroid, level] = heard(&part(name, &[], seconds));
    for change in changed {
        let [other, loud] = heard(&part(name, &[*change], seconds));
        println!(
            "{name}: {centroid:.0} Hz; {other:.0} Hz and {:+.1} dB with {} = {}",
            loud - level,
            change.0,
            change.1
        );
        let differs = (other / centroid).ln().abs() >= 0.1 || (loud - level).abs() >= 3.0;
        assert!(differs, "{name}: {} = {} is not heard", change.0, change.1);
    }
}

/// Harder, given by one value, is louder and brighter.
fn check_harder(name: &str, seconds: f64, [soft, hard]: [&[(&str, &str)]; 2]) {
    let [[dark, low], [bright, high]] = [soft, hard].map(|overrides| heard(&part(name, overrides, seconds)));
    println!("{name}: {dark:.0} Hz soft, {bright:.0} Hz and {:+.1} dB hard", high - low);
    assert!(
        high >= low + 6.0 && bright >= 1.1 * dark,
        "{name}: {dark:.0} Hz soft, {bright:.0} Hz and {:+.1} dB hard",
        high - low
    );
}

#[test]
fn coins_land_sooner_and_sooner_and_every_seed_is_another_fall() {
    ["large", "middle", "small"].iter().for_each(|coin| check_falls("coins", coin));
}

#[test]
fn it_is_heard_how_hard_things_are_hit() {
    let soft = [("events.0.velocity", "0.4 m/s")];
    let hard = [("events.0.velocity", "3 m/s")];
    check_harder("door-knock", 0.9, [&soft, &hard]);
}

#[test]
fn it_is_heard_where_and_with_what_things_are_hit() {
    check_changed("door-knock", 0.9, &[("knuckles.on", "door@0.9,0.5"), ("knuckles", "1e10")]);
    check_changed("coins", 0.7, &[("hardness", "1e6"), ("table", "40")]);
    check_changed("marbles", 1.0, &[("hardness", "1e7")]);
    check_changed("keys", 1.0, &[("hardness", "1e7")]);
    check_changed("scraping-stone", 1.1, &[("events.0.to", "-15 N"), ("events.1.to", "0.1 m/s")]);
}
