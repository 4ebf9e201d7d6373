//! Which file a path leads to, whatever it is called there.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::whole_file::is_standard_output;
use crate::error::Error;

/// Most links that are followed from one to the next; as many as Linux follows.
const MOST_LINKS: usize = 40;

/// Where a file of this name ends up: symbolic links are followed, so that they stay what they are, also to a file that is not
/// there yet.
pub fn destination(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&place) {
            // A relative one starts from where the link is.
            Ok(next) => place = folder(&place).join(next),
            Err(_) => {
                let there = fs::canonicalize(&place).ok();
                let new_file = || Some(fs::canonicalize(folder(&place)).ok()?.join(place.file_name()?));
                return Ok(there.or_else(new_file).unwrap_or(place));
            }
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "its symbolic links form a loop"))
}

/// The directory a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}

/// What makes two paths the same file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Identity {
    /// The file, or the nearest directory above it that is there.
    present: Present,
    /// What is still to be made in that directory.
    new: Vec<OsString>,
}

#[cfg(unix)]
type Present = (u64, u64);
#[cfg(not(unix))]
type Present = PathBuf;

#[cfg(unix)]
fn present(path: &Path) -> io::Result<Present> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn present(path: &Path) -> io::Result<Present> {
    fs::canonicalize(path)
}

impl Identity {
    /// None of a path that leads nowhere, and none of devices and pipes, which several may write.
    fn of(path: &Path) -> Option<Self> {
        // Standard input, or output.
        if is_standard_output(path) {
            return None;
        }
        let place = destination(path).ok()?;
        if fs::metadata(&place).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return None;
        }
        for (depth, ancestor) in place.ancestors().enumerate() {
            let ancestor = if ancestor == Path::new("") { Path::new(".") } else { ancestor };
            if let Ok(present) = present(ancestor) {
                let all: Vec<Component<'_>> = place.components().collect();
                let new = all.iter().rev().take(depth).rev().map(|part| part.as_os_str().to_owned());
                return Some(Self { present, new: new.collect() });
            }
        }
        None
    }
}

/// A file that is read or written, and the option or the word that named it.
pub type Named<'a> = (&'static str, &'a Path);

/// Refuses an output that is one of the inputs, and two outputs that are one file.
pub fn all_distinct(inputs: &[Named<'_>], outputs: &[Named<'_>]) -> Result<(), Error> {
    let identified = |(name, path): &Named<'_>| Some((Identity::of(path)?, (*name, path.to_path_buf())));
    let read: HashMap<_, _> = inputs.iter().filter_map(identified).collect();
    let mut written: HashMap<_, _> = HashMap::new();
    for (identity, (option, path)) in outputs.iter().filter_map(identified) {
        if let Some((name, input)) = read.get(&identity) {
            let allowed = format!("must not be the file that is read as {name} ({input:?}): it would be overwritten");
            return Err(Error::option(option, path.display(), allowed));
        }
        if let Some((name, other)) = written.get(&identity) {
            let allowed = format!("must not be the same file as {name} {other:?}: give each result a name of its own");
            return Err(Error::option(option, path.display(), allowed));
        }
        written.insert(identity, (option, path));
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_is_the_same_under_every_name() {
        let root = tempfile::tempdir().expect("a directory");
        let path = |name: &str| root.path().join(name);
        fs::create_dir(path("folder")).expect("is made");
        fs::write(path("a.wav"), "a").expect("is written");
        fs::write(path("b.wav"), "a").expect("is written");
        fs::hard_link(path("a.wav"), path("hard.wav")).expect("is linked");
        symlink("../a.wav", path("folder/soft.wav")).expect("is linked");
        symlink("new.wav", path("dangling.wav")).expect("is linked");
        symlink("circle.wav", path("circle.wav")).expect("is linked");
        let same = |one: &str, other: &str| {
            all_distinct(&[("SCENE", &path(one))], &[("-o", &path(other))]).is_err()
                && all_distinct(&[], &[("-o", &path(one)), ("--report", &path(other))]).is_err()
        };
        for name in ["a.wav", "hard.wav", "folder/soft.wav", "folder/../a.wav"] {
            assert!(same("a.wav", name), "{name}");
            assert!(!same("b.wav", name), "{name}");
        }
        assert!(same("dangling.wav", "new.wav") && same("x/y/new.wav", "x/y/new.wav"));
        assert!(!same("x/new.wav", "y/new.wav") && !same("x/y/new.wav", "y/new.wav"));
        assert!(destination(&path("circle.wav")).is_err());
        let null = Path::new("/dev/null");
        assert!(all_distinct(&[], &[("--csv", null), ("--plot", null)]).is_ok());
    }
}
