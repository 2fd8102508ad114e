"""What leaves with several labels of a column side by side, counted again by who may have which label.

Sizes by labels are at most the number of candidates, values certain by labels at least those that are certain of the
candidates, shares are right for who reads off what each part can hold, and a sensitive label adds no value to another
that it overlaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search.cell_suppression import blank_cells
from anonlib.analyses.generalization.search.local_recoding import part_by_part
from anonlib.analyses.generalization.search.local_recoding.few_facts import FewFacts, SplitRows
from anonlib.analyses.generalization.search.local_recoding.few_facts_kernel import certain_by_regions
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity, LDiversity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import BlankCells, GeneralizeLocally
from tests.helpers.adviser import problem_of
from tests.helpers.examples import settings
from tests.helpers.parts import released
from tests.helpers.small_release import QI, SENSITIVE
from tests.reference.generalization import TOP, hierarchy_of

KNOWN = ("a", "b", "c")
VALUES = ("g0", "g1", "g2", "g3")
PLAIN = {**{value: value for value in VALUES}, None: None}
LADDER = [
    PLAIN,
    {"g0": "low", "g1": "low", "g2": "high", "g3": "high", None: None},
    dict.fromkeys([*VALUES, None], TOP),
]


# --- files that leave by a step ---------------------------------------------------------------------------------------

CELLS = st.sampled_from([*VALUES, None])
RECORDS = st.lists(st.tuples(CELLS, CELLS, CELLS, st.sampled_from(["u", "v", "w"])), min_size=4, max_size=16)


def may_be(value: str | None, label: str | None, blanks: bool) -> bool:
    """Whether a cell that is known can leave as a label: of a column with blanks an empty one can be anything."""
    if blanks:
        return label is None or label == value
    return any(level[value] == label for level in LADDER)


@pytest.mark.parametrize("blanks", [False, True], ids=["part by part", "blank cells"])
@settings(max_examples=40)
@given(records=RECORDS, k=st.integers(2, 3), known=st.sampled_from([None, 1, 2]), limit=st.sampled_from([0, 0.3]))
def test_labels_count_no_more_persons_and_no_less_certainty_than_candidates_do(blanks, records, k, known, limit):
    names = [*KNOWN, "s"]
    asked = (KAnonymity(columns=KNOWN, least=k), AttributeDisclosure(columns=KNOWN, sensitive="s", known=known))
    ladders = tuple((name, hierarchy_of(LADDER)) for name in KNOWN)
    step = BlankCells(KNOWN, asked, left_out_limit=limit) if blanks else GeneralizeLocally(ladders, asked, limit)
    frame = pd.DataFrame(records, columns=names, dtype=object)
    before = Dataset.from_frame(frame, roles={**dict.fromkeys(KNOWN, QI), "s": SENSITIVE})
    try:
        after = step.apply(before)
    except InputError:
        return  # too many would be left out
    originals = [records[i] for i in before.rows_of(after).tolist()]
    labels = list(zip(*(after.records[name].astype(object).tolist() for name in names), strict=True))
    labels = [tuple(None if pd.isna(label) else label for label in row) for row in labels]
    assert [row[3] for row in labels] == [row[3] for row in originals], "sensitive cells stay"
    for facts in (facts for size in range(4) for facts in combinations(range(3), size)):
        sizes = after.classes([KNOWN[j] for j in facts]) if facts else None
        for i, own in enumerate(originals):
            alike = {j for j, row in enumerate(labels) if all(row[f] == labels[i][f] for f in facts)}
            candidates = {j for j, row in enumerate(labels) if all(may_be(own[f], row[f], blanks) for f in facts)}
            assert i in alike <= candidates
            if sizes is not None:
                assert sizes.counts[sizes.class_of_record[i]] == len(alike)
            values = {labels[j][3] for j in candidates}
            assert len(values) > 1 or len({labels[j][3] for j in alike}) == 1
            if len(facts) == 3:
                assert len(candidates) >= k
            if len(facts) <= (3 if known is None else known):
                assert len(values) > 1, "certain of all candidates"
    released_rows = Recipe.of([step]).apply(before).released.records.astype(object)
    assert sorted(map(repr, released_rows[names].where(released_rows[names].notna(), None).values.tolist())) == sorted(
        repr(list(row)) for row in labels
    )


# --- shares, for who reads off what each part can hold ----------------------------------------------------------------


def with_parts(problem) -> tuple:
    """The answer, and all parts that were looked at for few facts, as they stood at last."""
    seen: list[tuple[FewFacts, SplitRows]] = []
    split_on = FewFacts.split_on

    def look(self, found, *others):
        levels = split_on(self, found, *others)
        seen.append((self, found))
        return levels

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FewFacts, "split_on", look)
        return part_by_part(problem, rounds=1), seen


def regions_of(found: SplitRows) -> list[tuple[list[int], list[set[int]]]]:
    """Of each part its rows, and by column the values that it can hold."""
    parts = []
    for begin, end in zip(*found.runs, strict=True):
        held = {64 * word + bit for word, bits in enumerate(found.split.regions[begin].tolist())
                for bit in range(64) if bits >> bit & 1}  # fmt: skip
        columns = zip(found.table.bit.tolist(), found.table.n.tolist(), strict=True)
        parts.append(
            (found.order[begin:end].tolist(), [{v for v in range(n) if bit + v in held} for bit, n in columns])
        )
    return parts


def certain_of(problem, parts, guarantee: AttributeDisclosure) -> set[int]:
    """Rows of which somebody who knows so many facts is sure, the other sensitive column among the facts."""
    codes = {name: column.tolist() for name, column in zip(problem.columns, problem.rows.columns, strict=True)}
    codes |= {name: column.tolist() for name, column in problem.rows.others.items()}
    place = {name: j for j, name in enumerate(problem.columns)}
    return {
        row for row in (row for members, _ in parts for row in members)
        if any(
            len({
                codes[guarantee.sensitive][other]
                for members, can_hold in parts
                if all(codes[name][row] in can_hold[place[name]] for name in facts if name in place)
                for other in members
                if all(codes[name][other] == codes[name][row] for name in facts if name not in place)
            }) == 1
            for size in range(guarantee.known + 1)
            for facts in combinations(guarantee.columns, size)
        )
    }  # fmt: skip


TWO = st.lists(st.tuples(*[st.integers(0, 3)] * 3, st.integers(0, 2), st.integers(0, 2)), min_size=6, max_size=24)


def of_two(known: int, share: float) -> list[AttributeDisclosure]:
    """Two sensitive columns, each among what may be known of the other."""
    return [
        AttributeDisclosure(columns=(*KNOWN, other), sensitive=name, known=known, share=share)
        for name, other in (("s", "t"), ("t", "s"))
    ]


def two_sensitive(rows, asked: Sequence[AttributeDisclosure], most: int):
    names = (*KNOWN, "s", "t")
    named = [dict(zip(names, (f"g{value}" for value in row), strict=True)) for row in rows]
    guarantees = (KAnonymity(columns=KNOWN, least=2), *asked)
    return problem_of(slow.Case(names, named, [1] * len(rows), dict.fromkeys(KNOWN, LADDER), guarantees, most))


@settings(max_examples=120)
@given(
    TWO,
    st.integers(1, 2),
    st.sampled_from([0.0, 0.1, 0.3]),
    st.sampled_from([0, 3]),
)
def test_no_more_than_the_share_is_certain_for_who_reads_off_the_parts(rows, known, share, most):
    asked = of_two(known, share)
    problem = two_sensitive(rows, asked, most)
    answer, seen = with_parts(problem)
    if answer is None:
        return
    kept = np.flatnonzero(answer.kept)
    released_parts = [
        parts for _, found in seen
        if sorted(found.order.tolist()) == kept.tolist()
        and (found.split.levels[kept] == answer.cell_levels[kept]).all() and (parts := regions_of(found))
    ]  # fmt: skip
    assert released_parts or not len(kept) or not seen
    for parts in released_parts[:1]:
        n = int(problem.counts[kept].sum())
        for guarantee in asked:
            assert sum(problem.counts[row] for row in certain_of(problem, parts, guarantee)) <= share * n
        where = {row: sum(all(problem.rows.columns[j][row] in can_hold[j] for j in range(3)) for _, can_hold in parts)
                 for row in kept.tolist()}  # fmt: skip
        assert set(where.values()) == {1}, "all three tell the part: what one can hold was parted off the others"


@settings(max_examples=120)
@given(TWO, st.integers(1, 2), st.randoms(use_true_random=False))
def test_who_is_certain_by_the_values_that_parts_can_hold(rows, known, random):
    """Of parts that can hold fewer values than they do, but always their own, as no search would leave them."""
    asked = of_two(known, 0.0)
    problem = two_sensitive(rows, asked, 0)
    _, seen = with_parts(problem)
    for few, found in seen:
        for begin, (members, can_hold) in zip(found.runs[0], regions_of(found), strict=True):
            found.split.regions[begin] = 0
            for column, values in enumerate(can_hold):
                own = {int(problem.rows.columns[column][row]) for row in members}
                for value in (value for value in values if value in own or random.random() < 0.2):
                    bit = int(found.table.bit[column]) + value
                    found.split.regions[begin, bit // 64] |= np.uint64(1) << np.uint64(bit % 64)
        certain = certain_by_regions(found.table, few._facts(found), few._read(found))
        parts = regions_of(found)
        assert set(np.flatnonzero(certain).tolist()) == set().union(*(certain_of(problem, parts, g) for g in asked))


# --- sensitive labels -------------------------------------------------------------------------------------------------


def fewest_values(labels: Sequence[str | None], ladder: Sequence[dict]) -> int:
    """The fewest values that records of these labels can have: one alone for labels that all overlap in it."""
    sets = [{value for level in ladder for value, text in level.items() if text == label} for label in set(labels)]
    values = [*VALUES, None]
    return next(
        size for size in range(len(values) + 1)
        for chosen in combinations(values, size) if all(each & set(chosen) for each in sets)
    )  # fmt: skip


def classes_known(rows: Sequence[slow.Row], guarantee) -> Iterator[list[slow.Row]]:
    """The rows that share labels, of everything that may be known."""
    known = guarantee.known if isinstance(guarantee, AttributeDisclosure) else None
    for columns in slow.sets_known(guarantee.columns, known) if known is not None else [guarantee.columns]:
        for key in {tuple(row[name] for name in columns) for row in rows}:
            yield [row for row in rows if tuple(row[name] for name in columns) == key]


SENSITIVE_ASKED = slow.not_certain(slow.EVERYBODY, (0.0,)) | slow.diverse(("distinct",))


@pytest.mark.parametrize("blanks", [False, True], ids=["part by part", "blank cells"])
@settings(max_examples=200)
@given(case=slow.cases(SENSITIVE_ASKED, most_rows=12), data=st.data())
def test_a_sensitive_label_adds_no_value_to_one_that_it_overlaps(blanks, case, data):
    problem = problem_of(case)
    if blanks:
        state = tuple(data.draw(st.integers(0, level)) for level in problem.highest)
        answer = blank_cells(problem, state)
        if answer is None:
            return
        rows = with_blanks_of(case, answer)
    else:
        answer = part_by_part(problem, rounds=1)
        if answer is None:
            return
        rows, _ = released(case, answer)
    for guarantee in case.guarantees:
        name = guarantee.sensitive
        ladder = case.ladders.get(name, [PLAIN])
        if {row[name] for row in rows} <= {TOP}:
            continue  # nothing is said of it
        harmless = set(getattr(guarantee, "harmless", ())) | {None}
        for peers in classes_known(rows, guarantee):
            labels = [row[name] for row in peers]
            if isinstance(guarantee, LDiversity):
                assert fewest_values(labels, ladder) >= guarantee.l
            elif not set(labels) <= harmless:
                assert fewest_values(labels, ladder) > 1


def with_blanks_of(case: slow.Case, answer) -> list[slow.Row]:
    """The rows that leave, with empty cells where they are blank."""
    at = dict(zip(problem_of(case).columns, answer.levels, strict=True))
    rows = []
    for row, place in zip(case.rows, case.classes.class_of_record.tolist(), strict=True):
        if answer.cells.kept[place]:
            blank = dict(zip(answer.cells.columns, answer.cells.blank[place].tolist(), strict=True))
            sensitive = {guarantee.sensitive for guarantee in case.guarantees}
            assert not sensitive & {name for name, is_blank in blank.items() if is_blank}, "a blank adds no value"
            rows.append({
                name: None if blank.get(name) else case.ladders[name][at[name]][value] if name in at else value
                for name, value in row.items()
            })  # fmt: skip
    return rows
