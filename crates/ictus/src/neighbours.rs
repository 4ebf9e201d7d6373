//! Links that may ever feel each other, found without a look at all pairs of them.
//!
//! Only links on one body feel each other. One that can be moved may come to lie on any other of its body, so it makes a pair with each of
//! them. Links that are fixed on a grid feel those on the same nodes: sorted along the grid, they are next to each other. Sixteen thousand
//! frets on a string are a hundred million pairs, of which a few thousand matter.

use std::collections::HashMap;

use crate::link::Link;
use crate::objects::{Bodies, BodyId, Place, Support, Terminal};

/// Most pairs of points of a body in modes that are looked at to know whether they are nodes: a look takes a time by the number of modes.
const MOST_LOOKS: usize = 16;

/// Links and the bodies on which they are.
pub(crate) struct Neighbours<'a, F> {
    links: &'a [Link],
    bodies: &'a Bodies,
    /// Whether a link never moves.
    fixed: F,
    /// The links of every body that something can be felt through, in ascending order.
    crowds: Vec<(BodyId, Vec<usize>)>,
}

impl<'a, F: Fn(usize) -> bool> Neighbours<'a, F> {
    /// Sorts the links by their bodies. Through an object that goes where it is told, nothing is felt.
    pub(crate) fn new(links: &'a [Link], bodies: &'a Bodies, fixed: F) -> Self {
        let mut crowds: Vec<(BodyId, Vec<usize>)> = Vec::new();
        let mut places = HashMap::new();
        for (index, link) in links.iter().enumerate() {
            for body in [link.from.body, link.to.body].into_iter().filter(|body| !bodies.is_prescribed(*body)) {
                let place = *places.entry(body).or_insert_with(|| {
                    crowds.push((body, Vec::new()));
                    crowds.len() - 1
                });
                let crowd = &mut crowds[place].1;
                if crowd.last() != Some(&index) {
                    crowd.push(index);
                }
            }
        }
        Self { links, bodies, fixed, crowds }
    }

    /// Most links that may come to feel each other. Looks at no more pairs than it must to know whether that is above a limit.
    pub(crate) fn largest_island(&self, limit: usize) -> usize {
        let mut islands = Union::new(self.links.len());
        for (body, crowd) in &self.crowds {
            let all_are_fixed = crowd.iter().all(|link| (self.fixed)(*link));
            match self.along(*body, crowd).filter(|_| all_are_fixed) {
                Some(along) => self.unite_along(&along, limit, &mut islands),
                None if all_are_fixed && self.are_nodes(*body, crowd) => {}
                None => crowd.windows(2).for_each(|pair| islands.unite(pair[0], pair[1])),
            }
        }
        islands.largest()
    }

    /// Makes islands of links that are fixed along a grid.
    fn unite_along(&self, along: &[Along], limit: usize, islands: &mut Union) {
        for (place, here) in along.iter().enumerate() {
            if islands.size(here.link) > limit {
                continue;
            }
            for there in near(along, place) {
                let apart = islands.find(there.link) != islands.find(here.link);
                if apart && self.feel(here.link, there.link) {
                    islands.unite(there.link, here.link);
                    if islands.size(here.link) > limit {
                        break;
                    }
                }
            }
        }
    }

    /// Whether points that are fixed on a body in modes are nodes of it that do not feel each other. A point between the nodes feels all
    /// others; of nodes, some pairs tell for all.
    fn are_nodes(&self, body: BodyId, crowd: &[usize]) -> bool {
        let Some(segments) = self.bodies.segments(body) else { return false };
        let is_node = |end: &Terminal| match end.support {
            Support::Seen(Place::Along(position)) => {
                let node = position * segments as f64;
                (node - node.round()).abs() < 1e-9 * segments as f64
            }
            _ => false,
        };
        let ends =
            |link: &Link| [link.from, link.to].into_iter().filter(|end| end.body == body).all(|end| is_node(&end));
        let stride = (crowd.len() / MOST_LOOKS).max(1);
        crowd.iter().all(|link| ends(&self.links[*link]))
            && !crowd.windows(2).step_by(stride).any(|pair| self.feel(pair[0], pair[1]))
    }

