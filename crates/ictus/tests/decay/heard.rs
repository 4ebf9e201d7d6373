//! Partials in a sound, and how each of them falls.

use std::f64::consts::{LN_10, PI, TAU};

/// Length of a window in s: two partials are told apart if they differ by 4 over it.
const WINDOW: f64 = 0.4;
/// From the first window to the second, in s.
const APART: f64 = 0.1;
/// A partial weaker than this part of the strongest is left alone.
const FAINT: f64 = 1e-3;

/// A partial as it sounds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heard {
    /// In Hz.
    pub frequency: f64,
    /// In s.
    pub t60: f64,
}

impl Heard {
    /// The partial near a frequency: from the phase and size it has in two windows.
    pub fn in_sound(sound: &[f64], rate: f64, frequency: f64) -> Self {
        let samples = |seconds: f64| (seconds * rate).round() as usize;
        let (skip, apart) = (samples(0.02), samples(APART));
        let part = |first: usize| component(&sound[first..first + samples(WINDOW)], TAU * frequency / rate);
        let [(early, early_phase), (late, late_phase)] = [part(skip), part(skip + apart)];
        let seconds = apart as f64 / rate;
        let ahead = late_phase - early_phase - TAU * frequency * seconds;
        let ahead = ahead - TAU * (ahead / TAU).round();
        let sigma = (early / late).ln() / seconds;
        Self { frequency: frequency + ahead / (TAU * seconds), t60: 3.0 * LN_10 / sigma }
    }
}

/// Size and phase of one frequency (rad per sample) in a window, the phase at its start.
fn component(part: &[f64], frequency: f64) -> (f64, f64) {
    let (mut cosine, mut sine) = (0.0, 0.0);
    for (n, value) in part.iter().enumerate() {
        let weighted = value * window(n, part.len());
        cosine += weighted * (frequency * n as f64).cos();
        sine -= weighted * (frequency * n as f64).sin();
    }
    (cosine.hypot(sine), sine.atan2(cosine))
}

/// Blackman and Harris: what is 4 over the window away is 92 dB down.
fn window(n: usize, length: usize) -> f64 {
    let x = TAU * n as f64 / length as f64;
    0.35875 - 0.48829 * x.cos() + 0.14128 * (2.0 * x).cos() - 0.01168 * (3.0 * x).cos()
}

/// Frequencies in Hz of all partials below 10 kHz that stand apart from their neighbours, in order.
pub fn partials(sound: &[f64], rate: f64) -> Vec<f64> {
    let length = (WINDOW * rate) as usize;
    let mut spectrum: Vec<[f64; 2]> = (0..length).map(|n| [sound[n] * window(n, length), 0.0]).collect();
    spectrum.resize(length.next_power_of_two(), [0.0; 2]);
    transform(&mut spectrum);
    let bin = rate / spectrum.len() as f64;
    let size: Vec<f64> = spectrum.iter().take((10_000.0 / bin) as usize).map(|[re, im]| re.hypot(*im)).collect();
    let loudest = size.iter().copied().fold(0.0, f64::max);
    let peaks: Vec<usize> = (1..size.len() - 1)
        .filter(|&at| size[at] > FAINT * loudest && size[at] > size[at - 1] && size[at] >= size[at + 1])
        .collect();
    let far = (4.0 / WINDOW / bin) as usize;
    let alone = |at: usize| peaks.iter().all(|&other| other == at || other.abs_diff(at) > far);
    peaks.iter().filter(|&&at| alone(at)).map(|&at| at as f64 * bin).collect()
}

/// Fourier's transform in place, of a power of two.
fn transform(values: &mut [[f64; 2]]) {
    let count = values.len();
    if count == 1 {
        return;
    }
    let (mut even, mut odd): (Vec<_>, Vec<_>) = values.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    transform(&mut even);
    transform(&mut odd);
    for n in 0..count / 2 {
        let (sine, cosine) = (-2.0 * PI * n as f64 / count as f64).sin_cos();
        let turned = [odd[n][0] * cosine - odd[n][1] * sine, odd[n][0] * sine + odd[n][1] * cosine];
        values[n] = [even[n][0] + turned[0], even[n][1] + turned[1]];
        values[n + count / 2] = [even[n][0] - turned[0], even[n][1] - turned[1]];
    }
}
