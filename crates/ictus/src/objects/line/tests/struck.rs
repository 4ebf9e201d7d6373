//! A line under one contact is the line that all others see, to the bit.

use fearless_simd::{Level, Simd, dispatch};

use super::super::super::struck::{PARTS, Strikable, Struck};
use super::super::super::{At, Body, Place};
use super::super::{End, Line};
use super::{Random, levels, line, shake, spec};

/// What is asked of a line in a turn: forces and how much work is done beside the contact, sample by sample.
struct Turn {
    samples: Vec<(Option<f64>, usize)>,
    at: Place,
    ear: Place,
}

fn random_turn(random: &mut Random, at: f64) -> Turn {
    let samples = (0..1 + (random.next() * 9.0) as usize).map(|_| {
        let force = (random.next() < 0.8).then(|| 20.0 * random.signed());
        (force, (random.next() * (PARTS + 1) as f64) as usize)
    });
    Turn { samples: samples.collect(), at: Place::Along(at), ear: Place::Along(random.next()) }
}

/// Everything that can be asked of the line after each sample.
fn answers(line: &impl Body, at: Place, ear: Place, answers: &mut Vec<u64>) {
    let points = [at, ear].map(|place| line.support(place).unwrap());
    answers.extend(points.map(|point| line.read(&point, At::Now).to_bits()));
    answers.push(line.stored_energy().to_bits());
}

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
    answers(line, turn.at, turn.ear, &mut heard);
    heard
}

/// The same, and whether it was struck as a line that foresees.
fn as_it_is_struck<S: Simd>(simd: S, line: &mut Line, turn: &Turn) -> (Vec<u64>, bool) {
    let [at, ear] = [turn.at, turn.ear].map(|place| line.support(place).unwrap());
    let mut heard = Vec::new();
    let Some(mut struck) = line.struck(&at, &ear) else { return (as_all_see_it(simd, line, turn), false) };
    for (sample, (force, parts)) in turn.samples.iter().enumerate() {
        heard.push(struck.step(simd, sample + 1 < turn.samples.len()).to_bits());
        (0..*parts).for_each(|part| struck.meanwhile(simd, part));
        struck.catch_up(simd);
        force.iter().for_each(|force| struck.push(simd, *force));
        heard.extend([At::Now, At::Next].map(|when| struck.read(&at, when).to_bits()));
        heard.push(struck.hear().to_bits());
        struck.advance();
    }
    struck.leave();
    answers(line, turn.at, turn.ear, &mut heard);
    (heard, true)
}

fn assert_same(level: Level, built: &Line, at: f64, random: &mut Random) -> bool {
    let (mut seen, mut struck_line) = (built.clone(), built.clone());
    let mut foresees = false;
    for _ in 0..6 {
        let turn = random_turn(random, at);
        let expected = dispatch!(level, simd => as_all_see_it(simd, &mut seen, &turn));
        let (found, foreseen) = dispatch!(level, simd => as_it_is_struck(simd, &mut struck_line, &turn));
        assert!(expected == found, "{} segments at {at}, {level:?}", built.segments());
        foresees |= foreseen;
    }
    foresees
}

#[test]
fn a_struck_line_is_the_line_that_all_others_see() {
    let mut random = Random(5);
    let held = [End::SimplySupported, End::Clamped];
    let (mut foreseen, mut all) = (0, 0);
    for segments in (3..40).chain(60..70).chain(96..107).chain([225, 226]) {
        let ends = [held[segments % 2], held[segments / 2 % 2]];
        let mut spec = spec([(150.0 * 150.0, 0.0), (150.0 * 150.0, 1.0)][segments % 2], ends, [2.0, 0.01]);
        spec.segments = Some(segments);
        let mut line = line(&spec, 400_000.0);
        shake(&mut line, &mut random);
        for step in 0..24 {
            let at = (f64::from(step) + random.next()) / 24.0;
            foreseen += usize::from(assert_same(Level::new(), &line, at, &mut random));
            all += 1;
        }
    }
    assert!(2 * foreseen > all, "{foreseen} of {all} places gain by it");
}

#[test]
fn a_struck_line_is_the_same_at_every_level() {
    let mut random = Random(6);
    let mut spec = spec((150.0 * 150.0, 1.0), [End::SimplySupported, End::Clamped], [2.0, 0.01]);
    spec.segments = Some(101);
    let mut line = line(&spec, 400_000.0);
    shake(&mut line, &mut random);
    let turn = random_turn(&mut random, 0.123);
    let run = |level: Level| dispatch!(level, simd => as_it_is_struck(simd, &mut line.clone(), &turn));
    let expected = run(Level::new());
    assert!(expected.1, "it foresees");
    for level in levels() {
        assert!(run(level) == expected, "{level:?}");
    }
}
