"""Frontier: speed of the chains, how good each search's frontier is and when, and pymoo's NSGA-II beside them."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd

from anonlib.analyses.frontier import (
    Frontier,
    Plane,
    PolicySpace,
    enumeration,
    evaluate,
    evaluate_chain,
    interval_programs,
    lower_bounds,
    random_chains,
    sublattices,
    update_rates,
)
from anonlib.analyses.frontier.archive import Archive
from anonlib.analyses.frontier.bound.search import Bounding
from anonlib.analyses.frontier.result import non_dominated, stair_area
from anonlib.counting.classes import ClassTable
from anonlib.reading.sources import open_source
from benchmarks.frontier_data import State, state
from benchmarks.measuring import ADULT_NINE, REPOSITORY, Row, adult_bytes, complete, environment, seconds, spoken

BUDGET = 14_780  # policies, Xia et al. 2013, section 4.2.1
CHECKPOINTS = (100, 1_000, 5_000, BUDGET)
SEEDS = 5
SUBLATTICES = 400
TARGETS = {1: 0.088, 5: 0.084, 10: 0.083, 40: 0.0825}  # seconds: area at most
CHAINS_A_SECOND = 15_000
PEER_TIMES = (10, 40, 60)
NSGA = {"population": 400, "flipped": 1, "seed": 1, "seconds": PEER_TIMES}
PEERS = Path(__file__).with_name("frontier_peers.py")
PAPERS: dict[str, Callable[..., Iterator[Frontier]]] = {
    "random chains (RCS)": random_chains,
    "sublattices (SHS)": sublattices,
}
BOUND_TIMES = {10: None, 60: 0.0596, 180: None}  # seconds of CPU: certified area at least
ADULT_TIMES = (1, 5)
SMALL, SMALL_SHAPE = 10, (8, 5, 3, 2)  # spaces small enough to enumerate, 14 bits each


def rows() -> list[Row]:
    return [*_chains(), *_programs(), *_bounds(), *_heuristic(), *_small(), *_adult()]


def tables() -> str:
    return f"{_paper_table()}\n{_peer_table()}"


@functools.cache
def _state() -> State:
    return state()


# ---- chains -------------------------------------------------------------------------------------------------------


def _chains() -> Iterator[Row]:
    of = _state()
    space, plane = of.space, of.plane
    rng = np.random.default_rng(1)
    chains = [rng.permutation(space.n_bits) for _ in range(BUDGET // space.n_levels)]
    taken = seconds(lambda: [evaluate_chain(plane, space.bottom, removed) for removed in chains], 5)
    rate = len(chains) * space.n_levels / taken
    one_by_one = seconds(lambda: plane.sums(of.safe_harbor))
    yield Row(
        f"{space.n_records:,} records and {of.people:,} people ({of.where}), age, sex, race and ZIP code, "
        f"{space.n_bits} bits: policies of maximal chains, a second",
        f"{rate:,.0f}", f"> {CHAINS_A_SECOND:,}", rate > CHAINS_A_SECOND,
    )  # fmt: skip
    yield Row("the same: Safe Harbor, from the cells", spoken(one_by_one))


# ---- interval programs --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A search with its frontiers at some times."""

    at: dict[int, Frontier]
    last: Frontier


def _watched(frontiers: Iterator[Frontier], times: tuple[int, ...]) -> Run:
    """The last frontier that was there at each time."""
    at: dict[int, Frontier] = {}
    for frontier in frontiers:
        at |= {t: frontier for t in times if frontier.seconds <= t}
    return Run(at, frontier)


@functools.cache
def _programs_run() -> Run:
    plane = _state().plane
    next(interval_programs(plane, work=1))  # loads what is compiled
    return _watched(interval_programs(plane, work=None, seconds=max(PEER_TIMES)), (*TARGETS, *PEER_TIMES))


