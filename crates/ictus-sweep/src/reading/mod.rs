//! From a plan's text to its values, each mistake with line and column.

mod heard;
mod parameters;

use std::ops::Range;
use std::path::Path;

use ictus::math::Plain;
use ictus::names::nearest;
use ictus_render::{gallery, whole_rate};
use ictus_scene::units::{self, FREQUENCY, Measure, TIME};
use ictus_scene::{Reading, Scene, Source};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::axis::{Axis, Value};
use crate::error::SweepError;
use crate::sampling::Kind;

pub(crate) use parameters::without_option;

/// The keys of a plan and what they are, for messages and documentation.
pub(crate) const KEYS: [(&str, &str); 13] = [
    ("sweep", "1, the version of this form"),
    ("scene", "a scene of the gallery, or a file beside the plan"),
    ("text", "the text of a scene, in place of `scene`"),
    ("name", "what the scene of `text` is called"),
    ("kind", "grid, random, latin-hypercube or sobol"),
    ("n", "number of points; of a grid it follows from the values"),
    ("seed", "where random numbers start; default 0"),
    ("duration", "length of each sound, in s; default the scene's"),
    ("rate", "samples per second, in Hz; default the scene's"),
    ("oversample", "1, 2, 4 or 8: computed at this multiple of the rate; default 1"),
    ("outputs", "\"features\", \"audio\" or both; default [\"features\"]"),
    ("chunk", "points computed and written at a time; default about 2 s of work"),
    ("parameters", "table of paths and their values"),
];

/// What a plan's text says.
pub(crate) struct Said {
    pub(crate) source: Source,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) count: Option<u64>,
    pub(crate) seed: u64,
    pub(crate) duration: Option<f64>,
    pub(crate) rate: Option<f64>,
    pub(crate) oversample: usize,
    pub(crate) features: bool,
    pub(crate) audio: bool,
    pub(crate) chunk: Option<u64>,
    pub(crate) axes: Vec<Axis>,
    /// The scene as it stands.
    pub(crate) scene: Scene,
}

/// A plan's text, for messages.
pub(crate) struct Text<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

type Node<'a> = Spanned<DeValue<'a>>;

impl Text<'_> {
    /// A mistake at a place of the text.
    pub(crate) fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> SweepError {
        let before = self.text.get(..span.start.min(self.text.len())).unwrap_or("");
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or("").chars().count();
        SweepError::Plan { place: format!("{}:{line}:{column}", self.name), message: message.into() }
    }

    /// A mistake of the plan as a whole.
    pub(crate) fn all_wrong(&self, message: impl Into<String>) -> SweepError {
        self.wrong(0..0, message)
    }
}

/// Reads a plan. Files are looked for beside `beside`.
pub(crate) fn read(text: &Text<'_>, beside: &Path) -> Result<Said, SweepError> {
    let table = DeTable::parse(text.text)
        .map_err(|error| text.wrong(error.span().unwrap_or(0..0), format!("this is not TOML: {}", error.message())))?;
    let keys = Keys { text, table: table.get_ref() };
    keys.check_names()?;
    match keys.whole("sweep", 1, 1)? {
        Some(_) => {}
        None => return Err(text.all_wrong("a plan begins with `sweep = 1`")),
    }
    let (name, source) = keys.scene(beside)?;
    let duration = keys.quantity("duration", &TIME)?;
    let rate = keys.rate()?;
    let reading = Reading { duration, rate, ..Reading::default() };
    let scene = ictus_scene::read(&source, &reading).map_err(|problems| SweepError::Scene(Box::new(problems)))?;
    let outputs = keys.outputs()?;
    let kind = keys.kind()?;
    Ok(Said {
        axes: keys.axes(&source, &scene, &reading)?,
        kind,
        count: keys.whole("n", 1, 1 << 32)?.map(|count| count as u64),
        seed: keys.whole("seed", 0, i64::MAX)?.unwrap_or(0) as u64,
        oversample: keys.oversample()?,
        features: outputs[0],
        audio: outputs[1],
        chunk: keys.whole("chunk", 1, 1 << 32)?.map(|chunk| chunk as u64),
        source,
        name,
        duration,
        rate,
        scene,
    })
}

struct Keys<'a> {
    text: &'a Text<'a>,
    table: &'a DeTable<'a>,
}

