"""Sweeps from Python: by threads and on a real Dask cluster, killed in every way, the same rows bit for bit."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import ictus
from ictus._sounds import Sounds

pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own, when its workers die.

PARAMETERS = {"hammer.stiffness": ictus.log(1e7, 1e9), "hammer.mass": ictus.uniform("5 g", "20 g")}
OPTIONS = {"n": 48, "kind": "sobol", "chunk": 4, "duration": 0.15, "outputs": ["features", "audio"], "progress": False}
LONG = {**OPTIONS, "n": 200, "duration": 1.0, "sr": 24000, "chunk": 10}
"""Some seconds of work, to be killed in the middle: 20 parts."""


def sweep(to, **more):
    return ictus.sweep("hammered-string", PARAMETERS, to=to, **{**OPTIONS, **more})


def digests(folder: Path) -> dict[str, str]:
    """Every file of a sweep and its hash."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reference") / "out"
    sweep(folder)
    return digests(folder)


@pytest.fixture(scope="module")
def long_reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long") / "out"
    sweep(folder, **LONG)
    return digests(folder)


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL") as cluster:
        with distributed.Client(cluster) as client:
            yield client


def test_the_table_and_the_array_are_read_by_pyarrow_pandas_and_zarr(tmp_path):
    swept = sweep(tmp_path / "out")
    frame = swept.pandas()
    assert list(frame["index"]) == list(range(48))
    names = "index seed hammer.mass hammer.stiffness centroid pitch t60 loudness peak contact_time peak_force contacts error"
    assert list(frame.columns) == names.split()
    assert frame["hammer.mass"].between(0.005, 0.02).all() and frame["hammer.stiffness"].between(1e7, 1e9).all()
    assert frame["error"].isna().all() and frame["centroid"].notna().all() and frame["contact_time"].between(1e-4, 0.05).all()
    assert swept.units()["hammer.mass"] == "kg" and swept.units()["contact_time"] == "s"
    assert swept.arrow(["index", "hammer.mass"]).num_columns == 2
    audio = swept.audio
    assert audio.shape == (48, 2, 7200) and audio.dtype == np.float32 and audio.attrs["rate"] == swept.sr == 48000
    assert np.allclose(np.abs(audio[:]).max(axis=(1, 2)), frame["peak"], rtol=1e-6)


def test_sounds_are_read_alike_without_zarr(tmp_path):
    swept = sweep(tmp_path / "out", n=6)
    (tmp_path / "out" / "audio.zarr" / "c.1.0.0").unlink()
    zarr, plain = swept.audio, Sounds(tmp_path / "out" / "audio.zarr")
    assert plain.shape == zarr.shape == (6, 2, 7200) and plain.attrs["rate"] == 48000 and len(plain) == 6
    for key in (2, -3, np.int64(1), slice(None), slice(1, 6, 2), slice(0, 0), (2, 1), (slice(0, 4), 0, slice(10, 20)), Ellipsis, (Ellipsis, 3)):
        ours, theirs = plain[key], np.asarray(zarr[key])
        assert ours.dtype == np.float32 and ours.shape == theirs.shape and np.array_equal(ours, theirs, equal_nan=True), key
    assert np.isnan(plain[4]).all() and np.array_equal(np.asarray(plain), plain[:], equal_nan=True)
    with pytest.raises(IndexError):
        plain[6]


def test_a_point_is_what_render_gives_for_its_values(tmp_path):
    swept = sweep(tmp_path / "out", n=3, kind="random")
    frame = swept.pandas()
    for index, row in frame.iterrows():
        scene = ictus.load("hammered-string").set({path: row[path] for path in PARAMETERS})
        result = scene.render(duration=0.15, seed=int(row["seed"]), account=False)
        assert np.array_equal(result.audio, swept.audio[index])


def test_what_was_set_in_the_scene_holds_at_every_point(tmp_path):
    scene = ictus.load("hammered-string").set("string.pitch", "A3").set("hammer.mass", "9 g")
    swept = ictus.sweep(scene, {"hammer.stiffness": [1e7, 1e8]}, to=tmp_path / "out", duration=0.3, progress=False)
    frame = swept.pandas()
    assert np.allclose(frame["hammer.mass"], 0.009, rtol=1e-15)
    assert np.allclose(frame["pitch"], 220, rtol=2e-3)


def test_a_point_that_cannot_be_is_a_row_with_its_message(tmp_path):
    parameters = {"hammer.mass": [0.01, -1.0], "hammer.stiffness": [1e8]}
    swept = ictus.sweep("hammered-string", parameters, to=tmp_path / "out", duration=0.15, outputs=["audio"], progress=False)
    frame = swept.pandas()
    assert frame["error"].isna().tolist() == [True, False] and "mass" in frame["error"][1]
    assert np.isfinite(swept.audio[0]).all() and np.isnan(swept.audio[1]).all()


