//! Pickups: what is heard. One file for each kind, and one line in `pickups!`.
//!
//! All kinds are heard at the same instant, the sample at which the forces of a step act.

mod acceleration;
mod displacement;
mod force;
mod velocity;

use std::ops::Range;

use crate::link::Link;
use crate::model::Point;
use crate::objects::{Bodies, Terminal, Use};
use acceleration::Acceleration;
use displacement::Displacement;
use force::Force;
use velocity::Velocity;

/// What a kind of pickup tells about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickupInfo {
    /// Name in scenes: `listen = "velocity"`.
    pub name: &'static str,
    /// What it hears, in a few words.
    pub summary: &'static str,
    /// SI unit of what it hears.
    pub unit: &'static str,
    /// Whether it also hears what stands still, away from 0.
    pub hears_rest: bool,
}

/// Where a pickup listens.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Target<'a> {
    /// At a point of an object.
    Point(&'a Point),
    /// At the interaction of this name.
    Interaction(&'a str),
}

/// A pickup at a point, at work.
trait AtPoint: Clone {
    const INFO: PickupInfo;

    /// What it asks of the object it listens to.
    const USE: Use;

    fn new(at: Terminal) -> Self;

    fn at(&self) -> &Terminal;

    fn at_mut(&mut self) -> &mut Terminal;

    /// Looks up where its point is and was, before some samples in a row: it may have been moved since.
    fn prepare(&mut self, _bodies: &Bodies) {}

    /// The sample of the step under way, before the objects advance, at a rate in Hz.
    fn hear(&mut self, bodies: &Bodies, rate: f64) -> f64;

    /// What it hears of an object that stands still.
    fn hear_still(&self, bodies: &Bodies) -> f64;

    /// The most it hears of a point that goes no farther than a displacement, nor in a step than a move, both in m, at a rate in Hz.
    fn loudest(excursion: [f64; 2], rate: f64) -> f64;
}

/// A pickup at an interaction, at work.
trait AtInteraction: Clone {
    const INFO: PickupInfo;

    /// Listens to these links, which are the points of the interaction.
    fn new(links: Range<usize>) -> Self;

    fn links(&self) -> Range<usize>;

    /// The sample of the step under way, before the objects advance.
    fn hear(&self, links: &[Link]) -> f64;
}

/// Where a pickup at work listens.
pub(crate) enum Heard<'a> {
    Point(&'a Terminal),
    Links(Range<usize>),
}

macro_rules! pickups {
    (at a point: $($(#[$doc:meta])* $point:ident),*; at an interaction: $($(#[$and:meta])* $link:ident),*) => {
        /// What a pickup hears.
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Source {
            $($(#[$doc])* $point(Point),)*
            $($(#[$and])* $link(String),)*
        }

        impl Source {
            /// The kinds that listen at a point; the first is the usual one.
            pub const AT_POINTS: &'static [PickupInfo] = &[$($point::INFO),*];

            /// The kinds that listen at an interaction; the first is the usual one.
            pub const AT_INTERACTIONS: &'static [PickupInfo] = &[$($link::INFO),*];

            /// The names of all kinds in scenes, those at points first.
            pub const NAMES: &'static [&'static str] = &[$($point::INFO.name,)* $($link::INFO.name),*];

            /// What its kind tells about itself.
            pub fn info(&self) -> &'static PickupInfo {
                match self {
                    $(Source::$point(_) => &$point::INFO,)*
                    $(Source::$link(_) => &$link::INFO,)*
                }
            }

            /// Where it listens.
            pub fn target(&self) -> Target<'_> {
                match self {
                    $(Source::$point(point) => Target::Point(point),)*
                    $(Source::$link(name) => Target::Interaction(name),)*
                }
            }

            /// The kind of that name, listening at a point; `None` if no kind that listens at points has it.
            pub fn at_point(name: &str, point: Point) -> Option<Source> {
                match name {
                    $(name if name == $point::INFO.name => Some(Source::$point(point)),)*
                    _ => None,
                }
            }

            /// The kind of that name, listening at a named interaction; `None` if no kind that listens at interactions has it.
            pub fn at_interaction(name: &str, interaction: String) -> Option<Source> {
                match name {
                    $(name if name == $link::INFO.name => Some(Source::$link(interaction)),)*
                    _ => None,
                }
            }

            /// The pickup at work, at a terminal found for a point or at the links found for an interaction.
            pub(crate) fn start<E>(
                &self,
                terminal: impl Fn(&Point) -> Result<Terminal, E>,
                links: impl Fn(&str) -> Result<Range<usize>, E>,
            ) -> Result<Listener, E> {
                Ok(match self {
                    $(Source::$point(point) => Listener::$point($point::new(terminal(point)?)),)*
                    $(Source::$link(name) => Listener::$link($link::new(links(name)?)),)*
                })
            }
        }

        /// A pickup at work.
        #[derive(Clone, Debug)]
        pub(crate) enum Listener {
            $($point($point),)*
            $($link($link),)*
        }

        impl Listener {
            /// See [`AtPoint::prepare`].
            pub(crate) fn prepare(&mut self, bodies: &Bodies) {
                match self {
                    $(Listener::$point(pickup) => pickup.prepare(bodies),)*
                    $(Listener::$link(_) => {})*
                }
            }

            /// Where it listens.
            pub(crate) fn heard(&self) -> Heard<'_> {
                match self {
                    $(Listener::$point(pickup) => Heard::Point(pickup.at()),)*
                    $(Listener::$link(pickup) => Heard::Links(pickup.links()),)*
                }
            }

            /// The place it listens at, if it is one, and what it asks of the object.
            pub(crate) fn place_mut(&mut self) -> Option<(&mut Terminal, Use)> {
                match self {
                    $(Listener::$point(pickup) => Some((pickup.at_mut(), $point::USE)),)*
                    $(Listener::$link(_) => None,)*
                }
            }

            /// What it hears of things that stand still.
            pub(crate) fn hear_still(&self, bodies: &Bodies, links: &[Link]) -> f64 {
                match self {
                    $(Listener::$point(pickup) => pickup.hear_still(bodies),)*
                    $(Listener::$link(pickup) => pickup.hear(links),)*
                }
            }

            /// See [`AtPoint::loudest`]; 0 for one that listens at no point.
            pub(crate) fn loudest(&self, excursion: [f64; 2], rate: f64) -> f64 {
                match self {
                    $(Listener::$point(_) => $point::loudest(excursion, rate),)*
                    $(Listener::$link(_) => 0.0,)*
                }
            }

            /// The sample of the step under way, before the objects advance. Inlined always: else it is a call out of code that is
            /// compiled for vectors.
            #[inline(always)]
            pub(crate) fn hear(&mut self, bodies: &Bodies, links: &[Link], rate: f64) -> f64 {
                match self {
                    $(Listener::$point(pickup) => pickup.hear(bodies, rate),)*
                    $(Listener::$link(pickup) => pickup.hear(links),)*
                }
            }
        }
    };
}

pickups! {
    at a point:
    /// Velocity of a point in m/s, centred: `(u⁺ - u⁻)/2k`, at the start of each step. A mode's velocity after a blow is exact at any
    /// frequency.
    Velocity,
    /// Displacement of a point in m, at the start of each step, as velocity and force are heard. On strings, bars, membranes and plates in modes it is exact
    /// after a blow or a pluck at any frequency. A mass on a spring and a modal object given by its modes are displaced too far by a blow, by ωk/sin ωk
    /// (0.06 dB at 2 kHz and 48 kHz, 1.3 dB at 8 kHz, 5 dB at 15 kHz): there hear the velocity.
    Displacement,
    /// Acceleration of a point in m/s², `(u⁺ - 2u + u⁻)/k²`: what a small surface that moves is heard by in the distance, since the pressure of its sound follows the
    /// acceleration of the air that it displaces. On bodies in modes it is exact after a blow at any frequency.
    Acceleration;
    at an interaction:
    /// Force of a named interaction in N: the mean over the step from half a sample before to half a sample after, which is what the bodies
    /// feel. The peak of a contact of few samples is lower and wider than that of the law.
    Force
}
