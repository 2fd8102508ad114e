"""Regions: time and memory of every step, the exchange against balanced density, and spopt beside them."""

from __future__ import annotations

import functools
import io
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from anonlib.analyses.regions import (
    AreaClasses,
    Measures,
    Target,
    balanced_density_sites,
    number_by_gaps,
    open_areas,
    regions_for_target,
    suggest_columns,
    voronoi_regions,
)
from anonlib.analyses.regions import areas_of as areas_of_file
from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.exchange import adjacency, exchange
from anonlib.analyses.regions.numbers import GAPS, gaps_cutoff
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.reading.samples import SAMPLES
from benchmarks.measuring import REPOSITORY, Row, environment, spoken
from benchmarks.regions_data import SETS, areas_of, places, records_of

T = TypeVar("T")
PINNED = "spopt==0.7.0"
PARTS = {"east": ("Eastern Canada", 4_480), "west": ("Western Canada", 18_077)}
TARGETS = {"east": (2, 5), "west": (5, 15)}  # seconds: balanced by the clock, exchange of CPU
TARGET_SEARCHED = {"sample": 20, "east": 60, "west": 120}  # seconds by the clock
MEMORY = 1.5e9
KS = (5, 10)
NAMES = ("left_out", "compactness", "discernibility", "entropy")
PEER_AREAS = 1_454  # New Brunswick's
MAXP = {"top_n": 2, "max_iterations_construction": 99, "max_iterations_sa": 10}  # spopt's defaults


def rows() -> list[Row]:
    return [*_first(), _of_sample(), *(row for part in PARTS for row in _steps(part)), _all_better()]


def tables() -> str:
    return f"{_cases_table()}\n{_peers_table()}"


# ---- time and memory ----------------------------------------------------------------------------------------------


