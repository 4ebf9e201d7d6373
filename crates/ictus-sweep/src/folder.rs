//! The folder of a sweep: which chunks are there, and which are missing.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use ictus::id::ObjectId;
use ictus_scene::Reading;

use crate::error::SweepError;
use crate::manifest::Manifest;
use crate::parquet;
use crate::plan::Plan;
use crate::whole::{self, WholeFile};
use crate::zarr;

/// Name of the manifest.
pub(crate) const MANIFEST: &str = "manifest.json";

/// Work that a chunk is to be, in s: long enough that starting it costs nothing, short enough that little is lost with it.
const CHUNK_WORK: f64 = 2.0;

/// What a step takes in s, about: by itself, for every object, for a mode and for a point of a grid; and the measures of a sample.
const STEP: f64 = 20e-9;
const STEP_OF_OBJECT: f64 = 4e-9;
const STEP_OF_MODE: f64 = 0.4e-9;
const STEP_OF_POINT: f64 = 2e-9;
const MEASURES: f64 = 50e-9;

/// A sweep has at least this many chunks, if it has as many points.
const LEAST_CHUNKS: u64 = 16;

/// Most bytes of sound in a chunk.
const MOST_BYTES: u64 = 1 << 28;

/// A sweep's folder, in which no other sweep writes while this is there.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
    /// Released by the system, however the process ends.
    _lock: Option<File>,
}

impl Folder {
    /// Opens the folder of a sweep, or makes it.
    ///
    /// # Errors
    /// The folder is that of another sweep, is in use, or cannot be written.
    pub fn open(plan: &Plan, path: &Path) -> Result<Self, SweepError> {
        let manifest_path = path.join(MANIFEST);
        if !manifest_path.exists() {
            check_empty(path)?;
            fs::create_dir_all(path).map_err(|source| SweepError::write(path, source))?;
            let manifest = Manifest::new(plan, plan.chunk.unwrap_or_else(|| fitting_chunk(plan)));
            if plan.audio {
                zarr::create(path, &manifest)?;
            }
            let mut file = WholeFile::create(&manifest_path)?;
            file.put(manifest.text().as_bytes())?;
            file.keep_if_first()?;
        }
        let lock = lock(path, &manifest_path)?;
        let folder = Self { _lock: lock, ..Self::look(plan, path)? };
        if plan.audio {
            zarr::create(path, &folder.manifest)?;
        }
        folder.sweep_out(false);
        Ok(folder)
    }

    /// The folder as another process has made it, to compute a chunk in it.
    ///
    /// # Errors
    /// There is none here, or it is that of another sweep.
    pub fn look(plan: &Plan, path: &Path) -> Result<Self, SweepError> {
        let manifest_path = path.join(MANIFEST);
        let text = fs::read_to_string(&manifest_path).map_err(|source| SweepError::read(&manifest_path, source))?;
        let manifest = Manifest::of_text(&text).ok_or_else(|| SweepError::NoFolder {
            folder: path.to_owned(),
            reason: format!("holds a {MANIFEST} that is none of a sweep"),
        })?;
        manifest.check(plan, path)?;
        Ok(Self { path: path.to_owned(), manifest, _lock: None })
    }

    /// The files that are in a folder and that a sweep into it may put others in place of.
    pub fn results(folder: &Path) -> Vec<PathBuf> {
        let files = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_part = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "parquet");
        files(folder).filter(is_part).chain(files(&folder.join(zarr::NAME))).collect()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The table of a chunk.
    pub fn part(&self, chunk: u64) -> PathBuf {
        self.path.join(format!("part-{chunk:06}.parquet"))
    }

    /// Whether a chunk has been computed: its table is there and ends as tables do.
    pub fn has(&self, chunk: u64) -> bool {
        let ends = |path: PathBuf| -> std::io::Result<bool> {
            let mut file = File::open(path)?;
            let length = file.seek(SeekFrom::End(0))?;
            let mut ending = [0; 4];
            if length >= 4 {
                file.seek(SeekFrom::End(-4))?;
                file.read_exact(&mut ending)?;
            }
            Ok(parquet::is_whole(&ending, length))
        };
        ends(self.part(chunk)).unwrap_or(false)
    }

    /// The chunks that are still to be computed, in order.
    pub fn missing(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.manifest.chunks()).filter(|chunk| !self.has(*chunk))
    }

    /// Removes files that are not whole and that nobody writes any more; once all chunks are there, all of them.
    pub(crate) fn sweep_out(&self, all: bool) {
        for folder in [self.path.clone(), self.path.join(zarr::NAME)] {
            whole::sweep_out(&folder, all);
        }
    }

    /// Tidies up once all chunks are there.
    pub fn finish(&self) {
        self.sweep_out(true);
    }
}

/// Refuses a folder that holds something else.
fn check_empty(path: &Path) -> Result<(), SweepError> {
    let refused = |reason: String| Err(SweepError::NoFolder { folder: path.to_owned(), reason });
    if path.exists() && !path.is_dir() {
        return refused("is a file; a sweep is written into a folder".to_owned());
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        // What is left of a run that was killed before its manifest was whole.
        if !whole::is_temporary(&name) && name != zarr::NAME {
            return refused(format!("is not empty and holds no sweep: there is {name:?}"));
        }
    }
    Ok(())
}

/// Takes the folder for this process. A disk without locks lets everyone in: what they write is the same.
fn lock(path: &Path, manifest: &Path) -> Result<Option<File>, SweepError> {
    let file = File::open(manifest).map_err(|source| SweepError::read(manifest, source))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(SweepError::InUse { folder: path.to_owned() }),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// How many points are about as much work as a chunk is to be: a power of 2. It follows from the plan alone, so that the same plan makes the
/// same files everywhere; a stopwatch would divide it otherwise on another machine, or on the same one in another minute.
fn fitting_chunk(plan: &Plan) -> u64 {
    let fitting = (CHUNK_WORK / work_of_point(plan)).log2().round().exp2() as u64;
    let bytes = 4 * plan.extent.frames as u64 * u64::from(plan.extent.channels);
    let most = if plan.audio { (MOST_BYTES / bytes.max(1)).max(1) } else { u64::MAX };
    fitting.min(plan.count.div_ceil(LEAST_CHUNKS)).clamp(1, most)
}

/// About how long a point takes, in s: from what its scene consists of. Few scenes take more than four times as long, or less than a quarter.
fn work_of_point(plan: &Plan) -> f64 {
    let factor = plan.oversample as f64;
    let rate = Some(f64::from(plan.extent.rate) * factor);
    let reading = Reading { rate, duration: plan.duration, ..Reading::default() };
    // A scene that cannot be built for this rate fails at once at every point.
    let engine = ictus_scene::read(&plan.source, &reading).ok().and_then(|scene| scene.model.build().ok());
    let bodies = (0..).map_while(|index| {
        let (engine, object) = (engine.as_ref()?, ObjectId::new(index));
        let [along, across] = engine.dimensions(object)?;
        Some(
            STEP_OF_OBJECT
                + engine
                    .modes(object)
                    .map_or(STEP_OF_POINT * (along * across) as f64, |modes| STEP_OF_MODE * modes.len() as f64),
        )
    });
    let measures = if plan.features { MEASURES } else { 0.0 };
    (STEP + bodies.sum::<f64>()) * factor * plan.extent.frames as f64 + measures * plan.extent.frames as f64
}
