//! The two waves that a string or bar carries at one frequency, and what they do at its ends.
//!
//! Lengths are in units of L, y = x/L - ½ runs from -½ to ½, and b = ωL²√(ρA/EI). For all laws the deflection W, the rotation Ψ of the
//! section, the bending moment Ψ' and the force H across the section are
//!
//! ```text
//! W = A cos py + B sin py + C e(y) + D Q o(y)/(1 + q),     e = cosh(qy)/cosh(q/2),   o = e'/Q,   Q = q²,   P = p²
//! Ψ' = N W with N of either wave,     H' = -W  (in units of ρAω²)
//!
//! tension and bending   W'''' - τW'' = b²W         b² = PQ,  Q = P + τ,   N = -P and Q           τ = TL²/EI, 0 for a thin bar
//! Timoshenko            W'' - Ψ' = -b²s²W,   s²Ψ'' + W' - Ψ = -b²r²s²Ψ     r² = I/AL² (rotary inertia), s² = EI/κGAL² (shear)
//!                       b² = 2P²/(X + √(X² - 4r²s²P²)),  X = 1 + P(r² + s²)
//!                       PQ = b²(1 - b²r²s²),  N = -(P - b²s²) and b²/(P - b²s²)
//! ```
//!
//! Source: Huang, *J. Appl. Mech.* 28 (1961) 579, for the Timoshenko bar, here without its case distinctions. Above the cut-off
//! `b r s = 1` Q is negative: e = cos(q'y), o = sin(q'y)/q', q'² = -Q. All of this is smooth through Q = 0, where the fourth solution is
//! W = 0 with Ψ the same everywhere: sections shear in step.
//!
//! **Stable.** e and o are at most 1 and are made of exponentials that decay from each end. Rejected: the textbook's cosh and sinh, which
//! cancel from mode 10 on and overflow at mode 226; and one characteristic equation for each pair of ends, 18 in all.

use crate::objects::End;

/// What makes the line stiff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Law {
    /// Bending, and a tension τ = TL²/EI, 0 or more.
    Stretched { tension: f64 },
    /// Bending with rotary inertia r² and shear s².
    Thick { rotary: f64, shear: f64 },
}

/// The two waves of one frequency.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waves {
    /// b, the angular frequency in units of √(EI/ρA)/L².
    pub frequency: f64,
    /// p in 1/L, above 0.
    pub wave_number: f64,
    /// Q in 1/L²: above 0 the second wave decays from the ends, below 0 it travels too.
    pub decay_squared: f64,
    /// N of either wave in 1/L².
    bending: [f64; 2],
}

impl Law {
    /// A thin bar.
    pub const THIN: Self = Self::Stretched { tension: 0.0 };

    /// The waves of wave number p.
    pub fn waves(self, wave_number: f64) -> Waves {
        let square = wave_number * wave_number;
        match self {
            Self::Stretched { tension } => {
                let other = square + tension;
                let frequency = wave_number * other.sqrt();
                Waves { frequency, wave_number, decay_squared: other, bending: [-square, other] }
            }
            Self::Thick { rotary, shear } => {
                let (sum, difference) = (rotary + shear, rotary - shear);
                let discriminant = 1.0 + 2.0 * square * sum + (square * difference) * (square * difference);
                let frequency_squared = 2.0 * square * square / (1.0 + square * sum + discriminant.sqrt());
                let spread = frequency_squared * difference;
                let root = (spread * spread + 4.0 * frequency_squared).sqrt();
                // P - b²s², in the form that does not cancel.
                let stiff =
                    if spread >= 0.0 { 0.5 * (root + spread) } else { 2.0 * frequency_squared / (root - spread) };
                let decay_squared = frequency_squared * (1.0 - frequency_squared * rotary * shear) / square;
                let bending = [-stiff, frequency_squared / stiff];
                Waves { frequency: frequency_squared.sqrt(), wave_number, decay_squared, bending }
            }
        }
    }

    /// p of the frequency b.
    pub fn wave_number(self, frequency: f64) -> f64 {
        let square = frequency * frequency;
        let wave_number_squared = match self {
            Self::Stretched { tension } => {
                let half = 0.5 * tension;
                square / (half + libm::hypot(half, frequency))
            }
            Self::Thick { rotary, shear } => {
                0.5 * square * (rotary + shear) + libm::hypot(0.5 * square * (rotary - shear), frequency)
            }
        };
        wave_number_squared.sqrt()
    }
}

/// What can be asked at an end: of the four solutions (cos, e, sin, o) each, in this order.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndValues {
    pub deflection: [f64; 4],
    pub moment: [f64; 4],
    pub rotation: [f64; 4],
    pub force: [f64; 4],
}

/// The solutions at the end y = ½ and their integrals over the length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    waves: Waves,
    /// cos(p/2) and sin(p/2).
    cosine: f64,
    sine: f64,
    /// e(½) and o(½).
    even: f64,
    odd: f64,
    /// 1/(1 + q).
    scale: f64,
}

/// Beyond this exponent what decays is below the rounding of what does not.
pub(super) const GONE: f64 = 50.0;