def test_the_program_makes_the_same_files(tmp_path, reference, program):
    text = 'sweep = 1\nscene = "hammered-string"\nkind = "sobol"\nn = 48\nchunk = 4\nduration = 0.15\noutputs = ["features", "audio"]\n'
    text += '[parameters]\nhammer.stiffness = "log(1e7, 1e9)"\nhammer.mass = "uniform(5 g, 20 g)"\n'
    (tmp_path / "plan.toml").write_text(text)
    subprocess.run([program, "sweep", tmp_path / "plan.toml", "-o", tmp_path / "out"], check=True, capture_output=True)
    assert digests(tmp_path / "out") == reference
    subprocess.run([sys.executable, "-m", "ictus.sweep", tmp_path / "plan.toml", "-o", tmp_path / "other", "--quiet"], check=True)
    assert digests(tmp_path / "other") == reference


def test_the_module_of_the_command_can_be_called_like_the_function(tmp_path):
    call = "import ictus, ictus.sweep, sys; ictus.sweep('hammered-string', {'hammer.mass': [0.01]}, to=sys.argv[1], duration=0.05)"
    subprocess.run([sys.executable, "-c", call, tmp_path / "out"], check=True, capture_output=True)
    assert len(ictus.Swept(tmp_path / "out").parts()) == 1


def test_what_the_page_of_sweeps_shows_runs(tmp_path, monkeypatch, program):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "sweeps.md").read_text()
    plan, call = (re.search(f"```{language}\n(.*?)```", page, re.DOTALL)[1] for language in ("toml", "python"))
    Path("plan.toml").write_text(plan)
    # A tenth of the points and of the time are enough here.
    small = call.replace("n=1000, duration=1,", "n=100, duration=0.1, progress=False,")
    assert small != call
    names = {}
    exec(small, names)
    assert len(names["swept"].pandas()) == 100 and names["swept"].audio[17].shape == (2, 4800)
    for line in re.findall(r"^    (ictus sweep [^#\n]*--dry-run)", page, re.MULTILINE):
        subprocess.run([program, *line.split()[1:]], check=True, capture_output=True)
    # The calls on clusters name what there is.
    for more in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        compile(more, "sweeps.md", "exec")


def test_a_cluster_makes_the_same_files(tmp_path, reference, cluster):
    swept = sweep(tmp_path / "out", client=cluster)
    assert digests(tmp_path / "out") == reference
    assert len(swept.parts()) == 12


def parts(folder: Path) -> int:
    return len(list(folder.glob("part-*")))


def test_workers_that_are_killed_lose_nothing(tmp_path, long_reference, cluster):
    killed = []

    def kill():
        # One of the workers, three times, while it computes; its nanny starts another one.
        for number in range(3):
            while parts(tmp_path / "out") < 3 * (number + 1):
                time.sleep(0.01)
            worker = next(iter(cluster.cluster.workers.values()))
            if worker.process is not None and worker.process.pid is not None:
                os.kill(worker.process.pid, signal.SIGKILL)
                killed.append(parts(tmp_path / "out"))

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    sweep(tmp_path / "out", client=cluster, **LONG)
    killer.join(timeout=30)
    assert killed and killed[0] < 20, "killed while it was at work"
    assert digests(tmp_path / "out") == long_reference


CALL = """
import json, sys, ictus
folder, how, options = sys.argv[1:]
if how != "threads":
    from distributed import Client
    client = Client(how)
else:
    client = None
ictus.sweep("hammered-string", {"hammer.stiffness": ictus.log(1e7, 1e9), "hammer.mass": ictus.uniform("5 g", "20 g")},
    to=folder, client=client, **json.loads(options))
"""


