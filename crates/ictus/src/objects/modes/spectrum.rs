//! The modes of a string or bar: none missed, none twice.
//!
//! With the two conditions X of the left and Y of the right end as rows, modes are where the 4 × 4 determinant Δ(X, Y) of the four
//! solutions ([`super::waves`]) vanishes. How many lie below a frequency is known without finding one (Wittrick and Williams,
//! *Q. J. Mech. Appl. Math.* 24 (1971) 263): between two supports as many as there are wave numbers nπ below p, and nπ, n from 0, below q'
//! where the second wave travels. To let go of one motion of an end, against which the rest is a spring of dynamic stiffness
//! `k = force/motion`, adds a mode if k < 0; to hold it takes one away:
//!
//! ```text
//! to clamp a supported end   count - [k < 0],   k = moment/rotation  =  Δ(X, supported)/Δ(X, clamped)
//! to free it                 count + [k < 0],   k = force/deflection = -Δ(X, free)/Δ(X, supported)
//! ```
//!
//! The count separates the modes, and Δ, which is smooth, gives each to rounding. Rejected: stepping along Δ and looking for changes of
//! sign, which misses pairs where both waves travel.

use std::f64::consts::PI;

use super::root::bracketed;
use super::waves::{Basis, Law, Squares, Waves};
use crate::objects::End;

/// Below this wave number (in 1/L) nothing swings but [`Spectrum::turning`].
const LEAST: f64 = 0.05;

/// Below this tension τ the turning of a line with a free end is known to rounding from its series, which Δ is not.
const SLACK: f64 = 1e-5;

/// The modes of one law and pair of ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spectrum {
    law: Law,
    ends: [End; 2],
}

/// One mode that swings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swing {
    pub waves: Waves,
    pub squares: Squares,
    /// As [`Basis::drawn`] has them, on the scale of `squares`.
    pub amplitudes: [f64; 4],
}

impl Spectrum {
    pub fn new(law: Law, ends: [End; 2]) -> Self {
        Self { law, ends }
    }

    pub fn law(&self) -> Law {
        self.law
    }

    pub fn ends(&self) -> [End; 2] {
        self.ends
    }

    /// Modes of frequency 0.
    pub fn rigid(&self) -> usize {
        let stretched = matches!(self.law, Law::Stretched { tension } if tension > 0.0);
        match (self.ends, stretched) {
            ([End::Free, End::Free], true) => 1,
            ([End::Free, End::Free], false) => 2,
            ([End::SimplySupported, End::Free] | [End::Free, End::SimplySupported], false) => 1,
            _ => 0,
        }
    }

    /// Wave number of turning as a whole where only a very small tension resists: `b² = 12τ(1 - τ/210)`, about a support `3τ(1 - 2τ/105)`.
    fn turning(&self) -> Option<f64> {
        let Law::Stretched { tension } = self.law else { return None };
        if !(tension > 0.0 && tension < SLACK) {
            return None;
        }
        let square = match self.ends {
            [End::Free, End::Free] => 12.0 * tension * (1.0 - tension / 210.0),
            [End::SimplySupported, End::Free] | [End::Free, End::SimplySupported] => {
                3.0 * tension * (1.0 - tension * 2.0 / 105.0)
            }
            _ => return None,
        };
        Some(self.law.wave_number(square.sqrt()))
    }

    /// Modes whose wave number is below p, those of frequency 0 included.
    pub fn count(&self, wave_number: f64) -> usize {
        if wave_number < 1.0
            && let Some(turning) = self.turning()
        {
            return self.rigid() + usize::from(turning < wave_number);
        }
        if wave_number < LEAST {
            return self.rigid();
        }
        let waves = self.law.waves(wave_number);
        // Up to a number that nobody reaches and whose double does not overflow.
        let half_waves = |wave_number: f64| (wave_number / PI).min(1e9) as usize;
        let mut count = half_waves(wave_number);
        if waves.decay_squared < 0.0 {
            count += half_waves((-waves.decay_squared).sqrt()) + 1;
        }
        let values = Basis::new(waves).end();
        let [left, right] = self.ends.map(|end| values.conditions(end));
        // Signs of Δ with two supports, then with the left end as it is, then with both. The first is taken from the count itself: near
        // its zero, which strings share, a rounding must not change the one without the other.
        let supports = count % 2 == 1;
        let one = if self.ends[0] == End::SimplySupported {
            supports
        } else {
            determinant(left, values.conditions(End::SimplySupported)) < 0.0
        };
        let both = if self.ends[1] == End::SimplySupported { one } else { determinant(left, right) < 0.0 };
        changed(changed(count, self.ends[0], supports, one), self.ends[1], one, both)
    }

