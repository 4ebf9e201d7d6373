//! Sweeps: a scene rendered at many points of its parameters, into tables and arrays, on as many cores and machines as there are.
//!
//! A [`Plan`] says which scene, which parameters, where the points lie and what is kept. Every point follows from its number alone, so
//! a plan of a million points takes no more memory than one of ten. A [`Folder`] holds the results: `manifest.json`, a
//! `part-NNNNNN.parquet` for every chunk of points, and `audio.zarr`. A part is written under another name and renamed when it is
//! whole: whoever is killed, a second run computes exactly what is missing. [`run_chunk`] computes a chunk anywhere; [`run()`] computes all
//! that is missing on the cores of this machine.
//!
//! ```
//! use ictus_sweep::{Folder, Plan, Stop, run};
//!
//! let plan = Plan::read("plan.toml", r#"
//!     sweep = 1
//!     scene = "hammered-string"
//!     kind = "latin-hypercube"
//!     n = 4
//!     duration = "150 ms"
//!     [parameters]
//!     hammer.stiffness = "log(1e7, 1e10)"
//!     hammer.mass = "uniform(5 g, 20 g)"
//! "#, std::path::Path::new("."))?;
//! let point = plan.point(3);
//! println!("{} {:?}", point.seed, point.values);
//!
//! let directory = std::env::temp_dir().join(format!("ictus-sweep-{}", std::process::id()));
//! let folder = Folder::open(&plan, &directory)?;
//! let tally = run(&plan, &folder, 1, &Stop::default(), &|_| ())?;
//! assert_eq!((tally.points, tally.failed), (4, 0));
//! assert_eq!(folder.missing().count(), 0);
//! # std::fs::remove_dir_all(directory)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axis;
mod chunk;
mod error;
mod folder;
mod manifest;
mod parquet;
mod plan;
mod point;
mod reading;
mod run;
pub mod sampling;
mod table;
mod whole;
mod zarr;

pub use axis::{Axis, Value, Values};
pub use chunk::{ChunkReport, run_chunk};
pub use error::SweepError;
pub use folder::Folder;
pub use manifest::Manifest;
pub use plan::{MOST_POINTS, Plan};
pub use point::{Heard, Point};
pub use run::{Progress, Stop, Tally, run};
pub use table::{Column, columns};
pub use whole::remove_unfinished;
