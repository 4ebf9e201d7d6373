//! Impacts by every scheme, closed results, designs, and the figures of the literature: the questions of the command line.

use ictus::impact::exact::WallImpact;
use ictus::laws::HuntCrossley;
use ictus::math::Plain;
use ictus_lab::papers::report::Finished;
use ictus_lab::papers::{Cell, DataTable, SOURCES, run};
use ictus_lab::{Refusal, design as designs, impact as impacts};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::problem::{Problem, problem, refused};
use crate::signals::{Signals, interruptible};

/// Numbers of a sample: displacement, velocity, force, kinetic and potential energy.
const SAMPLE: usize = 5;
/// Closed results of an impact.
const CLOSED: usize = 8;

/// A document as JSON, and the samples of each scheme.
type Impact = (String, Vec<(&'static str, Py<PyArray2<f64>>)>);

/// A refusal in Python's words: options are arguments here.
pub fn told(refusal: Refusal) -> PyErr {
    in_python(&refusal.to_string())
}

/// A sentence in which `--contact-time` becomes `contact_time`.
fn in_python(sentence: &str) -> PyErr {
    // These two are words of the language.
    let sentence = sentence.replace("--from", "start").replace("--to ", "stop ");
    let mut parts = sentence.split("--");
    let mut words = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(part.len());
        words.push_str(&part[..end].replace('-', "_"));
        words.push_str(&part[end..]);
    }
    Problem::new_err(words)
}

pub fn json(document: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(document).map_err(problem)
}

/// Names, summaries, orders and sources of the schemes.
#[pyfunction]
pub fn schemes() -> Vec<(&'static str, &'static str, u32, &'static str)> {
    let row = |scheme: &ictus::impact::Scheme| (scheme.name, scheme.summary, scheme.order, scheme.source);
    ictus::impact::SCHEMES.iter().map(row).collect()
}

/// Names, formulas and sources of the contact laws.
#[pyfunction]
pub fn laws() -> Vec<(&'static str, &'static str, &'static str)> {
    ictus::laws::Law::ALL.iter().map(|law| (law.name, law.formula, law.source)).collect()
}

/// One impact by every scheme that is asked for: the document of `ictus impact --json`, and if they are wanted the samples of each scheme.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of an impact, named in Python")]
pub fn impact(
    py: Python<'_>,
    mass: &str,
    stiffness: &str,
    exponent: &str,
    dissipation: &str,
    velocity: &str,
    rate: &str,
    scheme: Vec<String>,
    phase: Option<&str>,
    gap: &str,
    gravity: &str,
    duration: Option<&str>,
    s: &str,
    trajectories: bool,
) -> PyResult<Impact> {
    let question = impacts::Question {
        mass,
        stiffness,
        exponent,
        dissipation,
        velocity,
        rate,
        scheme: &scheme,
        phase,
        gap,
        gravity,
        duration,
        s,
    };
    let ran = py.detach(|| -> PyResult<_> {
        let setup = impacts::Setup::of(&question).map_err(told)?;
        let mut signals = Signals::new();
        let (mut outcomes, mut tracks) = (Vec::new(), Vec::new());
        for scheme in &setup.schemes {
            let (outcome, samples) = setup.run(scheme);
            if trajectories {
                let row =
                    |of: &ictus::impact::Sample| [of.displacement, of.velocity, of.force, of.kinetic, of.potential];
                tracks.push((scheme.name, samples.iter().flat_map(row).collect::<Vec<f64>>()));
            }
            outcomes.push(outcome);
            signals.look()?;
        }
        Ok((json(&impacts::Document::of(&setup, &outcomes))?, tracks))
    });
    let (document, tracks) = ran?;
    let matrix = |(name, values): (&'static str, Vec<f64>)| {
        let rows = values.len() / SAMPLE;
        Ok((name, PyArray1::from_vec(py, values).reshape([rows, SAMPLE])?.unbind()))
    };
    Ok((document, tracks.into_iter().map(matrix).collect::<PyResult<_>>()?))
}

/// Closed results of impacts on a wall, a row each: mass, stiffness, exponent, dissipation and velocity in; maximum compression, output
/// velocity, its approximation, contact time, limit velocity, initial energy, final energy and restitution out.
#[pyfunction]
pub fn exact(py: Python<'_>, impacts: PyReadonlyArray2<'_, f64>) -> PyResult<Py<PyArray2<f64>>> {
    let rows: Vec<[f64; 5]> = impacts
        .as_array()
        .rows()
        .into_iter()
        .map(|row| std::array::from_fn(|index| row.get(index).copied().unwrap_or(f64::NAN)))
        .collect();
    let values = py.detach(|| -> PyResult<Vec<f64>> {
        let mut signals = Signals::new();
        let mut values = Vec::with_capacity(rows.len() * CLOSED);
        for row in &rows {
            values.extend(closed(row)?);
            signals.look()?;
        }
        Ok(values)
    })?;
    Ok(PyArray1::from_vec(py, values).reshape([rows.len(), CLOSED])?.unbind())
}

fn closed(&[mass, stiffness, exponent, dissipation, velocity]: &[f64; 5]) -> PyResult<[f64; CLOSED]> {
    for (name, value, unit) in [("mass", mass, "kg"), ("velocity", velocity, "m/s")] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(refused(name, Plain(value), format!("must be a finite number above 0 ({unit})")));
        }
    }
    HuntCrossley::new(stiffness, exponent, dissipation).map_err(problem)?;
    let impact = WallImpact { mass, stiffness, exponent, dissipation, velocity };
    Ok([
        impact.max_compression(),
        impact.output_velocity(),
        impact.output_velocity_approx(),
        impact.contact_time(),
        impact.limit_velocity().unwrap_or(f64::INFINITY),
        impact.initial_energy(),
        impact.final_energy(),
        -impact.output_velocity() / velocity,
    ])
}

