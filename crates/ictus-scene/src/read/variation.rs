//! Numbers that are drawn from the seed: `{ between = ["4 g", "6 g"] }`, `"2 m/s ± 10 %"`, `{ around = "2 m/s", spread = "10 %" }`.
//!
//! Every such number has a generator of its own, named by its path, by the copy of a set and by the repeat of an event: another number in
//! the text changes none of the draws of the others, and a number that is read twice is drawn the same. Ranges are drawn evenly, in equal
//! ratios where one hears or asks for ratios; a spread around a value is normal, cut at three times the spread.

use super::context::Context;
use super::quantity::{Share, number_of, quantity, shortened};
use crate::problem::{Found, Span, suggestion};
use crate::registry::field::ANY;
use crate::registry::{Bounds, Family};
use crate::tree::{Node, Table, Value, Varied};
use crate::units::{self, FREQUENCY, GAIN, Measure, NUMBER, SEMITONES, UnitError, show};

/// How far a normal spread reaches, in standard deviations.
const REACH: f64 = 3.0;

/// Draws of a normal number before it is held at its reach: one in 370 lies beyond.
const MOST_TRIALS: usize = 8;

/// Ways to write "give or take".
const SIGNS: [&str; 3] = ["±", "+-", "+/-"];

/// The keys of a range and of a spread.
const KEYS: [&str; 4] = ["between", "scale", "around", "spread"];

const HELP: &str = "write { between = [low, high] }, \"value ± spread\" or { around = value, spread = … }";

/// Finds the numbers of a text that are to be drawn, and names them by their paths.
pub(super) fn mark(scene: &mut Table) {
    for (key, node) in &mut scene.entries {
        // Words for people are left alone.
        if matches!(&*key.name, "title" | "about") {
            continue;
        }
        let is_family = |family: &Family| family.key() == key.name;
        let is_section = super::THINGS.iter().chain(&[Family::Sets, Family::Showers, Family::Controls]).any(is_family);
        mark_node(node, if is_section { "" } else { &key.name });
    }
}

fn mark_node(node: &mut Node, path: &str) {
    let is_varied = match &mut node.value {
        Value::Text(text) => SIGNS.iter().any(|sign| text.contains(sign)),
        Value::Table(table) if is_range(table) => true,
        Value::Table(table) => {
            for (key, node) in table.entries.iter_mut().filter(|(key, _)| key.name != "name") {
                let is_section = super::THINGS.iter().any(|family| family.key() == key.name);
                let inner = match (path, is_section) {
                    (_, true) => path.to_owned(),
                    ("", false) => key.name.clone(),
                    _ => format!("{path}.{}", key.name),
                };
                mark_node(node, &inner);
            }
            false
        }
        Value::List(list) => {
            list.iter_mut().enumerate().for_each(|(index, node)| mark_node(node, &format!("{path}.{index}")));
            false
        }
        _ => false,
    };
    if is_varied {
        let written = std::mem::replace(&mut node.value, Value::Date);
        node.value = Value::Varied(Box::new(Varied { name: path.to_owned(), written }));
    }
}

/// Whether a table is `{ between }` or `{ around, spread }`, and not one in which something has such a name.
fn is_range(table: &Table) -> bool {
    table
        .entries
        .iter()
        .any(|(key, node)| matches!(&*key.name, "between" | "around" | "spread") && node.table().is_none())
}

/// Gives all numbers in a node that are drawn a name of their own, so that this copy of it draws its own.
pub(super) fn rename(node: &mut Node, number: usize) {
    match &mut node.value {
        Value::Varied(varied) => varied.name = format!("{}[{number}]", varied.name),
        Value::List(list) => list.iter_mut().for_each(|node| rename(node, number)),
        Value::Table(table) => table.entries.iter_mut().for_each(|(_, node)| rename(node, number)),
        _ => {}
    }
}

/// Whether any number in a table is drawn.
pub(super) fn varies(node: &Node) -> bool {
    match &node.value {
        Value::Varied(_) => true,
        Value::List(list) => list.iter().any(varies),
        Value::Table(table) => table.entries.iter().any(|(_, node)| varies(node)),
        _ => false,
    }
}

