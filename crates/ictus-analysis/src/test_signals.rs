//! Signals with known answers, shared by the tests.

use std::f64::consts::{LN_10, TAU};

/// `amplitude · sin(2π frequency t + phase)`.
pub(crate) fn sine(frequency: f64, amplitude: f64, phase: f64, rate: f64, length: usize) -> Vec<f64> {
    (0..length).map(|n| amplitude * (TAU * frequency * n as f64 / rate + phase).sin()).collect()
}

/// A sine that starts at `amplitude` and falls 60 dB in `t60` seconds.
pub(crate) fn ringing(frequency: f64, amplitude: f64, t60: f64, rate: f64, length: usize) -> Vec<f64> {
    sine(frequency, amplitude, 0.4, rate, length)
        .iter()
        .enumerate()
        .map(|(n, sample)| sample * (-3.0 * LN_10 / t60 * n as f64 / rate).exp())
        .collect()
}

/// The sum of signals of equal length.
pub(crate) fn sum(signals: &[Vec<f64>]) -> Vec<f64> {
    let mut total = vec![0.0; signals[0].len()];
    for signal in signals {
        for (cell, sample) in total.iter_mut().zip(signal) {
            *cell += sample;
        }
    }
    total
}

/// White noise, uniform in ±√3 (variance 1), from a fixed 64-bit congruential generator.
pub(crate) fn noise(length: usize) -> Vec<f64> {
    let mut state: u64 = 0x2545_f491_4f6c_dd1d;
    (0..length)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let unit = (state >> 11) as f64 / (1_u64 << 53) as f64;
            3.0_f64.sqrt() * (2.0 * unit - 1.0)
        })
        .collect()
}
