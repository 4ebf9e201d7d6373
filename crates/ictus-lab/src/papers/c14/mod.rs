//! C14: the two-point and the three-point energy scheme compared by how long a contact lasts (2014), and the answer to its
//! open question, contacts with an exponent above 1.

mod collision;
mod correction;
mod figure_6;
mod figures_3_to_5;
mod local_frequency;

use super::Source;

/// The source and its items.
pub const SOURCE: Source = Source {
    id: "C14",
    title: "Two-point and three-point schemes for collisions in musical instruments, compared (2014)",
    items: &[
        figures_3_to_5::FIGURE_3,
        figures_3_to_5::FIGURE_4,
        figures_3_to_5::FIGURE_5,
        figure_6::FIGURE_6,
        correction::ITEM,
    ],
};
