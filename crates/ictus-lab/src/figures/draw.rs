//! Hands a [`Figure`] to the plot library.

use std::sync::Arc;

use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{LinePlot, LineStyle, ScatterPlot};
use kuva::render::annotations::{ReferenceLine, TextAnnotation};
use kuva::render::figure::{Figure as Canvas, FigureLegendPosition};
use kuva::render::layout::{AxisLine, Layout, TickAlign, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::theme::Theme;

use super::{Axis, Curve, Dash, Figure, Format, Mark, Panel, Spacing, Stroke, heat_map, labels};
use crate::quantity;

/// Pixels of a PNG per pixel of the drawing.
pub(super) const PNG_SCALE: f32 = 2.0;
/// Values this many ranges outside an axis are drawn at that distance, to keep coordinates small.
const FAR: f64 = 20.0;
/// High over low of a logarithmic axis up to which one prefix suits all of it.
const MOST_FOR_A_PREFIX: f64 = 3e4;
/// About the part of a panel, across and up, that lies within its axes.
const INNER: (f64, f64) = (0.82, 0.76);

/// The note C0 in Hz, A4 being 440 Hz, and an octave in semitones.
const C0: f64 = 16.351_597_831_287_414;
const OCTAVE: f64 = 12.0;

/// Semitones from C0 up to a frequency in Hz.
fn semitones(frequency: f64) -> f64 {
    OCTAVE * (frequency / C0).log2()
}

pub fn render(figure: &Figure, format: Format) -> Result<Vec<u8>, String> {
    let columns = figure.columns.max(1);
    let rows = figure.panels.len().div_ceil(columns).max(1);
    let mut scene = Canvas::new(rows, columns)
        .with_title(figure.title.clone())
        .with_title_size(15)
        .with_cell_size(figure.panel_size.0, figure.panel_size.1)
        .with_spacing(12.0)
        .with_padding(12.0)
        .with_plots(figure.panels.iter().map(|panel| plots(panel, format)).collect())
        .with_layouts(figure.panels.iter().map(|panel| layout(panel, figure.panel_size, format)).collect())
        .with_shared_legend_position(FigureLegendPosition::RightMiddle)
        .with_shared_legend_entries(figure.legend.iter().map(|entry| legend_entry(entry, format)).collect())
        .render();
    heat_map::join_cells(&mut scene.elements);
    match format {
        Format::Svg => {
            // With a view box the picture can be shown at any size.
            let opening = format!("<svg viewBox=\"0 0 {} {}\" ", scene.width, scene.height);
            let svg = SvgBackend::new().render_scene(&scene).replacen("<svg ", &opening, 1);
            Ok(renumbered(&svg).into_bytes())
        }
        Format::Png => PngBackend::new().with_scale(PNG_SCALE).render_scene(&scene),
    }
}

/// The drawing with its clip paths numbered from 0: the library counts them through the whole program, which would make the
/// same picture different each time it is drawn.
fn renumbered(svg: &str) -> String {
    const NAME: &str = "kuva-clip-";
    let mut pieces = svg.split(NAME);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    let mut known: Vec<&str> = Vec::new();
    for piece in pieces {
        let (number, rest) = piece.split_at(piece.find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len()));
        let place = known.iter().position(|seen| *seen == number).unwrap_or_else(|| {
            known.push(number);
            known.len() - 1
        });
        text.push_str(&format!("{NAME}{place}{rest}"));
    }
    text
}

/// Pure numbers and per cent are read without a prefix.
fn takes_prefix(unit: &str) -> bool {
    !["", "%", "dB", "samples"].contains(&unit)
}

/// An axis with its prefix chosen: maps SI values to what is written beside the axis.
struct Scale {
    factor: f64,
    low: f64,
    high: f64,
    label: String,
    spacing: Spacing,
    /// What the numbers beside the ticks of a logarithmic axis count in.
    prefix: f64,
}

