"""Models built in Python: objects, contacts, exciters and pickups by their names and keys, without a text.

A model is read as a scene is, so that its keys, units and checks are those of scenes (docs/scenes.md), and a key that is not there is
answered with what may have been meant. Numbers are in SI units; texts can have a unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _ictus
from ._scene import Scene
from ._written import Value, key_of, written

if TYPE_CHECKING:
    from ._instrument import Instrument
    from ._result import Result


class Model:
    """An empty room at a sample rate in Hz; every method adds a thing and returns the model."""

    __module__ = "ictus"

    def __init__(
        self, rate: float = 48_000.0, *, title: str = "Model", duration: float | str = 4.0, seed: int = 1, **keys: Value
    ) -> None:
        self._top: dict[str, Value] = {"title": title, "rate": rate, "duration": duration, "seed": seed, **keys}
        self._named: dict[str, dict[str, dict[str, Value]]] = {}
        self._tables: dict[str, dict[str, Value]] = {}
        self._events: list[dict[str, Value]] = []

    def _add(self, family: str, name: str, keys: Mapping[str, Value | None]) -> Model:
        if not isinstance(name, str):
            raise TypeError(f"a name must be a text, not {type(name).__name__}")
        things = self._named.setdefault(family, {})
        if name in things:
            raise _ictus.Problem(f"there is already one of the {family} called {name!r}")
        things[name] = {key: value for key, value in keys.items() if value is not None}
        return self

    def object(self, name: str, kind: str, **keys: Value) -> Model:
        """Adds an object of a kind: one of `ictus.OBJECT_KINDS`."""
        return self._add("objects", name, {"kind": kind, **keys})

    def mass(self, name: str, mass: float | str, **keys: Value) -> Model:
        """Adds a mass in kg, free or on a spring (`frequency`)."""
        return self.object(name, "mass", mass=mass, **keys)

    def modal(self, name: str, **keys: Value) -> Model:
        """Adds an object given by its modes."""
        return self.object(name, "modal", **keys)

    def string(self, name: str, **keys: Value) -> Model:
        """Adds a string: `pitch` or `tension`, `length`, `diameter`, `material`, `t60`, …"""
        return self.object(name, "string", **keys)

    def bar(self, name: str, **keys: Value) -> Model:
        """Adds a bar: `pitch` or `length` and `thickness`, `material`, …"""
        return self.object(name, "bar", **keys)

    def membrane(self, name: str, **keys: Value) -> Model:
        """Adds a membrane: `pitch` or `tension`, `diameter` or `sides`, …"""
        return self.object(name, "membrane", **keys)

    def plate(self, name: str, **keys: Value) -> Model:
        """Adds a plate: `sides` or `diameter`, `thickness`, `material`, …"""
        return self.object(name, "plate", **keys)

    def tube(self, name: str, **keys: Value) -> Model:
        """Adds a column of air: `length` or `pitch`, `diameter`, `ends`, …"""
        return self.object(name, "tube", **keys)

    def barrier(self, name: str, **keys: Value) -> Model:
        """Adds what does not give way: a wall, a fret."""
        return self.object(name, "barrier", **keys)

    def contact(self, name: str, below: str, above: str, law: str, **keys: Value) -> Model:
        """Adds a contact between two points by a law (`ictus laws`), with the law's parameters as keys.

        The compression is the displacement of `below` minus that of `above` minus `gap`.
        """
        return self._add("contacts", name, {"from": below, "to": above, "law": law, **keys})

    def exciter(self, name: str, kind: str, on: str | None = None, **keys: Value) -> Model:
        """Adds a tool that plays a point: one of `ictus.TOOL_KINDS`."""
        return self._add("exciters", name, {"kind": kind, "on": on, **keys})

    def hammer(self, name: str, on: str, **keys: Value) -> Model:
        """Adds a hammer: `mass`, `stiffness`, `exponent`, `dissipation`, `velocity`."""
        return self.exciter(name, "hammer", on, **keys)

    def force(self, name: str, at: str, **keys: Value) -> Model:
        """Adds a force from outside: `level` in N."""
        return self._add("forces", name, {"at": at, **keys})

    def pickup(self, name: str, at: str, listen: str | None = None, **keys: Value) -> Model:
        """Adds a pickup: at a point it listens to the velocity or the "displacement", at a contact to its force."""
        if at in self._named.get("contacts", {}):
            return self._add("pickups", name, {"contact": at, "listen": listen or "force", **keys})
        return self._add("pickups", name, {"at": at, "listen": listen, **keys})

    def control(self, name: str, parameter: str, **keys: Value) -> Model:
        """Adds a knob for a parameter: `range`, `scale`, `midi`."""
        return self._add("controls", name, {"parameter": parameter, **keys})

    def event(self, time: float | str, **keys: Value) -> Model:
        """Adds what happens at a time in s: `event(0.1, strike="hammer", velocity=2)`."""
        self._events.append({"time": time, **keys})
        return self

    def notes(self, **keys: Value) -> Model:
        """Says what a keyboard plays."""
        self._tables["notes"] = dict(keys)
        return self

    def output(self, **keys: Value) -> Model:
        """Says what becomes of the pickups' sum: `gain`, `highpass`, `fade`."""
        self._tables["output"] = dict(keys)
        return self

    @property
    def text(self) -> str:
        """The model as the text of a scene."""
        parts = [["ictus = 1", *_rows(self._top, "")]]
        for family, things in self._named.items():
            for name, keys in things.items():
                parts.append([f"[{family}.{key_of(name, family)}]", *_rows(keys, name)])
        parts += [[f"[{table}]", *_rows(keys, table)] for table, keys in self._tables.items()]
        parts += [["[[events]]", *_rows(keys, "event")] for keys in self._events]
        return "\n\n".join("\n".join(rows) for rows in parts) + "\n"

    def scene(self) -> Scene:
        """The model as a scene, checked."""
        return Scene(self.text, "model")

    def render(self, *arguments: Any, **options: Any) -> Result:
        """The sound of the model: see `Scene.render`."""
        return self.scene().render(*arguments, **options)

    def instrument(self, sr: float | None = None, seed: int | None = None) -> Instrument:
        """The model at play: see `Scene.instrument`."""
        return self.scene().instrument(sr, seed)

    def __repr__(self) -> str:
        things = ", ".join(f"{len(named)} {family}" for family, named in self._named.items())
        return f"<ictus.Model {things or 'empty'}>"


def _rows(keys: Mapping[str, Value], name: str) -> Iterable[str]:
    return [f"{key_of(key, name)} = {written(value, f'{name}.{key}' if name else key)}" for key, value in keys.items()]
