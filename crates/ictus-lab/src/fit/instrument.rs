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
//! touches this object for as long as was heard. It is struck by the engine at the recording's rate: f is the force that the scene will have, sample by sample,
//! and what the modes do after it is exact at any frequency.
//!
//! Of another recording φ_s follows, up to the mallet's strength: Re of its D over the first one's, with the moment of touching moved until these are as
//! real as can be. What a mode has more or less there is place, what all have is strength: no recording tells one from the other.

use ictus::Model;
use ictus::impact::strike::Strike;
use ictus::laws::HuntCrossley;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{Decay, MassSpec, ModalSpec, ModeSpec, Place};
use ictus_analysis::design::wall;
use ictus_analysis::fit::{Complex, ModalFit};

/// How much heavier than the mallet the struck place is, if no mass is given.
const HEAVIER: f64 = 20.0;

/// Contact time in s where none could be told.
const SHORT: f64 = 1e-4;

/// Part of the force's effect at 0 Hz below which a mode is not made louder to make up for a mallet that hardly excites it.
const LEAST: f64 = 0.002;

/// Trials to bring the contact time to what was heard.
const TRIALS: usize = 12;

/// Rounds in which another place's weights and the mallet's force, which depend on each other, settle.
const ROUNDS: usize = 3;

/// How far the touching of another recording may be off, in samples, and in how many steps of a sample it is moved.
const MOVED: (i32, f64) = (160, 16.0);

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
    /// The sample of its recording at which it touches.
    pub touches: usize,
    /// Weights of the modes where it struck.
    pub weights: Vec<f64>,
}

/// The object and its mallets, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// What was assumed.
    pub assumed: Assumed,
    /// Samples per second at which it sounds like the recordings.
    pub rate: f64,
    /// Mass of the object in kg, and of each mode.
    pub mass: f64,
    /// Undamped frequencies in Hz and decay times in s.
    pub modes: Vec<[f64; 2]>,
    /// For every recording.
    pub mallets: Vec<Mallet>,
    /// Weights where velocity and where displacement is heard, largest 1.
    pub heard: [Vec<f64>; 2],
    /// Gains of both.
    pub gains: [f64; 2],
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
        let trial = Trial { mass, modes: &modes, poles: &poles, rate: fit.rate, assumed };
        let mut mallets: Vec<Mallet> = Vec::new();
        let mut reference: Vec<Complex<f64>> = Vec::new();
        for (r, take) in fit.takes.iter().enumerate() {
            let touches = (take.contact.map_or(take.onset, |contact| contact.start) * fit.rate).round().max(0.0);
            let later = touches / fit.rate - take.onset;
            let time = take.contact.map_or(SHORT.max(3.0 / fit.rate), |contact| contact.time);
            // Without the mallet: what the modes would have of a force that is over at once, for each N s of it.
            let bare = |effects: &[Complex<f64>]| -> Vec<Complex<f64>> {
                let most = effects.iter().map(|f| f.norm()).fold(0.0, f64::max);
                let one = |k: usize| fit.modes[k].amplitudes[r] * (poles[k] * later).exp() / held(effects[k], most);
                (0..count).map(one).collect()
            };
            let (mut mallet, effects) = trial.mallet(time, assumed.velocity, &vec![1.0; count])?;
            if r == 0 {
                reference = bare(&effects);
            } else {
                let sizes = fit.modes.iter().map(|mode| mode.amplitudes[r].norm()).collect::<Vec<f64>>();
                let first = ratios(&bare(&effects), &reference, &sizes, &poles, fit.rate);
                let strength = middle(&first).clamp(1e-2, 1e2);
                let velocity = (assumed.velocity * strength).clamp(1e-2, 1e2);
                let mut weights: Vec<f64> = first.iter().map(|ratio| ratio / strength).collect();
                for _ in 0..ROUNDS {
                    weights.iter_mut().for_each(|weight| *weight = weight.clamp(-100.0, 100.0));
                    let (next, effects) = trial.mallet(time, velocity, &weights)?;
                    weights = ratios(&bare(&effects), &reference, &sizes, &poles, fit.rate);
                    mallet = next;
                }
            }
            mallets.push(Mallet { touches: touches as usize, ..mallet });
        }
        let mut heard = [vec![], vec![]];
        for (s, strength) in poles.iter().zip(&reference) {
            // c = φ_v s D + φ_d D, with D for a unit of F.
            let displacement = Complex::new(0.0, -1.0) / (mass * s.im);
            let velocity = s * displacement;
            let determinant = velocity.re * displacement.im - velocity.im * displacement.re;
            heard[0].push((strength.re * displacement.im - strength.im * displacement.re) / determinant);
            heard[1].push((velocity.re * strength.im - velocity.im * strength.re) / determinant);
        }
        let gains = [0, 1].map(|i| heard[i].iter().map(|w| w.abs()).fold(f64::MIN_POSITIVE, f64::max));
        heard.iter_mut().zip(gains).for_each(|(weights, gain)| weights.iter_mut().for_each(|w| *w /= gain));
        Ok(Self { assumed, rate: fit.rate, mass, modes, mallets, heard, gains })
    }

    /// What is heard of one mallet's stroke on the object at rest, from the sample at which it touches.
    ///
    /// # Errors
    /// The engine cannot be built.
    pub fn struck(&self, take: usize, samples: usize) -> Result<Vec<f64>, String> {
        let mallet = &self.mallets[take];
        let told = |error: &dyn std::fmt::Display| error.to_string();
        let law = HuntCrossley::new(mallet.stiffness, self.assumed.exponent, mallet.dissipation);
        let points = vec![mallet.weights.clone(), self.heard[0].clone(), self.heard[1].clone()];
        let body = ModalSpec { modes: specs(&self.modes, self.mass), points };
        let point = |n: usize| Point::on("body", Place::Point(n));
        let mut engine = Model::new(self.rate)
            .with("mallet", MassSpec { velocity: mallet.velocity, ..MassSpec::free(self.assumed.mallet) })
            .with("body", body)
            .join(Interaction::new("strike", Point::of("mallet"), point(0), law.map_err(|error| told(&error))?))
            .listen(Pickup { source: Source::Velocity(point(1)), gains: vec![self.gains[0]] })
            .listen(Pickup { source: Source::Displacement(point(2)), gains: vec![self.gains[1]] })
            .build()
            .map_err(|error| told(&error))?;
        let mut sound = vec![0.0; samples];
        engine.process(&mut sound);
        Ok(sound)
    }
}

