//! `ictus study`: the measurements behind a choice, computed anew.
//!
//! A study writes its tables, its picture and its raw numbers into a directory. Where the page there already holds
//! prose, only the part between its markers is replaced (see [`page`]).

mod page;
mod secant;

use clap::Subcommand;

use crate::error::Error;

/// Compute a study: its tables, its picture and its raw numbers
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ictus study secant -o out")]
pub struct Args {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand)]
enum Subject {
    Secant(secant::Args),
}

/// Computes the study.
pub fn execute(args: &Args) -> Result<(), Error> {
    match &args.subject {
        Subject::Secant(args) => secant::execute(args),
    }
}
