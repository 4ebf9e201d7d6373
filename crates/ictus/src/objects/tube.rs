//! A column of air in a tube: the resonator of a marimba's bar, a bottle, an organ pipe.
//!
//! ```text
//! ρS ξtt = ρc²S ξxx - losses,     ξ the displacement of the air along the tube, S = πr²
//! closed end  ξ = 0        open end  ξx = 0 at δ = 0.6133 r beyond the edge (Levine and Schwinger, Phys. Rev. 73, 1948)
//! f_n = (n - ½) c/2L', L' = L + δ, with one end closed;   n c/2L', L' = L + 2δ or L, with both open or both closed
//! σ_n = σ_wall + σ_mouth,    σ_wall = √(ων/2) (1 + (γ-1)/√Pr)/r,    σ_mouth = c (kr)²/4L' for each open end
//! ```
//!
//! Walls hold the air back by friction and by heat (Kirchhoff; Fletcher and Rossing, *The Physics of Musical Instruments*, chapter 8). A layer of air there is
//! dragged as much as it is braked: each mode is lower by σ_wall. An open end radiates with the resistance ρcS(kr)²/4, never with more than ρcS. The column is
//! a limp string to [`StringModes`]. Rejected: a mouth whose correction changes with frequency, which the modes that matter, with kr < 1, do not notice.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use super::method::{Family, sounding};
use super::modes::{Bore, Damping, Retuned, Shapes, StringBody, StringModes, Surroundings};
use super::{AnyBody, Description, End, Extent, Loss, LossFactor, ObjectError, Site, checked};

/// Density ρ in kg/m³ and speed of sound c in m/s of air at 20 °C.
pub(super) const AIR: [f64; 2] = [1.204, 343.2];
/// Beyond an open end in radii of the tube the air swings as if it were inside.
const END_CORRECTION: f64 = 0.6133;
/// Largest part of its angular frequency that walls take from the lowest mode: in a narrower tube the layer at the walls would fill it.
const NARROWEST: f64 = 0.1;

/// An end of a tube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TubeEnd {
    /// Air goes in and out, and sound leaves.
    Open,
    /// A wall: the air there stands still.
    Closed,
}

/// What sets a tube's pitch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum TubePitch {
    /// Length in m from edge to edge, from 1e-3 to 1e4: a shorter tube is higher.
    Length(f64),
    /// Frequency in Hz of the lowest mode that sounds, above 0: the length follows.
    Fundamental(f64),
}

/// A tube as one describes it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TubeSpec {
    /// Length or lowest frequency; 220 Hz by default.
    pub pitch: TubePitch,
    /// Inner diameter in m, from 1e-3 to 100; 40 mm by default. A wider tube rings longer at low and shorter at high frequencies, and takes more to move.
    pub diameter: f64,
    /// The ends at fraction 0 and 1; closed and open by default.
    pub ends: [TubeEnd; 2],
    /// How fast it dies; by default [`Loss::Material`], which is what walls and open ends take, whatever the tube is made of.
    pub loss: Loss,
    /// Highest frequency in Hz of the modes that are kept, above 0; by default 20 kHz, and always at most 0.45 of the rate. Waves across the tube, which
    /// there are above `0.59 c/diameter`, are not.
    pub highest: Option<f64>,
}

impl Default for TubeSpec {
    fn default() -> Self {
        Self {
            pitch: TubePitch::Fundamental(220.0),
            diameter: 0.04,
            ends: [TubeEnd::Closed, TubeEnd::Open],
            loss: Loss::Material(LossFactor::constant(0.0)),
            highest: None,
        }
    }
}

impl TubeSpec {
    /// Length in m from edge to edge; of a tube that is tuned, so that it sounds there with the loss of its walls.
    #[must_use]
    pub fn length(&self) -> f64 {
        match self.pitch {
            TubePitch::Length(length) => length,
            TubePitch::Fundamental(frequency) => self.column(frequency) - self.beyond(),
        }
    }

    /// Frequency in Hz of the lowest mode without loss.
    #[must_use]
    pub fn fundamental(&self) -> f64 {
        match self.pitch {
            TubePitch::Length(length) => {
                let bare = self.quarters() * AIR[1] / (4.0 * (length + self.beyond()));
                bare - self.bore(length + self.beyond()).wall(bare) / TAU
            }
            TubePitch::Fundamental(frequency) => frequency,
        }
    }

