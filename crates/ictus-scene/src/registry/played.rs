//! The keys of what is played: events, sets, notes, controls.

use std::sync::LazyLock;

use super::field::{Family, Field, Kind, TableInfo, above_to, at_least, between};
use crate::instrument::bounds::{FARTHEST_BEND, FASTEST, HIGHEST_PLUCK, MOST_RESISTANCE, STRONGEST};
use crate::tools::MOST_DAMPED;
use crate::units::{FORCE, FRACTION, LENGTH, NUMBER, RATE, RESISTANCE, SEMITONES, TIME, VELOCITY};

/// What an event does, and the keys that may stand beside it.
pub struct Verb {
    /// Its key; the value names what it is done to.
    pub key: &'static str,
    /// Keys that belong to it, besides `time`, `every` and `times`.
    pub with: &'static [&'static str],
    /// What it does.
    pub doc: &'static str,
}

/// All verbs.
pub const VERBS: &[Verb] = &[
    Verb { key: "strike", with: &["velocity", "at"], doc: "A hammer is thrown." },
    Verb {
        key: "pluck",
        with: &["velocity", "height", "at"],
        doc: "A plectrum lifts until it slips off, or a pluck lets go.",
    },
    Verb {
        key: "bow",
        with: &["velocity", "force", "over", "at"],
        doc: "A bow begins, or goes on with another velocity or force.",
    },
    Verb { key: "damp", with: &["damping", "factor", "over", "at"], doc: "A finger or a damper comes down." },
    Verb { key: "trigger", with: &["level"], doc: "A signal begins." },
    Verb { key: "release", with: &["over"], doc: "A bow leaves, a finger lifts, a signal ends." },
    Verb { key: "move", with: &["to", "over"], doc: "An exciter, a contact or a pickup goes to another place." },
    Verb { key: "set", with: &["to", "over", "scale"], doc: "Any live parameter goes to a value." },
    Verb { key: "note", with: &["velocity", "length"], doc: "Keys go down, and up after `length`; see `[notes]`." },
    Verb { key: "press", with: &["velocity"], doc: "Keys go down, and stay down until `lift`; see `[notes]`." },
    Verb { key: "lift", with: &[], doc: "Keys come up." },
    Verb { key: "sustain", with: &[], doc: "The pedal that holds the notes goes down, or up with `false`." },
    Verb {
        key: "wheel",
        with: &[],
        doc: "The pitch wheel: all strings that can bend go so far from where they were built.",
    },
    Verb { key: "turn", with: &["to", "over", "scale"], doc: "A control is turned." },
];

/// Keys of [`VERBS`].
pub const VERB_KEYS: &[&str] = &[
    "strike", "pluck", "bow", "damp", "trigger", "release", "move", "set", "note", "press", "lift", "sustain", "wheel",
    "turn",
];

/// `[[events]]`
pub fn event() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        let verb = |verb: &Verb| {
            let kind = match verb.key {
                "set" => Kind::one_or_more(Kind::Path),
                "note" | "press" | "lift" => Kind::one_or_more(Kind::Note),
                "sustain" => Kind::Truth,
                "wheel" => Kind::Quantity(SEMITONES, between(-FARTHEST_BEND, FARTHEST_BEND)),
                "turn" => Kind::Name("controls"),
                "move" => Kind::one_or_more(Kind::Name("exciters, contacts and pickups")),
                _ => Kind::one_or_more(Kind::Name("exciters")),
            };
            Field::new(verb.key, kind).doc(verb.doc)
        };
        let mut fields =
            vec![Field::new("time", Kind::one_or_more(Kind::Quantity(TIME, between(0.0, 1e6)))).required().doc(
                "When, from the start of the scene, or a list of times. Also in beats of `tempo`: `\"3 beats\"`.",
            )];
        fields.extend(VERBS.iter().map(verb));
        let place =
            || Kind::Either(vec![Kind::Quantity(FRACTION, between(0.0, 1.0)), Kind::pair(FRACTION, between(0.0, 1.0))]);
        fields.extend([
            Field::quantity("velocity", VELOCITY, between(-FASTEST, FASTEST))
                .doc("How fast a hammer, plectrum or bow; for a note from 0 to 1 (default 0.8). Default: what the exciter says."),
            Field::quantity("height", LENGTH, between(-HIGHEST_PLUCK, HIGHEST_PLUCK)).doc("How high a pluck. Default: what the exciter says."),
            Field::quantity("force", FORCE, between(0.0, 1e9)).doc("How hard a bow is pressed."),
            Field::quantity("damping", RESISTANCE, between(0.0, MOST_RESISTANCE)).doc("How much a finger damps."),
            Field::quantity("factor", NUMBER, between(1.0, MOST_DAMPED)).doc("How many times sooner dies what a damper lies on."),
            Field::quantity("level", FORCE, between(-STRONGEST, STRONGEST)).doc("How strong a signal is."),
            Field::quantity("over", TIME, at_least(0.0)).default("0").doc("Time over which it comes about."),
            Field::choice("scale", &["linear", "log"])
                .default("linear, or that of the control")
                .doc("The way there. `log`: equal times are equal ratios, as for frequencies and gains; from 0 it is a straight line."),
            Field::new("at", place()).doc("Where the exciter goes first."),
            Field::new("to", Kind::one_or_more(Kind::Value)).doc("The value or place it goes to."),
            Field::quantity("length", TIME, above_to(0.0, 1e6)).default("1 s").doc("How long a note's key is down."),
            Field::quantity("every", TIME, above_to(0.0, 1e6)).doc("Repeats it at this distance, `times` times in all; with `pattern` the length of a step."),
            Field::new("times", Kind::Whole(1, 100_000)).doc("How often in all, with `every`; with `pattern` how often that is played."),
            Field::new("pattern", Kind::Text).doc("Steps of `every`: `x` plays, `1` to `9` play with so many ninths of the amount, `.` rests; spaces and `|` are left out."),
            Field::quantity("probability", FRACTION, between(0.0, 1.0)).default("1").doc("How likely it is to happen, drawn from the seed each time."),
        ]);
        TableInfo::new("an event", "Something that happens at a time: exactly one verb.", fields).exactly_one(VERB_KEYS)
    });
    &INFO
}

