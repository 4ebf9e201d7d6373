//! From options to a checked problem: where the mass starts, how long the run is, what the exact result is.

use ictus::impact::exact::WallImpact;
use ictus::impact::{Problem, SCHEMES, Scheme, Settings, scheme};
use ictus::laws::{HuntCrossley, Law};
use ictus::limits;

use super::{Question, reference};
use crate::Refusal;
use crate::options::{Allowed, number, quantity};
use crate::quantity::significant;
use ictus::names::nearest;

/// Most samples of one run: about 100 MB of memory.
const MOST_SAMPLES: f64 = 2e6;
/// Most samples of a run whose length the user did not ask for, beyond the first impact.
const MOST_DEFAULT_SAMPLES: f64 = 1e6;
/// Bounces in a default run under gravity.
const BOUNCES: usize = 10;
/// Samples of approach with `--phase 0`.
const APPROACH_SAMPLES: f64 = 2.0;

/// Everything about the runs, checked.
pub struct Setup {
    /// What is stepped.
    pub problem: Problem,
    /// Free parameters of the schemes.
    pub settings: Settings,
    /// The exact first impact, at the velocity the mass reaches the wall with.
    pub exact: WallImpact,
    /// Distance to the wall at sample 0 in m.
    pub distance: f64,
    /// Time from sample 0 to the wall in s.
    pub approach: f64,
    /// Number of steps of each run.
    pub samples: usize,
    /// The schemes to run, each once.
    pub schemes: Vec<&'static Scheme>,
}

impl Setup {
    /// Whether the mass comes back to the wall after it has left it.
    pub fn bounces(&self) -> bool {
        self.problem.acceleration > 0.0
    }

    /// Checks the options.
    ///
    /// # Errors
    /// The first that is not allowed.
    pub fn of(question: &Question<'_>) -> Result<Self, Refusal> {
        let mass = number("--mass", question.mass, Allowed::Positive, "kg")?;
        let stiffness = number("--stiffness", question.stiffness, Allowed::Positive, "N/m^α")?;
        let exponent = number("--exponent", question.exponent, Allowed::Between(1.0, limits::STEEPEST), "")?;
        let dissipation =
            number("--dissipation", question.dissipation, Allowed::Between(0.0, limits::MOST_DISSIPATION), "s/m")?;
        let rate = number("--rate", question.rate, Allowed::Positive, "Hz")?;
        let quadratic_s = number("--s", question.s, Allowed::Positive, "")?;
        let schemes = chosen_schemes(question.scheme)?;
        let flight = Flight::of(question, rate)?;

        let exact = WallImpact { mass, stiffness, exponent, dissipation, velocity: flight.impact_velocity };
        check_exact(&exact, question)?;
        // The other two are within their ranges.
        let law = HuntCrossley::new(stiffness, exponent, dissipation).map_err(|_| {
            let most = format!("must be a number above 0 and at most {:e} N/m^α", limits::STIFFEST);
            Refusal::new("--stiffness", question.stiffness, most)
        })?;
        let problem = Problem {
            mass,
            law: Law::from(law),
            acceleration: flight.gravity,
            // From 0, so that no distance is no negative zero.
            displacement: 0.0 - flight.distance,
            velocity: flight.velocity,
            rate,
        };
        let samples = match question.duration {
            Some(text) => asked_samples(text, rate)?,
            None => default_samples(&exact, &flight, rate, question)?,
        };
        Ok(Self {
            problem,
            settings: Settings { quadratic_s, ..Settings::default() },
            exact,
            distance: flight.distance,
            approach: flight.time,
            samples,
            schemes,
        })
    }
}

/// The way from sample 0 to the wall, in SI units.
struct Flight {
    gravity: f64,
    velocity: f64,
    distance: f64,
    time: f64,
    impact_velocity: f64,
}

impl Flight {
    fn of(question: &Question<'_>, rate: f64) -> Result<Self, Refusal> {
        let velocity = number("--velocity", question.velocity, Allowed::Finite, "m/s")?;
        let gap = number("--gap", question.gap, Allowed::NonNegative, "m")?;
        let gravity = number("--gravity", question.gravity, Allowed::Finite, "m/s²")?;
        let phase = question.phase.map(|text| number("--phase", text, Allowed::Fraction, "samples"));
        let phase = phase.transpose()?;
        let bad_velocity = |allowed: String| Refusal::new("--velocity", question.velocity, allowed);

        if velocity <= 0.0 && gravity <= 0.0 {
            return Err(bad_velocity("must be above 0 (m/s) to reach the wall without --gravity".to_owned()));
        }
        if velocity < 0.0 && phase.is_some() {
            return Err(bad_velocity("must be 0 or above (m/s) with --phase".to_owned()));
        }
        let flown = phase.map_or(0.0, |phase| {
            let time = (APPROACH_SAMPLES + phase) / rate;
            time * (velocity + gravity * time / 2.0)
        });
        let distance = gap + flown.max(0.0);
        let squared = velocity * velocity + 2.0 * gravity * distance;
        if squared < 0.0 || flown < 0.0 {
            let against = significant(gravity, 6);
            return Err(bad_velocity(format!("must be higher to reach the wall against --gravity {against} (m/s²)")));
        }
        let impact_velocity = if gravity == 0.0 { velocity } else { squared.sqrt() };
        if impact_velocity == 0.0 {
            return Err(bad_velocity("must not be 0 (m/s) where the wall is: give a velocity or a --gap".to_owned()));
        }
        // Both forms are the same root; each is free of cancellation where it is used.
        let time = if velocity > 0.0 {
            2.0 * distance / (velocity + impact_velocity)
        } else {
            (impact_velocity - velocity) / gravity
        };
        if !impact_velocity.is_finite() || !time.is_finite() {
            return Err(bad_velocity("must bring the mass to the wall in a finite time and velocity".to_owned()));
        }
        Ok(Self { gravity, velocity, distance, time, impact_velocity })
    }
}

