"""Sweeps: a scene at many points of its parameters, on all cores or on a Dask cluster, into Parquet and Zarr.

What is computed, drawn and written is in Rust (`ictus-sweep`), the same as for `ictus sweep`. Here the chunks are divided among threads
or machines, and the results are opened.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Union
from uuid import uuid4

from . import _ictus
from ._scene import Scene, load
from ._sounds import Sounds
from ._written import quoted, written


@dataclass(frozen=True)
class Range:
    """Values from `low` to `high`; in a grid, `steps` of them. Made by `ictus.uniform` and `ictus.log`."""

    kind: str
    low: float | str
    high: float | str
    steps: int | None = None

    def __str__(self) -> str:
        ends = [_bound(self.low), _bound(self.high)]
        return f"{self.kind}({', '.join(ends if self.steps is None else [*ends, str(self.steps)])})"


def uniform(low: float | str, high: float | str, steps: int | None = None) -> Range:
    """All values from `low` to `high` alike; in SI units, or with a unit: `uniform("5 g", "20 g")`. A grid has `steps` of them."""
    return Range("uniform", low, high, steps)


def log(low: float | str, high: float | str, steps: int | None = None) -> Range:
    """All ratios from `low` to `high` alike: every factor of 2 is equally likely. Both are above 0. A grid has `steps` of them."""
    return Range("log", low, high, steps)


Values = Union[Range, float, str, Sequence[Union[float, str]]]
"""What a parameter of a sweep may be: a range, a list of values, or one value."""


class Swept:
    """The folder of a sweep: its table and its sounds, as far as they are computed."""

    __module__ = "ictus"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        """The folder."""
        try:
            text = (self.path / "manifest.json").read_text(encoding="utf-8")
            self.manifest: dict[str, Any] = json.loads(text)
            """What `manifest.json` says: hashes, points, chunk, rate, channels, frames, plan."""
        except FileNotFoundError:
            raise _ictus.Problem(f"{str(self.path)!r} holds no sweep: there is no manifest.json in it") from None
        except ValueError:
            raise _ictus.Problem(f"{str(self.path)!r} holds a manifest.json that is none of a sweep") from None

    def __repr__(self) -> str:
        whole = len(self.parts())
        return f"<ictus.Swept {str(self.path)!r}, {self.manifest['points']} points, {whole} of {self.manifest['chunks']} parts>"

    def parts(self) -> list[Path]:
        """The tables of the chunks that are computed, in order."""
        return sorted(self.path.glob("part-*.parquet"))

    def dataset(self) -> Any:
        """The table as a `pyarrow.dataset`, which is read as it is needed."""
        return _needs("pyarrow.dataset").dataset([str(part) for part in self.parts()], format="parquet")

    def arrow(self, columns: Sequence[str] | None = None) -> Any:
        """The table as a `pyarrow.Table`, in the order of the points."""
        return self.dataset().to_table(columns=None if columns is None else list(columns))

    def pandas(self, columns: Sequence[str] | None = None) -> Any:
        """The table as a `pandas.DataFrame`, in the order of the points."""
        _needs("pandas")
        return self.arrow(columns).to_pandas()

    def units(self) -> dict[str, str]:
        """SI units of the columns that have one."""
        parts = self.parts()
        if not parts:
            return {}
        notes = _needs("pyarrow.parquet").read_metadata(parts[0]).metadata
        units: dict[str, str] = json.loads(notes[b"ictus.units"])
        return units

    @property
    def audio(self) -> Any:
        """The sounds as a `zarr.Array`: (points, channels, frames), float32; NaN where a point failed or is not computed yet.

        Where the package zarr is not installed, or older than 3, an array of the same shape that is read by index.
        """
        if not (self.path / "audio.zarr" / "zarr.json").exists():
            raise _ictus.Problem(f'{str(self.path)!r} has no sounds: its outputs have no "audio"')
        try:
            zarr = importlib.import_module("zarr")
            reads = int(zarr.__version__.split(".")[0]) >= 3
        except ImportError:
            reads = False
        return zarr.open_array(str(self.path / "audio.zarr"), mode="r") if reads else Sounds(self.path / "audio.zarr")

    @property
    def sr(self) -> int:
        """Samples per second, in Hz."""
        return int(self.manifest["rate"])


def sweep(
    scene: Scene | str | os.PathLike[str],
    parameters: Mapping[str, Values],
    *,
    to: str | os.PathLike[str],
    n: int | None = None,
    kind: str | None = None,
    seed: int = 0,
    outputs: Sequence[str] = ("features",),
    duration: float | str | None = None,
    sr: float | None = None,
    oversample: int = 1,
    chunk: int | None = None,
    client: Any = None,
    threads: int | None = None,
    progress: bool = True,
) -> Swept:
    """Renders a scene at many points of its parameters. The same call resumes an interrupted sweep.

    scene: a scene, or what `ictus.load` takes.
    parameters: `{"hammer.stiffness": ictus.log(1e7, 1e10), "hammer.mass": ["5 g", "20 g"]}`: paths of `scene.parameters()`.
    to: the folder of the results: `manifest.json`, `part-*.parquet` and `audio.zarr`.
    n: how many points; those of a grid follow from its values.
    kind: "grid", "random", "latin-hypercube" or "sobol"; a Latin hypercube unless all parameters have their values listed.
    outputs: "features", "audio" or both.
    duration, sr, oversample: as of `Scene.render`, for all points.
    chunk: points computed and written at a time; about two seconds' worth unless it is said.
    client: a `dask.distributed.Client`: its workers compute, and write into `to`, which they must share.
    threads: how many points at a time without a client; as many as there are cores unless it is said.
    """
    if not isinstance(scene, Scene):
        scene = load(scene)
    plan = _plan(scene, parameters, n, kind, seed, outputs, duration, sr, oversample, chunk)
    return run(plan, to, client=client, threads=threads, progress=progress)


def run(
    plan: _ictus.SweepPlan,
    to: str | os.PathLike[str],
    *,
    client: Any = None,
    threads: int | None = None,
    progress: bool = True,
) -> Swept:
    """Computes what is missing of a plan in a folder."""
    return counted(plan, to, client=client, threads=threads, progress=progress)[0]


@dataclass
class Tally:
    """What a call came to."""

    computed: int = 0
    """Points that were computed."""
    failed: int = 0
    """How many of them failed."""
    first_failure: tuple[int, str] | None = None
    """Number and message of the first that did."""

    def add(self, report: Report) -> None:
        points, failed, first = report
        self.computed += points
        self.failed += failed
        if first is not None and (self.first_failure is None or first < self.first_failure):
            self.first_failure = first


def counted(
    plan: _ictus.SweepPlan,
    to: str | os.PathLike[str],
    *,
    client: Any = None,
    threads: int | None = None,
    progress: bool = True,
) -> tuple[Swept, Tally]:
    """The same, and what it came to."""
    # Before anything is written.
    count = _threads(threads)
    if client is not None and not (hasattr(client, "submit") and hasattr(client, "nthreads")):
        raise TypeError(f"client must be a dask.distributed.Client, not {type(client).__name__}")
    path = os.path.abspath(os.fspath(to))
    folder = _ictus.SweepFolder(plan, path)
    try:
        missing = folder.missing()
        there = plan.count - sum(folder.points_of(chunk) for chunk in missing)
        tally = Tally()
        with _bar(plan, there, progress, tally) as bar:
            if client is None:
                _by_threads(plan, path, missing, count, bar)
            else:
                _by_dask(plan, path, missing, client, bar)
    finally:
        folder.close()
    return Swept(path), tally


Report = tuple[int, int, Union[tuple[int, str], None]]
"""Points of a chunk, how many failed, and number and message of the first."""


@lru_cache(maxsize=4)
def _read(text: str) -> _ictus.SweepPlan:
    return _ictus.SweepPlan("plan", text, ".")


def compute_chunk(text: str, path: str, chunk: int) -> Report:
    """Computes a chunk, on whatever machine this is. The plan is a text, read once in each process."""
    with _reading:
        plan = _read(text)
    if not os.path.isfile(os.path.join(path, "manifest.json")):
        raise FileNotFoundError(f"the worker on {socket.gethostname()} does not see the folder {path!r}: all workers must share it")
    return _ictus.run_chunk(plan, path, chunk)


_reading = threading.Lock()


def _threads(asked: int | None) -> int:
    """How many threads are asked for, or as many as there are cores."""
    if asked is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(asked, bool) or not isinstance(asked, int) or asked < 1:
        raise _ictus.Problem(f"threads is {asked!r}, but must be a whole number, 1 or more")
    return asked


def _by_threads(plan: _ictus.SweepPlan, path: str, missing: list[int], count: int, bar: _Bar) -> None:
    chunks = iter(missing)
    with ThreadPoolExecutor(max_workers=count, thread_name_prefix="ictus-sweep") as pool:
        pending: set[Future[Report]] = {pool.submit(_ictus.run_chunk, plan, path, chunk) for chunk in islice(chunks, 2 * count)}
        try:
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    bar.add(future.result())
                pending |= {pool.submit(_ictus.run_chunk, plan, path, chunk) for chunk in islice(chunks, len(done))}
        except BaseException:
            # Chunks under way are finished; the others are for the next call.
            for future in pending:
                future.cancel()
            raise


WINDOW = 4
"""Chunks that a cluster has at a time, for each of its threads: enough that none waits, few enough that memory stays bounded."""

LEAST_WINDOW = 16
"""Chunks that a cluster has at a time at least: it may have no worker yet."""

LOOK_EVERY = 2.0
"""Time in s between two looks at how many threads the cluster has: workers come and go."""


def _by_dask(plan: _ictus.SweepPlan, path: str, missing: list[int], client: Any, bar: _Bar) -> None:
    distributed = _needs("distributed")
    # Keys of this run alone: of one that failed before, the cluster would give back its failure.
    text, name = plan.text, f"{plan.hashes[0][:16]}-{uuid4().hex[:12]}"
    chunks = iter(missing)

    def submitted(count: int) -> Iterator[Any]:
        for chunk in islice(chunks, count):
            key = f"ictus-sweep-{name}-{chunk}"
            yield client.submit(compute_chunk, text, path, chunk, key=key, retries=3, pure=False)

    def window() -> int:
        threads: int = sum(client.nthreads().values())
        return max(LEAST_WINDOW, WINDOW * threads)

    def scheduler_lost() -> ConnectionError:
        address = getattr(getattr(client, "scheduler", None), "address", "the cluster")
        return ConnectionError(f"the Dask scheduler at {address} is gone; what is computed stays, and the same call goes on with another one")

    most, looked = window(), time.monotonic()
    running = distributed.as_completed(submitted(most), raise_errors=False)
    lost: list[str] = []
    try:
        for future in running:
            if future.status == "cancelled":
                raise scheduler_lost()
            error = future.exception()
            if error is None:
                bar.add(future.result())
            elif isinstance(error, distributed.KilledWorker):
                # What kills every worker that computes it is told at the end; the others are computed.
                lost.append(future.key.rsplit("-", 1)[-1])
            else:
                raise error
            future.release()
            if time.monotonic() - looked >= LOOK_EVERY:
                most, looked = window(), time.monotonic()
            for more in submitted(max(0, most - running.count())):
                running.add(more)
    except BaseException as error:
        if client.status == "running":
            with suppress(Exception):
                client.cancel(list(running.futures))
        elif isinstance(error, (Exception, distributed.CancelledError)) and not isinstance(error, ConnectionError):
            # Whatever was being asked of it when it went.
            raise scheduler_lost() from None
        raise
    if lost:
        raise _ictus.Breakdown(f"chunks {', '.join(lost)} ended every worker that computed them; all others are whole")


class _Bar:
    """A bar with rate and time left, where tqdm is installed."""

    def __init__(self, bar: Any, tally: Tally) -> None:
        self._bar = bar
        self._tally = tally

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def add(self, report: Report) -> None:
        points, failed, _ = report
        self._tally.add(report)
        if self._bar is not None:
            self._bar.update(points)
            if failed:
                self._bar.set_postfix_str(f"{self._tally.failed} failed")


def _bar(plan: _ictus.SweepPlan, there: int, shown: bool, tally: Tally) -> _Bar:
    try:
        tqdm = importlib.import_module("tqdm.auto").tqdm if shown else None
    except ImportError:
        tqdm = None
    if tqdm is None:
        return _Bar(None, tally)
    return _Bar(tqdm(total=plan.count, initial=there, desc=plan.name, unit="point", dynamic_ncols=True), tally)


def _plan(
    scene: Scene,
    parameters: Mapping[str, Values],
    n: int | None,
    kind: str | None,
    seed: int,
    outputs: Sequence[str],
    duration: float | str | None,
    sr: float | None,
    oversample: int,
    chunk: int | None,
) -> _ictus.SweepPlan:
    if not isinstance(parameters, Mapping):
        raise TypeError(f"parameters must be a dictionary of paths and values, not {type(parameters).__name__}")
    for key, argument in (("duration", "duration"), ("rate", "sr")):
        if key in parameters:
            raise _ictus.Problem(f"`{key}`: all points have the same: give it as the argument {argument}")
    changed = scene.changes
    set_duration, set_rate = changed.pop("duration", None), changed.pop("rate", None)
    # What is swept takes the place of what was set.
    values: dict[str, Values] = {_whole_path(scene, path): value for path, value in [*changed.items(), *parameters.items()]}
    if kind is None:
        listed = all(not isinstance(value, Range) or value.steps is not None for value in values.values())
        kind = "grid" if listed and n is None else "latin-hypercube"
    if isinstance(outputs, str):
        outputs = [outputs]
    name = Path(scene.name).stem or "scene"
    lines = ["sweep = 1", f"name = {_quoted(name)}", f"text = {_quoted(scene._native.original)}", f"kind = {_quoted(kind)}"]
    length, rate = (set_duration if duration is None else duration), (set_rate if sr is None else sr)
    optional: list[tuple[str, Any]] = [("n", n), ("seed", seed), ("duration", length), ("rate", rate), ("oversample", oversample)]
    lines += [f"{key} = {_toml(key, value)}" for key, value in [*optional, ("chunk", chunk)] if value is not None]
    lines += [f"outputs = [{', '.join(_quoted(output) for output in outputs)}]", "[parameters]"]
    lines += [f"{_quoted(path)} = {_toml(path, value)}" for path, value in values.items()]
    try:
        return _ictus.SweepPlan("plan", "\n".join(lines) + "\n", ".")
    except _ictus.Problem as problem:
        if isinstance(problem, _ictus.SceneProblem):
            raise
        # Line and column are of a text that nobody has seen.
        raise _ictus.Problem(re.sub(r"^plan:\d+:\d+: ", "", str(problem), flags=re.MULTILINE)) from None


def _whole_path(scene: Scene, path: object) -> str:
    if not isinstance(path, str):
        raise TypeError(f"a path must be a text, not {type(path).__name__}")
    return scene._native.whole_path(path) or path


def _toml(key: str, value: Any) -> str:
    if isinstance(value, (str, Range)):
        return _quoted(str(value))
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1:
        items = value.tolist() if hasattr(value, "tolist") else value
        return f"[{', '.join(_toml(key, item) for item in items)}]"
    return written(value, key)


def _bound(value: float | str) -> str:
    return value if isinstance(value, str) else written(value, "a bound")


def _quoted(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"expected a text, not {type(text).__name__}")
    return quoted(text)


def _needs(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"this needs {module.split('.')[0]}: pip install 'ictus[sweep]'") from error
