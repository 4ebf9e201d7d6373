//! A plan: which scene, which parameters, where the points lie, and what is kept of each.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use ictus_render::Extent;
use ictus_scene::Source;
use sha2::{Digest, Sha256};
use toml::Value as Toml;

use crate::axis::Axis;
use crate::error::SweepError;
use crate::point::Point;
use crate::reading::{self, Said, Text};
use crate::sampling::{Coordinates, Kind, MOST_DIMENSIONS, seed_of_point};

/// Most points.
pub const MOST_POINTS: u64 = 1 << 32;

/// Most samples of all channels of one sound: it is in memory while it is computed.
const MOST_SAMPLES: f64 = (1u64 << 26) as f64;

/// Most bytes of a plan's file: a scene's text may be in it.
const MOST_BYTES: u64 = 2 * ictus_scene::MOST_BYTES as u64;

/// A sweep, read and checked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the scene is called.
    pub name: String,
    pub(crate) source: Source,
    /// Where points lie.
    pub kind: Kind,
    /// How many there are.
    pub count: u64,
    /// Where random numbers start.
    pub seed: u64,
    pub(crate) duration: Option<f64>,
    pub(crate) rate: Option<f64>,
    /// Multiple of the rate the scene is computed at.
    pub oversample: usize,
    /// Whether features are measured.
    pub features: bool,
    /// Whether sounds are kept.
    pub audio: bool,
    /// Points computed and written at a time, if the plan says so.
    pub chunk: Option<u64>,
    /// The parameters in the order of their paths.
    pub axes: Vec<Axis>,
    /// How much sound each point is.
    pub extent: Extent,
    coordinates: Vec<Coordinates>,
}

impl Plan {
    /// Reads a plan's text. `name` is what it is called in messages; the scene's file is looked for in the folder `beside`.
    ///
    /// # Errors
    /// What is wrong with the plan or its scene, with the place.
    pub fn read(name: &str, text: &str, beside: &Path) -> Result<Self, SweepError> {
        let text = Text { name, text };
        Self::of(reading::read(&text, beside)?, &text)
    }

