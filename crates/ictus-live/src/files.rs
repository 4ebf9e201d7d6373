//! Reading the files of scenes: regular files only, and no longer than a time limit.
//!
//! A pipe in place of a scene never ends, and a disk over a network may not answer. The system offers no time limit for either, so one
//! thread reads and another waits for it. A thread that is late is left behind; it ends when the system lets it. How many there may be is
//! bounded, so that nothing piles up.

use std::fs::{File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use ictus_render::Folder;
use ictus_scene::Source;

/// Time that reading a file may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Most threads that read, those left behind included.
const MOST_THREADS: usize = 16;

/// Names of files that are not whole, as everywhere in the program: all of it sweeps them away.
const PREFIX: &str = ".ictus-";
const SUFFIX: &str = ".part";
const LETTERS: usize = 12;

/// An unfinished file of this age was left behind: a text is written within a moment.
const OLD: Duration = Duration::from_secs(60);

type Loaded = Result<Source, String>;
type Load = fn(&Path) -> Loaded;

/// All that read files for one gallery.
#[derive(Clone, Debug)]
pub struct Files {
    threads: Arc<AtomicUsize>,
    load: Load,
    patience: Duration,
}

impl Default for Files {
    fn default() -> Self {
        Self { threads: Arc::default(), load: load_regular, patience: PATIENCE }
    }
}

/// Counts a thread while it lives.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Reads files one after the other, in a thread of its own.
pub struct Reader {
    files: Files,
    thread: Option<(Sender<PathBuf>, Receiver<Loaded>)>,
}

impl Files {
    /// Somebody to read several files.
    pub fn reader(&self) -> Reader {
        Reader { files: self.clone(), thread: None }
    }

    fn start(&self) -> Result<(Sender<PathBuf>, Receiver<Loaded>), String> {
        let before = self.threads.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(self.threads.clone());
        if before >= MOST_THREADS {
            return Err("too many files do not respond".to_owned());
        }
        let (requests, asked) = channel::<PathBuf>();
        let (answer, answers) = channel();
        let load = self.load;
        let read = move || {
            let _counted = counted;
            while let Ok(path) = asked.recv() {
                if answer.send(load(&path)).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("ictus reader".into()).spawn(read).map_err(|error| error.to_string())?;
        Ok((requests, answers))
    }
}

impl Reader {
    /// Reads a file.
    ///
    /// # Errors
    /// In words: it is no regular file, no scene could be in it, or it does not answer in time.
    pub fn read(&mut self, path: &Path) -> Loaded {
        let (requests, answers) = match self.thread.take() {
            Some(thread) => thread,
            None => self.files.start()?,
        };
        // A thread that has ended does not answer, which is noticed below.
        let _ = requests.send(path.to_owned());
        match answers.recv_timeout(self.files.patience) {
            Ok(loaded) => {
                self.thread = Some((requests, answers));
                loaded
            }
            Err(_) => Err(format!(
                "{} cannot be read: no response within {} s",
                path.display(),
                self.files.patience.as_secs_f64()
            )),
        }
    }
}

/// Puts a text in place of a file's, all of it or none: whoever reads the file meanwhile finds the one or the other.
///
/// # Errors
/// What the system says; the file is as it was then.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    // Through a link to the file that it means.
    let path = path.canonicalize()?;
    let about = path.metadata()?;
    if !about.is_file() || about.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it cannot be written to"));
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    sweep(folder);
    let mut fresh = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).rand_bytes(LETTERS).tempfile_in(folder)?;
    // Whoever sweeps this folder, here or in another program, sees that somebody is at work. A disk without locks will do too.
    let _ = fresh.as_file().try_lock();
    fresh.write_all(text.as_bytes())?;
    fresh.as_file().set_permissions(about.permissions())?;
    fresh.as_file().sync_all()?;
    fresh.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// Removes what programs that were killed while they saved have left in a folder: files with such a name, old, that nobody holds.
fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let letters = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
        let is_ours = letters.is_some_and(|it| it.len() == LETTERS && it.bytes().all(|c| c.is_ascii_alphanumeric()));
        let age = || entry.metadata().ok().filter(Metadata::is_file)?.modified().ok()?.elapsed().ok();
        if is_ours && age().is_some_and(|age| age > OLD) {
            let path = entry.path();
            if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
                // What cannot be removed stays: it is in nobody's way.
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

fn load_regular(path: &Path) -> Loaded {
    // Between this look and the opening, a pipe can take the file's place; the time limit is for that too.
    match path.metadata() {
        Ok(about) if !about.is_file() && !about.is_dir() => {
            Err(format!("{} is not a regular file; a scene is a text file", path.display()))
        }
        _ => {
            let source = Source::load(path).map_err(|error| error.to_string())?;
            Ok(source.with_files(Arc::new(Folder::only_below(path))))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn never(_: &Path) -> Loaded {
        loop {
            thread::park();
        }
    }

    #[test]
    fn a_file_that_does_not_answer_is_given_up_and_such_threads_do_not_pile_up() {
        let files = Files { load: never, patience: Duration::from_millis(20), ..Files::default() };
        let begun = Instant::now();
        let said = |reader: &mut Reader| reader.read(Path::new("slow.toml")).map(|_| ()).expect_err("does not answer");
        let mut reader = files.reader();
        for _ in 0..MOST_THREADS {
            assert_eq!(said(&mut reader), "slow.toml cannot be read: no response within 0.02 s");
        }
        for _ in 0..100 {
            assert_eq!(said(&mut reader), "too many files do not respond");
        }
        assert_eq!(files.threads.load(Ordering::Relaxed), MOST_THREADS);
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn one_thread_reads_many_files_and_ends_with_its_reader() {
        let files = Files::default();
        let mut reader = files.reader();
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        for _ in 0..100 {
            assert!(reader.read(&here.join("Cargo.toml")).is_ok_and(|source| source.text.contains("ictus-live")));
            assert!(reader.read(&here.join("no-such")).is_err_and(|error| error.ends_with("no such file")));
            assert_eq!(files.threads.load(Ordering::Relaxed), 1);
        }
        drop(reader);
        let begun = Instant::now();
        while files.threads.load(Ordering::Relaxed) > 0 {
            assert!(begun.elapsed() < Duration::from_secs(20), "the thread goes on");
            thread::yield_now();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_replaced_through_a_link_and_keeps_its_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        let [file, link] = ["file.toml", "link.toml"].map(|name| folder.path().join(name));
        std::fs::write(&file, "before").expect("is written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("is set");
        symlink(&file, &link).expect("is linked");
        replace(&link, "after").expect("is replaced");
        assert_eq!(std::fs::read_to_string(&file).expect("is read"), "after");
        assert!(link.symlink_metadata().is_ok_and(|about| about.is_symlink()));
        assert_eq!(file.metadata().expect("is there").permissions().mode() & 0o777, 0o640);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o440)).expect("is set");
        assert!(replace(&file, "never").is_err());
        assert_eq!(std::fs::read_to_string(&file).expect("is read"), "after");
    }

    #[test]
    fn what_a_killed_save_left_is_removed_by_the_next_once_it_is_old_and_nobodys() {
        let folder = tempfile::tempdir().expect("a folder");
        let left = |name: &str, seconds: u64| {
            let path = folder.path().join(name);
            let file = File::create(&path).expect("is made");
            file.set_modified(std::time::SystemTime::now() - Duration::from_secs(seconds)).expect("is dated");
            path
        };
        let scene = left("scene.toml", 3600);
        let old = left(".ictus-abcdefABCDEF.part", 3600);
        let young = left(".ictus-abcdefABCDE0.part", 5);
        let strange = left(".ictus-settings.part", 3600);
        let held = left(".ictus-abcdefABCDE1.part", 3600);
        let holder = File::open(&held).expect("is there");
        holder.try_lock().expect("is locked");
        replace(&scene, "after").expect("is replaced");
        assert_eq!([&old, &young, &strange, &held].map(|path| path.exists()), [false, true, true, true]);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 4, "nothing else is left there");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_no_scenes() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe.toml");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()));
        for path in [pipe.as_path(), Path::new("/dev/zero")] {
            let said = Files::default().reader().read(path).map(|_| ()).expect_err("is refused");
            assert!(said.contains("is not a regular file"), "{said}");
        }
    }
}
