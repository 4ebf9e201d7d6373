//! The scene's controls as sliders, which host and automation move too.

use egui::{Grid, Slider, Ui};
use nice_plug::prelude::{BoolParam, Param, ParamSetter};

use crate::choice::Choice;
use crate::face::{Face, label};
use crate::knobs::{KNOBS, Knobs};

/// Columns of sliders.
const COLUMNS: usize = 2;

/// A slider for every control that has a knob.
pub fn show(ui: &mut Ui, knobs: &Knobs, setter: &ParamSetter, face: &Face) {
    if face.controls.is_empty() {
        ui.weak("This scene has no controls.");
    }
    Grid::new("knobs").num_columns(2 * COLUMNS).spacing([12.0, 6.0]).show(ui, |ui| {
        for (number, control) in face.controls.iter().enumerate().take(KNOBS) {
            let knob = &knobs.knobs[number].position;
            let mut position = knobs.position(number);
            ui.label(label(control));
            let words = |at: f64, _| {
                let words = face.words(number, at as f32);
                words.strip_prefix(&label(control)).map_or(words.clone(), |value| value.trim().to_owned())
            };
            let meant = |words: &str| face.position(number, words).map(f64::from);
            let slider = Slider::new(&mut position, 0.0..=1.0).custom_formatter(words).custom_parser(meant);
            let response = ui.add(slider);
            if response.drag_started() {
                setter.begin_set_parameter(knob);
            }
            if response.changed() {
                let is_typed = !response.dragged();
                if is_typed {
                    setter.begin_set_parameter(knob);
                }
                setter.set_parameter(knob, position);
                if is_typed {
                    setter.end_set_parameter(knob);
                }
            }
            if response.drag_stopped() {
                setter.end_set_parameter(knob);
            }
            if number % COLUMNS == COLUMNS - 1 {
                ui.end_row();
            }
        }
    });
}

/// Puts the knobs that nobody has turned where the scene has its controls.
pub fn go_home(knobs: &Knobs, setter: &ParamSetter, face: &Face, choice: &Choice) {
    let number = crate::choice::number_of(choice) as i32;
    if knobs.scene.value() != number {
        put(setter, &knobs.scene, number);
    }
    for (knob, control) in face.controls.iter().enumerate().take(KNOBS) {
        let home = control.position_of(control.value) as f32;
        if choice.turned >> knob & 1 == 0 && knobs.position(knob) != home {
            put(setter, &knobs.knobs[knob].position, home);
        }
    }
}

/// A switch.
pub fn switch(ui: &mut Ui, setter: &ParamSetter, parameter: &BoolParam, label: &str) {
    let mut is_on = parameter.value();
    if ui.checkbox(&mut is_on, label).changed() {
        put(setter, parameter, is_on);
    }
}

fn put<P: Param>(setter: &ParamSetter, parameter: &P, value: P::Plain) {
    setter.begin_set_parameter(parameter);
    setter.set_parameter(parameter, value);
    setter.end_set_parameter(parameter);
}
