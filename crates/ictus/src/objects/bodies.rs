//! All objects of a model, each kind in its own list: stepping them needs no decision per object, and memory is read in order.

use fearless_simd::Simd;

use crate::contact::Between;

use super::{Accelerance, At, Barrier, Body, Line, Mass, Modal, ObjectError, Place, Sheet, Support, Use};

macro_rules! kinds {
    ($($kind:ident: $list:ident),* $(,)?) => {
        /// An object by kind and place in the list of its kind.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum BodyId {
            $($kind(usize),)*
        }

        /// The objects of a model.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Bodies {
            /// In the order of the model.
            order: Vec<BodyId>,
            $(pub $list: Vec<$kind>,)*
            /// Whether any barrier has moved, or may: those that never do need not be stepped.
            pub barriers_move: bool,
        }

        $(impl From<$kind> for AnyBody {
            fn from(body: $kind) -> Self {
                AnyBody::$kind(body)
            }
        })*

        /// An object on its way into the list of its kind.
        pub(crate) enum AnyBody {
            $($kind($kind),)*
        }

        impl Bodies {
            /// Adds the next object of the model.
            pub(crate) fn add(&mut self, body: AnyBody) {
                match body {
                    $(AnyBody::$kind(body) => {
                        self.order.push(BodyId::$kind(self.$list.len()));
                        self.$list.push(body);
                    })*
                }
                self.barriers_move |= self.barriers.last().is_some_and(Barrier::is_moving);
            }

            /// An object, for what is not done in every sample.
            pub(crate) fn get(&self, id: BodyId) -> &dyn Body {
                match id { $(BodyId::$kind(index) => &self.$list[index],)* }
            }

            pub(crate) fn get_mut(&mut self, id: BodyId) -> &mut dyn Body {
                match id { $(BodyId::$kind(index) => &mut self.$list[index],)* }
            }

            /// An object takes its free step.
            #[inline(always)]
            pub(crate) fn free_step_of<S: Simd>(&mut self, body: BodyId, simd: S) {
                match body {
                    BodyId::Barrier(_) if !self.barriers_move => {}
                    $(BodyId::$kind(index) => self.$list[index].free_step(simd),)*
                }
            }

            /// All points of an object feel what was pushed.
            #[inline(always)]
            pub(crate) fn feel_of<S: Simd>(&mut self, body: BodyId, simd: S) {
                match body { $(BodyId::$kind(index) => self.$list[index].feel(simd),)* }
            }

            /// An object makes its next sample current.
            #[inline(always)]
            pub(crate) fn advance_of(&mut self, body: BodyId) {
                match body {
                    BodyId::Barrier(_) if !self.barriers_move => {}
                    $(BodyId::$kind(index) => self.$list[index].advance(),)*
                }
            }

            /// Displacement of a point in m.
            #[inline(always)]
            pub(crate) fn read_at(&self, at: &Terminal, when: At) -> f64 {
                match at.body { $(BodyId::$kind(index) => self.$list[index].read(&at.support, when),)* }
            }

            /// Lets a force in N act on a point.
            #[inline]
            pub(crate) fn push_at(&mut self, at: &Terminal, force: f64) {
                match at.body { $(BodyId::$kind(index) => self.$list[index].push(&at.support, force),)* }
            }
        }
    };
}

kinds!(Mass: masses, Barrier: barriers, Modal: modals, Line: lines, Sheet: sheets);

/// A point of a built object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    pub body: BodyId,
    pub support: Support,
}

impl Bodies {
    /// Lets an object remember what its account asks for later; all but grids have it anyway.
    #[inline(always)]
    pub(crate) fn remember(&mut self, body: BodyId) {
        match body {
            BodyId::Line(index) => self.lines[index].remember(),
            BodyId::Sheet(index) => self.sheets[index].remember(),
            BodyId::Mass(_) | BodyId::Barrier(_) | BodyId::Modal(_) => {}
        }
    }

    /// What an object has lost in the step under way, in J; nothing of one that keeps books.
    #[inline(always)]
    pub(crate) fn dissipated_in_step(&self, body: BodyId) -> f64 {
        match body {
            BodyId::Mass(index) => self.masses[index].dissipated_in_step(),
            BodyId::Line(index) => self.lines[index].dissipated_in_step(),
            BodyId::Sheet(index) => self.sheets[index].dissipated_in_step(),
            BodyId::Barrier(_) | BodyId::Modal(_) => 0.0,
        }
    }

    /// All objects, in the order of the model.
    pub(crate) fn ids(&self) -> &[BodyId] {
        &self.order
    }

    /// The object at a place in the model.
    pub(crate) fn id(&self, place: usize) -> Option<BodyId> {
        self.order.get(place).copied()
    }

