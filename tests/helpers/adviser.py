"""What an adviser searches, made of a slow case, and every state of it looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pandas as pd

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import Problem, Solution
from anonlib.coarsening.hierarchies import intervals
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity, PrivacyModel
from tests.reference.generalization import TOP

SAME = 1e-9  # losses that differ by less are equal
PAIRS = [  # of the four values of the slow cases, by twos and together
    {value: value for value in (*slow.VALUES, None)},
    {"g0": "u", "g1": "u", "g2": "v", "g3": "v", None: None},
    dict.fromkeys([*slow.VALUES, None], TOP),
]
STRICT = slow.shared(slow.EVERYBODY) | slow.not_certain(slow.EVERYBODY, (0.0,))  # of which weights are often exact


def problem_of(case: slow.Case, divisible: bool = True) -> Problem:
    return Problem(
        case.classes,
        case.hierarchies,
        case.guarantees,
        suppression_limit=case.most,
        weights=case.matter,
        a_column=case.a_column,
        divisible=divisible,
    )


def topped(letters: str) -> slow.Ladder:
    """Values as they are, or all together."""
    return [{value: value for value in (*letters, None)}, dict.fromkeys([*letters, None], TOP)]


def of_words(columns: str, words: str, ladders: dict[str, slow.Ladder], *asked: PrivacyModel, **fields) -> slow.Case:
    """One record a word, with a letter a column."""
    rows = [dict(zip(columns, word, strict=True)) for word in words.split()]
    return slow.Case(tuple(columns), rows, [1] * len(rows), ladders, asked, **fields)


def of_many(
    n_records: int, columns: Sequence[str], laddered: Sequence[str], *asked: PrivacyModel, **fields
) -> slow.Case:
    """Records of four values a column, drawn, of which some columns have pairs."""
    drawn = np.random.default_rng(5).integers(0, 4, (n_records, len(columns))).tolist()
    rows = [dict(zip(columns, (f"g{value}" for value in row), strict=True)) for row in drawn]
    return slow.Case(tuple(columns), rows, [1] * n_records, dict.fromkeys(laddered, PAIRS), asked, **fields)


def in_another_order(case: slow.Case, random: Random) -> slow.Case:
    order = random.sample(range(len(case.rows)), len(case.rows))
    return replace(case, rows=[case.rows[i] for i in order], weights=[case.weights[i] for i in order])


def every_state(problem: Problem) -> Iterable[Solution]:
    """What every state that does costs."""
    for state in np.ndindex(*(level + 1 for level in problem.highest)):
        found = problem.settle(tuple(int(level) for level in state))
        if found is not None:
            yield found


def least_of_all(problem: Problem) -> Solution | None:
    """The state that loses least, of all that do."""
    return min(every_state(problem), key=lambda found: found.rank, default=None)


def at_a_state(case: slow.Case, state: slow.State) -> tuple[list[slow.Row], list[PrivacyModel]]:
    """The rows at a state, and what must hold there: of a sensitive column that is dropped nothing is learned."""
    levels = dict(zip(case.laddered, state, strict=True))
    dropped = {name for name in slow.SENSITIVE if levels.get(name) and set(case.ladders[name][-1].values()) == {TOP}}
    holding = [each for each in case.guarantees if getattr(each, "sensitive", None) not in dropped]
    return case.at(state), holding


def ways(case: slow.Case) -> Iterator[tuple[slow.State, tuple[int, ...]]]:
    """Every state with every set of records, of one person each, in which all holds: tried one by one.

    No more are left out than may be; a state at which records are the same as at another is looked at once.
    """
    held: dict[tuple, bool] = {}
    for state in case.states():
        rows, holding = at_a_state(case, state)
        texts = [tuple(map(str, row.values())) for row in rows]
        for n_left_out in range(min(case.most, case.n) + 1):
            for left in combinations(range(case.n), case.n - n_left_out):
                key = (tuple(sorted(texts[i] for i in left)), tuple(holding))
                if key not in held:
                    held[key] = slow.all_hold([rows[i] for i in left], [1] * len(left), holding)
                if held[key]:
                    yield state, left


def wide(n_records: int, n_columns: int) -> Problem:
    """Many known columns of 40 values, and a sensitive one; all may be left out."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        rng.integers(0, 40, (n_records, n_columns)).astype(str), columns=list(map(str, range(n_columns)))
    )
    frame["s"] = rng.integers(0, 3, n_records).astype(str)
    known = tuple(map(str, range(n_columns)))
    hierarchies = dict.fromkeys(known, intervals([5, 20]))
    asked = [KAnonymity(columns=known, least=4), AttributeDisclosure(columns=known, sensitive="s")]
    return Problem(ClassTable.from_frame(frame), hierarchies, asked, suppression_limit=n_records)
