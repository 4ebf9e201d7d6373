//! The tables of `docs/scenes.md`, written from the lists that the reader checks against.

use ictus::laws::Law;
use ictus::objects::{LossFactor, MATERIALS};

use crate::notes::SCALES;
use crate::objects::{OBJECTS, mode_info, start_info};
use crate::read::parts_info;
use crate::registry::contact::{contact_fields, force, law_fields, pickup, profile, roughness};
use crate::registry::field::{ANY, Field, Kind, TableInfo, quoted};
use crate::registry::played::{VERBS, Verb};
use crate::registry::{played, whole};
use crate::tools::TOOLS;
use crate::units::{MEASURES, show};

/// What stands between the markers `<!-- keys: NAME -->` and `<!-- end -->` of the page, by name.
pub fn tables() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |name: &str, text: String| all.push((name.to_owned(), text));
    for (name, info) in [
        ("scene", whole::scene()),
        ("use", whole::used()),
        ("limits", whole::limits()),
        ("output", whole::output()),
        ("profile", profile()),
        ("roughness", roughness()),
        ("force", force()),
        ("pickup", pickup()),
        ("event", played::event()),
        ("set", played::set()),
        ("notes", played::notes()),
        ("voice", played::voice()),
        ("parts", parts_info()),
        ("shower", played::shower()),
        ("control", played::control()),
    ] {
        add(name, keys(info));
    }
    let objects = OBJECTS.iter().map(|kind| (kind.name, (kind.table)()));
    let exciters = TOOLS.iter().map(|kind| (kind.info.name, (kind.table)()));
    for (name, info) in objects.chain(exciters) {
        add(name, format!("{}\n\n{}", info.doc, keys(&info)));
    }
    add("start", keys(start_info()));
    add("mode", keys(mode_info()));
    let verb = |verb: &Verb| {
        let with: Vec<String> = verb.with.iter().map(|key| format!("`{key}`")).collect();
        format!("\n| `{}` | {} | {} |", verb.key, verb.doc, with.join(", "))
    };
    add(
        "verbs",
        format!("| verb | what happens | with |\n| --- | --- | --- |{}", VERBS.iter().map(verb).collect::<String>()),
    );
    add("contact", field_rows(&contact_fields()));
    add("laws", laws());
    add("materials", materials());
    add("units", units());
    add("scales", SCALES.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", "));
    all
}

/// A page with its tables brought up to date.
///
/// # Errors
/// A marker names no table, has no end, or a table has no marker.
pub fn update(page: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = page;
    let mut left: Vec<(String, String)> = tables();
    while let Some((before, after)) = rest.split_once("<!-- keys: ") {
        let (name, after) = after.split_once(" -->").ok_or("a marker is not closed")?;
        let (_, after) = after.split_once("<!-- end -->").ok_or_else(|| format!("`{name}` has no <!-- end -->"))?;
        let place = left.iter().position(|(other, _)| other == name);
        let (_, table) = left.remove(place.ok_or_else(|| format!("there is no table `{name}`, or it stands twice"))?);
        text += &format!("{before}<!-- keys: {name} -->\n\n{table}\n\n<!-- end -->");
        rest = after;
    }
    match left.first() {
        Some((name, _)) => Err(format!("the page has no place for the table `{name}`")),
        None => Ok(text + rest),
    }
}

fn keys(info: &TableInfo) -> String {
    let mut text = field_rows(&info.fields);
    let groups = info.exclusive.iter().map(|group| {
        group
            .iter()
            .filter(|key| info.field(key).is_some())
            .map(|key| format!("`{key}`"))
            .collect::<Vec<_>>()
            .join(", ")
    });
    let groups: Vec<String> = groups.collect();
    if !groups.is_empty() && info.needs_one_of.is_empty() {
        text += &format!("\n\nOnly one of each may stand: {}.", groups.join("; "));
    }
    text
}

fn field_rows(fields: &[Field]) -> String {
    let mut text = "| key | value | default | meaning |\n| --- | --- | --- | --- |".to_owned();
    for field in fields.iter().filter(|field| !matches!(field.kind, Kind::Constant(_))) {
        let default = match (field.required, &*field.default) {
            (true, _) => "**required**".to_owned(),
            (false, default) => default.replace('"', ""),
        };
        text += &format!("\n| `{}` | {} | {default} | {} |", field.key, value(&field.kind), field.doc)
            .replace("|  |", "| |");
    }
    text
}

