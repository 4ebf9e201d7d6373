//! Rendering in memory: the samples of `ictus render`, to the bit, and what happened beside them.

use ictus_analysis::LoudnessMeter;
use ictus_render::report::{Contact, Facts, Report, contacts, open_account};
use ictus_render::{Account, Extent, Forces, Performance, Played, RenderError, Watch};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::problem::{Breakdown, problem, refused};
use crate::scene::Scene;
use crate::signals::Signals;

/// Multiples of the rate that sound is filtered down from.
const MULTIPLES: [usize; 4] = [1, 2, 4, 8];
/// Fields of an energy account: time, stored, hammers, dissipated, supplied, initial, residual.
const ENERGIES: usize = 7;
/// Numbers of a contact: start, end, touch, release, v_in, v_out, peak force.
pub const TOUCHES: usize = 7;

/// What is asked for.
pub struct Asked {
    pub rate: Option<f64>,
    pub duration: Option<f64>,
    pub seed: Option<u64>,
    pub oversample: usize,
    pub tail: f64,
    pub account: bool,
    pub forces: bool,
}

/// The sound (channels, frames); the rate in Hz; the report as JSON; energy accounts; contacts: numbers of interactions, and
/// their values; forces over time: span in s, and (interactions, spans).
pub type Rendered = (
    Py<PyArray2<f32>>,
    u32,
    String,
    Py<PyArray2<f64>>,
    Py<PyArray1<i64>>,
    Py<PyArray2<f64>>,
    Option<(f64, Py<PyArray2<f64>>)>,
);

/// What a render leaves, before Python sees it.
struct Heard {
    samples: Vec<f32>,
    channels: usize,
    frames: usize,
    report: String,
    played: Played,
    touches: Vec<f64>,
}

/// Renders a scene.
pub fn render(py: Python<'_>, scene: &Scene, asked: &Asked) -> PyResult<Rendered> {
    let Asked { rate, duration, seed, oversample, tail, .. } = *asked;
    if !MULTIPLES.contains(&oversample) {
        return Err(refused("oversample", oversample, "must be 1, 2, 4 or 8"));
    }
    if !(tail >= 0.0 && tail.is_finite()) {
        return Err(refused("tail", ictus::math::Plain(tail), "must be a finite number, 0 or above (s)"));
    }
    let mut read = scene.read(py, rate, duration, seed)?;
    let scene_rate = read.model.rate;
    // Before the scene is read a second time, for a rate that may be eight times as high.
    let extent = Extent::of(&read, scene.called(), scene_rate, tail, Extent::LARGEST).map_err(failed)?;
    if oversample > 1 {
        read = scene.read(py, Some(scene_rate * oversample as f64), duration, seed)?;
    }
    let heard = py.detach(|| play(&read, extent, asked, scene))?;
    let Heard { samples, channels, frames, report, played, touches } = heard;
    let audio = PyArray1::from_vec(py, samples).reshape([channels, frames])?.unbind();
    let energies = matrix(py, played.energies.iter().flat_map(account_row).collect(), ENERGIES)?;
    let numbers = played.contacts.listed.iter().map(|contact| contact.contact.index() as i64).collect();
    let forces = played.forces.as_ref().map(|forces| force_matrix(py, forces)).transpose()?;
    Ok((
        audio,
        extent.rate,
        report,
        energies,
        PyArray1::from_vec(py, numbers).unbind(),
        matrix(py, touches, TOUCHES)?,
        forces,
    ))
}

fn matrix(py: Python<'_>, values: Vec<f64>, columns: usize) -> PyResult<Py<PyArray2<f64>>> {
    let rows = values.len() / columns;
    Ok(PyArray1::from_vec(py, values).reshape([rows, columns])?.unbind())
}

fn force_matrix(py: Python<'_>, forces: &Forces) -> PyResult<(f64, Py<PyArray2<f64>>)> {
    let spans = forces.all.first().map_or(0, |force| force.spans.len());
    let values: Vec<f64> = forces.all.iter().flat_map(|force| force.spans.iter().copied()).collect();
    Ok((forces.span(), PyArray1::from_vec(py, values).reshape([forces.all.len(), spans])?.unbind()))
}

fn touch(contact: Contact<'_>) -> [f64; TOUCHES] {
    let Contact { start, end, touch, release, v_in, v_out, peak_force, .. } = contact;
    [start, end, touch, release, v_in, v_out, peak_force]
}

fn account_row(account: &Account) -> [f64; ENERGIES] {
    let Account { time, balance, hammers } = account;
    [*time, balance.stored, *hammers, balance.dissipated, balance.supplied, balance.initial, balance.residual()]
}

fn play(scene: &ictus_scene::Scene, extent: Extent, asked: &Asked, of: &Scene) -> PyResult<Heard> {
    let watch = Watch { account: asked.account, energies: asked.account, forces: asked.forces };
    let mut performance = Performance::new(scene, extent, asked.oversample, watch).map_err(failed)?;
    let channels = usize::from(extent.channels);
    let no_memory = |_| PyMemoryError::new_err("there is not enough memory for a sound of this length");
    let mut samples: Vec<f64> = Vec::new();
    samples.try_reserve(extent.longest().saturating_mul(channels)).map_err(no_memory)?;
    let mut signals = Signals::new();
    while let Some(block) = performance.next().map_err(failed)? {
        samples.try_reserve(block.len()).map_err(no_memory)?;
        samples.extend_from_slice(block);
        signals.look()?;
    }
    let played = performance.finish().map_err(failed)?;
    let frames = played.frames;
    samples.truncate(frames * channels);
    scene.output.fade_out(&mut samples, channels, f64::from(extent.rate), 0, frames as u64);
    let peak = samples.iter().fold(0.0, |peak: f64, sample| peak.max(sample.abs()));
    let lufs = LoudnessMeter::new(channels, f64::from(extent.rate)).ok().and_then(|mut meter| {
        meter.add(&samples).ok()?;
        meter.integrated().ok().flatten()
    });
    let reading = of.reading(Some(scene.model.rate), asked.duration, asked.seed);
    let mut warnings = warnings(scene, of, &played, peak);
    warnings.extend(of.unheard(scene, &reading));
    let facts = Facts {
        scene,
        extent,
        oversample: asked.oversample,
        notes: None,
        played: &played,
        gain: 1.0,
        peak,
        lufs,
        warnings: &warnings,
        lists_contacts: false,
        costs: None,
    };
    let report = serde_json::to_string(&Report::of(&facts)).map_err(problem)?;
    let touches = contacts(scene, &played).flat_map(touch).collect();
    let mut planar = Vec::new();
    planar.try_reserve(samples.len()).map_err(no_memory)?;
    for channel in 0..channels {
        planar.extend(samples.iter().skip(channel).step_by(channels).map(|sample| *sample as f32));
    }
    Ok(Heard { samples: planar, channels, frames, report, played, touches })
}

/// What the user should know: why it is silent, that the account is open, that it exceeds full scale.
fn warnings(scene: &ictus_scene::Scene, of: &Scene, played: &Played, peak: f64) -> Vec<String> {
    let mut warnings = of.silence(scene);
    warnings.extend(open_account(of.called(), played.energy.map(|account| account.balance.residual())));
    if peak > 1.0 {
        warnings.push(format!("{} exceeds full scale by {:.1} dB", of.called(), 20.0 * peak.log10()));
    }
    warnings
}

fn failed(error: RenderError) -> PyErr {
    match error {
        RenderError::Breakdown { .. } => Breakdown::new_err(format!("the scene could not be played: {error}")),
        other => problem(other),
    }
}