def _steps(part: str) -> Iterator[Row]:
    """Records are made by one process and counted and aggregated by another, whose memory is measured."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.pickle"
        _apart("make", part, str(path))
        out = _apart("steps", part, str(path))
    limit, cpu_limit = TARGETS[part]
    what = (
        f"{out['records']:,} records in {out['areas']:,} areas{out['where']}, {out['classes']:,} classes of five "
        "quasi-identifiers"
    )
    wall, cpu = out["balanced"]
    yield Row(
        f"{what}: number of regions (GAPS, entropy), balanced density, Voronoi regions and their measures",
        f"{spoken(wall)} ({spoken(cpu)} of CPU), {out['regions']:,} regions", f"< {limit} s", wall < limit,
    )  # fmt: skip
    wall, cpu = out["exchange"]
    yield Row(
        "the same: exchange, k = 5, its measures included",
        f"{spoken(cpu)} of CPU ({spoken(wall)})", f"< {cpu_limit} s of CPU", cpu < cpu_limit,
    )  # fmt: skip
    wall, cpu = out["target"]
    yield Row(
        "the same: the most regions that leave out at most 5%, found by halving",
        f"{spoken(wall)} ({spoken(cpu)} of CPU), {out['wanted']:,} regions",
    )
    yield _row_of_target(f"the same: {TARGET_IN_WORDS}", out["target exchanged"], TARGET_SEARCHED[part])
    yield Row("the same: counting the records by area and class, once", spoken(out["count"]))
    yield Row(
        "the same: peak memory of the process, up to the counts, and to the end",
        f"{out['counted'] / 1e9:.2f} GB, {out['peak'] / 1e9:.2f} GB", f"< {MEMORY / 1e9:.1f} GB", out["peak"] < MEMORY,
    )  # fmt: skip


TARGET_IN_WORDS = "the most exchanged regions that leave out at most 5%"


def _row_of_target(what: str, out: dict, limit: float) -> Row:
    wall, cpu = out["times"]
    return Row(
        what,
        f"{spoken(wall)} ({spoken(cpu)} of CPU), {out['regions']:,} regions after {out['tries']} numbers tried; the "
        f"first that will do after {spoken(out['first'])}",
        f"< {limit} s", wall < limit,
    )  # fmt: skip


def _of_sample() -> Row:
    out = _apart("sample")
    what = f"{out['records']:,} records in the {out['areas']:,} areas of the province sample: {TARGET_IN_WORDS}"
    return _row_of_target(what, out["target exchanged"], TARGET_SEARCHED["sample"])


def _measure_sample() -> dict:
    sample = next(sample for sample in SAMPLES if sample.key == "province")
    assert sample.areas is not None
    file = open_areas(sample.path.with_name(sample.areas).read_bytes(), sample.areas)
    data = Dataset.from_frame(pd.read_csv(io.BytesIO(sample.read_bytes()), dtype=str), roles=dict(sample.roles))
    of = AreaClasses.from_records(areas_of_file(file, suggest_columns(file)), data, "area")
    exchange(_warm())
    return {"records": of.n_records, "areas": of.n_areas, "target exchanged": _exchanged_for_target(of)}


def _exchanged_for_target(of: AreaClasses) -> dict:
    began, first = time.perf_counter(), []

    def note(_share: float, target: Target | None = None, /) -> None:
        if target is not None and not first:
            first.append(time.perf_counter() - began)

    target, times = _timed(lambda: regions_for_target(of, 5, 0.05, search=exchange, progress=note))
    assert target.is_kept
    return {"times": times, "regions": target.measures.regions, "tries": len(target.points), "first": first[0]}


def _make(part: str, path: str) -> dict:
    points, province, real = places(part, PARTS[part][1])
    areas = areas_of(points)
    names = list(SETS.values())[-1]
    with open(path, "wb") as file:
        pickle.dump((areas, records_of(areas, province, names, varying=True).frame, real), file)
    return {}


def _measure_steps(part: str, path: str) -> dict:
    with open(path, "rb") as file:
        areas, frame, real = pickle.load(file)
    names = list(SETS.values())[-1]
    data = Dataset("generated", "0" * 64, FrameRecords(frame))
    start = time.perf_counter()
    of = AreaClasses.from_records(areas, data, "area", names)
    counting = time.perf_counter() - start
    del data, frame
    counted = _peak()
    exchange(_warm())
    found, balanced_times = _timed(lambda: _balanced(of, part, 5))
    wanted, target_times = _timed(lambda: regions_for_target(of, 5, 0.05))
    better, exchange_times = _timed(lambda: _measured(exchange(found)))
    assert better.improves_all
    where = f" in the places of {PARTS[part][0]}’s" if real else " in made-up places"
    return {
        "records": of.n_records, "areas": of.n_areas, "classes": of.n_classes, "regions": found.n_regions,
        "where": where, "count": counting, "balanced": balanced_times, "exchange": exchange_times,
        "target": target_times, "wanted": wanted.asked, "target exchanged": _exchanged_for_target(of),
        "counted": counted, "peak": _peak(),
    }  # fmt: skip


def _balanced(of: AreaClasses, part: str, k: int) -> Aggregation:
    return _measured(_placed(of, number_by_gaps(of, gaps=GAPS[PARTS[part][0]]), k))


def _placed(of: AreaClasses, number: int, k: int) -> Aggregation:
    sites = balanced_density_sites(of.areas.points, of.population, number)
    return voronoi_regions(of, sites, k, method="balanced")


def _measured(aggregation: Aggregation) -> Aggregation:
    assert aggregation.measures
    return aggregation


def _warm() -> Aggregation:
    """A few areas, so that compiled code is loaded."""
    points = areas_of(places("none", 60)[0])
    counts = np.random.default_rng(1).integers(0, 9, (60, 5))
    from scipy.sparse import csr_array

    from anonlib.counting.classes import ClassTable

    codes = np.arange(5, dtype=np.int32)[:, None]
    classes = ClassTable(("q",), (np.arange(5).astype(object),), codes, counts.sum(axis=0))
    return _placed(AreaClasses(points, csr_array(counts), classes, "area"), 10, 5)


def _timed(function: Callable[[], T]) -> tuple[T, tuple[float, float]]:
    wall, cpu = time.perf_counter(), time.process_time()
    out = function()
    return out, (time.perf_counter() - wall, time.process_time() - cpu)


def _peak() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _first() -> Iterator[Row]:
    first, again = _apart("first"), _apart("first", "kept")
    yield Row(
        "The first exchange of a process, of 60 areas: compiled, and from the machine code that is kept (CPU)",
        f"{spoken(first['cpu'])}, {spoken(again['cpu'])}",
    )


def _first_time(kept: str = "") -> dict:
    from anonlib.basics import machine_code

    if not kept:
        machine_code._Kept.load_overload = lambda *_: None  # type: ignore[method-assign]
    start = _measured(_warm())
    return {"cpu": _timed(lambda: exchange(start))[1][1]}


def _apart(*what: str, **environment: str) -> dict:
    """What a process of its own measures."""
    command = [sys.executable, "-m", "benchmarks.bench_regions", *what]
    done = subprocess.run(
        command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, **environment}
    )
    return json.loads(done.stdout)


# ---- the exchange against balanced density --------------------------------------------------------------------------


def _all_better() -> Row:
    cases = _cases()["cases"]
    better = sum(case["better"] for case in cases)
    worst = [max(case["ratios"][i] for case in cases) for i in range(4)]
    spoken_worst = ", ".join(f"{name} {ratio:.3f}" for name, ratio in zip(NAMES, worst, strict=True))
    return Row(
        f"Exchange against balanced density, {len(cases)} cases: all four measures better; the worst ratio of each",
        f"{better} of {len(cases)}; {spoken_worst}", "all", better == len(cases),
    )  # fmt: skip


@functools.cache
def _cases() -> dict:
    return _apart("cases")


def _measure_cases() -> dict:
    points, province, real = places("east", PARTS["east"][1])
    areas = areas_of(points)
    cases = []
    exchange(_warm())
    for title, names in SETS.items():
        for varying in (False, True):
            of = AreaClasses.from_records(
                areas, records_of(areas, province, names, varying=varying), "area", names
            )  # fmt: skip
            for k in KS:
                start = _balanced(of, "east", k)
                found, (_, cpu) = _timed(lambda start=start: _measured(exchange(start)))  # type: ignore[misc]
                cases.append({
                    "what": f"{title}, {'varying' if varying else 'homogeneous'}", "k": k, "cpu": cpu,
                    "regions": start.n_regions,
                    "share_left_out": [start.measures.share_left_out, found.measures.share_left_out],
                    "better": bool(found.improves_all), "ratios": _ratios(found.measures, start.measures),
                })  # fmt: skip
    return {"areas": of.n_areas, "records": of.n_records, "real": real, "cases": cases}


def _ratios(new: Measures, old: Measures) -> list[float]:
    return [getattr(new, name) / getattr(old, name) for name in NAMES]


def _cases_table() -> str:
    found = _cases()
    where = "the places of Eastern Canada’s" if found["real"] else "made-up places"
    head = (
        f"### Exchange against balanced density, {found['areas']:,} areas in {where}\n\n"
        "| quasi-identifiers, attributes | k | regions | suppressed, balanced | suppressed, exchange | suppression "
        "| compactness | discernibility | entropy | CPU |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    lines = [
        f"| {case['what']} | {case['k']} | {case['regions']:,} | {case['share_left_out'][0]:.2%} "
        f"| {case['share_left_out'][1]:.2%} | {' | '.join(f'{ratio:.3f}' for ratio in case['ratios'])} "
        f"| {spoken(case['cpu'])} |"
        for case in found["cases"]
    ]
    return "\n".join([head, *lines, ""])


# ---- beside spopt ---------------------------------------------------------------------------------------------------


def _peers_table() -> str:
    of, real = _province()
    points, n = of.areas.points, of.n_areas
    cutoff = gaps_cutoff(of.classes, gaps=GAPS["Eastern Canada"])
    theirs = _spopt(of, cutoff)["methods"]
    maxp, ward = (_as_regions(of, theirs[name]["labels"], name) for name in ("max-p", "Ward"))
    number = maxp.n_regions
    asked = next(m for m in range(number, n) if _placed(of, m, 5).n_regions == number)
    exchange(_warm())
    balanced, (balanced_time, _) = _timed(lambda: _placed(of, asked, 5))
    moved, (moved_time, _) = _timed(lambda: exchange(balanced))
    from_ward, (ward_time, _) = _timed(lambda: exchange(ward))
    named = [
        ("balanced density", balanced, balanced_time), ("exchange, from balanced density", moved, moved_time),
        ("spopt’s max-p", maxp, theirs["max-p"]["seconds"]), ("spopt’s Ward", ward, theirs["Ward"]["seconds"]),
        ("exchange, from spopt’s Ward", from_ward, ward_time),
    ]  # fmt: skip
    where = "the places of New Brunswick’s" if real else "made-up places"
    head = (
        f"### Beside spopt, {n:,} areas in {where}, {number:,} regions, k = 5\n\n"
        "| method | time | suppressed | compactness (km) | discernibility | entropy (bits a record) "
        "| all four better than balanced density |\n|---|---|---|---|---|---|---|"
    )
    lines = []
    for name, aggregation, taken in named:
        at, old = aggregation.measures, balanced.measures
        assert at.regions == number and len(points) == len(aggregation.region_of_area)
        better = "" if aggregation is balanced else "yes" if max(_ratios(at, old)) < 1 else "no"
        lines.append(
            f"| {name} | {spoken(taken)} | {at.share_left_out:.2%} | {at.compactness / 1000:,.0f} "
            f"| {at.discernibility:,} | {at.entropy / at.n_records:.4f} | {better} |"
        )
    return "\n".join([head, *lines, ""])


def _province() -> tuple[AreaClasses, bool]:
    points, province, real = places("east", PARTS["east"][1])
    of_province = np.bincount(province)
    chosen = np.flatnonzero(of_province == PEER_AREAS)
    kept = province == chosen[0] if len(chosen) else np.arange(len(province)) < PEER_AREAS
    areas = areas_of(points[kept].reset_index(drop=True))
    names = list(SETS.values())[1]
    data = records_of(areas, np.zeros(len(areas), dtype=int), names, varying=True)
    return AreaClasses.from_records(areas, data, "area", names), real and len(chosen) > 0


def _as_regions(of: AreaClasses, labels: list[int], method: str) -> Aggregation:
    region = np.array(labels, dtype=np.int32)
    sites = np.array([np.median(of.areas.points[region == r], axis=0) for r in range(region.max() + 1)])
    return replace(_placed(of, 1, 5), sites=sites, region_of_area=region, method=method, asked=len(sites))


def _spopt(of: AreaClasses, threshold: float) -> dict:
    python = environment("spopt", PINNED)
    graph = adjacency(of.areas.points)
    asked = {
        "x": of.areas.points[:, 0].tolist(), "y": of.areas.points[:, 1].tolist(), "crs": "ESRI:102001",
        "people": of.population.tolist(), "threshold": threshold, "seed": 1, "maxp": MAXP,
        "neighbours": [row.tolist() for row in np.split(graph.indices, graph.indptr[1:-1])],
    }  # fmt: skip
    done = subprocess.run(
        [python, Path(__file__).with_name("regions_peers.py")],
        input=json.dumps(asked), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


if __name__ == "__main__":
    tasks: dict[str, Callable[..., dict]] = {
        "sample": _measure_sample, "make": _make, "steps": _measure_steps, "cases": _measure_cases,
        "first": _first_time,
    }  # fmt: skip
    print(json.dumps(tasks[sys.argv[1]](*sys.argv[2:])))
