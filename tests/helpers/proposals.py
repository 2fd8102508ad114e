"""Questions to an adviser, and what is taken of its proposals held against the bytes that leave."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pandas as pd
import pytest
from hypothesis import note, reject
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.release.export import released_csv
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import (
    AverageRisk,
    Case,
    Closeness,
    ColumnsStay,
    Combinations,
    Criterion,
    Diversity,
    HighestRisk,
    Inference,
    Leakage,
    RareValues,
    RecordsKept,
    SmallestClass,
    UniquenessOfRelease,
)
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from tests.helpers.adviser import SAME
from tests.helpers.small_release import QI, SENSITIVE, column, rows_of
from tests.helpers.verdicts import records
from tests.reference.generalization import hierarchy_of, ladders

GONE = "(left out)"
KNOWS = st.sampled_from(["quasi_identifiers", "other_sensitive"])
SHARES = st.sampled_from([0.0, 0.1, 0.25, 0.34])
SEARCHED = st.one_of(
    st.builds(SmallestClass, st.integers(1, 4)),
    st.builds(HighestRisk, st.sampled_from([0.25, 1 / 3, 0.34, 0.5, 1.0])),
    st.builds(AverageRisk, st.sampled_from([0.25, 0.5, 0.6])),
    st.builds(Combinations, st.integers(1, 3), st.integers(2, 3), SHARES),
    st.builds(
        Inference, st.integers(0, 2), st.sampled_from([0.0, 0.0, 0.3]), SHARES, KNOWS, st.sampled_from(["", "", "s"])
    ),
    st.builds(UniquenessOfRelease, st.integers(1, 2), SHARES, st.integers(2, 3), st.sampled_from([0.25, 0.5])),
    st.builds(RareValues, st.integers(1, 3), st.sampled_from(["", "a"])),
    st.builds(Diversity, st.sampled_from([1, 1.5, 2]), st.sampled_from(["distinct", "entropy"])),
    st.builds(Closeness, st.sampled_from([0.3, 0.5, 0.8]), st.sampled_from(["equal", "ordered"])),
    st.builds(Leakage, st.integers(1, 2), st.just(1.0), st.sampled_from([0.5, 0.8])),
)  # fmt: skip


@st.composite
def questions(draw: st.DrawFn) -> Asked:
    """A few records with gaps, of persons, weighted or neither, and what is asked of an adviser."""
    criteria = draw(st.lists(SEARCHED, min_size=1, max_size=3))
    if draw(st.booleans()):
        criteria.append(RecordsKept(draw(st.sampled_from([0.5, 0.8, 1.0]))))
    if not draw(st.integers(0, 3)):
        criteria.append(ColumnsStay(("c",)))
    return Asked(
        draw(records(3, 10, weights=("1", "1", "2", "3"), numbered=True)),
        tuple(criteria),
        {name: hierarchy_of(draw(ladders(slow.VALUES, 2))) for name in slow.KNOWN}
        | {name: hierarchy_of(draw(ladders(slow.VALUES, 2))) for name in slow.SENSITIVE},
        draw(st.sampled_from([{}, {}, {"s": ("g0",)}])),
        draw(st.sampled_from([(), (), ("b",)])),
        draw(st.sampled_from([{}, {"a": 3.0}, {"s": 0.0, "b": 2.0}])),
        draw(st.sampled_from([(), ("t",), ("s", "t")])),
        coarsenable=draw(st.sampled_from([(), None, ("s",)])),
        unknowable=("number",),
    )


@st.composite
def advisers(draw: st.DrawFn) -> Adviser:
    """A question of these that can be searched."""
    asked = draw(questions())
    note(f"asked: {asked}")
    try:
        return Adviser(asked)
    except InputError:
        reject()


def check_taken(adviser: Adviser, proposal: Proposal) -> None:
    """The release has the records and the loss that the search counted, and meets what was searched."""
    asked = adviser.asked
    recipe = proposal.taken(Recipe(), asked.data)
    applied = recipe.apply(asked.data)
    assert applied.why_not == ""
    released = applied.released
    assert proposal.n_records == adviser.data.classes([]).n_records
    assert proposal.left_out == proposal.n_records - released.classes([]).n_records
    several = adviser.data.has_several_rows
    assert (proposal.n_rows, proposal.rows_out) == (
        (adviser.data.n_records, adviser.data.n_records - released.n_records) if several else (0, 0)
    )
    if proposal.least_change.by_parts:
        least, most = (loss_of_labels(adviser, released, place) for place in (0, -1))
        assert least - SAME <= proposal.loss <= most + SAME
    elif not proposal.least_change.with_blanks and (asked.data.person_id is None or several):
        assert proposal.loss == pytest.approx(loss_of(adviser, proposal, released), abs=SAME)
    assert Recipe.from_json(recipe.to_json()) == recipe
    again = Recipe.from_json(recipe.to_json())
    assert rows_of(again.apply(asked.data).released) == rows_of(released)
    if not released.n_records:
        return
    case = Case(applied, recipe, harmless=asked.harmless, unknowable=asked.unknowable)
    findings = [criterion.check(case) for criterion, _ in adviser.searched if is_promised(criterion, proposal)]
    findings += [
        each.check(case) for each in asked.criteria if isinstance(each, ColumnsStay) or can_be_kept(each, asked.data)
    ]
    assert all(finding.is_met for finding in findings), [each.says for each in findings if not each.is_met]
    read = pd.read_csv(io.BytesIO(released_csv(released)), dtype=str, keep_default_na=False, skip_blank_lines=False)
    roles = {name: role for name, role in asked.data.roles.items() if name in read.columns}
    sent = Dataset.from_frame(read.replace("", None), roles=roles)
    promised = [criterion for criterion, _ in adviser.searched if is_promised(criterion, proposal)]
    for criterion, finding in zip(promised, findings, strict=False):
        of_file = criterion.check(
            Case(Recipe().apply(sent), Recipe(), harmless=as_released(case), unknowable=asked.unknowable)
        )
        sensitive = not (isinstance(criterion, Inference | Diversity | Closeness) and not sent.sensitive)
        # In which order labels stand that values were put together to is not in the file.
        in_order = isinstance(criterion, Closeness) and criterion.distance == "ordered"
        if (
            sent.quasi_identifiers
            and sensitive
            and not (in_order and {*asked.data.sensitive} & {*proposal.changes})
            and not (isinstance(criterion, Inference) and criterion.column not in sent.columns)
        ):
            assert (of_file.state, of_file.persons) == (finding.state, finding.persons)


def is_promised(criterion: Criterion, proposal: Proposal) -> bool:
    """Whether a proposal meets a criterion that was searched: alone by what leaves is mended as far as it goes."""
    mixed = proposal.least_change.by_parts or proposal.least_change.with_blanks
    return not (mixed and isinstance(criterion, UniquenessOfRelease))


def can_be_kept(criterion: Criterion, data: Dataset) -> bool:
    """Whether enough are kept where nobody but those without a known value is left out."""
    return isinstance(criterion, RecordsKept) and criterion.check(Case(Recipe().apply(data), Recipe())).is_met


def as_released(case: Case) -> dict[str, tuple[str, ...]]:
    return {name: case.harmless_now(name) for name in case.harmless if name not in case.recipe.dropped}


def loss_of(adviser: Adviser, proposal: Proposal, released: Dataset) -> float:
    """Cell by cell: what is left of a record's detail, and nothing of who is left out."""
    data = adviser.data
    names = [name for name in data.columns if data.roles.get(name) in (QI, SENSITIVE)]
    frame = data.records[names].astype(object)
    rows = frame.where(frame.notna(), None).to_dict("records")
    weights = [int(each) for each in column(data, "w")] if data.weight else [1] * len(rows)
    stay = set(column(released, "number"))
    left = [weight if number in stay else 0 for weight, number in zip(weights, column(data, "number"), strict=True)]
    of_column = {}
    for name in names:
        levels = proposal.levels.get(name, 0)
        values = {row[name] for row in rows}
        way = adviser.problem.hierarchies.get(name, Hierarchy())
        if name not in released.columns:
            way, levels = Hierarchy().with_top(), 1
        labels = [dict(zip(values, way.on(list(values)).label(level), strict=True)) for level in (0, levels)]
        of_column[name] = labels
    matter = dict(adviser.asked.weights)
    case = slow.Case(tuple(names), rows, weights, of_column, (), matter=matter)
    lost = float(case.loss(tuple(int(proposal.levels.get(name, 0) > 0) for name in names), left))
    # A column that gave way counts as lost also where it had one value, of which a level of it would lose nothing.
    gone = [
        name
        for name in names
        if name not in released.columns and name not in adviser.asked.droppable and len({row[name] for row in rows}) < 2
    ]
    share = sum(left) / max(1, sum(weights)) / max(1e-9, sum(matter.get(name, 1.0) for name in names))
    return lost + share * sum(matter.get(name, 1.0) for name in gone)


