//! Rectangular plates with edges that are free, supported or clamped, each as it likes, by Rayleigh's and Ritz's method.
//!
//! ```text
//! φ(x, y) = Σ c_ij X_i(x) Y_j(y),     K c = ω² c
//! K_ij,kl = D1/a⁴ ∫X_i″X_k″ δ_jl + D2/b⁴ δ_ik ∫Y_j″Y_l″ + D12/a²b² (∫X_i″X_k ∫Y_jY_l″ + ∫X_iX_k″ ∫Y_j″Y_l) + 4 D66/a²b² ∫X_i′X_k′ ∫Y_j′Y_l′
//! ```
//!
//! x and y are fractions of the sides a and b, the stiffnesses are over the surface density, and the X and the Y are orthonormal ([`trial`]). Source: Leissa, The free vibration
//! of rectangular plates, J. Sound Vib. 31 (1973), with other functions. Even and odd functions do not meet where opposite edges are alike: four problems
//! of a quarter of the size, sixteen times less work than one.
//!
//! The functions taken are those with waves up to a tenth beyond `highest`, and eight more each way. That leaves frequencies too high, by less than 1e-4
//! in all of a band of 500 or 1000 modes, in half of it by less than 1e-6. The corner between a clamped and a free edge is worst, since the moment has
//! no bound there: 2e-5 in such bands, 3e-4 where only few modes are wanted.
//! Moving and turning as a whole are put in by hand: their frequency is 0 to the last bit.
//!
//! Rejected: one table of φ at the points of a grid, which `at` would interpolate: for a thousand modes it is as large as the vectors and not exact.

mod eigen;
#[cfg(test)]
mod tests;
mod trial;

use super::Mode;
use super::rectangle::{Dispersion, Edge, Ladder};
use crate::objects::{ObjectError, checked};
use eigen::{Eigen, dot};
use std::f64::consts::PI;
use trial::Family;

/// Most modes of one symmetry; it bounds the time of a build (some seconds) and memory.
const MOST_OF_A_CLASS: usize = 1024;

/// Most half waves of functions along a side.
const MOST_WAVES: usize = 512;

/// Room for the functions of one side.
const MOST_FUNCTIONS: usize = MOST_WAVES + 8;

/// Modes whose shapes are worked out together.
const LANES: usize = 8;

/// How many functions are taken.
#[derive(Clone, Copy, Debug)]
struct Richness {
    /// Wave number of the highest function over that of the highest mode.
    beyond: f64,
    /// Functions of a side more than that.
    extra: f64,
    /// Functions of a side that do not count as waves where those of both are weighed.
    free: f64,
}

const RICHNESS: Richness = Richness { beyond: 1.1, extra: 6.0, free: 8.0 };

/// A plate, its stiffnesses in parts of the squared angular frequency `highest`.
struct Plate {
    sides: [f64; 2],
    mass: f64,
    highest: f64,
    dispersion: Dispersion,
    /// D1/a⁴, D2/b⁴, D12/a²b², 4 D66/a²b².
    factors: [f64; 4],
}

/// The modes of a plate by Ritz's method.
#[derive(Clone, Debug)]
pub(super) struct Ritz {
    modes: Vec<Mode>,
    /// Functions along x and along y.
    families: [Vec<Family>; 2],
    classes: Vec<Class>,
}

/// Modes of one symmetry: of the functions of one family along x and one along y.
#[derive(Clone, Debug)]
struct Class {
    /// First function of the family among all of its side.
    first: [usize; 2],
    /// Functions along x and along y whose products are taken, as numbers in their families.
    pairs: Vec<[u16; 2]>,
    /// The place of each mode among all.
    places: Vec<u32>,
    /// c of 8 modes at a time: for each pair 8 numbers.
    vectors: Vec<[f64; LANES]>,
}

/// Modes of one symmetry before all are put in order.
struct Solved {
    class: Class,
    modes: Vec<Mode>,
    vectors: Vec<f64>,
}

