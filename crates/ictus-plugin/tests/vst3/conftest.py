"""The compiled plugin in two hosts from PyPI, through VST3, and what `ictus render --midi` makes of the same piece.

ICTUS is the program, ICTUS_PLUGIN_BUNDLE the folder ictus.vst3 that ./bundle made.
"""

import json
import os
import pathlib
import struct
import subprocess

import numpy
import pedalboard
import pytest
from pedalboard import _pedalboard

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
BUNDLE = os.environ.get("ICTUS_PLUGIN_BUNDLE", str(ROOT / "target/plugin/bundles/ictus.vst3"))
PROGRAM = os.environ.get("ICTUS", str(ROOT / "target/debug/ictus"))

CLASSES = {"ictus": b"ictusInstrument.", "ictus stems": b"ictusStems......", "ictus resonator": b"ictusResonator.."}

# pedalboard asks every parameter for its text at 1001 values. A VST3 plugin that hears MIDI controllers has 2080 parameters for them, by the design of
# VST3; other hosts do not ask, and here the parameters are addressed by their numbers.
_pedalboard._PythonExternalPluginMixin._get_parameters = lambda self: {}


def state_of(name, text, turned=0, params=None):
    """What the plugin keeps in a project."""
    choice = json.dumps({"name": name, "text": text, "turned": turned})
    return json.dumps({"version": "0", "params": params or {}, "fields": {"scene": choice}}).encode()


def preset_of(state, plugin="ictus"):
    """A file .vstpreset, as every VST3 host reads it, around a state."""
    start = 48
    head = b"VST3" + struct.pack("<i", 1) + CLASSES[plugin].hex().upper().encode() + struct.pack("<q", start + len(state))
    return head + state + b"List" + struct.pack("<i", 1) + b"Comp" + struct.pack("<qq", start, len(state))


def scene_text(name):
    return (ROOT / "scenes" / f"{name}.toml").read_text()


def varying(number):
    bytes_ = [number & 127]
    while number := number >> 7:
        bytes_.insert(0, number & 127 | 128)
    return bytes(bytes_)


def midi_file(messages, rate):
    """A MIDI file of messages at samples of a rate; 960 ticks are a second."""
    track, now = b"", 0
    for at, message in messages:
        tick = at * 960 // rate
        assert tick * rate == at * 960, "between two ticks"
        track += varying(tick - now) + bytes(message)
        now = tick
    track += b"\0\xff\x2f\0"
    return b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk" + struct.pack(">I", len(track)) + track


def read_wav(path):
    """The samples of a file of floats, channels by frames."""
    data = path.read_bytes()
    at, channels = 12, None
    while at < len(data):
        kind, size = data[at : at + 4], struct.unpack("<I", data[at + 4 : at + 8])[0]
        body = data[at + 8 : at + 8 + size]
        if kind == b"fmt ":
            channels = struct.unpack("<H", body[2:4])[0]
        if kind == b"data":
            return numpy.frombuffer(body, "<f4").reshape(-1, channels).T.copy()
        at += 8 + size + size % 2
    raise ValueError(f"{path} has no samples")


@pytest.fixture
def render(tmp_path):
    """`ictus render --midi` of a scene of the gallery; its end, which is faded, is left out."""

    def run(scene, messages, rate, frames, *options):
        midi, out = tmp_path / "piece.mid", tmp_path / "piece.wav"
        midi.write_bytes(midi_file(messages, rate))
        seconds = str(frames / rate + 1)
        command = [PROGRAM, "render", scene, "--midi", midi, "--rate", str(rate), "--duration", seconds, "--bits", "32f", "-o", out, *options]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        sound = read_wav(out)[:, :frames]
        return sound if len(sound) > 1 else numpy.repeat(sound, 2, axis=0)

    return run


@pytest.fixture
def loaded(tmp_path):
    """A plugin in pedalboard with a scene."""

    def load(name=None, text=None, plugin="ictus"):
        made = pedalboard.load_plugin(BUNDLE, plugin_name=plugin)
        if name is not None:
            path = tmp_path / "scene.vstpreset"
            path.write_bytes(preset_of(state_of(name, scene_text(name) if text is None else text), plugin))
            made.load_preset(str(path))
        return made

    return load
