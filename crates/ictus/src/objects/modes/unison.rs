//! A choir: strings of one note side by side, each a little out of tune with the others, that end at one pin. A bridge holds the pin, and they move it.
//!
//! ```text
//! u_i = w x/L + Σ_n q_ni sin(nπx/L)         w: the pin;   ω_ni = 2^(c_i/1200) ω_n,  those of a string whose end is held
//! Σ_i T_i/L - λ N m/3 - λ² Σ_ni (2m/n²π²)/(ω_ni² - λ) = 0,      q_ni = λ c_n w/½m(ω_ni² - λ),  c_n = -(-1)^n m/nπ
//! ```
//!
//! Stiffness is diagonal in these coordinates, the mass an arrow, so that the modes with a free pin are the roots λ of a sum, one between each two ω_ni². Held fast, the strings
//! have ω_ni again, exactly, however few modes are kept; the straight part of each is the static give of its end, so that a bridge is pulled as by the strings themselves.
//!
//! A hammer, a damper or a pickup meets the mean of the strings, and each takes an equal part of a force. What they have in common moves the bridge and dies there; what is left between
//! them hardly moves it and sounds on (Weinreich, *Coupled piano strings*, J. Acoust. Soc. Am. 62, 1977).
//!
//! What the pin gives way to a force that lasts decides the pitch of strings that are held. A step answers that by what is too large by `(ωk/2)²/sin²(ωk/2)` in a mode of ω, 1.16 at 10 kHz
//! and 48 kHz, so modes are as much heavier: C7 would be 28 cents flat.
//!
//! Rejected: a spring from the board to a place beside the end of strings that are held. It pulls as it should, but holds the board like a nail, tens of times as hard as a string does.

use std::f64::consts::{PI, TAU};

use super::root::bracketed;
use super::{Mode, Shapes, StringBody};

/// By how much strings of one tuning differ all the same: two modes of one frequency are any two.
const APART: f64 = 1e-9;

/// The modes of a choir, lowest first; ⟨φ²⟩ = 1, so that every modal mass is that of all strings.
#[derive(Clone, Debug)]
pub(crate) struct Unison {
    modes: Vec<Mode>,
    /// w of each mode.
    pin: Vec<f64>,
    /// Mean over the strings of q_n: all modes for the first n, then for the next.
    sines: Vec<f64>,
}

/// A frequency of one string whose end is held.
#[derive(Clone, Copy)]
struct Pole {
    /// ω² in 1/s².
    square: f64,
    /// n, from 1.
    number: usize,
}

impl Pole {
    fn sine(self) -> f64 {
        self.number as f64 * PI
    }
}

/// What the roots are found from.
struct Choir<'a> {
    body: &'a StringBody,
    poles: Vec<Pole>,
    strings: f64,
    /// Mass m in kg of one string.
    mass: f64,
    /// Σ T/L in N/m.
    pull: f64,
}

impl Unison {
    /// Strings that are so many cents from the one whose held modes these are, for a rate in Hz. No mode lies above a frequency in Hz.
    pub fn new(body: &StringBody, held: &[Mode], cents: &[f64], [rate, highest]: [f64; 2]) -> Self {
        let mut count = held.len();
        loop {
            let mut choir = Unison::of(body, &held[..count], cents);
            let top = choir.modes.last().map_or(0.0, |mode| mode.frequency);
            // The pin adds a mode above those of the strings.
            if top <= highest || count <= 1 {
                choir.modes.iter_mut().for_each(|mode| mode.mass *= heavier(mode.frequency, rate));
                return choir;
            }
            count -= 1;
        }
    }

    fn of(body: &StringBody, held: &[Mode], cents: &[f64]) -> Self {
        let ratio = |string: usize| libm::exp2(cents[string] / 1200.0) * (1.0 + APART * string as f64);
        let pole = |string: usize, (index, mode): (usize, &Mode)| {
            let omega = TAU * mode.frequency * ratio(string);
            Pole { square: omega * omega, number: index + 1 }
        };
        let of_string = |string: usize| held.iter().enumerate().map(move |mode| pole(string, mode));
        let mut poles: Vec<Pole> = (0..cents.len()).flat_map(of_string).collect();
        poles.sort_by(|pole, other| pole.square.total_cmp(&other.square));
        let pull = (0..cents.len()).map(|string| body.tension * ratio(string) * ratio(string) / body.length).sum();
        let (strings, mass) = (cents.len() as f64, body.linear_density * body.length);
        let choir = Choir { body, poles, strings, mass, pull };
        let roots: Vec<(f64, f64)> = (0..=choir.poles.len()).map(|root| choir.root(root)).collect();
        let mut modes = Vec::with_capacity(roots.len());
        let mut pin = Vec::with_capacity(roots.len());
        let mut sines = vec![0.0; held.len() * roots.len()];
        for (index, &(near, offset)) in roots.iter().enumerate() {
            let (mode, end) =
                choir.mode(near, offset, |number, part| sines[(number - 1) * roots.len() + index] += part);
            modes.push(mode);
            pin.push(end);
        }
        Self { modes, pin, sines }
    }

