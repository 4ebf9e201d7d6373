//! A sound measured: the document of `ictus measure --json`.

use std::path::PathBuf;

use ictus_lab::measure::{Document, Question, Setup};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::lab::{json, told};
use crate::problem::problem;
use crate::scene::rate_of;
use crate::signals::interruptible;

/// Measures a file.
#[pyfunction]
pub fn measure_file(
    py: Python<'_>,
    path: PathBuf,
    start: &str,
    stop: Option<&str>,
    partials: &str,
    range: &str,
) -> PyResult<String> {
    let setup = Setup::of(&Question { from: start, to: stop, partials, range }).map_err(told)?;
    let answer = interruptible(py, move |_| setup.file(&path))?.map_err(problem)?;
    json(&Document::of(&answer))
}

/// Measures samples, (channels, frames), at a rate in Hz.
#[pyfunction]
pub fn measure_samples(
    py: Python<'_>,
    sound: PyReadonlyArray2<'_, f64>,
    rate: f64,
    start: &str,
    stop: Option<&str>,
    partials: &str,
    range: &str,
) -> PyResult<String> {
    let setup = Setup::of(&Question { from: start, to: stop, partials, range }).map_err(told)?;
    let rate = rate_of(rate)? as u32;
    let channels: Vec<Vec<f64>> = sound.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
    let answer = interruptible(py, move |_| setup.samples(channels, rate))?;
    let answer = answer.map_err(|reason| problem(format!("the sound cannot be measured: {reason}")))?;
    json(&Document::of(&answer))
}
