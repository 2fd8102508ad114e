"""What it costs that the method forces nobody: detail and time of mixed coarseness with a coin and without.

Six files, public release, each with the columns in the roles that are suggested (:mod:`benchmarks.bench_worth`). The
loss is of the search: the share of the cells' detail of what is searched. With a coin it is the mean of five secrets.

``python -m benchmarks.bench_method`` prints the curve: for each chance and budget what is lost more, and the greatest
probability of a value of which nine in ten have it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

import numpy as np

from anonlib.analyses.generalization.search import PersonProblem
from anonlib.analyses.generalization.search.coins import Coin, greatest_probability
from anonlib.analyses.generalization.search.local_recoding import part_by_part, parts_of_persons, parts_with_coins
from anonlib.basics.words import percent
from anonlib.dataset import Dataset
from anonlib.release.steps import GeneralizeLocally
from anonlib.verdict.criteria import Aim
from anonlib.verdict.proposals import Adviser, Asked
from anonlib.verdict.proposals.local_recoding import step_of_parts
from benchmarks.bench_worth import files
from benchmarks.measuring import Row, cpu_time, spoken

FILES = (
    "adult", "admissions", "hospital extract, made up", "heart_cleveland", "cervical_cancer", "credit cards",
)  # fmt: skip
SECRETS = tuple(f"{number:032x}" for number in range(5))
CURVE = (
    (0.3, 4), (0.3, 8), (0.2, 4), (0.2, 6), (0.2, 8), (0.15, 4), (0.15, 6), (0.15, 8), (0.1, 4), (0.1, 6), (0.05, 4),
    (0.05, 6),
)  # fmt: skip
SHARE = 0.9  # of a class that has the value of which the greatest probability is shown
MORE, SLOWER = 0.2, 1.25
"""What is wanted: of Adult at most so much more lost, and nowhere a search that takes so many times as long."""


@cache
def asked(name: str) -> tuple[Dataset, GeneralizeLocally]:
    """A file, and the step that its public release is searched with, without a coin."""
    file, aim = files()[name], Aim.for_recipient("public")
    data = file.opened(aim).data
    adviser = Adviser(Asked.of(data, aim, {}, unknowable=file.unknowable))
    step = step_of_parts(adviser)
    assert step is not None, name
    return adviser.data, replace(step, coin=None)


def lost(name: str, coin: Coin | None) -> float:
    """The share of the detail that is lost; NaN where there is no answer."""
    data, step = asked(name)
    step = replace(step, coin=coin)
    of_persons = step.looks_at_rows(data)
    _, parts = step.found_of_persons(data) if of_persons else step.found(data)
    return np.nan if parts is None else parts.loss


def with_coins(name: str, q: float, budget: int) -> float:
    """The mean of five secrets."""
    return float(np.mean([lost(name, Coin(q, budget, secret)) for secret in SECRETS]))


def seconds(name: str, coin: Coin | None) -> float:
    """Of one core, the least of three searches of what is counted already."""
    data, step = asked(name)
    problem = (step.found_of_persons if step.looks_at_rows(data) else step.found)(data)[0]
    if isinstance(problem, PersonProblem):
        return min(cpu_time(lambda: parts_of_persons(problem, coin=coin)) for _ in range(3))
    search = part_by_part if coin is None else partial(parts_with_coins, coin=coin)
    return min(cpu_time(lambda: search(problem)) for _ in range(3))


def rows() -> Iterator[Row]:
    present = [name for name in FILES if name in files()]
    coin = Coin()
    for name in present:
        without, having = lost(name, None), with_coins(name, coin.q, coin.budget)
        more = having / without - 1
        wanted = (f"at most {percent(MORE)} more", more <= MORE) if name == "adult" else ()
        yield Row(
            f"{name}, public, mixed coarseness: detail lost in the search without a coin and with one",
            f"{without:.4f}, {having:.4f} ({more:+.0%})", *wanted,
        )  # fmt: skip
        before, after = seconds(name, None), seconds(name, coin)
        yield Row(
            "the same: time of the search", f"{spoken(before)}, {spoken(after)}", f"< {SLOWER:g} times as long",
            after < SLOWER * before,
        )  # fmt: skip


def curve() -> str:
    """The curve of what is lost more against the greatest probability, as a table in Markdown."""
    present = [name for name in FILES if name in files()]
    lines = [
        f"| chance, budget | greatest probability of a value of {percent(SHARE)} | {' | '.join(present)} |",
        "|---|---|" + "---|" * len(present),
    ]
    without = {name: lost(name, None) for name in present}
    for q, budget in CURVE:
        more = [with_coins(name, q, budget) / without[name] - 1 for name in present]
        greatest = greatest_probability(SHARE, Coin(q, budget).odds)
        cells = " | ".join("no answer for some" if np.isnan(share) else f"{share:+.0%}" for share in more)
        lines.append(f"| {q:g}, {budget} | {greatest:.10f} | {cells} |")
    lines.append(f"| without a coin, share lost | 1 | {' | '.join(f'{without[name]:.4f}' for name in present)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(curve() + "\n")
