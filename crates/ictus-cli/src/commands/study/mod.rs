//! `ictus study`: the measurements behind a choice, computed anew.
//!
//! A study writes its tables and its pictures into a directory. Where the page there already holds
//! prose, only the part between its markers is replaced (see [`page`]).

mod bodies;
mod felt;
mod fit;
mod folder;
mod friction;
mod large;
mod page;
mod secant;

use clap::Subcommand;

use crate::error::Error;

/// Compute a study: its tables and its pictures
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ictus study bodies -o out\n  ictus study fit -o out\n  ictus study secant -o out")]
pub struct Args {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand)]
enum Subject {
    Bodies(bodies::Args),
    Felt(felt::Args),
    Fit(fit::Args),
    Friction(friction::Args),
    Large(large::Args),
    Secant(secant::Args),
}

/// Computes the study.
pub fn execute(args: &Args) -> Result<(), Error> {
    match &args.subject {
        Subject::Bodies(args) => bodies::execute(args),
        Subject::Felt(args) => felt::execute(args),
        Subject::Fit(args) => fit::execute(args),
        Subject::Friction(args) => friction::execute(args),
        Subject::Large(args) => large::execute(args),
        Subject::Secant(args) => secant::execute(args),
    }
}