fn chosen_schemes(names: &[String]) -> Result<Vec<&'static Scheme>, Refusal> {
    let mut chosen: Vec<&'static Scheme> = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let named = match scheme(name) {
            Some(scheme) => std::slice::from_ref(scheme),
            None if name == "all" => SCHEMES,
            None => return Err(unknown_scheme(name)),
        };
        for scheme in named {
            if !chosen.iter().any(|known| known.name == scheme.name) {
                chosen.push(scheme);
            }
        }
    }
    Ok(chosen)
}

fn unknown_scheme(name: &str) -> Refusal {
    let known: Vec<&str> = SCHEMES.iter().map(|scheme| scheme.name).chain(["all"]).collect();
    Refusal {
        option: "--scheme",
        value: name.to_owned(),
        suggestion: nearest(name, known.iter().copied()).map(str::to_owned),
        allowed: format!("must be one of {}", known.join(", ")),
    }
}

/// Refuses impacts whose numbers an f64 cannot hold.
fn check_exact(exact: &WallImpact, question: &Question<'_>) -> Result<(), Refusal> {
    if computable(exact) {
        return Ok(());
    }
    // To blame is what makes the impact computable when it alone is put back to its default.
    let blamed = [
        ("--velocity", question.velocity, WallImpact { velocity: 1.0, ..*exact }),
        ("--mass", question.mass, WallImpact { mass: 1e-2, ..*exact }),
        ("--exponent", question.exponent, WallImpact { exponent: 1.5, ..*exact }),
        ("--dissipation", question.dissipation, WallImpact { dissipation: 0.5, ..*exact }),
        ("--stiffness", question.stiffness, WallImpact { stiffness: 1e9, ..*exact }),
    ];
    let (option, value, _) = blamed.iter().find(|(.., changed)| computable(changed)).unwrap_or(&blamed[0]);
    let WallImpact { mass, stiffness, exponent, dissipation, velocity } = *exact;
    Err(Refusal::new(
        option,
        value,
        format!(
            "with a mass of {} kg, K = {} N/m^α, α = {}, μ = {} s/m and {} m/s at the wall the impact cannot be \
             computed: must give a compression, a contact time and an energy that are finite and above 0",
            significant(mass, 6),
            significant(stiffness, 6),
            significant(exponent, 6),
            significant(dissipation, 6),
            significant(velocity, 6),
        ),
    ))
}

fn computable(exact: &WallImpact) -> bool {
    let results = [exact.max_compression(), exact.contact_time(), exact.initial_energy(), -exact.output_velocity()];
    results.into_iter().all(|value| value.is_finite() && value > 0.0)
}

fn asked_samples(text: &str, rate: f64) -> Result<usize, Refusal> {
    let duration = quantity("--duration", text, Allowed::Positive, "s")?;
    let samples = (duration * rate).ceil();
    if samples > MOST_SAMPLES {
        let allowed = format!(
            "at --rate {} Hz that is {} samples; must be at most {MOST_SAMPLES}",
            significant(rate, 6),
            significant(samples, 6),
        );
        return Err(Refusal::new("--duration", text, allowed));
    }
    Ok(samples as usize)
}

/// Samples until the mass has left the wall again, and some more; under gravity, until ten bounces are over.
fn default_samples(exact: &WallImpact, flight: &Flight, rate: f64, question: &Question<'_>) -> Result<usize, Refusal> {
    let impact = ((flight.time + 1.25 * exact.contact_time()) * rate).ceil() + 8.0;
    if impact > MOST_SAMPLES || !impact.is_finite() {
        let allowed = format!(
            "that makes the impact {} samples long; must keep it within {MOST_SAMPLES}, or give --duration",
            significant(impact, 6),
        );
        return Err(Refusal::new("--rate", question.rate, allowed));
    }
    if flight.gravity <= 0.0 {
        return Ok(impact as usize);
    }
    let end = reference::bounces(*exact, flight.time, flight.gravity).take(BOUNCES).last();
    let bounces = end.map_or(0.0, |bounce| (bounce.next() * rate).ceil());
    Ok(impact.max(bounces.min(MOST_DEFAULT_SAMPLES)) as usize)
}
