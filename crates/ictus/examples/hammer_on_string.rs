//! A felt hammer strikes a piano string; five seconds of it go into `hammer_on_string.wav`.
//!
//! `cargo run --release --example hammer_on_string`

use hound::{SampleFormat, WavSpec, WavWriter};
use ictus::Model;
use ictus::laws::HuntCrossley;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{Loss, MassSpec, Place, StringPitch, StringSpec, material};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let steel = material("steel").ok_or("no steel")?;
    let string = StringSpec { length: 1.1, pitch: StringPitch::Fundamental(110.0), radius: 5e-4, ..Default::default() };
    let string = string.of(steel).with_loss(Loss::t60_at(&[(110.0, 12.0), (4000.0, 1.5)]))?;
    let hammer = MassSpec { displacement: -1e-3, velocity: 3.0, ..MassSpec::free(0.008) };

    let mut engine = Model::new(48_000.0)
        .with("string", string)
        .with("hammer", hammer)
        .join(Interaction::new(
            "felt",
            Point::of("hammer"),
            Point::on("string", Place::Along(0.12)),
            HuntCrossley::new(4e8, 2.3, 0.1)?,
        ))
        .listen(Pickup { source: Source::Velocity(Point::on("string", Place::Along(0.93))), gains: vec![0.25] })
        .build()?;

    let mut sound = vec![0.0f32; 5 * 48_000];
    engine.process_f32(&mut sound);

    let spec = WavSpec { channels: 1, sample_rate: 48_000, bits_per_sample: 32, sample_format: SampleFormat::Float };
    let mut file = WavWriter::create("hammer_on_string.wav", spec)?;
    sound.iter().try_for_each(|sample| file.write_sample(*sample))?;
    Ok(file.finalize()?)
}
