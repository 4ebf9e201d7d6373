//! A point of a sweep: the values of its parameters, and what is heard there.

use ictus_analysis::Features;
use ictus_render::report::contacts;
use ictus_render::{Extent, Performance, Watch};
use ictus_scene::{Problems, Reading, Source};

use crate::axis::Value;
use crate::plan::Plan;
use crate::reading::without_option;

/// Longest message of a point that fails, in bytes.
const LONGEST_MESSAGE: usize = 600;

/// A point, about to be rendered.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its number, from 0.
    pub index: u64,
    /// The seed its scene is read with.
    pub seed: u64,
    /// The values of the plan's parameters, in their order.
    pub values: Vec<Value>,
}

/// What a point sounds like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// The samples, channel by channel, rounded to 32-bit floats; 1 is full scale.
    pub channels: Vec<Vec<f64>>,
    /// Measures of the sound, if the plan asks for them.
    pub features: Features,
    /// How many times things touched and parted.
    pub contacts: u64,
    /// Contact time in s of the strongest contact, to a small part of a sample.
    pub contact_time: Option<f64>,
    /// Largest force in N of the strongest contact.
    pub peak_force: Option<f64>,
}

impl Point {
    pub(crate) fn new(plan: &Plan, index: u64, seed: u64, values: Vec<Value>) -> Self {
        // A plan may say itself which seeds there are.
        let said = plan.axes.iter().zip(&values).find(|(axis, _)| axis.path == "seed");
        let seed = if let Some((_, Value::Number(said))) = said { *said as u64 } else { seed };
        Self { index, seed, values }
    }

    /// Renders the point: the same samples as `ictus render --set … --no-account`, to the bit.
    ///
    /// # Errors
    /// Why there is no sound, in one sentence: the scene cannot be, or its values leave the numbers.
    pub fn render(&self, plan: &Plan) -> Result<Heard, String> {
        let overrides = plan.axes.iter().zip(&self.values).filter(|(axis, _)| axis.path != "seed");
        let overrides = overrides.map(|(axis, value)| (axis.path.clone(), value.written())).collect();
        let rate = f64::from(plan.extent.rate) * plan.oversample as f64;
        let reading = Reading { rate: Some(rate), seed: Some(self.seed), duration: plan.duration, overrides };
        self.play(plan, &plan.source, &reading).map_err(|message| shortened(&message))
    }

    fn play(&self, plan: &Plan, source: &Source, reading: &Reading) -> Result<Heard, String> {
        let scene = ictus_scene::read(source, reading).map_err(|problems| told(&problems))?;
        let rate = f64::from(plan.extent.rate);
        let extent = Extent::of(&scene, &plan.name, rate, 0.0, Extent::LARGEST).map_err(|error| error.to_string())?;
        if extent != plan.extent {
            return Err(format!(
                "the sound would have {} channels of {} samples, not {} of {} as the others",
                extent.channels, extent.frames, plan.extent.channels, plan.extent.frames
            ));
        }
        let mut performance =
            Performance::new(&scene, extent, plan.oversample, Watch::NOTHING).map_err(|error| error.to_string())?;
        let count = usize::from(extent.channels);
        let mut sound = Vec::with_capacity((extent.frames + 1024) * count);
        while let Some(block) = performance.next().map_err(|error| error.to_string())? {
            sound.extend_from_slice(block);
        }
        let played = performance.finish().map_err(|error| error.to_string())?;
        sound.truncate(extent.frames * count);
        scene.output.fade_out(&mut sound, count, rate, 0, extent.frames as u64);
        // As they are kept: the measures in a row are those of its sound in the array, and of a render in Python.
        let kept = |sample: &f64| f64::from(*sample as f32);
        let channels: Vec<Vec<f64>> =
            (0..count).map(|channel| sound[channel..].iter().step_by(count).map(kept).collect()).collect();
        let features = if plan.features {
            let slices: Vec<&[f64]> = channels.iter().map(Vec::as_slice).collect();
            Features::of(&slices, rate).map_err(|error| error.to_string())?
        } else {
            Features::default()
        };
        let strongest = contacts(&scene, &played).max_by(|a, b| a.peak_force.total_cmp(&b.peak_force));
        Ok(Heard {
            channels,
            features,
            contacts: played.contacts.count + played.contacts.missed,
            contact_time: strongest.map(|contact| contact.time()),
            peak_force: strongest.map(|contact| contact.peak_force),
        })
    }
}

/// The problems of a scene in one line.
fn told(problems: &Problems) -> String {
    let one = |problem: &ictus_scene::Problem| {
        let message = without_option(problem);
        if problem.help.is_empty() { message } else { format!("{message} ({})", problem.help) }
    };
    problems.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn shortened(message: &str) -> String {
    if message.len() <= LONGEST_MESSAGE {
        return message.to_owned();
    }
    let end = (0..=LONGEST_MESSAGE).rev().find(|end| message.is_char_boundary(*end)).unwrap_or(0);
    format!("{}…", &message[..end])
}
