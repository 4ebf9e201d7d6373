//! How fast a scene will be rendered: its score is played, to the end or for as long as a bounded time allows.
//!
//! What rests costs next to nothing, so the start of a score tells little: it is often silence. All of it tells all. Of a longer one, what
//! came after the first sound stands for what is left.

use std::time::Duration;

use ictus_scene::{Instrument, Scene};

use crate::error::RenderError;
use crate::stopwatch::Stopwatch;

/// Time of the processor after which enough was played.
pub const ENOUGH: Duration = Duration::from_millis(1500);
/// Frames played at a time.
const BLOCK: usize = 1024;
/// Length in s of a stretch of sound that is looked at by itself: nobody bridges that with a buffer.
const STRETCH: f64 = 0.1;

/// Seconds of sound per second of the processor, with the energy account.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Of the whole render.
    pub whole: f64,
    /// Of its slowest tenth of a second: below 1, it cannot be played live without dropouts.
    pub slowest: f64,
}

impl Speed {
    /// Of a scene, from as much of it as can be played within a time of the processor.
    ///
    /// # Errors
    /// The model cannot be built.
    pub fn measured(scene: &Scene, enough: Duration) -> Result<Self, RenderError> {
        let mut instrument = Instrument::new(scene)?;
        instrument.keep_account_of_energy(true);
        let channels = instrument.channels();
        let mut block = vec![0.0; BLOCK * channels];
        let total = (scene.duration * instrument.rate()).round().max(1.0) as u64;
        let step = instrument.rate().recip();
        let watch = Stopwatch::start();
        // Seconds of sound and of the processor: of all, before the first sound, and of the stretch under way.
        let (mut played, mut silence, mut stretch) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let (mut slowest, mut is_heard) = (f64::INFINITY, false);
        let mut left = total;
        while left > 0 && watch.elapsed() < enough {
            let frames = left.min(BLOCK as u64);
            let turn = Stopwatch::start();
            let block = &mut block[..frames as usize * channels];
            instrument.process(block);
            left -= frames;
            let took = [frames as f64 * step, turn.elapsed().as_secs_f64()];
            is_heard |= block.iter().any(|sample| *sample != 0.0);
            let add = |to: &mut [f64; 2]| to.iter_mut().zip(took).for_each(|(to, took)| *to += took);
            add(&mut played);
            add(&mut stretch);
            if !is_heard {
                add(&mut silence);
            }
            if stretch[0] >= STRETCH || left == 0 {
                slowest = f64::min(slowest, ratio(stretch));
                stretch = [0.0; 2];
            }
        }
        // What is left goes on as what was heard did.
        let heard = [played[0] - silence[0], played[1] - silence[1]];
        let rest = left as f64 * step;
        let going = if heard[0] > 0.0 { heard } else { played };
        let whole = ratio([played[0] + rest, played[1] + rest / ratio(going)]);
        Ok(Self { whole, slowest: slowest.min(whole) })
    }
}

fn ratio([sound, processor]: [f64; 2]) -> f64 {
    sound / processor.max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extent, Performance, Watch, gallery};
    use ictus_scene::{Reading, Source, read};

    const LONG: Duration = Duration::from_secs(600);

    fn read_from(source: &Source) -> Scene {
        read(source, &Reading::default()).expect("a fair scene")
    }

    /// Seconds of sound per second of the processor, of a render with the account.
    fn rendered(scene: &Scene) -> f64 {
        let extent = Extent::of(scene, "scene", scene.model.rate, 0.0, Extent::LARGEST).expect("can be rendered");
        let mut performance = Performance::new(scene, extent, 1, Watch::ACCOUNT).expect("can be built");
        while performance.next().expect("no filter").is_some() {}
        let played = performance.finish().expect("numbers");
        played.frames as f64 / f64::from(extent.rate) / played.seconds
    }

    #[test]
    fn the_speed_of_a_scene_is_that_of_its_render() {
        // Scenes that are quick to render: one body and many, that begin at once and after a silence.
        for name in ["bronze-plate", "door-knock", "hammered-string", "hinge", "music-box"] {
            let scene = read_from(&gallery::find(name.as_ref()).expect("is there").source);
            let ratio = || {
                let measured = Speed::measured(&scene, ENOUGH).expect("can be built");
                assert!(measured.slowest <= measured.whole, "{name}: {measured:?}");
                measured.whole / rendered(&scene)
            };
            // One after the other on one thread. Other work on the machine may come to one of them only, but not every time.
            let mut ratios = Vec::new();
            while ratios.len() < 5 && !ratios.last().is_some_and(|ratio: &f64| (1.0 / 1.5..1.5).contains(ratio)) {
                ratios.push(ratio());
            }
            println!("{name}: {ratios:.2?} of the speed of its render");
            assert!(ratios.last().is_some_and(|ratio| (1.0 / 1.5..1.5).contains(ratio)), "{name}: {ratios:?}");
        }
    }

    #[test]
    fn a_long_scene_is_judged_by_what_sounds() {
        let text = |pause: f64| {
            format!(
                "ictus = 1\ntitle = \"Late\"\nduration = 40\n[objects.string]\nkind = \"string\"\npitch = \"A2\"\n\
                 [exciters.finger]\nkind = \"pluck\"\non = \"string@0.2\"\n[pickups.ear]\nat = \"string@0.9\"\n\
                 [[events]]\ntime = {pause}\npluck = \"finger\"\nheight = \"1 mm\"\n"
            )
        };
        let measured = |pause: f64, enough: Duration| {
            let scene = read_from(&Source::new("late.toml", text(pause)));
            Speed::measured(&scene, enough).expect("can be built").whole
        };
        let (all, some) = (measured(2.0, LONG), measured(2.0, Duration::from_millis(30)));
        assert!(some < 3.0 * all && all < 3.0 * some, "{all:.0} times real time, {some:.0} from its beginning");
    }
}
