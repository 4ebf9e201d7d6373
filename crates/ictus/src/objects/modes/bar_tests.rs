use super::*;
use crate::objects::End::{Clamped, Free, SimplySupported};
use crate::objects::modes::ritz::Ritz;
use crate::objects::modes::sampled::Samples;

const PAIRS: [[End; 2]; 9] = [
    [SimplySupported, SimplySupported],
    [SimplySupported, Clamped],
    [SimplySupported, Free],
    [Clamped, SimplySupported],
    [Clamped, Clamped],
    [Clamped, Free],
    [Free, SimplySupported],
    [Free, Clamped],
    [Free, Free],
];

/// A bar whose frequencies are b in Hz: length, mass and √(EI/ρA)/2π are 1. Its thickness is h.
fn unit_bar(ends: [End; 2], thickness: f64) -> BarBody<'static> {
    let moment = thickness * thickness / 12.0;
    BarBody {
        length: 1.0,
        area: 1.0,
        moment,
        density: 1.0,
        youngs_modulus: TAU * TAU / moment,
        ends,
        shear: None,
        partials: &[],
    }
}

fn thick_bar(ends: [End; 2], thickness: f64, coefficient: f64) -> BarBody<'static> {
    BarBody { shear: Some(Shear { coefficient, rigidity: Rigidity::Poisson(0.3) }), ..unit_bar(ends, thickness) }
}

fn bending(body: &BarBody<'_>, highest: f64) -> Vec<Mode> {
    let all = BarModes::new(body, highest, 4096).unwrap();
    all.modes().iter().copied().filter(|mode| mode.frequency > 0.0).collect()
}

fn near(value: f64, expected: f64, tolerance: f64) -> bool {
    (value / expected - 1.0).abs() < tolerance
}

fn shape_at(body: &BarBody<'_>, highest: f64, number: usize, place: f64) -> f64 {
    let modes = BarModes::new(body, highest, 4096).unwrap();
    let mut weights = vec![0.0; modes.modes().len()];
    modes.at([place, 0.0], &mut weights);
    weights[number]
}

#[test]
fn thin_bars_ring_at_the_roots_of_their_equations() {
    // To 18 digits by 40-digit arithmetic from cosh and sinh.
    let clamped = [22.3732854480613239, 61.6728228679202453, 120.90339172712378];
    let lever = [3.51601526850015118, 22.0344915646667699, 61.697214413549102];
    let mixed = [15.4182057169800613, 49.9648620318002246, 104.247696458861329];
    let plain = [1.0, 4.0, 9.0].map(|square: f64| square * std::f64::consts::PI * std::f64::consts::PI);
    for ends in PAIRS {
        let expected = match ends {
            [SimplySupported, SimplySupported] => plain,
            [Clamped, Clamped] | [Free, Free] => clamped,
            [Clamped, Free] | [Free, Clamped] => lever,
            _ => mixed,
        };
        for (mode, expected) in bending(&unit_bar(ends, 0.01), 200.0).iter().zip(expected) {
            assert!(near(mode.frequency, expected, 4e-15), "{ends:?}: {} {expected}", mode.frequency);
        }
    }
}

#[test]
fn high_modes_have_exact_frequencies_shapes_and_slopes() {
    // By 60-digit arithmetic: ends, number among those that bend, b, φ at 0.03, 0.1, 0.37 and 0.9, S.
    let places = [0.03, 0.1, 0.37, 0.9];
    let cases = [
        (
            [Clamped, Free],
            0,
            3.51601526850015118,
            [0.0031208555004385116, 0.033546999616608781, 0.39991271133437712, 1.7247990866913805],
            4.6477783186786394,
        ),
        (
            [Free, Free],
            9,
            1088.12388522010116,
            [0.084940181374297852, -0.79432170534234893, 1.2889238785941875, 0.79432170534234893],
            1286.0442223962805,
        ),
        (
            [SimplySupported, Clamped],
            49,
            24921.3679630256986,
            [1.4138210194228865, 0.11095791726984728, -1.3549196881617265, 0.91845837732379331],
            24763.502932182811,
        ),
        (
            [Clamped, Free],
            199,
            392812.722564456745,
            [1.0459963188449644, 1.1441228056353686, 1.384830179366402, 1.1441228056353686],
            394066.21803323907,
        ),
        (
            [Free, Free],
            199,
            396760.564324892489,
            [0.95178343046496793, 0.83125387555490686, 0.28678454337013851, -0.83125387555490686],
            400539.90028716101,
        ),
    ];
    for (ends, number, frequency, shape, slope) in cases {
        let body = unit_bar(ends, 0.01);
        let mode = bending(&body, 4e5)[number];
        assert!(near(mode.frequency, frequency, 4e-15) && near(mode.slope, slope, 1e-13), "{ends:?} {number} {mode:?}");
        let rigid = if ends == [Free, Free] { 2 } else { 0 };
        // Signs are a matter of taste.
        let sign = shape_at(&body, 4e5, number + rigid, places[0]).signum();
        for (place, expected) in places.into_iter().zip(shape) {
            let error = sign * shape_at(&body, 4e5, number + rigid, place) - expected;
            assert!(error.abs() < 1e-12, "{ends:?} mode {number} at {place}: {error:e}");
        }
    }
}

