//! An instrument of recorded impacts: the question of `ictus fit`.

use std::path::PathBuf;

use ictus_lab::fit::{Answer, Document, Question, Setup};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::lab::{json, told};
use crate::problem::problem;
use crate::scene::rate_of;
use crate::signals::interruptible;

/// The document of `ictus fit --json`; the scene's text; and why the modes are not to be trusted, if they are not.
type Fitted = (String, String, Option<String>);

/// Numbers as they were typed: start, stop, modes, lowest, mass, mallet, velocity, exponent, restitution, least confidence; and whether
/// what the modes leave is kept.
type Asked = (String, Option<String>, String, String, Option<String>, String, String, String, String, String, bool);

fn setup(asked: &Asked) -> PyResult<Setup> {
    let (from, to, modes, lowest, mass, mallet, velocity, exponent, restitution, least, residual) = asked;
    let question = Question {
        from,
        to: to.as_deref(),
        modes,
        lowest,
        mass: mass.as_deref(),
        mallet,
        velocity,
        exponent,
        restitution,
        least,
        residual: *residual,
    };
    Setup::of(&question).map_err(told)
}

/// Fits one object to files.
#[pyfunction]
pub fn fit_files(py: Python<'_>, files: Vec<PathBuf>, asked: Asked) -> PyResult<Fitted> {
    let setup = setup(&asked)?;
    let answer = interruptible(py, move |_| setup.files(&files))?.map_err(|error| unfit(error.to_string()))?;
    fitted(&answer, &setup)
}

/// Fits one object to samples, mono, at a rate in Hz.
#[pyfunction]
pub fn fit_samples(
    py: Python<'_>,
    name: PathBuf,
    sounds: Vec<PyReadonlyArray1<'_, f64>>,
    rate: f64,
    asked: Asked,
) -> PyResult<Fitted> {
    let (setup, rate) = (setup(&asked)?, rate_of(rate)?);
    let takes: Vec<Vec<f64>> = sounds.iter().map(|sound| sound.as_array().to_vec()).collect();
    let several = takes.len() > 1;
    let answer = interruptible(py, move |_| setup.samples(vec![name], takes, rate))?;
    let answer = answer.map_err(|(number, reason)| match several {
        true => unfit(format!("sound number {number} cannot be fitted: {reason}")),
        false => unfit(format!("the sound cannot be fitted: {reason}")),
    })?;
    fitted(&answer, &setup)
}

/// Why there is no fit; options are arguments here.
fn unfit(reason: String) -> PyErr {
    problem(reason.replace("--mass", "mass").replace("--mallet", "mallet"))
}

fn fitted(answer: &Answer, setup: &Setup) -> PyResult<Fitted> {
    let (confidence, least) = (answer.fit.confidence, setup.least);
    let refusal = (confidence < least).then(|| {
        format!(
            "the modes explain {:.0} % of the sound, less than the {:.0} % of confidence: it is noise, music or no single impact",
            100.0 * confidence,
            100.0 * least
        )
    });
    Ok((json(&Document::of(answer))?, answer.scene(), refusal))
}
