"""Generalization from its definitions: slow and obvious, record by record, in exact numbers where they decide.

Arca and Hewett 2021, sections 3.2 and 3.3. A row is a tuple of values (text, or None where it is missing); a ladder is
what each value of a column becomes, a dictionary a level; a state is a level for each column that has a ladder. Nothing
here is shared with what it is to check, but for the names of what is asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import fsum, log2

import pandas as pd
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, TOP, Hierarchy
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import PrivacyModel
from anonlib.release.steps.of_cells import EarlierLDiversity, EarlierTCloseness, Requirement, guarantees_of

Row = tuple
State = tuple[int, ...]
Ladder = list[dict]
LOSSES = ("cell_loss", "entropy", "discernibility")


@dataclass(frozen=True)
class Case:
    """Rows with weights, ladders of some columns, and what is required.

    ``limit`` is the share that may be left out, as it is written.
    """

    names: tuple[str, ...]
    rows: list[Row]
    weights: list[int]
    ladders: dict[str, Ladder]
    requirements: tuple[Requirement, ...]
    limit: str = "0"
    rules: tuple[EarlierLDiversity | EarlierTCloseness, ...] = ()
    matter: tuple[tuple[str, int], ...] = ()  # columns whose weight is not 1

    @property
    def n(self) -> int:
        return sum(self.weights)

    @property
    def most(self) -> int:
        return max(0, min(int(Fraction(self.limit) * self.n), self.n - 1))  # never everybody

    @property
    def shield(self) -> list[str]:
        return [name for name in self.names if any(name in r.attributes for r in self.requirements)]

    @property
    def laddered(self) -> list[str]:
        """The columns that can be generalized, in the table's order."""
        return [name for name in self.shield if name in self.ladders]

    def states(self) -> Iterator[State]:
        return product(*(range(len(self.ladders[name])) for name in self.laddered))

    def column(self, name: str) -> list:
        return [row[self.names.index(name)] for row in self.rows]

    @cached_property
    def original(self) -> dict[str, list]:
        return {name: self.column(name) for name in self.names}

    @cached_property
    def overall(self) -> dict[str, Counter]:
        """The records of each value of each column in the original."""
        return {name: distribution(self, name, range(len(self.rows))) for name in self.names}

    # ---- what the library is given ----

    @cached_property
    def classes(self) -> ClassTable:
        frame = pd.DataFrame(self.rows, columns=list(self.names), dtype=object)
        return ClassTable.from_frame(frame, weights=self.weights)

    @cached_property
    def hierarchies(self) -> dict[str, Hierarchy]:
        return {name: hierarchy_of(ladder) for name, ladder in self.ladders.items()}

    @property
    def guarantees(self) -> tuple[PrivacyModel, ...]:
        return guarantees_of(self.requirements, self.rules)

    @property
    def options(self) -> dict:
        return {
            "left_out_limit": float(self.limit),
            "attribute_weights": dict(self.matter),
        }


def hierarchy_of(ladder: Ladder) -> Hierarchy:
    """A hierarchy whose levels above 0 are the ladder's."""

    def recoding(level: dict) -> ValueMap:
        if set(level.values()) == {TOP}:
            return EVERYTHING
        return ValueMap(tuple((v, label) for v, label in level.items() if v is not None), missing=level[None])

    return Hierarchy(tuple(recoding(level) for level in ladder[1:]))


# --- recoding and what it violates ----------------------------------------------------------------------------------


def cells(case: Case, state: State) -> list[State]:
    """The same levels for every row."""
    return [state] * len(case.rows)


def recoded(case: Case, levels: Sequence[State]) -> list[Row]:
    """The rows, each with a level of its own for each column that has a ladder."""
    table = []
    for row, at in zip(case.rows, levels, strict=True):
        level_of = dict(zip(case.laddered, at, strict=True))
        table.append(
            tuple(
                case.ladders[name][level_of[name]][value] if name in level_of else value
                for name, value in zip(case.names, row, strict=True)
            )
        )
    return table


