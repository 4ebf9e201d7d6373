//! The hammer and the resonator of A04's section 4, with the numbers the source leaves open.

use ictus::impact::exact::WallImpact;
use ictus::impact::strike::{Strike, StrikeError, Struck};
use ictus::impact::{Problem, Settings, run, scheme};
use ictus::laws::HuntCrossley;
use ictus::objects::ModalSpec;
use ictus_analysis::design::{DesignError, Features, Setting, Work};

/// Sample rate in Hz, A04 section 4.
pub const RATE: f64 = 44_100.0;
/// f0 in Hz.
pub const PITCH: f64 = 300.0;
/// Stiffness in N/m^α when it is not what varies.
pub const STIFFNESS: f64 = 8e9;
/// Dissipation in s/m when it is not what varies.
pub const DISSIPATION: f64 = 0.3;
/// What the items say of it.
pub const TOLD: &str = "hammer 10 g at 1 m/s, K = 8e9 N/m^α, μ = 0.3 s/m, α = 2.5; resonator f0 = 300 Hz, q = 300, 10 g per mode; \
    44.1 kHz (chosen here: the source prints none but the rate)";

/// Hammer, exponent and resonator.
pub fn setting() -> Setting {
    let resonator = ModalSpec::three_mode_bar(PITCH, 300.0, 0.01);
    Setting { mass: 0.01, exponent: 2.5, velocity: 1.0, resonator, rate: RATE, work: Work::default() }
}

/// A way to compute a strike.
pub type Way = fn(&Strike, usize) -> Result<Struck, StrikeError>;

/// The three ways and their names.
pub const WAYS: [(&str, Way); 3] =
    [("integrated", Strike::integrated), ("AM1, K-method", Strike::by_am1), ("engine", Strike::by_engine)];

/// A strike and what it is known by.
pub fn strike(
    setting: &Setting,
    stiffness: f64,
    dissipation: f64,
    way: Way,
) -> Result<(Struck, Features), DesignError> {
    let struck = way(&setting.strike(stiffness, dissipation), setting.samples())?;
    let features = Features::of(&struck, setting.rate)?.ok_or(DesignError::Unreachable)?;
    Ok((struck, features))
}

/// Contact time in s of a hammer on a rigid wall, simulated as the source does: AM1 at its rate.
pub fn simulated_on_the_wall(hammer: &WallImpact) -> Result<f64, Box<dyn std::error::Error + Send + Sync>> {
    let WallImpact { mass, stiffness, exponent, dissipation, velocity } = *hammer;
    let law = HuntCrossley::new(stiffness, exponent, dissipation)?.into();
    let problem = Problem { mass, law, acceleration: 0.0, displacement: 0.0, velocity, rate: RATE };
    let samples = (1.5 * hammer.contact_time() * RATE) as usize + 10;
    let am1 = scheme("am1").ok_or("there is no scheme am1")?;
    Ok(run(am1, &problem, &Settings::default(), samples).contact_time.ok_or("the hammer does not come off the wall")?)
}
