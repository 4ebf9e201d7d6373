//! What can go wrong, as exceptions of the module `ictus`: what was given, what is allowed, what may have been meant.

use std::fmt::Display;

use ictus::math::Plain;
use ictus_scene::Problems;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

create_exception!(
    ictus,
    Problem,
    PyValueError,
    "What was asked for is not allowed or cannot be had; one sentence says why."
);
create_exception!(
    ictus,
    SceneProblem,
    Problem,
    "A scene's text is not right. The message shows the offending lines, underlined; `problems` lists them as dictionaries."
);
create_exception!(ictus, Breakdown, PyRuntimeError, "A simulation left the numbers: there is no result.");

/// Columns of the underlined lines.
const WIDTH: usize = 100;

/// A problem of one sentence.
pub fn problem(sentence: impl Display) -> PyErr {
    Problem::new_err(sentence.to_string())
}

/// An argument that is not allowed; `allowed` completes "… is …, but …".
pub fn refused(argument: &str, value: impl Display, allowed: impl Display) -> PyErr {
    problem(format!("{argument} is {value}, but {allowed}"))
}

/// A number above 0 that is finite.
pub fn positive(argument: &str, value: f64, unit: &str) -> PyResult<f64> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(refused(argument, Plain(value), format!("must be a finite number above 0 ({unit})")))
}

/// A number that is finite.
pub fn finite(argument: &str, value: f64, unit: &str) -> PyResult<f64> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(refused(argument, Plain(value), format!("must be a finite number ({unit})")))
}

/// All that is wrong with a scene, the offending lines underlined as the program shows them.
pub fn scene_problem(py: Python<'_>, problems: &Problems) -> PyErr {
    let rendered = problems.render(WIDTH, false);
    // The first line of the rendering says once more how many there are.
    let (_, details) = rendered.split_once('\n').unwrap_or(("", &rendered));
    // What the program calls its option is called the same without dashes here.
    let message = format!("{problems}\n{}", details.trim_end()).replace("--set ", "set ");
    let error = SceneProblem::new_err(message);
    let listed = || -> PyResult<()> {
        let list = PyList::empty(py);
        for problem in problems {
            let entry = PyDict::new(py);
            entry.set_item("message", problem.message.replace("--set ", "set "))?;
            entry.set_item("help", &problem.help)?;
            entry.set_item("line", problem.line)?;
            entry.set_item("column", problem.column)?;
            list.append(entry)?;
        }
        error.value(py).setattr("problems", list)
    };
    match listed() {
        Ok(()) => error,
        Err(other) => other,
    }
}
