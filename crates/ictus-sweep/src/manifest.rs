//! What a folder holds: the hashes of its scene and plan, and how the points are divided into chunks.

use std::path::Path;

use serde_json::{Value, json};

use crate::error::SweepError;
use crate::plan::Plan;

/// Version of the folder's form.
const FORMAT: u64 = 1;

/// The program whose numbers the folder holds.
pub(crate) const PROGRAM: &str = concat!("ictus ", env!("CARGO_PKG_VERSION"));

/// Most chunks: their numbers have six digits.
pub(crate) const MOST_CHUNKS: u64 = 1_000_000;

/// What `manifest.json` says.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// Program and version that made the folder.
    pub program: String,
    /// SHA-256 of the scene's text.
    pub scene_hash: String,
    /// SHA-256 of the plan without the scene's text.
    pub plan_hash: String,
    /// Number of points.
    pub points: u64,
    /// Points of a chunk.
    pub chunk: u64,
    /// Samples per second.
    pub rate: u64,
    /// Channels of a sound.
    pub channels: u64,
    /// Samples of a channel.
    pub frames: u64,
    /// The plan as a text that needs no other file.
    pub plan: String,
}

impl Manifest {
    pub(crate) fn new(plan: &Plan, chunk: u64) -> Self {
        Self {
            program: PROGRAM.to_owned(),
            scene_hash: plan.scene_hash(),
            plan_hash: plan.plan_hash(),
            points: plan.count,
            chunk: chunk.max(plan.count.div_ceil(MOST_CHUNKS)),
            rate: plan.extent.rate.into(),
            channels: plan.extent.channels.into(),
            frames: plan.extent.frames as u64,
            plan: plan.text(),
        }
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> u64 {
        self.points.div_ceil(self.chunk)
    }

    /// The numbers of a chunk's points.
    pub fn points_of(&self, chunk: u64) -> std::ops::Range<u64> {
        let first = chunk.saturating_mul(self.chunk).min(self.points);
        first..first.saturating_add(self.chunk).min(self.points)
    }

    pub(crate) fn text(&self) -> String {
        let value = json!({
            "format": FORMAT,
            "program": self.program,
            "scene_sha256": self.scene_hash,
            "plan_sha256": self.plan_hash,
            "points": self.points,
            "chunk": self.chunk,
            "chunks": self.chunks(),
            "rate": self.rate,
            "channels": self.channels,
            "frames": self.frames,
            "plan": self.plan,
        });
        format!("{value:#}\n")
    }

    /// What a manifest's text says; nothing if it is none.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let whole = |key: &str| value[key].as_u64();
        let string = |key: &str| value[key].as_str().map(str::to_owned);
        let manifest = Self {
            program: string("program")?,
            scene_hash: string("scene_sha256")?,
            plan_hash: string("plan_sha256")?,
            points: whole("points")?,
            chunk: whole("chunk")?,
            rate: whole("rate")?,
            channels: whole("channels")?,
            frames: whole("frames")?,
            plan: string("plan")?,
        };
        let divides = manifest.chunk > 0 && manifest.points > 0 && manifest.chunks() <= MOST_CHUNKS;
        (whole("format")? == FORMAT && divides).then_some(manifest)
    }

    /// Refuses a folder of another sweep.
    pub(crate) fn check(&self, plan: &Plan, folder: &Path) -> Result<(), SweepError> {
        let hashes = [("scene", &self.scene_hash, plan.scene_hash()), ("plan", &self.plan_hash, plan.plan_hash())];
        for (what, theirs, ours) in hashes {
            if *theirs != ours {
                return Err(SweepError::OtherSweep { folder: folder.to_owned(), what, theirs: theirs.clone(), ours });
            }
        }
        if self.program != PROGRAM {
            let (theirs, ours) = (self.program.clone(), PROGRAM.to_owned());
            return Err(SweepError::OtherVersion { folder: folder.to_owned(), theirs, ours });
        }
        Ok(())
    }
}