impl Scale {
    fn of(axis: &Axis) -> Self {
        match axis.spacing {
            Spacing::Linear => Self::linear(axis),
            Spacing::Logarithmic => Self::logarithmic(axis),
            Spacing::Notes => Self::notes(axis),
        }
    }

    /// Drawn in semitones above C0, evenly spaced for the library.
    fn notes(axis: &Axis) -> Self {
        let (low, high) = axis.range;
        let sound = low >= f64::MIN_POSITIVE && high.is_finite() && high > low;
        let (low, high) = if sound { (low, high) } else { (C0, 2.0 * C0) };
        let label = format!("{} ({})", axis.quantity, axis.unit);
        Self { factor: 1.0, low: semitones(low), high: semitones(high), label, spacing: Spacing::Notes, prefix: 1.0 }
    }

    /// With the prefix of a typical value, unless it spans too many decades for one. Drawn in units of the lowest decade, since the
    /// library draws nothing below 1e-10.
    fn logarithmic(axis: &Axis) -> Self {
        let (low, high) = axis.range;
        let sound = low >= f64::MIN_POSITIVE && high.is_finite() && high > low;
        let (low, high) = if sound { (low, high) } else { (0.1, 1.0) };
        let one_prefix = takes_prefix(axis.unit) && high / low < MOST_FOR_A_PREFIX;
        // Milliseconds for what lasts up to some, but hertz as long as there are hundreds.
        let typical = if axis.unit == "Hz" { low } else { 0.2 * high };
        let (name, prefix) = if one_prefix { quantity::prefix(typical) } else { ("", 1.0) };
        let unit = if axis.unit.is_empty() { String::new() } else { format!(" ({name}{})", axis.unit) };
        let label = format!("{}{unit}", axis.quantity);
        let factor = 10f64.powf(low.log10().floor()).max(f64::MIN_POSITIVE);
        Self { factor, low: low / factor, high: high / factor, label, spacing: Spacing::Logarithmic, prefix }
    }

    fn linear(axis: &Axis) -> Self {
        let (low, high) = axis.range;
        let (prefix, factor) =
            if takes_prefix(axis.unit) { quantity::prefix(low.abs().max(high.abs())) } else { ("", 1.0) };
        // A range beyond all prefixes is written as a power of ten.
        let extent = low.abs().max(high.abs()) / factor;
        let (power, factor) = if (1e-3..1e4).contains(&extent) || extent == 0.0 || !extent.is_finite() {
            (String::new(), factor)
        } else {
            let power = extent.log10().floor();
            (format!("10^{power} "), factor * 10f64.powf(power))
        };
        let unit = format!("{power}{prefix}{}", axis.unit);
        let label =
            if unit.is_empty() { axis.quantity.to_owned() } else { format!("{} ({})", axis.quantity, unit.trim_end()) };
        let (low, high) = (low / factor, high / factor);
        let spacing = Spacing::Linear;
        if low.is_finite() && high.is_finite() && high > low {
            Self { factor, low, high, label, spacing, prefix: factor }
        } else {
            Self { factor: 1.0, low: 0.0, high: 1.0, label, spacing, prefix: 1.0 }
        }
    }

    fn map(&self, value: f64) -> f64 {
        let far = match self.spacing {
            Spacing::Linear => FAR * (self.high - self.low),
            Spacing::Logarithmic | Spacing::Notes => 0.0,
        };
        self.drawn(value).clamp(self.low - far, self.high + far)
    }

    /// A value in the units that the library draws in.
    fn drawn(&self, value: f64) -> f64 {
        if self.spacing == Spacing::Notes { semitones(value.max(f64::MIN_POSITIVE)) } else { value / self.factor }
    }

