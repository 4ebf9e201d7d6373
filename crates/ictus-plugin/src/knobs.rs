//! What a host can automate, and what it keeps in its project.

use std::sync::Arc;

use nice_plug::params::persist::PersistentField;
use nice_plug::prelude::*;
use parking_lot::RwLock;

use crate::choice::{Choice, SCENES, number_of, scenes};
use crate::desk::Desk;

/// Knobs that follow the scene's controls, in their order.
pub const KNOBS: usize = 64;

/// Where a knob stands that nobody has moved.
pub const USUAL_POSITION: f32 = 0.5;

/// The parameter that chooses a scene of the gallery.
pub const SCENE: &str = "scene";

/// What a scene is called that is not one to choose from.
const OWN: &str = "own scene";

/// A knob from 0 to 1; what it means is the scene's.
#[derive(Params)]
pub struct Knob {
    /// Its position.
    #[id = "knob"]
    pub position: FloatParam,
}

/// All parameters of a plugin.
#[derive(Params)]
pub struct Knobs {
    /// Which scene of the gallery; 0 is one's own.
    #[id = "scene"]
    pub scene: IntParam,
    /// Gain in dB of the audio from outside.
    #[id = "drive"]
    pub drive: FloatParam,
    /// Whether every note has a channel of its own, with bend, pressure and slide.
    #[id = "mpe"]
    pub mpe: BoolParam,
    /// Whether the scene's own score plays when the host does.
    #[id = "score"]
    pub score: BoolParam,
    /// The scene's controls.
    #[nested(array, group = "Controls")]
    pub knobs: [Knob; KNOBS],
    /// The scene itself.
    #[persist = "scene"]
    pub desk: Arc<Desk>,
    /// A text that is being written and not played yet; empty if there is none.
    #[persist = "draft"]
    pub draft: Arc<RwLock<String>>,
}

impl Knobs {
    /// The parameters of a plugin whose scene is at this desk.
    pub fn new(desk: Arc<Desk>) -> Self {
        let first = number_of(&desk.choice()) as i32;
        let name = |number: i32| {
            let scene = (number > 0).then(|| scenes().nth(number as usize - 1)).flatten();
            scene.map_or(OWN, |(name, _)| name).to_owned()
        };
        let number = |words: &str| {
            let words = words.trim();
            let named = scenes().position(|(name, _)| name == words).map(|place| place as i32 + 1);
            named.or((words == OWN).then_some(0)).or_else(|| words.parse().ok().map(|n: i32| n.clamp(0, SCENES as i32)))
        };
        let decibels = FloatRange::Linear { min: -80.0, max: 80.0 };
        Self {
            scene: IntParam::new("Scene", first, IntRange::Linear { min: 0, max: SCENES as i32 })
                .with_value_to_string(Arc::new(name))
                .with_string_to_value(Arc::new(number)),
            drive: FloatParam::new("Input", 0.0, decibels)
                .with_unit(" dB")
                .with_value_to_string(formatters::v2s_f32_rounded(2)),
            mpe: BoolParam::new("MPE", false),
            score: BoolParam::new("Play the score", false),
            knobs: std::array::from_fn(|index| {
                let (words, positions) = (desk.clone(), desk.clone());
                let range = FloatRange::Linear { min: 0.0, max: 1.0 };
                let position = FloatParam::new(format!("Control {}", index + 1), USUAL_POSITION, range)
                    .with_value_to_string(Arc::new(move |at| words.face().words(index, at)))
                    .with_string_to_value(Arc::new(move |text| positions.face().position(index, text)));
                Knob { position }
            }),
            desk,
            draft: Arc::default(),
        }
    }

    /// Where a knob stands, from 0 to 1; what is no number is 0.
    pub fn position(&self, knob: usize) -> f32 {
        let at = self.knobs[knob].position.value();
        if at.is_nan() { 0.0 } else { at }
    }
}

impl PersistentField<'_, Choice> for Arc<Desk> {
    fn set(&self, choice: Choice) {
        self.choose(choice);
    }

    fn map<F: Fn(&Choice) -> R, R>(&self, f: F) -> R {
        f(&self.choice())
    }
}
