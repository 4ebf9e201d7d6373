//! Showers: streams of impacts, written out as hammers and events before anything else is read.
//!
//! The times are a Poisson process: of a rate λ(t) that is a straight line between points, candidates come at the largest rate with
//! exponential distances and are kept with the chance λ(t)/λ_max (thinning; Lewis and Shedler 1979). Each impact takes the next hammer in turn,
//! since a mass that has bounced off needs time before it can hit again.

use super::context::Context;
use super::fields::Fields;
use super::quantity::{quantity, shortened};
use super::{family, variation};
use crate::objects::OBJECTS;
use crate::problem::Span;
use crate::registry::field::between;
use crate::registry::played::{MOST_IMPACTS, shower};
use crate::registry::{Bounds, Family};
use crate::tree::{Key, Node, Table, Value, Varied};
use crate::units::{RATE, TIME};

/// Keys that a shower has for itself; the others are its hammers'.
const OWN: [&str; 7] = ["on", "rate", "length", "time", "velocity", "at", "hammers"];

/// How near to an edge impacts come if nothing is said: supports are not hit.
const EDGE: f64 = 0.03;

/// The same on a circle, of which a place is two fractions of the square around it: the corners of this square lie inside.
const EDGE_OF_CIRCLE: f64 = 0.2;

/// Most candidates of a shower: what is thinned out costs time as well.
const MOST_CANDIDATES: usize = 100 * MOST_IMPACTS;

/// A scene with its showers written out; nothing if it has none.
pub(super) fn expanded(context: &Context, scene: &Table) -> Option<Table> {
    family(scene, Family::Showers).next()?;
    let mut expanded = scene.clone();
    let mut impacts = 0;
    for (key, node) in family(scene, Family::Showers) {
        let Some(table) = node.table() else { continue };
        // As the first hammer and the first impact draw.
        context.repeat.set(Some(0));
        let fields = Fields::new(context, shower(), table, key.span, None);
        if !fields.is_faulty()
            && let Some(rain) = Rain::of(context, scene, &fields, key, &mut impacts)
        {
            rain.write_into(&mut expanded, table);
        }
        context.repeat.set(None);
    }
    Some(expanded)
}

/// A shower that was read.
struct Rain<'a> {
    name: &'a str,
    span: Span,
    /// What each hammer hits, as it is written.
    hit: Vec<Node>,
    /// When each impact comes, in s.
    times: Vec<f64>,
    /// Where, if that differs from impact to impact.
    at: Option<Node>,
}

impl<'a> Rain<'a> {
    fn of(context: &Context, scene: &Table, fields: &Fields<'_>, key: &'a Key, impacts: &mut usize) -> Option<Self> {
        let span = key.span;
        let mut chance = context.generator(&format!("{} shower", key.name));
        let hammers = fields.whole("hammers").unwrap_or(8);
        let targets = fields.texts("on");
        if targets.is_empty() {
            fields.report("on", "a shower hits at least one object", "");
            return None;
        }
        let mut hit = Vec::new();
        for _ in 0..hammers {
            let (target, span) = targets[(chance.unit() * targets.len() as f64) as usize];
            hit.push((target, span));
        }
        let rates = Rates::of(context, fields)?;
        let (start, length) = (fields.number_or("time", 0.0), fields.number("length")?);
        let mut times = Vec::new();
        let mut time = 0.0;
        let candidates = if rates.most > 0.0 { MOST_CANDIDATES + 1 } else { 0 };
        for candidate in 0..candidates {
            if candidate == MOST_CANDIDATES {
                let message = "this rate has a peak so short that its impacts cannot be drawn";
                fields.report("rate", message, "make the peak lower or wider, or the shower shorter");
                return None;
            }
            time -= libm::log(1.0 - chance.unit()) / rates.most;
            if time >= length {
                break;
            }
            if chance.unit() * rates.most < rates.at(time) {
                *impacts += 1;
                if *impacts > MOST_IMPACTS {
                    let message = format!("the showers of this scene have more than {MOST_IMPACTS} impacts");
                    fields.report("rate", message, "lower the rate, or make it shorter");
                    return None;
                }
                times.push(start + time);
            }
        }
        let written = fields.node("at").cloned();
        let everywhere = all_over(scene, targets[0].0, &key.name, span);
        if written.is_none() && targets.iter().any(|(target, _)| sides(scene, target).0 != sides(scene, targets[0].0).0)
        {
            fields.report(
                "on",
                "these objects do not have the same kind of places",
                "say where with `at`, or make a shower for each",
            );
            return None;
        }
        let at = written.or(everywhere);
        // A hammer needs a place from the start; the first impact moves it.
        let on = |(target, span): (&str, Span)| {
            let text = match (sides(scene, target).0, target.contains('@')) {
                (1, false) => format!("{target}@0.5"),
                (2, false) => format!("{target}@0.5,0.5"),
                _ => target.to_owned(),
            };
            Node { span, value: Value::Text(text) }
        };
        Some(Self { name: &key.name, span, hit: hit.into_iter().map(on).collect(), times, at })
    }

