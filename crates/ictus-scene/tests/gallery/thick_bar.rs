//! The partials of a bar that shears and whose sections turn (Timoshenko), by shooting: apart from the library, which solves a frequency equation.
//!
//! In lengths of the bar, with `b = ω L² √(ρA/EI)`, `r² = I/AL²`, `s² = EI/κGAL²`:
//!
//! ```text
//! u' = ψ + s² Q,   ψ' = M,   M' = -Q - b² r² ψ,   Q' = -b² u
//! clamped u = ψ = 0,   supported u = M = 0,   free M = Q = 0
//! ```
//!
//! Two solutions that hold at one end are carried to the other by Runge and Kutta's method and kept orthonormal on the way, so that the one that grows
//! does not swallow the other (Godunov; Conte, *SIAM Review* 8 (1966) 309). Where a mix of them holds at the other end too, b is that of a mode.
//! Source of the equations: Timoshenko, *Philosophical Magazine* 41 (1921) 744.

use std::f64::consts::PI;

use ictus::objects::End;

/// Steps along the bar. The tenth mode of a thin bar comes out to 1e-6.
const STEPS: usize = 600;

type State = [f64; 4];

/// A thick bar of any size.
pub struct ThickBar {
    /// r² = I/AL².
    pub rotary: f64,
    /// s² = EI/κGAL².
    pub shear: f64,
    /// How its two ends are held; not both free.
    pub ends: [End; 2],
}

impl ThickBar {
    /// b of the lowest modes.
    pub fn modes(&self, count: usize) -> Vec<f64> {
        // Modes are about π apart in √b.
        let (step, mut modes) = (0.1, Vec::new());
        let mut low = 0.5_f64;
        let mut at_low = self.mismatch(low * low);
        while modes.len() < count {
            let high = low + step;
            let at_high = self.mismatch(high * high);
            if (at_low > 0.0) != (at_high > 0.0) {
                modes.push(self.bisected(low, high, at_low > 0.0));
            }
            (low, at_low) = (high, at_high);
        }
        modes
    }

    /// b of the mode between two values of √b.
    fn bisected(&self, mut low: f64, mut high: f64, positive_below: bool) -> f64 {
        for _ in 0..45 {
            let middle = 0.5 * (low + high);
            if (self.mismatch(middle * middle) > 0.0) == positive_below {
                low = middle;
            } else {
                high = middle;
            }
        }
        low * high
    }

    /// 0 where a solution holds at both ends.
    fn mismatch(&self, b: f64) -> f64 {
        let step = 1.0 / STEPS as f64;
        let mut pair = match self.ends[0] {
            End::Clamped => [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
            End::SimplySupported => [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
            End::Free => [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
        };
        for _ in 0..STEPS {
            pair = orthonormal(pair.map(|state| self.carried(state, b, step)));
        }
        let [one, other] = match self.ends[1] {
            End::Clamped => [0, 1],
            End::SimplySupported => [0, 2],
            End::Free => [2, 3],
        };
        pair[0][one] * pair[1][other] - pair[0][other] * pair[1][one]
    }

    fn slope(&self, [u, turn, moment, force]: State, b: f64) -> State {
        // Moment and force are in units of b, so that no number is far larger than the others.
        [turn + self.shear * b * force, b * moment, -force - b * self.rotary * turn, -b * u]
    }

    fn carried(&self, state: State, b: f64, step: f64) -> State {
        let first = self.slope(state, b);
        let second = self.slope(sum(state, first, 0.5 * step), b);
        let third = self.slope(sum(state, second, 0.5 * step), b);
        let fourth = self.slope(sum(state, third, step), b);
        let mean = std::array::from_fn(|i| (first[i] + 2.0 * (second[i] + third[i]) + fourth[i]) / 6.0);
        sum(state, mean, step)
    }
}

fn sum(state: State, slope: State, step: f64) -> State {
    std::array::from_fn(|i| state[i] + step * slope[i])
}

/// The same plane, spanned by two states at right angles, turned the same way.
fn orthonormal([first, second]: [State; 2]) -> [State; 2] {
    let product = |a: State, b: State| (0..4).map(|i| a[i] * b[i]).sum::<f64>();
    let unit = |state: State| state.map(|value| value / product(state, state).sqrt());
    let first = unit(first);
    [first, unit(sum(second, first, -product(first, second)))]
}

#[test]
fn a_bar_too_thin_to_shear_has_the_roots_of_the_textbook() {
    use End::{Clamped, Free, SimplySupported};
    let bars: [([End; 2], [f64; 3]); 3] = [
        ([Clamped, Free], [1.875_104, 4.694_091, 7.854_757]),
        ([Clamped, Clamped], [4.730_041, 7.853_205, 10.995_608]),
        ([SimplySupported, SimplySupported], [PI, 2.0 * PI, 3.0 * PI]),
    ];
    for (ends, roots) in bars {
        let bar = ThickBar { rotary: 0.0, shear: 0.0, ends };
        for (b, root) in bar.modes(3).iter().zip(roots) {
            assert!((b.sqrt() / root - 1.0).abs() < 1e-6, "{ends:?}: {}, not {root}", b.sqrt());
        }
    }
}

#[test]
fn a_thick_supported_bar_has_the_frequencies_of_its_sines() {
    // With u = sin pπx the equations leave r²s² b⁴ - (1 + (r² + s²) n²) b² + n⁴ = 0, n = pπ.
    let bar = ThickBar { rotary: 4e-4, shear: 1.2e-3, ends: [End::SimplySupported; 2] };
    for (p, b) in bar.modes(6).into_iter().enumerate() {
        let n2 = ((p + 1) as f64 * PI).powi(2);
        let (a, c) = (bar.rotary * bar.shear, 1.0 + (bar.rotary + bar.shear) * n2);
        let exact = ((c - (c * c - 4.0 * a * n2 * n2).sqrt()) / (2.0 * a)).sqrt();
        assert!((b / exact - 1.0).abs() < 1e-6, "mode {}: {b}, not {exact}", p + 1);
    }
}