/// What a number is drawn from, in SI.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    /// Evenly from the first to the second.
    Even(f64, f64),
    /// Evenly in its logarithm.
    EvenRatio(f64, f64),
    /// Normal: mean and standard deviation.
    Normal(f64, f64),
    /// Normal in its logarithm: median, and standard deviation of the logarithm.
    NormalRatio(f64, f64),
}

impl Law {
    /// The least and the greatest value that can come.
    fn reach(self) -> [f64; 2] {
        match self {
            Self::Even(low, high) | Self::EvenRatio(low, high) => [low, high],
            Self::Normal(mean, spread) => [mean - REACH * spread, mean + REACH * spread],
            Self::NormalRatio(mean, spread) => [-1.0, 1.0].map(|sign| mean * libm::exp(sign * REACH * spread)),
        }
    }

    fn draw(self, context: &Context, name: &str) -> f64 {
        let mut generator = context.generator(&format!("{name} drawn"));
        let mut normal = || {
            let mut trials = (0..MOST_TRIALS).map(|_| generator.normal());
            trials.find(|value| value.abs() <= REACH).unwrap_or(REACH)
        };
        let value = match self {
            Self::Normal(mean, spread) => mean + spread * normal(),
            Self::NormalRatio(mean, spread) => mean * libm::exp(spread * normal()),
            Self::Even(low, high) => low + (high - low) * generator.unit(),
            Self::EvenRatio(low, high) => low * libm::pow(high / low, generator.unit()),
        };
        let [low, high] = self.reach();
        value.clamp(low, high)
    }
}

/// The name of a draw: the path, which copy of a set, which repeat of an event.
fn named(context: &Context, path: &str, share: Option<Share>) -> String {
    let numbers = [share.map(|share| share.index), context.repeat.get()];
    numbers.into_iter().flatten().fold(path.to_owned(), |name, number| format!("{name}[{number}]"))
}

/// The SI value that is drawn for a number, or what is wrong with its range.
pub(super) fn draw(
    context: &Context,
    span: Span,
    varied: &Varied,
    key: &str,
    measure: &Measure,
    bounds: &Bounds,
    share: Option<Share>,
) -> Result<f64, Found> {
    let law = match &varied.written {
        Value::Text(text) => of_text(context, span, text, key, measure)?,
        Value::Table(table) => of_table(context, span, table, key, measure, bounds)?,
        _ => return Err(Found::new(span, format!("`{key}` is no range")).help(HELP)),
    };
    drawn(context, span, law, &named(context, &varied.name, share), key, measure, bounds)
}

fn drawn(
    context: &Context,
    span: Span,
    law: Law,
    name: &str,
    key: &str,
    measure: &Measure,
    bounds: &Bounds,
) -> Result<f64, Found> {
    let [low, high] = law.reach();
    for (way, end) in [("down", low), ("up", high)] {
        if !bounds.contains(end) {
            let allowed = if end.is_finite() { bounds.describe(measure) } else { "a finite number".to_owned() };
            let message = format!("`{key}` goes {way} to {}, must be {allowed}", show(end, measure));
            return Err(Found::new(span, message).help("make the range or the spread narrower"));
        }
    }
    let value = law.draw(context, name);
    context.note_draw(name, value, measure.unit);
    Ok(value)
}

