//! Points of objects: `string@0.12`, `plate@0.3,0.4`, `mass`, `resonator#1`, or `{ object, at }`.

use ictus::model::Point;
use ictus::objects::{Extent, Place};

use super::draft::{Draft, Scope};
use super::fields::Fields;
use super::quantity::{quantity, shortened};
use super::variation::fraction;
use crate::problem::{Found, Span, suggestion};
use crate::registry::Family;
use crate::registry::field::between;
use crate::tree::{Node, Value};
use crate::units::{self, FRACTION};

/// A point that was found: the object by its place in the model, and the point.
pub(crate) struct Located {
    pub(crate) object: usize,
    pub(crate) point: Point,
}

impl Draft<'_> {
    /// The point of a key; what is wrong is reported. With `anywhere`, a string or bar may be named without a place on it.
    pub(crate) fn point(&self, fields: &Fields<'_>, key: &str, scope: Scope<'_>, anywhere: bool) -> Option<Located> {
        let node = fields.node(key)?;
        let (object, place) = self.object_at(fields, key, scope)?;
        let place = match (self.model.objects.get(object)?.spec.extent(), place) {
            (Extent::Line { .. }, Place::Whole) if anywhere => Place::Along(0.5),
            (Extent::Points(1), Place::Whole) => Place::Point(0),
            (_, place) => place,
        };
        if !self.fits(object, place) {
            self.context.report(self.misplaced(object, written_name(node), node.span));
            return None;
        }
        let name = self.model.objects[object].name.clone();
        Some(Located { object, point: Point { object: name, place } })
    }

    /// The object of a key and the place that was written, `Whole` if none was; whether it has such a place is not looked at.
    pub(crate) fn object_at(&self, fields: &Fields<'_>, key: &str, scope: Scope<'_>) -> Option<(usize, Place)> {
        let node = fields.node(key)?;
        match &node.value {
            Value::Text(text) => self.parse_point(text, node.span, scope),
            Value::Table(_) => self.table_point(fields, node, scope),
            Value::Varied(varied) => self.varied_point(node, &varied.name, scope),
            _ => None,
        }
    }

    /// `string@0.12 ± 0.02`: a place that is drawn from the seed.
    fn varied_point(&self, node: &Node, name: &str, scope: Scope<'_>) -> Option<(usize, Place)> {
        let Some((object, place)) = node.text().and_then(|text| text.split_once('@')) else {
            self.report(
                node.span,
                "a point is not a range",
                "write \"string@0.12 ± 0.02\", or \"plate@0.3 ± 0.1,0.4\"",
            );
            return None;
        };
        let object = self.find_object(object.trim(), node.span, scope)?;
        let mut drawn = Vec::new();
        for (index, part) in place.split(',').enumerate() {
            let found = match units::parse(part, &FRACTION) {
                Ok(fraction) if !part.contains(['±', '+']) => Ok(fraction),
                _ => fraction(self.context, node.span, part.trim(), &format!("{name}.{index}"), scope.share()),
            };
            match found {
                Ok(fraction) => drawn.push(fraction),
                Err(found) => {
                    self.context.report(found);
                    return None;
                }
            }
        }
        let place = match drawn[..] {
            [x] => Place::Along(x),
            [x, y] => Place::On(x, y),
            _ => {
                self.report(node.span, "a place has one fraction, or two", "as in \"plate@0.3 ± 0.1,0.4\"");
                return None;
            }
        };
        self.within(place, node.span).then_some((object, place))
    }

    fn parse_point(&self, text: &str, span: Span, scope: Scope<'_>) -> Option<(usize, Place)> {
        let text = text.trim();
        if let Some((name, place)) = text.split_once('@') {
            let object = self.find_object(name.trim(), span, scope)?;
            let mut numbers = place.split(',').map(|part| units::parse(part, &FRACTION));
            let place = match (numbers.next(), numbers.next(), numbers.next()) {
                (Some(Ok(x)), None, None) => Place::Along(x),
                (Some(Ok(x)), Some(Ok(y)), None) => Place::On(x, y),
                _ => {
                    let message = format!("\"{}\" is not a place", shortened(place));
                    self.report(
                        span,
                        message,
                        "write a fraction as in \"string@0.12\", or two as in \"plate@0.3,0.4\"",
                    );
                    return None;
                }
            };
            return self.within(place, span).then_some((object, place));
        }
        if !self.things.contains_key(&scope.referred(text))
            && let Some((name, number)) = text.rsplit_once('#')
            && let Ok(number) = number.trim().parse::<usize>()
        {
            let object = self.find_object(name.trim(), span, scope)?;
            if number == 0 {
                self.report(span, "the points of a modal object are counted from 1", "");
                return None;
            }
            return Some((object, Place::Point(number - 1)));
        }
        Some((self.find_object(text, span, scope)?, Place::Whole))
    }

    fn table_point(&self, fields: &Fields<'_>, node: &Node, scope: Scope<'_>) -> Option<(usize, Place)> {
        let table = node.table()?;
        let keys = ["object", "at", "point", "everywhere"];
        if let Some((key, _)) = table.entries.iter().find(|(key, _)| !keys.contains(&&*key.name)) {
            self.report(
                key.span,
                format!("a point has no key `{}`", shortened(&key.name)),
                suggestion(&key.name, "its keys", keys),
            );
            return None;
        }
        let Some(name) = table.get("object").and_then(Node::text) else {
            self.report(node.span, "a point needs an `object`", "as in { object = \"plate\", at = [0.3, 0.4] }");
            return None;
        };
        let object = self.find_object(name, node.span, scope)?;
        let fraction =
            |node: &Node| match quantity(self.context, node, "at", &FRACTION, &between(0.0, 1.0), fields.share) {
                Ok(value) => Some(value),
                Err(found) => {
                    self.context.report(found);
                    None
                }
            };
        if let Some(node) = table.get("everywhere") {
            if !matches!(node.value, Value::Truth(true)) || table.get("at").is_some() || table.get("point").is_some() {
                self.report(node.span, "`everywhere` is true and stands alone, or is left out", "");
                return None;
            }
            return Some((object, Place::Everywhere));
        }
        let place = match (table.get("at"), table.get("point")) {
            (None, None) => Place::Whole,
            (Some(at), None) => match at.list() {
                None => Place::Along(fraction(at)?),
                Some([x, y]) => Place::On(fraction(x)?, fraction(y)?),
                Some(_) => {
                    self.report(at.span, "a place has one fraction, or a list of two", "");
                    return None;
                }
            },
            (None, Some(Node { value: Value::Whole(number), .. })) if *number >= 1 => {
                Place::Point(*number as usize - 1)
            }
            _ => {
                self.report(node.span, "a point has either `at`, or the number of a `point` from 1", "");
                return None;
            }
        };
        Some((object, place))
    }

    /// Whether the fractions of a place are from 0 to 1; if not, it is reported.
    fn within(&self, place: Place, span: Span) -> bool {
        let inside = |value: f64| (0.0..=1.0).contains(&value);
        let good = match place {
            Place::Along(x) => inside(x),
            Place::On(x, y) => inside(x) && inside(y),
            _ => true,
        };
        if !good {
            self.report(
                span,
                "this point lies outside the object",
                "places are fractions of the length or the sides, from 0 to 1",
            );
        }
        good
    }

    /// The object of a name; a missing one is reported.
    pub(crate) fn find_object(&self, name: &str, span: Span, scope: Scope<'_>) -> Option<usize> {
        let full = scope.referred(name);
        if self.is_broken(&full) {
            return None;
        }
        let things = self.things.get(&full);
        if let Some([thing]) = things.map(Vec::as_slice)
            && let Some(object) = self.object_of(*thing)
        {
            return Some(object);
        }
        let is_object = |things: &[_]| matches!(things, [thing] if self.object_of(*thing).is_some());
        let mut names = self.names_of(Some(Family::Objects), is_object);
        if scope.set.is_some() {
            names.insert(0, "each");
        }
        let message = match things.map(Vec::as_slice) {
            Some([_]) => format!("`{}` is not an object", shortened(name)),
            Some(_) => format!("`{}` is a group, not one object", shortened(name)),
            None => format!("there is no object `{}`", shortened(name)),
        };
        self.report(span, message, suggestion(name, "objects", names));
        None
    }

    /// How a point on this object is written.
    fn misplaced(&self, object: usize, name: &str, span: Span) -> Found {
        let kind = self.objects[object].kind;
        let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let (message, help) = match self.model.objects[object].spec.extent() {
            Extent::Whole => ("is touched as a whole", format!("write \"{name}\"")),
            Extent::Line { .. } => ("is touched at a fraction of its length", format!("write \"{name}@0.12\"")),
            Extent::Sheet { .. } => ("is touched at fractions of its two sides", format!("write \"{name}@0.3,0.4\"")),
            Extent::Points(count) => {
                let points = if count == 1 { "its one point".to_owned() } else { format!("one of its {count} points") };
                return Found::new(span, format!("`{name}` is {article} {kind} object: it is touched at {points}"))
                    .help(format!("write \"{name}#1\""));
            }
            _ => ("has no such place", String::new()),
        };
        Found::new(span, format!("`{name}` is {article} {kind}: it {message}")).help(help)
    }
}

/// What a point calls its object.
pub(crate) fn written_name(node: &Node) -> &str {
    match &node.value {
        Value::Text(text) => {
            let name = text.split_once('@').map_or(text.as_str(), |(name, _)| name).trim();
            // The number of a modal object's point is no part of the name; the `#` of a note is.
            match name.rsplit_once('#') {
                Some((before, number)) if !before.contains('.') && number.parse::<usize>().is_ok() => before,
                _ => name,
            }
        }
        Value::Table(table) => table.get("object").and_then(Node::text).unwrap_or_default(),
        Value::Varied(_) => node.text().and_then(|text| text.split('@').next()).unwrap_or_default().trim(),
        _ => "",
    }
}
