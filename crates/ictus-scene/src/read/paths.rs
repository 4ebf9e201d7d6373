//! Live parameters that a text names by their paths: `bow.force`, `felt.stiffness`, `bars.mallet.velocity`.

use super::draft::Draft;
use super::quantity::shortened;
use crate::parameters::{Live, Parts, Thing};
use crate::problem::{Span, suggestion};
use crate::scene::Parameter;
use crate::units::Measure;

/// Parameters of one path: all measure the same.
#[derive(Clone)]
pub(crate) struct Targets {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) measure: Measure,
    /// Value of the first at the start.
    pub(crate) value: f64,
}

impl Draft<'_> {
    /// The parameters of a path; what is wrong is reported.
    pub(crate) fn targets(&self, path: &str, span: Span) -> Option<Targets> {
        if let Some(known) = self.known_paths.borrow().get(path) {
            return Some(known.clone());
        }
        if self.is_broken(path) {
            return None;
        }
        let Some((name, key)) = path.rsplit_once('.') else {
            let message = format!("`{}` is not the path of a live parameter", shortened(path));
            self.report(span, message, "write a name and a parameter, as in \"bow.force\"");
            return None;
        };
        let Some(things) = self.things.get(name) else {
            let message = format!("there is nothing called `{}`", shortened(name));
            self.report(span, message, suggestion(name, "names", self.names_of(None, |_| true)));
            return None;
        };
        let mut parameters = Vec::new();
        let mut first: Option<Live> = None;
        for thing in things {
            let live = self.live(*thing);
            let Some(found) = live.iter().find(|live| live.key == key) else {
                let message = format!("`{name}` has no live parameter `{}`", shortened(key));
                let keys: Vec<&str> = live.iter().map(|live| &*live.key).collect();
                self.report(span, message, suggestion(key, "its live parameters", keys));
                return None;
            };
            parameters.push(found.parameter);
            first.get_or_insert_with(|| found.clone());
        }
        let first = first?;
        let targets = Targets { parameters, measure: first.measure, value: first.value };
        self.known_paths.borrow_mut().insert(path.to_owned(), targets.clone());
        Some(targets)
    }

    /// All live parameters of a thing.
    pub(crate) fn live(&self, thing: Thing) -> Vec<Live> {
        Parts { model: &self.model, exciters: &self.exciters, heard: &self.heard }.live(thing)
    }
}