    /// The number beside a tick, where the library's own would be in other units.
    fn ticks(&self) -> TickFormat {
        let factor = self.factor / self.prefix;
        match self.spacing {
            Spacing::Linear => TickFormat::Auto,
            Spacing::Notes => TickFormat::Custom(Arc::new(|value| {
                let frequency = C0 * (value / 12.0).exp2();
                // To the hertz, and below 100 Hz to a tenth.
                let decimals = if frequency < 100.0 { 1 } else { 0 };
                format!("C{:.0}  {frequency:.decimals$}", value / 12.0)
            })),
            Spacing::Logarithmic => {
                TickFormat::Custom(Arc::new(move |value| {
                    let value = value * factor;
                    // One digit is all that logarithmic ticks have; 0.001 is still read at a glance.
                    if value < 9e-4 { format!("{value:.0e}") } else { quantity::significant(value, 1) }
                }))
            }
        }
    }

    /// How far along the axis a value lies, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        let value = self.map(value).clamp(self.low, self.high);
        match self.spacing {
            Spacing::Linear | Spacing::Notes => (value - self.low) / (self.high - self.low),
            Spacing::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// The value, as drawn, so far along the axis.
    fn at(&self, part: f64) -> f64 {
        match self.spacing {
            Spacing::Linear | Spacing::Notes => self.low + part * (self.high - self.low),
            Spacing::Logarithmic => self.low * (self.high / self.low).powf(part),
        }
    }

    fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&self.drawn(value))
    }
}

fn plots(panel: &Panel, format: Format) -> Vec<Plot> {
    let (x, y) = (Scale::of(&panel.x), Scale::of(&panel.y));
    let mut plots = Vec::new();
    if let Some(heat) = panel.heat.as_ref().filter(|heat| heat.is_sound()) {
        plots.push(heat.plot((x.low, x.high), (y.low, y.high)));
    }
    for Curve { points, stroke, dots } in &panel.curves {
        let finite = points.iter().filter(|point| point.0.is_finite() && point.1.is_finite());
        let points: Vec<(f64, f64)> = finite.map(|point| (x.map(point.0), y.map(point.1))).collect();
        if points.is_empty() {
            continue;
        }
        if let Some(radius) = dots {
            let dots = ScatterPlot::new().with_data(points.clone());
            plots.push(dots.with_color(stroke.colour.clone()).with_size(*radius).into());
        }
        if stroke.width == 0.0 {
            continue;
        }
        let line = LinePlot::new().with_data(points).with_color(stroke.colour.clone());
        plots.push(line.with_stroke_width(stroke.width).with_line_style(line_style(stroke.dash, format)).into());
    }
    plots
}

fn layout(panel: &Panel, panel_size: (f64, f64), format: Format) -> Layout {
    let (x, y) = (Scale::of(&panel.x), Scale::of(&panel.y));
    let theme = Theme { grid_color: "#ececec".into(), axis_color: "#444444".into(), ..Theme::light() };
    let mut layout = Layout::new((x.low, x.high), (y.low, y.high))
        .with_title(panel.title)
        .with_title_size(15)
        .with_label_size(13)
        .with_tick_size(11)
        .with_body_size(12)
        .with_x_label(x.label.clone())
        .with_y_label(y.label.clone())
        .with_x_tick_format(x.ticks())
        .with_y_tick_format(y.ticks())
        .with_theme(theme)
        .with_axis_line(AxisLine::Box)
        .with_tick_align(TickAlign::Inside)
        .with_x_axis_min(x.low)
        .with_x_axis_max(x.high)
        .with_y_axis_min(y.low)
        .with_y_axis_max(y.high);
    if x.spacing == Spacing::Logarithmic {
        layout = layout.with_log_x();
    }
    if y.spacing == Spacing::Logarithmic {
        layout = layout.with_log_y();
    }
    if x.spacing == Spacing::Notes {
        layout = layout.with_x_tick_step(OCTAVE);
    }
    if y.spacing == Spacing::Notes {
        layout = layout.with_y_tick_step(OCTAVE);
    }
    for mark in &panel.marks {
        let (line, label) = match *mark {
            Mark::Horizontal(value, label) if y.contains(value) => (ReferenceLine::horizontal(y.drawn(value)), label),
            Mark::Vertical(value, label) if x.contains(value) => (ReferenceLine::vertical(x.drawn(value)), label),
            _ => continue,
        };
        let line = line.with_color("#888888").with_stroke_width(0.8).with_dasharray(dash_text(&[3.0, 3.0], format));
        layout = layout.with_reference_line(if label.is_empty() { line } else { line.with_label(label) });
    }
    let size = (INNER.0 * panel_size.0, INNER.1 * panel_size.1);
    let place = |point: &(f64, f64)| (x.part(point.0) * size.0, y.part(point.1) * size.1);
    let drawn = |point: &&(f64, f64)| point.0.is_finite() && point.1.is_finite();
    let words: Vec<_> = panel
        .labels
        .iter()
        .filter(|label| drawn(&&label.point))
        .map(|label| (place(&label.point), label.text.as_str()))
        .collect();
    let dotted = panel.curves.iter().filter(|curve| curve.dots.is_some());
    let dots: Vec<_> = match words.is_empty() {
        true => Vec::new(),
        false => dotted.flat_map(|curve| &curve.points).filter(drawn).map(place).collect(),
    };
    for ((_, text), place) in words.iter().zip(labels::placed(&words, &dots, size)) {
        let text = TextAnnotation::new(*text, x.at(place.0 / size.0), y.at(place.1 / size.1));
        layout = layout.with_annotation(text.with_font_size(10).with_color("#222222"));
    }
    layout
}

