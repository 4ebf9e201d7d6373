//! The keys of the scene itself, its limits and its output.

use std::sync::LazyLock;

use super::field::{Family, Field, Kind, TableInfo, above_to, at_least, between};
use crate::units::{FREQUENCY, GAIN, TEMPO, TIME};

/// Highest values of the limits: beyond, no machine at hand could play the scene.
pub const MOST_GRID_POINTS: usize = 1_000_000;
/// Most modes of one body: places on it are looked at without taking memory.
pub const MOST_MODES: usize = 4096;
/// Most products of two modes and an Airy mode: 140 MB.
pub const MOST_PRODUCTS: usize = 1 << 26;
/// Most interactions, counting each point of a spread one, that `limits.interactions` can allow: finding out which of them feel
/// each other takes time by the square of their number.
pub const MOST_INTERACTIONS: usize = 16_384;

/// The keys at the top.
pub fn scene() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "a scene",
            "The keys before the first table.",
            vec![
                Field::new("ictus", Kind::Whole(1, 1)).required().doc("Version of this format."),
                Field::new("title", Kind::Text).required().doc("What the scene is called."),
                Field::new("about", Kind::Text).doc("Its physics, in a few sentences."),
                Field::quantity("rate", FREQUENCY, between(8000.0, 768_000.0))
                    .default("48 kHz")
                    .doc("Samples per second. More: finer grids, more work."),
                Field::quantity("duration", TIME, above_to(0.0, 3600.0)).default("4 s").doc("How long it sounds."),
                Field::new("seed", Kind::Whole(0, i64::MAX))
                    .default("1")
                    .doc("What noise and roughness are drawn from. The same seed gives the same sound."),
                Field::quantity("tuning", FREQUENCY, between(200.0, 900.0)).default("440 Hz").doc("Frequency of A4."),
                Field::quantity("tempo", TEMPO, above_to(0.0, 1e4))
                    .default("120 bpm")
                    .doc("Beats per minute, for times such as `\"3 beats\"`."),
                Field::new("use", Kind::List(Box::new(Kind::Either(vec![Kind::Text, Kind::Table(used)]))))
                    .doc("Other scenes that are part of this one: their files, from this scene's folder on."),
                Field::new("limits", Kind::Table(limits)).doc("What the scene may cost."),
                Field::new("output", Kind::Table(output)).doc("What becomes of the pickups' sum."),
                Field::new("objects", Kind::Named(Family::Objects)).doc("Things that move."),
                Field::new("contacts", Kind::Named(Family::Contacts)).doc("What acts between their points."),
                Field::new("exciters", Kind::Named(Family::Exciters)).doc("Tools that play them."),
                Field::new("forces", Kind::Named(Family::Forces)).doc("Constant forces on their points."),
                Field::new("pickups", Kind::Named(Family::Pickups)).doc("What is heard."),
                Field::new("sets", Kind::Named(Family::Sets)).doc("One template repeated over notes."),
                Field::new("showers", Kind::Named(Family::Showers)).doc("Streams of impacts: hail, crumpling, coins."),
                Field::new("controls", Kind::Named(Family::Controls)).doc("Knobs."),
                Field::new("notes", Kind::Table(super::played::notes)).doc("What a keyboard plays."),
                Field::new("events", Kind::List(Box::new(Kind::Table(super::played::event)))).doc("What happens when."),
            ],
        )
    });
    &INFO
}

/// `use = [{ … }]`
pub fn used() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "a scene that is used",
            "A scene that becomes part of another.",
            vec![
                Field::new("scene", Kind::Text).required().doc("Its file, from this scene's folder on."),
                Field::new("name", Kind::Text)
                    .default("that of the file")
                    .doc("What the names of its things begin with: the `string` of `harp` is `harp.string` here."),
                Field::quantity("time", TIME, between(0.0, 1e6)).default("0").doc("When its events begin."),
                Field::quantity("gain", GAIN, between(-1e6, 1e6)).default("1").doc("Factor on what its pickups hear."),
                Field::new("seed", Kind::Whole(0, i64::MAX))
                    .default("its own")
                    .doc("What its random numbers are drawn from: two copies of a scene differ by it."),
            ],
        )
    });
    &INFO
}

/// `[limits]`
pub fn limits() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        let count = |key: &'static str, most: usize| Field::new(key, Kind::Whole(1, most as i64));
        TableInfo::new(
            "[limits]",
            "Bounds that keep a slip of the pen from taking all memory.",
            vec![
                count("grid_points", MOST_GRID_POINTS).default("20000").doc("Most grid points of one object."),
                count("modes", MOST_MODES).default("4000").doc("Most modes of one string, bar, membrane or plate."),
                count("products", MOST_PRODUCTS)
                    .default("16777216")
                    .doc("Most products of two modes and an Airy mode of one plate of `amplitude = \"von-karman\"`."),
                count("interactions", MOST_INTERACTIONS)
                    .default("4096")
                    .doc("Most contacts, counting each point of a spread one."),
                count("contact_events", 100_000)
                    .default("4096")
                    .doc("Most touches remembered between two readings of the report."),
            ],
        )
    });
    &INFO
}

/// `[output]`
pub fn output() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "[output]",
            "What becomes of the pickups' sum before it is heard.",
            vec![
                Field::new("channels", Kind::Whole(1, 64)).default("2").doc("How many channels there are."),
                Field::quantity("gain", GAIN, between(-1e12, 1e12))
                    .default("1")
                    .doc("Factor on everything, or decibels."),
                Field::quantity("highpass", FREQUENCY, between(0.0, 1000.0))
                    .default("20 Hz")
                    .doc("Corner of the filter that keeps drift out of the loudspeaker; 0 for none."),
                Field::quantity("fade", TIME, at_least(0.0))
                    .default("10 ms")
                    .doc("Time over which a render is faded out at its end, so that it does not click."),
            ],
        )
    });
    &INFO
}
