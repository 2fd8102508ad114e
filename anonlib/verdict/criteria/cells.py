"""Criteria on what the cells themselves say: identifiers, Safe Harbor's list, columns that k does not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonlib.basics import checks, words
from anonlib.columns.free_text import FreeText, are_of_another_script, is_text, texts_in
from anonlib.columns.identifiers import are_plain_numbers, points_to_someone
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity, PrivacyModel
from anonlib.dataset import Dataset
from anonlib.release.listed import SMALL_AREA, Standing, Unread, listed, people_by_value, standing
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import rows_at_fault, with_safe_harbor
from anonlib.release.unprotected import MOST_BELOW_K, NotCounted, not_counted, open_columns
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit, Mending
from anonlib.verdict.criteria.rows import USUAL, Rows, checked, known
from anonlib.verdict.criteria.sizes import searched

_PLURAL = {"age": "ages", "date": "dates", "state": "States"}
_CELLS = "Names and numbers within the cells of other columns are looked for by “No identifiers”."
MOST_VALUES = 100_000
"""Distinct short cells of a column in which identifiers are looked for, taken evenly: 3 s, or 10 s of words."""


@dataclass(frozen=True)
class NoIdentifiers(Criterion):
    """No column of identifiers is released, and no cell that looks like one; in texts, none with one inside.

    Attributes
    ----------
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    """

    source: str = ""
    kind: ClassVar[str] = "no_identifiers"
    word: ClassVar[str] = "no identifiers"
    page: ClassVar[str] = "Data"
    counted_in: ClassVar[str] = "(columns and cells)"
    by_column: ClassVar[bool] = True
    of_any_file: ClassVar[bool] = True
    mending: ClassVar[Mending] = Mending(
        "drop",
        "Drops the columns at fault. A column of texts can be redacted instead, on the Release page.",
        "There are identifiers in {columns}. May it be dropped?",
    )

    @property
    def title(self) -> str:
        return "No identifiers"

    @property
    def bound(self) -> str:
        return "none"

    def describe(self, unit: str = "persons") -> str:
        return (
            "No column of names, numbers or addresses of persons leaves, and no cell that looks like one or holds one."
        )

    def texts_searched(self, data: Dataset) -> tuple[str, ...]:
        return tuple(name for name in _names_looked_at(data) if _is_searched_as_text(data, data, name))

    def check(self, case: Case) -> Finding:
        after, before = _looked_at(case.released, case.original), _looked_at(case.original, case.original)
        at_fault = sorted((column for column in after if column.cells), key=lambda column: -column.cells)
        cells, named = sum(column.cells for column in at_fault), len(case.original.identifiers)
        original = sum(column.cells for column in before) + named
        unread = [column.column for column in after if column.other_script and column.inside is not None]
        if not cells and unread:
            return self.unknown(
                f"Names cannot be looked for in the texts of {words.listed(unread)}, most letters of which are none of "
                "Latin. Drop the column, or accept this with the reason why its texts name nobody.",
                unread,
            )
        if not cells:
            dropped = f"; {words.count(named, 'columns')} of identifiers {'is' if named == 1 else 'are'} dropped"
            says = (
                f"No released cell looks like an identifier{dropped if named else ''}."
                f"{_by_lists(after)}{_not_searched(after)}"
            )
            return self.found(True, says, now=0, original=original)
        worst = tuple((column.column, column.cells) for column in at_fault)
        columns = tuple(name for name, _ in worst)
        texts = [column.inside is not None for column in at_fault]
        do = "hold" if all(texts) else "look like or hold"
        do = do if cells > 1 else "holds" if all(texts) else "looks like or holds"
        least = "At least " if any(column.is_sample for column in at_fault) else ""
        says = f"{least}{words.count(cells, 'cells')} in {words.listed(columns)} {do} direct identifiers."
        return self.found(
            False, says + _inside(at_fault) + _not_searched(after), now=cells, original=original, persons=worst[0][1],
            n_persons=case.released.n_records, worst=worst, columns=columns,
        )  # fmt: skip


@dataclass(frozen=True)
class _Column:
    """A released column: how many of its cells point to someone, and what was looked at of it."""

    column: str
    cells: int
    inside: FreeText | None = None  # what its texts hold, if it is one of texts
    values: int = 0  # distinct values of short cells
    looked_at: int = 0  # of these
    why_not: str = ""  # why it was not searched
    other_script: bool = False  # whether most letters are none of Latin, in which alone names are looked for

    @property
    def is_sample(self) -> bool:
        """Whether only some of its texts or values were looked at."""
        return self.looked_at < self.values if self.inside is None else self.inside.looked_at < self.inside.texts


def _names_looked_at(dataset: Dataset) -> list[str]:
    apart = (Role.PERSON_ID, Role.WEIGHT, Role.IDENTIFIER)
    return [name for name in dataset.columns if dataset.roles.get(name) not in apart]


def _looked_at(dataset: Dataset, original: Dataset) -> list[_Column]:
    return [_column(dataset, original, name) for name in _names_looked_at(dataset)]


def _is_searched_as_text(dataset: Dataset, original: Dataset, name: str) -> bool:
    return name not in original.codes and is_text(dataset.held, name)


def _column(dataset: Dataset, original: Dataset, name: str) -> _Column:
    """Labels of a dictionary are no cells of the file: they name towns and hospitals."""
    if _is_searched_as_text(dataset, original, name):
        inside = texts_in(dataset.held, name)
        assert inside is not None
        other_script = are_of_another_script(list(dataset.held.profile(name).texts))
        return _Column(name, inside.records_that_hold, inside, other_script=other_script)
    key = "cells that point to someone", name, name in original.codes
    remembered = dataset.held.remembered
    if key not in remembered:
        remembered[key] = _short_cells(dataset, name, original.codes.get(name, {}))
    return remembered[key]


def _short_cells(dataset: Dataset, name: str, labels: Mapping[str, str]) -> _Column:
    profile = dataset.held.profile(name)
    if profile.exact:
        counts = dataset.held.counts_of(name)
        values, records = counts.values, counts.records
    else:  # too many for an engine to fetch: those that are drawn, each of one record at least
        values, records = profile.texts, np.ones(len(profile.texts), dtype=np.int64)
    distinct = len(values) if profile.exact else profile.distinct
    kept = np.array([value not in labels for value in values], dtype=bool)
    if labels and not kept.any():
        return _Column(name, 0, why_not="labels of a dictionary")
    values, records, distinct = values[kept], records[kept], distinct - int((~kept).sum())
    if are_plain_numbers(values.tolist()) and not points_to_someone(values.tolist(), name).any():
        return _Column(name, 0, why_not="figures alone")
    if len(values) > MOST_VALUES:
        chosen = np.linspace(0, len(values) - 1, MOST_VALUES).round().astype(int)
        values, records = values[chosen], records[chosen]
    cells = int(records[points_to_someone(values.tolist(), name)].sum())
    return _Column(
        name, cells, values=distinct, looked_at=len(values), other_script=are_of_another_script(values.tolist())
    )


def _inside(at_fault: list[_Column]) -> str:
    """What the texts at fault hold, and what can be done about the columns."""
    texts = [f" In {column.column}, {column.inside.describe()}" for column in at_fault if column.inside is not None]
    says = "".join(texts) + (" Redact the text or drop the column." if texts else "")
    short = [column.column for column in at_fault if column.inside is None]
    if not short:
        return says
    return (
        f"{says} Recode these cells of {words.listed(short)}, drop the column, or accept this with the reason why they "
        "are no identifiers: that counts for these columns alone."
    )


def _not_searched(columns: list[_Column]) -> str:
    """Which columns that leave were not searched, or not wholly."""
    says = ""
    for why in ("figures alone", "labels of a dictionary"):
        if names := [column.column for column in columns if column.why_not == why]:
            says += f" Not searched, since they hold {why}: {words.listed(names)}."
    if names := [column.column for column in columns if column.other_script and column.inside is None]:
        says += f" Not searched for names, since most letters are none of Latin: {words.listed(names)}."
    some = [
        f"{column.looked_at:,} of {words.count(column.values, 'values')} in {column.column}"
        for column in columns
        if column.inside is None and column.is_sample
    ]
    return says + (f" Only {words.listed(some)} were searched." if some else "")


def _by_lists(columns: list[_Column]) -> str:
    """What it means that nothing was found in texts: not that nothing is there."""
    texts = [column for column in columns if column.inside is not None]
    if not texts:
        return ""
    only = [
        f"{column.inside.looked_at:,} of {words.count(column.inside.texts, 'texts')} in {column.column}"
        for column in texts
        if column.inside is not None and column.is_sample
    ]
    some = f" Only {words.listed(only)} were looked at." if only else ""
    named = words.listed([column.column for column in texts])
    return f"{some} In {named}, names were looked for by lists and titles, which miss some: read a sample."


@dataclass(frozen=True)
class SafeHarbor(Criterion):
    """None of the 18 kinds of identifiers of HIPAA's Safe Harbor: 45 CFR 164.514(b)(2)(i).

    Attributes
    ----------
    source : str, default "45 CFR 164.514(b)(2)(i)."
        Where the limit comes from, in words that are shown beside it.
    """

    source: str = "45 CFR 164.514(b)(2)(i)."
    kind: ClassVar[str] = "safe_harbor"
    word: ClassVar[str] = "Safe Harbor"
    page: ClassVar[str] = "Frontier"
    counted_in: ClassVar[str] = "(columns)"
    mending: ClassVar[Mending] = Mending(
        "own_steps",
        "Takes the rule’s own steps on the columns at fault: ages over 89 together, dates to years, ZIP codes to three "
        "digits where more than 20,000 people live, other places as “*”, what cannot be read under “*”, identifiers "
        "dropped. What is coarser already stays.",
    )

    @property
    def title(self) -> str:
        return "Safe Harbor"

    @property
    def bound(self) -> str:
        return "none"

    def describe(self, unit: str = "persons") -> str:
        return (
            "No age over 89, no date finer than a year, no place of fewer than 20,000 people, and no column of the "
            f"other kinds of identifiers that the rule lists. {_CELLS}"
        )

    def mended(self, recipe: Recipe, original: Dataset, population: Dataset | None, year: int) -> Recipe:
        return with_safe_harbor(recipe, original, population, year)

    def check(self, case: Case) -> Finding:
        before = sum(not listed_column.in_doubt for listed_column in listed(case.original, case.year))
        compliance = standing(case.released, case.recipe, case.population, case.year)
        if compliance.at_fault:
            named = [f"{fault.column} {fault.which}" for fault in compliance.at_fault]
            says = f"{words.count(len(named), 'columns')} may hold what the rule lists: {words.listed(named)}."
            people = (
                None if case.population is None else case.recipe.apply_to_population(case.population, case.original)
            )
            rows = [
                (fault.column, rows_at_fault(fault, case.released, people, case.year)) for fault in compliance.at_fault
            ]
            rows.sort(key=lambda pair: -pair[1])
            return self.found(
                False, says, now=len(named), original=before, persons=rows[0][1], n_persons=case.released.n_records,
                worst=tuple(rows[:5]),
            )  # fmt: skip
        if says := _not_known(compliance):
            columns = [
                *(unread_column.column for unread_column in compliance.unread),
                *compliance.open_dates,
                *compliance.open_places,
            ]
            return self.unknown(
                says, columns, [(unread_column.column, unread_column.values) for unread_column in compliance.unread]
            )
        return self.found(True, f"No column holds what the rule lists. {_CELLS}", now=0, original=before)


def _not_known(compliance: Standing) -> str:
    """What is not known of columns in a release, and the ways out; "" where everything is."""
    says = [_unread(compliance.unread)] if compliance.unread else []
    if compliance.open_dates:
        says.append(
            f"By the range of their numbers, or how they are written, {words.listed(compliance.open_dates)} may hold "
            "dates or parts of them: day numbers of a spreadsheet, seconds since 1970 or 1582, months, weeks. If "
            "so, recode to years or drop; if not, give it a name that says what it is, or accept it with that "
            "reason."
        )
    if compliance.open_places:
        says.append(
            f"Whether more than 20,000 people live in each area of {words.listed(compliance.open_places)} takes a "
            "population table with that column. Load one under “More”, or drop the column."
        )
    return " ".join(says)


def _unread(columns: Sequence[Unread]) -> str:
    """What could not be read, and the ways out."""
    named = [
        f"{words.count(unread_column.records, 'cells')} of {unread_column.column} as {_PLURAL[unread_column.what]} "
        f"({words.count(len(unread_column.values), 'different values')})"
        for unread_column in columns
    ]
    return (
        f"Cannot be read: {words.listed(named)}. They may reveal what the rule lists. Let Safe Harbor's own steps put "
        "them under “*”, say on the Data page that they mean no value, or accept this with the reason why these values "
        "reveal nothing that the rule lists."
    )


def _least_people(case: Case, column: str) -> int | None:
    """The people in the smallest of the areas released, by the population table; None without one."""
    if case.population is None or column not in case.population.columns:
        return None
    people = people_by_value(case.recipe.apply_to_population(case.population, case.original), column)
    return min((people.get(label, 0) for label in case.released.held.values(column)), default=None)


@dataclass(frozen=True)
class UnclassifiedColumns(Criterion):
    """No released column that the classes do not count puts more than 3% into groups below k once it is known.

    Sensitive columns are not looked at, and columns that the officer marked as known to nobody outside: what
    can be known and learned of the former is for :class:`Inference`, and who is alone by all that leaves, these
    included, is counted without a limit (:mod:`anonlib.release.uniqueness_of_release`). A search takes it for at most
    3% below k by all known columns and one of these, which is as much or more.

    Attributes
    ----------
    k : int, default 5
        The smallest size of a group that is enough.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    k: int = 5
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "columns_not_counted"
    word: ClassVar[str] = "columns said to be neither that could identify"
    page: ClassVar[str] = "Release"
    counted_in: ClassVar[str] = "(columns)"
    mending: ClassVar[Mending] = Mending(
        "count_as_known",
        "Counts these columns as known: they become quasi-identifiers.",
        "Could somebody outside know {columns} of a person?",
    )
    limits: ClassVar[tuple[Limit, ...]] = (Limit("k", "People like them at least with it", "count", 2, None),)

    def __post_init__(self) -> None:
        checks.whole(self.k, "The smallest class", 1)
        object.__setattr__(self, "rows", checked(self.rows))

    @property
    def title(self) -> str:
        return "Columns said to be neither that could identify"

    @property
    def bound(self) -> str:
        return "none"

    def describe(self, unit: str = "persons") -> str:
        return (
            f"No column said to be neither leaves more than {words.percent(MOST_BELOW_K)} of the {unit} among fewer "
            f"than {self.k:,} like them if somebody knows it after all."
        )

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        return tuple(
            KAnonymity(columns=(*case.known, name), least=self.k, share=MOST_BELOW_K, rows=rows)
            for name in open_columns(case.original, case.unknowable)
            if case.original.held.lists_values(name)
            for rows in searched(self.rows, case)
        )

    def check(self, case: Case) -> Finding:
        rows_asked = known(self.rows, case.linking)
        looked_at = not_counted(case.released, self.k, rows_asked, case.unknowable)
        at_fault = [column for column in looked_at if column.breaks_k]
        n = case.rows.n_records
        if not at_fault:
            return self.found(True, self._none(looked_at) + _left_aside(case), now=0, n_persons=n)
        below = tuple((column.column, column.below) for column in at_fault)
        of_survey = "".join(f" {column.if_of_a_survey}" for column in at_fault if column.if_of_a_survey)
        name, most = below[0]
        others = [f"{other} ({number:,})" for other, number in below[1:]]
        also = f", and so with {words.listed(others, 3)}" if others else ""
        it = "them" if others else "it"
        says = (
            f"Who knows {name} too finds {words.share(most, n, case.unit)} among fewer than {self.k:,} like "
            f"them{also}. Count {it} as known, drop {it}, or say that nobody outside can know {it}."
        )
        return self.found(
            False, says + of_survey + _left_aside(case), now=len(below), persons=most, n_persons=n, worst=below,
            columns=tuple(column.column for column in at_fault),
        )  # fmt: skip

    def _none(self, looked_at: Sequence[NotCounted]) -> str:
        if not looked_at:
            return "No column leaves that was said to be neither known nor sensitive."
        worst = looked_at[0]
        return (
            f"None of {words.count(len(looked_at), 'columns')} does; most are put below {self.k:,} by {worst.column}, "
            f"{words.share(worst.below, worst.n_records)}."
        )


