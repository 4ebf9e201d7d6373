//! Objects made by chance, and their sounds: damped sines in white noise, written without the code that fits them.
//!
//! One to sixty modes between 60 Hz and 20 kHz, T60 from 50 ms to 4 s, shorter for high ones, levels down to 45 dB below the strongest, phases by chance. Three in
//! ten lie one to three half-power bandwidths above another mode. No two are nearer than the wider of their bandwidths: what is nearer is
//! one peak to any method at these levels of noise.

use std::f64::consts::TAU;

use ictus::math::random::SplitMix64;

/// Samples per second.
pub const RATE: f64 = 48_000.0;

/// Silence before the impact, in samples.
pub const LEAD: usize = 2400;

/// A mode: frequency in Hz, T60 in s, amplitude (1 is the strongest), phase.
pub type Mode = [f64; 4];

/// Half-power bandwidth in Hz of a decay.
fn bandwidth(t60: f64) -> f64 {
    1000f64.ln() / (std::f64::consts::PI * t60)
}

/// The modes of an object.
pub fn modes(seed: u64) -> Vec<Mode> {
    let mut random = SplitMix64(seed.wrapping_mul(7919).wrapping_add(1));
    let count = 1 + (60.0 * random.unit()) as usize;
    let mut modes: Vec<Mode> = Vec::new();
    for _ in 0..5000 {
        if modes.len() == count {
            break;
        }
        let is_pair = !modes.is_empty() && random.unit() < 0.3;
        let (frequency, t60) = if is_pair {
            let [frequency, t60, ..] = modes[(random.unit() * modes.len() as f64) as usize];
            (frequency + bandwidth(t60) * (1.0 + 2.0 * random.unit()), t60 * (0.7 + 0.6 * random.unit()))
        } else {
            let frequency = 60.0 * (16_000.0_f64 / 60.0).powf(random.unit());
            let t60 = 4.0 * (0.05_f64 / 4.0).powf(random.unit());
            (frequency, t60.min((4.0 * (200.0 / frequency).sqrt()).max(0.1)))
        };
        let near = |other: &Mode| (other[0] - frequency).abs() < bandwidth(t60.min(other[1]));
        if frequency > 20_000.0 || modes.iter().any(near) {
            continue;
        }
        modes.push([frequency, t60, 10f64.powf(-45.0 * random.unit() / 20.0), TAU * random.unit()]);
    }
    let strongest = modes.iter().fold(0.0_f64, |most, mode| most.max(mode[2]));
    modes.iter_mut().for_each(|mode| mode[2] /= strongest);
    modes
}

/// Its sound, in white noise of this level: root mean square in dB beside the strongest mode's amplitude.
pub fn sound(modes: &[Mode], level: f64, seed: u64) -> Vec<f64> {
    let longest = modes.iter().fold(0.0_f64, |most, mode| most.max(mode[1]));
    let length = (RATE * longest.clamp(0.3, 3.0)) as usize;
    let mut random = SplitMix64(seed ^ 0x5eed_0f15);
    let deviation = 10f64.powf(level / 20.0);
    let mut normal = || {
        let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
        radius * (TAU * random.unit()).cos()
    };
    let mut samples: Vec<f64> = (0..LEAD + length).map(|_| deviation * normal()).collect();
    for [frequency, t60, amplitude, phase] in modes {
        for (n, y) in samples[LEAD..].iter_mut().enumerate() {
            let time = n as f64 / RATE;
            *y += amplitude * 0.001f64.powf(time / t60) * (TAU * frequency * time + phase).cos();
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_one_to_sixty_modes_pairs_among_them() {
        let all: Vec<Vec<Mode>> = (0..200).map(modes).collect();
        assert!(all.iter().all(|modes| (1..=60).contains(&modes.len())));
        assert!(all.iter().any(|modes| modes.len() > 55) && all.iter().any(|modes| modes.len() < 3));
        let pairs = all.iter().flatten().count() / 10;
        let near = |modes: &Vec<Mode>| {
            let close = |i: usize, j: usize| (modes[i][0] - modes[j][0]).abs() < 4.0 * bandwidth(modes[i][1]);
            (0..modes.len()).filter(|&i| (0..modes.len()).any(|j| j != i && close(i, j))).count()
        };
        assert!(all.iter().map(near).sum::<usize>() > pairs);
    }
}
