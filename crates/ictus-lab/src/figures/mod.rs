//! Pictures: panels of curves and heat maps, drawn by the plot library as SVG or PNG.
//!
//! A [`Figure`] is plain data in SI units. Drawing chooses decimal prefixes for the axes, leaves out what is
//! not finite, and hands the rest to the library; no other module knows which library that is.

mod build;
mod draw;
mod fields;
mod heat_map;
mod labels;

use std::path::Path;

pub use crate::simplify::simplified;
pub use fields::{Edge, Field, Fields, Row};
pub use heat_map::HeatMap;

/// The kind of picture file, told by the file's ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Format {
    /// Scalable vector graphics.
    Svg,
    /// Pixels.
    Png,
}

impl Format {
    /// The endings, without the dot.
    pub const ENDINGS: [&str; 2] = ["svg", "png"];

    /// The ending of files of this format, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// The format of a file of that name, if its ending is a known one.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        [Self::Svg, Self::Png]
            .into_iter()
            .zip(Self::ENDINGS)
            .find(|(_, known)| ending.eq_ignore_ascii_case(known))
            .map(|(format, _)| format)
    }
}

/// How a curve's line is broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// Unbroken.
    #[default]
    Solid,
    /// Long dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Dashes and dots.
    Alternating,
}

/// How a curve looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// `#rrggbb`.
    pub colour: String,
    /// In pixels; 0 draws no line, only the dots.
    pub width: f64,
    /// Its pattern.
    pub dash: Dash,
}

/// A line through points, in SI units.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The points, in drawing order.
    pub points: Vec<(f64, f64)>,
    /// Look of the line.
    pub stroke: Stroke,
    /// Radius in pixels of a dot at each point, if there are to be any.
    pub dots: Option<f64>,
}

/// How the values of an axis are spread along it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spacing {
    /// Evenly. Values far outside are cut at the edge of the panel.
    #[default]
    Linear,
    /// By their logarithm. Values outside, and 0, are drawn at the edge of the panel.
    Logarithmic,
    /// Frequencies in Hz by their logarithm, with a tick at every C and its name. Values outside are drawn at the edge.
    Notes,
}

/// One side of a panel.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is measured.
    pub quantity: &'static str,
    /// Its SI unit, without prefix; empty for a pure number.
    pub unit: &'static str,
    /// What is shown, in SI units.
    pub range: (f64, f64),
    /// How the values are spread.
    pub spacing: Spacing,
}

/// A straight line across a panel at a value worth marking.
#[derive(Clone, Debug)]
pub enum Mark {
    /// At a height.
    Horizontal(f64, &'static str),
    /// At a place.
    Vertical(f64, &'static str),
}

/// A word beside a point, in SI units; labels that would lie on each other are moved apart.
#[derive(Clone, Debug)]
pub struct Label {
    /// The point.
    pub point: (f64, f64),
    /// The word.
    pub text: String,
}

/// Curves over a pair of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Heading.
    pub title: &'static str,
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// Drawn in this order, later ones on top.
    pub curves: Vec<Curve>,
    /// Reference values.
    pub marks: Vec<Mark>,
    /// Words beside points.
    pub labels: Vec<Label>,
    /// Colours behind the curves, if there are any.
    pub heat: Option<HeatMap>,
}

/// Panels in rows, with one legend.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Heading of the whole picture.
    pub title: String,
    /// Number of panels in a row.
    pub columns: usize,
    /// Width and height of a panel in pixels.
    pub panel_size: (f64, f64),
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Names of strokes.
    pub legend: Vec<(String, Stroke)>,
}

impl Figure {
    /// Size of a panel in pixels that suits curves.
    pub const PANEL: (f64, f64) = (520.0, 400.0);

    /// The picture file's bytes.
    pub fn render(&self, format: Format) -> Result<Vec<u8>, String> {
        draw::render(self, format)
    }
}

/// Colours that stay apart on paper and for most eyes, best first (after Okabe and Ito, and Tol).
const PALETTE: [&str; 14] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#882255", "#332288", "#999933", "#8c564b",
    "#44aa99", "#aa4499", "#7f7f7f", "#b8b000",
];

/// The n-th colour for things of equal rank.
pub fn colour(n: usize) -> String {
    PALETTE[n % PALETTE.len()].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_told_by_the_ending() {
        assert_eq!(Format::of(Path::new("a/b.svg")), Some(Format::Svg));
        assert_eq!(Format::of(Path::new("b.PNG")), Some(Format::Png));
        for other in ["b.pdf", "svg", ".svg", "b.svg.gz", ""] {
            assert_eq!(Format::of(Path::new(other)), None, "{other}");
        }
    }
}