impl Basis {
    pub fn new(waves: Waves) -> Self {
        let (sine, cosine) = libm::sincos(0.5 * waves.wave_number);
        let root = waves.decay_squared.abs().sqrt();
        let (even, odd) = if root < 1e-9 {
            (1.0, 0.5)
        } else if waves.decay_squared < 0.0 {
            let (sine, cosine) = libm::sincos(0.5 * root);
            (cosine, sine / root)
        } else if root > GONE {
            (1.0, 1.0 / root)
        } else {
            (1.0, libm::tanh(0.5 * root) / root)
        };
        Self { waves, cosine, sine, even, odd, scale: 1.0 / (1.0 + root) }
    }

    /// At y = ½. Moment, rotation and force are in units that keep them of order 1: only where they vanish counts, and their signs.
    pub fn end(&self) -> EndValues {
        let &Self { waves: Waves { wave_number: p, decay_squared, bending: [first, second], .. }, .. } = self;
        let (even, odd) = (self.even, self.odd);
        let deflection = [self.cosine, even, self.sine, decay_squared * odd * self.scale];
        let per_moment = 1.0 / (second - first);
        let moment = [first, second, first, second].map(|bending| bending * per_moment);
        let moment = [0, 1, 2, 3].map(|k| moment[k] * deflection[k]);
        let per_rotation = self.scale;
        let rotation = [
            first * self.sine / p * per_rotation,
            second * odd * per_rotation,
            -first * self.cosine / p * per_rotation,
            second * even * self.scale * per_rotation,
        ];
        let force = [-self.sine, -p * odd, self.cosine, -p * even * self.scale];
        EndValues { deflection, moment, rotation, force }
    }

    /// ⟨W²⟩, ⟨W'²⟩ and ⟨Ψ²⟩ of a sum of the four solutions, in closed form.
    pub fn squares(&self, amplitudes: [f64; 4]) -> Squares {
        let Waves { wave_number: p, decay_squared, bending: [first, second], .. } = self.waves;
        let square = p * p;
        // ∫cos², ∫sin², ∫e², ∫o², ∫e cos, ∫o sin.
        let sin_sin = 0.5 * square * beyond_one(-square);
        let cos_cos = 1.0 - sin_sin;
        let root = decay_squared.abs().sqrt();
        let sech_squared = if decay_squared < 0.0 {
            1.0
        } else {
            let tanh = root * self.odd;
            (1.0 - tanh) * (1.0 + tanh)
        };
        let (even_even, odd_odd) = if root < 2.0 || decay_squared < 0.0 {
            let more = 0.5 * beyond_one(decay_squared) * sech_squared;
            (sech_squared + decay_squared * more, more)
        } else {
            (self.odd + 0.5 * sech_squared, (self.odd - 0.5 * sech_squared) / decay_squared)
        };
        let per_sum = 2.0 / (square + decay_squared);
        let even_cos = (decay_squared * self.odd * self.cosine + p * self.even * self.sine) * per_sum;
        let odd_sin = (self.even * self.sine - p * self.odd * self.cosine) * per_sum;
        let [a, c, b, d] = amplitudes;
        let d = d * self.scale;
        let of_even = |cos: f64, e: f64| cos * cos * cos_cos + 2.0 * cos * e * even_cos + e * e * even_even;
        let of_odd = |sin: f64, o: f64| sin * sin * sin_sin + 2.0 * sin * o * odd_sin + o * o * odd_odd;
        Squares {
            deflection: of_even(a, c) + of_odd(b, d * decay_squared),
            slope: of_even(p * b, d * decay_squared) + of_odd(-p * a, c * decay_squared),
            rotation: of_even(-b * first / p, d * second) + of_odd(a * first / p, c * second),
        }
    }

    /// Amplitudes of cos(py) and sin(py), then of the second wave: of `e^(-qs)` and `e^(-q(1-s))`, s = y + ½, or if it travels of cos(q'y)
    /// and sin(q'y).
    pub fn drawn(&self, [a, c, b, d]: [f64; 4]) -> [f64; 4] {
        let root = self.waves.decay_squared.abs().sqrt();
        let d = d * self.scale * root;
        if self.waves.decay_squared < 0.0 {
            return [a, b, c, -d];
        }
        let half = 1.0 / (1.0 + libm::exp(-root));
        [a, b, (c - d) * half, (c + d) * half]
    }
}

/// Means over the length of squared deflection, slope W' and rotation Ψ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squares {
    pub deflection: f64,
    pub slope: f64,
    pub rotation: f64,
}

/// (sinh(q)/q - 1)/q², q² of either sign.
fn beyond_one(square: f64) -> f64 {
    if square.abs() < 4.0 {
        // Σ q^(2k)/(2k+3)!, to 4^11/25! of the sum.
        let mut sum = 1.0;
        for k in (1..=11).rev() {
            let k = f64::from(k);
            sum = 1.0 + sum * square / ((2.0 * k + 2.0) * (2.0 * k + 3.0));
        }
        return sum / 6.0;
    }
    let root = square.abs().sqrt();
    let ratio = if square < 0.0 { libm::sin(root) / root } else { libm::sinh(root) / root };
    (ratio - 1.0) / square
}

impl EndValues {
    /// What must vanish at an end.
    pub fn conditions(&self, end: End) -> [[f64; 4]; 2] {
        match end {
            End::SimplySupported => [self.deflection, self.moment],
            End::Clamped => [self.deflection, self.rotation],
            End::Free => [self.moment, self.force],
        }
    }
}