def killed_client(folder: Path, how: str, after: int) -> int:
    """Kills a process that sweeps once so many parts are there; returns how many there are then."""
    command = [sys.executable, "-c", CALL, str(folder), how, json.dumps(LONG)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline and parts(folder) < after:
        time.sleep(0.005)
    assert process.poll() is None, "it ended by itself"
    process.kill()
    process.wait()
    return parts(folder)


def test_a_client_that_is_killed_goes_on(tmp_path, long_reference, cluster):
    there = killed_client(tmp_path / "out", cluster.scheduler.address, 5)
    assert 5 <= there < 20
    sweep(tmp_path / "out", client=cluster, **LONG)
    assert digests(tmp_path / "out") == long_reference


def test_everything_killed_again_and_again_goes_on(tmp_path, long_reference):
    folder = tmp_path / "out"
    for after in (1, 5, 10):
        there = killed_client(folder, "threads", after)
        assert after <= there < 20
    before = {path: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    sweep(folder, **LONG)
    assert digests(folder) == long_reference
    assert all(path.stat().st_mtime_ns == time for path, time in before.items()), "nothing is computed twice"
    table = ictus.Swept(folder).pandas()
    assert list(table["index"]) == list(range(200)), "nothing lost, nothing twice"


def test_a_folder_of_another_sweep_is_refused_with_both_hashes(tmp_path):
    sweep(tmp_path / "out", n=2)
    theirs = json.loads((tmp_path / "out" / "manifest.json").read_text())["plan_sha256"]
    with pytest.raises(ictus.Problem, match=theirs) as caught:
        sweep(tmp_path / "out", n=3)
    assert len([word for word in str(caught.value).replace(",", " ").replace(";", " ").split() if len(word) == 64]) == 2


@pytest.mark.parametrize(
    ("parameters", "more", "message"),
    [
        ({"hammer.mas": [1.0]}, {}, "did you mean `hammer.mass`"),
        ({"hammer.mass": ictus.log(0, 1)}, {}, "must be above 0"),
        ({"hammer.mass": ictus.uniform(2, 1)}, {}, "lower to the higher"),
        ({"hammer.mass": ictus.uniform(float("nan"), 1)}, {}, "nan"),
        ({"hammer.mass": [float("inf")]}, {}, "numbers or texts"),
        ({"hammer.mass": []}, {}, "a list must hold"),
        ({}, {}, "no parameter"),
        ({"hammer.mass": [1.0]}, {"n": 0, "kind": "random"}, "`n` must be"),
        ({"hammer.mass": [1.0]}, {"kind": "soboll"}, "did you mean `sobol`"),
        ({"hammer.mass": [1.0]}, {"outputs": "adio"}, "did you mean `audio`"),
        ({"hammer.mass": [1.0]}, {"duration": -1.0}, "above 0"),
        ({"hammer.mass": [1.0]}, {"threads": 0}, "threads is 0"),
    ],
)
def test_mistakes_are_one_clear_sentence(tmp_path, parameters, more, message):
    with pytest.raises(ictus.Problem, match=message) as caught:
        ictus.sweep("hammered-string", parameters, to=tmp_path / "out", progress=False, **{"duration": 0.1, **more})
    assert not re.search(r"\d+:\d+", str(caught.value)), "no place in a text that nobody has seen"
    assert not (tmp_path / "out").exists()


def test_a_client_that_is_none_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(TypeError, match="client must be a dask.distributed.Client, not str"):
        sweep(tmp_path / "out", client="tcp://10.0.0.1:8786")
    assert not (tmp_path / "out").exists()


def full_disk(tmp_path):
    """A folder on a disk of 2 MB, or a skipped test where none can be made."""
    folder = tmp_path / "small"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True).returncode != 0:
        pytest.skip("only root makes a small disk")
    return folder


@pytest.mark.parametrize("how", ["threads", "dask"])
def test_a_full_disk_is_one_sentence_and_the_sweep_goes_on_when_there_is_room(tmp_path, reference, how, request):
    client = request.getfixturevalue("cluster") if how == "dask" else None
    folder = full_disk(tmp_path)
    try:
        with pytest.raises(OSError, match="could not be written: No space left") as caught:
            sweep(folder / "out", client=client)
        assert "\n" not in str(caught.value)
        there = ictus.Swept(folder / "out")
        kept = len(there.parts())
        # What is there can be read, and nothing is there in part.
        assert 0 < kept < 12 and len(there.pandas()) == 4 * kept and np.isfinite(there.audio[0]).all()
        subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True, capture_output=True)
        # With the same client: it must not remember the failure.
        sweep(folder / "out", client=client)
        assert digests(folder / "out") == reference
    finally:
        subprocess.run(["umount", folder], capture_output=True)


@pytest.mark.parametrize("bad", [None, 3, object(), {"hammer.mass": object()}, {3: [1.0]}])
def test_wrong_types_are_type_errors(tmp_path, bad):
    with pytest.raises(TypeError):
        ictus.sweep("hammered-string", bad, to=tmp_path / "out", progress=False)


def test_a_folder_that_cannot_be_written_is_an_os_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises((OSError, ictus.Problem), match="file"):
        sweep(tmp_path / "file" / "out")
    with pytest.raises(ictus.Problem, match="holds no sweep"):
        ictus.Swept(tmp_path)


def test_a_plan_of_a_million_points_is_prepared_in_seconds():
    start = time.monotonic()
    text = 'sweep = 1\nscene = "hammered-string"\nkind = "latin-hypercube"\nn = 1000000\n[parameters]\nhammer.mass = "log(1 g, 1 kg)"\n'
    plan = ictus._ictus.SweepPlan("plan", text, ".")
    assert plan.count == 1_000_000 and 0.001 <= plan.point(999_999)[1][0] <= 1
    assert time.monotonic() - start < 5


def test_two_threads_take_little_more_processor_time_than_the_renders(tmp_path):
    # Renders of some 50 ms; the promise of 1.15 is measured in docs/sweeps.md, here it is kept from growing.
    options = {"n": 24, "kind": "sobol", "duration": 1.5, "chunk": 4, "progress": False}
    points = ictus.sweep("hammered-string", PARAMETERS, to=tmp_path / "a", threads=2, **options).pandas()
    scenes = [ictus.load("hammered-string").set({path: row[path] for path in PARAMETERS}) for _, row in points.iterrows()]
    start = time.process_time()
    for scene in scenes:
        scene.render(duration=1.5, account=False)
    alone = time.process_time() - start
    start = time.process_time()
    ictus.sweep("hammered-string", PARAMETERS, to=tmp_path / "b", threads=2, outputs=["audio"], **options)
    assert time.process_time() - start < 1.5 * alone + 0.2