    /// The mode of a number, counted from 0 with those of frequency 0, between two wave numbers that have it between them.
    fn between(&self, number: usize, mut low: f64, mut high: f64) -> f64 {
        if number == self.rigid()
            && let Some(turning) = self.turning()
        {
            return turning;
        }
        low = low.max(LEAST);
        let closed = self.ends == [End::SimplySupported; 2];
        let root = (number + 1) as f64 * PI;
        if closed && self.law.waves(root).decay_squared > 0.0 {
            return root;
        }
        let (mut below, mut above) = (self.count(low), self.count(high));
        while above > below + 1 && high - low > 4.0 * f64::EPSILON * high {
            let middle = 0.5 * (low + high);
            let count = self.count(middle);
            if count > number {
                (high, above) = (middle, count);
            } else {
                (low, below) = (middle, count);
            }
        }
        bracketed(low, high, |p| self.determinant(p)).unwrap_or_else(|| {
            // A mode within a rounding of a bound: the count alone finds it.
            while high - low > 4.0 * f64::EPSILON * high {
                let middle = 0.5 * (low + high);
                if self.count(middle) > number { high = middle } else { low = middle }
            }
            high
        })
    }

    fn determinant(&self, wave_number: f64) -> f64 {
        let values = Basis::new(self.law.waves(wave_number)).end();
        determinant(values.conditions(self.ends[0]), values.conditions(self.ends[1]))
    }

    /// The modes that swing below a wave number, lowest first, each by its own.
    pub fn wave_numbers(&self, highest: f64) -> impl Iterator<Item = f64> {
        let spectrum = *self;
        let (mut low, mut high, mut reached) = (0.0, 0.0, self.rigid());
        let total = self.count(highest);
        (self.rigid()..total).map(move |number| {
            while reached <= number && high < highest {
                // Not at multiples of π, where lines on supports have their modes.
                low = high;
                high = (high + if high > 0.0 { PI } else { 0.3 * PI }).min(highest);
                reached = spectrum.count(high);
            }
            spectrum.between(number, low, high)
        })
    }

    /// Wave number of the lowest mode that swings.
    pub fn lowest(&self) -> f64 {
        let number = self.rigid();
        let mut high = 0.3 * PI;
        while self.count(high) <= number && high < 1e3 {
            high += PI;
        }
        self.between(number, high - PI, high)
    }

    /// Wave number of a mode, counted from 0 with those of frequency 0; `LEAST` for the latter.
    pub fn nth(&self, number: usize) -> f64 {
        if number < self.rigid() {
            return LEAST;
        }
        // Two ends move a mode by two places at most from where it is between supports, the second wave only down.
        self.between(number, LEAST, (number as f64 + 3.3) * PI)
    }

    /// The mode at one of the wave numbers. Its sign: a free left end is up, a supported one turns up, a clamped one bends up.
    pub fn swing(&self, wave_number: f64) -> Swing {
        let waves = self.law.waves(wave_number);
        let basis = Basis::new(waves);
        let values = basis.end();
        let [left, right] = self.ends.map(|end| values.conditions(end));
        let [x, y] = [mirrored(left), right];
        let amplitudes = null_vector([x[0], x[1], y[0], y[1]]);
        let seen = match self.ends[0] {
            End::Free => values.deflection,
            End::Clamped => values.moment,
            End::SimplySupported => values.rotation.map(|value| -value),
        };
        let seen = mirrored([seen; 2])[0];
        let sign: f64 = seen.iter().zip(&amplitudes).map(|(value, amplitude)| value * amplitude).sum();
        let amplitudes = amplitudes.map(|amplitude| if sign < 0.0 { -amplitude } else { amplitude });
        Swing { waves, squares: basis.squares(amplitudes), amplitudes: basis.drawn(amplitudes) }
    }
}

/// The count with a supported end clamped or freed, from the signs of Δ before and after.
fn changed(count: usize, end: End, before: bool, after: bool) -> usize {
    match end {
        End::SimplySupported => count,
        End::Clamped => count.saturating_sub(usize::from(before != after)),
        End::Free => count + usize::from(before == after),
    }
}

