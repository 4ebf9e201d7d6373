//! Forces over time: of contacts, which touch and let go, and apart from them of springs and bows, which never do.

use ictus::laws::ContactLaw;
use ictus::model::Interaction;
use ictus_render::forces::{Force, Forces};
use ictus_scene::Scene;

use super::pictures::{axis, line};
use crate::figures::{Axis, Curve, Dash, Figure, Panel, Stroke, colour};
use crate::pictures::WIDE;

/// Most of each kind that are drawn, the strongest of them.
const MOST: usize = 8;

/// Interactions of one kind that acted, the strongest first.
struct Acting<'a> {
    shown: Vec<(&'a Interaction, &'a Force)>,
    /// How many there are, those included that are not shown.
    count: usize,
}

impl<'a> Acting<'a> {
    fn of(scene: &'a Scene, forces: &'a Forces, is_kind: impl Fn(&Interaction) -> bool) -> Self {
        let all = scene.model.interactions.iter().zip(&forces.all);
        let mut shown: Vec<_> = all.filter(|(of, force)| is_kind(of) && strength(force) > 0.0).collect();
        shown.sort_by(|a, b| strength(b.1).total_cmp(&strength(a.1)));
        let count = shown.len();
        shown.truncate(MOST);
        Self { shown, count }
    }

    /// What has to be said where not all are shown.
    fn omission(&self, what: &str) -> Option<String> {
        (self.count > MOST).then(|| format!("the {MOST} strongest of {} {what}", self.count))
    }

    /// Largest force in N.
    fn peak(&self) -> f64 {
        self.shown.first().map_or(0.0, |(_, force)| strength(force))
    }

    /// The forces over time; the first has this colour.
    fn over_time(&self, span: f64, first: usize) -> Vec<Curve> {
        let at = |n: usize| (n as f64 + 0.5) * span;
        let points = |force: &Force| force.spans.iter().enumerate().map(|(n, &newtons)| (at(n), newtons)).collect();
        let curve = |(rank, (_, force)): (usize, &(_, &Force))| line(points(force), colour(first + rank), 1.0);
        self.shown.iter().enumerate().map(curve).collect()
    }
}

/// Largest force in N of an interaction.
fn strength(force: &Force) -> f64 {
    force.spans.iter().copied().fold(0.0, f64::max)
}

/// The picture of a scene's forces up to a time in s; none if nothing acted.
pub fn figure(scene: &Scene, forces: &Forces, end: f64) -> Option<Figure> {
    let touches = |of: &Interaction| of.law.surface().is_some();
    let contacts = Acting::of(scene, forces, touches);
    let springs = Acting::of(scene, forces, |of| !touches(of));
    let mut panels = Vec::new();
    let time = || axis("time", "s", (0.0, end));
    if !contacts.shown.is_empty() {
        let curves = contacts.over_time(forces.span(), 0);
        panels.push(panel("contacts: largest force over time", time(), (0.0, contacts.peak()), curves));
        panels.push(strongest_touches(&contacts, forces.rate));
    }
    if !springs.shown.is_empty() {
        let curves = springs.over_time(forces.span(), contacts.shown.len());
        panels.push(panel("springs and bows: largest force over time", time(), (0.0, springs.peak()), curves));
    }
    panels.first()?;
    let omissions: Vec<String> =
        [contacts.omission("contacts"), springs.omission("springs and bows")].into_iter().flatten().collect();
    let title =
        if omissions.is_empty() { scene.title.clone() } else { format!("{} ({})", scene.title, omissions.join(", ")) };
    let entry = |(rank, (of, _)): (usize, &(&Interaction, _))| {
        (of.name.clone(), Stroke { colour: colour(rank), width: 1.4, dash: Dash::Solid })
    };
    let legend = contacts.shown.iter().chain(&springs.shown).enumerate().map(entry).collect();
    Some(Figure { title, columns: 1, panel_size: (WIDE.0, 300.0), panels, legend })
}

/// The strongest touch of each contact, from just before it to just after the release.
fn strongest_touches(contacts: &Acting<'_>, rate: f64) -> Panel {
    let (mut longest, mut lowest, mut curves) = (0.0f64, 0.0f64, Vec::new());
    for (rank, (_, force)) in contacts.shown.iter().enumerate() {
        let touch = &force.strongest.forces;
        let samples = std::iter::once(&0.0).chain(touch).chain(std::iter::once(&0.0));
        let points: Vec<_> = samples.enumerate().map(|(n, &newtons)| (n as f64 / rate, newtons)).collect();
        longest = longest.max(points.len() as f64 / rate);
        lowest = touch.iter().copied().fold(lowest, f64::min);
        curves.push(line(points, colour(rank), 1.4));
    }
    let time = axis("time since touch", "s", (0.0, longest));
    panel("contacts: strongest touch of each", time, (lowest, contacts.peak()), curves)
}

fn panel(title: &'static str, x: Axis, (low, peak): (f64, f64), curves: Vec<Curve>) -> Panel {
    let y = axis("force", "N", (1.05 * low, 1.08 * peak));
    Panel { title, x, y, curves, marks: Vec::new(), labels: Vec::new(), heat: None }
}

#[cfg(test)]
mod tests {
    use ictus_scene::{Reading, Source};

    use super::*;

    /// A ball with some contacts to a wall and some springs, each with a force of its number in N.
    fn drawn(contacts: usize, springs: usize) -> Option<Figure> {
        let mut text = "ictus = 1\ntitle = \"Ball\"\n[objects]\nball = { kind = \"mass\", mass = 1 }\n\
            wall = { kind = \"barrier\" }\n[pickups]\near = { at = \"ball\" }\n"
            .to_owned();
        let ends = "from = \"wall\"\nto = \"ball\"\n";
        for n in 0..contacts {
            text += &format!("[contacts.c{n}]\n{ends}law = \"hunt-crossley\"\nstiffness = 1\n");
        }
        for n in 0..springs {
            text += &format!("[contacts.s{n}]\n{ends}law = \"linear-cubic-spring\"\nlinear_stiffness = 1\n");
        }
        let scene = ictus_scene::read(&Source::new("ball", text), &Reading::default()).expect("is a scene");
        let mut forces = Forces::new(contacts + springs, 1000.0, 100.0);
        for (n, force) in forces.all.iter_mut().enumerate() {
            (force.spans, force.strongest.forces) = (vec![n as f64, 0.0], vec![n as f64]);
        }
        figure(&scene, &forces, 0.1)
    }

    #[test]
    fn the_title_says_when_not_all_are_shown() {
        // The first has no force and does not count.
        let many = drawn(22, 0).expect("is drawn");
        assert_eq!(many.title, "Ball (the 8 strongest of 21 contacts)");
        assert_eq!((many.legend.len(), many.legend[0].0.as_str()), (8, "c21"));
        assert_eq!(drawn(9, 9).expect("is drawn").title, "Ball (the 8 strongest of 9 springs and bows)");
        assert_eq!(drawn(9, 1).expect("is drawn").title, "Ball");
    }

    #[test]
    fn springs_are_apart_from_what_touches() {
        let titles = |figure: Figure| figure.panels.iter().map(|panel| panel.title).collect::<Vec<_>>();
        let both = drawn(3, 2).expect("is drawn");
        assert_eq!(both.panels.iter().map(|panel| panel.curves.len()).collect::<Vec<_>>(), [2, 2, 2]);
        assert!(titles(both)[2].starts_with("springs"));
        assert_eq!(titles(drawn(0, 3).expect("is drawn")), ["springs and bows: largest force over time"]);
        assert!(drawn(1, 0).is_none(), "nothing acted");
    }
}
