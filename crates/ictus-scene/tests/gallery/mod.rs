//! Every scene of the gallery: it is read without problems, sounds at a fair level without clicks, clipping or drift, keeps its
//! energy account, is in tune, and stays what it was.

mod bend;
mod bowed;
mod drums;
mod exactness;
mod golden;
mod mallets;
mod metals;
mod partials;
mod piano;
mod plucked;
mod readiness;
mod rendering;
mod resting;
mod rubbed;
mod thick_bar;
mod things;
mod tuning;
mod ultrasound;

use std::collections::BTreeSet;

use exactness::{Asked, EXACT};
use golden::Likeness::{self, Alike, Same};
use ictus_analysis::{decibels, loudness};
use ictus_scene::Reading;
use rendering::{render, scene};
use tuning::{check_decay, check_harmonics, check_harmonics_of, check_keys};
use ultrasound::{check_alternation, check_ultrasound};

/// Largest peak: 1 dB below full scale.
const LARGEST_PEAK: f64 = 0.891_251;

/// How loud a scene is.
#[derive(Clone, Copy)]
enum Level {
    /// Music: from -18 to -12 LUFS.
    Music,
    /// Single blows, which say little in LUFS: their peak is from -4 to -1 dB.
    Blows,
}
use Level::{Blows, Music};

fn check(name: &str, level: Level, likeness: Likeness) {
    let scene = scene(name, &Reading::default());
    assert!(!scene.about.is_empty(), "{name} says nothing about itself");
    assert!((1..=5).contains(&scene.controls.len()), "{name} has {} controls", scene.controls.len());
    let sound = render(&scene);
    assert!(sound.channels.iter().flatten().all(|sample| sample.is_finite()) && sound.breakdowns == 0, "{name} breaks");
    assert!(sound.residual <= 1e-11, "{name}: the energy account is open by {:.1e}", sound.residual);
    check_level(name, level, &sound);
    check_ends(name, &sound);
    check_stereo(name, &sound);
    golden::check(name, &sound.mono(), sound.rate, likeness);
}

fn check_level(name: &str, level: Level, sound: &rendering::Sound) {
    let channels: Vec<&[f64]> = sound.channels.iter().map(Vec::as_slice).collect();
    let measured = loudness(&channels, sound.rate).expect("a sound can be measured");
    assert!(measured.true_peak <= LARGEST_PEAK, "{name} peaks at {:.3}", measured.true_peak);
    match level {
        Music => {
            let integrated = measured.integrated.unwrap_or(f64::NEG_INFINITY);
            assert!((-18.0..=-12.0).contains(&integrated), "{name} has {integrated:.1} LUFS");
        }
        Blows => assert!(measured.sample_peak >= 0.631, "{name} peaks at only {:.3}", measured.sample_peak),
    }
}

/// It begins and ends in silence, and swings around nothing.
fn check_ends(name: &str, sound: &rendering::Sound) {
    let peak = sound.peak();
    let short = (0.001 * sound.rate) as usize;
    for channel in &sound.channels {
        let largest = |samples: &[f64]| samples.iter().fold(0.0_f64, |peak, sample| peak.max(sample.abs()));
        assert!(largest(&channel[..short]) <= 1e-3 * peak, "{name} begins with a click");
        assert!(largest(&channel[channel.len() - 8..]) <= 1e-3 * peak, "{name} ends with a click");
        let end = (0.02 * sound.rate) as usize;
        assert!(largest(&channel[channel.len() - end..]) <= 0.01 * peak, "{name} is cut off");
        let mean = channel.iter().sum::<f64>() / channel.len() as f64;
        assert!(mean.abs() <= 1e-4 * peak, "{name} has a mean of {mean:.1e}");
    }
}

