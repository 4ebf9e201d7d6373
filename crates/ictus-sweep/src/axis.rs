//! A parameter of a sweep and the values it takes.
//!
//! | in a plan | values |
//! | --- | --- |
//! | `"uniform(0.5, 5)"` | from the one to the other, all equally likely |
//! | `"log(1e7, 1e10)"` | the same for the logarithm: every factor of 2 is equally likely |
//! | `"log(1e7, 1e10, 8)"` | in a grid: 8 values, both ends among them |
//! | `[1, 2, 5]`, `["A2", "C3"]` | these |
//! | `2.5` | always this one |
//!
//! Bounds take units, `"uniform(5 g, 20 g)"`; the table has SI.

use ictus::math::Plain;
use ictus::names::nearest;
use ictus_scene::units::{self, Measure};

use crate::sampling::Coordinates;

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number in the parameter's SI unit.
    Number(f64),
    /// A text: a note, a material.
    Text(String),
}

impl Value {
    /// As an override of a scene takes it: TOML, or a text without quotation marks.
    pub fn written(&self) -> String {
        match self {
            Self::Number(number) => Plain(*number).to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// The values a parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// From the first to the second, in equal steps.
    Uniform(f64, f64),
    /// From the first, above 0, to the second, in equal ratios.
    Log(f64, f64),
    /// These.
    List(Vec<Value>),
}

impl Values {
    /// Listed values with units as SI numbers, if all of them are; others, as notes and materials, stay texts.
    pub(crate) fn in_si(self, measure: &Measure) -> Self {
        let Self::List(list) = &self else { return self };
        let number = |value: &Value| match value {
            Value::Number(number) => Some(Value::Number(*number)),
            Value::Text(text) => units::parse(text, measure).ok().map(Value::Number),
        };
        match list.iter().map(number).collect::<Option<Vec<_>>>() {
            Some(numbers) => Self::List(numbers),
            None => Self::List(list.iter().map(|value| Value::Text(value.written())).collect()),
        }
    }
}

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// How the scene's table of parameters calls it: `mallet.stiffness`.
    pub path: String,
    /// SI unit; empty for a pure number or a text.
    pub unit: String,
    /// What it may be.
    pub values: Values,
    /// How many values of a range a grid has.
    pub steps: Option<u64>,
}

/// Names of ranges in plans.
const RANGES: [&str; 2] = ["uniform", "log"];

/// Most values of a list, and most steps of a range.
pub(crate) const MOST_VALUES: u64 = 1 << 20;

impl Axis {
    /// How many values there are: of a range without steps, any number.
    pub fn count(&self) -> Option<u64> {
        match &self.values {
            Values::List(list) => Some(list.len() as u64),
            Values::Uniform(..) | Values::Log(..) => self.steps,
        }
    }

    /// Whether it never changes.
    pub fn is_constant(&self) -> bool {
        self.count() == Some(1)
    }

    /// Whether its values are texts.
    pub fn is_text(&self) -> bool {
        matches!(&self.values, Values::List(list) if list.iter().any(|value| matches!(value, Value::Text(_))))
    }

    /// The value of a point.
    pub(crate) fn value(&self, coordinates: &Coordinates, index: u64) -> Value {
        let along = |low: f64, high: f64| match self.steps {
            None => low + coordinates.unit(index) * (high - low),
            Some(1) => low,
            Some(steps) => low + coordinates.cell(index, steps) as f64 / (steps - 1) as f64 * (high - low),
        };
        match &self.values {
            Values::Uniform(low, high) => Value::Number(along(*low, *high).clamp(*low, *high)),
            Values::Log(low, high) => {
                // The ends of a grid are what was asked for, not its logarithm's exponential.
                let end = self.steps.and_then(|steps| match coordinates.cell(index, steps) {
                    0 => Some(*low),
                    cell if cell == steps - 1 => Some(*high),
                    _ => None,
                });
                let value = end.unwrap_or_else(|| libm::exp(along(libm::log(*low), libm::log(*high))));
                Value::Number(value.clamp(*low, *high))
            }
            Values::List(list) => list[coordinates.cell(index, list.len() as u64) as usize].clone(),
        }
    }