/// What may stand at a key, briefly.
fn value(kind: &Kind) -> String {
    match kind {
        Kind::Quantity(measure, bounds) => {
            let what = match (measure.unit, measure.name) {
                ("", name) => name.split(' ').next_back().unwrap_or_default().to_owned(),
                (unit, _) => unit.to_owned(),
            };
            let range = bounds.describe(&crate::units::NUMBER);
            if range.is_empty() { what } else { format!("{what}, {range}") }
        }
        Kind::Whole(least, most) if *most > i64::from(u32::MAX) => format!("whole number, {least} or more"),
        Kind::Whole(least, most) if least == most => format!("{least}"),
        Kind::Whole(least, most) => format!("whole number, {least} to {most}"),
        Kind::Truth => "true or false".into(),
        Kind::Text => "text".into(),
        Kind::Choice(words) => quoted(words).replace('"', "`"),
        Kind::Material => "material".into(),
        Kind::Law => "law".into(),
        Kind::Name(what) => format!("name of {what}"),
        Kind::Point => "point".into(),
        Kind::Path => "path".into(),
        Kind::Value => "value".into(),
        Kind::Note => "note".into(),
        Kind::NoteRange => "notes".into(),
        Kind::Columns(kinds) => format!("[{}]", kinds.iter().map(brief).collect::<Vec<_>>().join(", ")),
        Kind::List(kind) => format!("list of {}", brief(kind)),
        Kind::Either(kinds) => match &kinds[..] {
            [one, Kind::List(same)] if one.describe() == same.describe() => format!("{}, or a list", value(one)),
            [one, Kind::Columns(two)] if two.iter().all(|same| one.describe() == same.describe()) => {
                format!("{}, or two of them", value(one))
            }
            _ => kinds.iter().map(value).collect::<Vec<_>>().join(", or "),
        },
        Kind::Table(_) | Kind::Template | Kind::Named(_) | Kind::Constant(_) => "table".into(),
    }
}

/// The same without its range.
fn brief(kind: &Kind) -> String {
    match kind {
        Kind::Quantity(measure, _) => value(&Kind::Quantity(*measure, ANY)),
        Kind::Whole(..) => "whole number".into(),
        Kind::Table(_) => "tables".into(),
        other => value(other),
    }
}

fn laws() -> String {
    let mut text = "| law | what it is | parameters |\n| --- | --- | --- |".to_owned();
    for law in Law::ALL {
        let parameter = |field: &Field| {
            let default = if field.required { "required".to_owned() } else { format!("default {}", field.default) };
            format!("`{}` ({}; {default})", field.key, value(&field.kind))
        };
        let parameters: Vec<String> = law_fields(law).iter().map(parameter).collect();
        let formula = law.formula.replace('|', "\\|");
        text += &format!("\n| `{}` | {}: {formula} | {} |", law.name, law.summary, parameters.join(", "));
    }
    text
}

fn materials() -> String {
    let mut text =
        "| material | density, kg/m³ | Young's modulus, GPa | Poisson's ratio | loss factor, f in kHz |\n| --- | --- | --- | --- | --- |".to_owned();
    for material in MATERIALS {
        let modulus = material.youngs_modulus / 1e9;
        let LossFactor { at_1_khz, exponent } = material.loss_factor;
        let loss = if exponent == 0.0 { at_1_khz.to_string() } else { format!("{at_1_khz} f^{exponent}") };
        let (name, density, ratio) = (material.name, material.density, material.poissons_ratio);
        text += &format!("\n| `{name}` | {density} | {modulus} | {ratio} | {loss} |");
    }
    text
}

fn units() -> String {
    let mut text = "| quantity | SI unit | for example | which is |\n| --- | --- | --- | --- |".to_owned();
    for measure in MEASURES.iter().filter(|measure| !measure.name.ends_with("number")) {
        let value = crate::units::parse(measure.example, measure).unwrap_or_default();
        let rounded = format!("{value:.3e}").parse().unwrap_or(value);
        let si = show(rounded, measure);
        text +=
            &format!("\n| {} | {} | `{}` | {si} |", measure.name, measure.unit, measure.example).replace("|  |", "| |");
    }
    text
}
