"""Renders: the samples of the program, to the bit, and what stands beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ictus

SCENES = sorted(ictus.gallery())


def samples(file: Path) -> np.ndarray:
    """(channels, frames) of a WAV file of 32-bit floats, read chunk by chunk."""
    data = file.read_bytes()
    assert data[:4] == b"RIFF" and data[8:12] == b"WAVE"
    at, channels, found = 12, 0, None
    while at + 8 <= len(data):
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if name == b"fmt ":
            channels = int.from_bytes(data[at + 10 : at + 12], "little")
        if name == b"data":
            found = np.frombuffer(data[at + 8 : at + 8 + size], dtype="<f4")
        at += 8 + size + size % 2
    assert found is not None
    return found.reshape(-1, channels).T


@pytest.mark.parametrize("name", SCENES)
def test_samples_of_the_gallery_equal_the_programs_to_the_bit(name: str, run: Callable[..., str], tmp_path: Path) -> None:
    wav = tmp_path / "a.wav"
    run("render", name, "-o", wav, "--bits", "32f", "--duration", "0.25", "--rate", "44100", "--seed", "7", "--no-account")
    result = ictus.load(name).render(sr=44100, duration=0.25, seed=7, account=False)
    theirs = samples(wav)
    assert result.audio.dtype == np.float32 and result.audio.shape == theirs.shape
    assert np.array_equal(result.audio.view(np.uint32), theirs.view(np.uint32))


def test_changes_oversampling_and_tails_equal_the_programs_to_the_bit(run: Callable[..., str], tmp_path: Path) -> None:
    wav, report = tmp_path / "a.wav", tmp_path / "a.json"
    options = ["--oversample", "4", "--tail=0.4", "--set", "hammer.mass=0.02", "--set", "string.t60=0.5 s"]
    run("render", "hammered-string", "-o", wav, "--bits", "32f", "--duration", "0.3", "--report", report, *options)
    scene = ictus.load("hammered-string").set({"hammer.mass": 0.02, "string.t60": "0.5 s"})
    result = scene.render(duration=0.3, oversample=4, tail=0.4)
    assert result.duration > 0.3
    assert np.array_equal(result.audio.view(np.uint32), samples(wav).view(np.uint32))
    theirs = json.loads(report.read_text())
    times = {"realtime_factor", "objects", "rest", "contacts"}
    assert {key: value for key, value in theirs.items() if key not in times} == {
        key: value for key, value in result.report.items() if key not in times
    }
    listed = [tuple(row.values()) for row in theirs["contacts"]]
    assert listed == [tuple(row) for row in result.contacts.tolist()]


def test_a_saved_sound_is_the_programs_file_byte_by_byte(run: Callable[..., str], tmp_path: Path) -> None:
    for name in ("hammered-string", "mass-string"):
        wav, mine = tmp_path / "a.wav", tmp_path / "b.wav"
        run("render", name, "-o", wav, "--bits", "32f", "--duration", "0.1")
        ictus.load(name).render(duration=0.1).save(mine)
        assert mine.read_bytes() == wav.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.wav", "b.wav"]


def test_a_sound_that_cannot_be_saved_leaves_nothing(hammer: ictus.Scene, tmp_path: Path) -> None:
    result = hammer.render(duration=0.05)
    with pytest.raises(ictus.Problem, match="must end in .wav"):
        result.save(tmp_path / "a.flac")
    (tmp_path / "folder.wav").mkdir()
    for target in (tmp_path / "folder.wav", tmp_path / "no" / "such.wav"):
        with pytest.raises(OSError):
            result.save(target)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.wav"]


def test_the_energy_account_closes_at_every_time(hammer: ictus.Scene) -> None:
    result = hammer.render()
    energy = result.energy
    assert energy["time"][0] == 0 and energy["time"][-1] >= result.duration
    assert np.all(np.diff(energy["time"]) > 0) and np.all(np.diff(energy["dissipated"]) >= -1e-12)
    # The hammer's kinetic energy at 2 m/s is what was supplied.
    assert energy["supplied"][-1] == pytest.approx(0.5 * 0.005 * 2**2, rel=1e-9)
    open_by = energy["stored"] + energy["dissipated"] - energy["supplied"] - energy["initial"]
    assert np.max(np.abs(open_by)) < 1e-12 * energy["supplied"][-1]
    assert result.report["energy"]["residual"] < 1e-12
    assert len(hammer.render(duration=0.05, account=False).energy) == 0


def test_forces_over_time_agree_with_the_contacts(hammer: ictus.Scene) -> None:
    result = hammer.render(forces=True)
    assert result.forces is not None and result.forces.contacts == hammer.contacts
    peak = result.forces.newtons.max(axis=1)[hammer.contacts.index("hammer")]
    assert peak == pytest.approx(result.contacts["peak_force"].max(), rel=1e-12)
    assert np.array_equal(result.audio, hammer.render().audio)


def test_a_result_plays_in_a_notebook_and_its_title_is_no_html(hammer: ictus.Scene) -> None:
    shown = hammer.set("title", "<script>x</script>").render(duration=0.1)._repr_html_()
    assert '<audio controls src="data:audio/wav;base64,UklGR' in shown
    assert "<script>" not in shown and "&lt;script&gt;" in shown


def test_a_result_is_drawn_with_waveform_spectrogram_and_forces(hammer: ictus.Scene) -> None:
    for forces in (False, True):
        figure = hammer.render(forces=forces).plot()
        labels = [axes.get_ylabel() for axes in figure.axes]
        assert labels[:3] == ["sample (1 is full scale)", "frequency / kHz", "contact force / N"]
        assert figure.axes[2].get_legend() is not None
    silent = ictus.Model(title="Nothing").mass("m", 0.1).pickup("ear", "m").render(duration=0.01)
    assert np.all(silent.audio == 0) and silent.plot() is not None
