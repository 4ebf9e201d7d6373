//! The instrument: how it keeps to the sample, its table of parameters, its clones and the layouts of its blocks.

mod copies;
mod live;
mod parameters;
mod playing;
