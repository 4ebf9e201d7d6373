//! The design of a contact that a scene has: its stiffness, and its dissipation if two things are asked.
//!
//! The scene is played as it is written, up to the end of the contact's first touch, and the centroid is that of what is heard in the 100 ms after it.
//! A harder contact is shorter and brighter, one that loses more rebounds less: two bisections, one inside the other, find what is asked without a
//! model of the bodies. Slopes were rejected: where the bodies push back during the touch, they change sign.

use ictus_analysis::{Framing, Weighting, average_centroid};
use ictus_scene::parameters::ParameterId;
use ictus_scene::{Instrument, Reading, Scene};
use serde::Serialize;

use super::Args;
use crate::commands::render::changes;
use crate::error::Error;
use crate::gallery;
use crate::options::{Allowed, quantity};
use crate::quantity::significant;
use crate::table::{self, HEADING, NOTE, styled};

/// Stiffnesses in N/m^α and dissipations in s/m that are searched.
const STIFFNESSES: [f64; 2] = [1.0, 1e14];
const DISSIPATIONS: [f64; 2] = [0.0, 100.0];

/// Halvings of the search for a stiffness and for a dissipation.
const HALVINGS: [usize; 2] = [44, 28];

/// Time in s after the touch whose sound is listened to, and the longest time in s until a touch.
const LISTENED: f64 = 0.1;
const LONGEST: f64 = 20.0;

/// Frames played at a time.
const BLOCK: usize = 64;

/// How near a target must come to count as met, relative.
const MET: f64 = 1e-3;

/// What is asked of the first touch.
struct Wanted {
    contact_time: Option<f64>,
    centroid: Option<f64>,
    restitution: Option<f64>,
}

/// What a touch does.
#[derive(Clone, Copy, Serialize)]
struct Touch {
    /// Contact time in s.
    contact_time: f64,
    /// Mean spectral centroid in Hz of what is heard; `None` of silence.
    centroid: Option<f64>,
    /// Speed of parting over speed of meeting.
    restitution: f64,
    /// Velocity at the touch in m/s, and the largest force in N.
    velocity: f64,
    peak_force: f64,
}

/// What is asked of a touch, if it has it.
type Feature = fn(&Touch) -> Option<f64>;

/// The contact found, and what it does.
#[derive(Serialize)]
struct Found<'a> {
    scene: &'a str,
    contact: &'a str,
    stiffness: f64,
    dissipation: f64,
    #[serde(flatten)]
    touch: Touch,
}

/// The contact of a scene, about to be tried.
struct Trial {
    instrument: Instrument,
    interaction: usize,
    stiffness: ParameterId,
    dissipation: Option<ParameterId>,
    listens: bool,
    duration: f64,
}

/// Finds the contact and reports.
pub fn execute(args: &Args, scene: &std::path::Path, contact: Option<&str>) -> Result<(), Error> {
    let wanted = Wanted::of(args)?;
    let found = gallery::find(scene)?;
    let reading = Reading { overrides: changes(&args.changes)?, ..Reading::default() };
    let scene = ictus_scene::read(&found.source, &reading).map_err(|problems| Error::Scene(Box::new(problems)))?;
    let names = names(&scene);
    let contact = chosen(&found.name, &names, contact)?;
    let trial = Trial::of(&scene, &contact, wanted.centroid.is_some())?;
    let bar = super::searching();
    let (stiffness, dissipation, touch) = trial.solve(&contact, &wanted)?;
    bar.finish_and_clear();
    let found = Found { scene: &found.name, contact: &contact, stiffness, dissipation, touch };
    if args.json { crate::commands::print_json(&found) } else { table::print(&found.text()) }
}

impl Wanted {
    fn of(args: &Args) -> Result<Self, Error> {
        let positive = |option, text: &Option<String>, unit| {
            text.as_deref().map(|text| quantity(option, text, Allowed::Positive, unit)).transpose()
        };
        let wanted = Self {
            contact_time: positive("--contact-time", &args.contact_time, "s")?,
            centroid: positive("--centroid", &args.centroid, "Hz")?,
            restitution: positive("--restitution", &args.restitution, "")?,
        };
        match (wanted.contact_time, wanted.centroid, wanted.restitution) {
            (None, None, None) => Err(Error::option(
                "--contact-time",
                "missing",
                "must be given, or --centroid or --restitution, or two of them",
            )),
            (Some(_), Some(_), Some(_)) => {
                let text = args.restitution.as_deref().unwrap_or_default();
                Err(Error::option("--restitution", text, "two things fix K and μ of a scene's contact: leave one out"))
            }
            _ => Ok(wanted),
        }
    }
}