    fn add(&self, weights: &mut [f64], straight: f64, sine: impl Fn(f64) -> f64) {
        weights.iter_mut().zip(&self.pin).for_each(|(weight, pin)| *weight = straight * pin);
        for (index, parts) in self.sines.chunks_exact(self.modes.len()).enumerate() {
            let sine = sine((index + 1) as f64 * PI);
            weights.iter_mut().zip(parts).for_each(|(weight, part)| *weight += sine * part);
        }
    }
}

/// What the mass of a mode is multiplied by, so that it gives way to a force that lasts as it should: less what bodies in modes have already
/// (`objects/modal`: the fourth root of ωk/sin ωk).
fn heavier(frequency: f64, rate: f64) -> f64 {
    let half = PI * frequency / rate;
    if half < 1e-6 {
        return 1.0;
    }
    let (lasting, had) = (half / libm::sin(half), 2.0 * half / libm::sin(2.0 * half).max(2e-3 * half));
    lasting * lasting / had.sqrt().sqrt()
}

impl Choir<'_> {
    /// The part of the sum that a pole has, times the distance to it.
    fn residue(&self, pole: Pole) -> f64 {
        2.0 * self.mass / (pole.sine() * pole.sine())
    }

    /// The sum at `near + offset`, without one pole.
    fn rest(&self, near: f64, offset: f64, but: usize) -> f64 {
        let square = near + offset;
        let others = self.poles.iter().enumerate().filter(|(index, _)| *index != but);
        let sum: f64 = others.map(|(_, pole)| self.residue(*pole) / ((pole.square - near) - offset)).sum();
        self.pull - square * (self.strings * self.mass / 3.0 + square * sum)
    }

    /// The root below a pole, or above the last: the pole it is nearest to, and its distance from that, so that no digits are lost beside it.
    fn root(&self, index: usize) -> (f64, f64) {
        let poles = &self.poles;
        let (below, above) = (index.checked_sub(1), (index < poles.len()).then_some(index));
        let half = match (below, above) {
            (Some(below), Some(above)) => 0.5 * (poles[above].square - poles[below].square),
            (None, Some(above)) => poles[above].square,
            (Some(below), None) => 0.5 * poles[below].square,
            (None, None) => return (0.0, 0.0),
        };
        let sum_times_offset = |pole: usize, offset: f64| {
            let square = poles[pole].square + offset;
            offset * self.rest(poles[pole].square, offset, pole) + square * square * self.residue(poles[pole])
        };
        if let Some(above) = above {
            // The sum falls from one pole to the next: is it still above 0 half way?
            let found = bracketed(-half, 0.0, |offset| sum_times_offset(above, offset));
            if let Some(offset) = found.filter(|offset| *offset < 0.0) {
                return (poles[above].square, offset);
            }
        }
        let Some(below) = below else { return (poles[0].square, -0.5 * half) };
        let mut most = half;
        if above.is_none() {
            for _ in 0..60 {
                if sum_times_offset(below, most) < 0.0 {
                    break;
                }
                most *= 2.0;
            }
        }
        let found = bracketed(0.0, most, |offset| sum_times_offset(below, offset));
        (poles[below].square, found.filter(|offset| *offset > 0.0).unwrap_or(0.5 * half))
    }

    /// The mode of a root, w, and what it has of each sine, by its number: a part of the mean.
    fn mode(&self, near: f64, offset: f64, mut sine: impl FnMut(usize, f64)) -> (Mode, f64) {
        let square = near + offset;
        let part = |pole: &Pole| {
            let sign = if pole.number % 2 == 1 { 1.0 } else { -1.0 };
            let coupling = sign * self.mass / pole.sine();
            (2.0 * square * coupling / (self.mass * ((pole.square - near) - offset)), coupling)
        };
        let mut mass = self.strings * self.mass / 3.0;
        let mut slopes = self.strings;
        for pole in &self.poles {
            let (amplitude, coupling) = part(pole);
            mass += amplitude * (0.5 * self.mass * amplitude + 2.0 * coupling);
            slopes += 0.5 * pole.sine() * pole.sine() * amplitude * amplitude;
        }
        let all = self.strings * self.mass;
        let pin = (all / mass).sqrt();
        for pole in &self.poles {
            sine(pole.number, pin * part(pole).0 / self.strings);
        }
        let length = self.body.length;
        let slope = slopes * pin * pin / (self.strings * length * length);
        (Mode { frequency: square.max(0.0).sqrt() / TAU, mass: all, slope }, pin)
    }
}