def _left_aside(case: Case) -> str:
    """Which columns that leave were not looked at, and where they are."""
    sensitive = len(case.released.sensitive)
    unknowable = [name for name in case.unknowable if name in case.released.columns]
    aside = [words.count(sensitive, "sensitive columns")] if sensitive else []
    aside += [f"{words.count(len(unknowable), 'columns')} that nobody can know"] if unknowable else []
    if not aside:
        return ""
    return f" Not looked at here: {words.listed(aside)}; see who is unique on released columns."


@dataclass(frozen=True)
class SmallestPlace(Criterion):
    """No released place has fewer people than so many, by the population table.

    Attributes
    ----------
    least : int, default SMALL_AREA
        The fewest people of a released place.
    source : str, default "20,000 people: 45 CFR 164.514(b)(2)(i)(B)."
        Where the limit comes from, in words that are shown beside it.
    """

    least: int = SMALL_AREA
    source: str = "20,000 people: 45 CFR 164.514(b)(2)(i)(B)."
    kind: ClassVar[str] = "smallest_place"
    word: ClassVar[str] = "smallest place"
    page: ClassVar[str] = "Regions"
    counted_in: ClassVar[str] = "people"
    limits: ClassVar[tuple[Limit, ...]] = (Limit("least", "People in each place", "count", 1, None),)

    def __post_init__(self) -> None:
        checks.whole(self.least, "The people in a place", 1)

    @property
    def title(self) -> str:
        return "Smallest place"

    @property
    def bound(self) -> str:
        return f"at least {self.least:,}"

    def describe(self, unit: str = "persons") -> str:
        return f"At least {self.least:,} people live in every place that is released."

    def check(self, case: Case) -> Finding:
        places = case.released.columns_with(Role.PLACE)
        if not places:
            return self.found(True, "No place is released.")
        people = {name: _least_people(case, name) for name in places}
        missing = [name for name, number in people.items() if number is None]
        if missing:
            return self.unknown(
                f"How many people live in each place of {words.listed(missing)} takes a population table with that "
                "column. Load one under “More”, or drop the column."
            )
        name, number = min(((name, number or 0) for name, number in people.items()), key=lambda item: item[1])
        says = f"{number:,} people live in the smallest place of {name}."
        return self.found(number >= self.least, says, now=number, n_persons=case.released.n_records)
