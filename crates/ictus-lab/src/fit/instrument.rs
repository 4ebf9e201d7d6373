//! The mallet and the weights that make a recording again.
//!
//! A mode of modal mass m, struck where its weight is φ_s by the force f and heard where it is φ, moves by
//!
//! ```text
//! x(t) = Re( φ D e^{st} ),    D = -j φ_s F(s) / (m ω),    F(s) = ∫ f e^{-sτ} dτ,    v(t) = Re( φ s D e^{st} )
//! ```
//!
//! One microphone tells c = φ_v s D + φ_d D and no more, so masses are assumed: all modes have the mass of the object, and the weight 1 where it was struck.
//! Heard are the velocity with the weights φ_v and the displacement with φ_d; together they give every mode its
//! amplitude and its phase. The mallet's mass, velocity, exponent and restitution are assumed; its stiffness is the one at which it
//! touches this object for as long as was heard.

use ictus::impact::strike::Strike;
use ictus::objects::{Decay, ModalSpec, ModeSpec};
use ictus_analysis::design::wall;
use ictus_analysis::fit::{Complex, ModalFit};

/// How much heavier than the mallet the struck place is, if no mass is given.
const HEAVIER: f64 = 20.0;

/// Contact time in s where none could be told.
const SHORT: f64 = 1e-4;

/// Part of the force's effect at 0 Hz below which a mode is not made louder to make up for a mallet that hardly excites it.
const LEAST: f64 = 0.005;

/// Samples of the trial in the contact time.
const FINE: f64 = 200.0;

/// Trials to bring the contact time to what was heard.
const TRIALS: usize = 12;

/// What one microphone cannot tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assumed {
    /// Mass in kg of the object; by default heavy beside the mallet.
    pub mass: Option<f64>,
    /// Mass of the mallet in kg.
    pub mallet: f64,
    /// Velocity of the first recording's mallet in m/s.
    pub velocity: f64,
    /// Exponent α of the contact.
    pub exponent: f64,
    /// Restitution on a wall.
    pub restitution: f64,
}

/// What struck in one recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Mallet {
    /// Velocity in m/s.
    pub velocity: f64,
    /// Stiffness in N/m^α.
    pub stiffness: f64,
    /// Dissipation in s/m.
    pub dissipation: f64,
    /// Contact time in s on this object.
    pub contact_time: f64,
    /// Weights of the modes where it struck.
    pub weights: Vec<f64>,
}

/// The object and its mallets, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// What was assumed.
    pub assumed: Assumed,
    /// Mass of the object in kg, and of each mode.
    pub mass: f64,
    /// Undamped frequencies in Hz and decay times in s.
    pub modes: Vec<[f64; 2]>,
    /// For every recording.
    pub mallets: Vec<Mallet>,
    /// Weights where velocity is heard, largest 1.
    pub velocity_weights: Vec<f64>,
    /// Weights where displacement is heard.
    pub displacement_weights: Vec<f64>,
    /// Gain of both.
    pub gain: f64,
}

