//! The force of an interaction: the sum over its points, where it is spread.

use std::ops::Range;

use super::{AtInteraction, PickupInfo};
use crate::link::Link;

#[derive(Clone, Debug)]
pub(crate) struct Force {
    links: Range<usize>,
}

impl AtInteraction for Force {
    const INFO: PickupInfo = PickupInfo { name: "force", summary: "force of a contact", unit: "N", hears_rest: true };

    fn new(links: Range<usize>) -> Self {
        Self { links }
    }

    fn links(&self) -> Range<usize> {
        self.links.clone()
    }

    #[inline(always)]
    fn hear(&self, links: &[Link]) -> f64 {
        links[self.links.clone()].iter().map(|link| link.force).sum()
    }
}
