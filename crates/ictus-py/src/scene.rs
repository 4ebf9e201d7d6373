//! A scene: its text and what was changed, read and checked.

use std::path::PathBuf;
use std::sync::Arc;

use ictus_render::cost;
use ictus_render::gallery::{self as shelf, GALLERY};
use ictus_scene::parameters::Scale;
use ictus_scene::tools::TOOLS;
use ictus_scene::{OBJECTS, Problem, Problems, Reading, Source};
use pyo3::prelude::*;

use crate::instrument::Instrument;
use crate::problem::{positive, problem, refused, scene_problem};
use crate::render::{Asked, Rendered, render};

/// Path, label, unit, least and largest value, scale, value and whether it is live, of a parameter.
type ParameterRow = (String, String, String, f64, f64, &'static str, f64, bool);

/// Name, kind, modes, grid points and nanoseconds of a step, of an object.
type CostRow = (String, &'static str, Option<usize>, Option<usize>, f64);

/// A scene as it was read. It never changes.
#[pyclass(frozen, module = "ictus._ictus")]
pub struct Scene {
    source: Source,
    changes: Vec<(String, String)>,
    scene: Arc<ictus_scene::Scene>,
}

impl Scene {
    /// The scene read anew, where a rate in Hz, a duration in s or a seed differ from what it says.
    pub fn read(
        &self,
        py: Python<'_>,
        rate: Option<f64>,
        duration: Option<f64>,
        seed: Option<u64>,
    ) -> PyResult<Arc<ictus_scene::Scene>> {
        if rate.is_none() && duration.is_none() && seed.is_none() {
            return Ok(self.scene.clone());
        }
        let read = py.detach(|| ictus_scene::read(&self.source, &self.reading(rate, duration, seed)));
        read.map(Arc::new).map_err(|problems: Problems| scene_problem(py, &problems))
    }

    /// How it was read, or is read for another rate in Hz, duration in s or seed.
    pub fn reading(&self, rate: Option<f64>, duration: Option<f64>, seed: Option<u64>) -> Reading {
        Reading { rate, seed, duration, overrides: self.changes.clone() }
    }

    /// Which of the values that were set are not heard in a scene that was read so, and why.
    pub fn unheard(&self, scene: &ictus_scene::Scene, reading: &Reading) -> Vec<String> {
        let told = |warning: Problem| format!("{}: {}", self.source.name, warning.into_sentence());
        ictus_scene::unheard_values(scene, &self.source, reading).into_iter().map(told).collect()
    }

    /// Why a scene read from this text will be silent, if it will.
    pub fn silence(&self, scene: &ictus_scene::Scene) -> Vec<String> {
        let told = |warning: Problem| {
            let Problem { message, help, line, column, .. } = warning;
            let help = if help.is_empty() { String::new() } else { format!(" ({help})") };
            format!("{}:{line}:{column}: the sound will be silent: {message}{help}", self.source.name)
        };
        ictus_scene::warnings(scene, &self.source).into_iter().map(told).collect()
    }

    /// What the scene is called in messages.
    pub fn called(&self) -> &str {
        &self.source.name
    }
}

#[pymethods]
impl Scene {
    /// Reads a text; `changes` are paths and values as they would be written.
    #[new]
    fn new(py: Python<'_>, name: String, text: String, changes: Vec<(String, String)>) -> PyResult<Self> {
        let source = Source::new(name, text);
        let reading = Reading { overrides: changes.clone(), ..Reading::default() };
        let read = py.detach(|| ictus_scene::read(&source, &reading));
        let scene = read.map_err(|problems| scene_problem(py, &problems))?;
        Ok(Self { source, changes, scene: Arc::new(scene) })
    }

    #[getter]
    fn title(&self) -> &str {
        &self.scene.title
    }

    #[getter]
    fn about(&self) -> &str {
        &self.scene.about
    }

    #[getter]
    fn duration(&self) -> f64 {
        self.scene.duration
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.scene.seed
    }

    #[getter]
    fn rate(&self) -> f64 {
        self.scene.model.rate
    }

    #[getter]
    fn channels(&self) -> usize {
        self.scene.model.pickups.first().map_or(1, |pickup| pickup.gains.len())
    }

    /// The text as it was given.
    #[getter]
    fn original(&self) -> &str {
        &self.source.text
    }

    /// The scene as a text that reads back to the same scene, changes and all.
    fn written(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| ictus_scene::write(&self.scene)).map_err(problem)
    }

    /// Names of objects, contacts and exciters.
    #[getter]
    fn objects(&self) -> Vec<String> {
        self.scene.model.objects.iter().map(|object| object.name.clone()).collect()
    }

    #[getter]
    fn contacts(&self) -> Vec<String> {
        self.scene.model.interactions.iter().map(|contact| contact.name.clone()).collect()
    }

    #[getter]
    fn exciters(&self) -> Vec<String> {
        self.scene.exciters.iter().map(|exciter| exciter.name.clone()).collect()
    }

    fn parameters(&self, py: Python<'_>) -> Vec<ParameterRow> {
        let all = py.detach(|| self.scene.parameters());
        let row = |info: ictus_scene::parameters::ParameterInfo| {
            let scale = match info.scale {
                Scale::Linear => "linear",
                Scale::Logarithmic => "log",
            };
            let [low, high] = info.range;
            (info.path, info.label, info.unit, low, high, scale, info.default, info.live)
        };
        all.into_iter().map(row).collect()
    }

    /// Why it will be silent, if it will, and what was set for nothing.
    fn warnings(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| {
            let mut warnings = self.silence(&self.scene);
            warnings.extend(self.unheard(&self.scene, &self.reading(None, None, None)));
            warnings
        })
    }

    /// The whole path of one without the name of its set, if it is such a one.
    fn whole_path(&self, path: &str) -> Option<String> {
        self.scene.whole_path(path)
    }

    /// What the objects cost at the scene's rate, measured.
    fn costs(&self, py: Python<'_>) -> Vec<CostRow> {
        let costs = py.detach(|| cost::of_objects(&self.scene.model));
        costs.into_iter().map(|cost| (cost.name, cost.kind, cost.modes, cost.points, cost.nanoseconds)).collect()
    }

    #[pyo3(signature = (rate, duration, seed, oversample, tail, account, forces))]
    #[expect(clippy::too_many_arguments, reason = "the options of a render, named in Python")]
    fn render(
        &self,
        py: Python<'_>,
        rate: Option<f64>,
        duration: Option<f64>,
        seed: Option<i128>,
        oversample: usize,
        tail: f64,
        account: bool,
        forces: bool,
    ) -> PyResult<Rendered> {
        let seed = seed.map(seed_of).transpose()?;
        let rate = rate.map(rate_of).transpose()?;
        let duration = duration.map(|duration| positive("duration", duration, "s")).transpose()?;
        render(py, self, &Asked { rate, duration, seed, oversample, tail, account, forces })
    }

    /// The scene at play, at a rate in Hz.
    fn instrument(&self, py: Python<'_>, rate: Option<f64>, seed: Option<i128>) -> PyResult<Instrument> {
        let (rate, seed) = (rate.map(rate_of).transpose()?, seed.map(seed_of).transpose()?);
        let scene = self.read(py, rate, None, seed)?;
        Instrument::of(py, scene)
    }
}

