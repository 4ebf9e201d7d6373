//! What physics says against a scene: the model is built, and what the builder refuses is said at the place it was written.
//!
//! Nothing large is built before its size is known: with a limit of no points at all, the builder says how many an object would
//! need, and takes no memory.

use ictus::math::Plain;
use ictus::model::{Limits, ObjectSpec};
use ictus::objects::{Amplitude, Extent, ObjectError, Outline, PlateEdges, PlateSpec};
use ictus::{BuildError, Model, User};

use super::crowd;
use super::draft::Draft;
use super::quantity::shortened;
use crate::objects::words_of;
use crate::problem::{Found, Span};

/// Most grid points of all objects together, a mode counted as [`POINTS_PER_MODE`].
pub(crate) const MOST_POINTS: usize = 1_000_000;

/// Memory of a mode (250 bytes) over that of a grid point (40).
const POINTS_PER_MODE: usize = 8;

/// The same of a circular membrane or plate, whose shapes are tables (1 kB).
const POINTS_PER_ROUND_MODE: usize = 26;

/// Products of two modes and an Airy mode, of which a quarter is kept, in the memory of a grid point.
const PRODUCTS_PER_POINT: usize = 64;

/// Most numbers of the shapes of all plates whose edges are clamped or free: 128 MB.
const MOST_SOLVED: usize = 1 << 24;

/// Most contacts that are refused one by one before the rest is left unsaid.
const MOST_REFUSALS: usize = 10;

impl Draft<'_> {
    /// Asks of every object whether it can be, and how large it is; what is wrong is reported.
    pub(crate) fn check_objects(&self) {
        let (mut all_points, mut all_solved) = (0_usize, 0_usize);
        // The objects of a set were written in one place: one of them speaks for all.
        let mut last_refused = None;
        for (index, object) in self.model.objects.iter().enumerate() {
            let written = &self.objects[index];
            if written.is_faulty || last_refused == Some(written.span) {
                continue;
            }
            match size_of(&object.spec, &self.model) {
                Ok(Size { points, solved }) => {
                    all_points = all_points.saturating_add(points);
                    all_solved = all_solved.saturating_add(solved);
                    if all_solved > MOST_SOLVED {
                        let message = format!(
                            "with this plate the shapes of plates with clamped or free edges take more than {} numbers",
                            grouped(MOST_SOLVED)
                        );
                        self.report(written.span, message, "use fewer such plates, or fewer modes (`highest`)");
                        return;
                    }
                    if all_points > MOST_POINTS {
                        let message = format!(
                            "with this {} the objects have more than {} grid points, a mode counted as {POINTS_PER_MODE}, one of a round body as \
                             {POINTS_PER_ROUND_MODE}",
                            written.kind,
                            grouped(MOST_POINTS)
                        );
                        self.report(written.span, message, "use fewer or smaller objects, or a lower rate");
                        return;
                    }
                    let decay = written.t60.map(|span| (span, decay_fits(&object.spec, &self.model)));
                    if let Some((span, Err(error))) = decay {
                        last_refused = Some(written.span);
                        self.context.report(speak(&error, written.kind, span, self.context.rate));
                    }
                }
                Err(error) => {
                    last_refused = Some(written.span);
                    let grid = written.grid.filter(|_| matches!(error, ObjectError::Unstable { .. }));
                    let decay = written.t60.filter(|_| is_of_decay(&error));
                    let span = grid.or(decay).unwrap_or(written.span);
                    self.context.report(self.refusal(index, &error, span));
                }
            }
        }
    }

    /// Asks of the model whether it can be built; what is wrong is reported.
    pub(crate) fn check_physics(&self) {
        self.check_objects();
        if self.context.has_problems() {
            return;
        }
        let Err(mut error) = self.model.check() else { return };
        let mut model = self.model.clone();
        for _ in 0..MOST_REFUSALS {
            let (span, culprit) = self.locate(&error);
            self.context.report(self.translate(&error, span));
            // Leave out what was refused and look for more.
            let Some(culprit) = culprit else { return };
            let before = (model.interactions.len(), model.forces.len());
            model.interactions.retain(|contact| contact.name != culprit);
            model.forces.retain(|force| force.name != culprit);
            if (model.interactions.len(), model.forces.len()) == before {
                return;
            }
            model.pickups.clear();
            match model.check() {
                Ok(()) => return,
                Err(next) => error = next,
            }
        }
    }

    /// Where the cause of a refusal was written, and the name of the contact or force it is.
    fn locate(&self, error: &BuildError) -> (Span, Option<String>) {
        let start = Span::Text { start: 0, end: 0 };
        let contact = |name: &str| {
            let index = self.model.interactions.iter().position(|contact| contact.name == name);
            (index.map_or(start, |index| self.contacts[index]), Some(name.to_owned()))
        };
        match error {
            BuildError::Object { name, .. } | BuildError::TooManyPoints { object: name, .. } => {
                let index = self.model.objects.iter().position(|object| object.name == *name);
                (index.map_or(start, |index| self.objects[index].span), None)
            }
            BuildError::Immovable(name) | BuildError::NotSpreadable { name, .. } => contact(name),
            BuildError::Value { user: User::Interaction(name), .. } => contact(name),
            BuildError::Value { user: User::Force(name), .. } => {
                let index = self.model.forces.iter().position(|force| force.name == *name);
                (index.map_or(start, |index| self.forces[index]), Some(name.clone()))
            }
            BuildError::Value { user: User::Pickup(number), .. } => {
                (self.pickups.get(*number).copied().unwrap_or(start), None)
            }
            _ => (self.contacts.last().copied().unwrap_or(start), None),
        }
    }

    /// What is said against an object by its place in the model.
    fn refusal(&self, object: usize, error: &ObjectError, span: Span) -> Found {
        let spec = &self.model.objects[object].spec;
        crowd::speak(error, spec, self.model.limits.modes, span)
            .unwrap_or_else(|| speak(error, self.objects[object].kind, span, self.context.rate))
    }

    fn translate(&self, error: &BuildError, span: Span) -> Found {
        match error {
            BuildError::Object { name, error } => {
                match self.model.objects.iter().position(|object| object.name == *name) {
                    Some(index) => self.refusal(index, error, span),
                    None => speak(error, "object", span, self.context.rate),
                }
            }
            BuildError::Immovable(_) => Found::new(span, "neither end of this contact can move")
                .help("a barrier, and the held end of a string or the edge of a plate, stand still: move one end"),
            BuildError::NotSpreadable { needs, .. } => {
                Found::new(span, format!("this contact cannot be spread: {needs}"))
                    .help("`segments` sets the grid of a string")
            }
            BuildError::TooManyInteractions { count, limit } => {
                let message =
                    format!("at least {count} contacts, counting each point of a spread one; the limit is {limit}");
                Found::new(span, message).help("shorten a profile, coarsen `segments`, or raise `limits.interactions`")
            }
            BuildError::TooManyPoints { object, points, modes, limit } => {
                let message = format!(
                    "{points} points of `{}` are touched, pushed or heard; with its {modes} modes and the points of other bodies they \
                     take more than {} numbers",
                    shortened(object),
                    grouped(*limit)
                );
                Found::new(span, message)
                    .help("use fewer contacts, forces and pickups on it, or fewer modes (`highest`)")
            }
            BuildError::TooTangled { count, limit } => {
                let message = format!("{count} contacts can affect each other; at most {limit} can be solved together");
                Found::new(span, message).help("spread fewer points: a shorter profile, or fewer `segments`")
            }
            BuildError::Value { error: ObjectError::NoSuchPlace { kind, allowed, .. }, .. } => {
                Found::new(span, format!("this is not a place on the {kind}")).help(*allowed)
            }
            BuildError::Value { error, .. } => Found::new(span, shortened(&error.to_string())),
            other => Found::new(span, other.to_string()),
        }
    }
}

