//! The three plugins, as hosts see them: they differ in what goes in and comes out. The one with many outputs differs by the format too.

use std::num::NonZeroU32;
use std::sync::Arc;

use nice_plug::prelude::*;

use crate::choice::{Choice, renumber};
use crate::crew::Crew;
use crate::desk::Desk;
use crate::knobs::Knobs;
use crate::player::{Beside, Player};

/// Outputs of one channel each beside the main one: the scene's first 16 channels.
const STEMS: [NonZeroU32; 16] = [new_nonzero_u32(1); 16];

const SIDECHAIN: &[NonZeroU32] = &[new_nonzero_u32(2)];

macro_rules! plugin {
    (
        $(#[$about:meta])* $plugin:ident, $name:literal, $description:literal, scene: $scene:literal, effect: $effect:literal, midi: $midi:expr,
        id: $id:literal, class: $class:literal, clap: $clap:expr, vst3: $vst3:expr, layout: $layout:expr
    ) => {
        $(#[$about])*
        pub struct $plugin {
            knobs: Arc<Knobs>,
            player: Player,
            /// Works as long as there is a plugin.
            _crew: Arc<Crew>,
        }

        impl Default for $plugin {
            fn default() -> Self {
                let desk = Desk::new(Choice::named($scene), $effect);
                let knobs = Arc::new(Knobs::new(desk.clone()));
                desk.meet(&knobs);
                let player = Player::new(desk.clone(), knobs.clone());
                Self { knobs, player, _crew: Crew::for_desk(&desk) }
            }
        }

        impl Plugin for $plugin {
            const NAME: &'static str = $name;
            const VENDOR: &'static str = "ictus";
            const URL: &'static str = "";
            const EMAIL: &'static str = "";
            const VERSION: &'static str = env!("CARGO_PKG_VERSION");
            const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = &[$layout];
            const MIDI_INPUT: MidiConfig = $midi;
            const SAMPLE_ACCURATE_AUTOMATION: bool = true;
            // Every knob at every 64th frame of the largest block.
            const INPUT_EVENT_CAPACITY: usize = 8192;

            #[cfg(feature = "window")]
            type Editor = crate::window::Editor;
            #[cfg(not(feature = "window"))]
            type Editor = ();
            type SysExMessage = ();
            type BackgroundTask = ();

            fn params(&self) -> Arc<dyn Params> {
                self.knobs.clone()
            }

            #[cfg(feature = "window")]
            fn editor(&mut self, _: AsyncExecutor<Self>) -> Option<Self::Editor> {
                crate::window::editor(self.knobs.clone())
            }

            fn filter_state(state: &mut PluginState) {
                renumber(state);
            }

            fn activate(&mut self, _: &AudioIOLayout, config: &BufferConfig, _: &mut impl ActivateContext<Self>) -> bool {
                self.player.activate(f64::from(config.sample_rate));
                true
            }

            fn deactivate(&mut self) {
                self.player.deactivate();
            }

            fn reset(&mut self) {
                self.player.reset();
            }

            fn process(
                &mut self,
                buffer: &mut Buffer,
                aux: &mut AuxiliaryBuffers,
                context: &mut impl ProcessContext<Self>,
            ) -> ProcessStatus {
                let beside = Beside { stems: aux.outputs, input: aux.inputs.first(), in_place: $effect };
                self.player.process(buffer, beside, context);
                ProcessStatus::KeepAlive
            }
        }

        impl ClapPlugin for $plugin {
            const CLAP_ID: &'static str = $id;
            const CLAP_DESCRIPTION: Option<&'static str> = Some($description);
            const CLAP_MANUAL_URL: Option<&'static str> = None;
            const CLAP_SUPPORT_URL: Option<&'static str> = None;
            const CLAP_FEATURES: &'static [ClapFeature] = $clap;
        }

        impl Vst3Plugin for $plugin {
            const VST3_CLASS_ID: [u8; 16] = *$class;
            const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] = $vst3;
        }
    };
}

plugin!(
    /// Any scene as an instrument.
    Ictus, "ictus", "Things that hit each other, as an instrument",
    scene: "vibraphone", effect: false, midi: MidiConfig::MidiCCs,
    id: "org.ictus.instrument", class: b"ictusInstrument.",
    clap: &[ClapFeature::Instrument, ClapFeature::Synthesizer, ClapFeature::Stereo],
    vst3: &[Vst3SubCategory::Instrument, Vst3SubCategory::Synth, Vst3SubCategory::Stereo],
    layout: AudioIOLayout {
        main_output_channels: NonZeroU32::new(2),
        aux_input_ports: SIDECHAIN,
        ..AudioIOLayout::const_default()
    }
);

plugin!(
    /// The same, with an output for each of the scene's channels.
    Stems, "ictus stems", "Things that hit each other, as an instrument with 16 outputs",
    scene: "vibraphone", effect: false, midi: MidiConfig::MidiCCs,
    id: "org.ictus.stems", class: b"ictusStems......",
    clap: &[ClapFeature::Instrument, ClapFeature::Synthesizer, ClapFeature::Surround],
    vst3: &[Vst3SubCategory::Instrument, Vst3SubCategory::Synth],
    layout: AudioIOLayout {
        main_output_channels: NonZeroU32::new(2),
        aux_input_ports: SIDECHAIN,
        aux_output_ports: &STEMS,
        ..AudioIOLayout::const_default()
    }
);

plugin!(
    /// The same in VST3: one output of 16 channels. With outputs beside the main one the framework (nice-plug 0.4) needs all of them to be on there, which
    /// hosts leave to people: where one is off it plays nothing at all, and pedalboard ends with it.
    Channels, "ictus stems", "Things that hit each other, as an instrument with 16 outputs",
    scene: "vibraphone", effect: false, midi: MidiConfig::MidiCCs,
    id: "org.ictus.stems", class: b"ictusStems......",
    clap: &[ClapFeature::Instrument, ClapFeature::Synthesizer, ClapFeature::Surround],
    vst3: &[Vst3SubCategory::Instrument, Vst3SubCategory::Synth],
    layout: AudioIOLayout { main_output_channels: NonZeroU32::new(16), ..AudioIOLayout::const_default() }
);

plugin!(
    /// What comes in drives, strikes or rubs a scene.
    Resonator, "ictus resonator", "What comes in drives, strikes or rubs things",
    scene: "driven-plate", effect: true, midi: MidiConfig::Basic,
    id: "org.ictus.resonator", class: b"ictusResonator..",
    clap: &[ClapFeature::AudioEffect, ClapFeature::Stereo],
    vst3: &[Vst3SubCategory::Fx, Vst3SubCategory::Stereo],
    layout: AudioIOLayout {
        main_input_channels: NonZeroU32::new(2),
        main_output_channels: NonZeroU32::new(2),
        ..AudioIOLayout::const_default()
    }
);
