"""The search with coins in plain Python, of the rows of a problem: its parts, and every try that it makes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from math import log

import numpy as np

from anonlib.analyses.generalization.search import Problem
from anonlib.analyses.generalization.search.coins import Coin, coins_of
from anonlib.counting.privacy_models import KAnonymity

WHOLE = 2**64


def mixed(number: int) -> int:
    """Splitmix64, in whole numbers."""
    number = (number + 0x9E3779B97F4A7C15) % WHOLE
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % WHOLE
    number = (number ^ number >> 27) * 0x94D049BB133111EB % WHOLE
    return number ^ number >> 31


Cut = tuple[frozenset[int], int]


@dataclass(frozen=True)
class Try:
    """Rows that were to be parted off from others, what a refusal costs, and whether they were."""

    child: frozenset[int]
    rest: frozenset[int]
    cost: int
    is_parted: bool


@dataclass
class PlainCoinSearch:
    """The search as it is described.

    ``is_diverse`` says of rows whether values allow them to be a part. ``parts`` are the rows and levels of each part,
    none where values refuse the whole; ``tries`` all that were made.
    """

    problem: Problem
    coin: Coin
    is_diverse: Callable[[Collection[int]], bool]
    parts: list[tuple[list[int], list[int]]] = field(default_factory=list)
    tries: list[Try] = field(default_factory=list)

    def __post_init__(self) -> None:
        problem = self.problem
        self.k = next(each.least for each in problem.guarantees if isinstance(each, KAnonymity))
        self.counts = problem.classes.counts.tolist()
        coins = coins_of(problem.classes, problem.guarantees, self.coin)
        self.numbers, self.key = [int(number) for number in coins.row], int(coins.key)
        known = [problem.rows.columns[j].tolist() for j in range(len(problem.columns))]
        self.label = [
            [[int(levels.group[level][value]) for value in of_column] for level in range(levels.n_levels)]
            for levels, of_column in zip(problem.ladders.levels, known, strict=True)
        ]
        self.loss = [
            [[problem.losses.of_values(j, level)[value] for value in of_column] for level in range(len(self.label[j]))]
            for j, of_column in enumerate(known)
        ]
        rows = sorted(range(len(self.counts)), key=lambda row: [of_column[row] for of_column in known])
        if self.is_diverse(rows):
            self.split(rows, list(problem.highest), [])

    def size(self, rows) -> int:
        return sum(self.counts[row] for row in rows)

    def children(self, rows, j, level) -> dict[int, list[int]]:
        of_label: dict[int, list[int]] = {}
        for row in rows:
            of_label.setdefault(self.label[j][level][row], []).append(row)
        return of_label

    def alone(self, children) -> list[bool]:
        sizes = [self.size(child) for child in children]
        alone = [size >= self.k for size in sizes]
        while (
            any(alone) and 0 < sum(size for size, is_alone in zip(sizes, alone, strict=True) if not is_alone) < self.k
        ):
            least = min((size, place) for place, size in enumerate(sizes) if alone[place])[1]
            alone[least] = False
        return alone

    def best(self, rows, levels, closed):
        """The candidate that saves most for its entropy, by known columns; lowers what all share."""
        n, best = self.size(rows), (0.0, None, None)
        for j in range(len(levels)):
            for level in range(levels[j] - 1, -1, -1):
                children = list(self.children(rows, j, level).values())
                if len(children) == 1:
                    levels[j] = level
                    continue
                if n < 2 * self.k:
                    break
                alone = self.alone(children)
                if (j, level) in closed or not any(alone):
                    continue
                lost = self.loss[j][levels[j]][rows[0]]
                saved, entropy, rest = 0.0, 0.0, n
                for child, is_alone in zip(children, alone, strict=True):
                    if is_alone:
                        size = self.size(child)
                        saved += size * (lost - self.loss[j][level][child[0]])
                        entropy -= size / n * log(size / n)
                        rest -= size
                if rest:
                    entropy -= rest / n * log(rest / n)
                score = saved / n / (entropy + 0.001) if saved > 0 else -1.0
                if score > best[0]:
                    best = (score, j, level)
        return best[1:]

    def refuses(self, child, rest, cost) -> bool:
        first, second = (sum(self.numbers[row] * self.counts[row] for row in side) % WHOLE for side in (child, rest))
        pair = mixed(((mixed(first ^ self.key) + mixed(second ^ self.key)) % WHOLE) ^ self.key)
        by_chance = mixed((pair + self.key) % WHOLE) < int(np.uint64(self.coin.q**cost * 2.0**64))
        return by_chance or not self.is_diverse(child) or not self.is_diverse(rest)

    def split(self, rows: list[int], levels: list[int], cuts: list[Cut]) -> None:
        levels, cuts, closed, refused_pairs = [*levels], [*cuts], set(), set()
        while True:
            j, level = self.best(rows, levels, closed)
            if j is None:
                self.parts.append((rows, levels))
                return
            closed.add((j, level))
            children = list(self.children(rows, j, level).values())
            alone = self.alone(children)
            runs = [child for child, is_alone in zip(children, alone, strict=True) if is_alone]
            chosen = {row for run in runs for row in run}
            others = [row for row in rows if row not in chosen]
            rows = [row for run in runs for row in run] + others
            together, gone = set(rows), []
            for place in sorted(range(len(runs)), key=lambda place: (-self.size(runs[place]), place)):
                child, rest = set(runs[place]), together - set(runs[place])
                pair = frozenset((frozenset(child), frozenset(rest)))
                if self.size(rest) < self.k or pair in refused_pairs:
                    continue
                left = self.coin.budget - max(
                    sum(cost for cut, cost in cuts if (one in cut) != (other in cut)) for one in child for other in rest
                )
                if left < 1:
                    continue
                smaller = min(self.size(child), self.size(rest))
                cost = min(left, 3 if smaller >= 64 * self.k else 2 if smaller >= 4 * self.k else 1)
                is_refused = self.refuses(child, rest, cost)
                self.tries.append(Try(frozenset(child), frozenset(rest), cost, not is_refused))
                if is_refused:
                    cuts.append((frozenset(child), cost))
                    refused_pairs.add(pair)
                else:
                    gone.append(place)
                    together = rest
            if gone:
                finer = [*levels]
                finer[j] = level
                for place in sorted(gone):
                    self.split(runs[place], finer, cuts)
                self.split([row for row in rows if row in together], levels, cuts)
                return