impl Ritz {
    /// All modes below `highest` in Hz of a plate: its dispersion and D66 over the surface density, its sides in m, its mass in kg, and its edges.
    pub(super) fn new(
        dispersion: &Dispersion,
        twisting: f64,
        sides: [f64; 2],
        mass: f64,
        edges: [[Edge; 2]; 2],
        highest: f64,
        most: usize,
    ) -> Result<Self, ObjectError> {
        let unit = 1.0 / ((2.0 * PI * highest) * (2.0 * PI * highest));
        let dispersion = Dispersion {
            tension: 0.0,
            along: unit * dispersion.along,
            both: unit * dispersion.both,
            across: unit * dispersion.across,
        };
        let twisting = unit * twisting;
        let [x, y] = sides.map(|side| 1.0 / (side * side));
        let factors = [
            dispersion.along * x * x,
            dispersion.across * y * y,
            (dispersion.both - 2.0 * twisting) * x * y,
            4.0 * twisting * x * y,
        ];
        Plate { sides, mass, highest, dispersion, factors }.solve(edges, most, RICHNESS)
    }

    pub(super) fn modes(&self) -> &[Mode] {
        &self.modes
    }

    pub(super) fn at(&self, place: [f64; 2], weights: &mut [f64]) {
        let mut functions = [[0.0; MOST_FUNCTIONS]; 2];
        for ((families, functions), fraction) in self.families.iter().zip(&mut functions).zip(place) {
            let mut rest = &mut functions[..];
            for family in families {
                let (here, others) = rest.split_at_mut(family.len());
                family.at(fraction, here);
                rest = others;
            }
        }
        for class in &self.classes {
            class.at([&functions[0][class.first[0]..], &functions[1][class.first[1]..]], weights);
        }
    }
}

impl Ritz {
    /// ⟨φ⟩ = Σ c_ij ∫X_i ∫Y_j.
    pub(super) fn mean(&self, weights: &mut [f64]) {
        let mut functions = [[0.0; MOST_FUNCTIONS]; 2];
        for (families, functions) in self.families.iter().zip(&mut functions) {
            let means = families.iter().flat_map(|family| &family.means);
            functions.iter_mut().zip(means).for_each(|(function, mean)| *function = *mean);
        }
        for class in &self.classes {
            class.at([&functions[0][class.first[0]..], &functions[1][class.first[1]..]], weights);
        }
    }
}

impl Class {
    fn at(&self, [along, across]: [&[f64]; 2], weights: &mut [f64]) {
        let blocks = self.vectors.chunks_exact(self.pairs.len().max(1));
        for (places, vectors) in self.places.chunks(LANES).zip(blocks) {
            let mut sums = [0.0; LANES];
            for (&[i, j], shares) in self.pairs.iter().zip(vectors) {
                let product = along[usize::from(i)] * across[usize::from(j)];
                for (sum, share) in sums.iter_mut().zip(shares) {
                    *sum += product * share;
                }
            }
            for (&place, sum) in places.iter().zip(sums) {
                if let Some(weight) = weights.get_mut(place as usize) {
                    *weight = sum;
                }
            }
        }
    }
}

impl Plate {
    fn solve(&self, edges: [[Edge; 2]; 2], most: usize, richness: Richness) -> Result<Ritz, ObjectError> {
        let curling = self.curling(edges);
        let waves = self.half_waves(edges, &curling, richness)?;
        let classes: usize = edges.map(|ends| if ends[0] == ends[1] { 2 } else { 1 }).iter().product();
        let limit = most.min(classes * MOST_OF_A_CLASS);
        let too_many = |modes| ObjectError::TooManyModes { modes, highest: self.highest, limit };
        let likely = curling.count(1.0, self.sides, edges.map(Ladder::new));
        // The ladders are right to some percent, a free plate has more: whoever is near the limit is counted by solving.
        if likely > 1.2 * limit as f64 + 16.0 {
            return Err(too_many(likely as usize));
        }
        let families = [0, 1].map(|side| Family::all(edges[side], waves[side]));
        let mut solved = Vec::new();
        let mut first = [0, 0];
        for x in &families[0] {
            first[1] = 0;
            for y in &families[1] {
                let pairs = self.pairs(x, y, &curling, richness);
                solved.push(self.class(x, y, first, pairs));
                first[1] += y.len();
            }
            first[0] += x.len();
        }
        let count = solved.iter().map(|solved| solved.modes.len()).sum();
        if count > limit {
            return Err(too_many(count));
        }
        let (modes, classes) = in_order(solved);
        Ok(Ritz { modes, families, classes })
    }

