//! Where everything is drawn.
//!
//! Nodes stand in rows: what presses from below is in a row below. Between two rows there is a lane for each edge and
//! each tag, with its label, so that no label lies on another or on a node. An edge goes straight up, along its lane,
//! and up again; one that passes rows in between goes round them on the right.

use super::network::{Look, Network, Tag, TagKind};

/// Height of a node and of a lane, and space around nodes, in pixels.
const NODE_HEIGHT: f64 = 64.0;
const LANE: f64 = 26.0;
const BETWEEN: f64 = 56.0;
const MARGIN: f64 = 28.0;
const HEADING: f64 = 44.0;
/// Widths of nodes in pixels: lumped, and the shortest and the longest extended one.
const LUMPED: f64 = 64.0;
const EXTENDED: (f64, f64) = (170.0, 340.0);
/// Height of a node without its caption, in pixels.
pub const SHAPE_HEIGHT: f64 = 44.0;
/// Width of a character in pixels, a little generous.
const CHARACTER: f64 = 7.2;

/// A box in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A line with its label.
#[derive(Clone, Debug, Default)]
pub struct Route {
    /// Corners of the line.
    pub line: Vec<(f64, f64)>,
    /// Left end of the label's line of text.
    pub label: (f64, f64),
}

/// Places of everything, in the order of the network.
#[derive(Debug, Default)]
pub struct Layout {
    /// Nodes.
    pub nodes: Vec<Frame>,
    /// Edges.
    pub edges: Vec<Route>,
    /// Tags: the line from the node to the tag, which is its last point.
    pub tags: Vec<Route>,
    /// Size of the drawing.
    pub size: (f64, f64),
}

impl Layout {
    /// Lays a network out.
    pub fn of(network: &Network) -> Self {
        let ranks = ranks(network);
        let rows = rows(network, &ranks);
        let lanes = Lanes::of(network, &ranks, &rows);
        let mut layout = Self { nodes: place_nodes(network, &rows, &lanes), ..Self::default() };
        let right = layout.nodes.iter().map(|frame| frame.x + frame.width).fold(0.0, f64::max);
        layout.route_edges(network, &ranks, &lanes, right);
        layout.route_tags(network, &ranks, &lanes);
        let bottom = lanes.y(0, lanes.counts[0]) + MARGIN;
        let label = |route: &Route, characters: usize| route.label.0 + CHARACTER * characters as f64;
        let labels =
            network.edges.iter().zip(&layout.edges).map(|(edge, route)| label(route, edge.label().chars().count()));
        let tags = network.tags.iter().zip(&layout.tags).map(|(tag, route)| label(route, tag.label.chars().count()));
        let lines = layout.edges.iter().flat_map(|route| &route.line).map(|point| point.0);
        let names = network
            .nodes
            .iter()
            .zip(&layout.nodes)
            .map(|(node, frame)| frame.x + 0.5 * (frame.width + CHARACTER * node.caption().chars().count() as f64));
        let right = labels.chain(tags).chain(lines).chain(names).fold(right, f64::max);
        layout.size = (right + MARGIN, bottom);
        layout
    }

    fn route_edges(&mut self, network: &Network, ranks: &[usize], lanes: &Lanes, right: f64) {
        let mut channel = right + 16.0;
        for (edge, &lane) in network.edges.iter().zip(&lanes.edges) {
            let ((from, a), (to, b)) = (edge.from, edge.to);
            let (below, above) = (&self.nodes[from], &self.nodes[to]);
            let start = (below.x + a * below.width, below.y + touch(network.nodes[from].look).0);
            let end = (above.x + b * above.width, above.y + touch(network.nodes[to].look).1);
            let upper = lanes.y(ranks[to], lane);
            let line = if ranks[to] == ranks[from] + 1 {
                vec![start, (start.0, upper), (end.0, upper), end]
            } else {
                // Out of the lower node into the gap above it, round on the right, and into the gap below the upper one.
                channel += 14.0;
                let apart = (channel - right) / 14.0;
                let lower = lanes.y(ranks[from] + 1, lanes.counts[ranks[from] + 1]) - 0.1 * LANE * apart.min(4.0);
                vec![start, (start.0, lower), (channel, lower), (channel, upper), (end.0, upper), end]
            };
            let label = (end.0 + 8.0, upper - 6.0);
            self.edges.push(Route { line, label });
        }
    }

    fn route_tags(&mut self, network: &Network, ranks: &[usize], lanes: &Lanes) {
        for (tag, &lane) in network.tags.iter().zip(&lanes.tags) {
            let (node, along) = tag.at;
            let frame = &self.nodes[node];
            // Beside the middle of what is lumped, where its contacts are.
            let beside = if tag.kind == TagKind::Force && frame.width <= LUMPED { 10.0 } else { 0.0 };
            let x = frame.x + along * frame.width + beside;
            let y = lanes.y(gap(tag, ranks), lane);
            let (top, bottom) = touch(network.nodes[node].look);
            let side = frame.y + if tag.kind == TagKind::Force { bottom } else { top };
            self.tags.push(Route { line: vec![(x, side), (x, y)], label: (x + 14.0, y + 4.0) });
        }
    }
}

