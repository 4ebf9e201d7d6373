//! Samples that wait on the disk for what can be done to them only at the end: fading, and bringing the peak to a level.
//!
//! So that the memory of a render does not grow with its length. The file has no name, so that nothing can be left of it, and lies beside the
//! result, where there has to be room anyway; short sounds stay in memory. Rejected: writing the result as it is computed where
//! no level is asked for. Fade and tail need the end all the same, and one way is enough.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::SpooledTempFile;

/// Bytes that are kept in memory.
const MOST: usize = 16 << 20;
/// Bytes of a sample.
const WIDTH: usize = size_of::<f64>();

/// A list of samples that grows at its end.
pub struct Spool {
    file: SpooledTempFile,
    bytes: Vec<u8>,
}

impl Spool {
    /// Nothing yet; on the disk of a result at `path` as soon as there is much.
    pub fn beside(path: &Path) -> Self {
        if super::is_standard_output(path) {
            return Self { file: tempfile::spooled_tempfile(MOST), bytes: Vec::new() };
        }
        let destination = super::identity::destination(path).unwrap_or_else(|_| path.to_owned());
        let directory = destination.parent().filter(|_| !destination.exists() || destination.is_file());
        let file = match directory {
            Some(directory) if directory != Path::new("") => tempfile::spooled_tempfile_in(MOST, directory),
            Some(_) => tempfile::spooled_tempfile_in(MOST, "."),
            // A device has no room beside it.
            None => tempfile::spooled_tempfile(MOST),
        };
        Self { file, bytes: Vec::new() }
    }

    /// Adds samples.
    pub fn push(&mut self, samples: &[f64]) -> io::Result<()> {
        self.bytes.clear();
        self.bytes.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(&self.bytes)
    }

    /// Reads samples from that place on.
    pub fn read(&mut self, first: usize, samples: &mut [f64]) -> io::Result<()> {
        self.bytes.resize(WIDTH * samples.len(), 0);
        self.file.seek(SeekFrom::Start((WIDTH * first) as u64))?;
        self.file.read_exact(&mut self.bytes)?;
        for (sample, bytes) in samples.iter_mut().zip(self.bytes.chunks_exact(WIDTH)) {
            *sample = f64::from_le_bytes(bytes.try_into().unwrap_or_default());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_come_back_bit_for_bit_from_memory_and_from_the_disk() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut spool = Spool::beside(&directory.path().join("a.wav"));
        let block: Vec<f64> = (0..1 << 16).map(|n| f64::from(n).sqrt() * 1e-3).collect();
        for round in 0..40 {
            spool.push(&block).expect("can be written");
            let mut back = vec![0.0; 1000];
            spool.read((round << 16) + 123, &mut back).expect("can be read");
            assert_eq!(back, block[123..1123]);
        }
        assert!(std::fs::read_dir(directory.path()).expect("is there").next().is_none(), "it has no name");
    }
}