/// `[sets.NAME]`
pub fn set() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "a set",
            "A template object repeated over notes, with what belongs to each.",
            vec![
                Field::new("notes", Kind::NoteRange).required().doc("The notes, as a list or a range."),
                Field::new("object", Kind::Template)
                    .required()
                    .doc("The object each note has, of any kind but a barrier; its pitch comes from the note. Elsewhere in the set it is called `each`."),
                Field::new("voices", Kind::Whole(1, 128))
                    .doc("Not one object for each note but a pool of this many strings, each bent to its note."),
                Field::new("objects", Kind::Named(Family::Objects)).doc("Further objects for each note, called `each.NAME`."),
                Field::new("contacts", Kind::Named(Family::Contacts)).doc("Contacts for each note."),
                Field::new("exciters", Kind::Named(Family::Exciters)).doc("Exciters for each note."),
                Field::new("forces", Kind::Named(Family::Forces)).doc("Forces for each note."),
                Field::new("pickups", Kind::Named(Family::Pickups)).doc("Pickups for each note."),
            ],
        )
    });
    &INFO
}

/// The finger that stops a string, and where for which key.
fn stops() -> [Field; 2] {
    let place = Kind::Columns(vec![Kind::Whole(1, 127), Kind::Quantity(FRACTION, between(0.0, 1.0))]);
    [
        Field::new("stop", Kind::one_or_more(Kind::Name("fingers"))).doc(
            "The fingers that stop the strings for all keys but the lowest: firmly, to shorten the string, or lightly, to leave it a harmonic.",
        ),
        Field::new("stops", Kind::List(Box::new(place)))
            .doc("Where they do: semitones above the string's lowest key, and the place as a fraction of its length. Other keys do not sound."),
    ]
}

/// `[notes]`
pub fn notes() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        let amounts = |key: &'static str| Field::new(key, Kind::two(Kind::Value));
        let [stop, stops] = stops();
        TableInfo::new(
            "[notes]",
            "What a keyboard plays.",
            vec![
                Field::new("play", Kind::one_or_more(Kind::Name("exciters")))
                    .doc("The exciters that sound: those of a set, one for each note, or single ones."),
                Field::new("damper", Kind::one_or_more(Kind::Name("fingers")))
                    .doc("The fingers that come down when a key comes up, on the objects that are played."),
                Field::new("voices", Kind::List(Box::new(Kind::Table(voice))))
                    .doc("What can sound, one by one, instead of `play`, `damper` and `stop`."),
                stop,
                stops,
                amounts("amount")
                    .default("0.2 to 2 times the exciter's")
                    .doc("Softest and hardest stroke, in the unit of the exciter."),
                amounts("velocity").doc("The same, by its name."),
                amounts("height").doc("The same, by its name."),
                amounts("force").doc("The same, by its name."),
                Field::quantity("curve", NUMBER, above_to(0.0, 10.0))
                    .default("1")
                    .doc("Exponent of the way from soft to hard; above 1 it takes harder strokes."),
                Field::quantity("over", TIME, between(0.0, 60.0))
                    .default("20 ms")
                    .doc("Time over which bows and fingers come and go."),
                Field::quantity("bend_range", SEMITONES, between(0.0, 48.0))
                    .default("2")
                    .doc("Semitones of a pitch wheel turned all the way."),
                Field::new("cents", Kind::List(Box::new(Kind::Quantity(NUMBER, between(-12_800.0, 12_800.0)))))
                    .doc("How far the keys are from equal temperament, in cents: 12 numbers from C on, or 128, one for every key. Objects of sets are built so, and strings bent so; the frets of `stops` stay where they are."),
            ],
        )
        .exactly_one(&["play", "voices"])
        .exclusive(&["damper", "voices"])
        .exclusive(&["stop", "voices"])
        .exclusive(&["amount", "velocity", "height", "force"])
    });
    &INFO
}

