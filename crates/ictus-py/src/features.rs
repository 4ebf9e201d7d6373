//! Measures of sounds, many at a time: each row of a matrix is one sound. What a sound does not have is NaN.

use std::num::NonZeroUsize;

use ictus_analysis::{
    AnalysisError, Features, FitRange, ForceContacts, Framing, PitchRange, Weighting, average_centroid,
    contacts_from_force, decay_time, fundamental, partial_near,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::prelude::*;

use crate::problem::{problem, refused};
use crate::signals::{Deserted, interruptible};

/// One number for each sound.
type Measures = Py<PyArray1<f64>>;

/// Measures every row, on all cores.
fn measured(
    py: Python<'_>,
    sounds: &PyReadonlyArray2<'_, f64>,
    measure: impl Fn(&[f64]) -> Result<Option<f64>, AnalysisError> + Send + Sync + 'static,
) -> PyResult<Measures> {
    let values = on_all_cores(py, channels(sounds), move |row| Ok(measure(row)?.unwrap_or(f64::NAN)))?;
    Ok(PyArray1::from_vec(py, values).unbind())
}

/// Measures every sound, until the user wants to stop.
fn on_all_cores<T: Send + Sync + 'static, M: Clone + Send + 'static>(
    py: Python<'_>,
    sounds: Vec<T>,
    measure: impl Fn(&T) -> Result<M, AnalysisError> + Send + Sync + 'static,
) -> PyResult<Vec<M>> {
    interruptible(py, move |deserted| divided(&sounds, measure, deserted))?.map_err(problem)
}

fn divided<T: Sync, M: Clone + Send>(
    sounds: &[T],
    measure: impl Fn(&T) -> Result<M, AnalysisError> + Sync,
    deserted: &Deserted,
) -> Result<Vec<M>, String> {
    let one = |(number, sound): (usize, &T)| {
        if deserted.is_so() {
            return Err("nobody waits for it".to_owned());
        }
        measure(sound).map_err(|error| match sounds.len() {
            1 => error.to_string(),
            _ => format!("sound number {number}: {error}"),
        })
    };
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = sounds.len().div_ceil(cores).max(1);
    if sounds.len() <= 1 || cores == 1 {
        return sounds.iter().enumerate().map(one).collect();
    }
    let numbered: Vec<(usize, &T)> = sounds.iter().enumerate().collect();
    let parts: Vec<Result<Vec<M>, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            numbered.chunks(share).map(|part| scope.spawn(|| part.iter().copied().map(one).collect())).collect();
        let died = |_| Err("a measurement could not be made".to_owned());
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(died)).collect()
    });
    parts.into_iter().collect::<Result<Vec<Vec<M>>, String>>().map(|parts| parts.concat())
}

/// Names of what [`features`] measures.
#[pyfunction]
pub fn feature_names() -> Vec<&'static str> {
    Features::ALL.iter().map(|(name, _, _)| *name).collect()
}

/// The features of sounds (channels, frames), each with its rate in Hz, as the rows of a sweep have them: (sounds, features).
#[pyfunction]
pub fn features(
    py: Python<'_>,
    sounds: Vec<PyReadonlyArray2<'_, f64>>,
    rates: Vec<f64>,
) -> PyResult<Py<PyArray2<f64>>> {
    let owned: Vec<(Vec<Vec<f64>>, f64)> = sounds.iter().map(channels).zip(rates).collect();
    let rows = on_all_cores(py, owned, |(channels, rate)| {
        Ok(Features::of(&slices(channels), *rate)?.values().map(|value| value.unwrap_or(f64::NAN)))
    })?;
    let count = rows.len();
    Ok(PyArray1::from_vec(py, rows.concat()).reshape([count, Features::ALL.len()])?.unbind())
}