/// The contacts whose stiffness can be set, in order.
fn names(scene: &Scene) -> Vec<String> {
    let parameters = scene.parameters();
    let is_set =
        |name: &str| parameters.iter().any(|parameter| parameter.live && parameter.path == format!("{name}.stiffness"));
    scene
        .model
        .interactions
        .iter()
        .map(|interaction| interaction.name.to_string())
        .filter(|name| is_set(name))
        .collect()
}

/// The contact that is meant: the only one if none is named.
fn chosen(scene: &str, names: &[String], contact: Option<&str>) -> Result<String, Error> {
    let list = || names.iter().take(12).map(String::as_str).collect::<Vec<_>>().join(", ");
    let scene = crate::error::shown(scene);
    match (contact, names) {
        (_, []) => Err(Error::Input(format!("{scene} has no contact whose stiffness can be chosen"))),
        (Some(contact), _) if names.iter().any(|name| name == contact) => Ok(contact.to_owned()),
        (Some(contact), _) => Err(Error::Option {
            option: "CONTACT",
            value: contact.to_owned(),
            allowed: format!("must be one of {}", list()),
            suggestion: ictus::names::nearest(contact, names.iter().map(String::as_str)).map(str::to_owned),
        }),
        (None, [only]) => Ok(only.clone()),
        (None, _) => {
            Err(Error::option("CONTACT", "missing", format!("{scene} has several: must be one of {}", list())))
        }
    }
}

impl Trial {
    fn of(scene: &Scene, contact: &str, listens: bool) -> Result<Self, Error> {
        let instrument = Instrument::new(scene).map_err(|error| Error::Input(error.to_string()))?;
        let interaction = scene.model.interactions.iter().position(|interaction| &*interaction.name == contact);
        let stiffness = instrument.parameter(&format!("{contact}.stiffness"));
        let (Some(interaction), Some(stiffness)) = (interaction, stiffness) else {
            return Err(Error::option("CONTACT", contact, "must be a contact whose stiffness can be set"));
        };
        let dissipation = instrument.parameter(&format!("{contact}.dissipation"));
        let duration = scene.duration.min(LONGEST);
        Ok(Self { instrument, interaction, stiffness, dissipation, listens, duration })
    }

    /// What the first touch does; `None` if there is none, or if it does not end.
    fn touch(&self, stiffness: f64, dissipation: Option<f64>) -> Option<Touch> {
        let mut instrument = self.instrument.clone();
        instrument.set(self.stiffness, stiffness).ok()?;
        if let (Some(parameter), Some(dissipation)) = (self.dissipation, dissipation) {
            instrument.set(parameter, dissipation).ok()?;
        }
        let (rate, channels) = (instrument.rate(), instrument.channels());
        let mut block = vec![0.0; BLOCK * channels];
        let mut heard: Vec<f64> = Vec::new();
        let mut first = None;
        while instrument.time() < self.duration {
            instrument.process(&mut block);
            if instrument.breakdowns() > 0 {
                return None;
            }
            heard.extend(block.chunks_exact(channels).map(|frame| frame.iter().sum::<f64>()));
            for event in instrument.drain_contacts().filter(|event| event.contact.index() == self.interaction) {
                first.get_or_insert(event);
            }
            if let Some(event) = first
                && (!self.listens || instrument.time() > event.touch / rate + LISTENED)
            {
                break;
            }
        }
        let event = first?;
        let from = (event.touch.max(0.0) as usize).min(heard.len());
        let past = (from + (LISTENED * rate) as usize).min(heard.len());
        let centroid = if self.listens {
            average_centroid(&heard[from..past], rate, Framing::default(), Weighting::Amplitude).ok().flatten()
        } else {
            None
        };
        Some(Touch {
            contact_time: event.duration() / rate,
            centroid,
            restitution: -event.v_out / event.v_in,
            velocity: event.v_in,
            peak_force: event.peak_force,
        })
    }

