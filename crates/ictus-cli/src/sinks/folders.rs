//! Folders made for results: they go away again if nothing came into them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders that were not there before, the innermost first. Dropped, it removes those that are empty.
#[derive(Default)]
pub struct Folders(Vec<PathBuf>);

impl Folders {
    /// Makes a folder and those it is in.
    pub fn make(&mut self, path: &Path) -> io::Result<()> {
        let is_new = |folder: &&Path| *folder != Path::new("") && !folder.exists();
        self.0.extend(path.ancestors().take_while(is_new).map(Path::to_owned));
        fs::create_dir_all(path)
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        for folder in &self.0 {
            // Only an empty one is removed; one with results stays, and so does one that is used in the meantime.
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_stay_only_if_something_came_into_them() {
        let root = tempfile::tempdir().expect("a directory");
        let path = |name: &str| root.path().join(name);
        fs::create_dir(path("there")).expect("is made");
        let mut folders = Folders::default();
        for name in ["a/b", "c/d", "there"] {
            folders.make(&path(name)).expect("is made");
        }
        fs::write(path("a/x.wav"), "x").expect("is written");
        drop(folders);
        let left = ["a", "a/b", "c", "there"].map(|name| path(name).exists());
        assert_eq!(left, [true, false, false, true]);
    }
}
