"""What there is to tell of one individual, computed: the smallest sets that give them away, and what would protect."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anonlib.analyses.individuals import Individual, Remedy, remedies
from anonlib.basics.progress import Progress, share_of
from anonlib.dataset import Dataset
from pages.measure.individuals import results
from pages.measure.individuals.question import Question
from ui.kit.persons import differing
from ui.session import cache, long_work

MOST_COLUMNS = 16
AT_ONCE = 1.5  # seconds; what takes longer waits for a button


@dataclass(frozen=True)
class Given:
    """One column of the individual: its value, the measure's least value, and the sets that make it certain."""

    column: str
    value: str | None
    least: float
    sets: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Account:
    """Of one individual: each column, and of the sensitive one how many are alike and what would protect it.

    Attributes
    ----------
    columns : those that are inferred.
    n_columns : those that were looked at.
    lacks : the sensitive value is missing.
    covers_all : the label of the sensitive value is one that covers every value.
    sets : the smallest sets that make the sensitive value certain.
    alike, same : individuals like this one when everything else is known, and among them those with its value.
    differing : columns in which the person's rows differ, so that they count with a set of values.
    n_rows : the person's rows; None where they stay in a database.
    fixes : single changes that would protect the sensitive column.
    """

    columns: tuple[Given, ...]
    n_columns: int
    lacks: bool
    covers_all: bool
    sets: tuple[tuple[str, ...], ...]
    alike: int
    same: int
    differing: tuple[str, ...]
    n_rows: int | None
    fixes: tuple[Remedy, ...]


def account(data: Dataset, question: Question, sensitive: str, record: int) -> Account | None:
    """The account of a row of the file (counted from 0); None where it is left out, or longer work is not done yet.

    Where the rows stay in a database, ``record`` is a class of the variables looked at.
    """
    asked: dict[str, Any] = {"question": question, "sensitive": sensitive, "record": record}
    seconds = estimated_seconds(data, question)
    if seconds <= AT_ONCE:
        return _account(data, **asked)
    stage: long_work.Stage[Account] = (
        f"Looking at {noun(data)} {record + 1:,} among all others",
        lambda progress: _account.compute(data, **asked, progress=progress),
    )
    return long_work.best_so_far(f"account {data.key} {asked}", [stage], seconds)


def noun(data: Dataset) -> str:
    """What an individual is found by: its record, or its class where the rows stay in a database."""
    return "class" if data.frame is None else "record"


def estimated_seconds(data: Dataset, question: Question) -> float:
    """About how long an account takes on one core."""
    classes = results.classes_of(data, question)
    values = sum(len(values) for values in classes.categories)
    slow = 3 if question.measure == "poac" else 1
    return classes.n_classes * len(classes.attributes) * slow * 1e-7 + values * 1.5e-6


def left_out(data: Dataset, question: Question, record: int) -> bool:
    """Whether a row of the file takes no part: a value is missing, or its weight is 0."""
    classes = results.classes_of(data, question)
    return classes.class_of_record is not None and bool(classes.class_of_record[record] < 0)


@cache.remembered
def _account(
    data: Dataset, *, question: Question, sensitive: str, record: int, progress: Progress = long_work.let_go
) -> Account:
    individual = _individual(data, question, sensitive, record)
    classes, inferred = individual.classes, set(results.inferred(data, question))
    columns, sets = [], {}
    for j, name in enumerate(classes.attributes):
        progress(0.5 * j / len(classes.attributes))
        if name in inferred or name == sensitive:
            sets[name] = individual.smallest_breaching_sets(name, question.threshold)
        if name in inferred:
            value = classes.categories[j][classes.codes[individual.row, j]]
            columns.append(Given(name, value, individual.least(name), sets[name]))
    peers = individual.peers
    everything = len(peers) - 1
    fixes = remedies(individual, sensitive, question.threshold, progress=share_of(progress, 0.5, 1.0))
    return Account(
        columns=tuple(columns),
        n_columns=len(classes.attributes),
        lacks=individual.lacks(sensitive),
        covers_all=individual.has_nothing_to_infer(sensitive) and not individual.lacks(sensitive),
        sets=sets[sensitive],
        alike=int(peers[everything ^ 1 << classes.attributes.index(sensitive)]),
        same=int(peers[everything]),
        differing=differing(classes, individual.row),
        n_rows=_rows_of_person(data, record),
        fixes=fixes,
    )


def _rows_of_person(data: Dataset, record: int) -> int | None:
    if data.person_id is None:
        return 1
    if data.frame is None:
        return None
    persons = data.frame[data.person_id].cat.codes.to_numpy()
    return int(np.count_nonzero(persons == persons[record])) if persons[record] >= 0 else 1


def _individual(data: Dataset, question: Question, sensitive: str, record: int) -> Individual:
    """The individual in a row of the file, by at most 16 columns. Who knows all at once is taken with every set."""
    names = question.variables
    if len(names) > MOST_COLUMNS:
        first = [sensitive, *(name for name in data.quasi_identifiers if name in names and name != sensitive)]
        chosen = list(dict.fromkeys([*first, *names]))[:MOST_COLUMNS]
        names = tuple(name for name in names if name in chosen)
    within = tuple((name, distance) for name, distance in question.within if name in names)
    of_all = results.classes_of(data, question)
    question = replace(question, variables=names, within=within)
    classes = results.classes_of(data, question)
    attacker = results.attacker_of(classes, question, question.max_known or "any")
    if classes.class_of_record is not None:
        return Individual.of(classes, int(classes.class_of_record[record]), attacker)
    if names == of_all.attributes:
        return Individual.of(classes, record, attacker)
    same = [classes.column(name) == of_all.column(name)[record] for name in names]
    return Individual.of(classes, int(np.flatnonzero(np.logical_and.reduce(same))[0]), attacker)
