//! From recorded impacts to the modes of what was struck.
//!
//! ```text
//! y_r(t) = Σ_k Re(c_rk e^{s_k t}) + noise,    s = -σ + jω
//! ```
//!
//! One object has one set of poles s, whichever take r it is heard in, and other amplitudes c in each. [`fit`] finds where each impact begins, searches
//! for modes in sub-bands (`search`, `esprit`), refines all of them in the time domain (`refine`), follows them back to
//! where they stop being free, and reads the contact time off what was there before (`stroke`). What it cannot fit it names ([`Unfit`]).
//!
//! Every mode has its uncertainties: the bounds of Cramér and Rao at the noise that is left around it. Over objects made by chance they
//! are what the errors are (`ictus study fit`).

mod bank;
mod dense;
mod eigen;
mod esprit;
mod floor;
mod onset;
mod pulse;
mod refine;
mod search;
mod stroke;
mod sums;

use std::f64::consts::TAU;

pub use onset::Unfit;
pub use realfft::num_complex::Complex;

use floor::Floor;
use onset::Onset;
use refine::Refined;
use search::{Bounds, Found, search};
use stroke::Free;

/// s = -σ + jω per sample.
type Pole = Complex<f64>;

/// ln 1000: a fall by 60 dB.
const SIXTY_DECIBELS: f64 = 6.907_755_278_982_137;

/// Longest contact that is looked for, in s.
const LONGEST_CONTACT: f64 = 0.03;

/// Blocks in which it is seen where modes begin to be free, in s.
const BLOCK: f64 = 0.000_25;

/// Power left in a block, times that of noise or of what is left later, above which modes are not free there.
const FORCED: f64 = 6.0;

/// Where between the impact's beginning and where modes are free it is tried again whether they are free earlier.
const EARLIER: [f64; 3] = [0.0, 0.3, 0.6];

/// Fall in nepers, from the impact to where modes are free, above which what falls is part of the stroke: it cannot be followed back.
const LOST: f64 = 3.0;

/// Shortest T60 of a mode in s.
const SHORTEST_T60: f64 = 0.004;

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitSettings {
    /// Most modes, 1 to 400.
    pub modes: usize,
    /// Lowest frequency in Hz, 1 or above.
    pub lowest: f64,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { modes: 200, lowest: 20.0 }
    }
}

/// A mode, and how well it is known. Uncertainties are one standard deviation.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedMode {
    /// Frequency in Hz.
    pub frequency: f64,
    /// Its uncertainty in Hz.
    pub frequency_error: f64,
    /// Time in s in which it falls by 60 dB.
    pub t60: f64,
    /// Its uncertainty, as a part of it.
    pub t60_error: f64,
    /// Amplitude and phase in each take, at the beginning of the impact there: Re(c e^{st}).
    pub amplitudes: Vec<Complex<f64>>,
    /// Uncertainty of the largest of them, as a part of it.
    pub amplitude_error: f64,
    /// How far it stands above its uncertainty, in dB of energy.
    pub stands: f64,
    /// Part of the power around its frequency, while it sounds, that the modes explain; less what is unsure of its decay. 0 to 1.
    pub confidence: f64,
}

/// The stroke of one take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedContact {
    /// First touch in s of the recording.
    pub start: f64,
    /// Contact time in s.
    pub time: f64,
    /// Its uncertainty, as a part of it.
    pub error: f64,
    /// Exponent of a Hunt-Crossley contact with a pulse like that, and its uncertainty.
    pub exponent: [f64; 2],
    /// Restitution on a wall of such a contact, and its uncertainty.
    pub restitution: [f64; 2],
}

/// One recording.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedTake {
    /// Where the impact begins, in s of the recording.
    pub onset: f64,
    /// From where on the modes are free, in s of the recording.
    pub free: f64,
    /// Where the fit ends, in s of the recording.
    pub end: f64,
    /// The stroke, where it can be told.
    pub contact: Option<FittedContact>,
    /// Part of the power from `free` to `end` that the modes explain.
    pub explained: f64,
    /// Noise that is left, as a standard deviation in all bands together.
    pub noise: f64,
    /// The modes as heard, from `free` to `end`.
    pub model: Vec<f64>,
}

