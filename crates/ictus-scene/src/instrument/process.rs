//! Blocks of sound as hosts want them: double or single precision, interleaved or channel by channel. The samples are the same.

use super::Instrument;

/// Most frames that are made at a time where the host wants another layout.
pub(super) const MOST_MIXED: usize = 256;

impl Instrument {
    /// Fills a block of interleaved samples, `block.len() / channels` frames. Fit for the audio thread.
    pub fn process(&mut self, block: &mut [f64]) {
        let channels = self.channels();
        let mut rest = block;
        while rest.len() >= channels {
            self.play_what_is_due();
            let frames = self.frames_to_run(rest.len() / channels);
            let (now, later) = rest.split_at_mut(frames * channels);
            self.console.mechanism.engine.process(now);
            self.console.mechanism.time += frames as u64;
            self.listen(now);
            rest = later;
        }
        rest.fill(0.0);
    }

    /// The same in single precision.
    pub fn process_f32(&mut self, block: &mut [f32]) {
        let channels = self.channels();
        let whole = block.len() / channels * channels;
        let (frames, rest) = block.split_at_mut(whole);
        for chunk in frames.chunks_mut(MOST_MIXED * channels) {
            self.mix_frames(chunk.len() / channels, |mix| {
                chunk.iter_mut().zip(mix).for_each(|(sample, heard)| *sample = *heard as f32);
            });
        }
        rest.fill(0.0);
    }

    /// Fills one block for each channel, as many frames as the shortest has room for; what is beyond is silent. Blocks beyond the
    /// instrument's channels are silent, channels without a block are not heard.
    pub fn process_planar(&mut self, blocks: &mut [&mut [f64]]) {
        self.process_blocks(blocks, |heard| heard);
    }

    /// The same in single precision.
    pub fn process_planar_f32(&mut self, blocks: &mut [&mut [f32]]) {
        self.process_blocks(blocks, |heard| heard as f32);
    }

    fn process_blocks<T: Default>(&mut self, blocks: &mut [&mut [T]], convert: impl Fn(f64) -> T) {
        let channels = self.channels();
        let frames = blocks.iter().map(|block| block.len()).min().unwrap_or(0);
        let mut done = 0;
        while done < frames {
            let count = (frames - done).min(MOST_MIXED);
            self.mix_frames(count, |mix| {
                for (channel, block) in blocks.iter_mut().take(channels).enumerate() {
                    let heard = mix.iter().skip(channel).step_by(channels);
                    block[done..done + count]
                        .iter_mut()
                        .zip(heard)
                        .for_each(|(sample, heard)| *sample = convert(*heard));
                }
            });
            done += count;
        }
        for (channel, block) in blocks.iter_mut().enumerate() {
            let silent = if channel < channels { frames } else { 0 };
            block[silent..].iter_mut().for_each(|sample| *sample = T::default());
        }
    }

    /// Makes some frames, at most [`MOST_MIXED`], and hands them over interleaved.
    fn mix_frames(&mut self, frames: usize, take: impl FnOnce(&[f64])) {
        // Lent, so that the instrument can write into it.
        let mut mix = std::mem::take(&mut self.mix);
        let block = &mut mix[..frames * self.channels()];
        self.process(block);
        take(block);
        self.mix = mix;
    }
}
