//! A file decoded packet by packet; what lies in the part that is wanted is kept.

use std::panic::{AssertUnwindSafe, catch_unwind};

use symphonia::core::codecs::audio::AudioDecoderOptions;
use symphonia::core::codecs::audio::well_known::{CODEC_ID_PCM_F32LE, CODEC_ID_PCM_F64LE};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, TrackType};
use symphonia::core::io::{MediaSource, MediaSourceStream};
use symphonia::core::meta::MetadataOptions;

use crate::{Format, HIGHEST_RATE, MOST_CHANNELS, Part, Recording, RecordingError};

/// Packets in a row that cannot be decoded before a file is given up: a few are the rule at the start of an MP3 file.
const MOST_BROKEN: usize = 8;

/// Decodes a file. A decoder that panics on a damaged file is no reason to stop: the file is damaged.
pub(crate) fn decode(source: Box<dyn MediaSource>, format: Format, part: Part) -> Result<Recording, RecordingError> {
    let decoded = catch_unwind(AssertUnwindSafe(|| decode_all(source, format, part)));
    decoded.unwrap_or_else(|_| {
        Err(RecordingError::Damaged { format: format.name(), reason: "the decoder gave up".to_owned() })
    })
}

fn decode_all(source: Box<dyn MediaSource>, format: Format, part: Part) -> Result<Recording, RecordingError> {
    if format == Format::Flac { flac(source, part) } else { others(source, format, part) }
}

/// FLAC by a decoder of its own: symphonia's refuses files whose header counts the last, shorter block among their sizes, as some encoders do.
fn flac(source: Box<dyn MediaSource>, part: Part) -> Result<Recording, RecordingError> {
    let damaged = |reason: &dyn std::fmt::Display| RecordingError::Damaged {
        format: Format::Flac.name(),
        reason: reason.to_string(),
    };
    let mut reader = claxon::FlacReader::new(source).map_err(|error| damaged(&error))?;
    let info = reader.streaminfo();
    let mut kept = Kept::new(info.channels as usize, info.sample_rate, part).map_err(|reason| damaged(&reason))?;
    let scale = 0.5f64.powi(info.bits_per_sample as i32 - 1);
    let mut frame = Vec::with_capacity(info.channels as usize);
    let mut reached_end = true;
    for sample in reader.samples() {
        frame.push(scale * f64::from(sample.map_err(|error| damaged(&error))?));
        if frame.len() == info.channels as usize {
            let is_more = kept.take(&frame)?;
            frame.clear();
            if !is_more {
                reached_end = false;
                break;
            }
        }
    }
    let promised = info.samples.filter(|_| reached_end);
    kept.recording(promised, Format::Flac, part, info.bits_per_sample, false)
}

fn others(source: Box<dyn MediaSource>, format: Format, part: Part) -> Result<Recording, RecordingError> {
    let damaged = |reason: Error| RecordingError::Damaged { format: format.name(), reason: reason.to_string() };
    let stream = MediaSourceStream::new(source, Default::default());
    let (options, tags) = (FormatOptions::default(), MetadataOptions::default());
    let mut reader = symphonia::default::get_probe().probe(&Hint::new(), stream, options, tags).map_err(damaged)?;
    let nothing = || damaged(Error::DecodeError("there is no sound in it"));
    let track = reader.default_track(TrackType::Audio).ok_or_else(nothing)?;
    let (id, promised) = (track.id, track.num_frames);
    let parameters = track.codec_params.as_ref().and_then(|parameters| parameters.audio()).ok_or_else(nothing)?.clone();
    let mut decoder = symphonia::default::get_codecs()
        .make_audio_decoder(&parameters, &AudioDecoderOptions::default())
        .map_err(damaged)?;
    let mut kept: Option<Kept> = None;
    let mut block: Vec<f64> = Vec::new();
    let mut broken = 0;
    let mut reached_end = true;
    loop {
        let packet = match reader.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(Error::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(damaged(error)),
        };
        if packet.track_id != id {
            continue;
        }
        let sound = match decoder.decode(&packet) {
            Ok(sound) => sound,
            Err(error @ Error::DecodeError(_)) => {
                broken += 1;
                // What is stored without loss is whole or damaged.
                if broken > MOST_BROKEN || format == Format::Wav {
                    return Err(damaged(error));
                }
                continue;
            }
            Err(error) => return Err(damaged(error)),
        };
        broken = 0;
        let (rate, count) = (sound.spec().rate(), sound.spec().channels().count());
        let kept = match &mut kept {
            Some(kept) => kept,
            None => kept.insert(Kept::new(count, rate, part).map_err(|reason| damaged(Error::Unsupported(reason)))?),
        };
        if (kept.rate, kept.channels.len()) != (rate, count) {
            return Err(damaged(Error::Unsupported("its rate or its channels change on the way")));
        }
        sound.copy_to_vec_interleaved(&mut block);
        if !kept.take(&block)? {
            reached_end = false;
            break;
        }
    }
    let Some(kept) = kept else { return Err(RecordingError::Empty) };
    let is_float = [CODEC_ID_PCM_F32LE, CODEC_ID_PCM_F64LE].contains(&parameters.codec);
    let bits = if format == Format::Wav { parameters.bits_per_sample.unwrap_or(0) } else { 0 };
    let promised = promised.filter(|_| reached_end && format == Format::Wav);
    kept.recording(promised, format, part, bits, is_float)
}

/// Samples as they come, of which those in a part are kept.
struct Kept {
    channels: Vec<Vec<f64>>,
    rate: u32,
    frames: std::ops::Range<u64>,
    /// Most samples of each channel.
    most: usize,
    /// Frames that have come.
    next: u64,
}

impl Kept {
    fn new(count: usize, rate: u32, part: Part) -> Result<Self, &'static str> {
        if !(1..=MOST_CHANNELS).contains(&count) || !(1..=HIGHEST_RATE).contains(&rate) {
            return Err("it has no channels or no rate, or far too many");
        }
        let frame = |time: f64| (time * f64::from(rate)).round() as u64;
        let frames = frame(part.from)..part.to.map_or(u64::MAX, frame);
        Ok(Self { channels: vec![vec![]; count], rate, frames, most: part.most / count, next: 0 })
    }

    /// Whether more is wanted after these interleaved frames.
    fn take(&mut self, block: &[f64]) -> Result<bool, RecordingError> {
        for frame in block.chunks_exact(self.channels.len()) {
            if self.frames.contains(&self.next) {
                if self.channels[0].len() >= self.most {
                    return Err(RecordingError::TooLong { most: self.most });
                }
                self.channels.iter_mut().zip(frame).for_each(|(channel, sample)| channel.push(*sample));
            }
            self.next += 1;
        }
        Ok(self.next < self.frames.end)
    }

    /// What was kept, if it is whole and all numbers.
    fn recording(
        self,
        promised: Option<u64>,
        format: Format,
        part: Part,
        bits: u32,
        is_float: bool,
    ) -> Result<Recording, RecordingError> {
        if let Some(expected) = promised.filter(|promised| self.next < *promised) {
            return Err(RecordingError::EndsEarly { frames: self.next, expected });
        }
        if self.channels[0].is_empty() {
            let is_part = part.from > 0.0 || part.to.is_some();
            return Err(if is_part { RecordingError::EmptyPart } else { RecordingError::Empty });
        }
        for channel in &self.channels {
            if let Some(index) = channel.iter().position(|sample| !sample.is_finite()) {
                return Err(RecordingError::NotANumber { index, value: channel[index] });
            }
        }
        Ok(Recording { channels: self.channels, rate: self.rate, format, bits, is_float })
    }
}
