//! Contacts: two points and a law, spread along a string or rough if the table says so.

use ictus::contact::Rule;
use ictus::laws::{Law, LawInfo, ParameterInfo, law};
use ictus::model::{Interaction, Roughness, Spread};
use ictus::objects::{Profile, ProfilePoint};

use super::draft::{Draft, Scope};
use super::fields::Fields;
use super::points::Located;
use super::quantity::shortened;
use crate::parameters::Thing;
use crate::problem::{Found, Span, suggestion};
use crate::random::Surface;
use crate::registry::contact::{MOST_HEIGHTS, contact, contacts, parameter_key};
use crate::tree::{Node, Table};
use crate::units::{FRACTION, LENGTH};

/// The law that a table names, or the default.
pub(crate) fn law_of(draft: &Draft<'_>, table: &Table, default: Option<&'static str>) -> Option<&'static LawInfo> {
    let Some(node) = table.get("law") else { return law(default?) };
    let Some(text) = node.text() else {
        let names: Vec<&str> = Law::ALL.iter().map(|law| law.name).collect();
        draft.report(node.span, format!("`law` cannot be {}", node.kind()), format!("laws: {}", names.join(", ")));
        return None;
    };
    let found = law(text);
    if found.is_none() {
        draft.context.report(unknown_law(text, node.span));
    }
    found
}

/// A law that is not there.
pub(crate) fn unknown_law(text: &str, span: Span) -> Found {
    let names = Law::ALL.iter().map(|law| law.name);
    Found::new(span, format!("there is no law \"{}\"", shortened(text))).help(suggestion(text, "laws", names))
}

/// A law with the parameters of a table.
pub(crate) fn read_law(fields: &Fields<'_>, info: &'static LawInfo) -> Option<Law> {
    let value = |parameter: &ParameterInfo| {
        let key = parameter_key(parameter);
        match fields.node(&key) {
            Some(_) => fields.number(&key),
            None => parameter.default,
        }
    };
    let values: Vec<f64> = info.parameters.iter().map(value).collect::<Option<_>>()?;
    match Law::of(info.name, &values)? {
        Ok(law) => Some(law),
        Err(error) => {
            let wrong = info.parameters.iter().find(|parameter| error.parameter() == Some(parameter.name));
            let key = wrong.map(parameter_key).unwrap_or_default();
            fields.context.report(Found::new(fields.span_of(&key), error.to_string()));
            None
        }
    }
}

