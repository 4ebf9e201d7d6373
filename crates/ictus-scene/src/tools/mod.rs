//! Tools: what plays. One file for each kind, with its keys, its parts in the model, how it is played and how it is written; and its
//! name in `tools!`.
//!
//! Reader, writer, schema, documentation, parameters, instrument, drawings and warnings ask the list.

mod bow;
mod damper;
mod finger;
mod hammer;
mod plectrum;
mod pluck;
mod signal;

pub use bow::Bow;
pub use damper::Damper;
pub(crate) use damper::MOST_DAMPED;
pub use finger::Finger;
pub use hammer::Hammer;
pub use plectrum::Plectrum;
pub use pluck::Pluck;
pub use signal::Signal;

use ictus::Model;
use ictus::id::{ContactId, ForceId, ObjectId};
use ictus::model::{ObjectSpec, Point};
use ictus::objects::Place;

use crate::ExciterId;
use crate::instrument::{Mechanism, PlayError};
use crate::read::{Draft, Fields, Made, Naming};
use crate::registry::{Field, Kind, TableInfo};
use crate::scene::{Exciter, Parameter, Scene};
use crate::silence::Prospect;
use crate::units::Measure;
use crate::write::{Owner, Rows, WriteError};

/// What a kind of tool tells about itself.
#[derive(Clone, Copy, Debug)]
pub struct ToolInfo {
    /// Name in scenes: `kind = "hammer"`.
    pub name: &'static str,
    /// The key of the event that plays it; one of the verbs of [`crate::registry::played`].
    pub verb: &'static str,
    /// How hard it plays.
    pub amount: Amount,
    /// Whether it takes a time to come to its amount: the `over` of an event.
    pub takes_time: bool,
    /// Whether it goes on when it plays, and follows what it is set to.
    pub goes_on: bool,
    /// The object it moves, if it has one.
    pub moves: Option<Moved>,
    /// The law it has if it names none, for a kind that can name one.
    pub law: Option<&'static str>,
    /// Whether it has a resistance beside its law.
    pub damping: bool,
    /// Whether it comes from a distance: its `clearance`.
    pub clearance: bool,
    /// What it can be `of` instead of making its own parts.
    pub of: Option<Part>,
}

/// How hard a tool plays.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// Its key in exciters and events, and its name in messages.
    pub key: &'static str,
    /// What it measures.
    pub(crate) measure: Measure,
    /// Its SI unit.
    pub unit: &'static str,
    /// Least and largest value, in that unit.
    pub range: [f64; 2],
    /// The value if nothing else is said, in that unit.
    pub usual: f64,
}

/// What a tool moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// A mass, which is thrown and put back by every blow.
    Mass,
    /// A barrier, which goes as it is told.
    Barrier,
}

impl Moved {
    /// The kind of object in one word.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Moved::Mass => "mass",
            Moved::Barrier => "barrier",
        }
    }

    /// Whether an object is of this kind.
    pub(crate) fn is(self, spec: &ObjectSpec) -> bool {
        spec.kind() == self.kind()
    }
}

/// A part of a scene that a tool can be `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A contact, whose `from` is what the tool moves.
    Contact,
    /// A force with samples.
    Force,
}

/// The parts of the model that a tool consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The mass or barrier it moves.
    pub body: Option<ObjectId>,
    /// The contact it plays with, as `from`.
    pub contact: Option<ContactId>,
    /// The force it plays.
    pub force: Option<ForceId>,
    /// The object that it plucks or damps without a contact.
    pub plucked: Option<ObjectId>,
}

/// A part that the scene has, for a tool that is `of` it.
#[derive(Clone, Copy)]
pub(crate) enum Held {
    /// A contact, its `from`, and a clearance in m.
    Contact { body: ObjectId, contact: ContactId, clearance: f64 },
    /// A force.
    Force(ForceId),
}

/// What the list asks of a tool.
pub(crate) trait ToolKind: Copy + Into<Tool> {
    const INFO: ToolInfo;

    /// Its keys in a scene, without `kind` and those of a law.
    fn table() -> TableInfo;

    /// From the keys to its parts in the model; what is wrong is reported.
    fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made>;

    /// The tool of a part that the scene has, if it can be.
    fn of(_held: Held) -> Option<Self> {
        None
    }