def groups(case: Case, table: list[Row], attributes: Sequence[str], kept: set[int]) -> dict[Row, list[int]]:
    places = [case.names.index(name) for name in attributes]
    found = defaultdict(list)
    for i in sorted(kept):
        found[tuple(table[i][j] for j in places)].append(i)
    return found


def distribution(case: Case, attribute: str, members: Sequence[int]) -> Counter:
    counts: Counter = Counter()
    for i in members:
        counts[case.original[attribute][i]] += case.weights[i]
    return counts


def distance(found: Counter, overall: Counter, kind: str) -> Fraction:
    """Between two distributions over the values of ``overall``, in order and missing last."""
    n, m = sum(found.values()), sum(overall.values())
    values = sorted(overall, key=lambda value: (value is None, value or ""))
    gaps = [Fraction(found[v], n) - Fraction(overall[v], m) for v in values]
    if kind == "equal":
        return sum(map(abs, gaps), Fraction(0)) / 2
    return sum((abs(sum(gaps[:i])) for i in range(1, len(gaps))), Fraction(0)) / max(1, len(values) - 1)


def holds(rule: EarlierLDiversity | EarlierTCloseness, found: Counter, overall: Counter) -> bool:
    if isinstance(rule, EarlierTCloseness):
        return distance(found, overall, rule.distance) <= Fraction(str(rule.t))
    if rule.kind == "distinct":
        return len(found) >= rule.l
    # Entropy is at least log l when n^n is at least l^n times the product of c^c over the counts c.
    n, right = sum(found.values()), Fraction(1)
    for count in found.values():
        right *= Fraction(count) ** count
    return Fraction(n) ** n >= Fraction(str(rule.l)) ** n * right


def broken(case: Case, table: list[Row], kept: set[int]) -> tuple[set[int], int]:
    """The rows kept that are in a violating group, and the number of those groups."""
    rows: set[int] = set()
    violating: set[tuple[tuple[str, ...], Row]] = set()  # of columns, whichever guarantee names them
    overall = {rule.attribute: distribution(case, rule.attribute, sorted(kept)) for rule in case.rules}
    for requirement in case.requirements:
        columns = tuple(sorted(requirement.attributes))
        for values, members in groups(case, table, columns, kept).items():
            good = sum(case.weights[i] for i in members) >= requirement.k and all(
                holds(rule, distribution(case, rule.attribute, members), overall[rule.attribute]) for rule in case.rules
            )
            if not good:
                rows.update(members)
                violating.add((columns, values))
    return rows, len(violating)


def records(case: Case, members: set[int]) -> int:
    return sum(case.weights[i] for i in members)


def left(case: Case, table: list[Row]) -> set[int]:
    """The rows that are left when violating groups are left out, again and again until there is none."""
    kept = set(range(len(case.rows)))
    while bad := broken(case, table, kept)[0]:
        kept -= bad
    return kept


def ways_to_satisfy(case: Case) -> Iterator[tuple[State, set[int]]]:
    """Every state with every set of records, of one person each, that meets what is required: tried one by one."""
    everybody = range(len(case.rows))
    for state in case.states():
        table = recoded(case, cells(case, state))
        for n_left_out in range(case.most + 1):
            for left_out in combinations(everybody, n_left_out):
                kept = set(everybody) - set(left_out)
                if not broken(case, table, kept)[0]:
                    yield state, kept


# --- what is kept ---------------------------------------------------------------------------------------------------


def utility(case: Case, levels: Sequence[State], kept: set[int]) -> dict[str, float | Fraction | int]:
    table = recoded(case, levels)
    n, names = case.n, case.laddered
    lost, most, bits, all_bits = Fraction(0), 0, [], []
    for j, name in enumerate(names):
        matters = dict(case.matter).get(name, 1)
        column, ladder = case.original[name], case.ladders[name]
        values = set(column)
        count = case.overall[name]
        for i, value in enumerate(column):
            level = ladder[levels[i][j]]
            same = [other for other in values if level[other] == level[value]]
            share = Fraction(len(same) - 1, max(1, len(values) - 1)) if i in kept else Fraction(1)
            lost += matters * case.weights[i] * share
            most += matters * case.weights[i]
            together = sum(count[other] for other in same) if i in kept else n
            bits.append(matters * case.weights[i] * log2(together / count[value]))
            all_bits.append(matters * case.weights[i] * log2(n / count[value]))
    sizes = [records(case, set(members)) for members in groups(case, table, case.shield, kept).values()]
    n_left_out = n - records(case, kept)
    return {
        "rows": len({table[i] for i in kept}),
        "classes": len(sizes),
        "cell_loss": lost / most if most else Fraction(0),
        "entropy": fsum(bits) / fsum(all_bits) if fsum(all_bits) else 0.0,
        "discernibility": sum(size**2 for size in sizes) + n_left_out * n,
        "records": records(case, kept),
    }


