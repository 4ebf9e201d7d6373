//! The scene's score, in the time of a host, which starts, jumps and repeats where it likes.

use ictus_scene::Instrument;
use ictus_scene::scene::{Action, Event};

/// What happens when in a scene, and how far it has been played.
#[derive(Debug)]
pub struct Score {
    events: Vec<Event>,
    /// Length in s of a beat of it.
    beat: f64,
    next: usize,
}

impl Score {
    /// A score whose beats are so many seconds long.
    pub fn new(events: Vec<Event>, beat: f64) -> Self {
        Self { events, beat, next: 0 }
    }

    /// Whether nothing ever happens.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Length in s of a beat.
    pub fn beat(&self) -> f64 {
        self.beat
    }

    /// Goes to a time in s. What was played before is not; what was set before is as it is then, on its way where it would be, at so many
    /// seconds of the host for one of the score.
    pub fn seek(&mut self, instrument: &mut Instrument, time: f64, pace: f64) {
        self.next = self.events.partition_point(|event| event.time < time);
        for event in &self.events[..self.next] {
            match event.action {
                Action::Set { ref targets, value, over, logarithmic } => {
                    let passed = time - event.time;
                    for &target in targets {
                        let from = instrument.target_value(target).filter(|_| passed < over);
                        let now = from.map_or(value, |from| {
                            let part = passed / over;
                            let by_ratios = logarithmic && from * value > 0.0;
                            if by_ratios { from * (value / from).powf(part) } else { from + part * (value - from) }
                        });
                        let _ = instrument.set_target(target, now);
                        if passed < over {
                            let _ = instrument.glide_target(target, value, (over - passed) * pace, logarithmic);
                        }
                    }
                }
                Action::Turn { control, value, over, logarithmic } => {
                    let over = (over - (time - event.time)).max(0.0) * pace;
                    let _ = instrument.act(&Action::Turn { control, value, over, logarithmic });
                }
                Action::PitchBend(_) | Action::Sustain(_) => {
                    let _ = instrument.act(&event.action);
                }
                _ => {}
            }
        }
    }

    /// Plays what comes before a time in s, and returns the time of what comes after it.
    pub fn play_until(&mut self, instrument: &mut Instrument, time: f64, pace: f64) -> f64 {
        while let Some(event) = self.events.get(self.next) {
            if event.time >= time {
                return event.time;
            }
            play(instrument, &event.action, pace);
            self.next += 1;
        }
        f64::INFINITY
    }
}

/// Does what a score says; what takes its time takes so many times as long.
fn play(instrument: &mut Instrument, action: &Action, pace: f64) {
    let _ = match *action {
        Action::Play { exciter, amount, over } => instrument.act(&Action::Play { exciter, amount, over: over * pace }),
        Action::Release { exciter, over } => instrument.act(&Action::Release { exciter, over: over * pace }),
        Action::Set { ref targets, value, over, logarithmic } => {
            targets.iter().for_each(|target| drop(instrument.glide_target(*target, value, over * pace, logarithmic)));
            Ok(())
        }
        Action::Turn { control, value, over, logarithmic } => {
            instrument.act(&Action::Turn { control, value, over: over * pace, logarithmic })
        }
        ref other => instrument.act(other),
    };
}