    /// All objects in the order of the model.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn Body> {
        self.order.iter().map(|id| self.get(*id))
    }

    /// Does something to every object.
    pub(crate) fn for_each(&mut self, mut change: impl FnMut(&mut dyn Body)) {
        for place in 0..self.order.len() {
            change(self.get_mut(self.order[place]));
        }
    }

    /// The point of an object at a place on it.
    pub(crate) fn terminal(&self, body: BodyId, place: Place) -> Result<Terminal, ObjectError> {
        Ok(Terminal { body, support: self.get(body).support(place)? })
    }

    /// Makes room for so many points of an object to be attached.
    pub(crate) fn expect(&mut self, body: BodyId, points: usize) {
        self.get_mut(body).expect(points);
    }

    /// How many modes an object is computed in; none of what is on a grid or lumped.
    pub(crate) fn mode_count(&self, body: BodyId) -> Option<usize> {
        match body {
            BodyId::Modal(index) => Some(self.modals[index].mode_count()),
            _ => None,
        }
    }

    /// Tells the object of a point that it will be heard or pushed in every sample while it is followed. Takes memory.
    pub(crate) fn attach(&mut self, at: &mut Terminal, purpose: Use, followed: bool) {
        at.support = self.get_mut(at.body).attach(&at.support, purpose, followed);
    }

    /// Tells the object of an attached point that it is heard or pushed in every sample from here on, or no longer.
    pub(crate) fn follow(&mut self, at: &Terminal, follow: bool) {
        self.get_mut(at.body).follow(&at.support, follow);
    }

    /// Moves an attached point to another place on its object.
    pub(crate) fn move_point(&mut self, at: &mut Terminal, place: Place) -> Result<(), ObjectError> {
        at.support = self.get_mut(at.body).move_point(&at.support, place)?;
        Ok(())
    }

    /// Displacement in m over one step at `here` per newton at `there`; 0 between different objects.
    pub(crate) fn admittance(&self, here: &Terminal, there: &Terminal) -> f64 {
        if here.body == there.body { self.get(here.body).admittance(&here.support, &there.support) } else { 0.0 }
    }

    /// Whether what a force does to an object depends on how it is bent: then even points that are nodes to each other feel each other.
    pub(crate) fn is_stretched(&self, body: BodyId) -> bool {
        matches!(body, BodyId::Modal(index) if self.modals[index].is_stretched())
    }

    /// What is to be taken off an admittance in this step: only of an object that is [stretched](Self::is_stretched) anything, and after its free step.
    #[inline]
    pub(crate) fn held_back(&self, here: &Terminal, there: &Terminal) -> f64 {
        match here.body {
            BodyId::Modal(index) if here.body == there.body => {
                self.modals[index].held_back(&here.support, &there.support)
            }
            _ => 0.0,
        }
    }

    /// How two points of different objects give way to a force between them that lasts; `None` where that is not known.
    pub(crate) fn accelerance(&self, here: &Terminal, there: &Terminal) -> Option<Accelerance> {
        let [here_on, there_on] = [here, there].map(|at| self.get(at.body).accelerance(&at.support));
        if here.body == there.body { None } else { Some(here_on?.beside(there_on?)) }
    }

    /// How far an object whose motion is prescribed moves from the previous to the next sample, in m; 0 for all others.
    #[inline(always)]
    pub(crate) fn prescribed_step(&self, at: &Terminal) -> f64 {
        match at.body {
            BodyId::Barrier(index) => self.barriers[index].prescribed_step(),
            _ => 0.0,
        }
    }

    /// Whether an object goes where it is told, whatever pushes it.
    pub(crate) fn is_prescribed(&self, body: BodyId) -> bool {
        matches!(body, BodyId::Barrier(_))
    }

    /// Whether waves run along an object, cut off at its highest mode.
    pub(crate) fn carries_waves(&self, body: BodyId) -> bool {
        matches!(body, BodyId::Modal(index) if self.modals[index].carries_waves())
    }

    /// Takes those of some objects that are barriers back to the start of the turn.
    pub(crate) fn rewind(&mut self, ids: &[BodyId]) {
        for id in ids {
            if let BodyId::Barrier(index) = *id {
                self.barriers[index].rewind();
            }
        }
    }

    /// Segments between the places of a string or bar that can be touched all along: its grid points, or the nodes of its modes.
    pub(crate) fn segments(&self, body: BodyId) -> Option<usize> {
        match body {
            BodyId::Line(index) => Some(self.lines[index].segments()),
            BodyId::Modal(index) => self.modals[index].segments(),
            _ => None,
        }
    }

    /// Length in m of string or bar that such a place stands for, by its position as a fraction of the length.
    pub(crate) fn cell_at(&self, body: BodyId, position: f64) -> f64 {
        match body {
            BodyId::Line(index) => self.lines[index].cell_at(position),
            BodyId::Modal(index) => self.modals[index].cell_at(position),
            _ => 0.0,
        }
    }

    /// What an object is to a contact.
    pub(crate) fn nature(&self, body: BodyId) -> Between {
        match body {
            BodyId::Mass(index) if self.masses[index].is_free() => Between::FreeMasses,
            BodyId::Mass(index) if self.masses[index].is_smooth() => Between::Oscillators,
            BodyId::Modal(index) if self.modals[index].is_smooth() => Between::Oscillators,
            BodyId::Barrier(_) => Between::FreeMasses,
            _ => Between::Extended,
        }
    }
}