/// How large an object is.
struct Size {
    /// Its grid points, a mode counted as several.
    points: usize,
    /// Numbers of its shapes, if they have to be solved for.
    solved: usize,
}

/// How large an object is; found without building it if it is too large.
fn size_of(spec: &ObjectSpec, model: &Model) -> Result<Size, ObjectError> {
    let of_points = |points: usize| Size { points, solved: 0 };
    if let ObjectSpec::Modal(modal) = spec {
        let points = modal.modes.len().saturating_mul(modal.points.len());
        let limit = model.limits.grid_points;
        return if points > limit { Err(ObjectError::TooLarge { points, limit }) } else { Ok(of_points(points)) };
    }
    let none = Limits { grid_points: 0, modes: 0, contact_events: 0, ..Limits::default() };
    let alone = Model { limits: none, ..Model::new(model.rate).with("object", spec.clone()) };
    match alone.check() {
        Err(BuildError::Object { error: ObjectError::TooLarge { points, .. }, .. }) => {
            let limit = model.limits.grid_points;
            if points > limit { Err(ObjectError::TooLarge { points, limit }) } else { Ok(of_points(points)) }
        }
        Err(BuildError::Object { error: ObjectError::TooManyModes { modes, highest, .. }, .. }) => {
            let limit = model.limits.modes;
            if modes > limit {
                Err(ObjectError::TooManyModes { modes, highest, limit })
            } else {
                let Size { points, solved } = in_modes(spec.extent(), modes);
                Ok(Size {
                    points: points
                        .saturating_add(products_of(spec, modes).min(model.limits.products) / PRODUCTS_PER_POINT),
                    solved,
                })
            }
        }
        Err(BuildError::Object { error, .. }) => Err(error),
        _ => Ok(of_points(1)),
    }
}