@dataclass(frozen=True)
class Found:
    """One state: what it violates, what is left, and what that keeps."""

    state: State
    groups: int
    rows: int
    records: int
    n_rows: int
    kept: set[int]
    left_out: int
    satisfied: bool
    utility: dict

    def score(self, objective: str) -> float:
        return float(self.utility[objective]) * (-1 if objective in LOSSES else 1)


def look_at(case: Case, state: State) -> Found:
    table = recoded(case, cells(case, state))
    bad, n_groups = broken(case, table, set(range(len(table))))
    kept = left(case, table)
    left_out = case.n - records(case, kept)
    return Found(
        state, n_groups, len({table[i] for i in bad}), records(case, bad), len(set(table)), kept, left_out,
        left_out <= case.most, utility(case, cells(case, state), kept),
    )  # fmt: skip


def best(case: Case, objective: str) -> Found | None:
    """The state of the best objective, then of the fewest left out, then of the fewest steps, then the lowest."""
    if not case.n or case.n < max(requirement.k for requirement in case.requirements):
        return None
    found = [one for one in (look_at(case, state) for state in case.states()) if one.satisfied]
    if not found:
        return None
    highest = max(one.score(objective) for one in found)
    ties = [one for one in found if one.score(objective) > highest - 1e-10 * max(1, abs(highest))]
    return min(ties, key=lambda one: (one.left_out, sum(one.state), one.state))


def step_by_step(case: Case, method: str) -> list[tuple[State, int | None]]:
    """The paper's searches by the number of rows: every table in the order it is made, and its turn to be expanded.

    ``iab`` is Algorithm 1: next the table with the most rows, of these the fewest violating rows, of these the first
    made, until no open table has more rows than the largest that satisfies. ``greedy`` is Method 2, of tables that are
    equal the one furthest up. Where records may be left out, a table that satisfies so is first, and what counts of it
    is the rows that are left.
    """
    heights = [len(case.ladders[name]) - 1 for name in case.laddered]
    made = [look_at(case, tuple(0 for _ in heights))]
    waiting, turns = [0], []
    while waiting:
        done = [one for one in made if one.satisfied]
        if method == "iab":
            here = max(waiting, key=lambda i: (made[i].n_rows, -made[i].rows, -i))
            if done and made[here].n_rows <= max(one.utility["rows"] for one in done):
                break
        elif method == "greedy":
            here = min(
                waiting,
                key=lambda i: (not made[i].satisfied, made[i].rows, -made[i].n_rows, -sum(made[i].state), i),
            )
            if made[here].satisfied:
                break
        else:
            here = waiting[0]
        waiting.remove(here)
        turns.append(here)
        for j, level in enumerate(made[here].state):
            state = (*made[here].state[:j], level + 1, *made[here].state[j + 1 :])
            if level < heights[j] and state not in [one.state for one in made]:
                waiting.append(len(made))
                made.append(look_at(case, state))
    return [(one.state, turns.index(i) if i in turns else None) for i, one in enumerate(made)]


def counted(table: ClassTable) -> Counter:
    """A class table as rows and their records."""
    columns = [table.column(name) for name in table.attributes]
    keys = list(zip(*columns, strict=True)) if columns else [()] * table.n_classes
    assert len(set(keys)) == len(keys)
    return Counter(dict(zip(keys, table.counts.tolist(), strict=True)))