/// The modes of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalFit {
    /// Samples per second.
    pub rate: f64,
    /// From low to high.
    pub modes: Vec<FittedMode>,
    /// What each recording told.
    pub takes: Vec<FittedTake>,
    /// Part of the power of all takes that the modes explain, 0 to 1.
    pub confidence: f64,
}

/// Fits one object to recorded impacts on it, mono, all at one rate in Hz.
///
/// # Errors
/// Which recording is no impact, and what it is instead.
pub fn fit(takes: &[&[f64]], rate: f64, settings: FitSettings) -> Result<ModalFit, (usize, Unfit)> {
    check(takes, rate, settings).map_err(|error| (0, error))?;
    let each = takes.iter().enumerate();
    let onsets =
        each.map(|(r, take)| Onset::of(take, rate).map_err(|error| (r, error))).collect::<Result<Vec<_>, _>>()?;
    let lowest = TAU * settings.lowest / rate;
    let from = |origins: &[usize], start: &[Pole]| {
        let parts: Vec<&[f64]> =
            takes.iter().zip(&onsets).zip(origins).map(|((take, onset), &origin)| &take[origin..onset.end]).collect();
        let later = origins.iter().zip(&onsets).map(|(origin, onset)| origin.saturating_sub(onset.sample)).max();
        let quickest = (SIXTY_DECIBELS / (SHORTEST_T60 * rate)).min(LOST / later.unwrap_or(0) as f64);
        search(&parts, rate, settings.modes, Bounds { lowest, quickest }, start)
    };
    let mut origins: Vec<usize> = onsets.iter().map(|onset| onset.free).collect();
    let mut found = from(&origins, &[]);
    let earlier: Vec<usize> = (0..takes.len()).map(|r| free_from(takes[r], &onsets[r], &found, r, rate)).collect();
    if earlier != origins {
        found = from(&earlier, &found.modes.poles);
        origins = earlier;
    }
    // What was there before may be the stroke, or modes that had died away: those explain it, and last longer than that.
    for part in EARLIER {
        let tried: Vec<usize> = origins
            .iter()
            .zip(&onsets)
            .map(|(&origin, onset)| onset.sample + (part * origin.saturating_sub(onset.sample) as f64) as usize)
            .collect();
        if tried == origins {
            break;
        }
        let next = from(&tried, &found.modes.poles);
        if is_free(&next, &found, &tried, &origins, rate) {
            (found, origins) = (next, tried);
            break;
        }
    }
    if found.modes.poles.is_empty() {
        return Err((0, Unfit::Noise));
    }
    Ok(told(takes, rate, &onsets, &origins, &found))
}

fn check(takes: &[&[f64]], rate: f64, settings: FitSettings) -> Result<(), Unfit> {
    let refuse = |text: String| Err(Unfit::Setting(text));
    if takes.is_empty() {
        return refuse("there is no recording".to_owned());
    }
    if !(8000.0..=400_000.0).contains(&rate) {
        return refuse(format!("the rate must be from 8 to 400 kHz, and is {rate} Hz"));
    }
    if !(1..=400).contains(&settings.modes) {
        return refuse(format!("modes must be from 1 to 400, and are {}", settings.modes));
    }
    if !(1.0..0.4 * rate).contains(&settings.lowest) {
        return refuse(format!(
            "the lowest frequency must be from 1 Hz to 0.4 of the rate, and is {} Hz",
            settings.lowest
        ));
    }
    match takes.iter().flat_map(|take| take.iter()).find(|y| y.is_nan() || y.abs() > 1e6) {
        Some(y) => refuse(format!("a sample is {y}: samples must be numbers, 1 being full scale")),
        None => Ok(()),
    }
}