/// Where lines touch a shape from above and from below, in pixels under its frame's upper edge.
pub fn touch(look: Look) -> (f64, f64) {
    match look {
        Look::String => (0.5 * SHAPE_HEIGHT, 0.5 * SHAPE_HEIGHT),
        Look::Bar => (8.0, SHAPE_HEIGHT - 8.0),
        Look::Skin | Look::Plate => (4.0, SHAPE_HEIGHT - 4.0),
        Look::Wall => (8.0, 8.0),
        Look::Modes => (0.0, SHAPE_HEIGHT),
        Look::Ball => (2.0, SHAPE_HEIGHT - 2.0),
    }
}

/// Rows from below, counted from 0: what presses on something is below it. Circles are cut where they close.
fn ranks(network: &Network) -> Vec<usize> {
    let mut ranks = vec![0; network.nodes.len()];
    // Longest ways settle after as many rounds as there are nodes; a circle would go on.
    for _ in 0..network.nodes.len().min(64) {
        let mut changed = false;
        for edge in &network.edges {
            let (from, to) = (edge.from.0, edge.to.0);
            let above = ranks[from] + 1;
            if from != to && ranks[to] < above && above < network.nodes.len().min(12) {
                ranks[to] = above;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    // What nothing presses on, as a bow, stands right under what it presses on.
    for node in 0..ranks.len() {
        let rises = network.edges.iter().all(|edge| edge.to.0 != node);
        let lowest = network.edges.iter().filter(|edge| edge.from.0 == node).map(|edge| ranks[edge.to.0]).min();
        if let Some(lowest) = lowest.filter(|_| rises) {
            ranks[node] = lowest.saturating_sub(1);
        }
    }
    // Close the gaps that circles leave.
    let mut used: Vec<usize> = ranks.clone();
    used.sort_unstable();
    used.dedup();
    ranks.iter().map(|rank| used.iter().position(|other| other == rank).unwrap_or(0)).collect()
}

/// Nodes of each row, those with the same neighbours near each other.
fn rows(network: &Network, ranks: &[usize]) -> Vec<Vec<usize>> {
    let count = ranks.iter().max().map_or(0, |highest| highest + 1);
    let mut rows = vec![Vec::new(); count];
    for (node, &rank) in ranks.iter().enumerate() {
        rows[rank].push(node);
    }
    // From the row above: a node stands under the mean place of what it presses on.
    for rank in (0..count.saturating_sub(1)).rev() {
        let place = |node: usize| {
            let above = network.edges.iter().filter(|edge| edge.from.0 == node && ranks[edge.to.0] == rank + 1);
            let places: Vec<f64> = above
                .filter_map(|edge| {
                    let column = rows[rank + 1].iter().position(|&other| other == edge.to.0)?;
                    Some(column as f64 + edge.to.1)
                })
                .collect();
            if places.is_empty() { f64::MAX } else { places.iter().sum::<f64>() / places.len() as f64 }
        };
        let mut row: Vec<(f64, usize)> = rows[rank].iter().map(|&node| (place(node), node)).collect();
        row.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows[rank] = row.into_iter().map(|(_, node)| node).collect();
    }
    rows
}

/// The gap that a tag is in: gap n is below row n.
fn gap(tag: &Tag, ranks: &[usize]) -> usize {
    ranks[tag.at.0] + usize::from(tag.kind != TagKind::Force)
}

/// Lanes of the gaps between rows. Gap n is below row n; there is one above the last row too.
struct Lanes {
    /// Number of lanes of each gap.
    counts: Vec<usize>,
    /// Upper edge of each gap in pixels.
    tops: Vec<f64>,
    edges: Vec<usize>,
    tags: Vec<usize>,
}

impl Lanes {
    fn of(network: &Network, ranks: &[usize], rows: &[Vec<usize>]) -> Self {
        let across = |(node, along): (usize, f64)| {
            let column = rows[ranks[node]].iter().position(|&other| other == node).unwrap_or(0);
            column as f64 + along
        };
        let rows = rows.len();
        let mut counts = vec![0; rows + 1];
        let mut take = |gap: usize| {
            counts[gap] += 1;
            counts[gap] - 1
        };
        let sorted = |places: Vec<f64>| {
            let mut order: Vec<usize> = (0..places.len()).collect();
            order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
            order
        };
        // From above: forces right under their objects, then the edges, then pickups and plucks. Labels are to the right
        // of their lines, so lines that come from above are taken from the right, and those from below from the left.
        let tag_order = sorted(network.tags.iter().map(|tag| across(tag.at)).collect());
        let (mut edges, mut tags) = (vec![0; network.edges.len()], vec![0; network.tags.len()]);
        let is_force = |index: &usize| network.tags[*index].kind == TagKind::Force;
        for index in tag_order.iter().copied().rev().filter(is_force) {
            tags[index] = take(gap(&network.tags[index], ranks));
        }
        for index in sorted(network.edges.iter().map(|edge| across(edge.to)).collect()).into_iter().rev() {
            edges[index] = take(ranks[network.edges[index].to.0]);
        }
        for index in tag_order.into_iter().filter(|index| !is_force(index)) {
            tags[index] = take(gap(&network.tags[index], ranks));
        }
        let mut tops = vec![0.0; rows + 1];
        let mut y = HEADING;
        for gap in (0..=rows).rev() {
            tops[gap] = y;
            y += Self::height(counts[gap], gap == 0) + if gap > 0 { NODE_HEIGHT } else { 0.0 };
        }
        Self { counts, tops, edges, tags }
    }

    fn height(lanes: usize, last: bool) -> f64 {
        LANE * lanes as f64 + if last && lanes == 0 { 0.0 } else { LANE }
    }

    /// Height of a lane's line in pixels, the first lane on top.
    fn y(&self, gap: usize, lane: usize) -> f64 {
        self.tops.get(gap).copied().unwrap_or(HEADING) + LANE * (lane as f64 + 0.9)
    }

    /// Upper edge in pixels of the nodes of a row.
    fn row(&self, rank: usize) -> f64 {
        self.tops[rank] - NODE_HEIGHT
    }
}

fn place_nodes(network: &Network, rows: &[Vec<usize>], lanes: &Lanes) -> Vec<Frame> {
    let longest = network.nodes.iter().filter_map(|node| node.length).fold(0.0, f64::max);
    let width = |node: usize| {
        let node = &network.nodes[node];
        let drawn = match node.length {
            // The square root keeps the short ones visible.
            Some(length) if longest > 0.0 => EXTENDED.0 + (EXTENDED.1 - EXTENDED.0) * (length / longest).sqrt(),
            _ if node.look == Look::Modes => EXTENDED.0,
            _ => LUMPED,
        };
        // Wide enough for its caption, so that captions do not meet.
        (drawn, drawn.max(CHARACTER * node.caption().chars().count() as f64))
    };
    let row_width = |row: &Vec<usize>| {
        row.iter().map(|&node| width(node).1).sum::<f64>() + BETWEEN * row.len().saturating_sub(1) as f64
    };
    let widest = rows.iter().map(row_width).fold(0.0, f64::max);
    let mut frames = vec![Frame::default(); network.nodes.len()];
    for (rank, row) in rows.iter().enumerate() {
        let mut x = MARGIN + 0.5 * (widest - row_width(row));
        for &node in row {
            let (drawn, taken) = width(node);
            frames[node] =
                Frame { x: x + 0.5 * (taken - drawn), y: lanes.row(rank), width: drawn, height: NODE_HEIGHT };
            x += taken + BETWEEN;
        }
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::super::network::{Edge, Node};
    use super::*;

    fn network(nodes: usize, edges: &[(usize, usize)]) -> Network {
        let node =
            |n| Node { name: format!("n{n}"), kind: "mass", look: Look::Ball, tool: None, count: 1, length: None };
        let edge = |&(from, to): &(usize, usize)| Edge {
            name: "e".into(),
            law: "spring",
            count: 1,
            from: (from, 0.5),
            to: (to, 0.5),
            heard: false,
        };
        Network { nodes: (0..nodes).map(node).collect(), edges: edges.iter().map(edge).collect(), tags: vec![] }
    }

    #[test]
    fn what_presses_is_below_what_it_presses_on() {
        let network = network(4, &[(0, 1), (1, 2), (0, 2), (3, 2)]);
        let layout = Layout::of(&network);
        for edge in &network.edges {
            assert!(layout.nodes[edge.from.0].y > layout.nodes[edge.to.0].y);
        }
    }

    #[test]
    fn nodes_do_not_meet_and_lines_end_at_them() {
        for edges in [vec![(0, 4), (1, 4), (2, 4), (3, 4)], vec![(0, 1), (1, 2), (2, 0), (3, 3)], vec![]] {
            let network = network(5, &edges);
            let layout = Layout::of(&network);
            for (index, a) in layout.nodes.iter().enumerate() {
                for b in &layout.nodes[index + 1..] {
                    let apart =
                        a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y || b.y + b.height < a.y;
                    assert!(apart, "{edges:?}: {a:?} {b:?}");
                }
            }
            for (edge, route) in network.edges.iter().zip(&layout.edges) {
                let (first, last) = (route.line[0], route.line[route.line.len() - 1]);
                assert_eq!(first.1, layout.nodes[edge.from.0].y + touch(Look::Ball).0);
                assert_eq!(last.1, layout.nodes[edge.to.0].y + touch(Look::Ball).1);
            }
            assert!(layout.size.0.is_finite() && layout.size.1.is_finite());
        }
    }

    #[test]
    fn every_label_has_a_lane_of_its_own() {
        let layout = Layout::of(&network(4, &[(0, 3), (1, 3), (2, 3), (0, 3)]));
        let mut heights: Vec<f64> = layout.edges.iter().map(|route| route.label.1).collect();
        heights.dedup();
        assert_eq!(heights.len(), 4);
    }
}