#[test]
fn shapes_have_mean_square_one_are_orthogonal_and_have_the_slope_of_quadrature() {
    let samples = Samples::new(40, 0);
    for ends in PAIRS {
        let modes = BarModes::new(&unit_bar(ends, 0.01), 4e3, 100).unwrap();
        let shapes = samples.shapes(&modes);
        assert!(shapes.len() > 18);
        for (i, one) in shapes.iter().enumerate() {
            for (j, other) in shapes.iter().enumerate() {
                let mean = samples.mean(one, other);
                assert!((mean - f64::from(u8::from(i == j))).abs() < 1e-13, "{ends:?} {i} {j}: {mean}");
            }
            let derivative = samples.derivative(one);
            let slope = samples.mean(&derivative, &derivative);
            let mode = modes.modes()[i];
            assert!((mode.slope - slope).abs() < 1e-10 * slope + 1e-20, "{ends:?} {i}: {} {slope}", mode.slope);
            assert_eq!(mode.mass, 1.0);
        }
    }
}

#[test]
fn a_free_end_swings_twice_as_far_as_the_bar_on_average_and_a_held_end_not_at_all() {
    for ends in PAIRS {
        let modes = BarModes::new(&unit_bar(ends, 0.01), 4e5, 1000).unwrap();
        let mut weights = vec![0.0; modes.modes().len()];
        for (place, end) in [(0.0, ends[0]), (1.0, ends[1])] {
            modes.at([place, 0.0], &mut weights);
            for (weight, mode) in weights.iter().zip(modes.modes()).filter(|(_, mode)| mode.frequency > 0.0) {
                if end == Free {
                    assert!((weight.abs() - 2.0).abs() < 1e-12, "{ends:?} {mode:?}: {weight}");
                } else {
                    assert_eq!(*weight, 0.0);
                    let beside = 1e-9;
                    let mut close = vec![0.0; weights.len()];
                    modes.at([(place - beside).abs(), 0.0], &mut close);
                    let bound = beside * 1.5 * mode.frequency.sqrt() + 1e-12;
                    assert!(
                        close
                            .iter()
                            .zip(modes.modes())
                            .all(|(weight, other)| { other.frequency != mode.frequency || weight.abs() < bound })
                    );
                }
            }
        }
    }
}

#[test]
fn a_clamped_end_is_level_and_bends_twice_as_much_as_a_supported_bar_in_the_middle() {
    // φ = ½ φ'' x² beside it, with φ''² = 4β⁴.
    for ends in [[Clamped, Free], [Clamped, Clamped], [Clamped, SimplySupported]] {
        for (number, mode) in bending(&unit_bar(ends, 0.01), 2e4).iter().enumerate() {
            let place = 1e-3 / mode.frequency.sqrt();
            let curvature = 2.0 * shape_at(&unit_bar(ends, 0.01), 2e4, number, place) / (place * place);
            assert!(near(curvature, 2.0 * mode.frequency, 2e-3), "{ends:?} {number}: {curvature}");
        }
    }
}

#[test]
fn bars_that_are_not_held_move_and_turn_as_a_whole() {
    let body = BarBody { length: 2.0, density: 3.0, ..unit_bar([Free, Free], 0.01) };
    let modes = BarModes::new(&body, 20.0, 10).unwrap();
    let [shift, turn] = [modes.modes()[0], modes.modes()[1]];
    assert_eq!(shift, Mode { frequency: 0.0, mass: 6.0, slope: 0.0 });
    assert_eq!((turn.frequency, turn.mass), (0.0, 6.0));
    assert!(near(turn.slope, 12.0 / 4.0, 1e-15));
    let mut weights = vec![0.0; modes.modes().len()];
    modes.at([0.25, 0.0], &mut weights);
    assert_eq!(weights[0], 1.0);
    assert!(near(weights[1], -0.25 * 12.0_f64.sqrt(), 1e-15));

    for (ends, far) in [([SimplySupported, Free], 1.0), ([Free, SimplySupported], 0.0)] {
        let modes = BarModes::new(&BarBody { ends, ..body }, 20.0, 10).unwrap();
        assert!(near(modes.modes()[0].slope, 3.0 / 4.0, 1e-15) && modes.modes()[0].frequency == 0.0);
        assert!(modes.modes()[1].frequency > 0.0);
        modes.at([far, 0.0], &mut weights[..modes.modes().len()]);
        assert!(near(weights[0], 3.0_f64.sqrt(), 1e-15), "about the support");
        modes.at([1.0 - far, 0.0], &mut weights[..modes.modes().len()]);
        assert_eq!(weights[0], 0.0);
    }
}

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

