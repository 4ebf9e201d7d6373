//! Which contacts feel each other, and by how much.
//!
//! Two contacts are coupled when a force in one moves the other within the same step: their points overlap on one object, or
//! are points of one modal object. Coupled contacts form islands; almost all have one member. All memory is taken at build, for
//! the worst case that moving points can bring about.

use crate::link::Link;
use crate::neighbours::{Neighbours, Union};
use crate::objects::Bodies;
use crate::room::Room;

/// The islands of a model, as ranges into one list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coupling {
    /// Pairs of links that are coupled or could become so.
    candidates: Vec<(usize, usize)>,
    /// Links that feel no other.
    pub singles: Room<usize>,
    /// Links of the larger islands, island by island.
    pub members: Room<usize>,
    pub islands: Room<Island>,
    /// Coupling matrices of the larger islands, row by row.
    pub matrices: Room<f64>,
    /// How often it was found anew, and how often anything was changed that a contact depends on.
    pub generation: u64,
    pub revision: u64,
    /// Most links an island can ever have.
    pub largest_island: usize,
    /// Coupling of each candidate pair, in m/N.
    weights: Vec<f64>,
    /// Union-find over the links, and the sizes of its sets at their first links.
    parents: Vec<usize>,
    sizes: Vec<usize>,
    places: Vec<Place>,
}

/// Where a link is in its island.
#[derive(Clone, Copy, Debug)]
struct Place {
    island: usize,
    slot: usize,
}

/// One island of two or more links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Island {
    /// First of its links in `members`.
    pub first: usize,
    pub size: usize,
    /// First entry of its matrix.
    pub matrix: usize,
    /// Whether that changes from step to step, because a body is stretched.
    pub stretches: bool,
    filled: usize,
}

impl Coupling {
    /// Takes memory for all pairs that may ever be coupled. `fixed(i)`: link i never moves. Where more than `limit` may come to be coupled with
    /// each other, takes none and says how many.
    pub(crate) fn new(
        links: &[Link],
        bodies: &Bodies,
        fixed: impl Fn(usize) -> bool,
        limit: usize,
    ) -> Result<Self, usize> {
        let count = links.len();
        let candidates = Neighbours::new(links, bodies, fixed).pairs();
        let mut islands = Union::new(count);
        candidates.iter().for_each(|&(i, j)| islands.unite(i, j));
        let largest_island = islands.largest();
        if largest_island > limit {
            return Err(largest_island);
        }
        let matrices = islands.islands().map(|size| size * size).sum();
        let mut coupling = Self {
            weights: vec![0.0; candidates.len()],
            candidates,
            singles: Room::new(count),
            members: Room::new(count),
            islands: Room::new(count),
            matrices: Room::default(),
            parents: vec![0; count],
            sizes: vec![0; count],
            places: vec![Place { island: 0, slot: 0 }; count],
            largest_island,
            generation: 0,
            revision: 0,
        };
        coupling.matrices.reserve_exact(matrices);
        coupling.update(links, bodies);
        Ok(coupling)
    }

    /// Finds the islands anew after a point has moved or a link was switched on or off. Allocates nothing.
    pub(crate) fn update(&mut self, links: &[Link], bodies: &Bodies) {
        self.generation += 1;
        self.revision += 1;
        self.parents.iter_mut().enumerate().for_each(|(link, parent)| *parent = link);
        for (&(i, j), weight) in self.candidates.iter().zip(&mut self.weights) {
            let both = links[i].is_watched() && links[j].is_watched();
            *weight = if both { links[i].coupling(&links[j], bodies) } else { 0.0 };
            if *weight != 0.0 || both && links[i].feels(&links[j], bodies) {
                unite(&mut self.parents, i, j);
            }
        }
        self.measure();
        self.group(links);
        self.fill(links);
    }

    /// Counts the links of each island at its first link.
    fn measure(&mut self) {
        self.sizes.fill(0);
        for link in 0..self.parents.len() {
            let root = find(&mut self.parents, link);
            self.sizes[root] += 1;
        }
    }

    /// Sorts the links that are watched into singles and islands.
    fn group(&mut self, links: &[Link]) {
        self.singles.clear();
        self.members.clear();
        self.islands.clear();
        self.matrices.clear();
        for (link, built) in links.iter().enumerate() {
            let root = find(&mut self.parents, link);
            let size = self.sizes[root];
            if size == 1 {
                if built.is_watched() {
                    self.singles.push(link);
                }
                continue;
            }
            if link == root {
                let (first, matrix) = (self.members.len(), self.matrices.len());
                self.islands.push(Island { first, size, matrix, stretches: false, filled: 0 });
                self.members.resize(first + size, 0);
                self.matrices.resize(matrix + size * size, 0.0);
                self.places[root].island = self.islands.len() - 1;
            }
            let index = self.places[root].island;
            let island = &mut self.islands[index];
            self.members[island.first + island.filled] = link;
            island.stretches |= built.stretches;
            self.places[link] = Place { island: index, slot: island.filled };
            island.filled += 1;
        }
    }

    fn fill(&mut self, links: &[Link]) {
        for island in &self.islands {
            for slot in 0..island.size {
                let link = self.members[island.first + slot];
                self.matrices[island.matrix + slot * (island.size + 1)] = links[link].admittance;
            }
        }
        for (&(i, j), &weight) in self.candidates.iter().zip(&self.weights) {
            if weight != 0.0 {
                let Island { matrix, size, .. } = self.islands[self.places[i].island];
                let (row, column) = (self.places[i].slot, self.places[j].slot);
                self.matrices[matrix + row * size + column] = weight;
                self.matrices[matrix + column * size + row] = weight;
            }
        }
    }
}

fn find(parents: &mut [usize], mut link: usize) -> usize {
    while parents[link] != link {
        parents[link] = parents[parents[link]];
        link = parents[link];
    }
    link
}

/// The smaller number leads, so that islands come in the order of their first links.
fn unite(parents: &mut [usize], i: usize, j: usize) {
    let (i, j) = (find(parents, i), find(parents, j));
    parents[i.max(j)] = i.min(j);
}