    /// As a plan has it: [`range`] or a list of TOML.
    pub(crate) fn written(&self) -> toml::Value {
        let range = |name: &str, low: f64, high: f64| {
            let steps = self.steps.map_or(String::new(), |steps| format!(", {steps}"));
            toml::Value::String(format!("{name}({}, {}{steps})", Plain(low), Plain(high)))
        };
        let one = |value: &Value| match value {
            Value::Number(number) => toml::Value::Float(*number),
            Value::Text(text) => toml::Value::String(text.clone()),
        };
        match &self.values {
            Values::Uniform(low, high) => range("uniform", *low, *high),
            Values::Log(low, high) => range("log", *low, *high),
            Values::List(list) => toml::Value::Array(list.iter().map(one).collect()),
        }
    }
}

/// The range that a text describes, `log(1e7, 1e10)`, with its steps; nothing if it is no range at all; or what is wrong with it.
pub(crate) fn range(text: &str, measure: &Measure) -> Result<Option<(Values, Option<u64>)>, String> {
    let Some((name, rest)) = text.trim().split_once('(') else { return Ok(None) };
    let name = name.trim();
    if !RANGES.contains(&name) {
        return match nearest(name, RANGES) {
            Some(meant) => Err(format!("there is no range `{name}`; did you mean `{meant}`?")),
            None => Ok(None),
        };
    }
    let form = || format!("`{text}` must be {name}(lowest, highest), in a grid {name}(lowest, highest, how many)");
    let inside = rest.trim_end().strip_suffix(')').ok_or_else(form)?;
    let parts: Vec<&str> = inside.split(',').map(str::trim).collect();
    let (low, high, steps) = match parts[..] {
        [low, high] => (low, high, None),
        [low, high, steps] => (low, high, Some(steps)),
        _ => return Err(form()),
    };
    let bound = |text: &str| units::parse(text, measure).map_err(|error| format!("the bound `{text}`: {error}"));
    let (low, high) = (bound(low)?, bound(high)?);
    if low >= high {
        return Err(format!(
            "the range {name}({}, {}) must go from the lower to the higher value",
            Plain(low),
            Plain(high)
        ));
    }
    if name == "log" && low <= 0.0 {
        return Err(format!("log({}, {}) must be above 0; uniform takes any bounds", Plain(low), Plain(high)));
    }
    let whole = |text: &str| text.parse::<u64>().ok().filter(|steps| (1..=MOST_VALUES).contains(steps));
    let steps = match steps {
        None => None,
        Some(text) => Some(
            whole(text)
                .ok_or_else(|| format!("a range has a whole number of values from 1 to {MOST_VALUES}, not `{text}`"))?,
        ),
    };
    let values = if name == "log" { Values::Log(low, high) } else { Values::Uniform(low, high) };
    Ok(Some((values, steps)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ictus_scene::units::{MASS, NUMBER};

    fn axis(text: &str) -> Axis {
        let (values, steps) = range(text, &NUMBER).unwrap().unwrap();
        Axis { path: "a".into(), unit: String::new(), values, steps }
    }

    #[test]
    fn ranges_are_read_with_units_and_written_back() {
        assert_eq!(range("uniform(5 g, 20 g)", &MASS), Ok(Some((Values::Uniform(0.005, 0.02), None))));
        assert_eq!(range(" log( 1e7 ,1e10, 4 ) ", &NUMBER), Ok(Some((Values::Log(1e7, 1e10), Some(4)))));
        assert_eq!(range("A2", &NUMBER), Ok(None));
        assert_eq!(axis("log(1e7,1e10,4)").written().as_str(), Some("log(1e7, 1e10, 4)"));
    }

    #[test]
    fn mistakes_in_ranges_are_told() {
        let message = |text: &str| range(text, &NUMBER).unwrap_err();
        assert_eq!(message("unifrom(1, 2)"), "there is no range `unifrom`; did you mean `uniform`?");
        assert_eq!(message("log(0, 2)"), "log(0, 2) must be above 0; uniform takes any bounds");
        assert!(message("uniform(2, 1)").contains("from the lower to the higher"));
        assert!(message("uniform(1)").contains("must be uniform(lowest, highest)"));
        assert!(message("uniform(1, 2").contains("must be uniform(lowest, highest)"));
        assert!(message("uniform(1, x)").starts_with("the bound `x`"));
        assert!(message("uniform(1, nan)").starts_with("the bound `nan`"));
        assert!(message("uniform(1, 2, 0)").contains("whole number of values"));
        assert!(message("uniform(1, 2, 1e99)").contains("whole number of values"));
    }

    #[test]
    fn a_grid_has_both_ends_and_equal_ratios() {
        let log = axis("log(10, 1000, 3)");
        let grid = Coordinates::Grid { count: 3, stride: 1 };
        let values: Vec<Value> = (0..3).map(|index| log.value(&grid, index)).collect();
        assert_eq!((&values[0], &values[2]), (&Value::Number(10.0), &Value::Number(1000.0)));
        assert!(matches!(values[1], Value::Number(middle) if (middle - 100.0).abs() < 1e-9));
    }

    #[test]
    fn the_logarithm_of_a_log_range_is_uniform() {
        let log = axis("log(1, 1e6)");
        let coordinates = Coordinates::random(1, "a");
        let mut tenths = [0; 10];
        for index in 0..10_000 {
            let Value::Number(value) = log.value(&coordinates, index) else { panic!("is a number") };
            assert!((1.0..=1e6).contains(&value));
            tenths[((value.log10() / 6.0 * 10.0) as usize).min(9)] += 1;
        }
        // 1000 each with a standard deviation of 30.
        assert!(tenths.iter().all(|count| (880..1120).contains(count)), "{tenths:?}");
    }
}
