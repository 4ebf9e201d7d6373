//! From a scene's text to an instrument on stage, and what the page is told of it.

use ictus_scene::{Reading, Source, read};

use crate::protocol::{Problem, Reply};
use crate::stage::Stage;

/// Reads a scene and sets it up at a rate in Hz. `name` is what it is asked for by.
///
/// # Errors
/// All that is wrong with it.
pub fn build(name: &str, source: &Source, rate: f64) -> Result<Box<Stage>, Vec<Problem>> {
    build_tuned(name, source, rate, &[])
}

/// The same with its keys tuned so far from equal temperament, in cents: all 128, or none for what the scene says.
///
/// # Errors
/// As of [`build`].
pub fn build_tuned(name: &str, source: &Source, rate: f64, cents: &[f64]) -> Result<Box<Stage>, Vec<Problem>> {
    let told = |problems: ictus_scene::Problems| problems.iter().map(Problem::from).collect::<Vec<_>>();
    let options = Reading { rate: Some(rate), ..Reading::default() };
    let mut scene = read(source, &options).map_err(told)?;
    // What has no keys has nothing to tune.
    if !cents.is_empty() && scene.notes.is_some() {
        let overrides = vec![("notes.cents".to_owned(), format!("{cents:?}"))];
        scene = read(source, &Reading { overrides, ..options }).map_err(told)?;
    }
    let stage = Stage::new(name, &scene).map_err(|message| vec![Problem::plain(message)])?;
    Ok(Box::new(stage))
}

/// What became of a wish for a scene.
pub struct Built {
    /// The instrument; none if there are problems.
    pub stage: Option<Box<Stage>>,
    /// What the page is told: the instrument's description, or the problems.
    pub told: Reply,
}

impl Built {
    /// The instrument of this number, or the problems of a scene.
    pub fn new(scene: &str, generation: u16, outcome: Result<Box<Stage>, Vec<Problem>>) -> Self {
        match outcome {
            Ok(stage) => {
                let mut description = stage.describe();
                description.generation = generation;
                Self { stage: Some(stage), told: Reply::Instrument(Box::new(description)) }
            }
            Err(problems) => Self { stage: None, told: Reply::Problems { scene: scene.to_owned(), problems } },
        }
    }
}

/// The title of a scene without reading the whole of it.
pub fn title(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("title")?.trim_start().strip_prefix('='))?;
    let title = line.trim().strip_prefix('"')?.split('"').next()?;
    Some(title.to_owned())
}

impl From<&ictus_scene::Problem> for Problem {
    fn from(problem: &ictus_scene::Problem) -> Self {
        Self {
            message: problem.message.clone(),
            help: problem.help.clone(),
            line: problem.line,
            column: problem.column,
            length: problem.length,
        }
    }
}
