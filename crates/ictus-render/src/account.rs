//! The energy account at a time.

use ictus::ledger::Balance;
use ictus_scene::Instrument;
use ictus_scene::scene::{Exciter, Scene};

/// The energy account at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Account {
    /// Time in s.
    pub time: f64,
    /// The account, in J.
    pub balance: Balance,
    /// Energy in J of what is stored that hammers have, which fly on when they have struck.
    pub hammers: f64,
}

impl Account {
    /// Of an instrument that plays a scene, now.
    pub fn of(instrument: &Instrument, scene: &Scene) -> Self {
        let engine = instrument.engine();
        let energy =
            |exciter: &Exciter| exciter.tool.thrown().and_then(|mass| engine.object_energy(mass)).unwrap_or(0.0);
        let hammers = scene.exciters.iter().map(energy).sum();
        Self { time: instrument.time(), balance: engine.balance(), hammers }
    }
}