impl Shapes for Unison {
    fn modes(&self) -> &[Mode] {
        &self.modes
    }

    fn at(&self, [x, _]: [f64; 2], weights: &mut [f64]) {
        // At the pin the sines are 0, not what rounding leaves.
        self.add(weights, x, |wave_number| if x == 1.0 { 0.0 } else { libm::sin(wave_number * x) });
    }

    fn mean(&self, weights: &mut [f64]) {
        self.add(weights, 0.5, |wave_number| (1.0 - libm::cos(wave_number)) / wave_number);
    }
}

#[cfg(test)]
mod tests {
    use super::super::StringModes;
    use super::*;
    use crate::objects::End;

    /// A middle C of steel, 262 Hz.
    const STRING: StringBody = StringBody {
        length: 0.62,
        linear_density: 6.165e-3,
        tension: 649.0,
        bending_stiffness: 9.8e-3,
        ends: [End::SimplySupported; 2],
    };

    /// A rate at which steps are as good as none, and no upper end.
    const FINE: [f64; 2] = [1e9, 20e3];

    fn held() -> Vec<Mode> {
        StringModes::new(&STRING, 6000.0, 4000).unwrap().modes().to_vec()
    }

    /// How far the pin goes by a newton at a frequency in Hz, in m.
    fn give(choir: &Unison, frequency: f64) -> f64 {
        let of = |(mode, pin): (&Mode, &f64)| {
            pin * pin / (mode.mass * TAU * TAU * (mode.frequency * mode.frequency - frequency * frequency))
        };
        choir.modes.iter().zip(&choir.pin).map(of).sum()
    }

    #[test]
    fn a_pin_that_is_held_leaves_every_string_its_own_frequencies() {
        let cents = [-0.8, 0.1, 0.9];
        let (held, choir) = (held(), Unison::new(&STRING, &held(), &cents, FINE));
        assert_eq!(choir.modes.len(), 3 * held.len() + 1);
        let usual = give(&choir, 0.7 * held[0].frequency).abs();
        for mode in &held {
            for cents in cents {
                let frequency = mode.frequency * libm::exp2(cents / 1200.0);
                assert!(give(&choir, frequency).abs() < 1e-3 * usual, "{frequency} Hz, {cents} cents");
            }
        }
    }

    #[test]
    fn the_pin_gives_way_to_a_force_that_lasts_as_the_ends_of_all_strings_do() {
        let choir = Unison::new(&STRING, &held(), &[0.0, 0.0, 0.0], FINE);
        let expected = STRING.length / (3.0 * STRING.tension);
        assert!((give(&choir, 0.0) / expected - 1.0).abs() < 1e-6, "{}", give(&choir, 0.0) / expected);
    }

    #[test]
    fn one_string_with_a_free_pin_has_odd_quarters_of_a_wave() {
        let limp = StringBody { bending_stiffness: 0.0, ..STRING };
        let held = StringModes::new(&limp, 12e3, 4000).unwrap().modes().to_vec();
        let choir = Unison::new(&limp, &held, &[0.0], FINE);
        let quarter = (limp.tension / limp.linear_density).sqrt() / (4.0 * limp.length);
        for (index, mode) in choir.modes.iter().take(6).enumerate() {
            let expected = (2 * index + 1) as f64 * quarter;
            assert!((mode.frequency / expected - 1.0).abs() < 1e-4, "{} Hz, not {expected}", mode.frequency);
            // √2 sin: a free end moves √2 times as far as the mean square.
            assert!((choir.pin[index].abs() - 2f64.sqrt()).abs() < 1e-3, "{}", choir.pin[index]);
        }
    }

    #[test]
    fn modes_of_a_choir_do_not_feel_each_other() {
        let choir = Unison::new(&STRING, &held()[..6], &[-1.0, 1.5], FINE);
        // Points all along, and the mean of two strings: modes that are alike in it cancel out of no sum but that of what they share.
        let mut sums = vec![0.0; choir.modes.len()];
        for point in 0..=2000 {
            let mut weights = vec![0.0; choir.modes.len()];
            choir.at([point as f64 / 2000.0, 0.0], &mut weights);
            sums.iter_mut().zip(&weights).for_each(|(sum, weight)| *sum += weight / 2000.0);
        }
        let mut means = vec![0.0; choir.modes.len()];
        choir.mean(&mut means);
        for (sum, mean) in sums.iter().zip(&means) {
            assert!((sum - mean).abs() < 2e-3, "{sum} and {mean}");
        }
        // Moved as a whole, all modes together are one: Σ m ⟨φ⟩² is what a load that is alike everywhere has to move, less what the cut leaves out.
        let whole: f64 = means.iter().map(|mean| mean * mean).sum();
        assert!((0.94..=1.0 + 1e-9).contains(&whole), "{whole}");
    }
}
