//! What the list of objects asks of a description: the body it builds, its weight and its extent.

use super::{AnyBody, End, ObjectError, Outline, Place, PlateEdges, Site};

/// The extent of an object: where it can be touched, and how it is held there.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Extent {
    /// It has none, and is touched as a whole.
    Whole,
    /// So many points, by their numbers.
    Points(usize),
    /// A line, touched at a fraction of its length.
    Line {
        /// Length in m.
        length: f64,
        /// How its two ends are held.
        ends: [End; 2],
    },
    /// A surface, touched at fractions of its two sides.
    Sheet {
        /// Its outline.
        outline: Outline,
        /// How its edges are held.
        edges: PlateEdges,
    },
}

impl Extent {
    /// Whether an object of this extent has such a place.
    #[must_use]
    pub fn has(&self, place: Place) -> bool {
        match (self, place) {
            (Extent::Whole, Place::Whole) | (Extent::Line { .. }, Place::Along(_)) => true,
            (Extent::Sheet { .. }, Place::On(..)) => true,
            (Extent::Points(count), Place::Point(point)) => point < *count,
            _ => false,
        }
    }

    /// Its sides in m; 0 where it has none.
    #[must_use]
    pub fn sides(&self) -> [f64; 2] {
        match self {
            Extent::Line { length, .. } => [*length, 0.0],
            Extent::Sheet { outline, .. } => outline.extent(),
            Extent::Whole | Extent::Points(_) => [0.0; 2],
        }
    }
}

/// A description that is in the list `object_specs!`.
pub(crate) trait Description {
    /// What it is, in the word that scenes use.
    const KIND: &'static str;

    /// The body it describes.
    fn build(&self, site: &Site) -> Result<AnyBody, ObjectError>;

    /// Mass in kg of the whole body, if it has one and its numbers tell.
    fn mass(&self) -> Option<f64>;

    /// Whether it holds itself against a load, so that it can neither move nor turn as a whole.
    fn is_held(&self) -> bool;

    /// Its extent.
    fn extent(&self) -> Extent;
}

/// Makes the list of descriptions one type, which knows what each of them knows.
macro_rules! object_specs {
    ($($variant:ident($spec:ident)),* $(,)?) => {
        /// What an object is.
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum ObjectSpec {
            $(#[doc = concat!("See [`", stringify!($spec), "`].")] $variant($spec),)*
        }

        impl ObjectSpec {
            /// What it is, in the word that scenes use.
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => $spec::KIND,)* }
            }

            /// Mass in kg of the whole body. `None` for a barrier, for a modal object that has no mode which
            /// [moves it as a whole](ModalSpec::whole), and where a number is out of range.
            #[must_use]
            pub fn mass(&self) -> Option<f64> {
                let mass = match self { $(Self::$variant(spec) => spec.mass(),)* };
                mass.filter(|mass| mass.is_finite())
            }

            /// Whether it holds itself against a load: it has a spring to the ground, or ends or edges that are held so that it
            /// can neither move nor turn as a whole.
            #[must_use]
            pub fn is_held(&self) -> bool {
                match self { $(Self::$variant(spec) => spec.is_held(),)* }
            }

            /// Where it can be touched, and how it is held there.
            #[must_use]
            pub fn extent(&self) -> Extent {
                match self { $(Self::$variant(spec) => spec.extent(),)* }
            }

            pub(crate) fn build(&self, site: &Site) -> Result<AnyBody, ObjectError> {
                match self { $(Self::$variant(spec) => spec.build(site),)* }
            }
        }

        $(impl From<$spec> for ObjectSpec {
            fn from(spec: $spec) -> Self {
                ObjectSpec::$variant(spec)
            }
        })*
    };
}

pub(super) use object_specs;
