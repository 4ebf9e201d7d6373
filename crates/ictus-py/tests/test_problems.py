"""A user's mistake: one exception, what was given, what is allowed, what may have been meant."""

from __future__ import annotations

import math
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ictus


def test_the_message_of_a_bad_scene_is_the_programs_underlined_lines(program: Path, tmp_path: Path) -> None:
    text = 'ictus = 1\ntitle = "x"\n[objects.string]\nkind = "string"\nlenght = 1\n'
    (tmp_path / "bad.toml").write_text(text)
    done = subprocess.run([program, "check", "bad.toml"], cwd=tmp_path, capture_output=True, text=True)
    with pytest.raises(ictus.SceneProblem) as caught:
        ictus.Scene(text, "bad.toml")
    message = str(caught.value)
    assert "did you mean `length`?" in message and "──────" in message
    assert message.strip() in (done.stdout + done.stderr).replace("error: ", "")
    assert caught.value.problems[0]["line"] == 5
    assert isinstance(caught.value, ictus.Problem) and isinstance(caught.value, ValueError)
    assert ictus.SceneProblem.__module__ == ictus.Problem.__module__ == ictus.Breakdown.__module__ == "ictus"
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == message and again.problems == caught.value.problems


MISTAKES: list[tuple[Callable[[ictus.Scene], Any], str]] = [
    (lambda scene: ictus.load("marimab"), 'did you mean "marimba"?'),
    (lambda scene: ictus.load("no/such/file.toml"), "no such file"),
    (lambda scene: ictus.load(""), "."),
    (lambda scene: scene.set("hamer.mass", 1), "did you mean `hammer.mass`?"),
    (lambda scene: scene.set("hammer.mas", 1), "did you mean `mass`?"),
    (lambda scene: ictus.load("marimba").set("malet.mass", 0.03), "did you mean `bars.mallet.mass`?"),
    (lambda scene: scene.set("hammer.mass", math.nan), "must be a finite number"),
    (lambda scene: scene.set("hammer.mass", math.inf), "must be a finite number"),
    (lambda scene: scene.set("hammer.mass", -1), "must be"),
    (lambda scene: scene.set("hammer.mass", "heavy"), "expected a mass"),
    (lambda scene: scene.set("hammer.mass", "\ud800"), "half of a character"),
    (lambda scene: scene.set("hammer.mass", [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]), "too deep"),
    (lambda scene: scene.parameters()["hammer.masss"], "did you mean 'hammer.mass'?"),
    (lambda scene: scene.render(sr=1), "sr is 1, but must be a whole number of Hz from 8000 to 768000"),
    (lambda scene: scene.render(sr=44100.5), "must be a whole number of Hz"),
    (lambda scene: scene.render(sr=math.nan), "sr is NaN"),
    (lambda scene: scene.render(duration=0), "duration is 0, but must be a finite number above 0"),
    (lambda scene: scene.render(duration=math.inf), "duration is"),
    (lambda scene: scene.render(duration=1e9), "duration"),
    (lambda scene: scene.render(seed=-1), "seed is -1, but must be a whole number from 0"),
    (lambda scene: scene.render(oversample=3), "oversample is 3, but must be 1, 2, 4 or 8"),
    (lambda scene: scene.render(tail=-1), "tail is -1"),
    (lambda scene: scene.render(sr=768000, duration=3600), "can be at most"),
    (lambda scene: scene.instrument().strike("strng@0.3"), 'did you mean "string"?'),
    (lambda scene: scene.instrument().strike("string"), "write \"string@0.12\""),
    (lambda scene: scene.instrument().strike("string@1.5"), "fraction of its length from 0 to 1"),
    (lambda scene: scene.instrument().strike("string@0.5", math.nan), "velocity is NaN"),
    (lambda scene: scene.instrument().probe("string@x"), "fraction of its length"),
    (lambda scene: scene.instrument().contact("hamer"), 'did you mean "hammer"?'),
    (lambda scene: scene.instrument().set("hammer.stifness", 1), "did you mean `hammer.stiffness`?"),
    (lambda scene: scene.instrument().set("string.length", 1), "use Scene.set"),
    (lambda scene: scene.instrument().set("hammer.stiffness", -1), "must be"),
    (lambda scene: scene.instrument().process(-1), "frames is -1"),
    (lambda scene: scene.instrument().process(10**12), "must be at most"),
    (lambda scene: scene.instrument().note_on(128), "key is 128"),
    (lambda scene: scene.instrument().note_on(60, 2), "velocity is 2"),
    (lambda scene: scene.instrument().play("hamer"), 'did you mean "hammer"?'),
    (lambda scene: ictus.impact(mass=-1), "mass is -1.0, but must be a finite number above 0"),
    (lambda scene: ictus.impact(scheme="secnt"), "did you mean secant?"),
    (lambda scene: ictus.impact(velocity=-1), "without gravity"),
    (lambda scene: ictus.exact(mass=0), "mass is 0, but"),
    (lambda scene: ictus.exact(stiffness=[1e9, math.nan]), "stiffness"),
    (lambda scene: ictus.exact(mass=[1, 2], velocity=[1, 2, 3]), "shapes that fit"),
    (lambda scene: ictus.design(contact_time="2ms"), "two of contact_time, centroid and restitution"),
    (lambda scene: ictus.design(contact_time="2kg", centroid=1800), "contact_time is 2kg"),
    (lambda scene: ictus.design(contact_time=1e-3, restitution=0.5, free="mss"), "did you mean mass?"),
    (lambda scene: ictus.repro("P9"), "did you mean P09?"),
    (lambda scene: ictus.features.pitch([[math.nan] * 100], 48000), "finite|number"),
    (lambda scene: ictus.features.pitch(np.zeros(100), -1), "rate"),
    (lambda scene: ictus.features.pitch(3.0, 48000), "axes"),
    (lambda scene: ictus.features.loudness(np.zeros((3, 100)), 48000, channels=True), "channels is 3"),
    (lambda scene: ictus.Model().string("s", lenght=1).scene(), "did you mean `length`?"),
    (lambda scene: ictus.Model().string("s").string("s"), "already one of the objects"),
]