impl Instrument {
    /// Of a fit.
    ///
    /// # Errors
    /// No mallet touches for as long as was heard.
    pub fn of(fit: &ModalFit, assumed: Assumed) -> Result<Self, String> {
        let count = fit.modes.len();
        let mass = assumed.mass.unwrap_or((HEAVIER * assumed.mallet * count as f64).max(1.0));
        let poles: Vec<Complex<f64>> = fit
            .modes
            .iter()
            .map(|mode| Complex::new(-1000f64.ln() / mode.t60, std::f64::consts::TAU * mode.frequency))
            .collect();
        let modes: Vec<[f64; 2]> =
            poles.iter().zip(&fit.modes).map(|(s, mode)| [s.norm() / std::f64::consts::TAU, mode.t60]).collect();
        let mut mallets: Vec<Mallet> = Vec::new();
        let mut reference: Vec<Complex<f64>> = Vec::new();
        for (r, take) in fit.takes.iter().enumerate() {
            let start = take.contact.map_or(take.onset, |contact| contact.start);
            // Without the mallet: what the modes would have of a force that is over at once.
            let heard = |k: usize| fit.modes[k].amplitudes[r] * (poles[k] * (start - take.onset)).exp();
            let time = take.contact.map_or(SHORT, |contact| contact.time);
            let trial = Trial { mass, modes: &modes, assumed };
            let bare: Vec<Complex<f64>> = {
                let (_, effects) = trial.mallet(time, assumed.velocity, &vec![1.0; count], &poles)?;
                (0..count)
                    .map(|k| heard(k) / held(effects[k], effects.iter().map(|f| f.norm()).fold(0.0, f64::max)))
                    .collect()
            };
            if r == 0 {
                reference = bare;
                let (mallet, _) = trial.mallet(time, assumed.velocity, &vec![1.0; count], &poles)?;
                mallets.push(mallet);
                continue;
            }
            let ratios: Vec<f64> = bare
                .iter()
                .zip(&reference)
                .map(|(here, there)| {
                    let ratio = here / there;
                    ratio.norm() * ratio.re.signum()
                })
                .collect();
            let mut sizes: Vec<f64> = ratios.iter().map(|ratio| ratio.abs()).collect();
            sizes.sort_by(f64::total_cmp);
            let strength = sizes[sizes.len() / 2].clamp(1e-2, 1e2);
            let weights: Vec<f64> = ratios.iter().map(|ratio| (ratio / strength).clamp(-100.0, 100.0)).collect();
            let (mallet, _) = trial.mallet(time, (assumed.velocity * strength).clamp(1e-2, 1e2), &weights, &poles)?;
            mallets.push(mallet);
        }
        let mut weights: Vec<[f64; 2]> = Vec::with_capacity(count);
        for (s, strength) in poles.iter().zip(&reference) {
            // c = φ_v s D + φ_d D, with D for a unit of F.
            let displacement = Complex::new(0.0, -1.0) / (mass * s.im);
            let velocity = s * displacement;
            let determinant = velocity.re * displacement.im - velocity.im * displacement.re;
            weights.push([
                (strength.re * displacement.im - strength.im * displacement.re) / determinant,
                (velocity.re * strength.im - velocity.im * strength.re) / determinant,
            ]);
        }
        let gain = weights.iter().map(|w| w[0].abs()).fold(f64::MIN_POSITIVE, f64::max);
        // A displacement heard a thousand times over its velocity is no sound of this object.
        let most = 9e5;
        Ok(Self {
            assumed,
            mass,
            modes,
            mallets,
            velocity_weights: weights.iter().map(|w| w[0] / gain).collect(),
            displacement_weights: weights.iter().map(|w| (w[1] / gain).clamp(-most, most)).collect(),
            gain,
        })
    }
}

/// What a force does to a mode, made no smaller than a part of what it does at most.
fn held(effect: Complex<f64>, most: f64) -> Complex<f64> {
    let least = LEAST * most;
    if effect.norm() < least { effect * (least / effect.norm().max(f64::MIN_POSITIVE)) } else { effect }
}

/// An object that is struck.
struct Trial<'a> {
    mass: f64,
    modes: &'a [[f64; 2]],
    assumed: Assumed,
}

impl Trial<'_> {
    /// The mallet that touches for so long, and its force's effect F(s) on each mode.
    fn mallet(
        &self,
        time: f64,
        velocity: f64,
        weights: &[f64],
        poles: &[Complex<f64>],
    ) -> Result<(Mallet, Vec<Complex<f64>>), String> {
        let Assumed { mallet, exponent, restitution, .. } = self.assumed;
        let mut hammer =
            wall::design(mallet, exponent, velocity, time, restitution).map_err(|error| error.to_string())?;
        let rate = FINE / time;
        let highest = 0.45 * rate;
        let modes = self.modes.iter().filter(|mode| mode[0] < highest);
        let kept: Vec<ModeSpec> = modes
            .map(|[frequency, t60]| ModeSpec { frequency: *frequency, decay: Decay::T60(*t60), mass: self.mass })
            .collect();
        let shape = weights.iter().zip(self.modes).filter(|(_, mode)| mode[0] < highest).map(|(w, _)| *w).collect();
        let resonator = ModalSpec { modes: kept, points: vec![shape] };
        let mut best: Option<(f64, f64, Vec<f64>)> = None;
        for _ in 0..TRIALS {
            let strike = Strike { hammer, resonator: resonator.clone(), rate };
            let struck = strike.by_engine((4.0 * FINE) as usize).map_err(|error| error.to_string())?;
            let Some(found) = struck.contact_time() else { break };
            let off = (found / time).ln();
            if best.as_ref().is_none_or(|best| off.abs() < best.0.abs()) {
                best = Some((off, hammer.stiffness, struck.force));
            }
            if off.abs() < 1e-3 {
                break;
            }
            hammer.stiffness *= (off * (exponent + 1.0)).clamp(-2.0, 2.0).exp();
        }
        let Some((off, stiffness, force)) = best else {
            return Err(format!(
                "no mallet of {mallet} kg leaves the object within {:.1} ms; give the object more --mass, or the --mallet less",
                4e3 * time
            ));
        };
        let effect = |s: &Complex<f64>| {
            let step = (-s / rate).exp();
            let mut turned = Complex::new(1.0, 0.0);
            let mut sum = Complex::new(0.0, 0.0);
            for f in &force {
                sum += turned * *f;
                turned *= step;
            }
            sum / rate
        };
        let contact_time = time * off.exp();
        let told =
            Mallet { velocity, stiffness, dissipation: hammer.dissipation, contact_time, weights: weights.to_vec() };
        Ok((told, poles.iter().map(effect).collect()))
    }
}
