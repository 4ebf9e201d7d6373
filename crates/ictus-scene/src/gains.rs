//! The gains of a pickup in its channels, as one gain and a direction: what `gain` is, in a text and live.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_4;

/// Gains of left and right that a pan from -1 to 1 makes of a gain of 1: of equal power, the sum of their squares is 1.
pub(crate) fn directions_of(pan: f64) -> [f64; 2] {
    let angle = (pan + 1.0) * FRAC_PI_4;
    [libm::cos(angle), libm::sin(angle)]
}

/// The gain of pickups, and their gains in the channels for a gain of 1, where these cannot be told from the gains in the channels: of one that is
/// silent, of one in a scene that is used with a gain of its own, of one that has a stem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard(BTreeMap<usize, (f64, Vec<f64>)>);

impl Heard {
    /// Notes it of a pickup.
    pub(crate) fn note(&mut self, pickup: usize, gain: f64, direction: Vec<f64>) {
        self.0.insert(pickup, (gain, direction));
    }

    /// Those of a pickup with these gains in the channels.
    pub(crate) fn of(&self, pickup: usize, gains: &[f64]) -> (f64, Vec<f64>) {
        self.0.get(&pickup).cloned().unwrap_or_else(|| gain_and_direction(gains))
    }
}

/// The gain of a pickup, and its gains in the channels for a gain of 1. One that has neither pan nor channel has the root of the sum of the
/// squares of its gains; one that is silent is in the middle.
fn gain_and_direction(gains: &[f64]) -> (f64, Vec<f64>) {
    let mut direction = vec![0.0; gains.len()];
    let gain = match alone(gains) {
        _ if gains.iter().all(|gain| *gain == 0.0) => {
            match &mut direction[..] {
                [only] => *only = 1.0,
                [left, right, ..] => [*left, *right] = directions_of(0.0),
                [] => {}
            }
            0.0
        }
        Some((channel, gain)) => {
            direction[channel] = 1.0;
            gain
        }
        None => match panned(gains) {
            Some([gain, pan]) => {
                direction[..2].copy_from_slice(&directions_of(pan));
                gain
            }
            None => {
                let gain = gains.iter().map(|gain| gain * gain).sum::<f64>().sqrt();
                direction.iter_mut().zip(gains).for_each(|(direction, built)| *direction = built / gain);
                gain
            }
        },
    };
    (gain, direction)
}

fn is_zero(gain: f64) -> bool {
    gain.to_bits() == 0
}

/// The only channel that is heard, and its gain.
pub(crate) fn alone(gains: &[f64]) -> Option<(usize, f64)> {
    let mut heard = gains.iter().copied().enumerate().filter(|(_, gain)| !is_zero(*gain));
    if let (Some(first), None) = (heard.next(), heard.next()) { Some(first) } else { None }
}

/// The gain and the pan, as round as can be, that give these gains to the bit; none if others than left and right are heard.
pub(crate) fn panned(gains: &[f64]) -> Option<[f64; 2]> {
    let &[left, right, ref others @ ..] = gains else { return None };
    if !others.iter().all(|gain| is_zero(*gain)) {
        return None;
    }
    let sign = if left < 0.0 || right < 0.0 { -1.0 } else { 1.0 };
    let gain = sign * libm::hypot(left, right);
    let pan = libm::atan2(sign * right, sign * left) / FRAC_PI_4 - 1.0;
    let gives = |gain: f64, pan: f64| {
        let [to_left, to_right] = directions_of(pan);
        (gain * to_left).to_bits() == left.to_bits() && (gain * to_right).to_bits() == right.to_bits()
    };
    let decibels = libm::pow(10.0, (2000.0 * libm::log10(gain.abs())).round() / 2000.0);
    let round = |value: f64, digits: usize| format!("{value:.digits$e}").parse().unwrap_or(value);
    let near = |value: f64| [value, value.next_up(), value.next_down()];
    let gains: Vec<f64> = (0..7).map(|digits| round(gain, digits)).chain([sign * decibels]).chain(near(gain)).collect();
    // A pan of 0 is worked out as something of 1e-16.
    let rounded = (0..7).map(|decimals| {
        let scale = libm::pow(10.0, f64::from(decimals));
        (scale * pan).round() / scale + 0.0
    });
    let pans = rounded.chain(near(pan)).filter(|pan| (-1.0..=1.0).contains(pan));
    let pairs = pans.flat_map(|pan| gains.iter().map(move |gain| [*gain, pan]));
    pairs.into_iter().find(|[gain, pan]| gives(*gain, *pan))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_times_its_direction_is_what_it_was_made_of() {
        let panned: Vec<Vec<f64>> = [(0.5, -0.6), (30.0, 0.7), (-2.0, 0.1), (1.0, 0.0)]
            .iter()
            .map(|(gain, pan)| directions_of(*pan).map(|direction| gain * direction).to_vec())
            .collect();
        for (gains, expected) in panned.iter().zip([0.5, 30.0, -2.0, 1.0]) {
            let (gain, direction) = gain_and_direction(gains);
            assert_eq!(gain, expected);
            assert!(gains.iter().zip(&direction).all(|(built, direction)| *built == gain * direction), "{gains:?}");
        }
        assert_eq!(gain_and_direction(&[-0.25]), (-0.25, vec![1.0]));
        assert_eq!(gain_and_direction(&[0.0, 3.0, 0.0]), (3.0, vec![0.0, 1.0, 0.0]));
        assert_eq!(gain_and_direction(&[3.0, 0.0, 4.0]), (5.0, vec![0.6, 0.0, 0.8]));
        let (gain, direction) = gain_and_direction(&[0.0, 0.0]);
        assert!(gain == 0.0 && direction == directions_of(0.0));
    }
}