/// `voices = [{ … }]`
pub fn voice() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        let [stop, stops] = stops();
        TableInfo::new(
            "a voice",
            "One thing that can sound a note.",
            vec![
                Field::new("play", Kind::Name("exciters")).required().doc("The exciter that sounds it."),
                Field::new("keys", Kind::Either(vec![Kind::Note, Kind::two(Kind::Note)]))
                    .required()
                    .doc("The key it sounds, or the lowest and the highest."),
                Field::new("damper", Kind::Name("fingers")).doc("The finger that comes down when the key comes up."),
                Field::new("string", Kind::Name("strings"))
                    .doc("The string that is bent to the key, and by the pitch wheel; built at the lowest key."),
                stop,
                stops,
            ],
        )
        .exclusive(&["stop", "string"])
    });
    &INFO
}

/// Most hammers of a shower.
pub const MOST_HAMMERS: i64 = 256;

/// Most impacts of all showers.
pub const MOST_IMPACTS: usize = 20_000;

/// `[showers.NAME]`
pub fn shower() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        let rate = || Kind::Quantity(RATE, between(0.0, 1e5));
        let at = || Kind::Quantity(FRACTION, between(0.0, 1.0));
        let mut fields = vec![
            Field::new("on", Kind::one_or_more(Kind::Name("objects")))
                .required()
                .doc("What is hit: an object, or several, of which chance takes one for each hammer."),
            Field::new("rate", Kind::Either(vec![rate(), Kind::List(Box::new(Kind::Columns(vec![Kind::Quantity(TIME, between(0.0, 1e6)), rate()])))]))
                .required()
                .doc("How many impacts a second on average, at times independent of each other; or a list of times from the start of the shower, each with the rate there, with straight lines between."),
            Field::quantity("length", TIME, above_to(0.0, 1e6)).required().doc("How long it lasts."),
            Field::quantity("time", TIME, between(0.0, 1e6)).default("0").doc("When it begins."),
            Field::quantity("velocity", VELOCITY, between(-FASTEST, FASTEST)).default("1 m/s").doc("How fast; a range or a spread is drawn anew for each impact."),
            Field::new("at", Kind::Either(vec![at(), Kind::two(at())]))
                .default("all over the object")
                .doc("Where; a range or a spread is drawn anew for each impact."),
            Field::new("hammers", Kind::Whole(1, MOST_HAMMERS)).default("8").doc("How many masses take turns: each has its own size, and can hit again when it has bounced off."),
        ];
        let hammer = super::exciters().iter().find(|kind| kind.name == "hammer");
        let own = ["kind", "on", "velocity", "law", "name", "at"];
        let of_hammer = hammer.iter().flat_map(|kind| &kind.table.fields);
        fields.extend(of_hammer.filter(|field| !own.contains(&&*field.key)).cloned());
        TableInfo::new(
            "a shower",
            "A stream of impacts at random times: hail, crumpling, breaking, a handful of coins. It makes hammers `NAME.1`, `NAME.2` and so on, and their events; a range in `mass` or `stiffness` is drawn for each hammer.",
            fields,
        )
    });
    &INFO
}

/// `[controls.NAME]`
pub fn control() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "a control",
            "A knob that turns live parameters.",
            vec![
                Field::new("parameter", Kind::one_or_more(Kind::Path)).required().doc("What it turns."),
                Field::new("range", Kind::two(Kind::Value)).required().doc("Lowest and highest value."),
                Field::new("value", Kind::Value).default("what the scene says").doc("Where it starts. Without one its parameters start at what the scene says of each, and follow when it is turned."),
                Field::choice("scale", &["linear", "log"])
                    .default("linear")
                    .doc("`log`: equal turns are equal ratios. The range is then above 0."),
                Field::new("midi", Kind::Whole(0, 127)).doc("MIDI controller that turns it."),
                Field::new("unit", Kind::Text).default("that of the parameters").doc("The unit that is shown."),
                Field::name(),
            ],
        )
    });
    &INFO
}
