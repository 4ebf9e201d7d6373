//! A host that loads the compiled plugin as a studio does: by its file, through CLAP's own interface.
// Loading foreign code is what a host does; nothing in Rust can vouch for it.
#![allow(unsafe_code)]

use std::ffi::CString;
use std::path::PathBuf;
use std::sync::OnceLock;

use clack_extensions::latency::PluginLatency;
use clack_extensions::params::{ParamInfoBuffer, PluginParams};
use clack_extensions::state::PluginState;
use clack_host::events::event_types::{MidiEvent, NoteOffEvent, NoteOnEvent, ParamValueEvent, TransportEvent};
use clack_host::prelude::*;

pub struct Shared;

impl SharedHandler<'_> for Shared {
    fn request_restart(&self) {}
    fn request_process(&self) {}
    fn request_callback(&self) {}
}

pub struct Handlers;

impl HostHandlers for Handlers {
    type Shared<'a> = Shared;
    type MainThread<'a> = ();
    type AudioProcessor<'a> = ();
}

/// The file that ./bundle compiled: beside the tests, or the one in ICTUS_PLUGIN.
fn library() -> PathBuf {
    if let Some(path) = std::env::var_os("ICTUS_PLUGIN") {
        return path.into();
    }
    let here = std::env::current_exe().expect("a test has a path");
    let folder = here.parent().and_then(|deps| deps.parent()).expect("tests are in target/PROFILE/deps");
    let name = format!("{}ictus_plugin{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = folder.join(name);
    assert!(path.exists(), "{} is missing: compile the plugin first (./test does)", path.display());
    path
}

fn entry() -> &'static PluginEntry {
    static ENTRY: OnceLock<PluginEntry> = OnceLock::new();
    // SAFETY: the file is the plugin of this project, compiled by the same script that runs these tests.
    ENTRY.get_or_init(|| unsafe { PluginEntry::load(library()) }.expect("the plugin loads"))
}

/// A plugin in a host.
pub struct Host {
    instance: PluginInstance<Handlers>,
    processor: Option<StartedPluginAudioProcessor<Handlers>>,
    inputs: usize,
    /// Output channels beside the two main ones.
    stems: usize,
}

/// A block as the host is given it.
#[derive(Default)]
pub struct Block<'a> {
    pub events: EventBuffer,
    /// Audio from outside, the same on both channels.
    pub input: Option<&'a [f32]>,
    pub transport: Option<TransportEvent>,
}

pub const INSTRUMENT: &str = "org.ictus.instrument";
pub const STEMS: &str = "org.ictus.stems";
pub const RESONATOR: &str = "org.ictus.resonator";

/// Events of a note's number: any.
pub fn note(channel: u16, key: u16) -> Pckn {
    Pckn::new(0_u16, channel, key, u32::from(key) + 1000)
}

impl Host {
    pub fn new(id: &str) -> Self {
        let info = HostInfo::new("a test", "ictus", "", "1").expect("plain words");
        let id_text = CString::new(id).expect("plain words");
        let instance = PluginInstance::new(|_| Shared, |_| (), entry(), &id_text, &info).expect("it is made");
        Self { instance, processor: None, inputs: 1, stems: if id == STEMS { 16 } else { 0 } }
    }

    /// One that plays a scene of this text.
    pub fn playing(id: &str, name: &str, text: &str) -> Self {
        let mut host = Self::new(id);
        host.load(name, text);
        host
    }

    /// One that plays a scene of the gallery at a rate.
    pub fn of_gallery(name: &str, rate: f64) -> Self {
        let mut host = Self::playing(INSTRUMENT, name, text(name));
        host.start(rate);
        host
    }

    pub fn start(&mut self, rate: f64) {
        let configuration = PluginAudioConfiguration { sample_rate: rate, min_frames_count: 1, max_frames_count: 8192 };
        let processor = self.instance.activate(|_, _| (), configuration).expect("it can be activated");
        self.processor = Some(processor.start_processing().expect("it can start"));
    }

    pub fn stop(&mut self) {
        if let Some(processor) = self.processor.take() {
            self.instance.deactivate(processor.stop_processing());
        }
    }

    /// The state that a project keeps.
    pub fn save(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let plugin = self.instance.plugin_handle();
        let state: PluginState = plugin.get_extension().expect("it has a state");
        state.save(&plugin, &mut bytes).expect("it is saved");
        bytes
    }

    pub fn restore(&mut self, bytes: &[u8]) -> bool {
        let plugin = self.instance.plugin_handle();
        let state: PluginState = plugin.get_extension().expect("it has a state");
        let mut bytes = bytes;
        state.load(&plugin, &mut bytes).is_ok()
    }

    /// Chooses a scene as a project does.
    pub fn load(&mut self, name: &str, text: &str) {
        let choice = serde_json::json!({ "name": name, "text": text, "turned": 0 }).to_string();
        let state = serde_json::json!({ "version": "0", "params": {}, "fields": { "scene": choice } }).to_string();
        let mut bytes = (state.len() as u64).to_le_bytes().to_vec();
        bytes.extend(state.as_bytes());
        assert!(self.restore(&bytes));
    }

