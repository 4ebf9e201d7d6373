//! What can go wrong, and how it is told: one sentence, on standard error.
//!
//! A user's mistake names the option, its value and what is allowed, and ends the program with code 2; a run
//! that could not be finished ends it with code 1.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use ictus_lab::Refusal;
pub use ictus_lab::shown;
use ictus_scene::{Problem, Problems};
use ictus_sweep::SweepError;

/// Why the program stops.
#[derive(Debug)]
pub enum Error {
    /// The value of an option is not allowed.
    Option {
        /// The option as typed, `--mass`.
        option: &'static str,
        /// The value as typed.
        value: String,
        /// What is allowed: completes "… is …, but …".
        allowed: String,
        /// What was probably meant.
        suggestion: Option<String>,
    },
    /// A file could not be written.
    Write {
        /// The option that named the file.
        option: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Standard output could not be written.
    Output(io::Error),
    /// The picture could not be drawn.
    Draw(String),
    /// What is wrong with a scene's text.
    Scene(Box<Problems>),
    /// A file to read, or what is in it, is not what it should be: a whole sentence.
    Input(String),
    /// A recording is nothing that can be fitted: a whole sentence.
    Unfit(String),
    /// A name that is neither a file nor a scene of the gallery.
    UnknownScene {
        /// The name as typed.
        name: String,
        /// What was probably meant.
        suggestion: Option<String>,
    },
    /// A sound could not be encoded.
    Encode {
        /// The file it was for.
        path: PathBuf,
        /// What the encoder said.
        reason: String,
    },
    /// A scene could not be played to its end.
    Run {
        /// What the scene is called.
        scene: String,
        /// What happened: completes "… could not be played: …".
        reason: String,
    },
    /// What has been told in the results already; the exit code is all that is left.
    Told(u8),
    /// Several of these.
    Several(Vec<Error>),
    /// A table or figure of a source could not be computed.
    Compute {
        /// Its name.
        item: &'static str,
        /// Why.
        reason: String,
    },
    /// Statements of the sources do not hold of what was computed.
    Disagrees {
        /// How many.
        failed: usize,
        /// Of how many.
        total: usize,
    },
    /// A sweep cannot be, or could not be written.
    Sweep(Box<SweepError>),
    /// Nothing could be served.
    Serve(io::Error),
    /// An error whose sentence is followed by what there is to choose from.
    Listed {
        /// The error.
        error: Box<Error>,
        /// What there is, in lines.
        list: String,
    },
}

impl Error {
    /// Exit code of a user's mistake.
    pub const USAGE: u8 = 2;

    /// A value that is not allowed, without a suggestion.
    pub fn option(option: &'static str, value: impl fmt::Display, allowed: impl Into<String>) -> Self {
        Self::Option { option, value: value.to_string(), allowed: allowed.into(), suggestion: None }
    }

    /// A file that could not be written.
    pub fn write(option: &'static str, path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Write { option, path: path.to_owned(), source: source.into() }
    }

