//! The parameters of a plan: paths of the scene, and the values they take.

use std::ops::Range;

use ictus::names::nearest;
use ictus_scene::parameters::ParameterInfo;
use ictus_scene::units::{Measure, NUMBER};
use ictus_scene::{Problem, Reading, Scene, Source};
use toml::de::{DeTable, DeValue};

use super::{Keys, one};
use crate::axis::{self, Axis, MOST_VALUES, Value, Values};
use crate::error::SweepError;

/// Largest number that every float holds exactly.
const LARGEST_WHOLE: i64 = 1 << 53;

impl Keys<'_> {
    pub(super) fn axes(&self, source: &Source, scene: &Scene, reading: &Reading) -> Result<Vec<Axis>, SweepError> {
        let Some(node) = self.get("parameters") else {
            return Err(self
                .text
                .all_wrong("a plan needs a table [parameters], such as mallet.mass = \"log(5 g, 50 g)\""));
        };
        let DeValue::Table(table) = node.get_ref() else {
            return Err(self.text.wrong(node.span(), "`parameters` must be a table of paths and their values"));
        };
        let mut found = Vec::new();
        flatten(String::new(), table, &mut found);
        if found.is_empty() {
            return Err(self.text.wrong(node.span(), "there is no parameter to change in [parameters]"));
        }
        let known = scene.parameters();
        let mut axes: Vec<(Axis, Range<usize>)> = Vec::new();
        for (path, span, value) in found {
            // What only one set has needs no name of the set.
            let path = scene.whole_path(&path).unwrap_or(path);
            let axis = self.axis(path, span.clone(), value, &known)?;
            if axes.iter().any(|(other, _)| other.path == axis.path) {
                return Err(self.text.wrong(span, format!("`{}` is there twice", axis.path)));
            }
            self.check_path(source, &axis, span.clone(), &known)?;
            axes.push((axis, span));
        }
        self.check_heard(source, reading, &axes)?;
        axes.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
        Ok(axes.into_iter().map(|(axis, _)| axis).collect())
    }

    fn axis(
        &self,
        path: String,
        span: Range<usize>,
        value: &DeValue<'_>,
        known: &[ParameterInfo],
    ) -> Result<Axis, SweepError> {
        let wrong = |message: String| self.text.wrong(span.clone(), format!("`{path}`: {message}"));
        if let "duration" | "rate" = path.as_str() {
            return Err(wrong("all points have the same: give it beside `scene`".to_owned()));
        }
        let unit = known.iter().find(|info| info.path == path).map_or("", |info| &info.unit);
        let measure = if unit.is_empty() { NUMBER } else { Measure::of_unit(unit) };
        let (values, steps) = match value {
            // Where nothing is known of a path, its unit is not either: what is wrong is the path.
            DeValue::String(text) => {
                match axis::range(text, &measure).map_err(|message| match unknown(&path, known) {
                    Some(help) => wrong(help),
                    None => wrong(message),
                })? {
                    Some(range) => range,
                    None => (Values::List(vec![Value::Text(text.clone().into_owned())]), None),
                }
            }
            DeValue::Array(list) => {
                let values = list.iter().map(|node| one(node.get_ref())).collect::<Option<Vec<_>>>();
                let values = values.ok_or_else(|| wrong("a list must hold numbers or texts".to_owned()))?;
                (Values::List(values), None)
            }
            other => {
                let value = one(other).ok_or_else(|| {
                    wrong("must be a range such as \"log(1, 10)\", a list of values, or one value".to_owned())
                })?;
                (Values::List(vec![value]), None)
            }
        };
        let values = values.in_si(&measure);
        if let Values::List(list) = &values {
            if list.is_empty() || list.len() as u64 > MOST_VALUES {
                return Err(wrong(format!("a list must hold from 1 to {MOST_VALUES} values")));
            }
            if path == "seed" && !list.iter().all(is_seed) {
                return Err(wrong(format!("seeds are whole numbers from 0 to {LARGEST_WHOLE}")));
            }
        } else if path == "seed" {
            return Err(wrong("seeds are a list, such as [1, 2, 3]".to_owned()));
        }
        Ok(Axis { unit: unit.to_owned(), path, values, steps })
    }

    /// Refuses a path that the scene does not have, and texts none of which it takes.
    fn check_path(
        &self,
        source: &Source,
        axis: &Axis,
        span: Range<usize>,
        known: &[ParameterInfo],
    ) -> Result<(), SweepError> {
        if axis.path == "seed" || !axis.is_text() && known.iter().any(|info| info.path == axis.path) {
            return Ok(());
        }
        // A key that is not written, or that is no number.
        let tried = match &axis.values {
            Values::List(list) => list.clone(),
            Values::Uniform(low, high) | Values::Log(low, high) => vec![Value::Number(*low), Value::Number(*high)],
        };
        let mut first = None;
        for value in tried.iter().take(16) {
            let overrides = vec![(axis.path.clone(), value.written())];
            match ictus_scene::read(source, &Reading { overrides, ..Reading::default() }) {
                Ok(_) => return Ok(()),
                Err(problems) => {
                    first = first.or_else(|| problems.iter().next().map(without_option));
                }
            }
        }
        let message = match (unknown(&axis.path, known), first) {
            (Some(help), Some(reason)) if !reason.contains("there is no") => format!("{reason}; {help}"),
            (help, reason) => help.or(reason).unwrap_or_default(),
        };
        Err(self.text.wrong(span, format!("`{}`: {message}", axis.path)))
    }
}

/// What is wrong with a value that is set, without the option of the program that sets it.
pub(crate) fn without_option(problem: &Problem) -> String {
    problem.message.strip_prefix("--set ").unwrap_or(&problem.message).to_owned()
}

/// That a path is not in the table of parameters, and what may have been meant.
fn unknown(path: &str, known: &[ParameterInfo]) -> Option<String> {
    if known.iter().any(|info| info.path == path) {
        return None;
    }
    let key = |path: &str| path.rsplit('.').next().unwrap_or("").to_owned();
    // A slip of the keyboard, or the same key of something else.
    let meant = nearest(path, known.iter().map(|info| info.path.as_str())).map(str::to_owned);
    let meant = meant.or_else(|| known.iter().map(|info| &info.path).find(|other| key(other) == key(path)).cloned());
    let help =
        meant.map_or("`ictus show --parameters` lists them".to_owned(), |meant| format!("did you mean `{meant}`?"));
    Some(format!("the scene has no such parameter; {help}"))
}

fn is_seed(value: &Value) -> bool {
    matches!(value, Value::Number(number) if number.fract() == 0.0 && (0.0..=LARGEST_WHOLE as f64).contains(number))
}

/// The paths of a table: `mallet.mass` may be written with quotation marks or as a table in a table.
fn flatten<'a>(prefix: String, table: &'a DeTable<'a>, found: &mut Vec<(String, Range<usize>, &'a DeValue<'a>)>) {
    for (key, node) in table.iter() {
        let path = if prefix.is_empty() { key.get_ref().to_string() } else { format!("{prefix}.{}", key.get_ref()) };
        match node.get_ref() {
            DeValue::Table(inner) => flatten(path, inner, found),
            value => found.push((path, key.span(), value)),
        }
    }
}
