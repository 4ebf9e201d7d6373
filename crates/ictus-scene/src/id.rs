//! Handles: which exciter or control of a scene is meant.
//!
//! A handle is the place of a thing in its list of the [`Scene`](crate::Scene), and of one kind only: a control's cannot be given where an
//! exciter's is asked for. It holds for every instrument built from that scene. Ask [`Scene::exciter`](crate::Scene::exciter) or
//! [`Scene::control`](crate::Scene::control) for the handle of a name, or make it from the place in the list.

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident in $list:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
        pub struct $name(usize);

        impl $name {
            #[doc = concat!("The one at this place, from 0, in the list [`", stringify!($list), "`](crate::Scene::", stringify!($list), ") of a scene.")]
            pub const fn new(index: usize) -> Self {
                Self(index)
            }

            /// Its place in the scene's list, from 0.
            pub const fn index(self) -> usize {
                self.0
            }
        }

        impl From<$name> for usize {
            fn from(id: $name) -> usize {
                id.0
            }
        }
    )*};
}

handles!(
    /// An exciter of a scene: a hammer, a bow, a finger and the like.
    ExciterId in exciters;
    /// A control of a scene: a knob.
    ControlId in controls;
);
