//! One mass against one wall: a scheme beside the closed results.

use ictus::impact::{Problem, Settings, run, scheme};
use ictus::laws::HuntCrossley;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = Problem {
        mass: 10e-3,                                   // kg
        law: HuntCrossley::new(1e9, 1.5, 0.5)?.into(), // K (N/m^α), α, μ (s/m)
        acceleration: 0.0,                             // no gravity
        displacement: -60e-6,                          // 60 µm before the wall
        velocity: 1.0,                                 // m/s, towards it
        rate: 44_100.0,                                // Hz
    };
    let exact = problem.exact().ok_or("there are no closed results for this wall")?;
    let secant = scheme("secant").ok_or("there is no such scheme")?;
    let run = run(secant, &problem, &Settings::default(), 20);
    println!("leaves at {:?} m/s, exactly {} m/s", run.output_velocity, exact.output_velocity());
    println!("touches for {:?} s, exactly {} s", run.contact_time, exact.contact_time());
    for sample in run.samples {
        println!("{:10.3} µm {:10.3} N", 1e6 * sample.displacement, sample.force);
    }
    Ok(())
}