    /// Its keys in the text besides `kind`, `on` and `name`.
    fn write(&self, rows: &mut Rows<'_>, scene: &Scene, exciter: &Exciter) -> Result<(), WriteError>;

    /// Whether its parts are what the reader would make of its keys.
    fn is_as_read(&self, owner: &Owner<'_>, exciter: &Exciter) -> Option<()>;

    /// The parts it consists of.
    fn parts(&self) -> Parts;

    /// The same tool with its parts elsewhere in the model.
    fn with_parts(self, parts: Parts) -> Self;

    /// The amount of a tool `of` a part that does not state one.
    fn usual_of(&self, _model: &Model) -> f64 {
        Self::INFO.amount.usual
    }

    /// Distance in m from which it comes.
    fn clearance(&self) -> Option<f64> {
        None
    }

    /// The place it plays at, for one that plays without a contact: a fraction of the length.
    fn centre(&self) -> Option<f64> {
        None
    }

    /// Whether it plays from the start, before anything is said.
    fn lies_at_the_start(&self) -> bool {
        false
    }

    /// See [`centre`](Self::centre).
    fn centre_mut(&mut self) -> Option<&mut f64> {
        None
    }

    /// What follows its amount while it plays.
    fn followed(&self) -> Option<Parameter> {
        None
    }

    /// What comes to 0 once it has left.
    fn stops(&self) -> Option<Parameter> {
        None
    }

    /// What the `force` of an event sets.
    fn pressed(&self) -> Option<Parameter> {
        None
    }

    /// The key of a live parameter of its law; `None` for one that it does not show.
    fn law_key<'k>(&self, key: &'k str) -> Option<&'k str> {
        Some(key)
    }

    /// Whether its numbers are in range and its object is one it can play.
    fn check(&self, _model: &Model) -> Result<(), PlayError> {
        Ok(())
    }

    /// Plays this hard; one that takes time comes over a time in s.
    fn play(&self, mechanism: &mut Mechanism, exciter: ExciterId, amount: f64, over: f64) -> Result<(), PlayError>;

    /// Stops over a time in s, if it has not left by itself.
    fn release(&self, _mechanism: &mut Mechanism, _exciter: ExciterId, _over: f64) -> Result<(), PlayError> {
        Ok(())
    }

    /// What it sets in motion when it plays this hard at a time in s, or why it does not.
    fn stir(&self, prospect: &mut Prospect<'_>, exciter: ExciterId, amount: f64, time: f64);
}

/// A kind of tool for the reader.
pub struct ToolEntry {
    /// What it tells about itself.
    pub info: ToolInfo,
    pub(crate) table: fn() -> TableInfo,
    pub(crate) read: fn(&Fields<'_>, &mut Draft<'_>, &Naming<'_>) -> Option<Made>,
    pub(crate) of: fn(Held) -> Option<Tool>,
}

macro_rules! tools {
    ($($tool:ident),* $(,)?) => {
        /// The kinds of tools.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Tool {
            $(#[doc = concat!("See [`", stringify!($tool), "`].")] $tool($tool),)*
        }

        $(impl From<$tool> for Tool {
            fn from(tool: $tool) -> Self {
                Tool::$tool(tool)
            }
        })*

        /// Every kind of tool.
        pub const TOOLS: &[ToolEntry] = &[$(
            ToolEntry {
                info: $tool::INFO,
                table: $tool::table,
                read: $tool::read,
                of: |held| $tool::of(held).map(Into::into),
            },
        )*];

        impl Tool {
            /// What its kind tells about itself.
            pub fn info(&self) -> &'static ToolInfo {
                match self { $(Tool::$tool(_) => &$tool::INFO,)* }
            }

            /// The parts it consists of.
            pub fn parts(&self) -> Parts {
                match self { $(Tool::$tool(tool) => tool.parts(),)* }
            }

            /// The place it plays at, for one that plays without a contact: a fraction of the length.
            pub fn centre(&self) -> Option<f64> {
                match self { $(Tool::$tool(tool) => tool.centre(),)* }
            }

            pub(crate) fn with_parts(self, parts: Parts) -> Self {
                match self { $(Tool::$tool(tool) => tool.with_parts(parts).into(),)* }
            }

            pub(crate) fn lies_at_the_start(&self) -> bool {
                match self { $(Tool::$tool(tool) => tool.lies_at_the_start(),)* }
            }

            pub(crate) fn centre_mut(&mut self) -> Option<&mut f64> {
                match self { $(Tool::$tool(tool) => tool.centre_mut(),)* }
            }

            pub(crate) fn write(&self, rows: &mut Rows<'_>, scene: &Scene, exciter: &Exciter) -> Result<(), WriteError> {
                match self { $(Tool::$tool(tool) => tool.write(rows, scene, exciter),)* }
            }

            pub(crate) fn is_as_read(&self, owner: &Owner<'_>, exciter: &Exciter) -> Option<()> {
                match self { $(Tool::$tool(tool) => tool.is_as_read(owner, exciter),)* }
            }

            pub(crate) fn usual_of(&self, model: &Model) -> f64 {
                match self { $(Tool::$tool(tool) => tool.usual_of(model),)* }
            }

            pub(crate) fn clearance(&self) -> Option<f64> {
                match self { $(Tool::$tool(tool) => tool.clearance(),)* }
            }

            pub(crate) fn followed(&self) -> Option<Parameter> {
                match self { $(Tool::$tool(tool) => tool.followed(),)* }
            }

            pub(crate) fn stops(&self) -> Option<Parameter> {
                match self { $(Tool::$tool(tool) => tool.stops(),)* }
            }

            pub(crate) fn pressed(&self) -> Option<Parameter> {
                match self { $(Tool::$tool(tool) => tool.pressed(),)* }
            }

            pub(crate) fn law_key<'k>(&self, key: &'k str) -> Option<&'k str> {
                match self { $(Tool::$tool(tool) => tool.law_key(key),)* }
            }

