//! Files and directories that exist only while a result is written.
//!
//! Their names are `.ictus-` and twelve letters and `.part`. Whoever drops one removes it. Two things would still leave them
//! behind:
//!
//! - A signal that ends the program. The first temporary file starts a thread that waits for SIGINT and SIGTERM; it removes all that
//!   are alive, and then lets the signal do what it does by itself. Everything here happens under one lock, so that the thread
//!   sees either none of a move or all of it.
//! - SIGKILL, or the power. The next program that writes into the same directory removes what is left. Every process holds a lock on
//!   each of its temporary files, which the system releases when the process ends: what can be locked, and has not been touched
//!   for [`OLD`], has no owner. Rejected: the number of the process in the name. It means nothing on another machine that shares
//!   the disk, and numbers come round again.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile, TempDir};

const PREFIX: &str = ".ictus-";
const SUFFIX: &str = ".part";
const LETTERS: usize = 12;
/// What has not been touched for this long may be removed if nobody holds its lock: far more than the time between making a
/// file and locking it.
const OLD: Duration = Duration::from_secs(60);
/// The file in a temporary directory that is locked.
const LOCK: &str = "lock";

/// What of this process is on the disks.
pub(super) struct Alive {
    paths: BTreeSet<PathBuf>,
    /// Directories that were cleared of what others left.
    swept: BTreeSet<PathBuf>,
    /// What removes the files that other crates have not finished.
    removers: Vec<fn()>,
    #[cfg(unix)]
    watched: bool,
}

static ALIVE: Mutex<Alive> = Mutex::new(Alive {
    paths: BTreeSet::new(),
    swept: BTreeSet::new(),
    removers: Vec::new(),
    #[cfg(unix)]
    watched: false,
});

/// Has unfinished files of another crate removed too when a signal ends the program.
pub fn remove_at_signals(remove: fn()) {
    let mut alive = hold();
    alive.watch();
    alive.removers.push(remove);
}

/// While this is held, no signal ends the program.
pub(super) fn hold() -> MutexGuard<'static, Alive> {
    // Nothing is left half changed by a panic: paths are put in and taken out in one call.
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or directory; dropped, it is gone.
pub(super) struct Temporary<T> {
    path: PathBuf,
    inner: Option<T>,
    /// Tells other processes that the owner is alive.
    _lock: Option<File>,
}

impl<T> Temporary<T> {
    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn made(directory: &Path, make: impl FnOnce() -> io::Result<(PathBuf, T, Option<File>)>) -> io::Result<Self> {
        let mut alive = hold();
        alive.watch();
        let (path, inner, lock) = make().map_err(|error| without_path(&error))?;
        if let Some(lock) = &lock {
            // A disk without locks: nobody else will take the file for abandoned there, because nobody can lock it.
            let _ = lock.try_lock();
        }
        alive.paths.insert(path.clone());
        if alive.swept.insert(directory.to_owned()) {
            sweep(directory, &path);
        }
        Ok(Self { path, inner: Some(inner), _lock: lock })
    }
}

impl<T> Drop for Temporary<T> {
    fn drop(&mut self) {
        let mut alive = hold();
        drop(self.inner.take());
        alive.paths.remove(&self.path);
    }
}

impl Temporary<NamedTempFile> {
    /// A new file in `directory`, with the owner and the permissions of the file it will replace, or those of a new file.
    pub(super) fn file(directory: &Path, replaced: Option<&fs::Metadata>) -> io::Result<Self> {
        Self::made(directory, || {
            let mut builder = named();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                // Never open to more people than the file it replaces, not even for a moment.
                let new = || fs::Permissions::from_mode(0o666);
                builder.permissions(replaced.map_or_else(new, fs::Metadata::permissions));
            }
            let file = builder.tempfile_in(directory)?;
            if let Some(replaced) = replaced {
                take_after(file.path(), replaced)?;
            }
            let lock = file.as_file().try_clone().ok();
            Ok((file.path().to_owned(), file, lock))
        })
    }

    /// The open file.
    pub(super) fn open(&mut self) -> io::Result<&mut File> {
        self.inner.as_mut().map(NamedTempFile::as_file_mut).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Gives it its name, unless there is a file of that name.
    pub(super) fn keep_if_new(mut self, destination: &Path) -> io::Result<()> {
        let _held = hold();
        let kept = self.inner.take().map(|file| file.persist_noclobber(destination));
        // Dropping `self` needs the lock.
        drop(_held);
        match kept {
            Some(Err(error)) => Err(error.error),
            _ => Ok(()),
        }
    }
}

impl Temporary<TempDir> {
    /// A new directory in `directory`.
    pub(super) fn directory(directory: &Path) -> io::Result<Self> {
        Self::made(directory, || {
            let made = named().tempdir_in(directory)?;
            let lock = File::create(made.path().join(LOCK))?;
            Ok((made.path().to_owned(), made, Some(lock)))
        })
    }
}

/// A second name of a file, in its own directory; a copy on disks that have no second names. Dropped, it is gone.
///
/// For use while the lock is held: the thread that waits for signals does not know it.
pub(super) struct SecondName {
    name: NamedTempFile<()>,
    _lock: Option<File>,
}

