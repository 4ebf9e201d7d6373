"""Everything that has no motion can be pickled, and means the same afterwards."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

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
