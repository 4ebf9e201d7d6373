//! The binary half of the protocol, little-endian: blocks of audio and states to draw. docs/protocol.md has the tables.

/// First byte of a block of audio.
pub const AUDIO: u8 = 1;
/// First byte of a state.
pub const STATE: u8 = 2;
/// First byte of sound from outside, that a page sends.
pub const SOUND: u8 = 3;
/// Bytes before its samples.
pub const SOUND_HEADER: usize = 4;
/// Most samples of it in one message.
pub const MOST_SOUND: usize = 4096;
/// Channels of audio.
pub const CHANNELS: usize = 2;
/// Bytes before the samples of a block.
pub const AUDIO_HEADER: usize = 16;

/// Bytes before the objects of a state.
pub const STATE_HEADER: usize = 32;

/// What a state says beside objects, contacts and controls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StateHead {
    /// Number of the instrument this is a state of.
    pub generation: u16,
    /// Whether the energy account is kept.
    pub account_kept: bool,
    /// Whether the instrument was put to rest because it produced something that is no number.
    pub was_broken: bool,
    /// Frame of this state, from the start of the connection.
    pub frame: u64,
    /// Time the engine took over the time it made, 1 being all there is.
    pub load: f32,
    /// Smallest gain of the limiter since the last state, a factor.
    pub limiter: f32,
    /// Relative residual of the energy account.
    pub residual: f32,
    /// Energy stored in everything in J.
    pub stored: f32,
}

/// The samples of a message with sound from outside; none if it is no such message.
pub fn read_sound(message: &[u8]) -> Option<impl Iterator<Item = f32> + '_> {
    let (head, samples) = message.split_at_checked(SOUND_HEADER)?;
    let (numbers, rest) = samples.as_chunks::<4>();
    let is_whole = head == [SOUND, 0, 0, 0] && rest.is_empty() && (1..=MOST_SOUND).contains(&numbers.len());
    is_whole.then(|| numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)))
}

/// Writes the head of a block of `frames` frames, of which the first has this number.
pub fn write_audio_head(out: &mut Vec<u8>, frames: u16, mark: u32, first: u64) {
    out.extend_from_slice(&[AUDIO, CHANNELS as u8]);
    out.extend_from_slice(&frames.to_le_bytes());
    out.extend_from_slice(&mark.to_le_bytes());
    out.extend_from_slice(&(first as f64).to_le_bytes());
}

/// Writes the head of a state.
pub fn write_state_head(out: &mut Vec<u8>, head: &StateHead) {
    let flags = u8::from(head.account_kept) | u8::from(head.was_broken) << 1;
    out.extend_from_slice(&[STATE, flags]);
    out.extend_from_slice(&head.generation.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&(head.frame as f64).to_le_bytes());
    for value in [head.load, head.limiter, head.residual, head.stored] {
        push_number(out, value);
    }
}

/// Writes one number.
#[inline]
pub fn push_number(out: &mut Vec<u8>, value: f32) {
    out.extend_from_slice(&value.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_have_the_lengths_the_page_counts_on() {
        let mut out = Vec::new();
        write_audio_head(&mut out, 128, 7, 1 << 40);
        assert_eq!(out.len(), AUDIO_HEADER);
        assert_eq!(out[..4], [1, 2, 128, 0]);
        assert_eq!(out[8..16], ((1u64 << 40) as f64).to_le_bytes());
        out.clear();
        write_state_head(&mut out, &StateHead { account_kept: true, load: 0.5, ..StateHead::default() });
        assert_eq!(out.len(), STATE_HEADER);
        assert_eq!((out[0], out[1]), (2, 1));
        assert_eq!(out[16..20], 0.5f32.to_le_bytes());
    }
}
