"""Scenes: an instrument in a text, and what is played on it. A scene never changes; `set` makes another one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn, final

import numpy as np
from numpy.typing import NDArray

from . import _ictus
from ._instrument import Instrument
from ._parameters import Parameter, Parameters
from ._result import CONTACT_FIELDS, ENERGY_FIELDS, Forces, Result, structured
from ._written import Value, whole, written


class Cost(NamedTuple):
    """What one object of a scene costs."""

    name: str
    kind: str
    modes: int | None
    """How many modes it is computed in; none of what is on a grid or lumped."""
    points: int | None
    """How many points its grid has; none of what is in modes or lumped."""
    nanoseconds: float
    """Processor time of one step, without contacts, pickups and the energy account."""


@final
class Scene:
    """An instrument and what is played on it, read and checked. Made by `ictus.load`, or from a text."""

    __slots__ = ("_changes", "_name", "_native")
    __module__ = "ictus"

    _name: str
    _changes: tuple[tuple[str, str], ...]
    _native: _ictus.Scene

    def __init__(self, text: str, name: str = "scene", changes: tuple[tuple[str, str], ...] = ()) -> None:
        native = _ictus.Scene(whole(name), whole(text), [(whole(path), whole(value)) for path, value in changes])
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_changes", tuple(changes))
        object.__setattr__(self, "_native", native)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a scene never changes: use set({name!r}, …), which makes another one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a scene never changes")

    def __reduce__(self) -> tuple[Any, ...]:
        return Scene, (self._native.original, self._name, self._changes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return bool(self.__reduce__()[1] == other.__reduce__()[1])

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __repr__(self) -> str:
        changed = "".join(f", {path} = {value}" for path, value in self._changes)
        return f"<ictus.Scene {self.title!r}, {self.duration:g} s{changed}>"

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return self._name

    @property
    def title(self) -> str:
        """What it is called."""
        return self._native.title

    @property
    def about(self) -> str:
        """Its physics in a few sentences; empty if the text says nothing."""
        return self._native.about

    @property
    def duration(self) -> float:
        """How long it sounds, in s."""
        return self._native.duration

    @property
    def seed(self) -> int:
        """Where its random numbers start."""
        return self._native.seed

    @property
    def sr(self) -> float:
        """Samples per second, in Hz, unless others are asked for."""
        return self._native.rate

    @property
    def channels(self) -> int:
        """Number of output channels."""
        return self._native.channels

    @property
    def objects(self) -> list[str]:
        """Names of the objects, those of the exciters included."""
        return self._native.objects

    @property
    def contacts(self) -> list[str]:
        """Names of the contacts, those of the exciters included."""
        return self._native.contacts

    @property
    def exciters(self) -> list[str]:
        """Names of the exciters."""
        return self._native.exciters

    @property
    def changes(self) -> dict[str, str]:
        """What was set since the text was read, by path, as it would be written."""
        return dict(self._changes)

    @property
    def text(self) -> str:
        """A text that reads as this scene: the one it was read from, or if something was set, one written anew."""
        return self._native.written() if self._changes else self._native.original

    def set(self, path: str | Mapping[str, Value], value: Value | None = None) -> Scene:
        """Another scene with a value in place of one of this scene's, or with several: `set({"hammer.mass": 0.01, …})`.

        A path is one of `parameters()`, or any key of the text (`string.material`). Numbers are in SI units; texts can have
        a unit: `set("hammer.mass", "20 g")`.
        """
        if isinstance(path, Mapping):
            if value is not None:
                raise TypeError("set takes a path and a value, or a dictionary of them")
            pairs = dict(path)
        else:
            if value is None:
                raise TypeError("set needs a value")
            pairs = {path: value}
        changes = dict(self._changes)
        for key, new in pairs.items():
            if not isinstance(key, str):
                raise TypeError(f"a path must be a text, not {type(key).__name__}")
            # The last of two changes of the same path holds, and is made last.
            changes.pop(key, None)
            changes[key] = new.strip() if isinstance(new, str) else written(new, key)
        return Scene(self._native.original, self._name, tuple(changes.items()))

    def parameters(self) -> Parameters:
        """Every parameter with unit, range and value: controls first, then the live ones, then those that only `set` changes."""
        return Parameters(Parameter(*row) for row in self._native.parameters())

    def warnings(self) -> list[str]:
        """Why a render will be silent, if it will be, and which of the values that were set it does not hear."""
        return self._native.warnings()

    def costs(self) -> list[Cost]:
        """What each object costs, measured now."""
        return [Cost(*row) for row in self._native.costs()]

    def render(
        self,
        sr: float | None = None,
        duration: float | None = None,
        seed: int | None = None,
        *,
        oversample: int = 1,
        tail: float = 0.0,
        account: bool = True,
        forces: bool = False,
    ) -> Result:
        """The sound of the scene, the samples of `ictus render --bits 32f`, to the bit.

        sr: samples per second, a whole number from 8000 to 768000 Hz; the scene's if none is given.
        duration: length in s; the scene's if none is given.
        seed: where the random numbers start; the scene's if none is given.
        oversample: 1, 2, 4 or 8: compute at this multiple of the rate and filter down.
        tail: go on until the sound is 60 dB below its peak, for at most so many s.
        account: keep the energy account; without it, rendering takes about half the time.
        forces: look at the force of every contact, sample by sample, for `Result.forces`; takes longer.
        """
        audio, rate, report, energy, numbers, touches, spans = self._native.render(
            sr, duration, seed, oversample, tail, account, forces
        )
        names = self._native.contacts
        named = np.array([names[number] for number in numbers], dtype=np.str_)
        contacts = structured(CONTACT_FIELDS, touches, {"contact": named})
        return Result(
            audio=audio,
            sr=rate,
            report=json.loads(report),
            energy=structured(ENERGY_FIELDS, energy),
            contacts=contacts,
            forces=None if spans is None else _forces(spans[0], names, spans[1]),
        )

    def instrument(self, sr: float | None = None, seed: int | None = None) -> Instrument:
        """The scene at play, to be stepped, struck and changed while it sounds; at the scene's rate if none is given in Hz."""
        return Instrument(self._native.instrument(sr, seed), self)


def _forces(span: float, names: list[str], newtons: NDArray[np.float64]) -> Forces:
    times: NDArray[np.float64] = span * np.arange(newtons.shape[1], dtype=np.float64)
    return Forces(times, names, newtons)


def load(what: str | os.PathLike[str]) -> Scene:
    """A scene: by its name in the gallery (`ictus.gallery()`), from a file, or from its text."""
    if isinstance(what, str) and ("\n" in what or ("=" in what and not os.path.lexists(what))):
        return Scene(what)
    if not isinstance(what, (str, os.PathLike)):
        raise TypeError(f"a scene is loaded by a name, a path or a text, not {type(what).__name__}")
    name, text = _ictus.find(whole(what) if isinstance(what, str) else what)
    return Scene(text, name)


def gallery() -> dict[str, str]:
    """The scenes that are part of the package: names and titles."""
    return {name: Scene(text, name).title for name, text in _ictus.gallery()}
