//! The impact as JSON, in SI units; what could not be measured is `null`, so everything of a scheme that does not apply.

use serde::Serialize;

use super::{Outcome, Setup};

/// The whole document, keys in the order they are printed.
#[derive(Serialize)]
pub struct Document {
    exact: Exact,
    schemes: Vec<Measured>,
    problem: Posed,
}

#[derive(Serialize)]
struct Exact {
    max_compression: f64,
    output_velocity: f64,
    output_velocity_approx: f64,
    contact_time: f64,
    limit_velocity: Option<f64>,
    impact_velocity: f64,
    initial_energy: f64,
    final_energy: f64,
}

#[derive(Serialize)]
struct Measured {
    name: &'static str,
    max_compression: Option<f64>,
    output_velocity: Option<f64>,
    contact_time: Option<f64>,
    final_energy: Option<f64>,
    pull: Option<f64>,
    trapped_energy: Option<f64>,
    iterations_max: Option<u32>,
    failure: Option<String>,
    energy_residual: Option<f64>,
    contacts: Option<usize>,
}

#[derive(Serialize)]
struct Posed {
    mass: f64,
    stiffness: f64,
    exponent: f64,
    dissipation: f64,
    gravity: f64,
    displacement: f64,
    velocity: f64,
    rate: f64,
    samples: usize,
    s: f64,
}

impl Document {
    /// Collects what was posed, what is exact and what the schemes made of it.
    pub fn of(setup: &Setup, outcomes: &[Outcome]) -> Self {
        let Setup { exact, problem, .. } = setup;
        Self {
            exact: Exact {
                max_compression: exact.max_compression(),
                output_velocity: exact.output_velocity(),
                output_velocity_approx: exact.output_velocity_approx(),
                contact_time: exact.contact_time(),
                limit_velocity: exact.limit_velocity(),
                impact_velocity: exact.velocity,
                initial_energy: exact.initial_energy(),
                final_energy: exact.final_energy(),
            },
            schemes: outcomes.iter().map(measured).collect(),
            problem: Posed {
                mass: exact.mass,
                stiffness: exact.stiffness,
                exponent: exact.exponent,
                dissipation: exact.dissipation,
                gravity: problem.acceleration,
                displacement: problem.displacement,
                velocity: problem.velocity,
                rate: problem.rate,
                samples: setup.samples,
                s: setup.settings.quadratic_s,
            },
        }
    }
}

fn measured(outcome: &Outcome) -> Measured {
    let Outcome { scheme, run, started } = outcome;
    Measured {
        name: scheme.name,
        max_compression: started.then_some(run.max_compression),
        output_velocity: run.output_velocity,
        contact_time: run.contact_time,
        final_energy: started.then_some(run.final_energy),
        pull: started.then_some(run.pull),
        trapped_energy: started.then_some(run.trapped_energy),
        iterations_max: started.then_some(run.iterations_max),
        failure: outcome.failure(),
        energy_residual: run.energy_residual,
        contacts: started.then_some(run.contacts.len()),
    }
}
