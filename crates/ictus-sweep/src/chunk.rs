//! A chunk of points: computed on one core, written whole.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::SweepError;
use crate::folder::Folder;
use crate::plan::Plan;
use crate::point::{Heard, Point};
use crate::table::{self, Outcome};
use crate::zarr::Region;

/// What a chunk came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChunkReport {
    /// Number of its points.
    pub points: u64,
    /// How many of them failed.
    pub failed: u64,
    /// Number and message of the first that did.
    pub first_failure: Option<(u64, String)>,
}

/// Computes a chunk and writes its sounds, then its table; whatever was there of it is replaced by the same bytes. A point
/// that fails is a row with its message. `done` counts points as they are computed.
///
/// # Errors
/// A file cannot be written. Then the chunk is not there, and all others are as they were.
pub fn run_chunk(plan: &Plan, folder: &Folder, chunk: u64, done: &AtomicU64) -> Result<ChunkReport, SweepError> {
    let manifest = folder.manifest();
    let mut region = if plan.audio { Some(Region::create(folder.path(), manifest, chunk)?) } else { None };
    let mut rows: Vec<(Point, Outcome)> = Vec::new();
    let mut report = ChunkReport::default();
    for index in manifest.points_of(chunk) {
        let point = plan.point(index);
        let mut outcome = render(&point, plan);
        if let Some(region) = &mut region {
            region.put(&outcome)?;
        }
        match &mut outcome {
            // The samples are on the disk, if they are wanted at all.
            Ok(heard) => heard.channels = Vec::new(),
            Err(message) => {
                report.failed += 1;
                report.first_failure.get_or_insert_with(|| (index, message.clone()));
            }
        }
        report.points += 1;
        rows.push((point, outcome));
        done.fetch_add(1, Ordering::Relaxed);
    }
    // The table last: where it is, the sounds are.
    if let Some(region) = region {
        region.keep()?;
    }
    let mut part = crate::whole::WholeFile::create(&folder.part(chunk))?;
    part.put(&table::file(plan, &rows))?;
    part.keep()?;
    Ok(report)
}

/// What becomes of a point; whatever happens there, the others are computed.
fn render(point: &Point, plan: &Plan) -> Result<Heard, String> {
    catch_unwind(AssertUnwindSafe(|| point.render(plan)))
        .unwrap_or_else(|_| Err("a fault of the program, please report it: rendering this point panicked".to_owned()))
}
