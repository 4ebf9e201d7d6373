//! What can be wrong with a MIDI file, said so that a person knows what to do about it.

/// Why a MIDI file cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MidiError {
    /// It cannot be read at all.
    #[error("cannot read `{path}`: {error}")]
    Unreadable {
        /// Where it should be.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is too large to be music.
    #[error("the MIDI file is larger than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// It is something else.
    #[error("this is no Standard MIDI File: {0}")]
    NotMidi(String),
    /// It ends before it should, or something in it makes no sense.
    #[error("track {track} of the MIDI file is damaged or cut short after {ticks} ticks: {reason}")]
    Damaged {
        /// Number of the track, counted from 1.
        track: usize,
        /// Ticks from the start of the track to the last event that could be read.
        ticks: u64,
        /// What was found.
        reason: String,
    },
    /// It ends before all of its tracks.
    #[error("the MIDI file is cut short: it should have {expected} tracks and has {actual}")]
    MissingTracks {
        /// Tracks there should be.
        expected: usize,
        /// Tracks there are.
        actual: usize,
    },
    /// It holds several songs.
    #[error("the MIDI file is of format 2 and holds {0} songs: save the one you want as format 0 or 1")]
    SeveralSongs(usize),
    /// Its division of time makes no sense.
    #[error(
        "the MIDI file divides time by {0:#06x}: neither ticks per beat nor one of 24, 25, 29.97 or 30 frames per second"
    )]
    Division(u16),
    /// It has more to say than there is room for.
    #[error("the MIDI file has more than {limit} notes and controller moves")]
    TooMany {
        /// The limit in force.
        limit: usize,
    },
    /// It would sound for days.
    #[error("the MIDI file lasts {seconds:.0} s; at most {limit:.0} s are played")]
    TooLong {
        /// Its length in s.
        seconds: f64,
        /// The limit in s.
        limit: f64,
    },
}