            pub(crate) fn check(&self, model: &Model) -> Result<(), PlayError> {
                match self { $(Tool::$tool(tool) => tool.check(model),)* }
            }

            pub(crate) fn play(
                &self, mechanism: &mut Mechanism, exciter: ExciterId, amount: f64, over: f64,
            ) -> Result<(), PlayError> {
                match self { $(Tool::$tool(tool) => tool.play(mechanism, exciter, amount, over),)* }
            }

            pub(crate) fn release(&self, mechanism: &mut Mechanism, exciter: ExciterId, over: f64) -> Result<(), PlayError> {
                match self { $(Tool::$tool(tool) => tool.release(mechanism, exciter, over),)* }
            }

            pub(crate) fn stir(&self, prospect: &mut Prospect<'_>, exciter: ExciterId, amount: f64, time: f64) {
                match self { $(Tool::$tool(tool) => tool.stir(prospect, exciter, amount, time),)* }
            }
        }
    };
}

tools!(Hammer, Plectrum, Pluck, Bow, Finger, Damper, Signal);

impl Tool {
    /// Unit of the amount it plays with.
    pub fn unit(&self) -> &'static str {
        self.info().amount.unit
    }

    /// Whether it quiets what it plays.
    pub(crate) fn damps(&self) -> bool {
        self.info().verb == Finger::INFO.verb
    }

    /// The point it plays, if its parts are there.
    pub(crate) fn point(&self, model: &Model) -> Option<Point> {
        let Parts { body, contact, force, plucked } = self.parts();
        let own = body.and_then(|body| model.objects.get(body.index())).map(|object| &object.name);
        let of_contact = || {
            let contact = model.interactions.get(contact?.index())?;
            // What comes from above is the upper end.
            Some(if own == Some(&contact.to.object) { contact.from.clone() } else { contact.to.clone() })
        };
        let of_force = || model.forces.get(force?.index()).map(|force| force.at.clone());
        let of_pluck = || Some(Point::on(&model.objects.get(plucked?.index())?.name, Place::Along(self.centre()?)));
        of_contact().or_else(of_force).or_else(of_pluck)
    }

    /// The mass that it throws, if it throws one.
    pub fn thrown(&self) -> Option<ObjectId> {
        self.parts().body.filter(|_| self.info().moves == Some(Moved::Mass))
    }
}

/// Distance in m from which a tool comes that states none.
pub(crate) const CLEARANCE: f64 = 1e-3;

/// The key of the point that a tool plays.
pub(crate) fn on_field() -> Field {
    Field::new("on", Kind::Point).required().doc("The point it plays.")
}
