//! Large amplitudes against closed forms and solvers that know nothing of the engine.

mod cost;
mod coupled;
mod karman;
mod sheets;
mod strings;

use std::f64::consts::PI;

/// Frequency in Hz of `q̈ = -ω²q - γq³` at an amplitude: its period is `4K(m)/√(ω² + γA²)` with `m = γA²/2(ω² + γA²)`, K by the arithmetic-geometric mean.
fn duffing(angular: f64, cubic: f64, amplitude: f64) -> f64 {
    let stiffened = angular * angular + cubic * amplitude * amplitude;
    let parameter = 0.5 * cubic * amplitude * amplitude / stiffened;
    let (mut a, mut b) = (1.0, (1.0 - parameter).sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let quarter = PI / (2.0 * a);
    stiffened.sqrt() / (4.0 * quarter)
}

/// Frequency in Hz of a periodic signal, from its first to its last upward crossing of 0, each found on a cubic through four samples.
fn frequency_of(signal: &[f64], rate: f64) -> f64 {
    let crossing = |at: usize| {
        let [before, a, b, after] = [signal[at - 1], signal[at], signal[at + 1], signal[at + 2]];
        let cubic = |t: f64| {
            -before * t * (t - 1.0) * (t - 2.0) / 6.0 + a * (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0
                - b * (t + 1.0) * t * (t - 2.0) / 2.0
                + after * (t + 1.0) * t * (t - 1.0) / 6.0
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if cubic(middle) < 0.0 { &mut low } else { &mut high }) = middle;
        }
        at as f64 + low
    };
    let crossings: Vec<f64> =
        (1..signal.len() - 2).filter(|&at| signal[at] < 0.0 && signal[at + 1] >= 0.0).map(crossing).collect();
    let [first, last] = [crossings[0], crossings[crossings.len() - 1]];
    rate * (crossings.len() - 1) as f64 / (last - first)
}

fn cents(one: f64, other: f64) -> f64 {
    1200.0 * (one / other).log2()
}