    /// How waves run along edges as these: where one is free, the plate curls beside it and bends more easily, by `D1 - D12²/D2`.
    fn curling(&self, edges: [[Edge; 2]; 2]) -> Dispersion {
        let Dispersion { along, across, .. } = self.dispersion;
        let [first, second, coupling, _] = self.factors;
        let part = 1.0 - (coupling / first) * (coupling / second);
        Dispersion {
            along: if edges[1].contains(&Edge::Free) { part * along } else { along },
            across: if edges[0].contains(&Edge::Free) { part * across } else { across },
            ..self.dispersion
        }
    }

    /// Half waves of the highest functions along both sides.
    fn half_waves(
        &self,
        edges: [[Edge; 2]; 2],
        curling: &Dispersion,
        richness: Richness,
    ) -> Result<[usize; 2], ObjectError> {
        let mut waves = [0, 0];
        for (side, parameter) in ["side x", "side y"].into_iter().enumerate() {
            let least = if edges[1 - side].contains(&Edge::Free) { 0.0 } else { 1.0 };
            let highest = curling.half_waves(1.0, self.sides, side, least);
            let wanted = if edges[side] == [Edge::Supported; 2] {
                highest.floor().max(1.0)
            } else {
                (highest * richness.beyond + richness.extra).ceil()
            };
            checked(
                parameter,
                self.sides[side],
                "such that no more than 450 half waves below `highest` fit in",
                |_| wanted <= MOST_WAVES as f64,
            )?;
            waves[side] = wanted as usize;
        }
        Ok(waves)
    }

    /// Solves for the modes of one symmetry, made of these products.
    fn class(&self, x: &Family, y: &Family, first: [usize; 2], mut pairs: Vec<[u16; 2]>) -> Solved {
        let stiffness = |a: [u16; 2], b: [u16; 2]| self.stiffness(x, y, a.map(usize::from), b.map(usize::from));
        // Small elements first: they keep their accuracy.
        pairs.sort_by(|&a, &b| stiffness(a, a).total_cmp(&stiffness(b, b)));
        let rigid = x.degree + y.degree < 2;
        if rigid {
            pairs.retain(|&pair| pair != [0, 0]);
        }
        let size = pairs.len();
        let mut matrix = vec![0.0; size * size];
        for (r, &row) in pairs.iter().enumerate() {
            for (c, &column) in pairs[..=r].iter().enumerate() {
                matrix[r * size + c] = stiffness(row, column);
            }
        }
        let Eigen { mut values, mut vectors } = Eigen::below(1.0, size, matrix);
        if rigid {
            pairs.push([0, 0]);
            vectors = with_rigid(size, &vectors);
            values.insert(0, 0.0);
        }
        let mut solved = Solved {
            class: Class { first, pairs, places: Vec::new(), vectors: Vec::new() },
            modes: Vec::with_capacity(values.len()),
            vectors,
        };
        let mut grid = vec![0.0; x.len() * y.len()];
        for (&value, vector) in values.iter().zip(solved.vectors.chunks_exact(solved.class.pairs.len().max(1))) {
            for (&[i, j], &share) in solved.class.pairs.iter().zip(vector) {
                grid[usize::from(i) * y.len() + usize::from(j)] = share;
            }
            let slope = self.slope(x, y, &grid);
            solved.modes.push(Mode { frequency: self.highest * value.max(0.0).sqrt(), mass: self.mass, slope });
        }
        solved
    }

