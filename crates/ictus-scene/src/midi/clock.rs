//! From ticks to seconds.

use super::MidiError;

/// Microseconds of a beat where no tempo is given: 120 beats per minute.
const USUAL_BEAT: u32 = 500_000;

/// How a file divides time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Division {
    /// Ticks of a beat, whose length the tempo says.
    Beat(f64),
    /// Ticks of a second, whatever the tempo.
    Second(f64),
}

/// Turns the ticks of a file, in order, into seconds.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    division: Division,
    /// Length of a tick in s.
    tick: f64,
    /// The last change of tempo, in ticks and in s: times are counted from there, so that rounding does not add up.
    since: (u64, f64),
}

impl Clock {
    /// A clock for the division in a file's header, which is checked here: a frame rate no one uses is an error.
    pub(super) fn new(division: u16) -> Result<Self, MidiError> {
        let [high, low] = division.to_be_bytes();
        let invalid = MidiError::Division(division);
        let division = match (high, low) {
            (0, 0) => return Err(invalid),
            (0..=0x7f, _) => Division::Beat(f64::from(division)),
            (_, 0) => return Err(invalid),
            // Frames per second are written negative.
            _ => match high.wrapping_neg() {
                29 => Division::Second(f64::from(low) * 30_000.0 / 1001.0),
                frames @ (24 | 25 | 30) => Division::Second(f64::from(low) * f64::from(frames)),
                _ => return Err(invalid),
            },
        };
        let mut clock = Self { division, tick: 0.0, since: (0, 0.0) };
        clock.set_tempo(0, USUAL_BEAT);
        Ok(clock)
    }

    /// Time in s of a tick at or after the last change of tempo.
    pub(super) fn time(&self, ticks: u64) -> f64 {
        self.since.1 + ticks.saturating_sub(self.since.0) as f64 * self.tick
    }

    /// From this tick on, a beat lasts so many microseconds.
    pub(super) fn set_tempo(&mut self, ticks: u64, beat: u32) {
        self.since = (ticks, self.time(ticks));
        self.tick = match self.division {
            Division::Beat(ticks) => f64::from(beat) * 1e-6 / ticks,
            Division::Second(ticks) => 1.0 / ticks,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_follow_the_tempo_and_frames_do_not() -> Result<(), MidiError> {
        let mut beats = Clock::new(480)?;
        assert_eq!(beats.time(960), 1.0);
        beats.set_tempo(960, 1_000_000);
        assert_eq!(beats.time(960 + 480), 2.0);
        let mut frames = Clock::new(u16::from_be_bytes([(25_u8).wrapping_neg(), 40]))?;
        frames.set_tempo(10, 1_000_000);
        assert!((frames.time(3000) - 3.0).abs() < 1e-12);
        let drop_frame = Clock::new(u16::from_be_bytes([(29_u8).wrapping_neg(), 100]))?;
        assert!((drop_frame.time(2997) - 1.0).abs() < 1e-4);
        Ok(())
    }

    #[test]
    fn divisions_that_make_no_sense_are_refused() {
        for division in [0x0000, 0x8000, 0x80ff, 0xe700, 0xff01] {
            assert!(matches!(Clock::new(division), Err(MidiError::Division(_))), "{division:#x}");
        }
    }
}
