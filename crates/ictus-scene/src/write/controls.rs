//! `[controls.NAME]`

use super::WriteError;
use super::names::{Names, named};
use super::numbers::key;
use super::paths::Paths;
use super::rows::Rows;
use crate::registry::played::control as control_info;

/// The table of a control.
pub(super) fn control(names: &Names<'_>, paths: &Paths, place: usize) -> Result<String, WriteError> {
    let control = &names.scene.controls[place];
    let of = format!("the control `{}`", control.name);
    let mut rows = Rows::new(control_info(), &*of);
    named(&mut rows, &names.controls[place], &control.name);
    let found = paths.of(&of, &control.targets)?;
    let first = found[0];
    if found.iter().any(|path| path.measure.unit != first.measure.unit) {
        return Err(rows.unsayable("a control of things of several units"));
    }
    let texts: Vec<&str> = found.iter().map(|path| &*path.path).collect();
    rows.texts("parameter", &texts);
    let [low, high] = control.range;
    let is_range = low < high && (low..=high).contains(&control.value) && (!control.logarithmic || low > 0.0);
    if !is_range {
        return Err(rows.unsayable(format!("a value of {} in a range from {low} to {high}", control.value)));
    }
    rows.values("range", control.range, &first.measure)?;
    if control.is_given {
        rows.value("value", control.value, &first.measure)?;
    } else if control.value.to_bits() != first.value.to_bits() {
        return Err(rows.unsayable("a value that is neither given nor that of its parameter"));
    }
    if control.logarithmic {
        rows.text("scale", "log");
    }
    if let Some(number) = control.midi {
        rows.whole("midi", number.into())?;
    }
    if control.unit != first.measure.unit {
        rows.text("unit", &control.unit);
    }
    Ok(rows.table(&format!("[controls.{}]", key(&names.controls[place]))))
}
