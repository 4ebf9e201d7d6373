//! `ictus study friction`: friction with bristles in the engine: against speed, before it slides, and sticking and slipping.
//!
//! Every number of docs/friction.md comes from here. The same command line gives the same numbers.

mod block;
mod bristles;
mod hinge;
mod speed;

use ictus::laws::{BristleFriction, ElastoPlasticFriction, Law};

use super::folder::{Found, Output};
use crate::error::Error;

/// Measure friction with bristles: against speed, before it slides, stick and slip, slips of a hinge
///
/// Friction of long sliding beside its formula; loops before sliding; a block on a spring on a moving belt beside a differential equation at four rates; how often
/// a hinge slips. Writes friction.md (tables; prose that is there already stays) and the pictures in friction/.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ictus study friction -o out\n  ictus study friction -o docs     the page of this project"
)]
pub struct Args {
    #[command(flatten)]
    output: Output,
}

/// Computes the study and writes it.
pub fn execute(args: &Args) -> Result<(), Error> {
    args.output.write("friction", 4, |progress| {
        let speeds = progress.step("against speed", speed::measure)?;
        let loops = progress.step("before it slides", bristles::measure)?;
        let blocks = progress.step("stick and slip", block::measure)?;
        let slips = progress.step("slips of a hinge", hinge::measure)?;
        Ok(Found {
            tables: [speed::table(&speeds), bristles::table(&loops), block::table(&blocks), hinge::table(&slips)]
                .join("\n"),
            pictures: vec![
                ("speed", speed::figure(&speeds, &blocks)),
                ("loops", bristles::figure(&loops)),
                ("stick-slip", block::figure(&blocks)),
                ("slips", hinge::figure(&slips)),
            ],
        })
    })
}

fn failed(reason: impl ToString) -> Error {
    Error::Compute { item: "the study of friction", reason: reason.to_string() }
}

/// Bristles by their numbers.
#[derive(Clone, Copy)]
struct Rubbed {
    normal_force: f64,
    static_friction: f64,
    kinetic_friction: f64,
    slowing: f64,
    stiffness: f64,
    /// 0 for bristles that always slide a little.
    elastic: f64,
}

impl Rubbed {
    fn law(&self) -> Result<Law, Error> {
        let Self { normal_force, static_friction, kinetic_friction, slowing, stiffness, elastic } = *self;
        if elastic == 0.0 {
            let law = BristleFriction::new(normal_force, static_friction, kinetic_friction, slowing, stiffness);
            return law.map(Law::from).map_err(failed);
        }
        let law =
            ElastoPlasticFriction::new(normal_force, static_friction, kinetic_friction, slowing, stiffness, elastic);
        law.map(Law::from).map_err(failed)
    }

    /// Friction in N of long sliding at a velocity in m/s.
    fn sliding(&self, velocity: f64) -> f64 {
        let more = (self.static_friction - self.kinetic_friction) * (-(velocity / self.slowing).powi(2)).exp();
        self.normal_force * (self.kinetic_friction + more)
    }
}
