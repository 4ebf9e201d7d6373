//! The drawing as SVG: shapes by kind, lines with labels; colours for light and dark surroundings.

use std::fmt::Write as _;

use super::layout::{Frame, Layout, Route, SHAPE_HEIGHT};
use super::network::{Edge, Look, Network, Node, Tag, TagKind};

/// What does not depend on the surroundings. Plain properties only: viewers that are no browsers know little more.
const SHAPES: &str = "\
  text { font-family: system-ui, sans-serif; font-size: 12px; } .title { font-size: 16px; font-weight: 600; }
  .shape, .ear { stroke-width: 1.4; } .edge, .push { stroke-width: 1.6; } .thin, .edge, .ear, .push { fill: none; }
  .halo { stroke-width: 4; stroke-linejoin: round; }
";

/// Selectors, what they colour, and the colours in light and in dark surroundings. Of two that fit, the later one wins.
const COLOURS: [(&str, &str, [&str; 2]); 15] = [
    (".page", "fill", ["#ffffff", "#16181d"]),
    ("text", "fill", ["#24292f", "#e6e6e6"]),
    (".soft", "fill", ["#6e7781", "#9aa4af"]),
    (".halo", "fill", ["#ffffff", "#16181d"]),
    (".halo", "stroke", ["#ffffff", "#16181d"]),
    (".shape, .thin", "stroke", ["#24292f", "#e6e6e6"]),
    (".plain", "fill", ["#ffffff", "#16181d"]),
    (".wood", "fill", ["#f3e3c8", "#5b4a2f"]),
    (".metal", "fill", ["#dfe7ef", "#3b4754"]),
    (".skin", "fill", ["#f6dcd6", "#5f3c37"]),
    (".tool", "stroke", ["#d55e00", "#ff9d5c"]),
    (".end", "fill", ["#0072b2", "#6cbcf0"]),
    (".edge", "stroke", ["#0072b2", "#6cbcf0"]),
    (".ear", "stroke", ["#009e73", "#4ecfa6"]),
    (".push", "stroke", ["#a03a8c", "#e08fd0"]),
];

/// The style: light as it stands, dark where a browser asks for it. Colours are written out, because variables mean black to
/// most other viewers.
fn style() -> String {
    let rules = |surroundings: usize| -> String {
        let rule = |(selector, property, colours): &(&str, &str, [&str; 2])| {
            format!("  {selector} {{ {property}: {}; }}\n", colours[surroundings])
        };
        COLOURS.iter().map(rule).collect()
    };
    format!("<style>\n{SHAPES}{}  @media (prefers-color-scheme: dark) {{\n{}  }}\n</style>\n", rules(0), rules(1))
}

impl Node {
    /// What is written below the shape.
    pub fn caption(&self) -> String {
        let what = self.tool.unwrap_or(self.kind);
        let count = if self.count > 1 { format!(" × {}", self.count) } else { String::new() };
        if self.name == what { format!("{}{count}", self.name) } else { format!("{} ({what}){count}", self.name) }
    }
}

impl Edge {
    /// What is written beside the line.
    pub fn label(&self) -> String {
        let count = if self.count > 1 { format!(" × {}", self.count) } else { String::new() };
        let heard = if self.heard { ", heard" } else { "" };
        format!("{} ({}){count}{heard}", self.name, self.law)
    }
}

/// The drawing of a network.
pub fn svg(title: &str, network: &Network, layout: &Layout) -> String {
    let width = layout.size.0.max(40.0 + 9.0 * title.chars().count() as f64);
    let height = layout.size.1;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n\
         {}<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n<text class=\"title\" x=\"20\" y=\"28\">{}</text>\n",
        style(),
        escaped(title)
    );
    // Lines first, so that shapes and labels lie on them.
    for route in &layout.edges {
        line(&mut out, "edge", route);
    }
    for (tag, route) in network.tags.iter().zip(&layout.tags) {
        line(&mut out, if tag.kind == TagKind::Force { "push" } else { "ear" }, route);
    }
    for (node, frame) in network.nodes.iter().zip(&layout.nodes) {
        shape(&mut out, node, frame);
    }
    for (edge, route) in network.edges.iter().zip(&layout.edges) {
        for (x, y) in [route.line.first(), route.line.last()].into_iter().flatten() {
            let _ = writeln!(out, "<circle class=\"end\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>");
        }
        text(&mut out, route.label, "name", "start", &edge.label());
    }
    for (tag, route) in network.tags.iter().zip(&layout.tags) {
        symbol(&mut out, tag, route);
        text(&mut out, route.label, "soft", "start", &tag.label);
    }
    out += "</svg>\n";
    out
}

fn line(out: &mut String, class: &str, route: &Route) {
    let points: Vec<String> = route.line.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(out, "<polyline class=\"{class}\" points=\"{}\"/>", points.join(" "));
}

fn text(out: &mut String, (x, y): (f64, f64), class: &str, anchor: &str, content: &str) {
    let content = escaped(content);
    // Once as its own background, so that it can be read on lines.
    for class in ["halo", class] {
        let _ = writeln!(
            out,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{content}</text>"
        );
    }
}