/// How many products of its modes stretch a plate by von Kármán. Of more than the limit a plate is not built, and that says why.
fn products_of(spec: &ObjectSpec, modes: usize) -> usize {
    match spec {
        ObjectSpec::Plate(PlateSpec { amplitude: Amplitude::VonKarman { airy_modes }, .. }) => {
            modes.saturating_mul(modes).saturating_mul(airy_modes.unwrap_or(modes.min(24)))
        }
        _ => 0,
    }
}

/// How large an object of this extent is in so many modes. The shapes of rectangular plates that are not supported on all edges are solved for;
/// opposite edges that are alike make two problems of half the size.
fn in_modes(extent: Extent, modes: usize) -> Size {
    let per_mode = match extent {
        Extent::Sheet { outline: Outline::Circle(_), .. } => POINTS_PER_ROUND_MODE,
        _ => POINTS_PER_MODE,
    };
    let problems = match extent {
        Extent::Sheet { outline: Outline::Rectangle(_), edges: PlateEdges::Each(ends) } => {
            ends.iter().map(|[one, other]| if one == other { 2 } else { 1 }).product()
        }
        Extent::Sheet { outline: Outline::Rectangle(_), edges: PlateEdges::Clamped | PlateEdges::Free } => 4,
        _ => usize::MAX,
    };
    Size { points: modes.saturating_mul(per_mode), solved: 3 * modes.saturating_mul(modes) / problems }
}

/// Whether it is the decay times that are refused.
fn is_of_decay(error: &ObjectError) -> bool {
    matches!(error, ObjectError::OutOfRange { parameter, .. } if parameter.contains("T60"))
}

/// Whether an object can decay in the times asked for: its modes must be known for that, so it is built.
fn decay_fits(spec: &ObjectSpec, model: &Model) -> Result<(), ObjectError> {
    let alone = Model { limits: model.limits, ..Model::new(model.rate).with("object", spec.clone()) };
    match alone.check() {
        Err(BuildError::Object { error, .. }) if is_of_decay(&error) => Err(error),
        // What else is wrong with it is told where it is built among the others.
        _ => Ok(()),
    }
}

/// An object's refusal in the words of physics, with what one could change.
pub(crate) fn speak(error: &ObjectError, kind: &str, span: Span, rate: f64) -> Found {
    let rate = rate / 1000.0;
    let words = words_of(kind);
    match error {
        ObjectError::TooLarge { points, limit } => {
            let change = words.coarser;
            let message = format!(
                "this {kind} needs {} grid points at {rate} kHz; the limit is {}",
                grouped(*points),
                grouped(*limit)
            );
            Found::new(span, message).help(format!("{change}, lower the rate, or raise `limits.grid_points`"))
        }
        ObjectError::TooSmall { points, least } => {
            let change = words.finer;
            let count = if *points == 1 { "one grid point".to_owned() } else { format!("{points} grid points") };
            let message = format!("this {kind} has only {count} along a side at {rate} kHz, and needs {least}");
            Found::new(span, message).help(format!("{change}, less `sigma1`, or a higher rate"))
        }
        ObjectError::Unstable { points, most } => {
            let key = words.grid;
            let message = format!(
                "a grid of {} points would be unstable: this {kind} is stable with at most {} at {rate} kHz",
                grouped(*points),
                grouped(*most)
            );
            Found::new(span, message)
                .help(format!("lower `{key}`, leave it out for the finest stable grid, or raise the rate"))
        }
        ObjectError::OutOfRange { parameter, value, allowed } => {
            let found = Found::new(span, format!("this {kind}: {parameter} is {}, must be {allowed}", Plain(*value)));
            match *parameter {
                "T60 at the higher frequency" => {
                    found.help("bring the two decay times closer together, the higher frequency with the shorter one")
                }
                "frequency" => found.help("raise the rate or lower the frequency"),
                "fundamental frequency" if kind == "string" => {
                    found.help("use a thinner string, or one of less Young's modulus")
                }
                _ => found,
            }
        }
        ObjectError::Amplitude { .. } => Found::new(span, format!("this {kind}: {error}")),
        ObjectError::TooManyAiryModes { airy_modes, modes } => {
            Found::new(span, format!("this {kind} has {airy_modes} Airy modes, and only {modes} modes"))
                .help(format!("lower `airy_modes` to {modes}, or raise `highest`"))
        }
        ObjectError::TooManyProducts { modes, airy_modes, limit, .. } => {
            let most = ((*limit / airy_modes) as f64).sqrt() as usize;
            let message = format!(
                "this {kind} has {} modes and {airy_modes} Airy modes, which are too many to be stretched together",
                grouped(*modes)
            );
            Found::new(span, message).help(format!(
                "lower `highest` or `airy_modes`: with these, {} modes can be; or raise `limits.products`",
                grouped(most)
            ))
        }
        other => Found::new(span, other.to_string()),
    }
}

/// A number with commas between its thousands.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