impl Keys<'_> {
    fn get(&self, key: &str) -> Option<&Node<'_>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, node)| node)
    }

    fn check_names(&self) -> Result<(), SweepError> {
        let known = KEYS.map(|(key, _)| key);
        for (key, _) in self.table.iter() {
            if !known.contains(&&**key.get_ref()) {
                let help = match nearest(key.get_ref(), known) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("a plan has {}", known.join(", ")),
                };
                return Err(self.text.wrong(key.span(), format!("a plan has no key `{}`; {help}", key.get_ref())));
            }
        }
        Ok(())
    }

    fn whole(&self, key: &str, least: i64, most: i64) -> Result<Option<i64>, SweepError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let whole = match node.get_ref() {
            DeValue::Integer(whole) => i64::from_str_radix(whole.as_str(), whole.radix()).ok(),
            _ => None,
        };
        match whole.filter(|whole| (least..=most).contains(whole)) {
            Some(whole) => Ok(Some(whole)),
            None if least == most => Err(self.text.wrong(node.span(), format!("`{key}` must be {least}"))),
            None => {
                let message = format!("`{key}` must be a whole number from {least} to {most}");
                Err(self.text.wrong(node.span(), message))
            }
        }
    }

    fn string(&self, key: &str) -> Result<Option<(&str, Range<usize>)>, SweepError> {
        match self.get(key) {
            None => Ok(None),
            Some(node) => match node.get_ref() {
                DeValue::String(text) => Ok(Some((text, node.span()))),
                _ => Err(self.text.wrong(node.span(), format!("`{key}` must be a text in quotation marks"))),
            },
        }
    }

    fn quantity(&self, key: &str, measure: &Measure) -> Result<Option<f64>, SweepError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let value = match node.get_ref() {
            DeValue::String(text) => units::parse(text, measure).map_err(|error| error.to_string()),
            other => number(other).ok_or_else(|| format!("must be {} (`{}`)", measure.name, measure.example)),
        };
        match value {
            Ok(value) if value > 0.0 && value.is_finite() => Ok(Some(value)),
            Ok(value) => Err(self.text.wrong(node.span(), format!("`{key}` is {}, but must be above 0", Plain(value)))),
            Err(reason) => Err(self.text.wrong(node.span(), format!("`{key}`: {reason}"))),
        }
    }

    fn rate(&self) -> Result<Option<f64>, SweepError> {
        let rate = self.quantity("rate", &FREQUENCY)?;
        if let Some(hertz) = rate
            && let Err(allowed) = whole_rate(hertz)
        {
            let span = self.get("rate").map_or(0..0, Spanned::span);
            return Err(self.text.wrong(span, format!("`rate` is {} Hz, but {allowed}", Plain(hertz))));
        }
        Ok(rate)
    }

    fn oversample(&self) -> Result<usize, SweepError> {
        match self.whole("oversample", 1, 8)? {
            None => Ok(1),
            Some(factor @ (1 | 2 | 4 | 8)) => Ok(factor as usize),
            Some(_) => {
                let span = self.get("oversample").map_or(0..0, Spanned::span);
                Err(self.text.wrong(span, "`oversample` must be 1, 2, 4 or 8"))
            }
        }
    }

    fn kind(&self) -> Result<Kind, SweepError> {
        let names = Kind::ALL.map(|(name, _)| name);
        let Some((given, span)) = self.string("kind")? else {
            return Err(self.text.all_wrong(format!("a plan needs `kind`: {}", names.join(", "))));
        };
        match Kind::ALL.iter().find(|(name, _)| *name == given) {
            Some((_, kind)) => Ok(*kind),
            None => {
                let help = nearest(given, names).map_or_else(
                    || format!("there are {}", names.join(", ")),
                    |meant| format!("did you mean `{meant}`?"),
                );
                Err(self.text.wrong(span, format!("there is no kind `{given}`; {help}")))
            }
        }
    }

    /// Whether features and audio are wanted.
    fn outputs(&self) -> Result<[bool; 2], SweepError> {
        const NAMES: [&str; 2] = ["features", "audio"];
        let Some(node) = self.get("outputs") else { return Ok([true, false]) };
        let wrong = |span, found: &str| {
            let help = nearest(found, NAMES)
                .map_or_else(|| "there are features and audio".to_owned(), |meant| format!("did you mean `{meant}`?"));
            self.text.wrong(span, format!("there is no output `{found}`; {help}"))
        };
        let DeValue::Array(list) = node.get_ref() else {
            return Err(self.text.wrong(node.span(), "`outputs` must be a list, such as [\"features\", \"audio\"]"));
        };
        let mut wanted = [false; 2];
        for output in list.iter() {
            let DeValue::String(name) = output.get_ref() else {
                return Err(self.text.wrong(output.span(), "an output is a text: \"features\" or \"audio\""));
            };
            let index = NAMES.iter().position(|known| known == name).ok_or_else(|| wrong(output.span(), name))?;
            wanted[index] = true;
        }
        Ok(wanted)
    }

    fn scene(&self, beside: &Path) -> Result<(String, Source), SweepError> {
        match (self.string("scene")?, self.string("text")?) {
            (Some((scene, span)), None) => {
                // A file beside the plan, or a scene of the gallery.
                let path = beside.join(scene);
                let argument = if path.is_file() { &path } else { Path::new(scene) };
                let found = gallery::find(argument).map_err(|error| self.text.wrong(span, error.to_string()))?;
                Ok((found.name, found.source))
            }
            (None, Some((text, _))) => {
                let name = self.string("name")?.map_or("scene", |(name, _)| name);
                Ok((name.to_owned(), Source::new(format!("{name}.toml"), text)))
            }
            (Some(_), Some((_, span))) => Err(self.text.wrong(span, "a plan has either `scene` or `text`")),
            (None, None) => {
                Err(self.text.all_wrong("a plan needs `scene`, a scene of the gallery or a file; or its `text`"))
            }
        }
    }
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(whole) => i64::from_str_radix(whole.as_str(), whole.radix()).ok().map(|whole| whole as f64),
        DeValue::Float(number) => number.as_str().parse::<f64>().ok().filter(|number| number.is_finite()),
        _ => None,
    }
}

fn one(value: &DeValue<'_>) -> Option<Value> {
    match value {
        DeValue::String(text) => Some(Value::Text(text.clone().into_owned())),
        DeValue::Boolean(truth) => Some(Value::Text(truth.to_string())),
        value => number(value).map(Value::Number),
    }
}
