//! The tests of this crate as one binary: each further one costs seconds of linking. A new file of tests is one line here.

mod any_input;
mod design;