def _programs() -> Iterator[Row]:
    of, run = _state(), _programs_run()
    for t, target in TARGETS.items():
        found = run.at[t]
        yield Row(
            f"Interval programs, {of.where}, {t} s: area under the frontier",
            f"{found.area():.5f} ({len(found):,} policies, {found.evaluations:,} looked at)",
            *((f"at most {target}", found.area() <= target) if of.real else ()),
        )
    others = [_last(interval_programs(of.plane, work=None, seconds=5, seed=seed)).area() for seed in (1, 2)]
    areas = [run.at[5].area(), *others]
    apart = max(areas) / min(areas) - 1
    yield Row("the same: how far apart three seeds are after 5 s", f"{apart:.2%}", "< 1%", apart < 0.01)
    yield Row("the same: the points of 40 s against Safe Harbor", _beyond_safe_harbor(run.at[40]))


def _last(frontiers: Iterator[Frontier]) -> Frontier:
    *_, last = frontiers
    return last


def _beyond_safe_harbor(frontier: Frontier) -> str:
    (risk, *_), (loss, *_) = evaluate(_state().space, _state().safe_harbor)
    better = frontier.only(frontier.dominating(_state().safe_harbor))
    cheapest, safest = frontier.least_loss(risk), frontier.least_risk(loss)
    message = f"risk {risk:.4f}, loss {loss:.4f}; {better.n_points:,} points dominate it"
    if cheapest is not None and safest is not None and len(better):
        message += f"; {1 - frontier.loss[cheapest] / loss:.1%} less loss at no more risk"
        message += f"; {1 / (frontier.risk[safest] / risk):,.1f} times less risk at no more loss"
    return message


# ---- the lower bound ----------------------------------------------------------------------------------------------


def _bounds() -> Iterator[Row]:
    of, found = _state(), _programs_run().at[10]
    next(lower_bounds(found))  # loads what is compiled
    start = time.process_time()
    bounding = Bounding(found)
    for t, target in BOUND_TIMES.items():
        while time.process_time() - start < t and bounding.improve():
            pass
        bound = bounding.bound()
        yield Row(
            f"Lower bound, {of.where}, {t} s of CPU: area where no policy can be",
            f"{bound.area():.4f} ({bound.iterations:,} iterations; under the frontier found: {found.area():.4f})",
            *((f"at least {target}", bound.area() >= target) if of.real and target is not None else ()),
        )
    (risk, *_), (loss, *_) = evaluate(of.space, of.safe_harbor)
    yield Row(
        "the same: at Safe Harbor’s risk and loss",
        f"no policy of no more risk loses less than {float(bound.loss_at(risk)):.4f} (found: "
        f"{found.loss[found.least_loss(risk)]:.4f}), none of no more loss risks less than {bound.risk_at(loss):.5f} "
        f"(found: {found.risk[found.least_risk(loss)]:.5f})",
    )


# ---- the paper's searches -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Course:
    """What a search came by, in its order.

    Attributes
    ----------
    number : int64, a policy each: how many of the budget were used with it.
    risk, loss : float64.
    """

    number: np.ndarray
    risk: np.ndarray
    loss: np.ndarray

    def area(self, policies: int) -> float:
        first = self.number <= policies
        risk, loss = self.risk[first], self.loss[first]
        kept, order = non_dominated(risk, loss)
        order = order[kept[order]]
        return stair_area(risk[order], loss[order])


