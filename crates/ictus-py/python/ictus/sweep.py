"""`python -m ictus.sweep plan.toml -o out`: a plan on this machine's cores or on a Dask cluster.

The function `ictus.sweep` is in `ictus/_sweep.py`. `import ictus.sweep` puts this module in its place, which therefore can be called as well.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from . import _ictus, _sweep
from ._sweep import Swept, Tally, _needs, counted

EXAMPLES = """examples:
  python -m ictus.sweep plan.toml -o out                             on all cores
  python -m ictus.sweep plan.toml -o out --dask tcp://10.0.0.1:8786  on a cluster that shares the folder

exit codes: 0 done; 1 a file could not be written, or the cluster failed; 2 the plan asks for what cannot be"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m ictus.sweep",
        description="Render a scene at thousands of points of its parameters.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("plan", metavar="PLAN", help="the plan, a TOML file")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder for the results; that of an interrupted sweep is filled up")
    parser.add_argument("--dask", metavar="ADDRESS", help="scheduler of a Dask cluster, such as tcp://10.0.0.1:8786")
    parser.add_argument("--threads", metavar="N", type=int, help="points at a time without a cluster [default: as many as there are cores]")
    parser.add_argument("--json", action="store_true", help="print a report as JSON")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    given = parser.parse_args(arguments)
    client = None
    try:
        plan = _ictus.SweepPlan.load(given.plan)
        if given.dask is not None:
            client = _needs("distributed").Client(given.dask, timeout="20s")
        start = time.monotonic()
        swept, tally = counted(plan, given.output, client=client, threads=given.threads, progress=not given.quiet)
        seconds = time.monotonic() - start
    except _ictus.Problem as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except (OSError, ImportError, ValueError, _ictus.Breakdown) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command resumes it", file=sys.stderr)
        return 130
    finally:
        if client is not None:
            client.close()
    if tally.first_failure is not None:
        index, message = tally.first_failure
        print(f"warning: {tally.failed} of {tally.computed} points failed, first point {index}: {message}", file=sys.stderr)
    if given.json:
        print(json.dumps(_report(swept, tally, seconds), indent=2))
    else:
        print(f"{swept.path}  {plan.count} points of {plan.name}, {tally.computed} computed, {tally.failed} failed, {seconds:.3g} s")
    return 0


def _report(swept: Swept, tally: Tally, seconds: float) -> dict[str, Any]:
    """The keys of `ictus sweep --json`."""
    first = tally.first_failure
    return {
        "folder": str(swept.path),
        "points": swept.manifest["points"],
        "computed": tally.computed,
        "failed": tally.failed,
        "first_failure": None if first is None else {"index": first[0], "message": first[1]},
        "chunk": swept.manifest["chunk"],
        "chunks": swept.manifest["chunks"],
        "seconds": seconds,
        "points_per_second": tally.computed / max(seconds, 1e-9),
        "scene_sha256": swept.manifest["scene_sha256"],
        "plan_sha256": swept.manifest["plan_sha256"],
    }


class _Sweep(ModuleType):
    def __call__(self, *arguments: Any, **named: Any) -> Swept:
        return _sweep.sweep(*arguments, **named)


if __name__ == "__main__":
    sys.exit(main())
sys.modules[__name__].__class__ = _Sweep
