"""A forecast, slowly: people drawn one by one, every draw there is, and classes counted by plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import comb

from hypothesis import strategies as st

from anonlib.analyses.forecast import Futures
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import ValueMap

Row = tuple[str, ...]


def rows_of(futures: Futures) -> list[list[Row]]:
    """Whom each draw has, as rows of values in the order of drawing."""
    values = list(zip(*(futures.classes.column(name) for name in futures.classes.attributes), strict=True))
    return [[values[cell] for cell in cells[:end]] for cells, end in zip(futures.cells, futures.ends, strict=True)]


def below(released: Sequence[Hashable], k: int) -> int:
    """People in classes of fewer than k."""
    return sum(size for size in Counter(released).values() if size < k)


def all_draws(people: Sequence[Row], numbers: Mapping[str, int] | int, place: int = 0) -> Iterator[tuple[Row, ...]]:
    """Every way to draw so many people, all as likely: from everywhere, or by place, which is a value of theirs."""
    if isinstance(numbers, int):
        yield from combinations(people, numbers)
        return
    at = [combinations([one for one in people if one[place] == value], n) for value, n in numbers.items()]
    for parts in product(*at):
        yield tuple(one for part in parts for one in part)


def expected_share(sizes: Sequence[int], n: int, k: int) -> float:
    """The mean share of n people, drawn without replacement, who are in classes below k; sizes of the population's."""
    everybody = sum(sizes)
    ways = comb(everybody, n)
    return sum(
        i * comb(size, i) * comb(everybody - size, n - i) / ways / n
        for size in sizes
        for i in range(1, min(k - 1, size, n) + 1)
    )


def chance_of_at_most(size: int, everybody: int, n: int, most: int) -> float:
    """Of at most so many of a class among n people drawn."""
    return sum(comb(size, i) * comb(everybody - size, n - i) for i in range(most + 1)) / comb(everybody, n)


def level_of(hierarchy: Hierarchy, values: Sequence[str], level: int) -> dict[str, str | None]:
    """What each value becomes."""
    return dict(zip(values, hierarchy.on(values).label(level).tolist(), strict=True))


def finest(
    draws: Sequence[Sequence[Row]],
    weights: Mapping[Row, int],
    hierarchies: Sequence[Hierarchy],
    promise: tuple[int, float],
    needed: int,
    numbers: Sequence[int],
) -> set[tuple[int, ...]]:
    """The policies of least loss that keep a promise in enough draws for each number of people, among all."""
    k, most = promise
    domains = [sorted({row[j] for row in weights}) for j in range(len(hierarchies))]
    losses: dict[tuple[int, ...], float] = {}
    for policy in product(*(range(hierarchy.n_levels) for hierarchy in hierarchies)):
        label = [level_of(h, values, n) for h, values, n in zip(hierarchies, domains, policy, strict=True)]
        kept = [
            sum(below([tuple(of[v] for of, v in zip(label, row, strict=True)) for row in draw[:n]], k) / n <= most
                for draw in draws)
            for n in numbers
        ]  # fmt: skip
        if min(kept) >= needed:
            losses[policy] = _loss(weights, label, domains)
    least = min(losses.values(), default=0.0)
    return {policy for policy, loss in losses.items() if abs(loss - least) < 1e-9}


def _loss(weights: Mapping[Row, int], label: list[dict[str, str | None]], domains: list[list[str]]) -> float:
    lost = 0.0
    for row, people in weights.items():
        for j, value in enumerate(row):
            alike = sum(label[j][other] == label[j][value] for other in domains[j])
            lost += people * (alike - 1) / max(1, len(domains[j]) - 1)
    return lost / len(domains) / sum(weights.values())


@st.composite
def hierarchies(draw: st.DrawFn, values: Sequence[str]) -> Hierarchy:
    """A nested hierarchy of some values, its last level everything together."""
    groups = list(range(len(values)))
    levels = []
    for _ in range(draw(st.integers(0, 2))):
        joined = draw(st.lists(st.integers(0, 1), min_size=len(values), max_size=len(values)))
        groups = [groups[group] if joined[group] else group for group in groups]
        groups = [min(groups[i] for i in range(len(values)) if groups[i] == group) for group in groups]
        step = draw(st.integers(0, max(0, len(values) - 1)))
        groups = [groups[step] if group in (groups[step], groups[0]) else group for group in groups]
        levels.append(ValueMap(tuple((value, f"g{group}") for value, group in zip(values, groups, strict=True))))
    return Hierarchy((*levels, EVERYTHING))