    /// Number and name of every parameter.
    pub fn parameters(&mut self) -> Vec<(ClapId, String)> {
        let plugin = self.instance.plugin_handle();
        let params: PluginParams = plugin.get_extension().expect("it has parameters");
        let told = |index| {
            let mut buffer = ParamInfoBuffer::new();
            let info = params.get_info(&plugin, index, &mut buffer).expect("there is one");
            (info.id, String::from_utf8_lossy(info.name).into_owned())
        };
        (0..params.count(&plugin)).map(told).collect()
    }

    pub fn parameter(&mut self, name: &str) -> ClapId {
        self.parameters().into_iter().find(|(_, known)| known == name).expect("there is such a parameter").0
    }

    /// What a parameter says at a value.
    pub fn words(&mut self, id: ClapId, value: f64) -> String {
        let plugin = self.instance.plugin_handle();
        let params: PluginParams = plugin.get_extension().expect("it has parameters");
        let mut room = [0; 256];
        let words = params.value_to_text(&plugin, id, value, &mut room).expect("it says something");
        String::from_utf8_lossy(words).into_owned()
    }

    pub fn value_of(&mut self, id: ClapId, words: &str) -> Option<f64> {
        let plugin = self.instance.plugin_handle();
        let params: PluginParams = plugin.get_extension().expect("it has parameters");
        let words = CString::new(words).expect("plain words");
        params.text_to_value(&plugin, id, &words)
    }

    /// Where a parameter stands.
    pub fn value(&mut self, id: ClapId) -> f64 {
        let plugin = self.instance.plugin_handle();
        let params: PluginParams = plugin.get_extension().expect("it has parameters");
        params.get_value(&plugin, id).expect("there is such a parameter")
    }

    /// Frames by which it is late, as it says.
    pub fn latency(&mut self) -> Option<u32> {
        let plugin = self.instance.plugin_handle();
        let latency: PluginLatency = plugin.get_extension()?;
        Some(latency.get(&plugin))
    }

    /// Plays a block of so many frames; the two main channels and the stems come back.
    pub fn play(&mut self, frames: usize, block: &Block) -> Vec<Vec<f32>> {
        let silence = vec![0.0; frames];
        let mut input = [block.input.unwrap_or(&silence).to_vec(), block.input.unwrap_or(&silence).to_vec()];
        // What a host's memory holds before is nobody's business.
        let mut outputs = vec![vec![f32::NAN; frames]; 2 + self.stems];
        let mut ports =
            [AudioPorts::with_capacity(2, self.inputs), AudioPorts::with_capacity(2 + self.stems, 1 + self.stems)];
        let [of_inputs, of_outputs] = &mut ports;
        let heard = of_inputs.with_input_buffers([AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_input_only(input.iter_mut().map(InputChannel::variable)),
        }]);
        let (main, stems) = outputs.split_at_mut(2);
        let groups: Vec<&mut [Vec<f32>]> = std::iter::once(main).chain(stems.chunks_mut(1)).collect();
        let mut made = of_outputs.with_output_buffers(groups.into_iter().map(|channels| AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_output_only(channels.iter_mut().map(|channel| channel.as_mut_slice())),
        }));
        let mut said = EventBuffer::new();
        let processor = self.processor.as_mut().expect("it has been started");
        let done = processor.process(
            &heard,
            &mut made,
            &block.events.as_input(),
            &mut said.as_output(),
            None,
            block.transport.as_ref(),
        );
        done.expect("it processes");
        outputs
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The text of a scene of the gallery.
pub fn text(name: &str) -> &'static str {
    ictus_render::GALLERY.iter().find(|(known, _)| *known == name).expect("a scene of the gallery").1
}

/// What a host may say at a frame.
#[derive(Clone, Copy, Debug)]
pub enum Said {
    On(u8, u8, u8),
    Off(u8, u8),
    Midi([u8; 3]),
    Turn(ClapId, f64),
}

impl Said {
    pub fn put(&self, events: &mut EventBuffer, at: u32) {
        match *self {
            Said::On(channel, key, velocity) => {
                events.push(&NoteOnEvent::new(at, note(channel.into(), key.into()), f64::from(velocity) / 127.0));
            }
            Said::Off(channel, key) => events.push(&NoteOffEvent::new(at, note(channel.into(), key.into()), 0.0)),
            Said::Midi(bytes) => events.push(&MidiEvent::new(at, 0, bytes)),
            Said::Turn(id, value) => events.push(&ParamValueEvent::new(at, id, Pckn::match_all(), value)),
        }
    }
}

/// Plays so many frames in blocks, with what is said at frames; both channels interleaved.
pub fn perform(host: &mut Host, said: &[(usize, Said)], frames: usize, blocks: usize) -> Vec<f32> {
    let mut sound = Vec::with_capacity(2 * frames);
    let mut from = 0;
    while from < frames {
        let count = blocks.min(frames - from);
        let mut block = Block::default();
        for (at, said) in said.iter().filter(|(at, _)| (from..from + count).contains(at)) {
            said.put(&mut block.events, (at - from) as u32);
        }
        let outputs = host.play(count, &block);
        sound.extend((0..count).flat_map(|frame| [outputs[0][frame], outputs[1][frame]]));
        from += count;
    }
    sound
}
