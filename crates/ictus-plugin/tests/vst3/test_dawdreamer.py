"""VST3 in dawdreamer."""

import dawdreamer
import numpy
import pytest

from conftest import BUNDLE, midi_file, preset_of, scene_text, state_of
from test_pedalboard import NOTES, RATE


def engine(block, name, tmp_path, messages):
    host = dawdreamer.RenderEngine(RATE, block)
    plugin = host.make_plugin_processor("ictus", BUNDLE)
    preset, piece = tmp_path / "scene.vstpreset", tmp_path / "piece.mid"
    preset.write_bytes(preset_of(state_of(name, scene_text(name))))
    assert plugin.load_vst3_preset(str(preset))
    piece.write_bytes(midi_file(messages, RATE))
    plugin.load_midi(str(piece), clear_previous=True, beats=False, all_events=True)
    host.load_graph([(plugin, [])])
    return host, plugin


@pytest.mark.parametrize("block", [1, 64, 100, 512, 8192])
def test_a_performance_is_a_render_to_the_bit(render, tmp_path, block):
    frames = 24_000
    expected = render("bowed-bar", NOTES, RATE, frames)
    host, plugin = engine(block, "bowed-bar", tmp_path, NOTES)
    host.render(frames / RATE)
    heard = plugin.get_audio()[:2, :frames]
    differ = numpy.flatnonzero((heard != expected[:, : heard.shape[1]]).any(axis=0))
    assert differ.size == 0, f"from sample {differ[0]}"
    assert numpy.abs(heard).max() > 1e-3


def test_automation_is_heard(tmp_path):
    sounds = []
    for position in (0.1, 0.9):
        host, plugin = engine(512, "bowed-bar", tmp_path, NOTES)
        names = [each["name"] for each in plugin.get_parameters_description()]
        index = next(place for place, name in enumerate(names) if name.endswith("Control 1"))
        plugin.set_automation(index, numpy.full(48_000, position, dtype=numpy.float32))
        host.render(0.5)
        sounds.append(plugin.get_audio())
    assert numpy.isfinite(sounds[0]).all() and (sounds[0] != sounds[1]).any()
