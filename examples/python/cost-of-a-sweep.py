"""What a point of a sweep costs: the table of docs/sweeps.md, measured on this machine.

    python cost-of-a-sweep.py            # some minutes; `pip install ./crates/ictus-py[sweep]`
    python cost-of-a-sweep.py --quick    # the first row with few points

Processor time in ms for each point, of all processes together. "Played" is reading the scene and playing it, into rows without features.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import psutil
from distributed import Client, LocalCluster

import ictus

ROWS = [
    ("hammered-string", {"hammer.mass": ictus.uniform("5 g", "20 g")}, 1, 800),
    ("marimba", {"mallet.mass": ictus.uniform("20 g", "50 g")}, 2, 96),
    ("marimba", {"mallet.mass": ictus.uniform("20 g", "50 g")}, 4, 48),
]
"""Scene, what is varied, s of each sound, points."""

TRIALS = 3


def processor_time() -> float:
    """Of this process and its workers, in s."""
    family = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(sum(process.cpu_times()[:2]) for process in family)


def cost(scene: str, parameters: dict[str, Any], seconds: int, points: int, outputs: list[str], client: Client | None) -> float:
    """The least of some trials, in ms for each point: other work on the machine only adds."""
    costs = []
    for _ in range(TRIALS):
        with tempfile.TemporaryDirectory() as folder:
            start = processor_time()
            ictus.sweep(
                scene, parameters, n=points, kind="sobol", duration=seconds, outputs=outputs, to=Path(folder) / "out",
                client=client, threads=2 if client is None else None, progress=False,
            )  # fmt: skip
            costs.append(1e3 * (processor_time() - start) / points)
    return min(costs)


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    print("| scene | played | threads: + audio | threads: + features | Dask: + audio | Dask: + features |")
    print("| --- | --- | --- | --- | --- | --- |")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        for scene, parameters, seconds, points in ROWS[: 1 if quick else None]:
            points = 32 if quick else points
            # What is read once is read here.
            cost(scene, parameters, seconds, 16, ["features", "audio"], client)
            played = cost(scene, parameters, seconds, points, [], None)
            cells = []
            for where in (None, client):
                for outputs in (["audio"], ["features", "audio"]):
                    taken = cost(scene, parameters, seconds, points, outputs, where)
                    cells.append(f"{taken:.3g} (× {taken / played:.2f})")
            print(f"| {scene}, {seconds} s | {played:.3g} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
