//! Sound from outside on its way to the instrument: a microphone's, or a line's.
//!
//! It comes in pieces of any size, as often as blocks are made but not at the same moments. So some of it waits; after a block that found too
//! little, more does. It never waits for long: where more comes than is played, the oldest is lost.

use std::collections::VecDeque;

use crate::playing::BLOCK;

/// Longest that it waits, in s.
const LONGEST: f64 = 0.1;

/// Blocks that wait before the first is played: at first, and at most.
const WAITING: [usize; 2] = [2, 12];

/// What has been heard and not played.
pub struct Inlet {
    waiting: VecDeque<f64>,
    longest: usize,
    /// Blocks that have to wait before it flows again.
    enough: usize,
    flows: bool,
    block: [f64; BLOCK],
}

impl Inlet {
    /// Nothing heard yet, at a rate in Hz. All memory is taken here.
    pub fn new(rate: f64) -> Self {
        let longest = ((LONGEST * rate) as usize).max(2 * WAITING[1] * BLOCK);
        let waiting = VecDeque::with_capacity(longest);
        Self { waiting, longest, enough: WAITING[0], flows: false, block: [0.0; BLOCK] }
    }

    /// Takes samples, 1 being full scale. What is no number is 0.
    pub fn hear(&mut self, samples: impl Iterator<Item = f32>) {
        for sample in samples {
            if self.waiting.len() == self.longest {
                self.waiting.pop_front();
            }
            self.waiting.push_back(if sample.is_finite() { f64::from(sample.clamp(-1.0, 1.0)) } else { 0.0 });
        }
    }

    /// The next block, if there is one.
    pub fn next_block(&mut self) -> Option<&[f64]> {
        let flowed = self.flows;
        self.flows = self.waiting.len() >= if flowed { BLOCK } else { self.enough * BLOCK };
        if !self.flows {
            // The blocks came before what they were to hear.
            self.enough = (self.enough + usize::from(flowed)).min(WAITING[1]);
            return None;
        }
        for (sample, heard) in self.block.iter_mut().zip(self.waiting.drain(..BLOCK)) {
            *sample = heard;
        }
        Some(&self.block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(from: usize, count: usize) -> impl Iterator<Item = f32> {
        (from..from + count).map(|n| n as f32 / 1e6)
    }

    #[test]
    fn what_comes_in_pieces_is_played_in_blocks_and_nothing_is_lost() {
        let mut inlet = Inlet::new(48_000.0);
        let (mut heard, mut played) = (0, vec![]);
        for piece in [37, 219, 1, 700, 128, 64, 500, 333, 900, 12].into_iter().cycle().take(100) {
            inlet.hear(ramp(heard, piece));
            heard += piece;
            while let Some(block) = inlet.next_block() {
                played.extend(block.iter().map(|sample| (sample * 1e6).round() as usize));
            }
        }
        assert!(played.len() + WAITING[1] * BLOCK > heard, "{} of {heard}", played.len());
        assert!(played.iter().enumerate().all(|(n, sample)| n == *sample), "in order, without a gap");
    }

    #[test]
    fn what_nobody_plays_is_forgotten_and_takes_no_memory() {
        let mut inlet = Inlet::new(48_000.0);
        let room = inlet.waiting.capacity();
        for _ in 0..100 {
            inlet.hear(ramp(0, 4096).chain([f32::NAN, f32::INFINITY]));
        }
        assert_eq!((inlet.waiting.len(), inlet.waiting.capacity()), (inlet.longest, room));
        assert!(inlet.waiting.iter().all(|sample| sample.abs() <= 1.0));
    }
}
