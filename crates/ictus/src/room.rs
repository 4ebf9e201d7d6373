//! A list that keeps its room when it is cloned, so that a clone of an engine takes no memory while it plays either.

use std::ops::{Deref, DerefMut};

/// A `Vec` whose clone has the same capacity.
#[derive(Debug)]
pub(crate) struct Room<T>(Vec<T>);

impl<T> Room<T> {
    /// Room for so many.
    pub(crate) fn new(most: usize) -> Self {
        Self(Vec::with_capacity(most))
    }
}

impl<T> Default for Room<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> Clone for Room<T> {
    fn clone(&self) -> Self {
        let mut list = Vec::with_capacity(self.0.capacity());
        list.extend_from_slice(&self.0);
        Self(list)
    }
}

impl<T> Deref for Room<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Room<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<'a, T> IntoIterator for &'a Room<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
