"""Whatever is given, the interpreter lives: an answer, or an exception with a sentence."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from conftest import HAMMER
from hypothesis import given
from hypothesis import strategies as st

import ictus

SCENE = ictus.load(HAMMER)
INSTRUMENT = SCENE.instrument()

numbers = st.one_of(
    st.floats(),
    st.integers(),
    st.sampled_from([0, -0.0, 1e-320, 1e300, -1e300, 10**30, -(2**63), 2**64, math.nan, math.inf, -math.inf, True]),
    st.sampled_from([np.float32(1.5), np.int8(-3), np.float64("nan"), np.array(2.0), np.array([1.0]), np.uint64(2**64 - 1)]),
)
texts = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["", "\0", "hammer.mass", "string@0.5", "string@", "@", "#", "string#1", "20 g", "nan", "1e999 kg", "../x", "\ud800"]),
    st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8})?(@[0-9.,-]{0,6})?", fullmatch=True),
)
things = st.recursive(
    st.one_of(numbers, texts, st.none(), st.binary(max_size=8), st.booleans()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
arrays = st.one_of(
    things,
    st.sampled_from(
        [
            np.zeros(0), np.zeros((0, 5)), np.zeros((3, 0)), np.zeros((2, 3, 4)), np.full(100, np.nan), np.full(100, np.inf),
            np.full(100, 1e300), np.arange(100), np.arange(100)[::-3], np.array("x"), np.array([object()]), np.zeros(9, complex),
            np.ones((2, 64), np.float16), np.array([], dtype="U1"),
        ]
    ),
)  # fmt: skip


def lives(call: Callable[[], Any]) -> None:
    """An answer, or an exception that says something; a panic of the Rust code is neither, and is no `Exception`."""
    try:
        call()
    except (ValueError, TypeError, OverflowError, MemoryError, OSError, ictus.Breakdown, DeprecationWarning) as error:
        # The warning is numpy's, of an array that holds one number.
        assert str(error)


@given(arguments=st.tuples(things, things))
def test_setting_anything(arguments: tuple[Any, Any]) -> None:
    lives(lambda: SCENE.set(*arguments))


@given(value=things, path=st.sampled_from([row.path for row in SCENE.parameters()]))
def test_setting_a_parameter_to_anything(path: str, value: Any) -> None:
    def play() -> None:
        # What can be set can be rendered.
        scene = SCENE.set(path, value)
        scene.render(sr=8000, duration=0.01)

    lives(play)


@given(what=st.one_of(things, st.text()))
def test_loading_anything(what: Any) -> None:
    lives(lambda: ictus.load(what))


@given(
    options=st.fixed_dictionaries(
        {"duration": st.one_of(st.floats(1e-4, 0.02), st.sampled_from([math.nan, math.inf, -1, 0, 1e300, 1e12]))},
        optional={
            "sr": things,
            "seed": things,
            "oversample": things,
            "tail": st.one_of(st.sampled_from([math.nan, -1, 0.01, math.inf, 1e300]), texts),
            "account": things,
            "forces": things,
        },
    )
)
def test_rendering_with_anything(options: dict[str, Any]) -> None:
    lives(lambda: SCENE.render(**options))


METHODS = ["strike", "bow", "pull", "damp", "play", "release", "set", "get", "probe", "contact", "modes", "note_on", "note_off", "sustain"]


@given(name=st.sampled_from(METHODS), arguments=st.lists(st.one_of(things, texts, numbers), max_size=3))
def test_playing_with_anything(name: str, arguments: list[Any]) -> None:
    lives(lambda: getattr(INSTRUMENT, name)(*arguments))
    assert np.isfinite(INSTRUMENT.process(16)).all()


@given(frames=st.one_of(things, st.integers(-5, 300)), what=st.lists(texts, max_size=2))
def test_stepping_by_anything(frames: Any, what: list[Any]) -> None:
    huge = isinstance(frames, (int, float, np.number)) and not isinstance(frames, bool) and 10**6 < frames < 2**28
    if not huge:
        lives(lambda: INSTRUMENT.process(frames))
        lives(lambda: INSTRUMENT.trace(frames, *what))


QUESTIONS = ["mass", "stiffness", "exponent", "dissipation", "velocity", "rate", "scheme", "phase", "gap", "gravity", "duration", "s"]


@given(options=st.dictionaries(st.sampled_from(QUESTIONS), st.one_of(things, numbers), max_size=3))
def test_impacts_of_anything(options: dict[str, Any]) -> None:
    lives(lambda: ictus.impact(**{"scheme": "secant", **options}))


@given(options=st.dictionaries(st.sampled_from(QUESTIONS[:5]), arrays, max_size=3))
def test_closed_results_of_anything(options: dict[str, Any]) -> None:
    lives(lambda: ictus.exact(**options))


@given(
    options=st.dictionaries(
        st.sampled_from(["contact_time", "centroid", "restitution", "mass", "exponent", "velocity", "free", "rate", "quality"]),
        st.one_of(things, numbers),
        max_size=4,
    )
)
def test_designs_on_a_wall_of_anything(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lives(lambda: ictus.design(**options, wall=True))


@given(
    name=st.sampled_from(["centroid", "pitch", "t60", "loudness", "contact_time"]),
    sounds=arrays,
    rate=st.one_of(numbers, st.just(48000)),
)
def test_measuring_anything(name: str, sounds: Any, rate: Any) -> None:
    lives(lambda: getattr(ictus.features, name)(sounds, rate))


@given(keys=st.dictionaries(texts, things, max_size=3), name=things, kind=st.one_of(things, st.sampled_from(ictus.OBJECT_KINDS)))
def test_models_of_anything(name: Any, kind: Any, keys: dict[str, Any]) -> None:
    lives(lambda: ictus.Model().object(name, kind, **keys).pickup("ear", "x@0.5").scene())


@given(names=st.lists(st.one_of(things, texts), min_size=1, max_size=2))
def test_papers_of_any_name(names: list[Any]) -> None:
    known = {paper.source for paper in ictus.papers()} | {paper.name for paper in ictus.papers()} | {"all"}
    if not any(isinstance(name, str) and name.lower() in {each.lower() for each in known} for name in names):
        lives(lambda: ictus.repro(*names))


@given(
    sound=arrays,
    rate=st.one_of(numbers, st.just(48000)),
    options=st.dictionaries(st.sampled_from(["start", "stop", "partials", "range"]), st.one_of(numbers, texts, things), max_size=2),
)
def test_measuring_a_whole_sound_of_anything(sound: Any, rate: Any, options: dict[str, Any]) -> None:
    lives(lambda: ictus.measure(sound, rate, **options))


FITTED = ["start", "stop", "modes", "lowest", "mass", "mallet", "velocity", "exponent", "restitution", "confidence", "residual", "more"]


@given(sound=arrays, rate=st.one_of(numbers, st.just(48000)), options=st.dictionaries(st.sampled_from(FITTED), st.one_of(numbers, texts, things), max_size=2))
def test_fitting_anything(sound: Any, rate: Any, options: dict[str, Any]) -> None:
    lives(lambda: ictus.fit(sound, rate, **options))


SWEPT = ["n", "kind", "seed", "outputs", "duration", "sr", "oversample", "chunk", "threads", "client", "to"]
ranges = st.builds(ictus.Range, st.sampled_from(["uniform", "log", "x"]), st.one_of(numbers, texts), st.one_of(numbers, texts), things)


@given(
    parameters=st.one_of(things, st.dictionaries(st.one_of(texts, st.just("hammer.mass")), st.one_of(things, ranges, arrays), max_size=3)),
    options=st.dictionaries(st.sampled_from(SWEPT), st.one_of(numbers, texts, things), max_size=3),
)
def test_sweeping_anything(parameters: Any, options: dict[str, Any]) -> None:
    # The folder cannot be made, so that whatever can be swept ends there.
    options["to"] = options.get("to", "/dev/null/out") if not isinstance(options.get("to"), str) else "/dev/null/out"
    options.setdefault("n", 2)
    lives(lambda: ictus.sweep(SCENE, parameters, progress=False, **options))


@given(what=things, parts=st.lists(things, max_size=3))
def test_opening_and_tabling_anything(what: Any, parts: list[Any]) -> None:
    lives(lambda: ictus.features.table(parts))
    lives(lambda: ictus.features.table(what))
    lives(lambda: ictus.Swept(what))
    lives(lambda: SCENE.parameters()[str(what)])


RESULT = SCENE.render(sr=8000, duration=0.02)


@given(
    name=st.sampled_from(["centroid", "pitch", "t60", "loudness", "contact_time", "partial"]),
    options=st.dictionaries(st.sampled_from(["sr", "power", "lowest", "highest", "upper", "lower", "channels", "threshold", "exponent", "near", "within"]), numbers),
)
def test_measuring_a_result_with_anything(name: str, options: dict[str, Any]) -> None:
    lives(lambda: getattr(ictus.features, name)(RESULT, **options))
