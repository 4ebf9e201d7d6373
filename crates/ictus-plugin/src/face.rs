//! What people are told of the scene that plays: its name, its controls with values in words, what is wrong.

use ictus_scene::scene::Control;

/// What is known of the scene at work. It changes as a whole.
#[derive(Clone, Debug, Default)]
pub struct Face {
    /// The number of the choice it is of.
    pub choice: u64,
    /// The scene's title, or what it is called where it cannot be read.
    pub title: String,
    /// Its physics in a few sentences.
    pub about: String,
    /// What is wrong, where nothing can be played.
    pub message: Option<String>,
    /// Its controls, in their order.
    pub controls: Vec<Control>,
    /// What is drawn of it.
    pub drawing: crate::picture::Drawing,
}

/// Digits that tell two neighbouring positions of a knob apart, as the eye does.
const DIGITS: i32 = 4;

impl Face {
    /// What a knob says at a position from 0 to 1: the control's name, value and unit; the position where the scene has no such control.
    pub fn words(&self, knob: usize, position: f32) -> String {
        let Some(control) = self.controls.get(knob) else { return format!("{position:.3}") };
        let unit = if control.unit.is_empty() { "" } else { " " };
        format!("{} {}{unit}{}", label(control), value(control, f64::from(position)), control.unit)
    }

    /// The position that words mean: a number, with or without the name and the unit.
    pub fn position(&self, knob: usize, words: &str) -> Option<f32> {
        let words = words.trim();
        let Some(control) = self.controls.get(knob) else { return number(words).map(|at| at.clamp(0.0, 1.0) as f32) };
        let rest = words.strip_prefix(&label(control)).unwrap_or(words).trim();
        let rest = rest.strip_suffix(&control.unit).unwrap_or(rest).trim();
        Some(control.position_of(number(rest)?) as f32)
    }
}

fn number(words: &str) -> Option<f64> {
    words.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A control's name, for people.
pub fn label(control: &Control) -> String {
    control.name.replace(['_', '-'], " ")
}

/// The value of a control at a position, rounded to what a turn of the knob can tell apart.
pub fn value(control: &Control, position: f64) -> String {
    let value = control.value_at(position);
    let [low, high] = control.range;
    // Of equal ratios so many digits, large numbers and small ones with a power of ten; of equal steps so many digits of the range.
    if control.logarithmic && !(1e-3..1e4).contains(&value.abs()) {
        let text = format!("{value:.*e}", DIGITS as usize - 1);
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'));
    }
    let size = if control.logarithmic { value.abs() } else { (high - low).abs() };
    if !(size > 0.0 && size.is_finite()) {
        return format!("{value}");
    }
    let decimals = (DIGITS - 1 - size.log10().floor() as i32).clamp(0, 15) as usize;
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
