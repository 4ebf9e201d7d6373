//! Short ways to put a figure together.

use super::{Axis, Curve, Dash, Figure, Label, Mark, Panel, Spacing, Stroke, simplified};

impl Axis {
    /// An evenly spaced axis that shows this range, in SI units.
    pub fn linear(quantity: &'static str, unit: &'static str, range: (f64, f64)) -> Self {
        Self { quantity, unit, range, spacing: Spacing::Linear }
    }

    /// A logarithmic axis that shows this range, in SI units.
    pub fn logarithmic(quantity: &'static str, unit: &'static str, range: (f64, f64)) -> Self {
        Self { quantity, unit, range, spacing: Spacing::Logarithmic }
    }

    /// An axis of notes that shows this range, in Hz.
    pub fn notes(range: (f64, f64)) -> Self {
        Self { quantity: "note and frequency", unit: "Hz", range, spacing: Spacing::Notes }
    }

    /// An evenly spaced axis that shows all finite values, with a margin.
    pub fn around(quantity: &'static str, unit: &'static str, values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let margin = if high > low { 0.05 * (high - low) } else { 0.5 * high.abs().max(f64::MIN_POSITIVE) };
        Self::linear(quantity, unit, (low - margin, high + margin))
    }
}

impl Stroke {
    /// An unbroken line of the usual width.
    pub fn solid(colour: impl Into<String>) -> Self {
        Self { colour: colour.into(), width: 1.6, dash: Dash::Solid }
    }

    /// The same line, broken.
    pub fn dashed(self, dash: Dash) -> Self {
        Self { dash, ..self }
    }

    /// The same line, of another width in pixels; 0 for dots without a line.
    pub fn wide(self, width: f64) -> Self {
        Self { width, ..self }
    }
}

impl Curve {
    /// A line through points.
    pub fn line(points: Vec<(f64, f64)>, stroke: Stroke) -> Self {
        Self { points, stroke, dots: None }
    }

    /// The same line through fewer points, at most a two-thousandth of its extent away.
    pub fn simplified(self) -> Self {
        let extent = |values: &mut dyn Iterator<Item = f64>| {
            let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
            if high > low { high - low } else { 1.0 }
        };
        let across = extent(&mut self.points.iter().map(|point| point.0));
        let up = extent(&mut self.points.iter().map(|point| point.1));
        Self { points: simplified(self.points.into_iter(), (across, up), 5e-4), ..self }
    }

    /// The same line with a dot at each point.
    pub fn dotted(self) -> Self {
        Self { dots: Some(2.6), ..self }
    }
}

impl Panel {
    /// A panel with these axes and curves.
    pub fn new(title: &'static str, x: Axis, y: Axis, curves: Vec<Curve>) -> Self {
        Self { title, x, y, curves, marks: Vec::new(), labels: Vec::new(), heat: None }
    }

    /// A panel that shows all of its curves; axes are given by quantity and SI unit.
    pub fn around(
        title: &'static str,
        x: (&'static str, &'static str),
        y: (&'static str, &'static str),
        curves: Vec<Curve>,
    ) -> Self {
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let x = Axis::around(x.0, x.1, points().map(|point| point.0));
        let y = Axis::around(y.0, y.1, points().map(|point| point.1));
        Self::new(title, x, y, curves)
    }

    /// The same panel with words beside points.
    pub fn labelled(self, labels: Vec<Label>) -> Self {
        Self { labels, ..self }
    }

    /// The same panel with one more reference value.
    pub fn mark(mut self, mark: Mark) -> Self {
        self.marks.push(mark);
        self
    }
}

impl Figure {
    /// Panels in rows of `columns`, without a legend.
    pub fn new(title: impl Into<String>, columns: usize, panels: Vec<Panel>) -> Self {
        Self { title: title.into(), columns, panel_size: Self::PANEL, panels, legend: Vec::new() }
    }

    /// The same figure with one more line in its legend.
    pub fn key(mut self, name: impl Into<String>, stroke: Stroke) -> Self {
        self.legend.push((name.into(), stroke));
        self
    }
}