def _course(search: Callable[[], Iterator[Frontier]]) -> tuple[Frontier, Course]:
    """The last frontier of a search, and all policies that it looked at."""
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    add = Archive.add

    def noted(archive: Archive, policies: np.ndarray, risk: np.ndarray, loss: np.ndarray) -> np.ndarray:
        parts.append((archive.evaluations + 1 + np.arange(-len(risk), 0), risk, loss))
        return add(archive, policies, risk, loss)

    with patch.object(Archive, "add", noted):
        last = _last(search())
    return last, Course(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _paper_table() -> str:
    of = _state()
    head = (
        f"### The paper’s searches, {of.where}: area after so many policies, mean of {SEEDS} seeds\n\n"
        f"| search | {' | '.join(f'{n:,}' for n in CHECKPOINTS)} | policies (points) at the end "
        f"| that dominate Safe Harbor | time |\n{'|---' * (len(CHECKPOINTS) + 4)}|"
    )
    courses = {name: _courses(search) for name, search in PAPERS.items()}
    lines = [_course_line(name, found) for name, found in courses.items()]
    areas = [np.array([_areas(course) for _, course in found]).mean(axis=0) for found in courses.values()]
    smaller = " | ".join(f"{share:.0%}" for share in np.round(1 - areas[1] / areas[0], 2) + 0.0)
    lines.append(f"| by how much SHS’s is smaller | {smaller} | | | |")
    lines.append(
        f"| a chain, its levels far apart first | {np.mean([*map(_far_apart, range(SEEDS))]):.3f} | | | | | | |"
    )
    lines.append("| in the paper | 28% | | | | 796 (about 750), SHS | 24, SHS | |")
    return "\n".join([head, *lines, ""])


def _far_apart(seed: int) -> float:
    """The area after the first policies of a maximal chain, whose levels come in the order of their reversed bits."""
    space = _state().space
    removed = np.random.default_rng(seed).permutation(space.n_bits)
    risk, loss = evaluate_chain(_state().plane, space.bottom, removed)
    digits = space.n_levels.bit_length()
    turned = [int(f"{level:0{digits}b}"[::-1], 2) for level in range(space.n_levels)]
    return Course(np.argsort(np.argsort(turned)) + 1, risk, loss).area(CHECKPOINTS[0])


def _courses(search: Callable[..., Iterator[Frontier]]) -> list[tuple[Frontier, Course]]:
    plane = _state().plane
    list(search(plane, budget=1))  # loads what is compiled
    return [_course(functools.partial(search, plane, budget=BUDGET, seed=seed)) for seed in range(SEEDS)]


def _areas(course: Course) -> list[float]:
    return [course.area(n) for n in CHECKPOINTS]


def _course_line(name: str, found: list[tuple[Frontier, Course]]) -> str:
    areas = np.array([_areas(course) for _, course in found]).mean(axis=0)
    policies, points, dominating, taken = np.mean(
        [(len(f), f.n_points, len(f.dominating(_state().safe_harbor)), f.seconds) for f, _ in found], axis=0
    )
    return (
        f"| {name} | {' | '.join(f'{area:.3f}' for area in areas)} | {policies:,.0f} ({points:,.0f}) "
        f"| {dominating:,.0f} | {spoken(taken)} |"
    )


def _heuristic() -> Iterator[Row]:
    limits = {"sublattices": SUBLATTICES, "work": None}
    found = [[*update_rates(_state().plane, **limits, seed=seed)][-1].correlation for seed in range(SEEDS)]
    yield Row(
        f"Sublattices, {SUBLATTICES} drawn for each of {SEEDS} frontiers: correlation of H with the share of policies "
        "that enter the frontier: mean, and the least and the most",
        f"{np.mean(found):.2f}, {min(found):.2f} to {max(found):.2f} (paper: 0.864)",
    )


# ---- beside pymoo -------------------------------------------------------------------------------------------------


def _peer_table() -> str:
    of, times = _state(), PEER_TIMES
    theirs, peer = _nsga(of)
    head = (
        f"### Beside NSGA-II of pymoo {peer}, {of.where}: area after so many seconds\n\n"
        f"| search | {' | '.join(f'{t} s' for t in times)} | policies looked at | points at the end "
        f"| that dominate Safe Harbor |\n{'|---' * (len(times) + 4)}|"
    )
    limits = {"seconds": max(times), "budget": 10**9}
    ours = {"interval programs": _programs_run()}
    ours |= {name: _watched(search(of.plane, **limits), times) for name, search in PAPERS.items()}
    lines = [_peer_line(name, [run.at[t] for t in times]) for name, run in ours.items()]
    return "\n".join([head, *lines, _peer_line("NSGA-II", theirs), ""])


def _peer_line(name: str, at: list[Frontier]) -> str:
    last = at[-1]
    dominating = last.only(last.dominating(_state().safe_harbor)).n_points
    areas = " | ".join(f"{frontier.area():.4f}" for frontier in at)
    return f"| {name} | {areas} | {last.evaluations:,} | {last.n_points:,} | {dominating:,} |"


def _nsga(of: State) -> tuple[list[Frontier], str]:
    """What NSGA-II has found at each time, by our evaluation of its policies, and pymoo's version."""
    python = environment("pymoo", f"--requirement={PEERS.with_suffix('.txt')}")
    with tempfile.TemporaryDirectory() as folder:
        cells, found = Path(folder) / "cells.npz", Path(folder) / "found.npz"
        records, people = of.dense()
        np.savez(cells, records=records, people=people)
        command = [str(part) for part in (python, PEERS, cells, found, json.dumps(NSGA))]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        reports = json.loads(done.stdout)
        with np.load(found) as arrays:
            policies = [arrays[name] for name in arrays.files]
    at = [_frontier_of(of.plane, *each) for each in zip(policies, reports["evaluations"], strict=True)]
    return at, reports["version"]


def _frontier_of(plane: Plane, policies: np.ndarray, evaluations: int) -> Frontier:
    archive = Archive(plane, "NSGA-II")
    archive.add(policies, *evaluate(plane.space, policies))
    archive.evaluations = evaluations
    return archive.frontier(finished=True)


# ---- spaces small enough to enumerate -----------------------------------------------------------------------------


def _small() -> Iterator[Row]:
    above: dict[str, list[float]] = {}
    for seed in range(SMALL):
        plane = Plane(_small_space(seed))
        exact = _last(enumeration(plane))
        assert exact.exact
        budget = 20 * plane.space.n_levels
        found = {
            "interval programs in 1 s": interval_programs(plane, work=None, seconds=1.0, seed=seed),
            f"sublattices with {budget} policies": sublattices(plane, budget=budget, seed=seed),
            f"random chains with {budget} policies": random_chains(plane, budget=budget, seed=seed),
        }
        for name, frontiers in found.items():
            above.setdefault(name, []).append(_last(frontiers).area() / exact.area() - 1)
    bits = plane.space.n_bits
    what = f"{SMALL} made-up spaces of {bits} bits, all {2**bits:,} policies known: area above the least there is"
    for name, shares in above.items():
        yield Row(f"{what}, {name}: mean, and the worst", f"{np.mean(shares):.1%}, {max(shares):.1%}")


def _small_space(seed: int) -> PolicySpace:
    """400 records of 20,000 people, each attribute drawn by itself with low values the more common."""
    rng = np.random.default_rng(seed)
    codes = np.column_stack([(size * rng.random(20_000) ** 2).astype(int) for size in SMALL_SHAPE])
    people = pd.DataFrame({f"v{j}": pd.Categorical(codes[:, j].astype(str)) for j in range(len(SMALL_SHAPE))})
    records = people.iloc[rng.choice(len(people), 400, replace=False)]
    return PolicySpace(ClassTable.from_frame(records), ClassTable.from_frame(people))


# ---- nine columns of Adult ----------------------------------------------------------------------------------------


def _adult() -> Iterator[Row]:
    out = _apart("adult")
    what = f"Adult, {out['records']:,} x {len(ADULT_NINE)}, no population, {out['bits']} bits"
    yield Row(f"{what}: interval programs, until the first frontier is there, in a new process", spoken(out["first"]))
    areas = ", ".join(f"{out['areas'][t]:.4f}" if t in out["areas"] else "none yet" for t in map(str, ADULT_TIMES))
    when = " and ".join(f"{t} s" for t in ADULT_TIMES)
    yield Row(f"the same: area after {when}", f"{areas} ({out['looked_at']:,} policies looked at)")
    yield Row("the same: peak memory of the whole process", f"{out['peak'] / 1e9:.2f} GB")


def _measure_adult() -> dict:
    import resource

    classes = ClassTable.from_frame(complete(open_source(adult_bytes(), "adult.csv").frame), ADULT_NINE)
    start = time.perf_counter()
    plane = Plane(PolicySpace(classes))
    frontiers = interval_programs(plane, work=None, seconds=max(ADULT_TIMES))
    begun = next(frontiers)
    first = time.perf_counter() - start
    run = _watched(chain([begun], frontiers), ADULT_TIMES)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {
        "records": classes.n_records, "bits": plane.space.n_bits, "first": first, "peak": peak,
        "areas": {t: frontier.area() for t, frontier in run.at.items()}, "looked_at": run.last.evaluations,
    }  # fmt: skip


def _apart(what: str) -> dict:
    """What a process of its own measures."""
    command = [sys.executable, "-m", "benchmarks.bench_frontier", what]
    done = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    print(json.dumps({"adult": _measure_adult}[sys.argv[1]]()))