def labels_of_numbers(released: Dataset, names: Sequence[str]) -> dict[str | None, tuple[str | None, ...]]:
    """By the number of each record that leaves its labels; ``GONE`` in a column that does not leave."""
    n_records = len(column(released, "number"))
    labels = [column(released, name) if name in released.columns else [GONE] * n_records for name in names]
    return dict(zip(column(released, "number"), zip(*labels, strict=True), strict=True))


def loss_of_labels(adviser: Adviser, released: Dataset, place: int) -> float:
    """Of labels that differ from record to record, each on the first (place 0) or last (-1) level that has it."""
    data, weights = adviser.data, dict(adviser.asked.weights)
    names = [name for name in data.columns if data.roles.get(name) in (QI, SENSITIVE)]
    of_number = labels_of_numbers(released, names)
    persons = [int(each) for each in column(data, "w")] if data.weight else [1] * data.n_records
    lost = whole = 0.0
    for j, name in enumerate(names):
        values = column(data, name)
        way = adviser.problem.hierarchies.get(name, Hierarchy()).on(list(set(values)))
        levels = [dict(zip(set(values), way.label(level), strict=True)) for level in range(way.n_levels)]
        for value, number, weight in zip(values, column(data, "number"), persons, strict=True):
            share = 1.0
            if number in of_number and of_number[number][j] != GONE:
                level = [each for each in levels if each[value] == of_number[number][j]][place]
                together = sum(level[other] == level[value] for other in set(values))
                share = (together - 1) / max(1, len(set(values)) - 1)
            lost += weights.get(name, 1.0) * weight * share
            whole += weights.get(name, 1.0) * weight
    return lost / whole if whole else 0.0


