"""Instruments: stepped, played, changed and looked at while they sound."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

import ictus


def test_blocks_of_any_length_are_the_render(hammer: ictus.Scene) -> None:
    whole = hammer.render(duration=0.2).audio
    instrument = hammer.instrument()
    parts = [instrument.process(frames) for frames in (1, 0, 17, 1024, 4000, 9600 - 5042)]
    played = np.concatenate(parts, axis=1)
    assert played.dtype == np.float32 and played.shape == whole.shape
    # The render is faded over its last 10 ms.
    assert np.array_equal(played[:, :-480], whole[:, :-480])
    assert instrument.time == pytest.approx(0.2)


def test_a_blow_by_hand_at_any_point_is_heard_and_logged(hammer: ictus.Scene) -> None:
    instrument = hammer.instrument()
    instrument.stop_score()
    assert not instrument.process(4800).any()
    instrument.strike("string@0.3", velocity=1.5)
    assert np.abs(instrument.process(4800)).max() > 1e-4
    contacts = instrument.contacts()
    assert list(contacts["contact"]) == ["hand"] and contacts["v_in"][0] == pytest.approx(1.5, rel=0.05)
    assert len(instrument.contacts()) == 0


def test_the_scenes_own_hammer_is_thrown_as_hard_as_asked(hammer: ictus.Scene) -> None:
    peaks = []
    for velocity in (0.5, 2.0):
        instrument = hammer.instrument()
        instrument.stop_score()
        instrument.strike("hammer", velocity)
        instrument.process(9600)
        peaks.append(float(instrument.contacts()["peak_force"][0]))
    # A blow four times as fast on a power law is more than four times as strong.
    assert peaks[1] > 4 * peaks[0]


def test_a_bow_sets_a_string_going_and_a_finger_stops_it() -> None:
    instrument = ictus.Model().string("string", pitch="A3", t60=3.0).pickup("ear", "string@0.9").instrument()
    instrument.bow("string@0.1", velocity=0.2, force=1.0)
    bowed = np.abs(instrument.process(24000)[:, 12000:]).max()
    assert bowed > 1e-4
    instrument.release("string")
    instrument.damp("string@0.5")
    instrument.process(48000)
    assert np.abs(instrument.process(4800)).max() < 0.2 * bowed


def test_probes_follow_a_point_and_agree_with_the_trace() -> None:
    instrument = ictus.Model().mass("mass", 0.1, velocity=0.5).pickup("ear", "mass").instrument()
    _, seen = instrument.trace(480, "mass")
    # A free mass flies straight.
    assert seen["mass"][-1] == pytest.approx(0.5 * 480 / 48000, rel=1e-3)
    assert instrument.probe("mass") == seen["mass"][-1]


def test_a_trace_reads_points_and_contacts_at_every_sample(hammer: ictus.Scene) -> None:
    audio, seen = hammer.instrument().trace(2400, "string@0.12", "hammer")
    assert np.array_equal(audio, hammer.instrument().process(2400))
    assert seen["hammer"].max() == pytest.approx(hammer.render(duration=0.05).contacts["peak_force"].max())
    touching = seen["hammer"] > 0
    assert seen["string@0.12"][touching].max() > 1e-5 and not seen["string@0.12"][:240].any()


def test_a_parameter_is_set_at_once_or_over_a_time(hammer: ictus.Scene) -> None:
    instrument = hammer.instrument()
    instrument.set("hammer.stiffness", 2e8)
    assert instrument.get("hammer.stiffness") == pytest.approx(2e8)
    assert instrument.parameters()["hammer.stiffness"].value == pytest.approx(2e8)
    # A pickup's gain is what it is in the text.
    assert instrument.get("ear.gain") == 0.2
    instrument.set("ear.gain", 0.5, over=0.1)
    instrument.process(2400)
    half = instrument.get("ear.gain")
    instrument.process(4800)
    assert half == pytest.approx(0.35, abs=0.006) and instrument.get("ear.gain") == pytest.approx(0.5)


def test_notes_sound_and_stop() -> None:
    instrument = ictus.load("marimba").instrument()
    instrument.stop_score()
    instrument.note_on(60, 0.9)
    instrument.sustain(True)
    instrument.note_off(60)
    assert np.abs(instrument.process(9600)).max() > 1e-4
    assert instrument.breakdowns == 0


def test_modes_of_a_string_are_the_stiff_strings() -> None:
    model = ictus.Model().string("string", pitch=110.0, length=1.1, diameter=1e-3, material="steel", t60=5.0)
    modes = model.pickup("ear", "string@0.9").instrument().modes("string")
    assert modes is not None
    frequency = np.array([mode.frequency for mode in modes[:20]])
    number = np.arange(1, 21)
    # f_p/p = f0 √(1 + B p²): two partials give f0 and B, the others must follow.
    first, last = (frequency[0]) ** 2, (frequency[19] / 20) ** 2
    stiffness = (last - first) / (first * 400 - last)
    base = math.sqrt(first / (1 + stiffness))
    assert np.allclose(frequency, number * base * np.sqrt(1 + stiffness * number**2), rtol=1e-9)
    assert modes[0].t60 == pytest.approx(5.0, rel=1e-6)
    assert model.instrument().modes("string") == modes
    with pytest.raises(ictus.Problem, match="did you mean"):
        model.instrument().modes("strin")


def test_the_energy_account_is_kept_when_asked(hammer: ictus.Scene) -> None:
    instrument = hammer.instrument()
    instrument.keep_account()
    instrument.process(14400)
    balance = instrument.balance
    assert balance.supplied == pytest.approx(0.01, rel=1e-9) and balance.dissipated > 0
    assert balance.residual < 1e-12


def test_a_copy_goes_on_like_the_original_and_a_reset_begins_anew(hammer: ictus.Scene) -> None:
    instrument = hammer.instrument()
    first = instrument.process(2400)
    other = copy.copy(instrument)
    rest = instrument.process(2400)
    assert np.array_equal(rest, other.process(2400))
    instrument.reset()
    assert instrument.time == 0 and np.array_equal(first, instrument.process(2400))
    assert copy.deepcopy(instrument).scene == hammer


def test_the_force_of_a_contact_is_there_while_it_touches(hammer: ictus.Scene) -> None:
    instrument = hammer.instrument()
    instrument.process(100)
    apart = instrument.contact("hammer")
    assert not apart.touching and apart.force == 0 and apart.compression < 0
    while not (state := instrument.contact("hammer")).touching and instrument.time < 0.1:
        instrument.process(1)
    assert state.touching and state.force > 0