    /// All pairs `(i, j)`, `i < j`, that may come to feel each other, by `j` and then by `i`.
    pub(crate) fn pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for (body, crowd) in &self.crowds {
            let (fixed, loose): (Vec<usize>, Vec<usize>) = crowd.iter().partition(|link| (self.fixed)(**link));
            for (place, &link) in loose.iter().enumerate() {
                pairs.extend(fixed.iter().chain(&loose[..place]).map(|&other| (link.min(other), link.max(other))));
            }
            let mut add = |one: usize, other: usize| {
                if self.feel(one, other) {
                    pairs.push((one.min(other), one.max(other)));
                }
            };
            match self.along(*body, &fixed) {
                Some(along) => {
                    for (place, here) in along.iter().enumerate() {
                        near(&along, place).for_each(|there| add(here.link, there.link));
                    }
                }
                None => {
                    for (place, &here) in fixed.iter().enumerate() {
                        fixed[..place].iter().for_each(|&there| add(here, there));
                    }
                }
            }
        }
        // Two links can share two bodies.
        pairs.sort_unstable_by_key(|&(i, j)| (j, i));
        pairs.dedup();
        pairs.shrink_to_fit();
        pairs
    }

    fn feel(&self, one: usize, other: usize) -> bool {
        self.links[one].feels(&self.links[other], self.bodies)
    }

    /// Links of a body in their order along its grid; none if one of them is not at a place along a grid.
    fn along(&self, body: BodyId, links: &[usize]) -> Option<Vec<Along>> {
        let place = |&link: &usize| {
            let ends = [&self.links[link].from, &self.links[link].to];
            let mut nodes = Vec::with_capacity(2);
            for end in ends.into_iter().filter(|end| end.body == body) {
                let Support::Line { first, weights, .. } = end.support else { return None };
                nodes.extend([first, first + weights.len() - 1]);
            }
            Some(Along { first: *nodes.iter().min()?, last: *nodes.iter().max()?, link })
        };
        let mut along: Vec<Along> = links.iter().map(place).collect::<Option<_>>()?;
        along.sort_unstable_by_key(|at| (at.first, at.link));
        Some(along)
    }
}

/// A link by the nodes of a grid that it moves.
#[derive(Clone, Copy, Debug)]
struct Along {
    first: usize,
    last: usize,
    link: usize,
}

/// Those before a place in a sorted list that reach as far as its first node. All reach equally far but those with two ends on the grid,
/// which nothing spread has.
fn near(along: &[Along], place: usize) -> impl Iterator<Item = &Along> {
    let first = along[place].first;
    along[..place].iter().rev().take_while(move |other| other.last >= first)
}

/// Sets of links that grow together.
pub(crate) struct Union {
    parents: Vec<usize>,
    sizes: Vec<usize>,
}

impl Union {
    /// Every link alone.
    pub(crate) fn new(count: usize) -> Self {
        Self { parents: (0..count).collect(), sizes: vec![1; count] }
    }

    fn find(&mut self, mut link: usize) -> usize {
        while self.parents[link] != link {
            self.parents[link] = self.parents[self.parents[link]];
            link = self.parents[link];
        }
        link
    }

    /// Makes one set of two.
    pub(crate) fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        if one != other {
            let (parent, child) = (one.min(other), one.max(other));
            self.parents[child] = parent;
            self.sizes[parent] += self.sizes[child];
        }
    }

    fn size(&mut self, link: usize) -> usize {
        let root = self.find(link);
        self.sizes[root]
    }

    /// Size of the largest set.
    pub(crate) fn largest(&self) -> usize {
        self.islands().max().unwrap_or(0)
    }

    /// Sizes of all sets.
    pub(crate) fn islands(&self) -> impl Iterator<Item = usize> {
        (0..self.parents.len()).filter(|link| self.parents[*link] == *link).map(|link| self.sizes[link])
    }
}
