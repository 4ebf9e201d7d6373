"""Instruments: a scene at play, stepped block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from . import _ictus
from ._parameters import Parameters
from ._result import CONTACT_FIELDS, structured

if TYPE_CHECKING:
    from ._scene import Scene


class ContactState(NamedTuple):
    """A contact at this moment."""

    force: float
    """In N."""
    compression: float
    """In m; below 0 where the bodies are apart."""
    touching: bool


class Balance(NamedTuple):
    """The energy account at this moment, in J; the residual is relative to the largest energy there was."""

    stored: float
    dissipated: float
    supplied: float
    initial: float
    residual: float


class Mode(NamedTuple):
    """A mode of an object."""

    frequency: float
    """In Hz, without loss."""
    decay_rate: float
    """In 1/s; T60 is 6.91 divided by it."""
    mass: float
    """Modal mass in kg."""

    @property
    def t60(self) -> float:
        """Time in s in which it falls by 60 dB."""
        return float(3 * np.log(10) / self.decay_rate) if self.decay_rate > 0 else float("inf")


@final
class Instrument:
    """A scene at play. It plays the scene's events as they come (`stop_score` ends that), and what is played by hand.

    Points are written as in scenes: "string@0.12", "plate@0.3,0.4", "bell#2", "mass".

    A pickle holds the scene and what was called since the start or the last reset, at most 100,000 calls. Unpickling plays that
    again, in the time that it takes to play, and what follows is the same to the bit. `copy` takes no time.
    """

    __slots__ = ("_native", "_scene")
    __module__ = "ictus"

    def __init__(self, native: _ictus.Instrument, scene: Scene) -> None:
        self._native = native
        self._scene = scene

    def __repr__(self) -> str:
        return f"<ictus.Instrument {self._scene.title!r} at {self.time:.6g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _played_again, (self._scene, self._native.rate, self._native.seed, *self._native.history())

    def __copy__(self) -> Instrument:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Instrument:
        return self.copy()

    def copy(self) -> Instrument:
        """A copy that plays on by itself, from the same state."""
        return Instrument(self._native.copy(), self._scene)

    @property
    def scene(self) -> Scene:
        """The scene it was built from."""
        return self._scene

    @property
    def sr(self) -> float:
        """Samples per second, in Hz."""
        return self._native.rate

    @property
    def channels(self) -> int:
        """Number of output channels."""
        return self._native.channels

    @property
    def time(self) -> float:
        """Time since the start, in s."""
        return self._native.time

    def process(self, frames: int) -> NDArray[np.float32]:
        """The next frames of sound, (channels, frames). Whatever the blocks, the samples are the same."""
        return self._native.process(frames)

    def trace(self, frames: int, *what: str) -> tuple[NDArray[np.float32], dict[str, NDArray[np.float64]]]:
        """The next frames of sound, and at each of them the displacement of points in m and the force of contacts in N."""
        contacts = set(self._scene.contacts)
        points = [name for name in what if name not in contacts]
        forces = [name for name in what if name in contacts]
        audio, seen = self._native.trace(frames, points, forces)
        return audio, dict(zip(points + forces, seen))

    def probe(self, at: str) -> float:
        """The displacement of any point, now, in m."""
        return self._native.displacement(at)

    def contact(self, name: str) -> ContactState:
        """Force and compression of a contact, now."""
        return ContactState(*self._native.contact(name))

    def contacts(self) -> NDArray[np.void]:
        """The contacts that have ended since the last call: contact, start, end, touch, release (s), v_in, v_out (m/s), peak_force (N)."""
        rows = self._native.drain_contacts()
        names = self._scene.contacts
        # Hands make contacts of their own, beyond the scene's.
        named = [names[row[0]] if row[0] < len(names) else "hand" for row in rows]
        values = np.array([row[1] for row in rows], dtype=np.float64).reshape(len(rows), len(CONTACT_FIELDS))
        return structured(CONTACT_FIELDS, values, {"contact": np.array(named, dtype=np.str_)})

    def modes(self, name: str) -> list[Mode] | None:
        """The modes of an object; none if it is on a grid or lumped."""
        modes = self._native.modes(name)
        return None if modes is None else [Mode(*mode) for mode in modes]

    def note_on(self, key: int, velocity: float = 0.8) -> None:
        """A key goes down: 69 is A4, the velocity from 0 to 1. Nothing happens in a scene without notes."""
        self._native.note_on(key, velocity)

    def note_off(self, key: int) -> None:
        """A key comes up."""
        self._native.note_off(key)

    def sustain(self, down: bool = True) -> None:
        """The pedal that holds the notes goes down or up."""
        self._native.sustain(down)

    def strike(self, what: str, velocity: float | None = None) -> None:
        """Strikes a point with a hammer, or throws a hammer of the scene; velocity in m/s (1 for a point, the scene's for its own)."""
        self._native.strike(what, velocity)

    def bow(self, at: str, velocity: float = 0.2, force: float = 1.0) -> None:
        """Draws a bow over a point at a velocity in m/s, pressed by a force in N, until it is released."""
        self._native.bow(at, velocity, force)

    def pull(self, at: str, height: float) -> None:
        """Holds a point and pulls it to a height in m, until it is released."""
        self._native.pull(at, height)

    def damp(self, at: str) -> None:
        """Lays a finger on a point, until it is released."""
        self._native.damp(at)

    def play(self, exciter: str, amount: float | None = None, over: float = 0.0) -> None:
        """Plays an exciter of the scene: its amount in the unit of its kind, over a time in s for bows and fingers."""
        self._native.play(exciter, amount, over)

    def release(self, what: str, over: float = 0.0) -> None:
        """Lets an exciter of the scene stop, over a time in s; or takes the hands off an object."""
        self._native.release(what, over)

    def set(self, path: str, value: float, over: float = 0.0) -> None:
        """Brings a live parameter to a value in its unit, over a time in s."""
        self._native.set(path, value, over)

    def get(self, path: str) -> float:
        """What a parameter stands at, in its unit."""
        return self._native.get(path)

    def parameters(self) -> Parameters:
        """Every parameter with unit, range and what it stands at now."""
        table = self._scene.parameters()
        return Parameters(row._replace(value=value) for row, value in zip(table, self._native.values()))

    def keep_account(self, keep: bool = True) -> None:
        """Keeps the energy account from here on, or not."""
        self._native.keep_account(keep)

    @property
    def balance(self) -> Balance:
        """The energy account, if it is kept."""
        return Balance(*self._native.balance())

    @property
    def breakdowns(self) -> int:
        """How often a value became infinite or NaN and the instrument was put back to its start in silence."""
        return self._native.breakdowns()[0]

    def stop_score(self) -> None:
        """Ends the scene's events: what sounds rings on, and can be played."""
        self._native.stop_score()

    def reset(self) -> None:
        """Everything back to the start."""
        self._native.reset()


def _played_again(scene: Scene, rate: float, seed: int, frames: int, calls: str) -> Instrument:
    """An instrument that was pickled: built anew, and brought to where it was by the same calls at the same samples."""
    instrument = scene.instrument(rate, seed)
    instrument._native.replay(frames, calls)
    return instrument