    /// Stiffness, dissipation and what they do.
    fn solve(&self, contact: &str, wanted: &Wanted) -> Result<(f64, f64, Touch), Error> {
        let written = self.dissipation.and_then(|parameter| self.instrument.value(parameter));
        // What grows with the stiffness comes first: it is found for every dissipation that is tried.
        let (option, target, of): (_, _, Feature) = match (wanted.contact_time, wanted.centroid, wanted.restitution) {
            (Some(time), ..) => ("--contact-time", 1.0 / time, |touch| Some(1.0 / touch.contact_time)),
            (None, Some(centroid), _) => ("--centroid", centroid, |touch| touch.centroid),
            (None, None, restitution) => {
                let dissipation = self.dissipation.ok_or_else(|| no_dissipation(contact))?;
                return self.solve_restitution(dissipation, restitution.unwrap_or(1.0));
            }
        };
        let second: Option<(_, _, Feature)> = match (wanted.centroid, wanted.restitution) {
            (_, Some(restitution)) => Some(("--restitution", restitution, |touch| Some(touch.restitution))),
            (Some(centroid), None) if wanted.contact_time.is_some() => {
                Some(("--centroid", centroid, |touch| touch.centroid))
            }
            _ => None,
        };
        let stiffness = |dissipation| self.stiffness_for(dissipation, target, of);
        let Some((second_option, second_target, second_of)) = second else {
            let found = stiffness(written).ok_or_else(|| self.out_of_reach((option, target), of, written))?;
            return Ok((found.0, written.unwrap_or(0.0), found.1));
        };
        if self.dissipation.is_none() {
            return Err(no_dissipation(contact));
        }
        let value = |dissipation: f64| stiffness(Some(dissipation)).and_then(|(_, touch)| second_of(&touch));
        let [mut low, mut high] = DISSIPATIONS;
        let at_low = value(low).ok_or_else(|| self.out_of_reach((option, target), of, Some(low)))?;
        // The largest dissipation with which the first target can still be met.
        let mut at_high = value(high);
        while at_high.is_none() && high > 1e-3 {
            high *= 0.5;
            at_high = value(high);
        }
        let at_high = at_high.unwrap_or(at_low);
        if (at_low < second_target) == (at_high < second_target) {
            let (least, most) = (at_low.min(at_high), at_low.max(at_high));
            let reach = format!(
                "with the other target met, it goes from {} to {}",
                significant(least, 3),
                significant(most, 3)
            );
            return Err(Error::option(second_option, significant(second_target, 6), reach));
        }
        for _ in 0..HALVINGS[1] {
            let middle = 0.5 * (low + high);
            let is_low_side = value(middle).is_some_and(|value| (value < second_target) == (at_low < second_target));
            if is_low_side { low = middle } else { high = middle }
        }
        let found = stiffness(Some(low)).ok_or_else(|| self.out_of_reach((option, target), of, Some(low)))?;
        Ok((found.0, low, found.1))
    }

    /// The dissipation that makes the rebound, with the stiffness as it is written.
    fn solve_restitution(&self, parameter: ParameterId, wanted: f64) -> Result<(f64, f64, Touch), Error> {
        let stiffness = self.instrument.value(self.stiffness).unwrap_or(0.0);
        let at = |dissipation: f64| self.touch(stiffness, Some(dissipation));
        let restitution = |dissipation: f64| at(dissipation).map(|touch| touch.restitution);
        let [mut low, mut high] = DISSIPATIONS;
        let (most, least) = (restitution(low).unwrap_or(f64::NAN), restitution(high).unwrap_or(f64::NEG_INFINITY));
        if !(wanted <= most && wanted >= least) {
            let written = self.instrument.value(parameter).unwrap_or(0.0);
            let now = restitution(written).map_or("-".to_owned(), |value| significant(value, 3));
            let reach = format!("without dissipation it is {}, as written {now}", significant(most, 3));
            return Err(Error::option("--restitution", significant(wanted, 6), reach));
        }
        for _ in 0..2 * HALVINGS[1] {
            let middle = 0.5 * (low + high);
            if restitution(middle).is_some_and(|value| value > wanted) { low = middle } else { high = middle }
        }
        let touch = at(low)
            .ok_or_else(|| Error::option("--restitution", significant(wanted, 6), "the contact does not end"))?;
        Ok((stiffness, low, touch))
    }

