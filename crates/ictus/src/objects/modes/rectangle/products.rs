//! Products of curvatures ([`super::super::curvature`]) of a rectangle that is supported all around.
//!
//! Its edges are free to move inwards and held along themselves: there the stress across the edge vanishes, and what the edge does not stretch along itself is not
//! stretched, so `F = 0` and `ΔF = 0`, and Airy's modes are sines too:
//!
//! ```text
//! Ψ = 2/√(ab) sin(pπx/a) sin(qπy/b),     ζ² = π²(p²/a² + q²/b²)
//! P = 8 ((m²n'² + n²m'²) S S' - 2 m n m' n' C C') / ((ab)^(3/2) (p²/a² + q²/b²))
//! S = ∫ sin mx sin m'x sin px = ½(J(m - m') - J(m + m')),   C = ∫ cos mx cos m'x sin px = ½(J(m - m') + J(m + m')),   J(s) = 2p/(p² - s²)
//! ```
//!
//! over 0 to π, 0 where m + m' + p is even; and so along y.

use super::super::curvature::Curvatures;

/// The products of a supported rectangle.
#[derive(Clone, Debug)]
pub(super) struct Products {
    sides: [f64; 2],
    /// Half waves along both sides of every mode, and of every Airy mode.
    modes: Vec<[u32; 2]>,
    airy: Vec<[u32; 2]>,
}

impl Products {
    /// Of modes with so many half waves along both sides (in m), with the lowest Airy modes.
    pub(super) fn new(sides: [f64; 2], modes: Vec<[u32; 2]>, airy_modes: usize) -> Self {
        let wave = |[p, q]: [u32; 2]| {
            let [x, y] = [f64::from(p) / sides[0], f64::from(q) / sides[1]];
            x * x + y * y
        };
        // Of the lowest K, none has more than K half waves along a side.
        let most = airy_modes as u32;
        // And below the K-th along the longer side, no more than so many along the shorter.
        let reach = wave(if sides[0] > sides[1] { [most, 1] } else { [1, most] }) * (1.0 + 1e-9);
        let mut airy: Vec<[u32; 2]> =
            (1..=most).flat_map(|p| (1..=most).map(move |q| [p, q]).take_while(|pair| wave(*pair) <= reach)).collect();
        airy.sort_by(|one, other| wave(*one).total_cmp(&wave(*other)).then(one.cmp(other)));
        airy.truncate(airy_modes);
        Self { sides, modes, airy }
    }
}

/// S and C of half waves m, m' and p; 0 where m + m' + p is even.
fn along(m: u32, other: u32, p: u32) -> [f64; 2] {
    if (m + other + p).is_multiple_of(2) {
        return [0.0; 2];
    }
    let part = |s: f64| {
        let p = f64::from(p);
        p / ((p - s) * (p + s))
    };
    let (difference, sum) = (part(f64::from(m) - f64::from(other)), part(f64::from(m) + f64::from(other)));
    [difference - sum, difference + sum]
}

impl Curvatures for Products {
    fn airy_modes(&self) -> usize {
        self.airy.len()
    }

    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.modes.len()).collect();
        order.sort_by_key(|&mode| self.modes[mode].map(|half_waves| half_waves % 2));
        order
    }

    fn product(&self, airy: usize, one: usize, other: usize) -> f64 {
        let ([p, q], [m, n], [m2, n2]) = (self.airy[airy], self.modes[one], self.modes[other]);
        let ([s, c], [s2, c2]) = (along(m, m2, p), along(n, n2, q));
        if c == 0.0 && s == 0.0 || c2 == 0.0 && s2 == 0.0 {
            return 0.0;
        }
        let [p, q, m, n, m2, n2] = [p, q, m, n, m2, n2].map(f64::from);
        let [a, b] = self.sides;
        let bent = (m * m * n2 * n2 + n * n * m2 * m2) * s * s2 - 2.0 * m * n * m2 * n2 * c * c2;
        8.0 * bent / (a * b * (a * b).sqrt() * (p * p / (a * a) + q * q / (b * b)))
    }
}
