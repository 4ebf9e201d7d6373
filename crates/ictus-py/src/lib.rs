//! The Python package `ictus`: what of it is written in Rust.
//!
//! Python gives texts and numbers and gets arrays; names, defaults and documentation are in `python/ictus`. Everything that computes
//! releases the interpreter's lock, and looks now and then whether Ctrl-C was pressed. A user's mistake is an exception of [`problem`];
//! nothing here panics.

mod calls;
mod features;
mod fit;
mod instrument;
mod lab;
mod measure;
mod place;
mod problem;
mod render;
mod scene;
mod signals;
mod sweep;

/// The module `ictus._ictus`.
#[pyo3::pymodule]
mod _ictus {
    #[pymodule_export]
    use crate::features::{
        centroid, contact_times, feature_names, features, loudness, mean_from_onset, partial, pitch, t60,
    };
    #[pymodule_export]
    use crate::fit::{fit_files, fit_samples};
    #[pymodule_export]
    use crate::instrument::Instrument;
    #[pymodule_export]
    use crate::lab::{design, exact, impact, laws, papers, repro, schemes};
    #[pymodule_export]
    use crate::measure::{measure_file, measure_samples};
    #[pymodule_export]
    use crate::problem::{Breakdown, Problem, SceneProblem};
    #[pymodule_export]
    use crate::scene::{Scene, find, gallery, object_kinds, tool_kinds};
    #[pymodule_export]
    use crate::sweep::{SweepFolder, SweepPlan, run_chunk};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
