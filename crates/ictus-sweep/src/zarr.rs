//! Sounds as a Zarr array: version 3, 32-bit floats, uncompressed, one file for each chunk of points.
//!
//! The array has the shape (points, channels, frames). A point that failed, and one that is not computed yet, is all NaN: no sound is
//! something else than silence. Format: Zarr core specification 3.0, section "Array metadata".

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::error::SweepError;
use crate::manifest::Manifest;
use crate::table::Outcome;
use crate::whole::WholeFile;

/// Name of the array in the folder of a sweep.
pub(crate) const NAME: &str = "audio.zarr";

/// Writes what the array is.
pub(crate) fn create(folder: &Path, manifest: &Manifest) -> Result<(), SweepError> {
    let array = folder.join(NAME);
    fs::create_dir_all(&array).map_err(|source| SweepError::write(&array, source))?;
    let metadata = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [manifest.points, manifest.channels, manifest.frames],
        "data_type": "float32",
        "chunk_grid": {
            "name": "regular",
            "configuration": { "chunk_shape": [manifest.chunk, manifest.channels, manifest.frames] },
        },
        "chunk_key_encoding": { "name": "default", "configuration": { "separator": "." } },
        "fill_value": "NaN",
        "codecs": [{ "name": "bytes", "configuration": { "endian": "little" } }],
        "dimension_names": ["point", "channel", "frame"],
        "attributes": { "rate": manifest.rate, "scene": manifest.scene_hash, "plan": manifest.plan_hash },
    });
    let mut file = WholeFile::create(&array.join("zarr.json"))?;
    file.put(format!("{metadata:#}\n").as_bytes())?;
    file.keep()
}

/// The file of a chunk of points.
pub(crate) fn region(folder: &Path, chunk: u64) -> PathBuf {
    folder.join(NAME).join(format!("c.{chunk}.0.0"))
}

/// A region that is being written, point by point.
pub(crate) struct Region {
    file: WholeFile,
    /// Samples of one point.
    samples: usize,
    /// Points still to come, those after the last of the sweep included.
    left: u64,
    bytes: Vec<u8>,
}

impl Region {
    pub(crate) fn create(folder: &Path, manifest: &Manifest, chunk: u64) -> Result<Self, SweepError> {
        let samples = manifest.channels as usize * manifest.frames as usize;
        let file = WholeFile::create(&region(folder, chunk))?;
        Ok(Self { file, samples, left: manifest.chunk, bytes: Vec::with_capacity(4 * samples) })
    }

    /// The sound of the next point.
    pub(crate) fn put(&mut self, outcome: &Outcome) -> Result<(), SweepError> {
        self.bytes.clear();
        match outcome {
            Ok(heard) => {
                let samples = heard.channels.iter().flatten().map(|sample| (*sample as f32).to_le_bytes());
                self.bytes.extend(samples.flatten());
            }
            Err(_) => self.bytes.extend(std::iter::repeat_n(f32::NAN.to_le_bytes(), self.samples).flatten()),
        }
        self.left -= 1;
        self.file.put(&self.bytes)
    }

    /// Fills up what the last chunk has beyond the last point, and gives the file its name.
    pub(crate) fn keep(mut self) -> Result<(), SweepError> {
        while self.left > 0 {
            self.put(&Err(String::new()))?;
        }
        self.file.keep()
    }
}
