"""Runs in pymoo's own environment: NSGA-II on the policies of a file; the best that it came by go to another file.

Imports nothing of this project, so that neither has to run with the other's libraries. The evaluation is its own and
compiled, as ours is: it counts the records of each group over the cells that have some, and takes the people from four
corners of a summed-area table over the two long attributes, one for each box of the two short ones.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

import numpy as np
from numba import njit
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.callback import Callback
from pymoo.core.duplicate import DuplicateElimination
from pymoo.core.problem import Problem
from pymoo.operators.crossover.pntx import TwoPointCrossover
from pymoo.operators.mutation.bitflip import BitflipMutation
from pymoo.optimize import minimize


class Policies(Problem):
    """Risk (sum of records / people) and loss (KL) of bit-strings; keeps what nothing it looked at dominates."""

    def __init__(self, records: np.ndarray, people: np.ndarray) -> None:
        axes = range(4)
        self.ends = np.cumsum([0, *(length - 1 for length in records.shape)])
        super().__init__(n_var=int(self.ends[-1]), n_obj=2, xl=0, xu=1, vtype=bool)
        starts = np.cumsum([0, *records.shape[:-1]])  # of each attribute's values, all in one row
        cells = np.argwhere(records)
        margins = np.concatenate([records.sum(axis=tuple(a for a in axes if a != axis)) for axis in axes])
        logs = np.arange(records.sum() + 1.0)
        logs[1:] *= np.log(logs[1:])
        self.data = (
            self.ends, np.array(records.shape), starts, (cells + starts).astype(np.int32),
            records[tuple(cells.T)].astype(np.int32), margins, boxes(people), logs,
            np.zeros(records.size, dtype=np.int32),
        )  # fmt: skip
        self.evaluations = 0
        self.best = np.zeros((0, self.n_var), dtype=bool)
        self.points = np.zeros((0, 2))

    def _evaluate(self, x, out, *args, **kwargs):
        policies = np.ascontiguousarray(x, dtype=bool)
        out["F"] = risks_and_losses(policies, *self.data)
        self.evaluations += len(x)
        self._keep(policies, out["F"])

    def _keep(self, policies: np.ndarray, found: np.ndarray) -> None:
        """What nothing dominates, of all so far; of those that tie, one."""
        points = np.vstack([self.points, found])
        order = np.lexsort((points[:, 1], points[:, 0]))
        loss = points[order, 1]
        kept = order[loss < np.concatenate([[np.inf], np.minimum.accumulate(loss)[:-1]])]
        self.best, self.points = np.vstack([self.best, policies])[kept], points[kept]


def boxes(people: np.ndarray) -> np.ndarray:
    """int32: at [i, k, j, m], of the values i to k of the second attribute and j to m of the third, the people before
    each place of the first and of the last attribute."""
    first, second, third, last = people.shape
    out = np.zeros((second, second, third, third, first + 1, last + 1), dtype=np.int32)
    for i, k in zip(*np.triu_indices(second), strict=True):
        for j, m in zip(*np.triu_indices(third), strict=True):
            within = people[:, i : k + 1, j : m + 1].sum(axis=(1, 2))
            out[i, k, j, m, 1:, 1:] = within.cumsum(axis=0).cumsum(axis=1)
    return out


@njit
def risks_and_losses(policies, ends, lengths, starts, cells, records, margins, boxes, logs, counts):
    """float64, policies x 2, for four attributes. ``logs`` has n ln n; ``counts`` is room for the records of each
    group, all 0 before and after."""
    out = np.empty((len(policies), 2))
    part = np.empty(lengths.sum(), dtype=np.int32)  # of the number of a group
    low, high = np.empty(lengths.sum(), dtype=np.int32), np.empty(lengths.sum(), dtype=np.int32)
    touched, of_touched = np.empty(len(cells), dtype=np.int64), np.empty(len(cells), dtype=np.int64)
    for i in range(len(policies)):
        loss, radix = 0.0, 1
        for axis in range(3, -1, -1):
            number = begun = within = 0
            for value in range(lengths[axis]):
                within += margins[starts[axis] + value]
                part[starts[axis] + value] = number * radix
                if value + 1 == lengths[axis] or policies[i, ends[axis] + value]:
                    loss += within * np.log(value + 1 - begun)
                    low[starts[axis] + begun : starts[axis] + value + 1] = begun
                    high[starts[axis] + begun : starts[axis] + value + 1] = value + 1
                    number, begun, within = number + 1, value + 1, 0
            radix *= number
        n_groups = 0
        for c in range(len(cells)):
            key = part[cells[c, 0]] + part[cells[c, 1]] + part[cells[c, 2]] + part[cells[c, 3]]
            if not counts[key]:
                touched[n_groups], of_touched[n_groups] = key, c
                n_groups += 1
            counts[key] += records[c]
        risk = 0.0
        for group in range(n_groups):
            n, c = counts[touched[group]], of_touched[group]
            counts[touched[group]] = 0
            a, b, d, e = cells[c]
            box = boxes[low[b], high[b] - 1, low[d], high[d] - 1]
            people = box[high[a], high[e]] - box[low[a], high[e]] - box[high[a], low[e]] + box[low[a], low[e]]
            risk += n / people
            loss -= logs[n]
        out[i] = risk, loss
    return out


class Same(DuplicateElimination):
    """Equal bit-strings, found by their bytes: comparing all pairs would take longer than evaluating them."""

    def _do(self, pop, other, is_duplicate):
        seen = set() if other is None else {row.tobytes() for row in np.packbits(other.get("X").astype(bool), axis=1)}
        for i, row in enumerate(np.packbits(pop.get("X").astype(bool), axis=1)):
            name = row.tobytes()
            is_duplicate[i] = is_duplicate[i] or name in seen
            if other is None:
                seen.add(name)
        return is_duplicate


class Snapshots(Callback):
    """The best policies after each of some seconds."""

    def __init__(self, policies: Policies, at: list[float]) -> None:
        super().__init__()
        self.policies, self.at = policies, at
        self.taken: list[tuple[np.ndarray, int]] = []
        self.started = time.perf_counter()

    def notify(self, algorithm):
        passed = time.perf_counter() - self.started
        while len(self.taken) < len(self.at) and passed >= self.at[len(self.taken)]:
            self.taken.append((self.policies.best, self.policies.evaluations))


def begin(n_bits: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """bool, policies x bits: the bottom, the top, and of as many random chains a policy each, of all levels."""
    levels = np.round(np.linspace(0, n_bits, size)).astype(int)
    return np.array([rng.permutation(n_bits) < level for level in levels])


def main() -> None:
    path, found, asked = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    with np.load(path) as data:
        policies = Policies(data["records"], data["people"])
    start = begin(policies.n_var, asked["population"], np.random.default_rng(asked["seed"]))
    risks_and_losses(start[:2], *policies.data)  # compiled before the clock runs
    algorithm = NSGA2(
        pop_size=asked["population"], sampling=start, crossover=TwoPointCrossover(), eliminate_duplicates=Same(),
        mutation=BitflipMutation(prob_var=asked["flipped"] / policies.n_var),
    )  # fmt: skip
    snapshots = Snapshots(policies, asked["seconds"])
    minimize(
        policies, algorithm, ("time", max(asked["seconds"]) + 1), callback=snapshots, seed=asked["seed"],
        copy_algorithm=False, copy_termination=False,
    )  # fmt: skip
    np.savez(found, *(best for best, _ in snapshots.taken))
    print(json.dumps({"version": version("pymoo"), "evaluations": [n for _, n in snapshots.taken]}))


if __name__ == "__main__":
    main()
