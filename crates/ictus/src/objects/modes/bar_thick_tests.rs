//! Tests of thick bars.

use super::tests::{bending, shape_at, thick_bar, unit_bar};
use super::*;
use crate::objects::End::{Clamped, Free, SimplySupported};
use crate::objects::modes::beam_reference::Ritz;
use crate::objects::modes::sampled::{PAIRS, Samples, near};

#[test]
fn thick_bars_ring_where_the_tables_of_lee_and_schultz_have_them() {
    // J. Sound Vib. 269 (2004) 609: √b of the first mode, ν = 0.3, κ = 5/6, for h/L of 0.1 and 0.2.
    let printed = [
        ([SimplySupported, SimplySupported], [3.11568, 3.04533]),
        ([Clamped, Clamped], [4.57955, 4.24201]),
        ([Free, Free], [4.64849, 4.44958]),
    ];
    for (ends, roots) in printed {
        for (thickness, root) in [0.1, 0.2].into_iter().zip(roots) {
            let modes = bending(&thick_bar(ends, thickness, 5.0 / 6.0), 100.0);
            assert!((modes[0].frequency.sqrt() - root).abs() < 5.1e-6, "{ends:?} {thickness} {:?}", modes[0]);
        }
    }
}

/// h = 0.3 L and Cowper's κ: b of the first twelve modes, by 40-digit arithmetic; the cut-off is at 76.22.
const THICK_BARS: [([End; 2], [f64; 11]); 6] = [
    (
        [Clamped, Clamped],
        [
            15.106022561352512,
            31.989332420508255,
            51.57895608367273,
            71.61392985619149,
            86.83991854662099,
            92.62535819857219,
            110.19329138024118,
            114.71863173813466,
            136.81728554659364,
            138.1692175661284,
            158.7701095314824,
        ],
    ),
    (
        [Clamped, Free],
        [
            3.2945479110466125,
            15.686897733508028,
            34.907799539937244,
            54.71974409973404,
            74.39254773702199,
            83.63291085375724,
            97.09746947568819,
            104.2577382218612,
            122.06462707938557,
            127.51943948235461,
            147.27851048306806,
        ],
    ),
    (
        [SimplySupported, Clamped],
        [
            11.85097080363016,
            29.909572466971067,
            50.27867861389512,
            71.42194592503915,
            79.05542021658584,
            92.47957401680068,
            97.8184599465426,
            114.6914194597586,
            123.79739592114103,
            136.81769799426905,
            153.01194064326035,
        ],
    ),
    (
        [SimplySupported, Free],
        [
            12.839778078341602,
            32.58965668780613,
            53.833267027782256,
            73.28045843987495,
            79.5390987778114,
            89.79276636666457,
            101.17859403134088,
            112.00747400106333,
            125.31118311922705,
            137.76976634185948,
            148.71413758299036,
        ],
    ),
    (
        [Free, Free],
        [
            17.74399172265862,
            37.52950818538321,
            58.61535648037589,
            73.81200913109367,
            89.37261702808141,
            89.81675354633124,
            111.96805696825922,
            113.34042387374491,
            137.07653079883758,
            137.7714465969069,
            160.13979530534675,
        ],
    ),
    (
        [SimplySupported, SimplySupported],
        [
            8.698111110865725,
            27.421588478962107,
            48.95483062553863,
            71.05222786974838,
            86.48739525827344,
            93.12193540234266,
            109.73499572761395,
            115.0238622454715,
            136.7457704396806,
            138.3008106922221,
            158.309382988268,
        ],
    ),
];

#[test]
fn thick_bars_ring_at_the_roots_of_their_equations_below_and_above_the_cut_off() {
    let coefficient = Shear::rectangle(0.3).coefficient;
    for (ends, expected) in THICK_BARS {
        for ends in [ends, [ends[1], ends[0]]] {
            let modes = bending(&thick_bar(ends, 0.3, coefficient), 1.001 * expected[10]);
            assert_eq!(modes.len(), 11, "{ends:?}");
            for (mode, expected) in modes.iter().zip(expected) {
                assert!(near(mode.frequency, expected, 1e-13), "{ends:?}: {} {expected}", mode.frequency);
            }
        }
    }
}

#[test]
fn polynomials_find_the_same_modes_of_thick_and_thin_bars() {
    let softness = 2.6 / Shear::rectangle(0.3).coefficient;
    let thick = |rotary: f64| Law::Thick { rotary, shear: rotary * softness };
    for law in [Law::THIN, thick(1e-4), thick(0.0075), thick(0.2)] {
        for ends in PAIRS {
            let spectrum = Spectrum::new(law, ends);
            let ritz = Ritz::new(law, ends);
            let highest = 22.0;
            let found: Vec<f64> = spectrum.wave_numbers(highest).map(|p| law.waves(p).frequency).collect();
            assert!(found.len() > 4);
            for (number, frequency) in found.iter().enumerate() {
                let number = number + spectrum.rigid();
                let counts = [1.0 - 1e-7, 1.0 + 1e-7].map(|factor| ritz.count(frequency * factor));
                assert_eq!(counts, [number, number + 1], "{law:?} {ends:?} b = {frequency}");
            }
        }
    }
}