    /// Adds the hammers and the events to a scene.
    fn write_into(self, scene: &mut Table, shower: &Table) {
        let Self { name, span, hit, times, at } = self;
        let node = |value: Value| Node { span, value };
        let key = |name: String| Key { name, span };
        let hammer = |number: usize| format!("{name}.{}", number + 1);
        let mut hammers = Vec::new();
        for (number, on) in hit.iter().enumerate() {
            let mut table = Table::default();
            table.set("kind", node(Value::Text("hammer".to_owned())));
            table.set("on", on.clone());
            for (key, inner) in shower.entries.iter().filter(|(key, _)| !OWN.contains(&&*key.name)) {
                let mut inner = inner.clone();
                variation::rename(&mut inner, number);
                table.entries.push((key.clone(), inner));
            }
            hammers.push((key(hammer(number)), node(Value::Table(table))));
        }
        let mut events = Vec::new();
        for (number, time) in times.iter().enumerate() {
            let mut event = Table::default();
            event.set("time", node(Value::Number(*time)));
            event.set("strike", node(Value::Text(hammer(number % hit.len()))));
            for (key, inner) in [("velocity", shower.get("velocity")), ("at", at.as_ref())] {
                if let Some(inner) = inner {
                    let mut inner = inner.clone();
                    variation::rename(&mut inner, number);
                    event.set(key, inner);
                }
            }
            events.push(node(Value::Table(event)));
        }
        if scene.get("exciters").and_then(Node::table).is_none() {
            scene.set("exciters", node(Value::Table(Table::default())));
        }
        if let Some(Node { value: Value::Table(exciters), .. }) = scene.get_mut("exciters") {
            exciters.entries.extend(hammers);
        }
        match scene.get_mut("events") {
            Some(Node { value: Value::List(list), .. }) => list.extend(events),
            Some(_) => {}
            None => scene.set("events", node(Value::List(events))),
        }
    }
}

/// How many impacts a second, over time.
struct Rates {
    /// Times in s from the start of the shower and rates, in order.
    points: Vec<(f64, f64)>,
    most: f64,
}

impl Rates {
    fn of(context: &Context, fields: &Fields<'_>) -> Option<Self> {
        const ANY: Bounds = between(0.0, 1e6);
        let points: Vec<(f64, f64)> = match fields.node("rate")?.list() {
            None => vec![(0.0, fields.number("rate")?)],
            Some(list) => {
                let read = |node: &Node, measure| quantity(context, node, "rate", measure, &ANY, None).ok();
                let point = |node: &Node| match node.list()? {
                    [time, rate] => Some((read(time, &TIME)?, read(rate, &RATE)?)),
                    _ => None,
                };
                list.iter().map(point).collect::<Option<_>>()?
            }
        };
        if points.is_empty() || points.windows(2).any(|two| two[0].0 >= two[1].0) {
            fields.report("rate", "the times of `rate` must go upwards", "as in rate = [[\"0 s\", 200], [\"1 s\", 5]]");
            return None;
        }
        let most = points.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
        Some(Self { points, most })
    }

    fn at(&self, time: f64) -> f64 {
        let after = self.points.partition_point(|(at, _)| *at <= time);
        match (after.checked_sub(1).map(|before| self.points[before]), self.points.get(after)) {
            (Some((_, rate)), None) | (None, Some(&(_, rate))) => rate,
            (Some((from, low)), Some(&(to, high))) => low + (high - low) * (time - from) / (to - from),
            (None, None) => 0.0,
        }
    }
}

/// By how many fractions a place on an object is told, and whether it is a circle, as far as the text says.
fn sides(scene: &Table, target: &str) -> (usize, bool) {
    let named = |family: Family, name: &str| scene.get(family.key())?.table()?.get(name)?.table();
    let of_set = |name: &str| named(Family::Sets, name.split_once('.')?.0)?.get("object")?.table();
    let Some(object) = named(Family::Objects, target).or_else(|| of_set(target)) else { return (0, false) };
    let is_circle = object.get("shape").and_then(Node::text) == Some("circle");
    let kind = object.get("kind").and_then(Node::text);
    let sides = OBJECTS.iter().find(|known| Some(known.name) == kind).map_or(0, |known| known.sides);
    (sides, is_circle && sides == 2)
}

/// Places spread evenly over an object.
fn all_over(scene: &Table, target: &str, name: &str, span: Span) -> Option<Node> {
    let (sides, is_circle) = sides(scene, &shortened(target));
    let edge = if is_circle { EDGE_OF_CIRCLE } else { EDGE };
    let node = |value: Value| Node { span, value };
    let side = |number: usize| {
        let ends = [edge, 1.0 - edge].map(|end| node(Value::Number(end))).to_vec();
        let mut written = Table::default();
        written.set("between", node(Value::List(ends)));
        let varied = Varied { name: format!("{name}.at.{number}"), written: Value::Table(written) };
        node(Value::Varied(Box::new(varied)))
    };
    match sides {
        1 => Some(side(0)),
        2 => Some(node(Value::List(vec![side(0), side(1)]))),
        _ => None,
    }
}