/// A node: its shape in the upper part of its frame, its caption under it.
fn shape(out: &mut String, node: &Node, frame: &Frame) {
    let Frame { x, y, width, height } = *frame;
    let body = SHAPE_HEIGHT;
    let (middle, tool) = (x + 0.5 * width, if node.tool.is_some() { " tool" } else { "" });
    if node.count > 1 {
        let _ = writeln!(
            out,
            "<g opacity=\"0.45\" transform=\"translate(5,-5)\">{}</g>",
            outline(node, x, y, width, body, tool)
        );
    }
    let _ = writeln!(out, "{}", outline(node, x, y, width, body, tool));
    text(out, (middle, y + height - 5.0), "name", "middle", &node.caption());
}

fn outline(node: &Node, x: f64, y: f64, width: f64, height: f64, tool: &str) -> String {
    let (right, bottom, middle, centre) = (x + width, y + height, x + 0.5 * width, y + 0.5 * height);
    match node.look {
        Look::String => format!(
            "<path class=\"shape plain\" d=\"M{x:.1} {top:.1}V{low:.1}M{right:.1} {top:.1}V{low:.1}M{x:.1} {centre:.1}H{right:.1}\"/>\
             <path class=\"thin\" stroke-opacity=\"0.5\" d=\"M{x:.1} {centre:.1}Q{middle:.1} {y:.1} {right:.1} {centre:.1}Q{middle:.1} {bottom:.1} {x:.1} {centre:.1}\"/>",
            top = y + 6.0,
            low = bottom - 6.0
        ),
        Look::Bar => format!(
            "<rect class=\"shape wood\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" rx=\"4\"/>",
            y + 8.0,
            height - 16.0
        ),
        Look::Skin | Look::Plate => {
            let class = if node.look == Look::Plate { "metal" } else { "skin" };
            let slant = 18.0;
            format!(
                "<path class=\"shape {class}\" d=\"M{:.1} {top:.1}H{right:.1}L{:.1} {low:.1}H{x:.1}Z\"/>",
                x + slant,
                right - slant,
                top = y + 4.0,
                low = bottom - 4.0
            )
        }
        Look::Modes => {
            let peaks: String = (0..4)
                .map(|n| {
                    format!(
                        "M{at:.1} {low:.1}V{:.1}",
                        y + 10.0 + 7.0 * f64::from(n),
                        at = x + width * (0.2 + 0.2 * f64::from(n)),
                        low = bottom - 8.0
                    )
                })
                .collect();
            format!(
                "<rect class=\"shape metal\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"8\"/><path class=\"thin\" stroke-width=\"3\" d=\"{peaks}\"/>"
            )
        }
        Look::Wall => {
            let hatches: String = (0..6)
                .map(|n| format!("M{:.1} {:.1}l-8 10", x + 10.0 + (width - 12.0) * f64::from(n) / 5.0, y + 8.0))
                .collect();
            format!(
                "<path class=\"shape{tool}\" d=\"M{x:.1} {:.1}H{right:.1}\"/><path class=\"thin{tool}\" d=\"{hatches}\"/>",
                y + 8.0
            )
        }
        Look::Ball => format!(
            "<circle class=\"shape plain{tool}\" cx=\"{middle:.1}\" cy=\"{centre:.1}\" r=\"{:.1}\"/>",
            0.5 * height - 2.0
        ),
    }
}

fn symbol(out: &mut String, tag: &Tag, route: &Route) {
    let (Some(&(x, y)), Some(&(_, node))) = (route.line.last(), route.line.first()) else { return };
    let _ = match tag.kind {
        // A microphone's circle.
        TagKind::Pickup => writeln!(out, "<circle class=\"ear plain\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/>"),
        // A plectrum's triangle.
        TagKind::Pluck => writeln!(out, "<path class=\"ear plain\" d=\"M{:.1} {:.1}h12l-6 11z\"/>", x - 6.0, y - 6.0),
        // An arrow's head at the node.
        TagKind::Force => writeln!(out, "<path class=\"push\" d=\"M{:.1} {:.1}l5 -8l5 8\"/>", x - 5.0, node + 9.0),
    };
}

fn escaped(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewers_that_know_no_variables_and_no_media_see_all_colours() {
        let style = style();
        assert!(!style.contains("var(") && !style.contains("--"), "{style}");
        let (light, dark) = style.split_once("@media").expect("there is a dark part");
        for (selector, property, [in_light, in_dark]) in COLOURS {
            assert!(light.contains(&format!("{selector} {{ {property}: {in_light}; }}")), "{selector}");
            assert!(dark.contains(&format!("{selector} {{ {property}: {in_dark}; }}")), "{selector}");
        }
    }

    #[test]
    fn titles_cannot_break_the_drawing() {
        assert_eq!(escaped("a < b & \"c\"\u{7}"), "a &lt; b &amp; &quot;c&quot;");
        let drawing = svg("</svg><script>", &Network::default(), &Layout::of(&Network::default()));
        assert_eq!(drawing.matches("</svg>").count(), 1);
        assert!(!drawing.contains("<script"));
    }
}
