//! Measures of sounds, many at a time: each row of a matrix is one sound. What a sound does not have is NaN.

use std::num::NonZeroUsize;

use ictus_analysis::{
    AnalysisError, FitRange, ForceContacts, Framing, PitchRange, Weighting, average_centroid, contacts_from_force,
    decay_time, fundamental, partial_near,
};
use numpy::{PyArray1, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::prelude::*;

use crate::problem::{problem, refused};

/// One number for each sound.
type Measures = Py<PyArray1<f64>>;

/// Measures every row, on all cores.
fn measured(
    py: Python<'_>,
    sounds: &PyReadonlyArray2<'_, f64>,
    measure: impl Fn(&[f64]) -> Result<Option<f64>, AnalysisError> + Sync,
) -> PyResult<Measures> {
    let sounds = sounds.as_array();
    let rows: Vec<Vec<f64>> = sounds.rows().into_iter().map(|row| row.to_vec()).collect();
    let values = py.detach(|| on_all_cores(&rows, |row| measure(row)))?;
    Ok(PyArray1::from_vec(py, values).unbind())
}

fn on_all_cores<T: Sync>(
    sounds: &[T],
    measure: impl Fn(&T) -> Result<Option<f64>, AnalysisError> + Sync,
) -> PyResult<Vec<f64>> {
    let one = |(number, sound): (usize, &T)| match measure(sound) {
        Ok(value) => Ok(value.unwrap_or(f64::NAN)),
        Err(error) if sounds.len() == 1 => Err(problem(error)),
        Err(error) => Err(problem(format!("sound number {number}: {error}"))),
    };
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = sounds.len().div_ceil(cores).max(1);
    if sounds.len() <= 1 || cores == 1 {
        return sounds.iter().enumerate().map(one).collect();
    }
    let numbered: Vec<(usize, &T)> = sounds.iter().enumerate().collect();
    let parts: Vec<PyResult<Vec<f64>>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            numbered.chunks(share).map(|part| scope.spawn(|| part.iter().copied().map(one).collect())).collect();
        let died = |_| Err(problem("a measurement could not be made"));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(died)).collect()
    });
    parts.into_iter().collect::<PyResult<Vec<Vec<f64>>>>().map(|parts| parts.concat())
}

/// Mean spectral centroid in Hz of the first 100 ms.
#[pyfunction]
pub fn centroid(py: Python<'_>, sounds: PyReadonlyArray2<'_, f64>, rate: f64, power: bool) -> PyResult<Measures> {
    let weighting = if power { Weighting::Power } else { Weighting::Amplitude };
    measured(py, &sounds, |sound| average_centroid(sound, rate, Framing::default(), weighting))
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
    measured(py, &sounds, |sound| Ok(fundamental(sound, rate, range)?.map(|pitch| pitch.frequency)))
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
    measured(py, &sounds, |sound| Ok(partial_near(sound, rate, expected, within)?.map(|partial| partial.frequency)))
}

/// Time in s in which the sound falls by 60 dB.
#[pyfunction]
pub fn t60(py: Python<'_>, sounds: PyReadonlyArray2<'_, f64>, rate: f64, upper: f64, lower: f64) -> PyResult<Measures> {
    let range = FitRange { upper, lower };
    measured(py, &sounds, |sound| decay_time(sound, rate, range))
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
    let values = py.detach(|| {
        on_all_cores(&owned, |channels| {
            let channels: Vec<&[f64]> = channels.iter().map(Vec::as_slice).collect();
            Ok(ictus_analysis::loudness(&channels, rate)?.integrated)
        })
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
    measured(py, &forces, |force| {
        // The velocity only tells how fast things met, which is not asked.
        let velocity = vec![0.0; force.len()];
        let contacts = contacts_from_force(force, &velocity, rate, settings)?;
        Ok(contacts.iter().find(|contact| contact.whole).map(|contact| contact.duration()))
    })
}