def loss_of_cells(adviser: Adviser, proposal: Proposal, released: Dataset) -> float:
    """Of one level a column with blank cells: a cell that was emptied, and who is left out, loses everything."""
    data, weights = adviser.data, dict(adviser.asked.weights)
    names = [name for name in data.columns if data.roles.get(name) in (QI, SENSITIVE)]
    of_number = labels_of_numbers(released, names)
    persons = [int(each) for each in column(data, "w")] if data.weight else [1] * data.n_records
    lost = whole = 0.0
    for j, name in enumerate(names):
        values = column(data, name)
        if name not in released.columns:
            lost, whole = (each + weights.get(name, 1.0) * sum(persons) for each in (lost, whole))
            continue
        distinct = list(set(values))
        way = adviser.problem.hierarchies.get(name, Hierarchy())
        label = dict(zip(distinct, way.on(distinct).label(proposal.levels.get(name, 0)), strict=True))
        if data.roles[name] is SENSITIVE and name in proposal.changes:  # in bands as the file has them
            label |= {value: of_number[number][j] for value, number in zip(values, column(data, "number"), strict=True)
                      if number in of_number}  # fmt: skip
        for value, number, weight in zip(values, column(data, "number"), persons, strict=True):
            share = 1.0
            if number in of_number and of_number[number][j] == label[value]:
                share = max(0, sum(label[other] == label[value] for other in distinct) - 1) / max(1, len(distinct) - 1)
            lost += weights.get(name, 1.0) * weight * share
            whole += weights.get(name, 1.0) * weight
    return lost / whole if whole else 0.0
