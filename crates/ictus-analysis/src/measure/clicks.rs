//! Clicks: jumps of one sample that no vibrating body makes.
//!
//! The third difference of a jump is many times that of the sound around it. A stroke jumps too, but rings on: after it the third differences stay
//! larger than before. A click leaves them as they were.

/// A jump this many times the middle third difference around it is none of the sound: for noise that is more than ten standard deviations.
const STEEP: f64 = 24.0;

/// Samples on either side that are compared.
const AROUND: usize = 96;

/// Samples on either side of a jump that belong to it.
const NEAR: usize = 4;

/// How many times larger the middle third difference may be after a click than before.
const RINGS_ON: f64 = 3.0;

/// Smallest jump, in parts of the peak: -70 dB.
const SMALLEST: f64 = 3e-4;

/// Most clicks that are told of.
const MOST: usize = 1000;

/// An isolated jump.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Click {
    /// When, in s.
    pub time: f64,
    /// In which channel, from 0.
    pub channel: usize,
    /// How far it jumps; 1 is full scale.
    pub size: f64,
}

pub(super) fn of(channels: &[&[f64]], rate: f64) -> Vec<Click> {
    let peak = channels.iter().flat_map(|channel| channel.iter()).fold(0.0_f64, |most, x| most.max(x.abs()));
    let mut clicks = Vec::new();
    for (number, channel) in channels.iter().enumerate() {
        let click = |place: usize, size: f64| Click { time: place as f64 / rate, channel: number, size };
        clicks.extend(jumps(channel, SMALLEST * peak).into_iter().map(|(place, size)| click(place, size)));
        // A sound that is cut off ends with a jump.
        let last = channel.last().copied().unwrap_or(0.0).abs();
        if last > cut(channel).max(SMALLEST * peak) {
            clicks.push(click(channel.len(), last));
        }
    }
    clicks.sort_by(|a, b| a.time.total_cmp(&b.time));
    clicks.truncate(MOST);
    clicks
}

/// The largest last sample that is none of a sound that is cut off: no more than its last steps.
fn cut(channel: &[f64]) -> f64 {
    let tail = &channel[channel.len().saturating_sub(2 * NEAR)..];
    let steps: f64 = tail.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    1.5 * steps
}

fn jumps(samples: &[f64], least: f64) -> Vec<(usize, f64)> {
    let third: Vec<f64> = samples.windows(4).map(|w| (w[3] - 3.0 * w[2] + 3.0 * w[1] - w[0]).abs()).collect();
    let mut found: Vec<(usize, f64)> = Vec::new();
    let mut sorted = Vec::new();
    let mut middle = |range: std::ops::Range<usize>| {
        sorted.clear();
        sorted.extend_from_slice(&third[range]);
        let half = sorted.len() / 2;
        if sorted.is_empty() { 0.0 } else { *sorted.select_nth_unstable_by(half, f64::total_cmp).1 }
    };
    let mut place = 0;
    while place < third.len() {
        let height = third[place];
        // A jump of one makes third differences of 1, 2 and 1; a sample that is alone 1, 3, 3 and 1.
        if height <= 2.0 * least
            || third[place.saturating_sub(NEAR)..(place + NEAR + 1).min(third.len())]
                .iter()
                .any(|&other| other > height)
        {
            place += 1;
            continue;
        }
        let before = middle(place.saturating_sub(AROUND)..place.saturating_sub(NEAR));
        let after = middle((place + NEAR + 1).min(third.len())..(place + AROUND + 1).min(third.len()));
        if height > STEEP * before.max(after) && after <= RINGS_ON * before.max(0.1 * least) && place > NEAR {
            found.push((place + 2, 0.5 * height));
            place += NEAR;
        }
        place += 1;
        if found.len() >= MOST {
            break;
        }
    }
    found
}