    /// Reads a plan's file; the scene's file is looked for beside it.
    ///
    /// # Errors
    /// The file cannot be read, or as of [`Plan::read`].
    pub fn load(path: &Path) -> Result<Self, SweepError> {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|source| SweepError::read(path, source))?;
        let name = path.display().to_string();
        let wrong = |message: String| SweepError::Plan { place: name.clone(), message };
        if bytes.len() as u64 > MOST_BYTES {
            return Err(wrong(format!("a plan has at most {} MB", MOST_BYTES >> 20)));
        }
        let text = String::from_utf8(bytes).map_err(|_| wrong("this is not UTF-8 text".to_owned()))?;
        Self::read(&name, &text, path.parent().unwrap_or(Path::new(".")))
    }

    fn of(said: Said, text: &Text<'_>) -> Result<Self, SweepError> {
        let rate = said.rate.unwrap_or(said.scene.model.rate);
        let extent = Extent::of(&said.scene, &said.name, rate, 0.0, MOST_SAMPLES)
            .map_err(|error| text.all_wrong(error.to_string()))?;
        let count = count(&said, text)?;
        let coordinates = coordinates(&said, count, text)?;
        let Said { source, name, kind, seed, duration, rate, oversample, features, audio, chunk, axes, .. } = said;
        Ok(Self {
            name,
            source,
            kind,
            count,
            seed,
            duration,
            rate,
            oversample,
            features,
            audio,
            chunk,
            axes,
            extent,
            coordinates,
        })
    }

    /// The scene's file; a name that is no file if its text is the gallery's or the plan's.
    pub fn scene_path(&self) -> &Path {
        Path::new(&self.source.name)
    }

    /// A point by its number, below the count.
    pub fn point(&self, index: u64) -> Point {
        let of_axis = |(axis, coordinates): (&Axis, &Coordinates)| axis.value(coordinates, index);
        let values: Vec<_> = self.axes.iter().zip(&self.coordinates).map(of_axis).collect();
        Point::new(self, index, seed_of_point(self.seed, index), values)
    }

    /// The same plan as a text that needs no other file: for other machines.
    pub fn text(&self) -> String {
        let mut table = self.table();
        table.insert("name".into(), Toml::String(self.name.clone()));
        table.insert("text".into(), Toml::String(self.source.text.to_string()));
        if let Some(chunk) = self.chunk {
            table.insert("chunk".into(), Toml::Integer(chunk as i64));
        }
        table.to_string()
    }

    /// Hash of the scene's text: SHA-256 in hexadecimal digits.
    pub fn scene_hash(&self) -> String {
        hash(&self.source.text)
    }

    /// Hash of all that decides the rows, but for the scene's text.
    pub fn plan_hash(&self) -> String {
        hash(&self.table().to_string())
    }

    /// All that decides the rows, but for the scene's text.
    fn table(&self) -> toml::Table {
        let outputs = [("features", self.features), ("audio", self.audio)];
        let outputs = outputs.into_iter().filter(|(_, wanted)| *wanted).map(|(name, _)| Toml::String(name.into()));
        let parameters: toml::Table = self.axes.iter().map(|axis| (axis.path.clone(), axis.written())).collect();
        let entries = [
            ("sweep", Some(Toml::Integer(1))),
            ("kind", Some(Toml::String(self.kind.name().into()))),
            ("n", Some(Toml::Integer(self.count as i64))),
            ("seed", Some(Toml::Integer(self.seed as i64))),
            ("duration", self.duration.map(Toml::Float)),
            ("rate", self.rate.map(Toml::Float)),
            ("oversample", Some(Toml::Integer(self.oversample as i64))),
            ("outputs", Some(Toml::Array(outputs.collect()))),
            ("parameters", Some(Toml::Table(parameters))),
        ];
        entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How many points there are.
fn count(said: &Said, text: &Text<'_>) -> Result<u64, SweepError> {
    if said.kind != Kind::Grid {
        if let Some(axis) = said.axes.iter().find(|axis| axis.steps.is_some()) {
            return Err(text.all_wrong(format!(
                "`{}` says how many values, which only a grid needs: kind = \"{}\" takes n",
                axis.path,
                said.kind.name()
            )));
        }
        return said.count.ok_or_else(|| text.all_wrong("a plan needs `n`, the number of points"));
    }
    let mut count = 1u64;
    for axis in &said.axes {
        let Some(values) = axis.count() else {
            return Err(text.all_wrong(format!(
                "in a grid `{}` must say how many values it has, as in \"uniform(0, 1, 8)\"",
                axis.path
            )));
        };
        count = count.checked_mul(values).filter(|count| *count <= MOST_POINTS).ok_or_else(|| {
            text.all_wrong(format!("this grid has more than {MOST_POINTS} points, the most there can be"))
        })?;
    }
    match said.count {
        Some(given) if given != count => {
            Err(text.all_wrong(format!("`n` is {given}, but this grid has {count} points; leave `n` out")))
        }
        _ => Ok(count),
    }
}

/// Where the points lie in each dimension.
fn coordinates(said: &Said, count: u64, text: &Text<'_>) -> Result<Vec<Coordinates>, SweepError> {
    let mut stride = count;
    let mut dimension = 0;
    let mut all = Vec::new();
    for axis in &said.axes {
        all.push(match said.kind {
            _ if axis.is_constant() => Coordinates::Grid { count: 1, stride: 1 },
            Kind::Grid => {
                let values = axis.count().unwrap_or(1);
                stride /= values;
                Coordinates::Grid { count: values, stride }
            }
            Kind::Random => Coordinates::random(said.seed, &axis.path),
            Kind::LatinHypercube => Coordinates::latin_hypercube(count, said.seed, &axis.path),
            Kind::Sobol => {
                dimension += 1;
                if dimension > MOST_DIMENSIONS {
                    return Err(text.all_wrong(format!(
                        "a Sobol sequence has at most {MOST_DIMENSIONS} parameters that change; kind = \"latin-hypercube\" takes any number"
                    )));
                }
                Coordinates::sobol(dimension - 1, said.seed)
            }
        });
    }
    Ok(all)
}