/// Conditions at y = ½ as they are at y = -½: what is odd (sin and o) changes sign.
fn mirrored(conditions: [[f64; 4]; 2]) -> [[f64; 4]; 2] {
    conditions.map(|[cos, even, sin, odd]| [cos, even, -sin, -odd])
}

/// Δ of the conditions of the left and the right end, both as they are at y = ½.
fn determinant(left: [[f64; 4]; 2], right: [[f64; 4]; 2]) -> f64 {
    let [a, b] = mirrored(left);
    let [c, d] = right;
    let upper = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
    let lower = |i: usize, j: usize| c[i] * d[j] - c[j] * d[i];
    upper(0, 1) * lower(2, 3) - upper(0, 2) * lower(1, 3) + upper(0, 3) * lower(1, 2) + upper(1, 2) * lower(0, 3)
        - upper(1, 3) * lower(0, 2)
        + upper(2, 3) * lower(0, 1)
}

/// What a matrix of rank 3 takes to 0, by elimination with full pivoting.
fn null_vector(mut rows: [[f64; 4]; 4]) -> [f64; 4] {
    let mut order = [0, 1, 2, 3];
    for step in 0..3 {
        let (mut row, mut column) = (step, step);
        for i in step..4 {
            for j in step..4 {
                if rows[i][order[j]].abs() > rows[row][order[column]].abs() {
                    (row, column) = (i, j);
                }
            }
        }
        rows.swap(step, row);
        order.swap(step, column);
        let pivot = rows[step];
        for later in rows.iter_mut().skip(step + 1) {
            let part = later[order[step]] / pivot[order[step]];
            if part.is_finite() {
                later.iter_mut().zip(pivot).for_each(|(value, above)| *value -= part * above);
            }
        }
    }
    let mut vector = [0.0; 4];
    vector[order[3]] = 1.0;
    for step in (0..3).rev() {
        let known: f64 = (step + 1..4).map(|later| rows[step][order[later]] * vector[order[later]]).sum();
        let value = -known / rows[step][order[step]];
        vector[order[step]] = if value.is_finite() { value } else { 0.0 };
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;
    use End::{Clamped, Free, SimplySupported};

    #[test]
    fn a_limit_within_a_rounding_of_a_mode_moves_no_mode() {
        let laws = [Law::THIN, Law::Stretched { tension: 1e12 }, Law::Thick { rotary: 0.0075, shear: 0.02 }];
        for law in laws {
            for ends in
                [[Clamped, Clamped], [Free, Free], [Clamped, Free], [SimplySupported, Free], [Free, SimplySupported]]
            {
                let spectrum = Spectrum::new(law, ends);
                let exact: Vec<f64> = spectrum.wave_numbers(40.0).collect();
                for (number, root) in exact.iter().enumerate() {
                    for off in -4..=4 {
                        let limit = root * (1.0 + f64::from(off) * f64::EPSILON);
                        let found: Vec<f64> = spectrum.wave_numbers(limit).collect();
                        assert!(found.len() == number || found.len() == number + 1, "{law:?} {ends:?} {root}");
                        let error = |(one, other): (&f64, &f64)| (one - other).abs() / other;
                        assert!(found.iter().zip(&exact).all(|pair| error(pair) < 1e-13), "{law:?} {ends:?} {root}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_null_vector_is_taken_to_zero_whatever_the_order_of_rows() {
        let rows = [[1.0, 2.0, 3.0, 4.0], [0.0, 1e-9, 0.0, 2e-9], [5.0, 0.0, 1e6, 1.0]];
        let last = [0, 1, 2, 3].map(|k| rows[0][k] - 3.0 * rows[2][k]);
        for matrix in [[rows[0], rows[1], rows[2], last], [last, rows[2], rows[0], rows[1]]] {
            let vector = null_vector(matrix);
            let size = vector.iter().map(|value: &f64| value.abs()).fold(0.0, f64::max);
            for row in matrix {
                let sum: f64 = row.iter().zip(&vector).map(|(entry, value)| entry * value).sum();
                let scale = row.iter().map(|entry: &f64| entry.abs()).fold(0.0, f64::max) * size;
                assert!(sum.abs() < 1e-15 * scale, "{vector:?}");
            }
        }
        assert!(null_vector([[f64::NAN; 4]; 4]).iter().all(|value| value.is_finite()));
        assert!(null_vector([[0.0; 4]; 4]).iter().all(|value| value.is_finite()));
    }
}
