//! From bytes to messages: all tracks of a file, laid over each other.

use midly::{EventIter, Format, MetaMessage, MidiMessage, TrackEventKind};

use super::clock::Clock;
use super::keyboard::wheel;
use super::{Gesture, LONGEST, MOST_MESSAGES, Message, Midi, MidiError};

/// What a track says at a tick.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Tempo(u32),
    Gesture(u8, Gesture),
    /// The end of a track.
    End,
}

pub(super) fn read(bytes: &[u8]) -> Result<Midi, MidiError> {
    let (bytes, trailing) = without_trailing(bytes);
    let clock = Clock::new(division(bytes)?)?;
    let not_midi = |error: midly::Error| MidiError::NotMidi(error.to_string());
    let (header, tracks) = midly::parse(bytes).map_err(not_midi)?;
    let expected = tracks.size_hint().0;
    let mut entries = Vec::new();
    let mut actual = 0;
    for track in tracks {
        actual += 1;
        let damaged = |error: midly::Error| MidiError::Damaged { track: actual, ticks: 0, reason: error.to_string() };
        read_track(track.map_err(damaged)?, actual, &mut entries)?;
    }
    if actual < expected {
        return Err(MidiError::MissingTracks { expected, actual });
    }
    if header.format == Format::Sequential && actual > 1 {
        return Err(MidiError::SeveralSongs(actual));
    }
    // Stable: what happens at one tick stays in the order of the tracks and of each track.
    entries.sort_by_key(|(ticks, _)| *ticks);
    in_time(&entries, clock, trailing)
}

/// The chunks of a file, and how many bytes follow them that are none. A track that is cut short is a chunk all the same: its reader
/// says what is missing.
fn without_trailing(bytes: &[u8]) -> (&[u8], usize) {
    let mut rest = bytes;
    while let Some((head, content)) = rest.split_at_checked(8) {
        let length = u32::from_be_bytes([head[4], head[5], head[6], head[7]]) as usize;
        match content.get(length..) {
            Some(after) => rest = after,
            None if head.starts_with(b"MT") => return (bytes, 0),
            None => break,
        }
    }
    (&bytes[..bytes.len() - rest.len()], rest.len())
}

/// The division of time in the header. Read here, since a value that makes no sense is better named than guessed at.
fn division(bytes: &[u8]) -> Result<u16, MidiError> {
    if bytes.get(..4) != Some(b"MThd") {
        return Err(MidiError::NotMidi("it does not begin with `MThd`".into()));
    }
    match bytes.get(12..14) {
        Some(&[high, low]) => Ok(u16::from_be_bytes([high, low])),
        _ => Err(MidiError::NotMidi("its header is cut short".into())),
    }
}

fn read_track(events: EventIter, track: usize, entries: &mut Vec<(u64, Entry)>) -> Result<(), MidiError> {
    let mut ticks = 0_u64;
    for event in events {
        let event = event.map_err(|error| MidiError::Damaged { track, ticks, reason: error.to_string() })?;
        ticks += u64::from(event.delta.as_int());
        let entry = match event.kind {
            TrackEventKind::Midi { channel, message } => match gesture(message) {
                Some(gesture) => Entry::Gesture(channel.as_int(), gesture),
                None => continue,
            },
            TrackEventKind::Meta(MetaMessage::Tempo(beat)) => Entry::Tempo(beat.as_int()),
            TrackEventKind::Meta(MetaMessage::EndOfTrack) => Entry::End,
            _ => continue,
        };
        if entries.len() == MOST_MESSAGES {
            return Err(MidiError::TooMany { limit: MOST_MESSAGES });
        }
        entries.push((ticks, entry));
        if let Entry::End = entry {
            break;
        }
    }
    Ok(())
}

fn gesture(message: MidiMessage) -> Option<Gesture> {
    Some(match message {
        MidiMessage::NoteOn { key, vel } if vel > 0 => Gesture::Strike { key: key.as_int(), velocity: vel.as_int() },
        MidiMessage::NoteOn { key, .. } | MidiMessage::NoteOff { key, .. } => Gesture::Lift { key: key.as_int() },
        MidiMessage::Controller { controller, value } => {
            Gesture::Controller { number: controller.as_int(), value: value.as_int() }
        }
        MidiMessage::ChannelAftertouch { vel } => Gesture::Pressure(vel.as_int()),
        MidiMessage::PitchBend { bend } => Gesture::Wheel(wheel(bend.0.as_int())),
        _ => return None,
    })
}

fn in_time(entries: &[(u64, Entry)], mut clock: Clock, trailing: usize) -> Result<Midi, MidiError> {
    let mut messages = Vec::new();
    for &(ticks, entry) in entries {
        match entry {
            Entry::Tempo(beat) => clock.set_tempo(ticks, beat),
            Entry::Gesture(channel, gesture) => messages.push(Message { time: clock.time(ticks), channel, gesture }),
            Entry::End => {}
        }
    }
    let end = entries.last().map_or(0.0, |(ticks, _)| clock.time(*ticks));
    if end > LONGEST {
        return Err(MidiError::TooLong { seconds: end, limit: LONGEST });
    }
    Ok(Midi { messages, end, trailing })
}
