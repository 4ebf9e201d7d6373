//! P09: S. Papetti, F. Avanzini, D. Rocchesso: Energy and accuracy issues in numerical simulations of a non-linear impact
//! model (DAFx 2009).

mod cases;
mod figure_1_to_3;
mod table_1;

use super::Source;

/// The source and its items.
pub const SOURCE: Source = Source {
    id: "P09",
    title: "S. Papetti, F. Avanzini, D. Rocchesso: energy and accuracy of a non-linear impact model (DAFx 2009)",
    items: &[table_1::ITEM, figure_1_to_3::FIGURE_1, figure_1_to_3::FIGURE_2, figure_1_to_3::FIGURE_3],
};