    /// The same tube with another loss.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        loss.check().map(|()| Self { loss, ..self })
    }

    fn open_ends(&self) -> usize {
        self.ends.iter().filter(|end| **end == TubeEnd::Open).count()
    }

    /// Quarters of a wave in the lowest mode.
    fn quarters(&self) -> f64 {
        if self.open_ends() == 1 { 1.0 } else { 2.0 }
    }

    /// What swings outside, in m.
    fn beyond(&self) -> f64 {
        self.open_ends() as f64 * END_CORRECTION * 0.5 * self.diameter
    }

    fn bore(&self, column: f64) -> Bore {
        Bore { radius: 0.5 * self.diameter, column, open_ends: self.open_ends() }
    }

    /// Length L' in m of the column whose lowest mode swings at a frequency in Hz.
    fn column(&self, frequency: f64) -> f64 {
        let wall = |bare: f64| self.bore(1.0).wall(bare) / TAU;
        // What the walls take grows with the root of the frequency only.
        let bare = (0..64).fold(frequency, |bare, _| frequency + wall(bare));
        self.quarters() * AIR[1] / (4.0 * bare)
    }

    fn area(&self) -> f64 {
        0.25 * PI * self.diameter * self.diameter
    }

    fn modes(&self, site: &Site) -> Result<AnyBody, ObjectError> {
        checked("diameter", self.diameter, "from 1e-3 to 100 m", |v| (1e-3..=100.0).contains(&v))?;
        let highest = site.highest(self.highest)?;
        let linear_density = AIR[0] * self.area();
        let build = |column: f64| {
            let bore = self.bore(column);
            let body = StringBody {
                length: column,
                linear_density,
                tension: linear_density * AIR[1] * AIR[1],
                bending_stiffness: 0.0,
                ends: self.line_ends(),
            };
            let limp: Arc<dyn Shapes> = Arc::new(StringModes::new(&body, highest, site.most_modes)?);
            if let Some(lowest) = limp.modes().iter().map(|mode| mode.frequency).find(|frequency| *frequency > 0.0) {
                checked("diameter", self.diameter, "so wide that air can swing in it at this pitch", |_| {
                    bore.wall(lowest) < NARROWEST * TAU * lowest
                })?;
            }
            let dragged =
                |frequency: f64| if frequency > 0.0 { 1.0 - bore.wall(frequency) / (TAU * frequency) } else { 1.0 };
            let damping = Damping::new(&self.loss, Surroundings::Bore(bore))?;
            let family = Family {
                kind: Self::KIND,
                shapes: Arc::new(Retuned::each(limp, dragged)),
                is_sheet: false,
                mass: linear_density * column,
                length: column,
                bend: None,
                stretch: None,
                highest,
            };
            let sigma = family.lowest_sigma(&damping);
            Ok(((family, damping), sigma))
        };
        let (family, damping) = match self.pitch {
            TubePitch::Length(length) => {
                checked("length", length, "from 1e-3 to 1e4 m", |v| (1e-3..=1e4).contains(&v))?;
                build(length + self.beyond())?.0
            }
            TubePitch::Fundamental(frequency) => {
                checked("fundamental frequency", frequency, "above 0 Hz", |v| v > 0.0)?;
                let length = |column: f64| {
                    let length = column - self.beyond();
                    (1e-3..=1e4).contains(&length)
                };
                sounding(frequency, |swing| {
                    let column = self.column(swing);
                    checked("fundamental frequency", frequency, "that of a tube from 1 mm to 10 km long", |_| {
                        length(column)
                    })?;
                    build(column)
                })?
            }
        };
        site.body(family.swinging()?, &damping).map(AnyBody::from)
    }

    /// How the air is held, as the ends of a string are.
    fn line_ends(&self) -> [End; 2] {
        self.ends.map(|end| if end == TubeEnd::Open { End::Free } else { End::Clamped })
    }
}

impl Description for TubeSpec {
    const KIND: &'static str = "tube";

    fn build(&self, site: &Site) -> Result<AnyBody, ObjectError> {
        self.modes(site)
    }

    fn mass(&self) -> Option<f64> {
        Some(AIR[0] * self.area() * (self.length() + self.beyond()))
    }

    fn is_held(&self) -> bool {
        self.open_ends() < 2
    }

    fn extent(&self) -> Extent {
        Extent::Line { length: self.length(), ends: self.line_ends() }
    }
}

#[cfg(test)]
#[path = "tube_tests.rs"]
mod tests;