/// Lengths of dashes and gaps in pixels, none for an unbroken line.
fn pattern(dash: Dash) -> &'static [f64] {
    match dash {
        Dash::Solid => &[],
        Dash::Dashed => &[7.0, 4.0],
        Dash::Dotted => &[1.5, 3.5],
        Dash::Alternating => &[8.0, 3.5, 1.5, 3.5],
    }
}

/// The pattern as text. The library scales everything of a PNG but this.
fn dash_text(lengths: &[f64], format: Format) -> String {
    let scale = if format == Format::Png { f64::from(PNG_SCALE) } else { 1.0 };
    let lengths: Vec<String> = lengths.iter().map(|length| (length * scale).to_string()).collect();
    lengths.join(" ")
}

fn line_style(dash: Dash, format: Format) -> LineStyle {
    match pattern(dash) {
        [] => LineStyle::Solid,
        lengths => LineStyle::Custom(dash_text(lengths, format)),
    }
}

fn legend_entry((name, stroke): &(String, Stroke), format: Format) -> LegendEntry {
    // Tighter than in the drawing: the specimen is short, and its line broad.
    let lengths: &[f64] = match stroke.dash {
        Dash::Solid => &[],
        Dash::Dashed => &[3.5, 3.5],
        Dash::Dotted => &[0.5, 3.0],
        Dash::Alternating => &[3.5, 3.0, 0.5, 3.0],
    };
    LegendEntry {
        label: name.clone(),
        color: stroke.colour.clone(),
        shape: if stroke.width == 0.0 { LegendShape::Circle } else { LegendShape::Line },
        dasharray: (!lengths.is_empty()).then(|| dash_text(lengths, format)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(spacing: Spacing, range: (f64, f64), points: Vec<(f64, f64)>) -> Figure {
        let axis = Axis { quantity: "length", unit: "m", range, spacing };
        let stroke = Stroke { colour: "#000000".into(), width: 1.0, dash: Dash::Solid };
        let curve = Curve { points, stroke: stroke.clone(), dots: Some(2.0) };
        let marks = vec![Mark::Horizontal(0.5, "half"), Mark::Vertical(f64::NAN, "nowhere")];
        let panel = Panel {
            title: "a panel",
            x: axis.clone(),
            y: axis,
            curves: vec![curve],
            marks,
            labels: Vec::new(),
            heat: None,
        };
        let legend = vec![("it".into(), stroke)];
        Figure { title: "a figure".into(), columns: 1, panel_size: Figure::PANEL, panels: vec![panel], legend }
    }

    #[test]
    fn axes_are_labelled_with_a_prefix() {
        let axis = Axis { quantity: "length", unit: "m", range: (-2e-6, 4.5e-5), spacing: Spacing::Linear };
        assert_eq!(Scale::of(&axis).label, "length (µm)");
        let axis = Axis { range: (0.0, 3e-40), ..axis };
        assert_eq!(Scale::of(&axis).label, "length (10^-40 m)");
        let axis = Axis { quantity: "error", unit: "%", range: (0.0, 0.5), ..axis };
        assert_eq!(Scale::of(&axis).label, "error (%)");
        let axis = Axis { quantity: "length", unit: "", ..axis };
        assert_eq!(Scale::of(&axis).label, "length");
        let axis = Axis { unit: "", range: (1e-9, 1.0), spacing: Spacing::Logarithmic, ..axis };
        assert_eq!(Scale::of(&axis).label, "length");
        let time = Axis { quantity: "time", unit: "s", range: (4e-4, 1e-2), spacing: Spacing::Logarithmic };
        assert_eq!(Scale::of(&time).label, "time (ms)");
        assert_eq!(Scale::of(&Axis { range: (1e-5, 3.6e-2), ..time.clone() }).label, "time (ms)");
        assert_eq!(Scale::of(&Axis { range: (1e-9, 1.0), ..time.clone() }).label, "time (s)");
        let pitch = Axis { quantity: "pitch", unit: "Hz", range: (500.0, 6000.0), ..time };
        assert_eq!(Scale::of(&pitch).label, "pitch (Hz)");
        let axis = Axis { range: (-0.1, 0.1), spacing: Spacing::Linear, ..axis };
        assert_eq!((Scale::of(&axis).label.as_str(), Scale::of(&axis).factor), ("length", 1.0));
    }

    #[test]
    fn an_axis_of_notes_has_a_tick_at_every_c() {
        let axis = Axis::notes((C0, 4096.0 * C0));
        let scale = Scale::of(&axis);
        assert!((scale.part(64.0 * C0) - 0.5).abs() < 1e-12 && (scale.at(0.5) - 72.0).abs() < 1e-9);
        assert!((scale.map(440.0) - 57.0).abs() < 1e-9 && scale.contains(440.0) && !scale.contains(10.0));
        let mut figure = figure(Spacing::Linear, (0.0, 1.0), vec![(0.0, 100.0), (1.0, 1000.0)]);
        figure.panels[0].y = Axis::notes((65.0, 1100.0));
        let svg = String::from_utf8(figure.render(Format::Svg).expect("is drawn")).expect("is text");
        for tick in ["C3  131", "C4  262", "C5  523", "C6  1047"] {
            assert!(svg.contains(tick), "no {tick}");
        }
    }

    #[test]
    fn the_same_picture_is_the_same_text_however_often_it_is_drawn() {
        let drawn = || figure(Spacing::Linear, (0.0, 1.0), vec![(0.0, 0.0), (1.0, 1.0)]).render(Format::Svg);
        assert_eq!(drawn(), drawn());
        assert_eq!(renumbered("a kuva-clip-17, kuva-clip-4 kuva-clip-17"), "a kuva-clip-0, kuva-clip-1 kuva-clip-0");
    }

    #[test]
    fn any_numbers_can_be_drawn() {
        let odd = [f64::NAN, f64::INFINITY, -1e308, 1e308, 5e-324, 0.0, 1.0];
        let points: Vec<_> = odd.iter().flat_map(|x| odd.map(|y| (*x, y))).collect();
        for spacing in [Spacing::Linear, Spacing::Logarithmic, Spacing::Notes] {
            for (low, high) in odd.iter().flat_map(|low| odd.map(|high| (*low, high))) {
                let figure = figure(spacing, (low, high), points.clone());
                let svg = figure.render(Format::Svg).expect("is drawn");
                let svg = String::from_utf8(svg).expect("is text");
                assert!(svg.starts_with("<svg") && !svg.contains("NaN") && !svg.contains("inf"), "{low} {high}");
            }
        }
        let png = figure(Spacing::Linear, (0.0, 1.0), points).render(Format::Png).expect("is drawn");
        assert!(png.starts_with(b"\x89PNG"));
    }
}