/// h = 0.3 L and Cowper's κ: b of the first twelve modes, to 18 digits by 40-digit arithmetic; the cut-off is at 76.22.
const THICK_BARS: [([End; 2], [f64; 11]); 6] = [
    (
        [Clamped, Clamped],
        [
            15.106022561352513,
            31.9893324205082564,
            51.5789560836727309,
            71.6139298561914878,
            86.8399185466209911,
            92.6253581985721885,
            110.193291380241175,
            114.718631738134668,
            136.817285546593642,
            138.169217566128402,
            158.770109531482411,
        ],
    ),
    (
        [Clamped, Free],
        [
            3.29454791104661258,
            15.6868977335080278,
            34.907799539937243,
            54.7197440997340355,
            74.3925477370219878,
            83.6329108537572409,
            97.0974694756881907,
            104.257738221861198,
            122.064627079385567,
            127.519439482354618,
            147.278510483068061,
        ],
    ),
    (
        [SimplySupported, Clamped],
        [
            11.8509708036301596,
            29.9095724669710653,
            50.2786786138951137,
            71.421945925039154,
            79.0554202165858487,
            92.4795740168006788,
            97.8184599465425991,
            114.691419459758609,
            123.797395921141037,
            136.817697994269067,
            153.011940643260357,
        ],
    ),
    (
        [SimplySupported, Free],
        [
            12.8397780783416023,
            32.5896566878061298,
            53.8332670277822585,
            73.2804584398749489,
            79.5390987778114053,
            89.7927663666645711,
            101.178594031340874,
            112.007474001063323,
            125.311183119227051,
            137.769766341859468,
            148.714137582990355,
        ],
    ),
    (
        [Free, Free],
        [
            17.7439917226586208,
            37.52950818538321,
            58.6153564803758865,
            73.8120091310936788,
            89.3726170280814046,
            89.8167535463312456,
            111.968056968259219,
            113.340423873744907,
            137.076530798837594,
            137.771446596906911,
            160.139795305346765,
        ],
    ),
    (
        [SimplySupported, SimplySupported],
        [
            8.69811111086572429,
            27.4215884789621083,
            48.9548306255386251,
            71.052227869748377,
            86.4873952582734315,
            93.1219354023426627,
            109.734995727613947,
            115.023862245471512,
            136.745770439680586,
            138.300810692222081,
            158.309382988268003,
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
            58.6153564803758865,
            [0.91246345802679657, 0.40704689161276325],
            [156.34051043482165, 55.651607688228641],
        ),
        (
            [Clamped, Free],
            15.6868977335080278,
            [0.093372047989721701, 1.3847413969808548],
            [26.975621756187816, 18.087562135624121],
        ),
        (
            [SimplySupported, Free],
            89.7927663666645711,
            [0.55350248920782687, -1.1305411358975103],
            [204.45064651717386, 138.40827375367344],
        ),
        (
            [Clamped, Clamped],
            86.8399185466209911,
            [0.27223005203476197, -0.57340115870893085],
            [121.05489500744128, 1033.101120908668],
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

#[test]
fn an_undercut_bar_has_the_partials_it_is_carved_for_and_goes_on_as_the_uniform_one() {
    let partials = [1.0, 4.0, 10.0];
    let uniform = bending(&unit_bar([Free, Free], 0.01), 3000.0);
    let body = BarBody { partials: &partials, ..unit_bar([Free, Free], 0.01) };
    let first = uniform[0].frequency;
    for highest in [20.0, 50.0, 150.0, 230.0, 1000.0] {
        let modes = BarModes::new(&body, highest, 100).unwrap();
        let expected: Vec<f64> = (0..uniform.len())
            .map(|number| match number {
                0..3 => first * partials[number],
                _ => first * 10.0 * uniform[number].frequency / uniform[2].frequency,
            })
            .take_while(|frequency| *frequency < highest)
            .collect();
        assert_eq!(modes.modes().len(), expected.len() + 2, "{highest}");
        for (number, expected) in expected.iter().enumerate() {
            let mode = modes.modes()[number + 2];
            assert!(near(mode.frequency, *expected, 1e-14), "{number}: {mode:?} {expected}");
            assert_eq!((mode.mass, mode.slope), (uniform[number].mass, uniform[number].slope));
        }
    }
    let wrong = [&[2.0, 3.0][..], &[1.0, 4.0, 4.0], &[1.0, f64::NAN], &[1.0, 0.5]];
    assert!(wrong.iter().all(|partials| BarModes::new(&BarBody { partials, ..body }, 100.0, 100).is_err()));
}

#[test]
fn youngs_modulus_follows_from_the_lowest_frequency() {
    let steel = Shear::rectangle(0.3);
    let wood = Shear { coefficient: 0.85, rigidity: Rigidity::Modulus(8e8) };
    for ends in PAIRS {
        for (shear, thickness) in [(None, 0.02), (Some(steel), 0.002), (Some(steel), 0.06), (Some(wood), 0.02)] {
            let moment = thickness * thickness * thickness / 12.0;
            let wooden =
                BarBody { length: 0.4, area: thickness, moment, density: 800.0, shear, ..unit_bar(ends, 0.01) };
            for fundamental in [5.0, 100.0, 350.0] {
                let youngs_modulus = wooden.youngs_modulus(fundamental, 12e3).unwrap();
                let lowest = bending(&BarBody { youngs_modulus, ..wooden }, 12e3)[0].frequency;
                assert!(near(lowest, fundamental, 1e-12), "{ends:?} {shear:?}: {lowest}");
            }
        }
    }
    let body = BarBody {
        shear: Some(wood),
        length: 0.4,
        area: 0.05,
        moment: 1e-5,
        density: 800.0,
        ..unit_bar([Free, Free], 0.1)
    };
    let error = body.youngs_modulus(1e4, 2e4).unwrap_err();
    assert!(error.to_string().contains("below what shear alone gives"), "{error}");
}

#[test]
fn coefficients_of_cowper_are_those_he_prints() {
    assert!(
        (Shear::rectangle(0.3).coefficient - 0.850).abs() < 5e-4
            && (Shear::round(0.3).coefficient - 0.886).abs() < 5e-4
    );
    assert!(
        (Shear::rectangle(0.0).coefficient - 0.833).abs() < 5e-4
            && (Shear::round(0.5).coefficient - 0.900).abs() < 5e-4
    );
}

#[test]
fn too_many_modes_are_counted_not_built() {
    let body = unit_bar([Free, Free], 0.01);
    let error = BarModes::new(&body, 4e5, 50).unwrap_err();
    assert!(matches!(error, ObjectError::TooManyModes { modes: 202, limit: 50, .. }), "{error}");
    assert!(error.to_string().contains("modes below 400000 Hz; the limit is 50"), "{error}");
    assert_eq!(BarModes::new(&body, 4e5, 202).unwrap().modes().len(), 202);
    assert!(matches!(BarModes::new(&body, 1e300, 50), Err(ObjectError::TooManyModes { .. })));
}

#[test]
fn nonsense_is_refused_and_extremes_are_survived() {
    let body = thick_bar([Free, Free], 0.1, 0.85);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(BarModes::new(&BarBody { length: bad, ..body }, 100.0, 10).is_err());
        assert!(BarModes::new(&BarBody { area: bad, ..body }, 100.0, 10).is_err());
        assert!(BarModes::new(&BarBody { moment: bad, ..body }, 100.0, 10).is_err());
        assert!(BarModes::new(&BarBody { density: bad, ..body }, 100.0, 10).is_err());
        assert!(BarModes::new(&BarBody { youngs_modulus: bad, ..body }, 100.0, 10).is_err());
        assert!(BarModes::new(&body, bad, 10).is_err());
        assert!(body.youngs_modulus(bad, 100.0).is_err() && body.youngs_modulus(100.0, bad).is_err());
    }
    assert!(BarModes::new(&BarBody { length: 0.02, ..body }, 100.0, 10).is_err(), "longer than thick");
    let mut weights = [0.0; 64];
    for ends in PAIRS {
        for scale in [1e-300, 1e-100, 1e-9, 1e-3, 1.0, 1e3, 1e9, 1e100, 1e300] {
            let body = BarBody { youngs_modulus: scale, ends, ..body };
            let _ = body.youngs_modulus(scale, 1e4);
            if let Ok(modes) = BarModes::new(&body, 1e4, 64) {
                assert!(modes.modes().len() <= 64 && modes.modes().iter().all(|m| m.frequency.is_finite()));
                for place in [-1.0, 0.0, 0.3, 1.0, 2.0] {
                    modes.at([place, 0.0], &mut weights[..modes.modes().len()]);
                    assert!(weights.iter().all(|weight| weight.abs() < 10.0));
                }
            }
        }
    }
}
