//! The rows of a sweep: number, seed, parameters, features, message.

use ictus_analysis::Features;

use crate::axis::Value;
use crate::parquet::{Cells, Named, encoded};
use crate::plan::Plan;
use crate::point::{Heard, Point};

/// A column of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name: a path, or that of a feature.
    pub name: String,
    /// SI unit or LUFS; empty for pure numbers and texts.
    pub unit: String,
}

/// Measures that follow from what touched what: name and unit.
const CONTACTS: [(&str, &str); 3] = [("contact_time", "s"), ("peak_force", "N"), ("contacts", "")];

/// What became of a point.
pub(crate) type Outcome = Result<Heard, String>;

/// The columns of a plan's table in order.
pub fn columns(plan: &Plan) -> Vec<Column> {
    let column = |name: &str, unit: &str| Column { name: name.to_owned(), unit: unit.to_owned() };
    let mut all = vec![column("index", ""), column("seed", "")];
    let own = |name: &str| {
        ["index", "seed", "error"].contains(&name)
            || Features::ALL.iter().any(|(feature, _, _)| *feature == name)
            || CONTACTS.iter().any(|(feature, _)| *feature == name)
    };
    for axis in plan.axes.iter().filter(|axis| axis.path != "seed") {
        // A control may be called `pitch`; the feature keeps its name.
        let name = if own(&axis.path) { format!("parameter.{}", axis.path) } else { axis.path.clone() };
        all.push(Column { name, unit: if axis.is_text() { String::new() } else { axis.unit.clone() } });
    }
    if plan.features {
        all.extend(Features::ALL.iter().map(|(name, unit, _)| column(name, unit)));
        all.extend(CONTACTS.iter().map(|(name, unit)| column(name, unit)));
    }
    all.push(column("error", ""));
    all
}

/// The file of some points and what became of them.
pub(crate) fn file(plan: &Plan, rows: &[(Point, Outcome)]) -> Vec<u8> {
    let columns = columns(plan);
    let heard = |row: &(Point, Outcome)| row.1.as_ref().ok().cloned();
    let mut cells = vec![
        Cells::Whole(rows.iter().map(|(point, _)| point.index as i64).collect()),
        Cells::Whole(rows.iter().map(|(point, _)| point.seed as i64).collect()),
    ];
    for (number, axis) in plan.axes.iter().enumerate().filter(|(_, axis)| axis.path != "seed") {
        let values = rows.iter().map(|(point, _)| &point.values[number]);
        cells.push(if axis.is_text() {
            Cells::Text(values.map(|value| Some(value.written())).collect())
        } else {
            let number = |value: &Value| if let Value::Number(number) = value { Some(*number) } else { None };
            Cells::Number(values.map(number).collect())
        });
    }
    if plan.features {
        let number =
            |of: &dyn Fn(Heard) -> Option<f64>| Cells::Number(rows.iter().map(|row| heard(row).and_then(of)).collect());
        for feature in 0..Features::ALL.len() {
            cells.push(number(&|heard| heard.features.values()[feature]));
        }
        cells.push(number(&|heard| heard.contact_time));
        cells.push(number(&|heard| heard.peak_force));
        cells.push(number(&|heard| Some(heard.contacts as f64)));
    }
    cells.push(Cells::Text(rows.iter().map(|(_, outcome)| outcome.as_ref().err().cloned()).collect()));
    let named: Vec<Named<'_>> =
        columns.iter().zip(cells).map(|(column, cells)| Named { name: &column.name, cells }).collect();
    let units: serde_json::Map<String, serde_json::Value> = columns
        .iter()
        .filter(|column| !column.unit.is_empty())
        .map(|column| (column.name.clone(), column.unit.clone().into()))
        .collect();
    let units = serde_json::Value::Object(units).to_string();
    encoded(&named, &[("ictus.units", &units), ("ictus.plan", &plan.plan_hash()), ("ictus.scene", &plan.scene_hash())])
}
