"""Measures of sounds against closed forms, one sound or many."""

from __future__ import annotations

import numpy as np
import pytest

import ictus
from ictus import features

RATE = 48_000
TIME = np.arange(RATE) / RATE


def ringing(frequency: float, t60: float) -> np.ndarray:
    return np.sin(2 * np.pi * frequency * TIME) * 10 ** (-3 * TIME / t60)


def test_a_ringing_sine_has_its_pitch_and_its_decay() -> None:
    for frequency, t60 in ((220.0, 0.5), (441.3, 0.8)):
        sound = ringing(frequency, t60)
        assert features.pitch(sound, RATE) == pytest.approx(frequency, rel=1e-3)
        assert features.partial(sound, RATE, near=frequency * 1.01) == pytest.approx(frequency, rel=1e-4)
        assert features.t60(sound, RATE) == pytest.approx(t60, rel=0.01)


def test_the_centroid_of_a_sine_is_its_frequency() -> None:
    sine = np.sin(2 * np.pi * 3000 * TIME)
    assert features.centroid(sine, RATE, power=True) == pytest.approx(3000, rel=1e-3)
    # Two equal sines: the middle.
    both = sine + np.sin(2 * np.pi * 9000 * TIME)
    assert features.centroid(both, RATE, power=True) == pytest.approx(6000, rel=1e-3)


def test_loudness_is_that_of_the_standard() -> None:
    # BS.1770: 997 Hz at full scale in one channel is -3.01 LUFS; in two channels 3.01 LU more.
    sine = np.sin(2 * np.pi * 997 * np.arange(3 * RATE) / RATE)
    assert features.loudness(sine, RATE) == pytest.approx(-3.01, abs=0.05)
    assert features.loudness(np.stack([sine, sine]), RATE, channels=True) == pytest.approx(0.0, abs=0.05)


def test_the_contact_time_of_half_an_oscillation_is_half_its_period() -> None:
    frequency = 400.0
    force = np.maximum(0, np.sin(2 * np.pi * frequency * TIME[: RATE // 200]) * (TIME[: RATE // 200] < 0.5 / frequency))
    force = np.concatenate([np.zeros(50), force])
    assert features.contact_time(force, RATE) == pytest.approx(0.5 / frequency, rel=2e-3)


def test_many_sounds_at_a_time_are_measured_as_each_alone() -> None:
    sounds = np.stack([ringing(frequency, 0.6) for frequency in (110, 220, 330, 440, 550, 660)])
    batch = sounds.reshape(2, 3, -1).astype(np.float32)
    for measure in (features.pitch, features.centroid, features.t60, features.loudness):
        many = measure(batch, RATE)
        assert isinstance(many, np.ndarray) and many.shape == (2, 3)
        for place in np.ndindex(2, 3):
            assert many[place] == measure(batch[place], RATE)


def test_what_a_sound_does_not_have_is_nan() -> None:
    silence = np.zeros((2, RATE))
    assert np.isnan(features.pitch(silence, RATE)).all() and np.isnan(features.centroid(silence, RATE)).all()
    assert np.isnan(features.t60(silence, RATE)).all() and np.isnan(features.loudness(silence, RATE)).all()
    assert np.isnan(features.contact_time(silence, RATE)).all()
    assert features.pitch(np.zeros((0, 100)), RATE).shape == (0,)  # type: ignore[union-attr]


def test_a_render_has_all_features(hammer: ictus.Scene) -> None:
    results = [hammer.set("hammer.stiffness", stiffness).render(duration=1.0) for stiffness in (1e7, 1e9)]
    rows = features.table(results)
    assert rows.dtype.names == ("centroid", "pitch", "t60", "loudness", "peak", "contact_time", "peak_force", "contacts")
    assert np.allclose(rows["pitch"], 220, rtol=2e-3) and np.allclose(rows["t60"], 1.0, rtol=0.2)
    # A harder hammer touches for a shorter time and sounds brighter.
    assert rows["contact_time"][1] < rows["contact_time"][0] and rows["centroid"][1] > rows["centroid"][0]
    assert rows["loudness"][0] == pytest.approx(results[0].report["lufs"], abs=0.2)
    for row, result in zip(rows, results):
        one_by_one = [features.centroid(result), features.pitch(result), features.t60(result), features.loudness(result), features.contact_time(result)]
        assert one_by_one == [row[name] for name in ("centroid", "pitch", "t60", "loudness", "contact_time")]
        assert row["peak"] == np.abs(result.audio).max() and row["contacts"] == len(result.contacts)
    with pytest.raises(TypeError, match="not ndarray"):
        features.table([results[0].audio])  # type: ignore[list-item]


def test_contact_times_of_a_render_are_finer_than_a_sample() -> None:
    # Half a period of mass and spring, π√(m/K).
    text = """
ictus = 1
title = "Ball"
duration = 0.02
[objects]
ball = { kind = "mass", mass = 0.01, velocity = 1, displacement = -0.001 }
wall = { kind = "barrier" }
[contacts.hit]
from = "ball"
to = "wall"
law = "hunt-crossley"
exponent = 1
stiffness = 1e5
[pickups.ear]
at = "ball"
"""
    for stiffness in (3e4, 1e5, 4.7e5):
        result = ictus.load(text).set("hit.stiffness", stiffness).render()
        exact = np.pi * np.sqrt(0.01 / stiffness)
        assert abs(features.contact_time(result) - exact) * result.sr < 0.05
        contact = result.contacts[0]
        # The force of a step is its mean: it is there a sample longer.
        assert -1e-6 <= (contact["start"] - contact["touch"]) * result.sr <= 1 + 1e-6
        assert -1e-6 <= (contact["end"] - contact["release"]) * result.sr <= 2
