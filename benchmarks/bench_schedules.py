"""Schedules: how long the proven optimum takes, what stays unproven, and the paper's own model beside it."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import StringIO

import numpy as np
import pandas as pd
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules import (
    MaxDistance,
    OriginMix,
    RandomProgramme,
    Rule,
    SameRegion,
    Schedule,
    Zones,
    anonymity_vector,
    by_zone,
    few_moves,
    greedy_schedule,
    lexicographic_index,
    norway_programmes,
    optimal_schedule,
    people_moved,
    people_of,
    program_programme,
    slots_of,
    text_programme,
)
from anonlib.analyses.schedules.experiments import NORWAY
from anonlib.analyses.schedules.schedule import schedule_of
from anonlib.basics.budget import A_SECOND
from anonlib.dataset import Dataset
from anonlib.reading.samples import sample
from benchmarks.measuring import REPOSITORY, Row, spoken

SIZES = (20, 30, 45, 50, 55, 75, 100, 150, 250, 500, 1_000)
INSTANCES = 10
MILLION = 1_000_000
LIMIT = 20 * A_SECOND  # work for a hard programme
PEER_SIZES, PEER_LIMIT = (20, 55, 100, 150), 30.0  # seconds for the paper's model
GENERATORS: dict[str, Callable[..., RandomProgramme]] = {
    "the authors' program": program_programme,
    "the paper's text": text_programme,
}


def rows() -> list[Row]:
    return [*_table_10(), *_peer(), *_million(), *_centre_alone(), *_index()]


def solved(programme: RandomProgramme, **options) -> tuple[Schedule, float]:
    start = time.perf_counter()
    schedule = optimal_schedule(programme.frequencies, programme.capacities, work=LIMIT, **options)
    return schedule, time.perf_counter() - start


def _table_10() -> Iterator[Row]:
    solved(program_programme(50, np.random.default_rng(0)))  # the solver's first call pays for its loading
    for name, generator in GENERATORS.items():
        for n in SIZES:
            found = [solved(generator(n, np.random.default_rng(seed))) for seed in range(INSTANCES)]
            proven = sum(schedule.proven for schedule, _ in found)
            times = [taken for _, taken in found]
            yield Row(
                f"Programmes of {name}, {n:,} people, {INSTANCES} of them: mean, and the longest",
                f"{spoken(float(np.mean(times)))}, {spoken(max(times))}; {proven} proven",
                "< 1 s, proven",
                proven == INSTANCES and max(times) < 1,
            )


# ---- the paper's model --------------------------------------------------------------------------------------------


def _peer() -> Iterator[Row]:
    """Algorithm 1 as it is printed: a number for each cell, and a model for each class size."""
    for n in PEER_SIZES:
        programme = program_programme(n, np.random.default_rng(1))
        ours, taken = solved(programme)
        start = time.perf_counter()
        vector = _algorithm_1(programme)
        peer = time.perf_counter() - start
        assert vector is None or vector == np.repeat(ours.vector.sizes, ours.vector.classes).tolist()
        yield Row(
            f"One of {n} people: ours, and Algorithm 1 of the paper with the same solver",
            f"{spoken(taken)}, " + (f"not done in {PEER_LIMIT:.0f} s" if vector is None else spoken(peer)),
        )


def _algorithm_1(programme: RandomProgramme) -> list[int] | None:
    """The class sizes of the optimum, ascending; None when the time is over."""
    f, c = programme.frequencies.tolist(), programme.capacities.tolist()
    ends = time.monotonic() + PEER_LIMIT
    counts: list[int] = []
    while sum(size * count for size, count in enumerate(counts, start=1)) < sum(f):
        model = cp_model.CpModel()
        cells = [[model.new_int_var(0, min(people, places), "") for places in c] for people in f]
        for people, row in zip(f, cells, strict=True):
            model.add(sum(row) == people)
        for places, column in zip(c, zip(*cells, strict=True), strict=True):
            model.add(sum(column) <= places)
        for size in range(1, len(counts) + 2):
            of_size = []
            for cell in (cell for row in cells for cell in row):
                equal = model.new_bool_var("")
                model.add(cell == size).only_enforce_if(equal)
                model.add(cell != size).only_enforce_if(~equal)
                of_size.append(equal)
            if size <= len(counts):
                model.add(sum(of_size) == counts[size - 1])
            else:
                model.minimize(sum(of_size))
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = max(0.01, ends - time.monotonic())
        if solver.solve(model) != cp_model.OPTIMAL:
            return None
        counts.append(round(solver.objective_value))
    return [size for size, count in enumerate(counts, start=1) for _ in range(count)]


# ---- a million, and the index -------------------------------------------------------------------------------------


def _million() -> Iterator[Row]:
    for name in GENERATORS:
        out = _apart(name)
        good = out["proven"] and out["seconds"] < 2
        proven = "proven" if out["proven"] else "not proven"
        yield Row(f"{MILLION:,} people as in {name}", f"{spoken(out['seconds'])}, {proven}", "< 2 s, proven", good)
        memory = f"{out['peak'] / 1e9:.2f} GB"
        yield Row("the same: peak memory of the whole process", memory, "< 1 GB", out["peak"] < 1e9)


def _apart(what: str) -> dict:
    """What a process of its own measures."""
    command = [sys.executable, "-m", "benchmarks.bench_schedules", what]
    done = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def _one_million(name: str) -> None:
    programme = GENERATORS[name](MILLION, np.random.default_rng(1))
    schedule, taken = solved(programme)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": taken, "proven": schedule.proven, "peak": peak}))


def _centre_alone() -> Iterator[Row]:
    """Half a million people whose date is given, as in the first region of Table 11: only the centre is chosen."""
    programmes = [date.invited for date in norway_programmes(np.random.default_rng(1), regions=NORWAY[:1], dates=100)]
    cells = sparse.csr_array(sparse.block_diag([sparse.csr_array(invited) for invited in programmes]))
    zones = Zones.of(
        *(np.repeat(np.arange(100), [part.shape[axis] for part in programmes]).astype(str) for axis in (0, 1))
    )
    people, places = (np.asarray(cells.sum(axis=axis)).ravel() for axis in (1, 0))
    existing = schedule_of("existing", cells, 0.0)
    start = time.perf_counter()
    best = by_zone(
        people, places, np.arange(len(people)), zones,
        lambda f, c, v, *_: optimal_schedule(f, c, quasi_ids=v, work=LIMIT), first=existing,
    )  # fmt: skip
    taken = time.perf_counter() - start
    alone = f"{existing.vector.people_below(2):,} alone before, {best.vector.people_below(2):,} after"
    proven = "proven" if best.proven else "not proven"
    yield Row(
        f"{people.sum():,} people on 100 dates, the centre alone chosen: {alone}", f"{spoken(taken)}, {proven}",
        "< 10 s, proven", best.proven and taken < 10,
    )  # fmt: skip
    start = time.perf_counter()
    moves = few_moves(existing, places, 2, zones)
    taken = time.perf_counter() - start
    yield Row(
        f"the same, as few moved as leave {moves.alone[-1]:,} alone: {moves.moved[-1]:,} (the optimum above: "
        f"{people_moved(existing.groups, best.groups):,})",
        spoken(taken), "< 30 s", taken < 30,
    )  # fmt: skip


def _index() -> Iterator[Row]:
    out = _apart("index")
    first, again = out["first"], out["again"]
    yield Row(
        "The exact index of a greedy schedule of 10,000 people, and then that without appointments",
        f"{spoken(first)}, {spoken(again)}", "< 0.2 s", max(first, again) < 0.2,
    )  # fmt: skip


def _two_indices() -> None:
    programme = text_programme(10_000, np.random.default_rng(1))
    scheduled = greedy_schedule(programme.frequencies, programme.capacities).vector
    taken = []
    for vector in (scheduled, anonymity_vector(programme.frequencies)):
        start = time.perf_counter()
        lexicographic_index(vector)
        taken.append(time.perf_counter() - start)
    print(json.dumps({"first": taken[0], "again": taken[1]}))


# ---- hard ones, as they are ---------------------------------------------------------------------------------------


def hard() -> str:
    """A table of programmes that are hard for an exact method, and of rules, with what is proven of each."""
    head = (
        "| programme | people, values, slots | time | proven | k | k at most | people below 5 |\n"
        "|---|---|---|---|---|---|---|"
    )
    lines = [_line(name, programme) for name, programme in _hard_ones()]
    lines += [_ruled_line(name, rules) for name, rules in _rules()]
    return "\n".join(
        [f"### Hard programmes and rules, the work of {LIMIT / A_SECOND:g} s each at most", "", head, *lines, ""]
    )


def _hard_ones() -> Iterator[tuple[str, RandomProgramme]]:
    for n in (100, 1_000, 10_000):
        yield f"the text's, Q = N/10 + 5, N = {n:,}", text_programme(n, np.random.default_rng(1), q=n // 10 + 5)
    for values, mean in ((20, 20), (20, 100), (100, 20), (200, 100)):
        yield f"as many values as slots, mean {mean}, none to spare", _square(values, mean)
    rng = np.random.default_rng(1)
    yield "geometric frequencies, mean 20, slots of 12", _with_slots(rng.geometric(0.05, 60), 12, rng)
    yield "geometric frequencies, mean 100, slots of 25", _with_slots(rng.geometric(0.01, 200), 25, rng)
    yield "Zipf frequencies, slots of just 20", _with_slots(np.minimum(rng.zipf(1.6, 100), 500), 20, None)


def _square(values: int, mean: int) -> RandomProgramme:
    rng = np.random.default_rng(1)
    people, places = (np.maximum(1, np.rint(rng.normal(mean, mean / 5, values))).astype(np.int64) for _ in range(2))
    short = int(people.sum() - places.sum())
    fewer = people if short < 0 else places
    np.add.at(fewer, rng.integers(0, values, abs(short)), 1)
    return RandomProgramme(people, places)


def _with_slots(people: np.ndarray, mean: int, rng: np.random.Generator | None) -> RandomProgramme:
    n_slots = int(people.sum() / mean) + 2
    drawn = np.full(n_slots, mean) if rng is None else np.maximum(1, np.rint(rng.normal(mean, mean / 4, n_slots)))
    short = max(0, int(people.sum() - drawn.sum()))
    places = np.concatenate([drawn, np.full(-(-short // mean), mean)]).astype(np.int64)
    return RandomProgramme(people.astype(np.int64), places)


def _line(name: str, programme: RandomProgramme) -> str:
    schedule, taken = solved(programme)
    shape = f"{programme.frequencies.sum():,}, {len(programme.frequencies):,}, {len(programme.capacities):,}"
    return _cells(name, shape, schedule, taken)


def _cells(name: str, shape: str, schedule: Schedule, taken: float) -> str:
    bound = schedule.bound
    assert bound is not None
    prefix = schedule.certified_prefix
    proven = "yes" if schedule.proven else f"for classes of up to {prefix}" if prefix else "no"
    return (
        f"| {name} | {shape} | {spoken(taken)} | {proven} | {schedule.k} | {bound.k} | "
        f"{schedule.vector.people_below(5):,} |"
    )


def _rules() -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "the county sample, no rule", ()
    yield "the county, own region only", ("region",)
    yield "the county, at most 25 km", ("distance",)
    yield "the county, at most 15% not born there, of 3 countries", ("mix",)
    yield "the county, 25 km and 15% of 3 countries", ("distance", "mix")


def _ruled_line(name: str, kinds: tuple[str, ...]) -> str:
    data, slot_table = (_text(f"screening_county{which}") for which in ("", "_slots"))
    people = people_of(Dataset.from_frame(data), ["birth_year", "municipality"], ["latitude", "longitude", "born_in"])
    slots = slots_of(slot_table, "places")
    of_slots, points = slots.table["municipality"].tolist(), ["latitude", "longitude"]
    rules: dict[str, Rule] = {
        "region": SameRegion(people.groups["municipality"].tolist(), of_slots),
        "distance": MaxDistance(people.groups[points].astype(float), slots.table[points].astype(float), 25),
        "mix": OriginMix(people.groups["born_in"].tolist(), "Norway"),
    }
    start = time.perf_counter()
    schedule = optimal_schedule(
        people.frequencies, slots.capacities, quasi_ids=people.quasi_ids, rules=[rules[kind] for kind in kinds],
        work=LIMIT,
    )  # fmt: skip
    taken = time.perf_counter() - start
    shape = f"{people.n_people:,}, {len(people.values):,}, {len(slots.capacities):,}"
    return _cells(name, shape, schedule, taken)


def _text(key: str) -> pd.DataFrame:
    return pd.read_csv(StringIO(sample(key).read_bytes().decode()), dtype=str)


if __name__ == "__main__":
    if sys.argv[1] == "index":
        _two_indices()
    else:
        _one_million(sys.argv[1])
