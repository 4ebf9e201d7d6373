//! A line under one contact is the line that all others see, to the bit.

use fearless_simd::{Level, Simd, dispatch};

use super::super::super::struck::{PARTS, Strikable, Struck};
use super::super::super::{At, Body, Place};
use super::super::{End, Line};
use super::{KINDS, Random, levels, line, shake, shape, spec};

/// What is asked of a line in a turn: forces and how much work is done beside the contact, sample by sample.
struct Turn {
    samples: Vec<(Option<f64>, usize)>,
    at: Place,
    ear: Place,
}

fn random_turn(random: &mut Random, at: f64) -> Turn {
    let samples = (0..1 + (random.next() * 12.0) as usize).map(|_| {
        let force = (random.next() < 0.8).then(|| 20.0 * random.signed());
        (force, (random.next() * (PARTS + 1) as f64) as usize)
    });
    Turn { samples: samples.collect(), at: Place::Along(at), ear: Place::Along(random.next()) }
}

/// The current sample of all nodes, and the energy they store with their last step.
fn state(line: &Line) -> impl Iterator<Item = u64> {
    shape(line).into_iter().chain([line.stored_energy()]).map(f64::to_bits)
}

/// What is heard in a turn and where it leaves the line.
fn as_all_see_it<S: Simd>(simd: S, line: &mut Line, turn: &Turn) -> Vec<u64> {
    let [at, ear] = [turn.at, turn.ear].map(|place| line.support(place).unwrap());
    let mut heard = Vec::new();
    for (force, _) in &turn.samples {
        line.free_step(simd);
        heard.push(line.read(&at, At::Next).to_bits());
        force.iter().for_each(|force| line.push(&at, *force));
        heard.extend([At::Now, At::Next].map(|when| line.read(&at, when).to_bits()));
        heard.push(line.read(&ear, At::Next).to_bits());
        line.advance();
    }
    heard.extend(state(line));
    heard
}

/// The same of the line as it is struck, and how many of its steps were foreseen.
fn as_it_is_struck<S: Simd>(simd: S, line: &mut Line, turn: &Turn) -> (Vec<u64>, usize) {
    let [at, ear] = [turn.at, turn.ear].map(|place| line.support(place).unwrap());
    let (mut heard, mut foreseen) = (Vec::new(), 0);
    let Some(mut struck) = line.struck(&at, &ear) else { return (as_all_see_it(simd, line, turn), 0) };
    for (sample, (force, parts)) in turn.samples.iter().enumerate() {
        heard.push(struck.step(simd, sample + 1 < turn.samples.len()).to_bits());
        foreseen += usize::from(struck.foreseen);
        (0..*parts).for_each(|part| struck.meanwhile(simd, part));
        struck.catch_up(simd);
        force.iter().for_each(|force| struck.push(simd, *force));
        heard.extend([At::Now, At::Next].map(|when| struck.read(&at, when).to_bits()));
        heard.push(struck.hear().to_bits());
        struck.advance();
    }
    struck.leave();
    heard.extend(state(line));
    (heard, foreseen)
}

/// Several turns of a line, both ways; returns how many steps were foreseen.
fn assert_same(level: Level, built: &Line, at: f64, random: &mut Random) -> usize {
    let (mut seen, mut struck) = (built.clone(), built.clone());
    let mut all_foreseen = 0;
    for _ in 0..8 {
        let turn = random_turn(random, at);
        let expected = dispatch!(level, simd => as_all_see_it(simd, &mut seen, &turn));
        let (found, foreseen) = dispatch!(level, simd => as_it_is_struck(simd, &mut struck, &turn));
        assert!(expected == found, "{} segments at {at}, {level:?}", built.segments());
        all_foreseen += foreseen;
    }
    all_foreseen
}

fn random_line(segments: usize, random: &mut Random) -> Line {
    let mut chance = |count: usize| (random.next() * count as f64) as usize;
    let held = [End::SimplySupported, End::Clamped];
    let (kind, ends) = (KINDS[chance(KINDS.len())], [held[chance(2)], held[chance(2)]]);
    let losses = [[0.0, 0.0], [2.0, 0.0], [2.0, 0.01]][chance(3)];
    let mut spec = spec(kind, ends, losses);
    spec.segments = Some(segments);
    let mut line = line(&spec, 400_000.0);
    shake(&mut line, random);
    line
}

#[test]
fn a_struck_line_is_the_line_that_all_others_see() {
    let mut random = Random(5);
    let (mut foreseeing, mut all) = (0, 0);
    for segments in (3..75).chain(96..107).chain([225, 226]) {
        for step in 0..24 {
            let line = random_line(segments, &mut random);
            let at = (f64::from(step) + random.next()) / 24.0;
            foreseeing += usize::from(assert_same(Level::new(), &line, at, &mut random) > 0);
            all += 1;
        }
    }
    assert!(2 * foreseeing > all, "{foreseeing} of {all} places gain by it");
}

#[test]
fn a_struck_line_is_the_same_at_every_level() {
    for level in levels() {
        let mut random = Random(6);
        for segments in [25, 33, 64, 65, 101] {
            let mut spec = spec(KINDS[2], [End::SimplySupported, End::Clamped], [2.0, 0.01]);
            spec.segments = Some(segments);
            let mut line = line(&spec, 400_000.0);
            shake(&mut line, &mut random);
            assert!(assert_same(level, &line, 0.123, &mut random) > 0, "{segments} segments, {level:?}");
        }
    }
}
