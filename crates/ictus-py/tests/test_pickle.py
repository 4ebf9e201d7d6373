"""Everything can be pickled, and means the same afterwards; an instrument at play goes on to the bit."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ictus


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_scene_and_its_result_come_back_the_same(hammer: ictus.Scene, protocol: int) -> None:
    scene = hammer.set("hammer.mass", 0.01)
    again = pickle.loads(pickle.dumps(scene, protocol))
    assert again == scene and hash(again) == hash(scene) and again.changes == scene.changes
    result = scene.render(duration=0.1, forces=True)
    back = pickle.loads(pickle.dumps(result, protocol))
    assert np.array_equal(back.audio, again.render(duration=0.1).audio) and back.sr == result.sr
    assert back.report == result.report
    assert np.array_equal(back.contacts, result.contacts) and np.array_equal(back.energy, result.energy)
    assert back.forces is not None and back.forces.contacts == scene.contacts


def test_answers_of_the_lab_and_tables_come_back_the_same(hammer: ictus.Scene) -> None:
    impact = pickle.loads(pickle.dumps(ictus.impact(scheme="secant", trajectories=True)))
    assert impact.exact == ictus.impact(scheme="secant").exact and len(impact.trajectories["secant"])
    assert pickle.loads(pickle.dumps(ictus.exact())) == ictus.exact()
    assert pickle.loads(pickle.dumps(hammer.parameters())) == hammer.parameters()
    item = pickle.loads(pickle.dumps(ictus.repro("P09-table-1")))[0]
    assert item.name == "P09-table-1" and item.holds


def test_a_scene_can_be_copied(hammer: ictus.Scene) -> None:
    assert copy.copy(hammer) == copy.deepcopy(hammer) == hammer


def _peak(scene: ictus.Scene) -> tuple[float, bytes]:
    audio = scene.render(duration=0.05).audio
    return float(np.abs(audio).max()), audio.tobytes()


def test_scenes_are_rendered_in_other_processes_to_the_same_bits(hammer: ictus.Scene) -> None:
    scenes = [hammer.set("hammer.mass", mass) for mass in (0.002, 0.01)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(_peak, scenes)) == [_peak(scene) for scene in scenes]


def told(instrument: ictus.Instrument) -> tuple[object, ...]:
    """All that can be learnt of an instrument, now and over the next tenth of a second."""
    state = [instrument.time, instrument.balance, instrument.breakdowns, instrument.parameters(), instrument.sr, instrument.scene]
    points = ["string@0.3", *instrument.scene.contacts]
    audio, seen = instrument.trace(2400, *points)
    traced = [seen[name].tobytes() for name in points]
    instrument.set("ear.gain", 0.5, over=0.02)
    later = instrument.process(2400).tobytes()
    return (*state, audio.tobytes(), *traced, later, instrument.contacts().tobytes(), instrument.balance, instrument.parameters())


PLAYED = ictus.load(
    """
ictus = 1
title = "All that can be played"
duration = "1 s"
[objects.string]
kind = "string"
pitch = "A3"
t60 = "1 s"
[exciters.hammer]
kind = "hammer"
on = "string@0.12"
mass = "5 g"
stiffness = 1e8
exponent = 2.3
[exciters.bow]
kind = "bow"
on = "string@0.08"
[pickups.ear]
at = "string@0.9"
gain = 0.2
[notes]
play = "hammer"
[[events]]
time = "50 ms"
strike = "hammer"
velocity = "2 m/s"
"""
)

amounts = st.floats(0.01, 3)
CALLS: st.SearchStrategy[Callable[[ictus.Instrument], object]] = st.one_of(
    st.integers(0, 3000).map(lambda frames: lambda instrument: instrument.process(frames)),
    st.integers(0, 300).map(lambda frames: lambda instrument: instrument.trace(frames, "string@0.5")),
    amounts.map(lambda velocity: lambda instrument: instrument.strike("string@0.3", velocity)),
    amounts.map(lambda velocity: lambda instrument: instrument.strike("hammer", velocity)),
    amounts.map(lambda force: lambda instrument: instrument.bow("string@0.1", 0.2, force)),
    amounts.map(lambda height: lambda instrument: instrument.pull("string@0.4", 1e-3 * height)),
    st.just(lambda instrument: instrument.damp("string@0.5")),
    st.sampled_from(["string", "bow"]).map(lambda what: lambda instrument: instrument.release(what)),
    st.tuples(amounts, amounts).map(lambda drawn: lambda instrument: instrument.play("bow", 0.1 * drawn[0], 0.01 * drawn[1])),
    st.tuples(amounts, st.sampled_from([0.0, 0.03])).map(
        lambda drawn: lambda instrument: instrument.set("hammer.stiffness", 1e8 * drawn[0], drawn[1])
    ),
    st.integers(40, 80).map(lambda key: lambda instrument: instrument.note_on(key, 0.7)),
    st.integers(40, 80).map(lambda key: lambda instrument: instrument.note_off(key)),
    st.booleans().map(lambda down: lambda instrument: instrument.sustain(down)),
    st.booleans().map(lambda keep: lambda instrument: instrument.keep_account(keep)),
    st.just(lambda instrument: instrument.contacts()),
    st.just(lambda instrument: instrument.stop_score()),
    st.just(lambda instrument: instrument.reset()),
    st.just(lambda instrument: instrument.probe("string@0.2")),
)


@given(calls=st.lists(CALLS, max_size=24), sr=st.sampled_from([None, 44100]), seed=st.sampled_from([None, 7]))
def test_an_instrument_at_play_goes_on_to_the_bit(calls: list[Callable[[ictus.Instrument], object]], sr: float | None, seed: int | None) -> None:
    instrument = PLAYED.instrument(sr, seed)
    for call in calls:
        call(instrument)
    once = pickle.loads(pickle.dumps(instrument))
    # A pickle of what was unpickled is as good.
    twice = pickle.loads(pickle.dumps(once))
    assert told(instrument.copy()) == told(once) == told(twice) == told(instrument)


@pytest.mark.parametrize("name", ["marimba", "snare", "rolling-ball", "tanpura"])
def test_scenes_of_the_gallery_at_play_go_on_to_the_bit(name: str) -> None:
    instrument = ictus.load(name).instrument(seed=3)
    instrument.keep_account()
    instrument.process(20_000)
    instrument.note_on(60)
    instrument.process(3333)
    again = pickle.loads(pickle.dumps(instrument))
    assert np.array_equal(instrument.process(24_000), again.process(24_000))
    assert instrument.balance == again.balance and instrument.contacts().tobytes() == again.contacts().tobytes()


def _played_on(instrument: ictus.Instrument) -> bytes:
    return instrument.process(4800).tobytes()


def test_an_instrument_goes_on_in_another_process(hammer: ictus.Scene) -> None:
    instrument = hammer.instrument()
    instrument.process(1000)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(_played_on, instrument).result() == _played_on(instrument)


def test_an_instrument_of_too_many_calls_says_so_until_it_is_reset(hammer: ictus.Scene) -> None:
    instrument = hammer.instrument()
    for _ in range(100_001):
        instrument.sustain(True)
    with pytest.raises(ictus.Problem, match="more than 100000 calls"):
        pickle.dumps(instrument)
    # Looking is no call, and what was asked twice in a row is remembered once.
    instrument.reset()
    for _ in range(1000):
        instrument.process(1)
        instrument.contacts()
    assert len(pickle.dumps(instrument)) < 1500
    with pytest.raises(ictus.Problem, match="cannot be read"):
        hammer.instrument()._native.replay(3, "[[0, {}]]")
