//! Files of every kind are read as what was written into them, and what cannot be read says why.

use std::f64::consts::TAU;
use std::path::PathBuf;

use hound::{SampleFormat, WavSpec, WavWriter};
use ictus_recording::{Format, Part, Recording, RecordingError, resampled};

/// The tone of the files in `tests/sounds`: a sine of 440 Hz, half of full scale, half a second long, at 44.1 kHz; the right channel, where
/// there is one, has half of it.
fn tone(n: usize, rate: f64) -> f64 {
    0.5 * (TAU * 440.0 * n as f64 / rate).sin()
}

fn sound(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/sounds").join(name)
}

fn wav(bits: u16, format: SampleFormat, frames: usize) -> Vec<u8> {
    let spec = WavSpec { channels: 2, sample_rate: 44_100, bits_per_sample: bits, sample_format: format };
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut file = WavWriter::new(&mut bytes, spec).expect("a file");
    for n in 0..frames {
        for gain in [1.0, 0.5] {
            let sample = gain * tone(n, 44_100.0);
            match format {
                SampleFormat::Float => file.write_sample(4.0 * sample as f32).expect("a sample"),
                SampleFormat::Int => {
                    let full = 2f64.powi(i32::from(bits) - 1);
                    file.write_sample((full * sample).round() as i32).expect("a sample");
                }
            }
        }
    }
    file.finalize().expect("a file");
    bytes.into_inner()
}

#[test]
fn samples_of_a_wav_file_are_what_was_written_above_full_scale_too() {
    for (bits, format, scale) in [
        (8, SampleFormat::Int, 1.0),
        (16, SampleFormat::Int, 1.0),
        (24, SampleFormat::Int, 1.0),
        (32, SampleFormat::Int, 1.0),
        (32, SampleFormat::Float, 4.0),
    ] {
        let read = Recording::from_bytes(wav(bits, format, 2000), Part::default()).expect("is read");
        assert_eq!((read.rate, read.format, read.bits), (44_100, Format::Wav, u32::from(bits)));
        assert_eq!((read.channels.len(), read.frames(), read.is_float), (2, 2000, format == SampleFormat::Float));
        let step = if read.is_float { 2f64.powi(-22) } else { 0.51 * 2f64.powi(1 - i32::from(bits)) };
        for (channel, gain) in read.channels.iter().zip([1.0, 0.5]) {
            for (n, sample) in channel.iter().enumerate() {
                assert!((sample - scale * gain * tone(n, 44_100.0)).abs() <= step, "{bits} {format:?} {n}: {sample}");
            }
        }
    }
}

#[test]
fn flac_mp3_and_ogg_hold_the_same_tone() {
    for (name, format, tolerance) in
        [("tone.flac", Format::Flac, 1.0 / 32768.0), ("tone.mp3", Format::Mp3, 0.02), ("tone.ogg", Format::Ogg, 0.02)]
    {
        let read = Recording::read(&sound(name), Part::default()).expect(name);
        assert_eq!((read.rate, read.format), (44_100, format));
        let left = &read.channels[0];
        // An encoder may add some silence before and after; the tone itself is there, without delay where the file tells it.
        assert!((22_050..=22_050 + 2400).contains(&left.len()), "{name}: {}", left.len());
        let worst = (2000..20_000).map(|n| (left[n] - tone(n, 44_100.0)).abs()).fold(0.0, f64::max);
        assert!(worst < tolerance, "{name}: off by {worst}");
    }
}

#[test]
fn a_part_is_the_samples_between_two_times() {
    let bytes = wav(16, SampleFormat::Int, 4410);
    let whole = Recording::from_bytes(bytes.clone(), Part::default()).expect("is read");
    let part = Part { from: 0.01, to: Some(0.05), ..Part::default() };
    let read = Recording::from_bytes(bytes.clone(), part).expect("is read");
    assert_eq!(read.channels[1], whole.channels[1][441..2205]);
    let late = Part { from: 3.0, ..Part::default() };
    assert_eq!(Recording::from_bytes(bytes.clone(), late), Err(RecordingError::EmptyPart));
    let little = Part { most: 1000, ..Part::default() };
    assert_eq!(Recording::from_bytes(bytes, little), Err(RecordingError::TooLong { most: 500 }));
}

#[test]
fn what_is_no_recording_says_so() {
    let read = |bytes: &[u8]| Recording::from_bytes(bytes.to_vec(), Part::default());
    assert_eq!(read(b""), Err(RecordingError::Unknown));
    assert_eq!(read(b"not a sound"), Err(RecordingError::Unknown));
    for damaged in [&b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0"[..], b"fLaC\0\0\0\x22", b"OggS\0", b"\xff\xfb\x90\x00"] {
        let error = read(damaged).expect_err("is damaged");
        assert!(matches!(error, RecordingError::Damaged { .. } | RecordingError::Empty), "{error}");
    }
    assert_eq!(read(&wav(16, SampleFormat::Int, 0)), Err(RecordingError::Empty));
    let whole = wav(16, SampleFormat::Int, 1000);
    let cut = read(&whole[..whole.len() - 1000]);
    assert!(matches!(cut, Err(RecordingError::EndsEarly { expected: 1000, .. })), "{cut:?}");
    let mut broken = wav(32, SampleFormat::Float, 100);
    let end = broken.len();
    broken[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(matches!(read(&broken), Err(RecordingError::NotANumber { index: 99, .. })));
    assert_eq!(Recording::read(&sound("none.wav"), Part::default()), Err(RecordingError::NoSuchFile));
    assert_eq!(Recording::read(&sound(""), Part::default()), Err(RecordingError::Folder));
}

#[test]
fn any_damage_is_an_error_or_a_sound_and_never_a_panic() {
    let files = ["tone.flac", "tone.mp3", "tone.ogg"].map(|name| std::fs::read(sound(name)).expect(name));
    for whole in files.into_iter().chain([wav(24, SampleFormat::Int, 500)]) {
        for trial in 0..60_usize {
            let mut bytes = whole.clone();
            let mut state = (trial as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for _ in 0..1 + trial % 5 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let place = (state >> 20) as usize % bytes.len().min(if trial % 2 == 0 { 200 } else { usize::MAX });
                bytes[place] ^= (state >> 8) as u8;
            }
            if trial % 7 == 0 {
                bytes.truncate(bytes.len() * (trial % 10) / 10);
            }
            let _ = Recording::from_bytes(bytes, Part { most: 1 << 18, ..Part::default() });
        }
    }
}

#[test]
fn a_tone_at_another_rate_is_the_same_tone_at_the_same_time() {
    let original: Vec<f64> = (0..44_100).map(|n| tone(n, 44_100.0)).collect();
    for rate in [48_000, 22_050, 96_000, 44_101, 192_000] {
        let read = resampled(&original, 44_100, rate).expect("is resampled");
        assert_eq!(read.len(), rate as usize);
        let middle = rate as usize / 4..3 * rate as usize / 4;
        let worst = middle.map(|n| (read[n] - tone(n, f64::from(rate))).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-5, "{rate} Hz: {worst}");
    }
    assert_eq!(resampled(&original, 44_100, 44_100).as_ref(), Ok(&original));
    assert!(
        resampled(&original, 44_100, 0).is_err() && resampled(&[], 44_100, 48_000).is_ok_and(|none| none.is_empty())
    );
}
