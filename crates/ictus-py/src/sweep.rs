//! Sweeps: plans, folders and chunks of the crate `ictus-sweep`. Python divides the work among threads or machines.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use ictus_sweep::{Folder, Plan, SweepError, Value, columns};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::problem::{problem, scene_problem};

/// A value of a parameter: a number in SI, or a text.
#[derive(IntoPyObject)]
pub enum Drawn {
    Number(f64),
    Text(String),
}

/// A sweep's error as an exception: what could not be written or read is an `OSError`, everything else a `Problem`.
fn raised(py: Python<'_>, error: SweepError) -> PyErr {
    match error {
        SweepError::Scene(problems) => scene_problem(py, &problems),
        error @ (SweepError::Write { .. } | SweepError::Read { .. } | SweepError::InUse { .. }) => {
            PyOSError::new_err(error.to_string())
        }
        error => problem(error),
    }
}

/// A plan, read and checked. It never changes.
#[pyclass(frozen, module = "ictus._ictus")]
pub struct SweepPlan(Plan);

#[pymethods]
impl SweepPlan {
    /// Reads a plan's text; the scene's file is looked for in the folder `beside`.
    #[new]
    fn new(py: Python<'_>, name: &str, text: &str, beside: PathBuf) -> PyResult<Self> {
        py.detach(|| Plan::read(name, text, &beside)).map(Self).map_err(|error| raised(py, error))
    }

    /// Reads a plan's file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| Plan::load(&path)).map(Self).map_err(|error| raised(py, error))
    }

    /// The plan as a text that needs no other file.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// What the scene is called.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn count(&self) -> u64 {
        self.0.count
    }

    /// SHA-256 of the plan and of the scene's text.
    #[getter]
    fn hashes(&self) -> (String, String) {
        (self.0.plan_hash(), self.0.scene_hash())
    }

    /// Paths of the parameters.
    #[getter]
    fn paths(&self) -> Vec<String> {
        self.0.axes.iter().map(|axis| axis.path.clone()).collect()
    }

    /// Names and units of the table's columns.
    #[getter]
    fn columns(&self) -> Vec<(String, String)> {
        columns(&self.0).into_iter().map(|column| (column.name, column.unit)).collect()
    }

    /// Seed and values of a point.
    fn point(&self, index: u64) -> PyResult<(u64, Vec<Drawn>)> {
        if index >= self.0.count {
            return Err(problem(format!("there is no point {index}: the plan has {} points", self.0.count)));
        }
        let point = self.0.point(index);
        let drawn = |value| match value {
            Value::Number(number) => Drawn::Number(number),
            Value::Text(text) => Drawn::Text(text),
        };
        Ok((point.seed, point.values.into_iter().map(drawn).collect()))
    }
}

/// A sweep's folder; until it is closed, no other sweep writes into it.
#[pyclass(frozen, module = "ictus._ictus")]
pub struct SweepFolder(Mutex<Option<Folder>>);

impl SweepFolder {
    fn with<T>(&self, ask: impl FnOnce(&Folder) -> T) -> PyResult<T> {
        let folder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        folder.as_ref().map(ask).ok_or_else(|| problem("the folder is closed"))
    }
}

#[pymethods]
impl SweepFolder {
    /// Opens a folder, or makes it.
    #[new]
    fn new(py: Python<'_>, plan: &SweepPlan, path: PathBuf) -> PyResult<Self> {
        let folder = py.detach(|| Folder::open(&plan.0, &path)).map_err(|error| raised(py, error))?;
        Ok(Self(Mutex::new(Some(folder))))
    }

    /// Number of chunks, and points of each.
    #[getter]
    fn chunks(&self) -> PyResult<(u64, u64)> {
        self.with(|folder| (folder.manifest().chunks(), folder.manifest().chunk))
    }

    /// The chunks that are still to be computed.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        py.detach(|| self.with(|folder| folder.missing().collect()))
    }

    /// How many points a chunk has.
    fn points_of(&self, chunk: u64) -> PyResult<u64> {
        self.with(|folder| {
            let points = folder.manifest().points_of(chunk);
            points.end - points.start
        })
    }

    /// Lets others in; once all chunks are there, tidies up.
    fn close(&self, py: Python<'_>) {
        let folder = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| {
            if let Some(folder) = folder
                && folder.missing().next().is_none()
            {
                folder.finish();
            }
        });
    }
}

/// Number of points of a chunk, how many of them failed, and number and message of the first that did.
type ChunkRow = (u64, u64, Option<(u64, String)>);

/// Computes a chunk of a sweep whose folder another process may have made.
#[pyfunction]
pub fn run_chunk(py: Python<'_>, plan: &SweepPlan, folder: PathBuf, chunk: u64) -> PyResult<ChunkRow> {
    let compute = |path: &Path| {
        let folder = Folder::look(&plan.0, path)?;
        ictus_sweep::run_chunk(&plan.0, &folder, chunk, &AtomicU64::new(0))
    };
    let report = py.detach(|| compute(&folder)).map_err(|error| raised(py, error))?;
    Ok((report.points, report.failed, report.first_failure))
}
