//! FLAC: the same integers as in a WAV file, in about half the space.

use std::path::Path;

use flacenc::bitsink::ByteSink;
use flacenc::component::BitRepr;
use flacenc::error::Verify;
use flacenc::source::MemSource;

use super::quantise::Quantiser;
use super::sound::{Depth, Sound};
use crate::error::Error;

/// Most channels a FLAC file can have.
pub const MOST_CHANNELS: usize = 8;
/// Highest rate in Hz that the encoder writes.
pub const HIGHEST_RATE: f64 = 96_000.0;

/// The bytes of the file at `path`. Its integers and its frames are held in memory: the encoder takes and gives them as a whole.
pub fn encoded(sound: &Sound, path: &Path, depth: Depth, seed: u64) -> Result<Vec<u8>, Error> {
    let failed = |reason: String| Error::Encode { path: path.to_owned(), reason };
    let bits = match depth {
        Depth::Int16 => 16,
        Depth::Int24 => 24,
        Depth::Float32 => return Err(failed("FLAC holds integers only".to_owned())),
    };
    let mut quantiser = Quantiser::new(bits, seed);
    let mut integers: Vec<i32> = Vec::new();
    integers.try_reserve_exact(sound.count()).map_err(|error| failed(error.to_string()))?;
    sound.each_block(|block| {
        integers.extend(block.iter().map(|sample| quantiser.next(*sample)));
        Ok(())
    })?;
    let source = MemSource::from_samples(&integers, sound.channels.into(), bits as usize, sound.rate as usize);
    let config = flacenc::config::Encoder::default().into_verified().map_err(|(_, error)| failed(error.to_string()))?;
    let stream = flacenc::encode_with_fixed_block_size(&config, source, config.block_size)
        .map_err(|error| failed(error.to_string()))?;
    let mut bytes = ByteSink::new();
    stream.write(&mut bytes).map_err(|error| failed(error.to_string()))?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_rate_channels_bits_and_length_and_is_smaller_than_the_samples() {
        let samples: Vec<f64> = (0..40_000).map(|n| 0.5 * (f64::from(n) * 0.01).sin()).collect();
        let sound = Sound::of(48_000, 2, &samples);
        for (depth, bits) in [(Depth::Int16, 16), (Depth::Int24, 24)] {
            let bytes = encoded(&sound, Path::new("a.flac"), depth, 1).expect("is encoded");
            assert!(bytes.starts_with(b"fLaC"));
            // The stream information: 20 bits rate, 3 bits channels - 1, 5 bits depth - 1, 36 bits length.
            let packed = u64::from_be_bytes(bytes[18..26].try_into().expect("eight bytes"));
            assert_eq!(packed >> 44, 48_000);
            assert_eq!((packed >> 41) & 7, 1);
            assert_eq!(((packed >> 36) & 31) + 1, bits);
            assert_eq!(packed & ((1 << 36) - 1), 20_000);
            assert!(bytes.len() < 40_000 * bits as usize / 8, "{}", bytes.len());
        }
    }

    #[test]
    fn floats_are_refused() {
        let sound = Sound::of(48_000, 1, &[0.0; 10]);
        assert!(encoded(&sound, Path::new("a.flac"), Depth::Float32, 1).is_err());
    }
}