impl Draft<'_> {
    /// `[contacts.NAME]`
    pub(crate) fn read_contact(&mut self, name: &str, span: Span, table: &Table, scope: Scope<'_>) {
        if table.get("law").is_none() {
            let names: Vec<&str> = Law::ALL.iter().map(|law| law.name).collect();
            self.report(span, "a contact needs `law`", format!("laws: {}", names.join(", ")));
        }
        let Some(info) = law_of(self, table, None) else {
            // Without a law its parameters cannot be told from slips, but the other keys can still be looked at.
            let fields = Fields::of_known_keys(self.context, contact(), table, span, scope.share());
            self.contact_ends(&fields, scope);
            return;
        };
        let Some((_, table_info)) = contacts().iter().find(|(name, _)| *name == info.name) else { return };
        let fields = Fields::new(self.context, table_info, table, span, scope.share());
        let spread = self.read_spread(&fields);
        let [from, to] = self.contact_ends(&fields, scope);
        let (Some(law), Some(from), Some(to)) = (read_law(&fields, info), from, to) else { return };
        let contact = Interaction {
            gap: fields.number_or("gap", 0.0),
            damping: fields.number_or("damping", 0.0),
            rule: rule(&fields),
            slips_at: fields.number("slips_at"),
            active: fields.truth("active").unwrap_or(true),
            spread,
            roughness: self.read_roughness(&fields, &scope.full_name(name)),
            ..Interaction::new(&self.model_name(&fields, scope, scope.full_name(name)), from.point, to.point, law)
        };
        let contact = self.add_contact(contact, span);
        self.name(scope, name, Thing::Contact(contact));
    }

    /// The two ends; what is wrong is reported.
    fn contact_ends(&self, fields: &Fields<'_>, scope: Scope<'_>) -> [Option<Located>; 2] {
        let anywhere = fields.has("profile") || fields.truth("neighbours") == Some(true);
        ["from", "to"].map(|key| self.point(fields, key, scope, anywhere))
    }

    fn read_roughness(&self, fields: &Fields<'_>, name: &str) -> Option<Roughness> {
        let fields = fields.nested("roughness")?;
        if fields.has("heights") {
            return self.read_heights(&fields);
        }
        if fields.has("height") && fields.lacks("length") {
            self.report(fields.span, "a roughness needs `length`", "add `length = …`: how wide the bumps are");
        }
        let surface = Surface {
            height: fields.number("height")?,
            length: fields.number("length")?,
            path: fields.number_or("path", 0.4),
        };
        let velocity = fields.number_or("velocity", 0.0);
        if surface.path < 2.0 * surface.length {
            let message = "the surface repeats before one of its bumps is over";
            fields.report("path", message, "make `path` many times as long as `length`");
            return None;
        }
        if surface.count() > MOST_HEIGHTS {
            let message = format!("this surface needs {} heights; at most {MOST_HEIGHTS} are kept", surface.count());
            fields.report("path", message, "make `path` shorter, or the bumps wider with `length`");
            return None;
        }
        if !self.context.take_room(surface.count(), fields.span_of("path")) {
            return None;
        }
        Some(surface.draw(&mut self.context.generator(name), velocity))
    }

    /// A surface given height by height.
    fn read_heights(&self, fields: &Fields<'_>) -> Option<Roughness> {
        if fields.lacks("spacing") {
            self.report(fields.span, "a list of `heights` needs their `spacing`", "add `spacing = …`");
        }
        let list = fields.node("heights").and_then(Node::list)?;
        if list.len() < 2 || list.len() > MOST_HEIGHTS {
            let message = format!("a surface has from 2 to {MOST_HEIGHTS} heights, this one {}", list.len());
            fields.report("heights", message, "");
            return None;
        }
        if !self.context.take_room(list.len(), fields.span_of("heights")) {
            return None;
        }
        let heights = list.iter().map(|node| fields.quantity_of(node, "heights", &LENGTH)).collect::<Option<_>>()?;
        let spacing = fields.number("spacing")?;
        Some(Roughness { heights, spacing, velocity: fields.number_or("velocity", 0.0) })
    }

    fn read_spread(&self, fields: &Fields<'_>) -> Option<Spread> {
        if fields.truth("neighbours") == Some(true) {
            return Some(Spread::Neighbours);
        }
        let profile = read_profile(&fields.nested("profile")?)?;
        if let Err(error) = profile.validate() {
            fields.report("profile", error.to_string(), "");
            return None;
        }
        Some(Spread::Profile(profile))
    }
}

/// The rule that a table names, or the default.
pub(crate) fn rule(fields: &Fields<'_>) -> Rule {
    fields.text("rule").and_then(Rule::named).unwrap_or_default()
}

fn read_profile(fields: &Fields<'_>) -> Option<Profile> {
    let kind = fields.text("kind")?;
    let belongs: &[&str] = match kind {
        "flat" => &["kind", "height"],
        "points" | "frets" => &["kind", "points"],
        "parabola" => &["kind", "start", "end", "apex", "apex_height", "drop"],
        _ => return None,
    };
    for (key, _) in fields.table.entries.iter().filter(|(key, _)| !belongs.contains(&&*key.name)) {
        if fields.info.field(&key.name).is_some() {
            let message = format!("`{}` does not belong to a profile of kind \"{kind}\"", key.name);
            fields.context.report(Found::new(key.span, message).help(format!("its keys: {}", belongs.join(", "))));
        }
    }
    let needed = |key: &str| {
        if fields.lacks(key) {
            fields.context.report(Found::new(fields.span, format!("a profile of kind \"{kind}\" needs `{key}`")));
        }
        fields.number(key)
    };
    match kind {
        "flat" => Some(Profile::Flat { height: fields.number_or("height", 0.0) }),
        "parabola" => {
            let (start, end, apex, drop) = (needed("start"), needed("end"), needed("apex"), needed("drop"));
            let apex_height = fields.number_or("apex_height", 0.0);
            Some(Profile::Parabola { start: start?, end: end?, apex: apex?, apex_height, drop: drop? })
        }
        _ => {
            let Some(rows) = fields.node("points").and_then(Node::list) else {
                needed("points");
                return None;
            };
            if !fields.context.take_room(2 * rows.len(), fields.span_of("points")) {
                return None;
            }
            let point = |row: &Node| {
                let [position, height] = row.list()? else { return None };
                let position = fields.quantity_of(position, "points", &FRACTION)?;
                Some(ProfilePoint { position, height: fields.quantity_of(height, "points", &LENGTH)? })
            };
            let points = rows.iter().map(point).collect::<Option<_>>()?;
            Some(if kind == "frets" { Profile::Frets(points) } else { Profile::Points(points) })
        }
    }
}
