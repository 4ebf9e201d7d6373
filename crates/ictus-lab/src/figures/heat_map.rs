//! A heat map: a colour for each cell of a grid that fills a panel.
//!
//! Levels are drawn in steps, and neighbours of one colour as one rectangle: a spectrogram as vectors stays a small file.

use kuva::plot::heatmap::{ColorMap, Heatmap};
use kuva::render::plots::Plot;
use kuva::render::render::Primitive;

/// Steps between the lowest and the highest level.
const STEPS: f64 = 32.0;

/// Levels on a grid over a panel's axes.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// Cells along the horizontal axis.
    pub columns: usize,
    /// Levels, row by row from the bottom, a whole number of rows.
    pub levels: Vec<f64>,
    /// Lowest and highest level that have a colour of their own.
    pub range: (f64, f64),
}

impl HeatMap {
    /// Whether there is anything to draw.
    pub(super) fn is_sound(&self) -> bool {
        let (low, high) = self.range;
        self.columns > 0 && !self.levels.is_empty() && low.is_finite() && high.is_finite() && low < high
    }

    pub(super) fn plot(&self, x: (f64, f64), y: (f64, f64)) -> Plot {
        let (low, high) = self.range;
        let step = (high - low) / STEPS;
        let stepped = |level: &f64| {
            let level = if level.is_nan() { low } else { level.clamp(low, high) };
            low + step * ((level - low) / step).round()
        };
        let rows = self.levels.chunks_exact(self.columns).map(|row| row.iter().map(stepped).collect::<Vec<f64>>());
        let map = Heatmap::new().with_data(rows.collect::<Vec<_>>()).with_color_map(ColorMap::Inferno);
        map.with_x_range(x.0, x.1).with_y_range(y.0, y.1).with_cell_size(1.0).into()
    }
}

/// Joins cells of one colour that lie side by side.
pub(super) fn join_cells(elements: &mut [Primitive]) {
    for element in elements {
        let Primitive::RectBatch { x, y, w, h, fills } = element else { continue };
        let mut last = 0;
        for cell in 1..x.len() {
            let joins = y[last] == y[cell] && h[last] == h[cell] && fills[last] == fills[cell] && x[last] < x[cell];
            if joins && x[cell] <= x[last] + w[last] {
                w[last] = x[cell] + w[cell] - x[last];
            } else {
                last += 1;
                (x[last], y[last], w[last], h[last]) = (x[cell], y[cell], w[cell], h[cell]);
                fills.swap(last, cell);
            }
        }
        let kept = if x.is_empty() { 0 } else { last + 1 };
        [x, y, w, h].into_iter().for_each(|list| list.truncate(kept));
        fills.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Figure, Format, Panel, Spacing};
    use super::*;

    fn drawn(columns: usize, levels: Vec<f64>) -> String {
        let axis = Axis { quantity: "time", unit: "s", range: (0.0, 1.0), spacing: Spacing::Linear };
        let heat = Some(HeatMap { columns, levels, range: (-60.0, 0.0) });
        let panel = Panel { title: "", x: axis.clone(), y: axis, curves: vec![], marks: vec![], labels: vec![], heat };
        let figure =
            Figure { title: String::new(), columns: 1, panel_size: Figure::PANEL, panels: vec![panel], legend: vec![] };
        String::from_utf8(figure.render(Format::Svg).expect("is drawn")).expect("is text")
    }

    #[test]
    fn cells_of_one_level_become_one_rectangle() {
        let rectangles = |svg: &str| svg.matches("<rect").count();
        let mut flat = vec![-60.0; 400];
        flat[399] = 0.0;
        let mut alternating = flat.clone();
        alternating.iter_mut().step_by(2).for_each(|level| *level = -30.0);
        let (flat, alternating) = (drawn(100, flat), drawn(100, alternating));
        assert_eq!(rectangles(&alternating) - rectangles(&flat), 400 - 5);
    }

    #[test]
    fn any_levels_can_be_drawn() {
        let svg = drawn(3, vec![f64::NAN, f64::INFINITY, -1e300, 1e300, f64::NEG_INFINITY, 0.0, 1.0]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        drawn(3, vec![]);
        drawn(0, vec![1.0]);
    }
}