@pytest.mark.parametrize("mistake, words", MISTAKES, ids=[str(index) for index in range(len(MISTAKES))])
def test_a_mistake_is_a_problem_that_says_what_is_allowed(
    hammer: ictus.Scene, mistake: Callable[[ictus.Scene], Any], words: str
) -> None:
    with pytest.raises(ictus.Problem) as caught:
        mistake(hammer)
    import re

    assert words in str(caught.value) or re.search(words, str(caught.value)), str(caught.value)
    assert "--" not in str(caught.value).replace("──", ""), str(caught.value)


WRONG_TYPES: list[Callable[[ictus.Scene], Any]] = [
    lambda scene: ictus.load(3),  # type: ignore[arg-type]
    lambda scene: ictus.load(None),  # type: ignore[arg-type]
    lambda scene: scene.set(3, 3),  # type: ignore[arg-type]
    lambda scene: scene.set("hammer.mass"),
    lambda scene: scene.set("hammer.mass", object()),  # type: ignore[arg-type]
    lambda scene: scene.set("hammer.mass", b"1"),  # type: ignore[arg-type]
    lambda scene: scene.render(sr="fast"),  # type: ignore[arg-type]
    lambda scene: scene.render(oversample=None),  # type: ignore[arg-type]
    lambda scene: scene.instrument().process(1.5),  # type: ignore[arg-type]
    lambda scene: scene.instrument().strike(1),  # type: ignore[arg-type]
    lambda scene: ictus.impact(mass=[1, 2]),  # type: ignore[arg-type]
    lambda scene: ictus.impact(scheme=[1]),  # type: ignore[list-item]
    lambda scene: ictus.exact(mass="heavy"),
    lambda scene: ictus.design(contact_time=[1], centroid=3),  # type: ignore[arg-type]
    lambda scene: ictus.repro(3),  # type: ignore[arg-type]
    lambda scene: ictus.features.pitch(["a"], 48000),
    lambda scene: ictus.features.pitch(np.zeros(10)),
]


@pytest.mark.parametrize("mistake", WRONG_TYPES, ids=[str(index) for index in range(len(WRONG_TYPES))])
def test_a_wrong_type_is_a_type_error_of_one_sentence(hammer: ictus.Scene, mistake: Callable[[ictus.Scene], Any]) -> None:
    with pytest.raises(TypeError) as caught:
        mistake(hammer)
    assert 10 < len(str(caught.value)) < 200 and "\n" not in str(caught.value)


def test_a_simulation_that_leaves_the_numbers_is_a_breakdown() -> None:
    model = ictus.Model(8000, duration=1).mass("far", 1e-6, velocity=900).pickup("ear", "far", "displacement").output(gain=1e9)
    with pytest.raises(ictus.Breakdown, match="the simulation diverged"):
        model.render()