#[test]
fn no_mode_of_a_thick_bar_is_missed_or_found_twice() {
    for ends in PAIRS {
        let modes = bending(&thick_bar(ends, 0.35, 0.85), 3e3);
        // Far above the cut-off the two waves of speeds √(E/ρ) and √(κG/ρ) have modes of their own, each a half wave apart.
        let rotary: f64 = 0.35 * 0.35 / 12.0;
        let waves = (rotary.sqrt() + (rotary * 2.6 / 0.85).sqrt()) / std::f64::consts::PI;
        assert!((modes.len() as f64 - 3e3 * waves).abs() < 4.0, "{ends:?}: {} {}", modes.len(), 3e3 * waves);
        assert!(modes.windows(2).all(|pair| pair[0].frequency < pair[1].frequency), "{ends:?}");
    }
}

#[test]
fn modal_masses_of_thick_bars_have_the_turning_of_the_sections() {
    // By 60-digit arithmetic: φ at 0.03 and 0.37, S and ⟨Ψ²⟩.
    let cases = [
        (
            [Free, Free],
            58.61535648037589,
            [0.9124634580267966, 0.40704689161276325],
            [156.34051043482165, 55.651607688228644],
        ),
        (
            [Clamped, Free],
            15.686897733508028,
            [0.09337204798972171, 1.3847413969808549],
            [26.975621756187817, 18.087562135624122],
        ),
        (
            [SimplySupported, Free],
            89.79276636666457,
            [0.5535024892078269, -1.1305411358975104],
            [204.45064651717385, 138.40827375367343],
        ),
        (
            [Clamped, Clamped],
            86.83991854662099,
            [0.27223005203476197, -0.5734011587089308],
            [121.05489500744127, 1033.101120908668],
        ),
    ];
    for (ends, frequency, shape, [slope, turning]) in cases {
        let body = thick_bar(ends, 0.3, Shear::rectangle(0.3).coefficient);
        let all = BarModes::new(&body, 100.0, 100).unwrap();
        let number = all.modes().iter().position(|mode| near(mode.frequency, frequency, 1e-12)).unwrap();
        let mode = all.modes()[number];
        assert!(near(mode.slope, slope, 1e-11) && near(mode.mass, 1.0 + 0.0075 * turning, 1e-11), "{ends:?} {mode:?}");
        let found = [0.03, 0.37].map(|place| shape_at(&body, 100.0, number, place));
        let sign = found[0].signum();
        assert!(
            (sign * found[0] - shape[0]).abs() < 1e-11 && (sign * found[1] - shape[1]).abs() < 1e-11,
            "{ends:?} {found:?}"
        );
    }
    let turn = BarModes::new(&thick_bar([Free, Free], 0.3, 0.85), 100.0, 100).unwrap().modes()[1];
    assert!(near(turn.mass, 1.0 + 12.0 * 0.0075, 1e-14), "{turn:?}");
}

#[test]
fn modes_of_thick_bars_are_orthogonal_with_the_turning_of_the_sections() {
    let (rotary, shear) = (0.0075, 0.0075 * 2.6 / 0.85);
    let samples = Samples::new(24, 0);
    for ends in PAIRS {
        let modes = BarModes::new(&thick_bar(ends, 0.3, 0.85), 150.0, 100).unwrap();
        let shapes = samples.shapes(&modes);
        // Ψ(1 - b²r²s²) = W' + s²Ψ'',  Ψ' = W'' + b²s²W.
        let rotations: Vec<Vec<f64>> = (modes.modes().iter().zip(&shapes))
            .map(|(mode, shape)| {
                let square = mode.frequency * mode.frequency;
                let [first, second] = [samples.derivative(shape), samples.derivative(&samples.derivative(shape))];
                let third = samples.derivative(&second);
                let inertia = 1.0 - square * rotary * shear;
                (first
                    .iter()
                    .zip(&third)
                    .map(|(first, third)| (first + shear * (third + square * shear * first)) / inertia))
                .collect()
            })
            .collect();
        for i in 0..shapes.len() {
            for j in 0..shapes.len() {
                let mean = samples.mean(&shapes[i], &shapes[j]) + rotary * samples.mean(&rotations[i], &rotations[j]);
                let expected = if i == j { modes.modes()[i].mass } else { 0.0 };
                assert!((mean - expected).abs() < 1e-7 * (1.0 + expected), "{ends:?} {i} {j}: {mean} {expected}");
            }
        }
    }
}

#[test]
fn a_bar_counts_as_thick_where_it_is_worth_five_cents() {
    for ends in PAIRS {
        for thickness in [0.003, 0.01, 0.03] {
            let [thin, free] = [unit_bar(ends, thickness), thick_bar(ends, thickness, 0.85)];
            for highest in [100.0, 400.0, 2000.0] {
                let (thin, chosen) = (bending(&thin, highest), bending(&free, highest));
                let law = free.law(free.youngs_modulus, highest);
                if law == Law::THIN {
                    assert_eq!(thin, chosen);
                    // And rightly so.
                    let thick = Spectrum::new(free.thick_law(free.shear.unwrap(), free.youngs_modulus), ends);
                    for (number, mode) in thin.iter().enumerate() {
                        let exact = thick.law().waves(thick.nth(number + thick.rigid())).frequency;
                        assert!(1200.0 * (mode.frequency / exact).log2() < 5.0 + 1e-6, "{ends:?} {thickness} {number}");
                    }
                } else {
                    let number = chosen.len() - 1;
                    let thin = Law::THIN
                        .waves(Spectrum::new(Law::THIN, ends).nth(number + Spectrum::new(Law::THIN, ends).rigid()));
                    let cents = 1200.0 * (thin.frequency / chosen[number].frequency).log2();
                    assert!(cents > 5.0 - 1e-6, "{ends:?} {thickness} {highest}: {cents}");
                }
            }
        }
    }
}
