//! `ictus study felt`: felt with a memory in the engine beside the lab's integrator and a differential equation.
//!
//! Every number of docs/felt.md comes from here. The same command line gives the same numbers.

mod blows;
mod hysteresis;

use ictus::laws::StulovFelt;

use super::folder::{Found, Output};
use crate::error::Error;

/// Measure felt with a memory: hysteresis of pushes, rebound of hammers
///
/// Felts pushed in and out beside the lab's integrator at sixteen times the rate, and hammers of felt on a wall beside a differential equation. Writes felt.md (tables;
/// prose that is there already stays) and the pictures in felt/.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ictus study felt -o out\n  ictus study felt -o docs     the page of this project")]
pub struct Args {
    #[command(flatten)]
    output: Output,
}

/// Computes the study and writes it.
pub fn execute(args: &Args) -> Result<(), Error> {
    args.output.write("felt", 3, |progress| {
        let pushes = progress.step("pushes", hysteresis::measure)?;
        let paces = progress.step("slow and fast", hysteresis::paces)?;
        let blows = progress.step("blows", blows::measure)?;
        Ok(Found {
            tables: [hysteresis::table(&pushes), blows::table(&blows)].join("\n"),
            pictures: vec![("loops", hysteresis::figure(&pushes, &paces)), ("blows", blows::figure(&blows))],
        })
    })
}

fn failed(reason: impl ToString) -> Error {
    Error::Compute { item: "the study of felt", reason: reason.to_string() }
}

/// A felt of the study.
#[derive(Clone, Copy)]
struct Felt {
    title: &'static str,
    /// K in N/m^α, α, ε, τ in s.
    numbers: [f64; 4],
    /// Mass in kg of its hammer.
    mass: f64,
}

impl Felt {
    fn law(&self) -> Result<StulovFelt, Error> {
        let [stiffness, exponent, hysteresis, relaxation_time] = self.numbers;
        StulovFelt::new(stiffness, exponent, hysteresis, relaxation_time).map_err(failed)
    }
}

/// Felts that forget slowly, as fast as they are touched, fast, and as that of a piano's middle does by Stulov's numbers (1995).
const FELTS: [Felt; 4] = [
    Felt { title: "slow: ε 0.7, τ 1 ms", numbers: [1e6, 1.5, 0.7, 1e-3], mass: 0.008 },
    Felt { title: "soft: ε 0.5, τ 0.5 ms", numbers: [1e9, 2.5, 0.5, 5e-4], mass: 0.008 },
    Felt { title: "dense: ε 0.9, τ 0.1 ms", numbers: [1e10, 2.5, 0.9, 1e-4], mass: 0.008 },
    Felt {
        title: "piano, key 44: ε 0.993, τ 2 µs",
        numbers: [2.415_875e17, 4.36, 0.993_272, 2.014_24e-6],
        mass: 0.0075,
    },
];