/// A whole number that is drawn, every one in the range as often as the others.
pub(super) fn whole(
    context: &Context,
    node: &Node,
    key: &str,
    [least, most]: [i64; 2],
    share: Option<Share>,
) -> Result<i64, Found> {
    let Value::Varied(varied) = &node.value else { return Err(Found::new(node.span, format!("`{key}` is no range"))) };
    let law = match &varied.written {
        Value::Text(text) => of_text(context, node.span, text, key, &NUMBER)?,
        Value::Table(table) => of_table(context, node.span, table, key, &NUMBER, &ANY)?,
        _ => return Err(Found::new(node.span, format!("`{key}` is no range")).help(HELP)),
    };
    let [low, high] = law.reach().map(|end| (end + 0.5).floor());
    if low < least as f64 || high > most as f64 {
        let message = format!("`{key}` goes from {low} to {high}, must be a whole number from {least} to {most}");
        return Err(Found::new(node.span, message).help("make the range narrower"));
    }
    let name = named(context, &varied.name, share);
    // The ends have as much room as those between them.
    let law = if let Law::Even(..) = law { Law::Even(low - 0.5, high + 0.5) } else { law };
    let value = (law.draw(context, &name) + 0.5).floor().clamp(low, high);
    context.note_draw(&name, value, "");
    Ok(value as i64)
}

fn of_table(
    context: &Context,
    span: Span,
    table: &Table,
    key: &str,
    measure: &Measure,
    bounds: &Bounds,
) -> Result<Law, Found> {
    if let Some((stranger, _)) = table.entries.iter().find(|(key, _)| !KEYS.contains(&&*key.name)) {
        let message = format!("a range has no key `{}`", shortened(&stranger.name));
        return Err(Found::new(stranger.span, message).help(suggestion(&stranger.name, "its keys", KEYS)));
    }
    let read = |node: &Node| quantity(context, node, key, measure, bounds, None);
    match (table.get("between"), table.get("around"), table.get("spread")) {
        (Some(ends), None, None) => {
            let Some([low, high]) = ends.list() else {
                return Err(Found::new(ends.span, "`between` is a list of two").help(HELP));
            };
            if let Some(inner) = [low, high].into_iter().find(|node| varies(node)) {
                return Err(Found::new(inner.span, "the ends of a range are numbers, not ranges").help(HELP));
            }
            let ends = [read(low)?, read(high)?];
            let is_log = match table.get("scale") {
                None => ends[0] > 0.0 && [FREQUENCY.name, GAIN.name].contains(&measure.name),
                Some(node) => match node.text() {
                    Some("log") => true,
                    Some("linear") => false,
                    other => {
                        let message = format!(
                            "`scale` cannot be {}",
                            other.map_or(node.kind().into(), |text| format!("\"{}\"", shortened(text)))
                        );
                        return Err(Found::new(node.span, message).help("it is \"linear\" or \"log\""));
                    }
                },
            };
            if ends[0] > ends[1] {
                let [low, high] = ends.map(|end| show(end, measure));
                let message = format!("the range of `{key}` is upside down: from {low} to {high}");
                return Err(Found::new(span, message).help("write the lower end first"));
            }
            if is_log && ends[0] <= 0.0 {
                let message =
                    format!("a range with scale = \"log\" lies above 0, this one begins at {}", show(ends[0], measure));
                return Err(Found::new(span, message).help("leave `scale` out"));
            }
            Ok(if is_log { Law::EvenRatio(ends[0], ends[1]) } else { Law::Even(ends[0], ends[1]) })
        }
        (None, Some(around), Some(spread)) => {
            if let Some(key) = table.key("scale") {
                return Err(Found::new(key.span, "`scale` belongs to `between`").help(HELP));
            }
            let centre = read(around)?;
            let spread = match &spread.value {
                Value::Text(text) => spread_of(text, centre, measure),
                Value::Number(_) | Value::Whole(_) => quantity(context, spread, "spread", measure, &ANY, None)
                    .map(Spread::Steps)
                    .map_err(|found| found.message),
                _ => Err(format!("`spread` is {}", spread.kind())),
            };
            match spread.map_err(|reason| Found::new(span, format!("`{key}`: {reason}")).help(HELP))? {
                Spread::Steps(spread) => Ok(Law::Normal(centre, spread)),
                Spread::Ratio(spread) if centre > 0.0 => Ok(Law::NormalRatio(centre, spread)),
                Spread::Ratio(_) => {
                    let message = format!("`{key}`: a spread in ratios needs a value above 0");
                    Err(Found::new(span, message).help(HELP))
                }
            }
        }
        _ => Err(Found::new(span, format!("`{key}` does not say from where to where")).help(HELP)),
    }
}

