//! A hammer's felt pressed and let go: the force is larger on the way in than on the way out.
//!
//! Prints compression (µm) and force (N) as two columns, ready for a plotting program.

use ictus::laws::StulovFelt;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (rate, duration, depth) = (44_100.0, 2e-3, 1e-3);
    let mut felt = StulovFelt::new(1e10, 2.5, 0.6, 1e-3)?.relaxed(1.0 / rate)?;
    let samples = (duration * rate) as usize;
    for n in 0..=samples {
        let compression = depth * (std::f64::consts::PI * n as f64 / samples as f64).sin();
        println!("{:8.2} {:8.3}", 1e6 * compression, felt.step(compression));
    }
    Ok(())
}
