//! `[exciters.NAME]`: a tool of any kind, by its own keys or `of` a part that the scene has.

mod parts;

pub(crate) use parts::parts_info;

use std::sync::LazyLock;

use ictus::id::{ContactId, ObjectId};
use ictus::laws::Law;
use ictus::model::{Interaction, Point};

use super::contacts::law_of;
use super::draft::{Draft, Scope, Written};
use super::fields::Fields;
use super::points::Located;
use super::quantity::shortened;
use crate::parameters::Thing;
use crate::problem::{Span, suggestion};
use crate::registry::{TableInfo, exciters};
use crate::scene::Exciter;
use crate::tools::{TOOLS, Tool, on_field};
use crate::tree::Table;

/// What an exciter is called, and where.
pub(crate) struct Naming<'a> {
    pub(crate) full_name: String,
    pub(crate) span: Span,
    pub(crate) scope: Scope<'a>,
}

/// An exciter's tool, how hard it plays, and the object it plays on.
pub(crate) struct Made {
    pub(crate) tool: Tool,
    pub(crate) amount: f64,
    pub(crate) played: usize,
}

/// What every exciter has, of whichever kind.
fn any_exciter() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> =
        LazyLock::new(|| TableInfo::new("an exciter", "Something that plays.", vec![on_field()]));
    &INFO
}

impl Draft<'_> {
    /// `[exciters.NAME]`
    pub(crate) fn read_exciter(&mut self, name: &str, span: Span, table: &Table, scope: Scope<'_>) {
        let names = || TOOLS.iter().map(|kind| kind.info.name);
        let Some(kind) = self.kind_of("exciter", table, span, names()) else {
            let fields = Fields::of_known_keys(self.context, any_exciter(), table, span, scope.share());
            self.point(&fields, "on", scope, false);
            return;
        };
        let Some(entry) = TOOLS.iter().find(|entry| entry.info.name == kind) else { return };
        let Some(info) = exciters().iter().find(|info| info.name == kind) else { return };
        let law = match entry.info.law {
            None => None,
            Some(default) => match law_of(self, table, Some(default)) {
                Some(law) => Some(law.name),
                None => {
                    let fields = Fields::of_known_keys(self.context, &info.without_law, table, span, scope.share());
                    self.point(&fields, "on", scope, false);
                    return;
                }
            },
        };
        let fields = Fields::new(self.context, info.table_for(law), table, span, scope.share());
        let naming = Naming { full_name: self.model_name(&fields, scope, scope.full_name(name)), span, scope };
        if let Some(Made { tool, amount, played }) = (entry.read)(&fields, self, &naming) {
            let exciter = self.add_exciter(Exciter { name: naming.full_name, tool, amount }, played);
            self.name(scope, name, Thing::Exciter(exciter));
        }
    }

    /// The kind a table names, among those there are; what is wrong is reported.
    pub(crate) fn kind_of<'t>(
        &self,
        what: &str,
        table: &'t Table,
        span: Span,
        names: impl Iterator<Item = &'static str> + Clone,
    ) -> Option<&'t str> {
        let list = || names.clone().collect::<Vec<_>>().join(", ");
        let Some(node) = table.get("kind") else {
            let article = if what.starts_with(['o', 'e']) { "an" } else { "a" };
            self.report(span, format!("{article} {what} needs `kind`"), format!("kinds: {}", list()));
            return None;
        };
        let Some(text) = node.text() else {
            self.report(node.span, format!("`kind` cannot be {}", node.kind()), format!("kinds: {}", list()));
            return None;
        };
        if !names.clone().any(|name| name == text) {
            let message = format!("there is no kind of {what} \"{}\"", shortened(text));
            self.report(node.span, message, suggestion(text, "kinds", names));
            return None;
        }
        Some(text)
    }

    /// The contact of an exciter with the point it plays on, off until it plays.
    pub(crate) fn tool_contact(&mut self, naming: &Naming<'_>, from: Point, to: Located, law: Law) -> ContactId {
        let contact = Interaction::new(&naming.full_name, from, to.point, law);
        ContactId::new(self.add_contact(Interaction { active: false, ..contact }, naming.span))
    }

    /// A mass or barrier that belongs to an exciter.
    pub(crate) fn tool_object(
        &mut self,
        naming: &Naming<'_>,
        spec: impl Into<ictus::model::ObjectSpec>,
        kind: &'static str,
    ) -> ObjectId {
        let object = self.add_object(
            naming.full_name.clone(),
            spec,
            Written { span: naming.span, grid: None, t60: None, kind, is_faulty: false },
        );
        ObjectId::new(object)
    }
}