/// What its two channels do not share is at most 20 dB below what they do, and neither is 6 dB louder.
fn check_stereo(name: &str, sound: &rendering::Sound) {
    let [left, right] = [&sound.channels[0], &sound.channels[1]];
    let energy = |of: fn(f64, f64) -> f64| left.iter().zip(right).map(|(l, r)| of(*l, *r).powi(2)).sum::<f64>();
    let side = decibels((energy(|l, r| l - r) / energy(|l, r| l + r)).sqrt());
    let balance = decibels((energy(|l, _| l) / energy(|_, r| r)).sqrt());
    println!("{name}: sides at {side:.1} dB, left {balance:+.1} dB");
    assert!(side >= -20.0, "{name} is mono: its sides are at {side:.1} dB");
    assert!(balance.abs() <= 6.0, "{name}: left is {balance:+.1} dB from right");
}

macro_rules! gallery {
    ($($test:ident: $name:literal, $level:expr, $likeness:expr;)*) => {
        $(#[test] fn $test() { check($name, $level, $likeness) })*

        const CHECKED: &[&str] = &[$($name),*];
    };
}

gallery! {
    a_marble_bounces_on_a_bar: "bouncing-ball", Music, Alike;
    a_bowed_bar_swells: "bowed-bar", Music, Same;
    a_bowed_string_sounds: "bowed-string", Music, Alike;
    a_bridge_rattles_on_a_barrier: "bridge-barrier", Music, Alike;
    a_bronze_plate_sounds: "bronze-plate", Music, Same;
    coins_rattle: "coins", Blows, Alike;
    a_cymbal_crashes: "cymbal", Music, Alike;
    a_door_is_knocked_at: "door-knock", Blows, Same;
    a_gong_sounds: "gong", Music, Alike;
    a_guitar_sounds: "guitar", Music, Alike;
    a_guitar_buzzes_on_its_frets: "guitar-fret-buzz", Music, Alike;
    a_hammered_string_sounds: "hammered-string", Music, Same;
    a_glockenspiel_sounds: "glockenspiel", Music, Same;
    a_harp_sounds: "harp", Music, Same;
    a_hinge_squeaks: "hinge", Music, Alike;
    a_kalimba_sounds: "kalimba", Music, Same;
    keys_jingle: "keys", Music, Alike;
    marbles_fall: "marbles", Blows, Alike;
    a_marimba_sounds: "marimba", Music, Same;
    a_ball_falls_on_a_floor: "mass-barrier", Blows, Same;
    a_clapper_knocks_a_string: "mass-string", Music, Alike;
    a_music_box_sounds: "music-box", Music, Same;
    a_piano_sounds: "piano", Music, Same;
    a_prepared_piano_rattles: "prepared-piano", Music, Alike;
    a_ball_rolls_over_a_rough_plate: "rolling-ball", Music, Alike;
    a_stone_scrapes: "scraping-stone", Music, Alike;
    a_slack_string_glides: "slack-string", Music, Same;
    a_bass_is_slapped: "slap-bass", Music, Alike;
    a_snare_drum_hisses: "snare", Music, Alike;
    a_string_clatters_on_a_string: "string-string", Music, Alike;
    a_tam_tam_opens: "tam-tam", Music, Alike;
    a_tanpura_shimmers: "tanpura", Music, Alike;
    a_tromba_with_a_loose_bridge_sounds: "tromba-collision", Music, Alike;
    a_tromba_marina_sounds: "tromba-marina", Music, Alike;
    toms_fall: "toms", Music, Same;
    two_masses_on_springs_collide: "two-mass-springs", Music, Alike;
    a_vibraphone_sounds: "vibraphone", Music, Same;
    wine_glasses_sing: "wine-glass", Music, Same;
    a_xylophone_sounds: "xylophone", Music, Same;
}

#[test]
fn every_scene_of_the_gallery_is_checked_here() {
    let folder = format!("{}/../../scenes", env!("CARGO_MANIFEST_DIR"));
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let found: BTreeSet<String> = names.filter_map(|name| Some(name.strip_suffix(".toml")?.to_owned())).collect();
    let checked: BTreeSet<String> = CHECKED.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(found, checked);
}

#[test]
fn the_page_of_the_gallery_names_every_scene() {
    let page = format!("{}/../../docs/gallery.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(page).unwrap();
    for name in CHECKED {
        assert!(page.contains(&format!("(../scenes/{name}.toml)")), "{name}");
    }
}

/// What rolls and scrapes is moved by a control.
#[test]
fn keys_play_every_scene_in_which_something_is_struck_or_thrown() {
    let deaf = |name: &&&str| scene(name, &Reading::default()).notes.is_none();
    assert_eq!(CHECKED.iter().filter(deaf).collect::<Vec<_>>(), [&"rolling-ball", &"scraping-stone"]);
}

#[test]
fn every_scene_can_be_read_at_other_rates() {
    for rate in [44_100.0, 96_000.0] {
        for name in CHECKED {
            let scene = scene(name, &Reading { rate: Some(rate), ..Reading::default() });
            assert_eq!(scene.model.rate, rate);
            scene.model.build().unwrap_or_else(|error| panic!("{name} at {rate} Hz: {error}"));
        }
    }
}

#[test]
fn every_scene_is_ready_to_play_within_three_tenths_of_a_second() {
    CHECKED.iter().for_each(|name| readiness::check(name));
}

/// All keys there are.
const ALL: std::ops::RangeInclusive<u8> = 0..=127;

#[test]
fn the_marimba_is_in_tune() {
    check_keys("marimba", ALL, 0.4);
}

#[test]
fn xylophone_vibraphone_and_glockenspiel_are_in_tune() {
    ["xylophone", "vibraphone", "glockenspiel"].iter().for_each(|name| check_keys(name, ALL, 0.4));
}

#[test]
fn a_hinge_slips_as_often_as_its_speed_and_its_load_say() {
    rubbed::check_hinge();
}

#[test]
fn a_rubbed_glass_speaks_soon_and_sings_near_its_lowest_mode() {
    rubbed::check_glasses();
}

#[test]
fn the_harp_is_in_tune() {
    check_keys("harp", ALL, 0.4);
}

#[test]
fn the_music_box_is_in_tune() {
    check_keys("music-box", ALL, 0.4);
}

#[test]
fn the_guitar_is_in_tune() {
    check_keys("guitar-fret-buzz", ALL, 0.8);
}

#[test]
fn the_tanpura_is_in_tune() {
    check_keys("tanpura", ALL, 1.0);
}

#[test]
fn the_bowed_bars_are_in_tune() {
    check_keys("bowed-bar", ALL, 1.0);
}

#[test]
fn the_unmuted_strings_of_the_prepared_piano_are_in_tune() {
    check_keys("prepared-piano", 72..=79, 0.4);
}

#[test]
fn the_tromba_is_in_tune_and_the_hand_leaves_it_its_third_harmonic() {
    check_harmonics("tromba-marina", "C2", 1.0..=2.9, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    check_harmonics("tromba-marina", "C2", 3.3..=4.9, &[3, 6, 9, 12, 15, 18]);
    check_harmonics("tromba-marina", "C2", 5.5..=6.4, &[2, 3, 5]);
}

#[test]
fn the_tromba_with_a_loose_bridge_is_in_tune() {
    check_harmonics("tromba-collision", "C2", 0.5..=4.5, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
}

#[test]
fn strings_that_are_struck_or_knocked_are_in_tune() {
    check_harmonics("hammered-string", "A2", 4.0..=6.5, &[1]);
    check_harmonics("mass-string", "G2", 4.0..=6.0, &[1]);
    check_harmonics("bridge-barrier", "D2", 0.3..=1.1, &[1]);
    check_harmonics("bridge-barrier", "D2", 4.0..=4.9, &[1]);
    check_harmonics("string-string", "D3", 6.0..=7.9, &[1]);
    check_harmonics("string-string", "A3", 6.0..=7.9, &[1]);
}

#[test]
fn the_bar_under_the_marble_is_in_tune() {
    // Every blow shifts the phase, and a marble that lies on the bar weighs it down by ten cents: from 10 m it strikes once, after 1.43 s, and
    // is in the air for half a second and more.
    let high = Reading { overrides: vec![("marble.displacement".into(), "10 m".into())], ..Reading::default() };
    check_harmonics_of("bouncing-ball", &high, "G3", 1.45..=2.0, &[1]);
}

#[test]
fn the_scenes_decay_like_what_they_are_made_of() {
    check_decay("marimba", 57, 0.5..=1.5);
    check_decay("harp", 60, 2.0..=5.0);
    check_decay("music-box", 72, 1.5..=4.0);
    check_decay("guitar-fret-buzz", 52, 3.0..=7.0);
}

#[test]
fn a_full_stroke_has_no_more_above_hearing_than_at_eight_times_the_rate() {
    check_ultrasound("snare", &[60]);
    check_ultrasound("prepared-piano", &[48, 55, 58]);
    check_ultrasound("guitar-fret-buzz", &[40, 52, 64]);
}

#[test]
fn no_force_alternates() {
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].iter().for_each(|velocity| check_alternation("snare", &[60], *velocity));
    check_alternation("prepared-piano", &[48, 51, 53, 55, 58], 1.0);
    check_alternation("bridge-barrier", &[60], 1.0);
}

/// A plectrum that bounces slips off early: the string was 14 dB softer then.
#[test]
fn every_pluck_of_the_string_over_the_bridge_is_as_loud() {
    let sound = render(&scene("bridge-barrier", &Reading::default()));
    let level = |samples: &[f64]| samples.iter().map(|sample| sample * sample).sum::<f64>().log10() * 10.0;
    let second = (1.2 * sound.rate) as usize;
    let levels: Vec<f64> = sound.mono().chunks_exact(second).take(4).map(level).collect();
    println!("{levels:.1?} dB");
    assert!(levels.iter().all(|level| (level - levels[0]).abs() <= 3.0), "{levels:.1?} dB");
}

#[test]
fn an_instrument_at_rest_costs_next_to_nothing() {
    ["marimba", "music-box", "piano", "snare", "harp", "tanpura"].iter().for_each(|name| resting::check_unplayed(name));
    resting::check_died_away("marimba", 60, 20.0);
    resting::check_died_away("music-box", 72, 20.0);
    resting::check_died_away("harp", 60, 40.0);
    resting::check_died_away("piano", 60, 90.0);
}

#[test]
fn ten_partials_of_every_harp_string_are_those_of_a_stiff_string_on_a_spring() {
    let keys = [48, 50, 52, 53, 55, 57, 59, 60, 62, 64, 65, 67, 69, 71, 72, 74, 76];
    // The finger plucks where the fifth and the tenth stand still.
    exactness::check_keys("harp", &[], &keys, 0.4, [0.1, 1.0], &Asked { least: 8, within: EXACT });
}

#[test]
fn ten_partials_of_every_guitar_string_that_clears_the_frets_are_those_of_a_stiff_string_on_a_spring() {
    let keys = [40, 47, 52, 56, 59, 64];
    exactness::check_keys("guitar-fret-buzz", &[], &keys, 0.05, [0.1, 1.0], &Asked { least: 10, within: EXACT });
}

#[test]
fn marimba_bars_have_the_three_partials_they_are_carved_for() {
    // Struck hard off the middle, and without the losses that hide the upper two.
    let overrides = [("strike", "0.3"), ("hardness", "1e8"), ("bars.object.t60", "3 s"), ("tubes", "0")];
    let keys: Vec<u8> = (43..=72).collect();
    exactness::check_keys("marimba", &overrides, &keys, 0.4, [0.05, 0.5], &Asked { least: 3, within: EXACT });
}

#[test]
fn music_box_tines_have_the_partials_of_clamped_bars() {
    let keys: Vec<u8> = (60..=84).collect();
    // Struck hard with a hard tooth, so that all of them are heard.
    let overrides = [("comb.object.t60", "4 s"), ("hardness", "1e12")];
    exactness::check_keys("music-box", &overrides, &keys, 1.0, [0.1, 1.0], &Asked { least: 10, within: EXACT });
}

#[test]
fn bowed_bars_play_their_note_and_its_fourth_harmonic() {
    // A bow flattens what it plays: most where it is slow, and the bar low.
    let keys = [53, 57, 60, 64, 65, 67, 69, 71, 72, 76];
    for velocity in [0.4, 0.7] {
        exactness::check_keys("bowed-bar", &[], &keys, velocity, [1.5, 1.0], &Asked { least: 2, within: 2.0 });
    }
}

#[test]
fn ten_partials_of_a_tanpura_string_stay_within_two_cents_on_the_curved_bridge() {
    // The string rolls on the bridge, which shortens it by more or less as it swings.
    exactness::check_keys("tanpura", &[], &[36, 43, 48], 0.05, [0.1, 1.0], &Asked { least: 10, within: 2.0 });
}

#[test]
fn ten_partials_of_the_unmuted_strings_of_the_prepared_piano_are_those_of_stiff_strings() {
    let keys = [72, 75, 77, 79];
    exactness::check_keys("prepared-piano", &[], &keys, 0.4, [0.1, 1.0], &Asked { least: 7, within: EXACT });
}

#[test]
fn ten_partials_of_strings_that_nothing_touches_any_more_are_those_of_stiff_strings() {
    exactness::check_body("hammered-string", &[], "string", [4.0, 6.5], &Asked { least: 9, within: EXACT });
    exactness::check_body("mass-string", &[], "string", [4.0, 6.0], &Asked { least: 10, within: EXACT });
    exactness::check_body("string-string", &[], "lower", [6.0, 7.9], &Asked { least: 8, within: EXACT });
    exactness::check_body("string-string", &[], "upper", [6.0, 7.9], &Asked { least: 8, within: EXACT });
}

#[test]
fn ten_partials_of_the_bar_that_the_marble_leaves_are_those_of_a_thick_supported_bar() {
    // Hardly any weight: the marble falls once, and is away for a second.
    let overrides = [("weight", "-0.005 N")];
    exactness::check_body("bouncing-ball", &overrides, "bar", [0.55, 1.05], &Asked { least: 10, within: EXACT });
}

#[test]
fn ten_partials_of_the_bronze_plate_are_those_of_a_supported_plate() {
    exactness::check_body("bronze-plate", &[], "plate", [8.0, 11.4], &Asked { least: 10, within: EXACT });
}

#[test]
fn partials_of_the_gong_struck_softly_are_those_of_a_free_disc() {
    let overrides = [("events.0.velocity", "0.05 m/s"), ("felt.on", "plate@0.2,0.45"), ("duration", "2.3 s")];
    exactness::check_body("gong", &overrides, "plate", [0.2, 2.2], &Asked { least: 6, within: EXACT });
}

#[test]
fn ten_partials_of_the_drum_head_without_its_wires_are_zeros_of_bessel_functions() {
    // Without the losses in which neighbours would drown.
    let overrides = [
        ("snares", "3 mm"),
        ("batter.t60", "20 s"),
        ("air", "0"),
        ("batter.amplitude", "small"),
        ("stick.on", "batter@0.22,0.31"),
        ("left.at", "batter@0.2,0.7"),
        ("right.gain", "0"),
        ("below-left.gain", "0"),
        ("below-right.gain", "0"),
    ];
    exactness::check_body("snare", &overrides, "batter", [4.0, 4.9], &Asked { least: 10, within: EXACT });
}

#[test]
fn what_is_left_of_two_masses_are_their_own_frequencies() {
    for body in ["low", "high"] {
        exactness::check_body("two-mass-springs", &[], body, [3.9, 4.4], &Asked { least: 1, within: EXACT });
    }
}
