//! FLAC: the same integers as in a WAV file, in about half the space.

use std::path::Path;

use flacenc::bitsink::ByteSink;
use flacenc::component::{BitRepr, MetadataBlockData, Stream};
use flacenc::error::Verify;
use flacenc::source::{Context, Fill, FrameBuf};

use super::quantise::Quantiser;
use super::sound::{Depth, Sound};
use super::wav;
use crate::error::Error;

/// Most channels a FLAC file can have.
pub const MOST_CHANNELS: usize = 8;
/// Highest rate in Hz that the encoder writes.
pub const HIGHEST_RATE: f64 = 96_000.0;

/// Frames of a FLAC file's own: so many samples of each channel are encoded together.
const BLOCK: usize = 4096;

/// The kind of block that holds what some program wants to keep.
const APPLICATION: u8 = 2;

/// Bytes before the first block: the mark, a header and the stream information.
const HEAD: usize = 4 + 4 + 34;

/// Encodes a sound for `path` block by block. `put` takes the bytes in order; what is returned replaces the first of them, for only at the end
/// it is known how large the blocks are and what all samples add up to.
pub fn encode(
    sound: &Sound,
    path: &Path,
    depth: Depth,
    seed: u64,
    mut put: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let failed = |reason: String| Error::Encode { path: path.to_owned(), reason };
    let bits = match depth {
        Depth::Int16 => 16,
        Depth::Int24 => 24,
        Depth::Float32 => return Err(failed("FLAC holds integers only".to_owned())),
    };
    let channels = usize::from(sound.channels);
    let config = flacenc::config::Encoder::default().into_verified().map_err(|(_, error)| failed(error.to_string()))?;
    let mut stream =
        Stream::new(sound.rate as usize, channels, bits as usize).map_err(|error| failed(error.to_string()))?;
    let mut quantiser = Quantiser::new(bits, seed);
    let mut buffer = FrameBuf::with_size(channels, BLOCK).map_err(|error| failed(error.to_string()))?;
    let mut context = Context::new(bits as usize, channels);
    let mut integers: Vec<i32> = Vec::with_capacity(BLOCK * channels);
    // As FLAC keeps chunks of a WAV file: a block for the application `riff`.
    let sampler = sound.root.map(|key| [b"riff".as_slice(), &wav::sampler(key, sound.rate)].concat());
    if let Some(chunk) = &sampler {
        let block = MetadataBlockData::new_unknown(APPLICATION, chunk).map_err(|error| failed(error.to_string()))?;
        stream.add_metadata_block(block);
    }
    put(&vec![0; HEAD + sampler.map_or(0, |chunk| 4 + chunk.len())])?;
    let information = stream.stream_info_mut();
    information.set_block_sizes(BLOCK, BLOCK).map_err(|error| failed(error.to_string()))?;
    sound.each_block(BLOCK, |block| {
        integers.clear();
        integers.extend(block.iter().map(|sample| quantiser.next(*sample)));
        buffer.fill_interleaved(&integers).map_err(|error| failed(error.to_string()))?;
        context.fill_interleaved(&integers).map_err(|error| failed(error.to_string()))?;
        let number = context.current_frame_number().unwrap_or(0);
        let frame = flacenc::encode_fixed_size_frame(&config, &buffer, number, information)
            .map_err(|error| failed(error.to_string()))?;
        information.update_frame_info(&frame);
        let mut bytes = ByteSink::new();
        frame.write(&mut bytes).map_err(|error| failed(error.to_string()))?;
        put(bytes.as_slice())
    })?;
    information.set_md5_digest(&context.md5_digest());
    information.set_total_samples(sound.frames());
    let mut head = ByteSink::new();
    stream.write(&mut head).map_err(|error| failed(error.to_string()))?;
    Ok(head.into_inner())
}

#[cfg(test)]
mod tests {
    use flacenc::source::MemSource;

    use super::*;

    fn encoded(sound: &Sound, depth: Depth) -> Vec<u8> {
        let mut bytes = Vec::new();
        let put = |more: &[u8]| {
            bytes.extend_from_slice(more);
            Ok(())
        };
        let head = encode(sound, Path::new("a.flac"), depth, 1, put).expect("is encoded");
        assert_eq!(head.len(), HEAD);
        bytes[..HEAD].copy_from_slice(&head);
        bytes
    }

    #[test]
    fn the_file_says_rate_channels_bits_and_length_and_is_smaller_than_the_samples() {
        let samples: Vec<f64> = (0..40_000).map(|n| 0.5 * (f64::from(n) * 0.01).sin()).collect();
        let sound = Sound::of(48_000, 2, &samples);
        for (depth, bits) in [(Depth::Int16, 16), (Depth::Int24, 24)] {
            let bytes = encoded(&sound, depth);
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
    fn a_root_note_lies_in_a_block_for_chunks_of_wav_files_and_the_sound_is_the_same() {
        let samples: Vec<f64> = (0..9000).map(|n| 0.5 * (f64::from(n) * 0.01).sin()).collect();
        let mut sound = Sound::of(48_000, 1, &samples);
        sound.root = Some(61);
        let mut bytes = Vec::new();
        let put = |more: &[u8]| {
            bytes.extend_from_slice(more);
            Ok(())
        };
        let head = encode(&sound, Path::new("a.flac"), Depth::Int24, 1, put).expect("is encoded");
        assert_eq!(head.len(), HEAD + 4 + 4 + 44);
        bytes[..head.len()].copy_from_slice(&head);
        assert_eq!(&head[HEAD + 4..HEAD + 12], b"riffsmpl");
        assert_eq!(head[HEAD + 4 + 4 + 8 + 12..][..4], 61u32.to_le_bytes());
        let recording = ictus_recording::Recording::from_bytes(bytes, Default::default()).expect("is a FLAC file");
        assert_eq!(recording.frames(), samples.len());
        assert!(recording.channels[0].iter().zip(&samples).all(|(a, b)| (a - b).abs() < 1e-6));
    }

    #[test]
    fn floats_are_refused() {
        let sound = Sound::of(48_000, 1, &[0.0; 10]);
        assert!(encode(&sound, Path::new("a.flac"), Depth::Float32, 1, |_| Ok(())).is_err());
    }

    #[test]
    fn block_by_block_it_is_the_same_file_as_in_one_piece() {
        for (frames, channels) in [(1, 1), (4096, 1), (4097, 2), (20_000, 2), (9000, 8)] {
            let samples: Vec<f64> = (0..frames * channels).map(|n| 0.9 * (f64::from(n) * 0.37).sin()).collect();
            let sound = Sound::of(44_100, channels as u16, &samples);
            let mut quantiser = Quantiser::new(16, 1);
            let integers: Vec<i32> = samples.iter().map(|sample| quantiser.next(*sample)).collect();
            let source = MemSource::from_samples(&integers, channels as usize, 16, 44_100);
            let config = flacenc::config::Encoder::default().into_verified().expect("is good");
            let stream = flacenc::encode_with_fixed_block_size(&config, source, BLOCK).expect("is encoded");
            let mut whole = ByteSink::new();
            stream.write(&mut whole).expect("is written");
            assert!(encoded(&sound, Depth::Int16) == whole.into_inner(), "{frames} frames of {channels} channels");
        }
    }
}