/// The sample from which on what the modes leave is no more than noise, or than what they leave later.
fn free_from(take: &[f64], onset: &Onset, found: &Found, index: usize, rate: f64) -> usize {
    let block = ((BLOCK * rate) as usize).max(4);
    let start = onset.sample;
    let later = onset.end.min(onset.free + (0.02 * rate) as usize);
    let mut rest = take[start..later].to_vec();
    for (s, c) in found.modes.poles.iter().zip(&found.modes.amplitudes[index]) {
        sums::subtract(&mut rest, *s, *c, onset.free - start);
    }
    let power = |part: &[f64]| part.iter().map(|y| y * y).sum::<f64>() / part.len().max(1) as f64;
    let limit = FORCED * power(&rest[onset.free - start..]).max(found.floors[index].mean());
    let mut free = onset.free - start;
    while free > 0 {
        let next = free.saturating_sub(block);
        if power(&rest[next..free]) > limit {
            break;
        }
        free = next;
    }
    start + free
}

/// Whether modes that start earlier leave no more there than later, and none was added that dies within what was won.
fn is_free(next: &Found, found: &Found, tried: &[usize], origins: &[usize], rate: f64) -> bool {
    let power = |part: &[f64]| part.iter().map(|y| y * y).sum::<f64>() / part.len().max(1) as f64;
    let block = ((BLOCK * rate) as usize).max(4);
    let won = tried.iter().zip(origins).map(|(tried, origin)| origin - tried).max().unwrap_or(0) as f64;
    let fleeting = |modes: &Refined| modes.poles.iter().filter(|s| -s.re * won > 2.0).count();
    let quiet = |r: usize| {
        let (rest, won) = (&next.rests[r], origins[r] - tried[r]);
        let later = &rest[won..rest.len().min(won + (0.02 * rate) as usize)];
        let limit = FORCED * power(later).max(next.floors[r].mean());
        rest[..won.max(block).min(rest.len())].chunks(block).all(|part| power(part) <= limit)
    };
    let count = |found: &Found| found.modes.poles.len();
    let few = 2 * count(next) <= 3 * count(found) + 8;
    few && fleeting(&next.modes) <= fleeting(&found.modes) && (0..tried.len()).all(quiet)
}

