"""A role for every column of a file: the drafts for single columns, held against one another.

First come columns that one answer covers: of the same values, such as a list of medicines, or numbered under one name.
Then come the suggestions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from anonlib.basics.words import count
from anonlib.columns.identifiers import KINDS, hipaa_class, kinds_of_survey
from anonlib.columns.roles.columns import (
    ONE_MORE,
    ONLY_YOU,
    Column,
    Draft,
    as_cells,
    copies,
    distinct,
    look,
    numbers_as_dates,
    stray,
)
from anonlib.columns.roles.known_outside import asked_of, but
from anonlib.columns.roles.role import Role
from anonlib.columns.roles.rules import draft, in_runs
from anonlib.reading.labelled import few_values
from anonlib.reading.records import FrameRecords, Records
from anonlib.reading.sources import Described
from anonlib.values.ids import written_alike

_SEVERAL = 2  # named columns that have the words of one that is not
_PART = re.compile(r"\d+")


def blocks_of(drafts: Sequence[Draft], questions: Sequence[str], columns: Sequence[Column]) -> list[int]:
    """Of each column that is asked about, the first column of its block; its own position where it is in none.

    Columns are in one block where the same is suggested and asked of them and they have the same name but for numbers;
    or one has all words of the other; or they follow one another with the same few values. Drafts, what is asked (""
    where nothing is), columns and the positions returned are one a column, in one order.
    """
    pairs: list[tuple[int, int]] = []
    by_question: dict[tuple[Role, str], list[int]] = {}
    for i, (drafted, question) in enumerate(zip(drafts, questions, strict=True)):
        if question:
            by_question.setdefault((drafted.role, question), []).append(i)
    for alike in by_question.values():
        pairs += _by_name(alike, columns) + _by_words(alike, columns) + _in_a_row(alike, columns)
    first = list(range(len(drafts)))
    if not pairs:
        return first
    from_, to = np.array(pairs).T
    n = len(drafts)
    _, label = connected_components(coo_array((np.ones(len(pairs)), (from_, to)), shape=(n, n)), directed=False)
    _, begins = np.unique(label, return_index=True)
    return begins[label].tolist()


def like_named_ones(drafts: Sequence[Draft], columns: Sequence[Column]) -> dict[int, int]:
    """By column of which nothing tells what it is, another with all of its words whose name tells that it is sensitive.

    Several named ones have these words: one could be alike by chance.
    """
    named = [
        (columns[i].few, i)
        for i, draft in enumerate(drafts)
        if draft.role is Role.SENSITIVE and columns[i].named is not None and _has_words(columns[i])
    ]
    first_like = {}
    for i, drafted in enumerate(drafts):
        if drafted.role is Role.OTHER and _has_words(columns[i]) and columns[i].named is None:
            like = [j for words, j in named if columns[i].few <= words]
            if len(like) >= _SEVERAL:
                first_like[i] = like[0]
    return first_like


def _by_name(alike: list[int], columns: Sequence[Column]) -> list[tuple[int, int]]:
    """Columns of the same name but for numbers in it."""
    first: dict[str, int] = {}
    pairs = []
    for i in alike:
        name = columns[i].spread.column
        if _PART.search(name):
            stem = _PART.sub("#", name.casefold())
            pairs.append((first.setdefault(stem, i), i))
    return pairs


def _by_words(alike: list[int], columns: Sequence[Column]) -> list[tuple[int, int]]:
    """Columns one of which has all words of the other."""
    largest: list[int] = []
    pairs = []
    for i in sorted((i for i in alike if _has_words(columns[i])), key=lambda i: -len(columns[i].few)):
        other = next((j for j in largest if columns[i].few <= columns[j].few), None)
        if other is None:
            largest.append(i)
        else:
            pairs.append((other, i))
    return pairs


def _in_a_row(alike: list[int], columns: Sequence[Column]) -> list[tuple[int, int]]:
    """Columns that follow one another with the same few values."""
    return [(i, j) for i, j in pairwise(alike) if j == i + 1 and columns[i].few and columns[i].few == columns[j].few]


def _has_words(column: Column) -> bool:
    """Whether its few values are words, and not only those of an answer such as yes."""
    return bool(column.few) and column.evidence.numbers is None and not column.evidence.yes_no


MAX_DEMOGRAPHICS = 8
"""Demographic columns suggested as quasi-identifiers unasked, at most; postcodes, places and dates come on top."""

_NUMBERS_OF_PERSONS = ("ssn", "health_plan", "mrn")
_RANK = {key: rank for rank, key in enumerate(KINDS)}


@dataclass(frozen=True)
class Suggestion:
    """A role suggested for one column, with the reasons.

    Attributes
    ----------
    column : str
        The column's name, as in the frame.
    role : Role
        The role suggested; nothing is set by it.
    reasons : tuple[str, ...]
        One to four sentences, the weightiest first. They give counts, never a cell's value.
    asked : str
        ``""`` where the suggestion is safe to accept as it stands; else one sentence, why the officer must decide.
    hipaa_in_doubt : str, optional
        The same of numbers that may be dates by their range, where nothing else says so.
    hipaa_class : str | None
        Class of 45 CFR 164.514(b)(2)(i), such as ``(A) names``, or None.
    distinct : int
        Number of distinct non-missing values.
    missing : int
        Number of records without a value.
    distinction : float
        Distinct values / records, 0 to 1, "missing" being a value of its own.
    separation : float
        Share of record pairs that differ in the column, 0 to 1 (0 for fewer than two records).
    block : str, default ""
        The first of the columns that one answer covers (:mod:`anonlib.columns.roles.suggestions`).
    is_open : bool, default False
        Whether the role other is all that is left, since nothing tells what the column is: that is no suggestion to
        accept, and only an answer to the question about this column gives it a role.
    kind : str, default ""
        The key of what it holds, by its name, what a dictionary says of it, or its values
        (:data:`anonlib.columns.identifiers.KINDS`); "" where nothing tells.
    """

    column: str
    role: Role
    reasons: tuple[str, ...]
    asked: str
    hipaa_class: str | None
    distinct: int
    missing: int
    distinction: float
    separation: float
    hipaa_in_doubt: str | None = None
    block: str = ""
    is_open: bool = False
    kind: str = ""

    @property
    def why(self) -> tuple[str, ...]:
        """What speaks for the role, then what speaks against it, and why the officer is asked, in sentences."""
        if not self.asked:
            return self.reasons
        first, *others = self.reasons or ("",)
        if self.role is Role.SENSITIVE:  # who knows such a fact speaks for another role
            return (first, but(self.asked), *others)
        if self.role is Role.OTHER and not self.is_open:  # its own reason tells what it is
            return (first, self.asked, *others)
        return (self.asked, *others)


def suggest_roles(
    records: Records | pd.DataFrame, described: Mapping[str, Described] | None = None
) -> tuple[Suggestion, ...]:
    """A role for every column, from its name, what is known of it, and its content; nothing is set.

    At most one column is suggested as person id and at most one as weight, and never both. The order of the
    columns does not matter, except for which of two equal candidates is the person id or the weight (the first), nor
    does that of the rows, except for households whose rows follow one another.

    Parameters
    ----------
    records : Records | pd.DataFrame
        Records in memory or in an engine, or a frame with one row a record. The suggestions are the same for the same
        records; in an engine a column of more than a million different values is estimated, and says so.
    described : Mapping[str, Described], optional
        By column, what a file or a dictionary says of it.

    Returns
    -------
    tuple of Suggestion
        In column order.
    """
    known = described or {}
    held = records if isinstance(records, Records) else _in_memory(records)
    coded = kinds_of_survey(held.columns)
    columns = [look(name, held.profile(name), known.get(name), coded.get(name)) for name in held.columns]
    first = [_of_one_person(draft(column), column, held) for column in columns]
    first = _one_person_id(_numbered_persons(first, columns, held), columns)
    drafts = _limit_demographics(_one_weight(first), columns)
    drafts = [in_runs(drafted, column, held) for drafted, column in zip(drafts, columns, strict=True)]
    drafts = _like_named_ones(numbers_as_dates(drafts, columns), columns)
    drafts = _point_out_copies(drafts, columns, held)
    questions = [
        _question(drafted) if column.tells_apart else "" for drafted, column in zip(drafts, columns, strict=True)
    ]
    firsts = blocks_of(drafts, questions, columns)
    return tuple(
        _suggestion(drafted, column, held.columns[first])
        for drafted, column, first in zip(drafts, columns, firsts, strict=True)
    )


def _in_memory(frame: pd.DataFrame) -> FrameRecords:
    return FrameRecords(pd.DataFrame({str(name): as_cells(frame[name]) for name in frame.columns}))


def _suggestion(drafted: Draft, column: Column, block: str) -> Suggestion:
    spread = column.spread
    return Suggestion(
        column=spread.column,
        role=drafted.role,
        reasons=drafted.reasons,
        asked=_question(drafted) if column.tells_apart else "",
        hipaa_class=hipaa_class(drafted.kind.hipaa) if drafted.kind else None,
        distinct=spread.distinct,
        missing=spread.missing,
        distinction=spread.distinction,
        separation=spread.separation,
        hipaa_in_doubt=hipaa_class(drafted.in_doubt.hipaa) if drafted.in_doubt else None,
        block=block,
        is_open=drafted.role is Role.OTHER and column.tells_apart and not drafted.has_own_reason,
        kind=_kind(drafted, column),
    )


def _kind(drafted: Draft, column: Column) -> str:
    if column.ages is not None:
        return "age"
    kind = drafted.kind or column.named or column.evidence.kind
    return "" if kind is None else kind.key


def _question(drafted: Draft) -> str:
    """What is asked of a column that tells records apart: no rule can know that nobody outside could know it."""
    return drafted.asked or (ONLY_YOU if drafted.role is Role.OTHER else "")


def _of_one_person(drafted: Draft, column: Column, records: Records) -> Draft:
    """A number of persons that is all different says whose row it is all the same where spellings of it are not."""
    is_number = drafted.kind is not None and drafted.kind.group == "person"
    if drafted.role is not Role.IDENTIFIER or not is_number or column.constant:
        return drafted
    alike = written_alike(few_values(records, column.spread.column))
    if not alike:
        return drafted
    why = f"{sum(map(len, alike)):,} of its ids are {count(len(alike), 'numbers')} written in several ways."
    return replace(drafted, role=Role.PERSON_ID, reasons=(drafted.reasons[0], why, *drafted.reasons[1:]))


def _numbered_persons(drafts: list[Draft], columns: list[Column], records: Records) -> list[Draft]:
    """Where no column is a person id, the first social security or health plan number that repeats is one."""
    if any(drafted.role is Role.PERSON_ID for drafted in drafts):
        return drafts
    for i, (drafted, column) in enumerate(zip(drafts, columns, strict=True)):
        is_number = drafted.kind is not None and drafted.kind.key in _NUMBERS_OF_PERSONS
        if drafted.role is not Role.IDENTIFIER or not is_number or column.constant:
            continue
        if column.distinct < column.present:
            why = f"Each occurs in {column.present / column.distinct:,.3g} records on average."
        elif written_alike(few_values(records, column.spread.column)):
            why = "Some are one number written in several ways."
        else:
            continue
        reasons = (drafted.reasons[0], why, *drafted.reasons[1:])
        return [*drafts[:i], replace(drafted, role=Role.PERSON_ID, reasons=reasons), *drafts[i + 1 :]]
    return drafts


def _one_person_id(drafts: list[Draft], columns: list[Column]) -> list[Draft]:
    """Medical record numbers before others, then what has fewest gaps and fewest ids: the rest are identifiers.

    Where a case and a patient have numbers, a patient has several cases.
    """
    ranks = {
        i: (_RANK[d.kind.key], columns[i].spread.missing, columns[i].distinct, i)
        for i, d in enumerate(drafts)
        if d.role is Role.PERSON_ID and d.kind is not None
    }
    chosen = min(ranks, key=lambda i: ranks[i], default=None)
    why = "Another column already tells which rows belong to one person."
    return [
        replace(d, role=Role.IDENTIFIER, reasons=(why, *d.reasons)) if i in ranks and i != chosen else d
        for i, d in enumerate(drafts)
    ]


def _one_weight(drafts: list[Draft]) -> list[Draft]:
    """A row that names a person stands for that person alone, so that a file with identifiers has no weight."""
    weights = [i for i, d in enumerate(drafts) if d.role is Role.WEIGHT]
    if any(d.role in (Role.IDENTIFIER, Role.PERSON_ID) for d in drafts):
        late, why = weights, "The file has identifiers, so that each row belongs to one person."
    else:
        late, why = weights[1:], "Another column already says how many persons a row stands for."
    return [replace(d, role=Role.OTHER, reasons=(why, d.reasons[0])) if i in late else d for i, d in enumerate(drafts)]


def _limit_demographics(drafts: list[Draft], columns: list[Column]) -> list[Draft]:
    """Ask of all demographic columns but those that come first; a second one of a kind comes after all first ones."""
    kinds = {
        i: d.kind.key
        for i, d in enumerate(drafts)
        if d.role is Role.QUASI_IDENTIFIER and d.kind is not None and d.kind.group == "demographic"
    }
    ranks: dict[int, tuple[bool, int]] = {}
    taken: set[str] = set()
    for i in sorted(kinds, key=lambda i: (-columns[i].spread.separation, columns[i].spread.column)):
        ranks[i] = (kinds[i] in taken, _RANK[kinds[i]])
        taken.add(kinds[i])
    late = sorted(ranks, key=lambda i: ranks[i])[MAX_DEMOGRAPHICS:]
    why = f"It is asked about, as it is not among the first {MAX_DEMOGRAPHICS} demographic columns."
    return [replace(d, reasons=(*d.reasons, why), asked=ONE_MORE) if i in late else d for i, d in enumerate(drafts)]


def _point_out_copies(drafts: list[Draft], columns: list[Column], records: Records) -> list[Draft]:
    """A column that says nothing itself, or is one too many, and is a quasi-identifier in other words gets its role."""
    by_spread: dict[tuple[int, int, float], list[int]] = {}  # copies have the same spread: few columns need be compared
    for i in sorted(range(len(drafts)), key=lambda i: columns[i].spread.column):
        if _is_known(drafts[i]) and 1 < columns[i].distinct < columns[i].present:  # all different tell anything
            by_spread.setdefault(_spread(columns[i]), []).append(i)
    names, pointed_out = [column.spread.column for column in columns], list(drafts)
    for i, d in enumerate(drafts):
        alike = by_spread.get(_spread(columns[i]), []) if _may_copy(d) else []
        copied = next((j for j in alike if records.tell_the_same(names[i], names[j])), None)
        if copied is not None:
            name = columns[copied].spread.column
            why = f"Tells “{name}” of every record: give it the same role."
            neutral = {distinct(columns[i]), *stray(columns[i])}  # the others spoke for the role that it had
            others = d.reasons[:-1] if d.asked == ONE_MORE else [reason for reason in d.reasons if reason in neutral]
            pointed_out[i] = replace(d, role=drafts[copied].role, reasons=(why, *others), asked=copies(name))
    return pointed_out


def _like_named_ones(drafts: list[Draft], columns: list[Column]) -> list[Draft]:
    """A column of which nothing tells what it is gets the role of named ones that have all of its words."""
    like = like_named_ones(drafts, columns)
    new_drafts = list(drafts)
    for i, j in like.items():
        kind = columns[j].named
        assert kind is not None
        why = f"Its values are those of several columns that are {kind.label} by their names."
        new_drafts[i] = Draft(Role.SENSITIVE, None, (why, *drafts[i].reasons), asked_of(kind))
    return new_drafts


def _is_known(drafted: Draft) -> bool:
    """Whether a column is suggested as known outside by what it is itself, and not as one more of many."""
    return drafted.role in (Role.QUASI_IDENTIFIER, Role.PLACE) and drafted.asked != ONE_MORE


def _may_copy(drafted: Draft) -> bool:
    return drafted.role is Role.OTHER or drafted.asked == ONE_MORE


def _spread(column: Column) -> tuple[int, int, float]:
    return column.distinct, column.spread.missing, column.spread.separation