    /// The products that are taken.
    fn pairs(&self, x: &Family, y: &Family, curling: &Dispersion, richness: Richness) -> Vec<[u16; 2]> {
        let squared = |half_waves: f64, side: f64| {
            let wave = (half_waves - richness.free).max(0.0) * PI / (side * richness.beyond);
            wave * wave
        };
        let mut pairs = Vec::new();
        for (i, &along) in x.half_waves.iter().enumerate() {
            for (j, &across) in y.half_waves.iter().enumerate() {
                let waves = [squared(along, self.sides[0]), squared(across, self.sides[1])];
                if curling.squared(waves) <= 1.0 {
                    pairs.push([i as u16, j as u16]);
                }
            }
        }
        pairs
    }

    /// One element of K.
    fn stiffness(&self, x: &Family, y: &Family, [i, j]: [usize; 2], [k, l]: [usize; 2]) -> f64 {
        let [along, across, coupling, twisting] = self.factors;
        let (ik, ki, jl, lj) = (i * x.len() + k, k * x.len() + i, j * y.len() + l, l * y.len() + j);
        let mut sum = coupling * (x.coupling[ik] * y.coupling[lj] + x.coupling[ki] * y.coupling[jl])
            + twisting * x.tilting[ik] * y.tilting[jl];
        if j == l {
            sum += along * x.bending[ik];
        }
        if i == k {
            sum += across * y.bending[jl];
        }
        sum
    }

    /// ⟨|∇φ|²⟩ of a shape of mean square 1, its shares laid out in rows of y.
    fn slope(&self, x: &Family, y: &Family, shares: &[f64]) -> f64 {
        let (mut along, mut across) = (0.0, 0.0);
        for (i, row) in shares.chunks_exact(y.len()).enumerate() {
            for (k, other) in shares.chunks_exact(y.len()).enumerate() {
                along += x.tilting[i * x.len() + k] * dot(row, other);
            }
            for (share, tilting) in row.iter().zip(y.tilting.chunks_exact(y.len())) {
                across += share * dot(tilting, row);
            }
        }
        along / (self.sides[0] * self.sides[0]) + across / (self.sides[1] * self.sides[1])
    }
}

/// One element more for every vector, 0, and before them the vector that has nothing else.
fn with_rigid(size: usize, vectors: &[f64]) -> Vec<f64> {
    let mut all = vec![0.0; size];
    all.push(1.0);
    for vector in vectors.chunks_exact(size.max(1)) {
        all.extend_from_slice(vector);
        all.push(0.0);
    }
    all
}

/// Puts the modes of all classes in order, and their vectors where `at` wants them.
fn in_order(solved: Vec<Solved>) -> (Vec<Mode>, Vec<Class>) {
    let numbered = solved.iter().enumerate().flat_map(|(c, solved)| (0..solved.modes.len()).map(move |m| (c, m)));
    let mut order: Vec<(usize, usize)> = numbered.collect();
    // Stable: of two modes of one frequency the one of the earlier class comes first.
    order.sort_by(|a, b| solved[a.0].modes[a.1].frequency.total_cmp(&solved[b.0].modes[b.1].frequency));
    let modes = order.iter().map(|&(c, m)| solved[c].modes[m]).collect();
    let mut classes: Vec<Class> = Vec::with_capacity(solved.len());
    for Solved { mut class, modes, vectors } in solved {
        class.places = vec![0; modes.len()];
        let size = class.pairs.len();
        for block in vectors.chunks(LANES * size.max(1)) {
            let lane = |pair: usize, lane: usize| block.get(lane * size + pair).copied().unwrap_or(0.0);
            class.vectors.extend((0..size).map(|pair| std::array::from_fn(|l| lane(pair, l))));
        }
        classes.push(class);
    }
    for (place, (c, m)) in order.into_iter().enumerate() {
        classes[c].places[m] = place as u32;
    }
    classes.retain(|class| !class.places.is_empty());
    (modes, classes)
}
