//! An oscillator or a wall by D17's scheme with free parameter s, or by its benchmark.

use ictus::impact::{OSCILLATORS, Problem, Run, Scheme, Settings, run, scheme};
use ictus::laws::{ContactLaw, Law};

use super::Failed;

/// D17's scheme with this s, for that many samples; the run ends where a root turns complex.
pub fn quadratic(problem: &Problem, s: f64, samples: usize) -> Result<Run, Failed> {
    let settings = Settings { quadratic_s: s, ..Settings::default() };
    Ok(run(listed("quadratic")?, problem, &settings, samples))
}

/// A benchmark scheme, for that many samples.
pub fn benchmark(name: &str, problem: &Problem, samples: usize) -> Result<Run, Failed> {
    Ok(run(listed(name)?, problem, &Settings::default(), samples))
}

fn listed(name: &str) -> Result<&'static Scheme, Failed> {
    let oscillator = OSCILLATORS.iter().find(|scheme| scheme.name == name);
    oscillator.or_else(|| scheme(name)).ok_or_else(|| format!("there is no scheme {name}").into())
}

/// The discriminant B² - 4AC of (18), from two displacements in a row: (16) written out, beside the library's own.
pub fn discriminant(problem: &Problem, s: f64, previous: f64, now: f64) -> f64 {
    let Problem { mass, law, rate, .. } = problem;
    let inertia = mass * rate * rate;
    let a = inertia + s * law.stiffness(now);
    let b =
        -2.0 * inertia * (now - previous) + 2.0 * s * law.force(now) + 2.0 * s * (previous - now) * law.stiffness(now);
    let c = 2.0 * expanded(law, s, now, previous) - 2.0 * expanded(law, s, previous, now);
    b * b - 4.0 * a * c
}

/// P of (6): the potential around `from`, at `to`.
fn expanded(law: &Law, s: f64, from: f64, to: f64) -> f64 {
    let step = to - from;
    law.potential(from) + s * step * law.force(from) + 0.5 * s * step * step * law.stiffness(from)
}

/// Displacements of a run, sample by sample.
pub fn displacements(run: &Run) -> Vec<f64> {
    run.samples.iter().map(|sample| sample.displacement).collect()
}

/// The same, and where a root turned complex also the displacement from which it was sought: a run that ends early has reached it, but not
/// recorded it, since its velocity there is not known.
pub fn displacements_to_the_end(run: &Run, rate: f64) -> Vec<f64> {
    let mut places = displacements(run);
    if let (Some(_), Some(last)) = (run.failure, run.samples.last()) {
        // The velocity is that from the sample before to the sample after; at the start, that of the first step.
        let reached = match places[..] {
            [.., before, _] => before + 2.0 * last.velocity / rate,
            _ => last.displacement + last.velocity / rate,
        };
        places.push(reached);
    }
    places
}
