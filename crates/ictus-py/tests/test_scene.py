"""Scenes: loaded, changed, written, never altered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import HAMMER

import ictus


def test_a_scene_is_loaded_by_name_by_path_and_by_text(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(HAMMER)
    assert ictus.load("hammered-string").title == "Hammered string"
    by_path, by_text = ictus.load(file), ictus.load(HAMMER)
    assert by_path.title == by_text.title == "Hammer and string"
    assert by_path.text == HAMMER and ictus.load(str(file)) == by_path
    assert np.array_equal(by_path.render().audio, by_text.render().audio)
    assert set(ictus.gallery()) >= {"marimba", "piano", "tanpura"}


def test_what_only_one_set_names_is_set_without_its_name() -> None:
    marimba = ictus.load("marimba")
    assert marimba.set("mallet.mass", 0.03).render(duration=0.3).audio.tobytes() == (
        marimba.set("bars.mallet.mass", 0.03).render(duration=0.3).audio.tobytes()
    )


def test_a_scene_never_changes(hammer: ictus.Scene) -> None:
    before = hammer.text
    other = hammer.set("hammer.mass", 0.05)
    assert hammer.text == before and hammer.changes == {}
    assert other.changes == {"hammer.mass": "0.05"} and other != hammer
    with pytest.raises(AttributeError, match="never changes"):
        hammer.title = "x"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="never changes"):
        del hammer._name


def test_the_last_of_two_changes_holds(hammer: ictus.Scene) -> None:
    changed = hammer.set("hammer.mass", "20 g").set("hammer.mass", np.float32(0.5)).set("seed", np.int64(3))
    assert changed.parameters()["hammer.mass"].value == 0.5 and changed.seed == 3
    assert changed.changes == {"hammer.mass": "0.5", "seed": "3"}
    assert changed == hammer.set({"hammer.mass": 0.5, "seed": 3})


def test_values_of_every_kind_can_be_set(hammer: ictus.Scene) -> None:
    scene = hammer.set({"string.t60": [["100 Hz", 3.0], [2000, "0.5 s"]], "string.material": "brass", "ear.gain": np.array(0.5)})
    assert scene.render(duration=0.02).audio.any() or scene.duration == 0.3
    assert 'material = "brass"' in scene.text


def test_the_text_of_a_changed_scene_makes_the_same_samples(hammer: ictus.Scene) -> None:
    changed = hammer.set({"hammer.mass": 0.011, "string.pitch": "D4", "title": "Other \"words\""})
    again = ictus.load(changed.text)
    assert again.changes == {} and again.title == 'Other "words"'
    assert np.array_equal(again.render().audio, changed.render().audio)


def test_parameters_are_those_of_the_program(asked: Callable[..., Any]) -> None:
    for name in ("hammered-string", "marimba", "tromba-marina"):
        mine = ictus.load(name).parameters()
        rows = asked("show", name, "--parameters", "--json")
        assert [row["path"] for row in rows] == [parameter.path for parameter in mine]
        for row, parameter in zip(rows, mine):
            assert row["unit"] == parameter.unit and row["live"] == parameter.live
            assert row["default"] == parameter.value
    assert "hammer.mass" in repr(ictus.load("hammered-string").parameters())
    assert "<td>hammer.mass</td>" in ictus.load("hammered-string").parameters()._repr_html_()


def test_what_a_scene_consists_of_is_named(hammer: ictus.Scene) -> None:
    assert hammer.exciters == ["hammer"] and "string" in hammer.objects and "hammer" in hammer.contacts
    assert (hammer.sr, hammer.channels, hammer.duration) == (48000.0, ictus.load(HAMMER).channels, 0.3)
    costs = hammer.costs()
    assert {cost.name for cost in costs} == set(hammer.objects)
    assert next(cost for cost in costs if cost.name == "string").modes


def test_why_a_scene_is_silent_is_told(hammer: ictus.Scene) -> None:
    assert hammer.warnings() == []
    assert "moves away" in hammer.set("events.0.velocity", -1).warnings()[0]


def test_a_value_that_nobody_hears_is_told() -> None:
    scene = ictus.load("hammered-string")
    changed = scene.set("hammer.velocity", 3)
    (warning,) = changed.warnings()
    assert "`hammer.velocity` is not heard: each event that plays `hammer` has a `velocity` of its own" in warning
    assert warning in changed.render(duration=0.3).report["warnings"]
    assert scene.set("hammer.mass", 0.01).warnings() == [] and scene.set("events.0.velocity", 3).warnings() == []


def test_what_only_one_set_has_is_found_without_the_name_of_the_set() -> None:
    marimba = ictus.load("marimba")
    assert marimba.parameters()["mallet.mass"].path == "bars.mallet.mass"
    heavier = marimba.set("mallet.mass", 0.05)
    assert heavier.parameters()["mallet.mass"].value == 0.05
    instrument = marimba.instrument()
    live = marimba.parameters()["mallet.stiffness"].value
    instrument.set("mallet.stiffness", 2 * live)
    assert instrument.get("mallet.stiffness") == instrument.get("bars.mallet.stiffness") == 2 * live
