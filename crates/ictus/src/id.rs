//! Handles: which object, interaction, force or pickup of a model is meant.
//!
//! A handle is the place of a thing in its list of the [`Model`](crate::Model), and of one kind only: an object's cannot be given where a
//! contact's is asked for. It holds for every engine built from that model. Ask [`Engine::object`](crate::Engine::object) and its like for the
//! handle of a name, or make it from the place in the list.

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident in $list:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(usize);

        impl $name {
            #[doc = concat!("The one at this place, from 0, in the list [`", stringify!($list), "`](crate::Model::", stringify!($list), ") of a model.")]
            pub const fn new(index: usize) -> Self {
                Self(index)
            }

            /// Its place in the model's list, from 0.
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
    /// An object of a model.
    ObjectId in objects;
    /// An interaction of a model: a contact, a spring, a friction.
    ContactId in interactions;
    /// A force from outside of a model.
    ForceId in forces;
    /// A pickup of a model.
    PickupId in pickups;
);
