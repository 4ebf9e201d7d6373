//! Lines in tune: what is asked for is what sounds, on any grid.

use super::super::super::bar::{BarPitch, BarSpec};
use super::super::super::string::{StringPitch, StringSpec};
use super::super::super::{At, Loss};
use super::super::tuning::Mode;
use super::*;

/// Frequency in Hz at which a line set off in its lowest mode rings: the pole pair fitted to the mode's own coordinate.
fn sounding_frequency(line: &mut Line, rate: f64) -> f64 {
    let shape = Mode::lowest(line.grid(), None).shape;
    let last = line.points() - 1;
    line.displace(|x| 1e-3 * shape[(x * last as f64).round() as usize]).unwrap();
    let coordinate = |line: &Line| -> f64 {
        let weight = |node: usize| if node == 0 || node == last { 0.5 } else { 1.0 };
        line.nodes(At::Now).enumerate().map(|(node, u)| weight(node) * shape[node] * u).sum()
    };
    // δtt q = -p q - s δt₋q in least squares: differences, so that a slow phase keeps its digits.
    let mut q = [coordinate(line); 2];
    let ([mut aa, mut ab, mut bb], [mut ya, mut yb]) = ([0.0; 3], [0.0; 2]);
    for _ in 0..3000 {
        step(line, Level::new());
        let next = coordinate(line);
        let (a, b) = (q[1], q[1] - q[0]);
        let y = (next - q[1]) - b;
        (aa, ab, bb) = (aa + a * a, ab + a * b, bb + b * b);
        (ya, yb) = (ya + y * a, yb + y * b);
        q = [q[1], next];
    }
    let determinant = aa * bb - ab * ab;
    let (p, s) = (-(ya * bb - yb * ab) / determinant, -(yb * aa - ya * ab) / determinant);
    // z² - (2 - p - s) z + (1 - s) = 0: |1 - z|² = p, and the phase from its half tangent.
    let radius = (1.0 - s).sqrt();
    let sine = ((p - (1.0 - radius).powi(2)) / (4.0 * radius)).sqrt();
    2.0 * sine.asin() * rate / std::f64::consts::TAU
}

fn cents(frequency: f64, wanted: f64) -> f64 {
    1200.0 * (frequency / wanted).log2()
}

#[test]
fn strings_sound_at_their_fundamental_whatever_the_ends_rate_and_length() {
    let mut worst: f64 = 0.0;
    for ends in all_pairs_of_ends() {
        for (rate, length, frequency, youngs_modulus) in [
            (44_100.0, 0.65, 196.0, 2e11),
            (96_000.0, 1.2, 55.0, 2e11),
            (48_000.0, 0.3, 880.0, 0.0),
            (22_050.0, 0.4, 1100.0, 5e9),
        ] {
            for (sigma0, sigma1) in [(0.0, 0.0), (3.0, 1e-3)] {
                for bend in [1.0, 1.5] {
                    let pitch = StringPitch::Fundamental(frequency);
                    let string = StringSpec {
                        length,
                        pitch,
                        youngs_modulus,
                        loss: Loss::sigma(sigma0, sigma1),
                        ends,
                        bend,
                        ..StringSpec::default()
                    };
                    let mut line = string.on_grid(rate, 10_000).unwrap();
                    let off = cents(sounding_frequency(&mut line, rate), frequency);
                    assert!(off.abs() < 0.01, "{string:?} at {rate}: {off} cents, {} points", line.points());
                    worst = worst.max(off.abs());
                }
            }
        }
    }
    assert!(worst < 1e-3, "{worst}");
}

#[test]
fn bars_sound_at_their_fundamental_from_six_points_to_sixty() {
    let (mut fewest, mut most) = (usize::MAX, 0);
    for ends in all_pairs_of_ends() {
        for rate in [44_100.0, 384_000.0] {
            for frequency in [200.0, 440.0, 1000.0, 2000.0] {
                for (sigma0, sigma1) in [(0.0, 0.0), (4.0, 5e-3)] {
                    let pitch = BarPitch::Fundamental(frequency);
                    let bar = BarSpec { pitch, loss: Loss::sigma(sigma0, sigma1), ends, ..BarSpec::default() };
                    let Ok(mut line) = bar.on_grid(rate, 10_000) else { continue };
                    let off = cents(sounding_frequency(&mut line, rate), frequency);
                    assert!(off.abs() < 0.01, "{bar:?} at {rate}: {off} cents, {} points", line.points());
                    if ends == [End::Free; 2] {
                        (fewest, most) = (fewest.min(line.points()), most.max(line.points()));
                    }
                }
            }
        }
    }
    assert!(fewest <= 6 && most >= 50, "{fewest} to {most} points");
}

#[test]
fn a_free_bar_of_any_number_of_points_is_in_tune() {
    for segments in 5..60 {
        let rate = f64::from(20_000.max(300 * segments * segments));
        let segments = segments as usize;
        let bar = BarSpec { pitch: BarPitch::Fundamental(440.0), segments: Some(segments), ..BarSpec::default() };
        let mut line = bar.on_grid(rate, 1000).unwrap();
        let off = cents(sounding_frequency(&mut line, rate), 440.0);
        assert!(off.abs() < 0.01, "{segments} segments: {off} cents");
    }
}

#[test]
fn a_bent_string_rings_at_the_ratio_asked_for() {
    for (ends, tolerance) in
        [([End::SimplySupported; 2], 1e-3), ([End::SimplySupported, End::Free], 0.1), ([End::Clamped; 2], 1.0)]
    {
        for pitch in [StringPitch::Fundamental(110.0), StringPitch::Tension(60.0)] {
            let string = StringSpec { pitch, ends, bend: 2.0, loss: Loss::sigma(1.0, 2e-4), ..StringSpec::default() };
            let mut line = string.on_grid(48_000.0, 1000).unwrap();
            let built = sounding_frequency(&mut line, 48_000.0);
            let grid = *line.grid();
            for ratio in [0.5, 0.9, 1.2, 2.0] {
                line.bend(ratio).unwrap().unwrap();
                let off = cents(sounding_frequency(&mut line, 48_000.0), ratio * built);
                assert!(off.abs() < tolerance, "{ends:?}, {pitch:?} to {ratio}: {off} cents");
            }
            line.bend(1.0).unwrap().unwrap();
            assert_eq!(*line.grid(), grid);
        }
    }
    let mut string = StringSpec { bend: 1.5, ..StringSpec::default() }.on_grid(48_000.0, 1000).unwrap();
    for wrong in [0.2, 1.6, f64::NAN] {
        assert!(string.bend(wrong).unwrap().unwrap_err().to_string().starts_with("bend is"));
    }
    assert!(BarSpec::default().on_grid(48_000.0, 1000).unwrap().bend(1.0).is_none());
}

#[test]
fn a_string_tuned_below_what_stiffness_gives_is_refused() {
    let clamped = StringSpec {
        radius: 2e-3,
        ends: [End::Clamped; 2],
        pitch: StringPitch::Fundamental(20.0),
        ..StringSpec::default()
    };
    let error = clamped.on_grid(48_000.0, 1000).unwrap_err().to_string();
    assert!(error.contains("above what stiffness alone gives"), "{error}");
}

#[test]
fn heavy_loss_does_not_stretch_a_string() {
    let muted = |sigma0| {
        StringSpec { loss: Loss::sigma(sigma0, 2e-4), ..StringSpec::default() }.on_grid(48_000.0, 1000).unwrap()
    };
    let (light, heavy) = (muted(0.0), muted(1e4));
    assert!((heavy.grid().tension / light.grid().tension - 1.0).abs() < 0.02);
}