/// The mean of a sound's channels from its onset on, which is what features are measured of.
#[pyfunction]
pub fn mean_from_onset(py: Python<'_>, sound: PyReadonlyArray2<'_, f64>) -> PyResult<Measures> {
    let channels = channels(&sound);
    let mean = py.detach(|| ictus_analysis::mean_from_onset(&slices(&channels))).map_err(problem)?;
    Ok(PyArray1::from_vec(py, mean).unbind())
}

fn channels(sound: &PyReadonlyArray2<'_, f64>) -> Vec<Vec<f64>> {
    sound.as_array().rows().into_iter().map(|row| row.to_vec()).collect()
}

fn slices(channels: &[Vec<f64>]) -> Vec<&[f64]> {
    channels.iter().map(Vec::as_slice).collect()
}

/// Mean spectral centroid in Hz of the first 100 ms.
#[pyfunction]
pub fn centroid(py: Python<'_>, sounds: PyReadonlyArray2<'_, f64>, rate: f64, power: bool) -> PyResult<Measures> {
    let weighting = if power { Weighting::Power } else { Weighting::Amplitude };
    measured(py, &sounds, move |sound| average_centroid(sound, rate, Framing::default(), weighting))
}

/// Fundamental frequency in Hz.
#[pyfunction]
pub fn pitch(
    py: Python<'_>,
    sounds: PyReadonlyArray2<'_, f64>,
    rate: f64,
    lowest: f64,
    highest: f64,
) -> PyResult<Measures> {
    let range = PitchRange { lowest, highest };
    measured(py, &sounds, move |sound| Ok(fundamental(sound, rate, range)?.map(|pitch| pitch.frequency)))
}

/// Frequency in Hz of the partial nearest to one that is expected, within so many cents.
#[pyfunction]
pub fn partial(
    py: Python<'_>,
    sounds: PyReadonlyArray2<'_, f64>,
    rate: f64,
    expected: f64,
    within: f64,
) -> PyResult<Measures> {
    measured(
        py,
        &sounds,
        move |sound| Ok(partial_near(sound, rate, expected, within)?.map(|partial| partial.frequency)),
    )
}

/// Time in s in which the sound falls by 60 dB.
#[pyfunction]
pub fn t60(py: Python<'_>, sounds: PyReadonlyArray2<'_, f64>, rate: f64, upper: f64, lower: f64) -> PyResult<Measures> {
    let range = FitRange { upper, lower };
    measured(py, &sounds, move |sound| decay_time(sound, rate, range))
}

/// Integrated loudness in LUFS of sounds of one or two channels: (sounds, channels, frames).
#[pyfunction]
pub fn loudness(py: Python<'_>, sounds: PyReadonlyArray3<'_, f64>, rate: f64) -> PyResult<Measures> {
    let sounds = sounds.as_array();
    if !(1..=2).contains(&sounds.shape()[1]) {
        return Err(refused("the number of channels", sounds.shape()[1], "must be 1 or 2"));
    }
    let owned: Vec<Vec<Vec<f64>>> =
        sounds.outer_iter().map(|sound| sound.rows().into_iter().map(|row| row.to_vec()).collect()).collect();
    let values = on_all_cores(py, owned, move |channels| {
        Ok(ictus_analysis::loudness(&slices(channels), rate)?.integrated.unwrap_or(f64::NAN))
    })?;
    Ok(PyArray1::from_vec(py, values).unbind())
}

/// Duration in s of the first contact in a force over time.
#[pyfunction]
pub fn contact_times(
    py: Python<'_>,
    forces: PyReadonlyArray2<'_, f64>,
    rate: f64,
    threshold: f64,
    exponent: f64,
) -> PyResult<Measures> {
    let settings = ForceContacts { threshold, exponent };
    measured(py, &forces, move |force| {
        // The velocity only tells how fast things met, which is not asked.
        let velocity = vec![0.0; force.len()];
        let contacts = contacts_from_force(force, &velocity, rate, settings)?;
        Ok(contacts.iter().find(|contact| contact.whole).map(|contact| contact.duration()))
    })
}
