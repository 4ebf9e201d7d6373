"""Models: objects, contacts and pickups without text."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import HAMMER

import ictus


def test_a_model_is_the_scene_of_the_same_keys_to_the_bit() -> None:
    model = (
        ictus.Model(title="Hammer and string", duration=0.3)
        .string("string", pitch="A3", t60="1 s")
        .hammer("hammer", "string@0.12", mass=0.005, stiffness=1e8, exponent=2.3)
        .pickup("ear", "string@0.9", gain=0.2)
        .event(0.005, strike="hammer", velocity=2)
    )
    assert np.array_equal(model.render().audio, ictus.load(HAMMER).render().audio)
    assert pickle.loads(pickle.dumps(model)).text == model.text
    assert ictus.load(model.text).render(duration=0.01).sr == 48000


def test_a_mass_and_a_wall_meet_as_the_closed_result_says() -> None:
    model = (
        ictus.Model(rate=96000, duration=0.02)
        .mass("ball", "10 g", displacement=-1e-3, velocity=1.0)
        .barrier("wall")
        .contact("touch", "ball", "wall", "hunt-crossley", stiffness=1e8, exponent=1.5, dissipation=0.3)
        .pickup("ear", "touch", "force", gain=1e-4)
    )
    (touch,) = model.render().contacts
    exact = ictus.exact(mass=0.01, stiffness=1e8, exponent=1.5, dissipation=0.3, velocity=1.0)
    assert touch["v_out"] == pytest.approx(exact.output_velocity, rel=1e-6)
    assert touch["end"] - touch["start"] == pytest.approx(exact.contact_time, abs=2 / 96000)


def test_every_kind_of_object_has_a_method_and_every_method_a_kind() -> None:
    keys: dict[str, dict[str, object]] = {"mass": {"mass": 1}}
    for kind in ictus.OBJECT_KINDS:
        model = getattr(ictus.Model(), kind)("thing", **keys.get(kind, {}))
        assert f'kind = "{kind}"' in model.text
    assert {"hammer", "bow", "finger"} <= set(ictus.TOOL_KINDS)


def test_exciters_controls_notes_forces_and_output_are_written() -> None:
    model = (
        ictus.Model(tuning=442)
        .string("a.b", pitch="A3")
        .exciter("bow", "bow", "a.b@0.1", velocity=0.1)
        .force("push", "a.b@0.5", level=0.1)
        .control("speed", "bow.velocity", range=[0, 1])
        .notes(play="bow")
        .output(gain=0.5)
        .pickup("ear", "a.b@0.9")
        .event(0, bow="bow")
    )
    scene = model.scene()
    assert scene.exciters == ["bow"] and scene.parameters()[0].path == "speed"
    assert "1 exciters" in repr(model)
