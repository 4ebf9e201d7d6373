//! P09: S. Papetti, F. Avanzini, D. Rocchesso: Energy and accuracy issues in numerical simulations of a non-linear impact
//! model (DAFx 2009).

mod bouncing;
mod cases;
mod exact_figures;
mod scheme_figures;
mod table_1;
mod trajectories;

use super::Source;

/// The source and its items.
pub const SOURCE: Source = Source {
    id: "P09",
    title: "S. Papetti, F. Avanzini, D. Rocchesso: energy and accuracy of a non-linear impact model (DAFx 2009)",
    items: &[
        table_1::ITEM,
        exact_figures::FIGURE_1,
        exact_figures::FIGURE_2,
        exact_figures::FIGURE_3,
        scheme_figures::FIGURE_4,
        scheme_figures::FIGURE_5,
        scheme_figures::FIGURE_6,
        scheme_figures::FIGURE_7,
        bouncing::FIGURE_8,
    ],
};