def recounted(case: Case, levels: Sequence[State], kept: set[int]) -> Counter:
    table = recoded(case, levels)
    counts: Counter = Counter()
    for i in kept:
        counts[table[i]] += case.weights[i]
    return counts


# --- random cases ---------------------------------------------------------------------------------------------------

VALUES = ["g0", "g1", "g2", "g3", "g4"]
LABELS = [None, "g0", "g1", "g2"]  # the same words as values: levels must not be mistaken for one another


@st.composite
def ladders(draw: st.DrawFn, values: Sequence[str], most: int = 3) -> Ladder:
    """Levels that are each a recoding of the one before, with or without one label for everything at the end."""
    ladder: Ladder = [{value: value for value in (*values, None)}]
    for _ in range(draw(st.integers(0, most))):
        before = ladder[-1]
        onto = dict.fromkeys(before.values())
        onto = {label: draw(st.sampled_from(LABELS[label is not None :])) for label in onto}
        ladder.append({value: onto[label] for value, label in before.items()})
    if draw(st.integers(0, 9)):
        ladder.append(dict.fromkeys(ladder[0], TOP))
    return ladder


L_DIVERSITY = st.builds(EarlierLDiversity, st.just("s"), st.integers(1, 3)) | st.builds(
    EarlierLDiversity, st.just("s"), st.sampled_from([1.0, 1.5, 2.0, 2.5]), st.just("entropy")
)
T_CLOSENESS = st.builds(
    EarlierTCloseness, st.just("s"), st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5]), st.sampled_from(["equal", "ordered"])
)


@st.composite
def cases(
    draw: st.DrawFn,
    rules: st.SearchStrategy | None = None,
    limits: Sequence[str] = ("0", "0", "0.05", "0.2", "0.2", "0.5", "1"),
    max_rows: int = 16,
    max_requirements: int = 3,
    columns: Sequence[int] = (1, 2, 2, 3, 3),
    most_levels: int = 3,
    weighted: bool = False,
) -> Case:
    """Few columns in some order: with a ladder, without one, outside every guarantee, and one that is sensitive."""
    shielded = ["a", "b", "c", "d"][: draw(st.sampled_from(columns))]
    names = draw(st.permutations([*shielded, "other", "s"]))
    domains = {name: draw(st.sampled_from([1, 2, 3, 3, 4, 5])) for name in names}
    column = {name: st.sampled_from([*VALUES[:size], VALUES[0], None]) for name, size in domains.items()}
    fewest = draw(st.sampled_from([1, 5, 9]))
    rows = draw(st.lists(st.tuples(*(column[name] for name in names)), min_size=fewest, max_size=max_rows))
    weights = draw(
        st.one_of(
            st.just([1] * len(rows)), st.lists(st.sampled_from([1, 2, 3, 0]), min_size=len(rows), max_size=len(rows))
        )
    )
    present = [i for i, weight in enumerate(weights) if weight]
    of_column = {
        name: draw(ladders(VALUES[: domains[name]], most_levels)) for name in shielded if draw(st.integers(0, 9))
    }
    if draw(st.booleans()):
        of_column["other"] = draw(ladders(VALUES[: domains["other"]]))
    requirement = st.builds(
        Requirement,
        st.lists(st.sampled_from(shielded), min_size=1, unique=True).map(tuple),
        st.sampled_from([1, 2, 2, 3, 3, 4, 5]),
    )
    drawn = draw(st.lists(st.sampled_from([0, 1, 2, 3]), min_size=len(names), max_size=len(names))) if weighted else []
    case = Case(
        tuple(names),
        [rows[i] for i in present],
        [weights[i] for i in present],
        of_column,
        tuple(draw(st.lists(requirement, min_size=1, max_size=max_requirements))),
        draw(st.sampled_from(limits)),
        tuple(draw(st.lists(rules, min_size=1, max_size=2))) if rules is not None else (),
    )
    laddered = [weight for name, weight in zip(names, drawn, strict=False) if name in case.laddered]
    return replace(case, matter=tuple(zip(names, drawn, strict=True))) if any(laddered) else case