fn told(takes: &[&[f64]], rate: f64, onsets: &[Onset], origins: &[usize], found: &Found) -> ModalFit {
    let Found { modes, rests, floors } = found;
    let power = |part: &[f64]| part.iter().map(|y| y * y).sum::<f64>();
    let at_onset = |r: usize, k: usize| {
        modes.amplitudes[r][k] * (modes.poles[k] * (onsets[r].sample as f64 - origins[r] as f64)).exp()
    };
    let takes_told: Vec<FittedTake> = (0..takes.len())
        .map(|r| {
            let part = &takes[r][origins[r]..onsets[r].end];
            let deviation = |k: usize| {
                let variance = modes.amplitude_variances[r][k][0] * floors[r].at(modes.poles[k].im) / floors[r].mean();
                variance.max(0.0).sqrt() * modes.amplitudes[r][k].norm()
            };
            let deviations: Vec<f64> = (0..modes.poles.len()).map(deviation).collect();
            let stroke = stroke::stroke(
                &Free {
                    samples: takes[r],
                    poles: &modes.poles,
                    amplitudes: &modes.amplitudes[r],
                    deviations: &deviations,
                    origin: origins[r],
                    onset: onsets[r].sample,
                    end: onsets[r].free.max(origins[r]),
                    noise: floors[r].mean(),
                    slow: false,
                },
                LONGEST_CONTACT * rate,
            );
            // A stroke of which half stays unexplained is none.
            let contact =
                stroke.filter(|stroke| stroke.left < 0.5 && stroke.length > 2.5).map(|stroke| FittedContact {
                    start: stroke.start / rate,
                    time: stroke.length / rate,
                    error: stroke.spreads[0],
                    exponent: [stroke.exponent, stroke.spreads[1]],
                    restitution: [stroke.restitution, stroke.spreads[2]],
                });
            FittedTake {
                onset: onsets[r].sample as f64 / rate,
                free: origins[r] as f64 / rate,
                end: onsets[r].end as f64 / rate,
                contact,
                explained: (1.0 - power(&rests[r]) / power(part).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0),
                noise: floors[r].mean().sqrt(),
                model: part.iter().zip(&rests[r]).map(|(y, rest)| y - rest).collect(),
            }
        })
        .collect();
    let weights: Vec<f64> = floors.iter().map(|floor| 1.0 / floor.mean()).collect();
    let stands = search::standing(modes, &weights, floors);
    let bank = bank::Bank::new(1 << ((0.0427 * rate).log2().round() as u32));
    let shares = shares(&bank, found);
    let mut fitted: Vec<FittedMode> = (0..modes.poles.len())
        .map(|k| {
            mode(modes, floors, rate, k, (0..takes.len()).map(|r| at_onset(r, k)).collect(), (stands[k], shares[k]))
        })
        .collect();
    fitted.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    let whole: f64 = takes.iter().enumerate().map(|(r, take)| power(&take[origins[r]..onsets[r].end])).sum();
    let left: f64 = rests.iter().map(|rest| power(rest)).sum();
    let confidence = (1.0 - left / whole.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    ModalFit { rate, modes: fitted, takes: takes_told, confidence }
}

fn mode(
    modes: &Refined,
    floors: &[Floor],
    rate: f64,
    k: usize,
    amplitudes: Vec<Complex<f64>>,
    (stands, share): (f64, f64),
) -> FittedMode {
    let s = modes.poles[k];
    // Weights are 1 / mean variance: what is known in noise as it is around this mode.
    let local = floors.iter().map(|floor| floor.at(s.im) / floor.mean()).fold(0.0, f64::max);
    let [decay, turn] = modes.pole_variances[k].map(|variance| (variance * local).sqrt());
    let strongest =
        (0..amplitudes.len()).max_by(|&i, &j| amplitudes[i].norm().total_cmp(&amplitudes[j].norm())).unwrap_or(0);
    let t60_error = decay / -s.re;
    FittedMode {
        frequency: s.im * rate / TAU,
        frequency_error: turn * rate / TAU,
        t60: SIXTY_DECIBELS / -s.re / rate,
        t60_error,
        amplitude_error: (modes.amplitude_variances[strongest][k][0] * local).sqrt(),
        amplitudes,
        stands: 10.0 * stands.max(f64::MIN_POSITIVE).log10(),
        confidence: (share * (1.0 - t60_error)).clamp(0.0, 1.0),
    }
}

/// Of the power around each mode while it sounds, the part that is explained.
fn shares(bank: &bank::Bank, found: &Found) -> Vec<f64> {
    let rests: Vec<bank::Bands> = found.rests.iter().map(|rest| bank.analyse(rest)).collect();
    let one = |k: usize| {
        let s = found.modes.poles[k];
        let band = ((s.im / bank.centre(1)).round() as usize).clamp(1, bank.count() - 2);
        let response = 0.5 * bank.response(s, band).norm();
        let (mut modes, mut left) = (0.0, 0.0);
        for (r, bands) in rests.iter().enumerate() {
            // Over a fall by 20 dB.
            let frames = ((SIXTY_DECIBELS / 3.0 / -s.re) as usize / bank.hop + 1).min(bands.frames);
            left += bands.band(band)[..frames].iter().map(Complex::norm_sqr).sum::<f64>();
            let amplitude = response * found.modes.amplitudes[r][k].norm();
            modes += (0..frames).map(|n| (amplitude * (s.re * (n * bank.hop) as f64).exp()).powi(2)).sum::<f64>();
        }
        modes / (modes + left).max(f64::MIN_POSITIVE)
    };
    (0..found.modes.poles.len()).map(one).collect()
}
