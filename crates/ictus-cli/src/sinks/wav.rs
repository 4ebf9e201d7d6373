//! WAV: a header of 44 bytes (58 for floating point), then the samples.
//!
//! Written with the plain format tags 1 (integers) and 3 (floating point) that every player reads; the extensible form
//! is used only for more than two channels, where it is required: it says which loudspeaker each channel is for.

use super::quantise::Quantiser;
use super::sound::{BLOCK, Depth, Sound};
use crate::error::Error;

/// Format tags.
const INTEGER: u16 = 1;
const FLOAT: u16 = 3;
const EXTENSIBLE: u16 = 0xfffe;
/// The part of the extensible form's identifier that follows the plain tag.
const IDENTIFIER: [u8; 14] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];

/// Loudspeakers of one to eight channels, as bits of a channel mask and in their order: the layouts of FLAC (RFC 9639, table 6), which players
/// know from both kinds of file. Front left and right are bits 0 and 1, centre 2, low frequencies 3, back left and right 4 and 5, back centre 8,
/// side left and right 9 and 10. Of more channels no loudspeaker is named: channels are channels.
const LOUDSPEAKERS: [u32; 8] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x70f, 0x63f];

/// Most bytes of samples that a WAV file can hold.
pub const LARGEST: u64 = u32::MAX as u64 - 100;

/// Hands the file's bytes to `put`, part by part.
pub fn encode(
    sound: &Sound,
    depth: Depth,
    seed: u64,
    mut put: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    put(&header(sound, depth))?;
    let width = usize::from(depth.bytes());
    let mut quantiser = (depth != Depth::Float32).then(|| Quantiser::new(8 * width as u32, seed));
    let mut bytes = Vec::new();
    sound.each_block(BLOCK, |block| {
        bytes.clear();
        for &sample in block {
            match &mut quantiser {
                Some(quantiser) => bytes.extend_from_slice(&quantiser.next(sample).to_le_bytes()[..width]),
                None => bytes.extend_from_slice(&(sample as f32).to_le_bytes()),
            }
        }
        put(&bytes)
    })?;
    // Chunks have an even number of bytes.
    let odd = sound.count() * width % 2 == 1;
    if odd {
        put(&[0])?;
    }
    sound.root.map_or(Ok(()), |key| put(&sampler(key, sound.rate)))
}

/// The chunk `smpl` for a sampler: the key at which the sound has its own pitch, and no loop.
pub(super) fn sampler(key: u8, rate: u32) -> Vec<u8> {
    let period = (1e9 / f64::from(rate)).round() as u32;
    // Maker, product, length of a sample in ns, key, fraction of a semitone, kind and offset of a time code, loops, further bytes.
    let numbers = [0, 0, period, u32::from(key), 0, 0, 0, 0, 0];
    chunk(b"smpl", &numbers.map(u32::to_le_bytes).concat())
}

fn header(sound: &Sound, depth: Depth) -> Vec<u8> {
    let (width, channels) = (depth.bytes(), sound.channels);
    let tag = if depth == Depth::Float32 { FLOAT } else { INTEGER };
    let extensible = channels > 2;
    let frame = width * channels;
    let data = (sound.count() * usize::from(width)) as u32;

    let mut format = Vec::new();
    format.extend(if extensible { EXTENSIBLE } else { tag }.to_le_bytes());
    format.extend(channels.to_le_bytes());
    format.extend(sound.rate.to_le_bytes());
    format.extend((sound.rate.saturating_mul(u32::from(frame))).to_le_bytes());
    format.extend(frame.to_le_bytes());
    format.extend((8 * width).to_le_bytes());
    if extensible {
        format.extend(22u16.to_le_bytes());
        format.extend((8 * width).to_le_bytes());
        format.extend(loudspeakers(channels).to_le_bytes());
        format.extend(tag.to_le_bytes());
        format.extend(IDENTIFIER);
    } else if tag == FLOAT {
        format.extend(0u16.to_le_bytes());
    }

    let mut chunks = chunk(b"fmt ", &format);
    if tag == FLOAT {
        chunks.extend(chunk(b"fact", &(sound.frames() as u32).to_le_bytes()));
    }
    chunks.extend(b"data");
    chunks.extend(data.to_le_bytes());

    let after = sound.root.map_or(0, |key| sampler(key, sound.rate).len() as u32);
    let mut header = b"RIFF".to_vec();
    header.extend((4 + chunks.len() as u32 + data + data % 2 + after).to_le_bytes());
    header.extend(b"WAVE");
    header.extend(chunks);
    header
}

/// The channel mask of so many channels.
fn loudspeakers(channels: u16) -> u32 {
    usize::from(channels).checked_sub(1).and_then(|index| LOUDSPEAKERS.get(index)).copied().unwrap_or(0)
}

fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [name.as_slice(), &(content.len() as u32).to_le_bytes(), content].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(channels: u16, samples: &[f64], depth: Depth) -> Vec<u8> {
        let sound = Sound::of(44_100, channels, samples);
        let mut bytes = Vec::new();
        let done = encode(&sound, depth, 1, |part| {
            bytes.extend_from_slice(part);
            Ok(())
        });
        assert!(done.is_ok());
        bytes
    }

    #[test]
    fn another_reader_reads_what_was_written() {
        let samples: Vec<f64> = (0..70_000).map(|n| 0.9 * (f64::from(n) * 0.01).sin()).collect();
        for (channels, depth) in [
            (1, Depth::Int24),
            (2, Depth::Int16),
            (2, Depth::Int24),
            (2, Depth::Float32),
            (5, Depth::Int16),
            (5, Depth::Float32),
        ] {
            let bytes = file(channels, &samples, depth);
            let mut reader = hound::WavReader::new(bytes.as_slice()).expect("is a WAV file");
            let spec = reader.spec();
            assert_eq!((spec.channels, spec.sample_rate), (channels, 44_100));
            assert_eq!(spec.bits_per_sample, 8 * depth.bytes());
            let read: Vec<f64> = match depth {
                Depth::Float32 => reader.samples::<f32>().map(|x| f64::from(x.expect("a sample"))).collect(),
                _ => {
                    let full = f64::from(1i32 << (spec.bits_per_sample - 1));
                    reader.samples::<i32>().map(|x| f64::from(x.expect("a sample")) / full).collect()
                }
            };
            assert_eq!(read.len(), samples.len());
            let tolerance = if depth == Depth::Int16 { 1.6 / 32768.0 } else { 1e-7 };
            assert!(read.iter().zip(&samples).all(|(a, b)| (a - b).abs() < tolerance), "{channels} {depth:?}");
        }
    }

    #[test]
    fn an_odd_number_of_bytes_is_padded_and_the_sizes_agree() {
        let bytes = file(1, &[0.5], Depth::Int24);
        assert_eq!(bytes.len(), 44 + 4);
        assert_eq!(bytes[4..8], (bytes.len() as u32 - 8).to_le_bytes());
        assert_eq!(bytes[40..44], 3u32.to_le_bytes());
    }

    #[test]
    fn a_root_note_follows_the_samples_and_the_sizes_agree() {
        let mut sound = Sound::of(48_000, 1, &[0.5; 3]);
        sound.root = Some(61);
        let mut bytes = Vec::new();
        let done = encode(&sound, Depth::Int24, 1, |part| {
            bytes.extend_from_slice(part);
            Ok(())
        });
        assert!(done.is_ok());
        assert_eq!(bytes[4..8], (bytes.len() as u32 - 8).to_le_bytes());
        // 44 bytes of header, nine of samples and one to make them even.
        let chunk = &bytes[44 + 10..];
        assert_eq!((&chunk[..4], chunk.len()), (&b"smpl"[..], 8 + 36));
        assert_eq!(chunk[8 + 12..8 + 16], 61u32.to_le_bytes());
        assert_eq!(hound::WavReader::new(bytes.as_slice()).expect("is a WAV file").samples::<i32>().count(), 3);
    }

    #[test]
    fn a_mask_names_a_loudspeaker_for_each_of_up_to_eight_channels_and_none_for_more() {
        for channels in 1..=64 {
            let expected = if channels <= 8 { u32::from(channels) } else { 0 };
            assert_eq!(loudspeakers(channels).count_ones(), expected, "{channels}");
            let bytes = file(channels, &vec![0.25; usize::from(channels)], Depth::Int24);
            let is_extensible = bytes[20..22] == EXTENSIBLE.to_le_bytes();
            assert_eq!(is_extensible, channels > 2);
            if is_extensible {
                assert_eq!(bytes[40..44], loudspeakers(channels).to_le_bytes(), "{channels}");
            }
            let read = hound::WavReader::new(bytes.as_slice()).expect("is a WAV file").samples::<i32>().count();
            assert_eq!(read, usize::from(channels));
        }
        // 5.1 of ITU-R BS.775: front left, right and centre, low frequencies, back left and right.
        assert_eq!(loudspeakers(6), 0b11_1111);
    }

    #[test]
    fn two_channels_of_floats_are_not_extensible() {
        let bytes = file(2, &[0.5, 2.0], Depth::Float32);
        assert_eq!(bytes[20..22], FLOAT.to_le_bytes());
        assert_eq!(bytes[bytes.len() - 4..], 2f32.to_le_bytes());
    }
}