/// How far a number may be off: by a difference in SI, or by a logarithm of a ratio.
enum Spread {
    Steps(f64),
    Ratio(f64),
}

/// A spread beside a value in SI.
fn spread_of(text: &str, centre: f64, measure: &Measure) -> Result<Spread, String> {
    let told = |error: UnitError| format!("the spread \"{}\" cannot be: {error}", shortened(text));
    let text = text.trim();
    let pure = |unit: &str| text.strip_suffix(unit).and_then(|number| number.trim().parse::<f64>().ok());
    let spread = if let Some(percent) = pure("%") {
        Spread::Steps(centre.abs() * percent / 100.0)
    } else if measure.name == GAIN.name
        && let Some(decibels) = pure("dB")
    {
        Spread::Ratio(decibels * std::f64::consts::LN_10 / 20.0)
    } else if measure.name == FREQUENCY.name
        && let Ok(interval) = units::parse(text, &SEMITONES)
        && text.ends_with(|c: char| c.is_alphabetic())
        && !text.ends_with("Hz")
    {
        Spread::Ratio(interval * std::f64::consts::LN_2 / 12.0)
    } else {
        Spread::Steps(units::parse(text, measure).map_err(told)?)
    };
    match spread {
        Spread::Steps(value) | Spread::Ratio(value) if !(value.is_finite() && value >= 0.0) => {
            Err(format!("the spread \"{}\" must be 0 or more", shortened(text)))
        }
        good => Ok(good),
    }
}

/// `value ± spread`.
fn of_text(context: &Context, span: Span, text: &str, key: &str, measure: &Measure) -> Result<Law, Found> {
    let wrong = |reason: String| Found::new(span, format!("`{key}` is \"{}\": {reason}", shortened(text))).help(HELP);
    let Some((value, spread)) = SIGNS.iter().find_map(|sign| text.split_once(sign)) else {
        return Err(wrong("it has no ±".to_owned()));
    };
    let (value, spread) = (value.trim(), spread.trim());
    let unit_of = |text: &str| {
        let text = text.replace('\u{2212}', "-");
        units::split_number(&text).map_or_else(String::new, |(_, unit)| unit.to_owned())
    };
    // `2 ± 0.2 m/s` and `2 m/s ± 0.2` mean the same.
    let bare = |text: &str| text.parse::<f64>().is_ok();
    let spread_unit = unit_of(spread);
    let is_relative = matches!(
        &*spread_unit,
        "%" | "dB" | "cents" | "cent" | "c" | "semitones" | "semitone" | "st" | "octaves" | "octave"
    );
    let value =
        if bare(value) && !bare(spread) && !is_relative { format!("{value} {spread_unit}") } else { value.to_owned() };
    let centre = number_of(&value, measure, context).map_err(|error| wrong(error.to_string()))?;
    let is_note = !value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | '\u{2212}'));
    let spread = if bare(spread) && !is_note { format!("{spread} {}", unit_of(&value)) } else { spread.to_owned() };
    match spread_of(&spread, centre, measure).map_err(wrong)? {
        Spread::Steps(spread) => Ok(Law::Even(centre - spread, centre + spread)),
        Spread::Ratio(spread) if centre > 0.0 => {
            Ok(Law::EvenRatio(centre * libm::exp(-spread), centre * libm::exp(spread)))
        }
        Spread::Ratio(_) => Err(wrong("a spread in ratios needs a value above 0".to_owned())),
    }
}

/// A fraction of a place written in a text, `0.12 ± 0.02` in `string@0.12 ± 0.02`; whether it lies on the object is not looked at.
pub(super) fn fraction(
    context: &Context,
    span: Span,
    text: &str,
    name: &str,
    share: Option<Share>,
) -> Result<f64, Found> {
    let law = of_text(context, span, text, "place", &units::FRACTION)?;
    drawn(
        context,
        span,
        law,
        &named(context, name, share),
        "place",
        &units::FRACTION,
        &crate::registry::field::between(0.0, 1.0),
    )
}
