//! The design on a rigid wall as text and as a picture.

use ictus::impact::exact::WallImpact;
use ictus_lab::design::Wall;
use ictus_lab::design::verdict::percent;
use ictus_lab::design::wall::{Answer, restitution};

use crate::figures::{Axis, Curve, Figure, Panel, Stroke, colour};
use crate::quantity::{show, significant};
use crate::table::{Align, HEADING, NOTE, Table, styled};

/// The whole report.
pub fn text(wanted: &Wall, answer: &Answer) -> String {
    let WallImpact { mass, stiffness, exponent, dissipation, velocity } = answer.impact;
    let exponent = significant(exponent, 6);
    let mut text = format!(
        "{}  {} at {} m/s on a rigid wall, α = {exponent}\n\n",
        styled(HEADING, "design"),
        show(mass * 1e3, "g"),
        significant(velocity, 6)
    );
    text.push_str(&format!("{}  {} N/m^{exponent}\n", styled(HEADING, "K     "), significant(stiffness, 7)));
    text.push_str(&format!("{}  {} s/m\n\n", styled(HEADING, "μ     "), significant(dissipation, 7)));
    let mut table = Table::new([("", Align::Left), ("contact time", Align::Right), ("restitution", Align::Right)]);
    let mut row = |name: &str, time: f64, restitution: f64| {
        table.row([name.to_owned(), show(time, "s"), significant(restitution, 6)]);
    };
    row("wanted", wanted.contact_time, wanted.restitution);
    row("designed", answer.impact.contact_time(), restitution(&answer.impact));
    if let Some((time, restitution)) = answer.tried() {
        let [off_time, _, off_restitution] = answer.missed(wanted);
        let told = |value: String, part: Option<f64>| format!("{value} ({})", percent(part.unwrap_or(0.0)));
        let cells = [told(show(time, "s"), off_time), told(significant(restitution, 6), off_restitution)];
        table.row(["engine".to_owned()].into_iter().chain(cells));
    }
    text.push_str(&table.render());
    let legend = format!(
        "designed: the closed forms. engine: the same contact at {} Hz; in brackets: deviation from the target.",
        significant(answer.rate, 9)
    );
    text.push('\n');
    text.push_str(&styled(NOTE, &legend));
    text.push('\n');
    text
}

/// Lines of constant stiffness in the plane of contact time and restitution, all of which can be had.
pub fn figure(wanted: &Wall, answer: &Answer) -> Figure {
    let Answer { impact, .. } = answer;
    let mut figure = Figure::new(
        format!("{} on a rigid wall, α = {}", show(impact.mass * 1e3, "g"), significant(impact.exponent, 4)),
        1,
        Vec::new(),
    );
    let mut curves = Vec::new();
    for (index, factor) in [1e-2, 1e-1, 1.0, 1e1, 1e2].into_iter().enumerate() {
        let stiffness = factor * impact.stiffness;
        let point = |n: i32| {
            let dissipation = 10f64.powf(-3.0 + 0.1 * f64::from(n)) / impact.velocity;
            let there = WallImpact { stiffness, dissipation, ..*impact };
            (there.contact_time(), restitution(&there))
        };
        let stroke = Stroke::solid(colour(index));
        curves.push(Curve::line((0..=50).map(point).collect(), stroke.clone()));
        figure = figure.key(format!("K = {} N/m^α", significant(stiffness, 3)), stroke);
    }
    let dot = Stroke::solid("#000000").wide(0.0);
    curves.push(Curve {
        points: vec![(wanted.contact_time, wanted.restitution)],
        stroke: dot.clone(),
        dots: Some(5.0),
    });
    let times = (wanted.contact_time / 15.0, wanted.contact_time * 15.0);
    figure.panels.push(Panel::new(
        "Reachable: every contact time, every restitution up to 1",
        Axis::logarithmic("contact time", "s", times),
        Axis::linear("restitution", "", (0.0, 1.05)),
        curves,
    ));
    figure.key("wanted", dot)
}