    /// The stiffness at which something that grows with it reaches a target.
    fn stiffness_for(&self, dissipation: Option<f64>, target: f64, of: Feature) -> Option<(f64, Touch)> {
        let value = |stiffness: f64| self.touch(stiffness, dissipation).and_then(|touch| of(&touch));
        let [mut low, mut high] = STIFFNESSES;
        for _ in 0..HALVINGS[0] {
            let middle = (low * high).sqrt();
            // What touches so softly that it does not come off in time is below every target.
            if value(middle).is_some_and(|value| value > target) { high = middle } else { low = middle }
        }
        let touch = self.touch(high, dissipation)?;
        of(&touch).filter(|value| (value / target - 1.0).abs() < MET).map(|_| (high, touch))
    }

    /// Why no stiffness does what is asked.
    fn out_of_reach(&self, (option, target): (&'static str, f64), of: Feature, dissipation: Option<f64>) -> Error {
        let is_time = option == "--contact-time";
        let told = |value: f64| if is_time { 1.0 / value } else { value };
        let values: Vec<f64> = (0..=28)
            .filter_map(|n| of(&self.touch(STIFFNESSES[0] * 10f64.powf(0.5 * f64::from(n)), dissipation)?))
            .map(told)
            .collect();
        let unit = if is_time { "s" } else { "Hz" };
        let reach = |least: f64, most: f64| format!("{} to {} {unit}", significant(least, 3), significant(most, 3));
        let wanted = told(target);
        let below = values.iter().copied().filter(|value| *value < wanted).reduce(f64::max);
        let above = values.iter().copied().filter(|value| *value > wanted).reduce(f64::min);
        let reason = match (below, above) {
            (Some(below), Some(above)) => {
                format!(
                    "cannot be had here: it jumps from {}, as what comes back through the body ends the touch",
                    reach(below, above)
                )
            }
            (None, None) => {
                "cannot be had: the contact never touches and comes off again while the scene plays".to_owned()
            }
            _ => {
                let (least, most) = values
                    .iter()
                    .fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(*value), most.max(*value)));
                format!("cannot be had here: it goes from {}", reach(least, most))
            }
        };
        Error::option(option, significant(wanted, 6), reason)
    }
}

fn no_dissipation(contact: &str) -> Error {
    Error::option("CONTACT", contact, "has no dissipation to choose: ask for one thing only")
}

impl Found<'_> {
    fn text(&self) -> String {
        let Touch { contact_time, centroid, restitution, velocity, peak_force } = self.touch;
        let mut text = format!(
            "{}  {} of {}, touched at {} m/s\n\n",
            styled(HEADING, "design"),
            self.contact,
            self.scene,
            significant(velocity, 4)
        );
        let mut line = |name: &str, value: String| {
            text.push_str(&format!("{}  {value}\n", styled(HEADING, &format!("{name:<14}"))))
        };
        line("stiffness", format!("{} N/m^α", significant(self.stiffness, 7)));
        line("dissipation", format!("{} s/m", significant(self.dissipation, 6)));
        line("contact time", format!("{} ms", significant(1e3 * contact_time, 5)));
        if let Some(centroid) = centroid {
            line("centroid", format!("{} Hz", significant(centroid, 5)));
        }
        line("restitution", significant(restitution, 4));
        line("largest force", format!("{} N", significant(peak_force, 4)));
        let (contact, scene) = (self.contact, self.scene);
        let (stiffness, dissipation) = (significant(self.stiffness, 7), significant(self.dissipation, 6));
        let try_it = format!(
            "\nHear it: ictus render {scene} --set {contact}.stiffness={stiffness} --set {contact}.dissipation={dissipation}\n"
        );
        text + &styled(NOTE, &try_it)
    }
}
