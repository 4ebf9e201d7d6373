//! `ictus study large`: what bodies do that swing far: frequency against amplitude, glides, and plates that crash.
//!
//! Every number of docs/large.md comes from here. The same command line gives the same numbers.

mod backbone;
mod glide;
mod strokes;

use super::folder::{Found, Output};
use crate::error::Error;

/// Measure large amplitudes: frequency against amplitude, glides, soft and hard strokes on a plate
///
/// One mode of a string, a membrane and a plate against elliptic integrals; how plucked strings glide; the spectral centroid of a plate by von Kármán after strokes of 1, 200 and
/// 1500 N. Writes large.md (tables; prose that is there already stays) and the pictures in large/.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ictus study large -o out\n  ictus study large -o docs     the page of this project"
)]
pub struct Args {
    #[command(flatten)]
    output: Output,
}

/// Computes the study and writes it.
pub fn execute(args: &Args) -> Result<(), Error> {
    args.output.write("large", 3, |progress| {
        let backbones = progress.step("frequency against amplitude", backbone::measure)?;
        let glides = progress.step("glides", glide::measure)?;
        let strokes = progress.step("strokes", strokes::measure)?;
        Ok(Found {
            tables: [backbone::table(&backbones), glide::table(&glides), strokes::table(&strokes)].join("\n"),
            pictures: vec![
                ("amplitude", backbone::figure(&backbones)),
                ("glide", glide::figure(&glides)),
                ("strokes", strokes::figure(&strokes)?),
            ],
        })
    })
}

fn failed(reason: impl ToString) -> Error {
    Error::Compute { item: "the study of large amplitudes", reason: reason.to_string() }
}
