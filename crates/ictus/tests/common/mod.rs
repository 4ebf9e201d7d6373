//! What several tests share.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::time::{Duration, Instant};

use ictus::math::random::SplitMix64;

/// Random choices: the models of a seed are the same on every machine.
pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64(seed))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// From 0 to 1, which it never is.
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Spread evenly over decades.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}

/// Most memory in MB that a storm may take.
const MOST_MEMORY: f64 = 500.0;

/// Most memory in MB that this process has had; nothing where the system does not tell.
fn most_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes: f64 =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok())?;
    Some(kilobytes / 1000.0)
}

/// Tries seeds for as long as `ICTUS_STORM_SECONDS` says, for a second if it says nothing; others for every `ICTUS_STORM_SEED`. Tells how long the
/// longest took, and of which seed: nothing takes long, or much memory.
pub fn storm(otherwise: u64, mut trial: impl FnMut(u64)) -> (Duration, u64) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a whole number"));
    let length = Duration::from_secs(number("ICTUS_STORM_SECONDS").unwrap_or(1));
    let mut seeds = Random::new(number("ICTUS_STORM_SEED").unwrap_or(otherwise));
    let (begun, before, mut longest) = (Instant::now(), most_memory(), (Duration::ZERO, 0));
    while begun.elapsed() < length {
        let (seed, begun) = (seeds.bits(), Instant::now());
        trial(seed);
        longest = longest.max((begun.elapsed(), seed));
    }
    assert!(longest.0 < Duration::from_secs(20), "seed {} took {:?}", longest.1, longest.0);
    let memory = most_memory().zip(before).map_or(0.0, |(now, before)| now - before);
    println!("{memory:.0} MB");
    assert!(memory < MOST_MEMORY, "{memory} MB");
    longest
}
