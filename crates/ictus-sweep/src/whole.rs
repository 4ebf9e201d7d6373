//! Files that appear whole or not at all: written under another name, then renamed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::SweepError;

/// How names of files that are not whole begin and end.
const PREFIX: &str = ".ictus-";
const SUFFIX: &str = ".part";

/// A file of this age that is not whole has been left behind: a chunk takes seconds, and its bytes less.
const OLD: Duration = Duration::from_secs(600);

/// The files of this process that are not whole.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// While this is held, no such file comes, goes or gets its name.
fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    // A path is put in and taken out in one call: a panic leaves nothing half changed.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every file of this process that is not whole, for a program that a signal is about to end. From here on none can be made or
/// kept: threads that try to wait for ever.
pub fn remove_unfinished() {
    let files = unfinished();
    for path in &*files {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(files);
}

/// A file that gets its name when it is kept; dropped, it is gone.
pub(crate) struct WholeFile {
    path: PathBuf,
    temporary: PathBuf,
    file: Option<BufWriter<File>>,
}

impl WholeFile {
    /// A file for this path, in the same folder for now.
    pub(crate) fn create(path: &Path) -> Result<Self, SweepError> {
        let temporary = path.with_file_name(temporary_name());
        let mut unfinished = unfinished();
        let file = File::create_new(&temporary).map_err(|source| SweepError::write(path, source))?;
        unfinished.insert(temporary.clone());
        Ok(Self { path: path.to_owned(), temporary, file: Some(BufWriter::with_capacity(1 << 16, file)) })
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), SweepError> {
        match &mut self.file {
            Some(file) => file.write_all(bytes).map_err(|source| SweepError::write(&self.path, source)),
            None => Ok(()),
        }
    }

    /// Gives the file its name once every byte of it is on the disk. A file of that name is replaced.
    pub(crate) fn keep(mut self) -> Result<(), SweepError> {
        self.sync()?;
        let _held = unfinished();
        fs::rename(&self.temporary, &self.path).map_err(|source| SweepError::write(&self.path, source))
    }

    /// The same, unless there is one of that name: then it stays, and this one is gone.
    pub(crate) fn keep_if_first(mut self) -> Result<(), SweepError> {
        self.sync()?;
        let _held = unfinished();
        match fs::hard_link(&self.temporary, &self.path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            // A disk without such links: a rename will do.
            Err(_) if !self.path.exists() => {
                fs::rename(&self.temporary, &self.path).map_err(|source| SweepError::write(&self.path, source))
            }
            Err(source) => Err(SweepError::write(&self.path, source)),
        }
    }

    fn sync(&mut self) -> Result<(), SweepError> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let synced = file.into_inner().map_err(std::io::IntoInnerError::into_error).and_then(|file| file.sync_all());
        synced.map_err(|source| SweepError::write(&self.path, source))
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // Gone already if it was renamed; if it cannot be removed, the next run will.
        if let Some(file) = self.file.take() {
            // Not flushed: what cannot be kept need not be written.
            drop(file.into_parts());
        }
        let mut unfinished = unfinished();
        let _ = fs::remove_file(&self.temporary);
        unfinished.remove(&self.temporary);
    }
}

/// A name that no other process has, on any machine that shares the disk.
fn temporary_name() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    format!("{PREFIX}{}-{time:x}-{number}{SUFFIX}", std::process::id())
}

/// Whether a file of this name is not whole.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Removes what was left behind in a folder: what is old, or all of it.
pub(crate) fn sweep_out(folder: &Path, all: bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_old = || {
            let age = entry.metadata().ok().and_then(|data| data.modified().ok()).and_then(|time| time.elapsed().ok());
            age.is_some_and(|age| age > OLD)
        };
        if entry.file_name().to_str().is_some_and(is_temporary) && (all || is_old()) {
            // Whoever cannot remove it leaves it: it harms nobody.
            let _ = fs::remove_file(entry.path());
        }
    }
}
