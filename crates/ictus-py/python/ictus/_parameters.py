"""The table of parameters of a scene or an instrument."""

from __future__ import annotations

import html
from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple, SupportsIndex, overload

from ._ictus import Problem


class Parameter(NamedTuple):
    """One number that can be changed."""

    path: str
    """How it is addressed: `hammer.stiffness`, `events.0.time`."""
    label: str
    """What it is called, for people."""
    unit: str
    """SI unit; empty for a pure number."""
    low: float
    """Least value, in that unit; infinite where there is no bound."""
    high: float
    """Largest value."""
    scale: str
    """How a knob for it is best laid out: "linear" or "log"."""
    value: float
    """What it stands at."""
    live: bool
    """Whether it can change while the instrument sounds; if not, `Scene.set` changes it."""


class Parameters(tuple[Parameter, ...]):
    """Every parameter, by place or by path: `scene.parameters()["hammer.mass"].value`."""

    __slots__ = ()

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> Parameter: ...
    @overload
    def __getitem__(self, key: slice, /) -> Parameters: ...
    @overload
    def __getitem__(self, key: str, /) -> Parameter: ...
    def __getitem__(self, key: SupportsIndex | slice | str, /) -> Parameter | Parameters:
        if isinstance(key, str):
            for parameter in self:
                if parameter.path == key:
                    return parameter
            # As in `Scene.set`: what only one set has needs no name of the set.
            of_sets = [parameter for parameter in self if parameter.path.partition(".")[2] == key]
            if len(of_sets) == 1 and "." in key:
                return of_sets[0]
            near = get_close_matches(key, [parameter.path for parameter in self], n=1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise Problem(f"there is no parameter {key!r}{meant}")
        if isinstance(key, slice):
            return Parameters(super().__getitem__(key))
        return super().__getitem__(key)

    def __repr__(self) -> str:
        return "\n".join(
            f"{each.path:<32} {each.value:<12.6g} {each.unit:<8} {each.low:g} … {each.high:g}"
            f"{'' if each.live else '  (not live)'}"
            for each in self
        )

    def _repr_html_(self) -> str:
        heads = ("path", "value", "unit", "range", "live")
        rows: Iterable[tuple[str, ...]] = (
            (each.path, f"{each.value:g}", each.unit, f"{each.low:g} … {each.high:g}", "yes" if each.live else "")
            for each in self
        )
        cells = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{cells}</table>"