impl SecondName {
    /// Gives the file at `path` a second name.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let directory = path.parent().unwrap_or(Path::new("."));
        let link = named().make_in(directory, |second| fs::hard_link(path, second));
        let name = link.or_else(|_| named().make_in(directory, |second| fs::copy(path, second).map(drop)))?;
        let lock = File::open(name.path()).ok().filter(|file| file.try_lock().is_ok());
        Ok(Self { name, _lock: lock })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        self.name.path()
    }
}

/// Gives the file at `path` the permissions, and where that is allowed the owner, of another.
pub(super) fn take_after(path: &Path, other: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        let own = fs::metadata(path)?;
        if (own.uid(), own.gid()) != (other.uid(), other.gid()) {
            // Only the superuser may give files away; for everybody else the file is now their own.
            let _ = chown(path, Some(other.uid()), Some(other.gid()));
        }
    }
    fs::set_permissions(path, other.permissions())
}

fn named() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(LETTERS);
    builder
}

/// Whether a name is one of ours.
fn is_ours(name: &str) -> bool {
    let letters = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    letters.is_some_and(|letters| letters.len() == LETTERS && letters.bytes().all(|c| c.is_ascii_alphanumeric()))
}

/// Removes what processes that are no more have left in a directory. What cannot be removed stays: it is in nobody's way.
fn sweep(directory: &Path, own: &Path) {
    let (Ok(entries), Ok(own)) = (fs::read_dir(directory), fs::symlink_metadata(own)) else { return };
    for entry in entries.flatten() {
        if !entry.file_name().to_str().is_some_and(is_ours) {
            continue;
        }
        let Ok(found) = entry.metadata() else { continue };
        let age = found.modified().ok().and_then(|time| time.elapsed().ok());
        if same_owner(&found, &own) && age.is_some_and(|age| age > OLD) {
            remove_if_abandoned(&entry.path(), found.is_dir());
        }
    }
}

#[cfg(unix)]
fn same_owner(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.uid() == other.uid()
}

#[cfg(not(unix))]
fn same_owner(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

fn remove_if_abandoned(path: &Path, is_directory: bool) {
    let lock = File::open(if is_directory { path.join(LOCK) } else { path.to_owned() });
    let free = match &lock {
        Ok(file) => file.try_lock().is_ok(),
        // Killed before it made its lock.
        Err(error) => is_directory && error.kind() == io::ErrorKind::NotFound,
    };
    if free {
        let _ = if is_directory { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}

/// The system's reason without the temporary file's name, which nobody asked for.
fn without_path(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split_once(" at path \"").map_or(text.as_str(), |(reason, _)| reason);
    io::Error::new(error.kind(), reason)
}

impl Alive {
    /// Starts to wait for signals, once. Where there are none, what is left is removed by the next run.
    fn watch(&mut self) {
        #[cfg(unix)]
        if !self.watched {
            use signal_hook::consts::{SIGINT, SIGTERM};
            self.watched = true;
            let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
            let wait = move || {
                for signal in signals.forever() {
                    let alive = hold();
                    alive.remove_all();
                    // Ends the program as the signal would have done; the lock is held until then.
                    let _ = signal_hook::low_level::emulate_default_handler(signal);
                }
            };
            // Without the thread the signal would be swallowed, but then nothing else could start either.
            let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
        }
    }

    #[cfg(unix)]
    fn remove_all(&self) {
        for path in &self.paths {
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
        self.removers.iter().for_each(|remove| remove());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(directory: &Path, name: &str, seconds: u64) -> PathBuf {
        let path = directory.join(name);
        let file = File::create(&path).expect("is made");
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(seconds)).expect("is dated");
        path
    }

    #[test]
    fn what_is_ours_and_old_and_nobodys_is_swept_and_nothing_else() {
        let root = tempfile::tempdir().expect("a directory");
        let old = left(root.path(), ".ictus-abcdefABCDEF.part", 3600);
        let young = left(root.path(), ".ictus-abcdefABCDE0.part", 5);
        let strange = left(root.path(), ".ictus-settings.part", 3600);
        let locked = left(root.path(), ".ictus-abcdefABCDE1.part", 3600);
        let owner = File::open(&locked).expect("is there");
        owner.try_lock().expect("is locked");
        drop(Temporary::file(root.path(), None).expect("is made"));
        let there = [&old, &young, &strange, &locked].map(|path| path.exists());
        assert_eq!(there, [false, true, true, true]);
    }

    #[test]
    fn a_directory_is_swept_by_the_lock_in_it() {
        let root = tempfile::tempdir().expect("a directory");
        let alive = Temporary::directory(root.path()).expect("is made");
        remove_if_abandoned(alive.path(), true);
        assert!(alive.path().exists(), "its owner lives");
        let dead = root.path().join(".ictus-abcdefABCDEF.part");
        fs::create_dir(&dead).expect("is made");
        fs::write(dead.join(LOCK), "").expect("is written");
        fs::write(dead.join("half"), "x").expect("is written");
        remove_if_abandoned(&dead, true);
        assert!(!dead.exists());
    }
}
