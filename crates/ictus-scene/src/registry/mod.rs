//! What a scene can say: every table with its keys, their units, defaults, ranges and meaning.
//!
//! One list drives everything. The reader checks a text against it, the JSON Schema and the tables of `docs/scenes.md` are written
//! from it. A kind of object or exciter brings its own table in its own file.

pub mod contact;
pub mod field;
pub mod played;
pub mod whole;

use std::sync::LazyLock;

pub use field::{Bounds, Family, Field, Kind, TableInfo};

use ictus::laws::{Law, LawInfo};

use crate::objects::{OBJECTS, ObjectKind};
use crate::tools::{TOOLS, ToolEntry};

/// A table with the name its kind has in the text: `kind = "string"`.
pub struct KindInfo {
    /// Name in scenes.
    pub name: &'static str,
    /// Its keys.
    pub table: TableInfo,
    /// Its keys by the law it names, for a kind that names one; `table` is that of its default law.
    pub by_law: Vec<(&'static str, TableInfo)>,
    /// Its keys without those of any law.
    pub without_law: TableInfo,
}

impl KindInfo {
    /// Its keys when it names this law.
    pub fn table_for(&self, law: Option<&str>) -> &TableInfo {
        let named = law.and_then(|law| self.by_law.iter().find(|(name, _)| *name == law));
        named.map_or(&self.table, |(_, table)| table)
    }
}

/// Objects by their kinds.
pub fn objects() -> &'static [KindInfo] {
    static INFOS: LazyLock<Vec<KindInfo>> = LazyLock::new(|| {
        let info = |kind: &ObjectKind| KindInfo {
            name: kind.name,
            table: with_kind((kind.table)(), kind.name),
            by_law: vec![],
            without_law: with_kind((kind.table)(), kind.name),
        };
        OBJECTS.iter().map(info).collect()
    });
    &INFOS
}

/// Exciters by their kinds.
pub fn exciters() -> &'static [KindInfo] {
    static INFOS: LazyLock<Vec<KindInfo>> = LazyLock::new(|| {
        let with_law = |kind: &ToolEntry, law: &LawInfo| {
            let mut table = with_kind((kind.table)(), kind.info.name);
            table.fields.extend(contact::law_fields(law));
            table
        };
        let info = |kind: &ToolEntry| {
            let without_law = with_kind((kind.table)(), kind.info.name);
            match kind.info.law.and_then(ictus::laws::law) {
                None => KindInfo { name: kind.info.name, table: without_law.clone(), by_law: vec![], without_law },
                Some(default) => KindInfo {
                    name: kind.info.name,
                    table: with_law(kind, default),
                    by_law: Law::ALL.iter().map(|law| (law.name, with_law(kind, law))).collect(),
                    without_law,
                },
            }
        };
        TOOLS.iter().map(info).collect()
    });
    &INFOS
}

/// A kind's table with the key `kind` in front.
fn with_kind(mut table: TableInfo, name: &'static str) -> TableInfo {
    let field = Field::new("kind", Kind::Constant(name)).required().doc("What it is.");
    table.fields.insert(0, field);
    table.fields.push(Field::name());
    table
}