fn specs(modes: &[[f64; 2]], mass: f64) -> Vec<ModeSpec> {
    let spec = |[frequency, t60]: &[f64; 2]| ModeSpec { frequency: *frequency, decay: Decay::T60(*t60), mass };
    modes.iter().map(spec).collect()
}

/// What a force does to a mode, made no smaller than a part of what it does at most.
fn held(effect: Complex<f64>, most: f64) -> Complex<f64> {
    let least = LEAST * most;
    if effect.norm() < least { effect * (least / effect.norm().max(f64::MIN_POSITIVE)) } else { effect }
}

/// How much more or less of each mode there is, with its sign.
///
/// Touching δ samples later turns each ratio by ω δ: δ is the one for which most power of all modes is in the real parts.
fn ratios(here: &[Complex<f64>], there: &[Complex<f64>], sizes: &[f64], poles: &[Complex<f64>], rate: f64) -> Vec<f64> {
    let ratios: Vec<Complex<f64>> = here.iter().zip(there).map(|(here, there)| here / there).collect();
    let turned = |step: i32| -> Vec<Complex<f64>> {
        let later = f64::from(step) / MOVED.1 / rate;
        ratios.iter().zip(poles).map(|(ratio, s)| ratio * Complex::from_polar(1.0, -s.im * later)).collect()
    };
    let real = |step: i32| -> f64 {
        let part = |(ratio, size): (&Complex<f64>, &f64)| size * size * (ratio.re / ratio.norm().max(1e-300)).powi(2);
        turned(step).iter().zip(sizes).map(part).sum()
    };
    // The nearest of equals.
    let steps = (0..=MOVED.0).flat_map(|step| [step, -step]);
    let best =
        steps.map(|step| (real(step), step)).fold((0.0, 0), |best, next| if next.0 > best.0 { next } else { best });
    turned(best.1).iter().map(|ratio| ratio.norm() * ratio.re.signum()).collect()
}

/// The middle of their sizes.
fn middle(ratios: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = ratios.iter().map(|ratio| ratio.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(1.0)
}

/// An object that is struck.
struct Trial<'a> {
    mass: f64,
    modes: &'a [[f64; 2]],
    poles: &'a [Complex<f64>],
    rate: f64,
    assumed: Assumed,
}

impl Trial<'_> {
    /// The mallet that touches for so long, and its force's effect F(s) on each mode.
    fn mallet(&self, time: f64, velocity: f64, weights: &[f64]) -> Result<(Mallet, Vec<Complex<f64>>), String> {
        let Assumed { mallet, exponent, restitution, .. } = self.assumed;
        let mut hammer =
            wall::design(mallet, exponent, velocity, time, restitution).map_err(|error| error.to_string())?;
        let resonator = ModalSpec { modes: specs(self.modes, self.mass), points: vec![weights.to_vec()] };
        let samples = (4.0 * time * self.rate).ceil() as usize + 16;
        let mut best: Option<(f64, f64, Vec<f64>)> = None;
        for _ in 0..TRIALS {
            let strike = Strike { hammer, resonator: resonator.clone(), rate: self.rate };
            let struck = strike.by_engine(samples).map_err(|error| error.to_string())?;
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
            let step = (-s / self.rate).exp();
            let mut turned = Complex::new(1.0, 0.0);
            let mut sum = Complex::new(0.0, 0.0);
            for f in &force {
                sum += turned * *f;
                turned *= step;
            }
            sum / self.rate
        };
        let contact_time = time * off.exp();
        let dissipation = hammer.dissipation;
        let told = Mallet { velocity, stiffness, dissipation, contact_time, touches: 0, weights: weights.to_vec() };
        Ok((told, self.poles.iter().map(effect).collect()))
    }
}
