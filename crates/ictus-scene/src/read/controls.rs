//! Controls: a knob, what it turns, and from where to where.

use super::draft::Draft;
use super::fields::Fields;
use crate::problem::Span;
use crate::registry::played::control;
use crate::scene::Control;
use crate::tree::{Node, Table};
use crate::units::{Measure, show};

impl Draft<'_> {
    /// `[controls.NAME]`
    pub(crate) fn read_control(&self, name: &str, span: Span, table: &Table) -> Option<(Control, Measure)> {
        let fields = Fields::new(self.context, control(), table, span, None);
        let mut targets = Vec::new();
        let mut first: Option<(Measure, f64)> = None;
        for (path, span) in fields.texts("parameter") {
            let found = self.targets(path, span)?;
            let (measure, _) = *first.get_or_insert((found.measure, found.value));
            if measure.unit != found.measure.unit {
                let message = format!("`{path}` is {}, the first parameter {}", found.measure.name, measure.name);
                self.report(span, message, "one knob turns things of one unit");
                return None;
            }
            targets.extend(found.parameters);
        }
        let (measure, scene_value) = first?;
        let [low, high] = fields.node("range").and_then(Node::list)? else { return None };
        let range = [fields.quantity_of(low, "range", &measure)?, fields.quantity_of(high, "range", &measure)?];
        if range[0] >= range[1] {
            fields.report("range", "a range goes from a lower to a higher value", "");
            return None;
        }
        let logarithmic = fields.text("scale") == Some("log");
        if logarithmic && range[0] <= 0.0 {
            fields.report(
                "range",
                "equal ratios never reach 0",
                "begin the range above 0, or write `scale = \"linear\"`",
            );
            return None;
        }
        let is_given = fields.has("value");
        let value = if is_given { fields.value("value", &measure)? } else { scene_value };
        if !(range[0]..=range[1]).contains(&value) {
            let [low, high] = range.map(|end| show(end, &measure));
            let what = if is_given { "this value" } else { "what the scene says" };
            let message = format!("{what} is {}, outside the range from {low} to {high}", show(value, &measure));
            fields.report("value", message, "widen `range`, or give a `value` within it");
            return None;
        }
        let midi = fields.whole("midi").and_then(|number| u8::try_from(number).ok());
        let unit = fields.text("unit").unwrap_or(measure.unit).to_owned();
        let name = fields.text("name").unwrap_or(name).to_owned();
        Some((Control { name, targets, range, value, is_given, logarithmic, unit, midi }, measure))
    }
}