/// A rate in Hz that a sound can have.
pub fn rate_of(rate: f64) -> PyResult<f64> {
    ictus_render::whole_rate(rate).map(f64::from).map_err(|allowed| refused("sr", ictus::math::Plain(rate), allowed))
}

fn seed_of(seed: i128) -> PyResult<u64> {
    u64::try_from(seed).map_err(|_| refused("seed", seed, "must be a whole number from 0 to 18446744073709551615"))
}

/// Name and text of the scene that is meant by the name of one of the gallery's or by a path.
#[pyfunction]
pub fn find(py: Python<'_>, argument: PathBuf) -> PyResult<(String, String)> {
    let found = py.detach(|| shelf::find(&argument)).map_err(problem)?;
    Ok((found.source.name, found.source.text.to_string()))
}

/// Names and texts of the gallery's scenes.
#[pyfunction]
pub fn gallery() -> Vec<(&'static str, &'static str)> {
    GALLERY.to_vec()
}

/// The kinds of objects that a scene can have.
#[pyfunction]
pub fn object_kinds() -> Vec<&'static str> {
    OBJECTS.iter().map(|kind| kind.name).collect()
}

/// The kinds of tools that a scene can have.
#[pyfunction]
pub fn tool_kinds() -> Vec<&'static str> {
    TOOLS.iter().map(|entry| entry.info.name).collect()
}