/// The contact that lasts, sounds and rebounds as wanted: the document of `ictus design --json`, and what there is to warn of.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a design, named in Python")]
pub fn design(
    py: Python<'_>,
    contact_time: Option<&str>,
    centroid: Option<&str>,
    restitution: Option<&str>,
    mass: &str,
    exponent: &str,
    velocity: &str,
    free: &str,
    wall: bool,
    frequency: &str,
    quality: &str,
    resonator_mass: &str,
    rate: &str,
) -> PyResult<(String, Option<String>)> {
    let targets = [contact_time, centroid, restitution].map(|text| text.map(str::to_owned));
    let texts = [mass, exponent, velocity, free, frequency, quality, resonator_mass, rate].map(str::to_owned);
    let designed = interruptible(py, move |_| -> PyResult<(String, Option<String>)> {
        let [contact_time, centroid, restitution] = targets.each_ref().map(Option::as_deref);
        let [mass, exponent, velocity, free, frequency, quality, resonator_mass, rate] =
            texts.each_ref().map(String::as_str);
        let question = designs::Question {
            contact_time,
            centroid,
            restitution,
            mass,
            exponent,
            velocity,
            free,
            wall,
            frequency,
            quality,
            resonator_mass,
            rate,
        };
        match designs::Setup::of(&question).map_err(told)? {
            designs::Setup::Wall(wanted) => {
                let answer = designs::wall::answer(&wanted, &question).map_err(told)?;
                Ok((json(&designs::wall::Document::of(&answer))?, answer.warning(&wanted)))
            }
            designs::Setup::Resonator(wanted) => {
                let map = designs::struck::map(&wanted, &question).map_err(told)?;
                let answer = designs::struck::solve(&wanted, &map, &question).map_err(told)?;
                Ok((json(&designs::Document::of(&wanted, &answer))?, designs::verdict::warning(&wanted, &answer)))
            }
        }
    })?;
    designed.map(|(document, warning)| (document, warning.map(|sentence| sentence.replace("--rate", "rate"))))
}

/// Source, name, title, statement and parameters of every table and figure that is computed anew.
#[pyfunction]
pub fn papers() -> Vec<[&'static str; 5]> {
    let row = |source: &'static ictus_lab::papers::Source| {
        source.items.iter().map(|item| [source.id, item.id, item.title, item.statement, item.parameters])
    };
    SOURCES.iter().flat_map(row).collect()
}

/// A column of a table: numbers, or words.
#[derive(IntoPyObject)]
pub enum Column {
    /// All cells are numbers.
    Numbers(Py<PyArray1<f64>>),
    /// Some are words.
    Words(Vec<String>),
}

/// Source, name, title, statement, parameters; the checks and remarks as JSON; tables by name, each a list of headed columns; pictures by
/// name, as SVG.
type Computed = ([&'static str; 5], String, Vec<(&'static str, Vec<(String, Column)>)>, Vec<(&'static str, String)>);

/// Tables and figures of the literature, computed anew.
#[pyfunction]
pub fn repro(py: Python<'_>, names: Vec<String>) -> PyResult<Vec<Computed>> {
    let finished = interruptible(py, move |_| {
        let chosen = run::chosen(&names).map_err(|error| error.to_string())?;
        run::compute(&chosen, || {}).map_err(|error| error.to_string())
    })?;
    let finished = finished.map_err(|error| in_python(&error.replacen("NAME is", "the name is", 1)))?;
    finished.into_iter().map(|one| computed(py, one)).collect()
}

fn computed(py: Python<'_>, finished: Finished) -> PyResult<Computed> {
    let Finished { source, item, outcome, drawings } = finished;
    let told = json(&(&outcome.checks, &outcome.remarks))?;
    let tables = outcome.tables.iter().map(|table| (table.suffix, columns(py, table))).collect();
    let pictures = outcome.pictures.iter().map(|picture| picture.suffix).zip(drawings).collect();
    Ok(([source.id, item.id, item.title, item.statement, item.parameters], told, tables, pictures))
}

fn columns(py: Python<'_>, table: &DataTable) -> Vec<(String, Column)> {
    let column = |index: usize| {
        let cells = || table.rows.iter().filter_map(move |row| row.get(index));
        let numbers: Option<Vec<f64>> = cells()
            .map(|cell| match cell {
                Cell::Number(value) => Some(*value),
                Cell::Text(_) => None,
            })
            .collect();
        match numbers {
            Some(numbers) => Column::Numbers(PyArray1::from_vec(py, numbers).unbind()),
            None => Column::Words(cells().map(Cell::written).collect()),
        }
    };
    table.columns.iter().cloned().zip((0..table.columns.len()).map(column)).collect()
}
