//! What a piece does to a scene. Keys still down at the end come up there.

use super::keyboard::USUAL_BEND;
use super::{Gesture, Keyboard, Midi};
use crate::scene::{Event, Scene};

impl Midi {
    /// The piece as events of a scene, in order of time. Notes play what the scene's note map says, controllers turn the controls
    /// that name them.
    pub fn events(&self, scene: &Scene) -> Vec<Event> {
        let range = scene.notes.as_ref().map_or(USUAL_BEND, |notes| notes.bend_range);
        let (mut keyboard, mut events) = (Keyboard::new(range), Vec::new());
        for message in &self.messages {
            let add = |action| events.push(Event { time: message.time, action });
            let channel = message.channel;
            match message.gesture {
                Gesture::Strike { key, velocity } => keyboard.strike(channel, key, f64::from(velocity), add),
                Gesture::Lift { key } => keyboard.lift(channel, key, add),
                Gesture::Controller { number, value } => {
                    keyboard.control(&scene.controls, channel, number, f64::from(value), add);
                }
                Gesture::Pressure(value) => keyboard.press(&scene.controls, f64::from(value), add),
                Gesture::Wheel(position) => keyboard.bend(position, add),
            }
        }
        keyboard.rest(|action| events.push(Event { time: self.end, action }));
        events
    }
}
