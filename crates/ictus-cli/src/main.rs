//! The `ictus` program: physical modelling of things that hit each other.
//!
//! Each subcommand is one module of [`commands`]. `--help` says what the exit codes mean and which variables of the environment count.

mod commands;
mod error;
mod gallery;
mod pictures;
mod sinks;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::Error;
use ictus_lab::{figures, options, papers, quantity, trials};

/// Things that hit each other, for sound.
#[derive(Parser)]
#[command(
    name = "ictus",
    version,
    about,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        ictus scenes                      the gallery of scenes\n  \
        ictus render hammered-string      one of them, to hammered-string.wav\n  \
        ictus sample marimba -o out       its notes for a sampler, as .sfz and .dspreset\n  \
        ictus new mine                    start a scene of your own\n  \
        ictus impact                      one mass, one wall, every scheme\n  \
        ictus impact --help               the options, with examples\n  \
        ictus design --help               find the contact for a contact time, a sound and a rebound\n  \
        ictus measure SOUND.wav           its partials, decays, levels\n  \
        ictus fit SOUND.wav -o mine.toml  an instrument from a recorded impact\n  \
        ictus schemes                     the schemes and their sources\n  \
        ictus repro all -o out            recompute the figures of the literature\n  \
        ictus sweep --help                a scene at thousands of points of its parameters\n\n\
        Exit codes:\n  \
        0  done\n  \
        1  the run failed: a file could not be written, the simulation diverged, or a statement of `repro` does not hold\n  \
        2  the command line, a scene, a MIDI file or a sound has a mistake\n  \
        After Ctrl-C a shell reports 130.\n\n\
        Environment:\n  \
        ICTUS_SIMD         highest level of vector instructions: sse2, sse4.2, avx2 or avx512 on x86 [default: the best available].\n                     \
        It does not change the sound\n  \
        RAYON_NUM_THREADS  number of scenes rendered at a time [default: the number of cores]\n  \
        NO_COLOR           set it to turn colours off"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Render(Box<commands::render::Args>),
    Sample(commands::sample::Args),
    Check(commands::check::Args),
    Show(commands::show::Args),
    New(commands::new::Args),
    Scenes(commands::scenes::Args),
    Impact(Box<commands::impact::Args>),
    Design(Box<commands::design::Args>),
    Measure(commands::measure::Args),
    Fit(commands::fit::Args),
    Schemes(commands::schemes::Args),
    Laws(commands::laws::Args),
    Play(commands::play::Args),
    Site(commands::site::Args),
    Study(commands::study::Args),
    Repro(commands::repro::Args),
    Sweep(commands::sweep::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => {
            // A reader that went away is no reason to fail.
            let _ = message.print();
            return ExitCode::from(if message.use_stderr() { Error::USAGE } else { 0 });
        }
    };
    let done = choose_level().and_then(|()| run(&cli.command));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error.print();
            ExitCode::from(error.exit_code())
        }
    }
}

/// The variable that names the level of vector instructions.
const SIMD: &str = "ICTUS_SIMD";

/// Uses the vector instructions that the environment asks for.
fn choose_level() -> Result<(), Error> {
    let Some(name) = std::env::var_os(SIMD).filter(|name| !name.is_empty()) else { return Ok(()) };
    let name = name.to_string_lossy();
    ictus::simd::choose(&name).map_err(|reason| Error::option(SIMD, &name, reason.to_string()))
}

fn run(command: &Command) -> Result<(), Error> {
    match command {
        Command::Render(args) => commands::render::execute(args),
        Command::Sample(args) => commands::sample::execute(args),
        Command::Check(args) => commands::check::execute(args),
        Command::Show(args) => commands::show::execute(args),
        Command::New(args) => commands::new::execute(args),
        Command::Scenes(args) => commands::scenes::execute(args),
        Command::Impact(args) => commands::impact::execute(args),
        Command::Design(args) => commands::design::execute(args),
        Command::Measure(args) => commands::measure::execute(args),
        Command::Fit(args) => commands::fit::execute(args),
        Command::Schemes(args) => commands::schemes::execute(args),
        Command::Laws(args) => commands::laws::execute(args),
        Command::Play(args) => commands::play::execute(args),
        Command::Site(args) => commands::site::execute(args),
        Command::Study(args) => commands::study::execute(args),
        Command::Repro(args) => commands::repro::execute(args),
        Command::Sweep(args) => commands::sweep::execute(args),
    }
}
