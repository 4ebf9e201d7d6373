//! Any object, for the engine's list.

use fearless_simd::Level;

use super::{At, Barrier, Body, Line, Mass, Modal, ObjectError, Place, Sheet, Support};

macro_rules! bodies {
    ($($variant:ident($body:ty)),* $(,)?) => {
        /// One of the objects there are.
        #[derive(Clone, Debug)]
        pub(crate) enum AnyBody {
            $($variant($body),)*
        }

        impl Body for AnyBody {
            #[inline]
            fn free_step(&mut self, level: Level) {
                match self { $(AnyBody::$variant(body) => body.free_step(level),)* }
            }
            #[inline]
            fn read(&self, support: &Support, at: At) -> f64 {
                match self { $(AnyBody::$variant(body) => body.read(support, at),)* }
            }
            #[inline]
            fn push(&mut self, support: &Support, force: f64) {
                match self { $(AnyBody::$variant(body) => body.push(support, force),)* }
            }
            fn admittance(&self, here: &Support, there: &Support) -> f64 {
                match self { $(AnyBody::$variant(body) => body.admittance(here, there),)* }
            }
            fn dissipated_in_step(&self) -> f64 {
                match self { $(AnyBody::$variant(body) => body.dissipated_in_step(),)* }
            }
            #[inline]
            fn advance(&mut self) {
                match self { $(AnyBody::$variant(body) => body.advance(),)* }
            }
            fn stored_energy(&self) -> f64 {
                match self { $(AnyBody::$variant(body) => body.stored_energy(),)* }
            }
            fn support(&self, place: Place) -> Result<Support, ObjectError> {
                match self { $(AnyBody::$variant(body) => body.support(place),)* }
            }
            fn reset(&mut self) {
                match self { $(AnyBody::$variant(body) => body.reset(),)* }
            }
            fn quieten(&mut self) {
                match self { $(AnyBody::$variant(body) => body.quieten(),)* }
            }
        }
    };
}

bodies!(Mass(Mass), Barrier(Barrier), Modal(Box<Modal>), Line(Box<Line>), Sheet(Box<Sheet>),);

impl AnyBody {
    /// How far an object whose motion is prescribed moves from the previous to the next sample, in m; `None` for all others.
    #[inline]
    pub(crate) fn prescribed_step(&self) -> Option<f64> {
        match self {
            AnyBody::Barrier(barrier) => {
                Some(barrier.read(&Support::Whole, At::Next) - barrier.read(&Support::Whole, At::Previous))
            }
            _ => None,
        }
    }

    /// Whether it moves as one free mass, or not at all: nothing it does in a contact comes back later.
    pub(crate) fn is_free_mass(&self) -> bool {
        match self {
            AnyBody::Mass(mass) => mass.is_free(),
            AnyBody::Barrier(_) => true,
            _ => false,
        }
    }
}