    /// The program's exit code: 2 for a user's mistake, 1 for a run that failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Option { .. } | Self::Scene(_) | Self::Input(_) | Self::UnknownScene { .. } => Self::USAGE,
            Self::Write { .. } | Self::Output(_) | Self::Draw(_) | Self::Encode { .. } | Self::Run { .. } => 1,
            Self::Compute { .. } | Self::Disagrees { .. } | Self::Serve(_) | Self::Unfit(_) => 1,
            Self::Told(code) => *code,
            Self::Sweep(error) => {
                if error.is_mistake() {
                    Self::USAGE
                } else {
                    1
                }
            }
            Self::Listed { error, .. } => error.exit_code(),
            Self::Several(errors) => errors.iter().map(Self::exit_code).max().unwrap_or(1),
        }
    }

    /// All errors as one, if there are any.
    pub fn all(mut errors: Vec<Self>) -> Result<(), Self> {
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Self::Several(errors)),
        }
    }

    /// Tells the user, in the look of the command line parser's own messages.
    pub fn print(&self) {
        if let Self::Several(errors) = self {
            return errors.iter().for_each(Self::print);
        }
        if let Self::Told(_) = self {
            return;
        }
        let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        // Nothing is left to be done when standard error is gone too.
        let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {self}");
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option { option, value, allowed, suggestion } => {
                write!(out, "{option} is {}, but {allowed}", shown(value))?;
                match suggestion {
                    Some(suggestion) => write!(out, "; did you mean {}?", shown(suggestion)),
                    None => Ok(()),
                }
            }
            Self::Write { option, path, source } => {
                write!(out, "{option} {path:?} could not be written: {source}")
            }
            Self::Output(source) => write!(out, "standard output could not be written: {source}"),
            Self::Sweep(error) => write!(out, "{error}"),
            Self::Serve(source) => write!(out, "the page could not be served: {source}"),
            Self::Draw(reason) => write!(out, "the picture could not be drawn: {reason}"),
            Self::Compute { item, reason } => write!(out, "{item} could not be computed: {reason}"),
            Self::Disagrees { failed, total } => {
                write!(out, "{failed} of {total} statements do not hold; index.html says which")
            }
            Self::Scene(problems) => {
                // The first line of the rendering says once more how many there are.
                let rendered = problems.render(WIDTH, true);
                let (_, details) = rendered.split_once('\n').unwrap_or(("", &rendered));
                write!(out, "{problems}\n{}", details.trim_end())
            }
            Self::Input(sentence) | Self::Unfit(sentence) => write!(out, "{sentence}"),
            Self::Listed { error, list } => write!(out, "{error}\n{}", list.trim_end()),
            Self::UnknownScene { name, suggestion } => {
                write!(out, "{} is neither a file nor a scene of the gallery", shown(name))?;
                match suggestion {
                    Some(suggestion) => write!(out, "; did you mean {}?", shown(suggestion)),
                    None => write!(out, "; `ictus scenes` lists the gallery"),
                }
            }
            Self::Encode { path, reason } => write!(out, "{path:?} could not be encoded: {reason}"),
            Self::Run { scene, reason } => write!(out, "{} could not be played: {reason}", shown(scene)),
            Self::Told(_) => write!(out, "see the results"),
            Self::Several(errors) => {
                let sentences: Vec<String> = errors.iter().map(Self::to_string).collect();
                write!(out, "{}", sentences.join("; "))
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<Refusal> for Error {
    fn from(Refusal { option, value, allowed, suggestion }: Refusal) -> Self {
        Self::Option { option, value, allowed, suggestion }
    }
}

/// Columns of a scene's underlined lines.
const WIDTH: usize = 100;

/// Tells the user something that does not stop the program, on standard error.
pub fn warn(sentence: &str) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
    let _ = writeln!(anstream::stderr(), "{style}warning:{style:#} {sentence}");
}

/// A reason why a scene will be silent, with its place in the text of this name.
pub fn told(source: &str, warning: &Problem) -> String {
    placed(source, warning, "the sound will be silent: ")
}

/// Something to be known of a scene that sounds all the same.
pub fn noted(source: &str, warning: &Problem) -> String {
    placed(source, warning, "")
}

fn placed(source: &str, Problem { message, help, line, column, .. }: &Problem, fact: &str) -> String {
    let help = if help.is_empty() { String::new() } else { format!(" ({help})") };
    // What was set has no place in the text.
    let place = if *line == 0 { String::new() } else { format!(":{line}:{column}") };
    format!("{}{place}: {fact}{message}{help}", shown(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_one_sentence_with_option_value_and_what_is_allowed() {
        let error = Error::option("--mass", "-1", "must be above 0");
        assert_eq!(error.to_string(), "--mass is -1, but must be above 0");
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn control_characters_of_a_value_do_not_reach_the_terminal() {
        let error = Error::option("--mass", "\u{1b}[31m", "must be above 0");
        assert!(!error.to_string().contains('\u{1b}'));
    }
}
