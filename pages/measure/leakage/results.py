"""What the officer asks on the Leakage page, and what the library answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import streamlit as st

from anonlib.analyses.leakage import (
    AlertComparison,
    Alerts,
    LeakageComparison,
    LeakageTable,
    alerts_in,
    compare_alerts,
    compare_leakage,
    estimated_seconds,
    information_loss,
    information_loss_of_another,
)
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.coarsening.hierarchies import Hierarchy, suggested_hierarchy
from anonlib.columns.roles import numbers_are_dates
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.release.covering import AnotherRelease, another_in_words, classes_of_another, in_words
from anonlib.release.recipe import Recipe
from ui.session import cache, long_work, view
from ui.session.releases import OtherRelease
from ui.session.state import session

AT_ONCE = 1.5  # seconds; what takes longer waits for a button


@dataclass(frozen=True)
class LeakageQuestion:
    """One question about leakage.

    Attributes
    ----------
    columns : looked at, in the file's order.
    max_size : the most columns in a combination.
    average, worst : limits of the normalized losses, 0 to 1; 1 is off.
    smallest : the least size of a group that is accepted; 1 is off.
    """

    columns: tuple[str, ...]
    max_size: int
    average: float
    worst: float
    smallest: int

    def on(self, data: Dataset) -> LeakageQuestion:
        """The same question of another version of the data, which may lack a column."""
        return replace(self, columns=tuple(name for name in self.columns if name in data.columns))


@dataclass(frozen=True, eq=False)
class Version:
    """The original or the release, with what its columns give away and the limits it is held against."""

    data: Dataset
    question: LeakageQuestion
    table: LeakageTable

    @cached_property
    def alerts(self) -> Alerts:
        limits = self.question
        return alerts_in(self.table, average=limits.average, worst=limits.worst, smallest=limits.smallest)

    @property
    def complete_to(self) -> int:
        """Combinations of up to so many columns are all there, also where there are no larger ones."""
        return complete_to(self.table)


@dataclass(frozen=True, eq=False)
class SecondRelease:
    """Another release beside the present one.

    Attributes
    ----------
    title : what it is called.
    table : what its columns give away, by what labels cover.
    says : how it is counted, in sentences; "" where that is as usual.
    n_original : of a file of which nobody knows whose its records are, the persons of the original; else None.
    """

    title: str
    table: LeakageTable
    says: str = ""
    n_original: int | None = None


def complete_to(table: LeakageTable) -> int:
    """The size up to which all combinations are in a table, also where there are no larger ones."""
    assert table.max_size is not None
    return 10**6 if table.max_size == len(table.attributes) else table.max_size


def classes_of(data: Dataset, columns: tuple[str, ...]) -> ClassTable:
    """Of the release by what its labels cover."""
    return view.covered(data, columns).classes


def seconds_in(data: Dataset, columns: tuple[str, ...], size: int) -> float:
    return estimated_seconds(classes_of(data, columns), size) if columns else 0.0


def original(data: Dataset, question: LeakageQuestion, looked: str) -> Version:
    """What the original gives away; the page ends with a sentence where there is nothing to look at."""
    if not question.columns:
        st.info("Choose at least one column under **More**.")
        st.stop()
    if not classes_of(data, question.columns).n_records:
        st.info("Nobody is left to look at: every record lacks one of these values, or stands for nobody.")
        st.stop()
    return version(data, question, ask=looked != "Release")


def released(data: Dataset, question: LeakageQuestion, looked: str) -> Version | None:
    """What the release gives away; None where nothing is left, with which the page ends where that is looked at."""
    left = question.on(data)
    if left.columns and classes_of(data, left.columns).n_records:
        return version(data, left, ask=looked == "Release")
    if looked == "Release":
        st.info("The release has none of these columns, or no record: nothing is left to leak.")
        st.stop()
    return None


def version(data: Dataset, question: LeakageQuestion, ask: bool = True) -> Version:
    """What is looked at. Where it takes long it is of smaller combinations until the button was pressed.

    Without ``ask`` there is no button, just what was found before.
    """
    columns, k = question.columns, question.smallest
    wanted = min(question.max_size, len(columns))
    quick = [size for size in range(1, wanted + 1) if seconds_in(data, columns, size) <= AT_ONCE]
    at_once = max(quick, default=1)
    counted = CountedColumns(data.key, classes_of(data, columns))
    table = _table(counted, columns=columns, max_size=at_once, k=k)
    if wanted > at_once:
        stages: list[long_work.Stage[LeakageTable]] = [
            (
                f"Looking at every combination of up to {size} columns",
                _table.work(counted, columns=columns, max_size=size, k=k),
            )
            for size in range(at_once + 1, wanted + 1)
        ]
        name = f"leakage {data.key} {columns} {k} {wanted}"
        seconds = [seconds_in(data, columns, size) for size in range(at_once + 1, wanted + 1)]
        table = (long_work.best_so_far(name, stages, seconds) if ask else long_work.result(name)) or table
    return Version(data, question, table)


@dataclass(frozen=True, eq=False)
class CountedColumns:
    """Who shares which values of some columns; ``key`` names the data."""

    key: str
    classes: ClassTable

    @property
    def n_records(self) -> int:
        return self.classes.n_records


@cache.waited_for("Counting what the columns give away", away_from=cache.MANY)
def _table(
    of: CountedColumns, *, columns: tuple[str, ...], max_size: int, k: int, progress: Progress = long_work.let_go
) -> LeakageTable:
    return information_loss(of.classes, max_size=max_size, k=k, progress=progress)


def alike(original: Version, released: Version) -> tuple[Version, Version]:
    """Both with combinations of the same sizes: long work may be done for one of them alone."""
    size = min(original.complete_to, released.complete_to)
    first, second = (
        Version(version.data, version.question, version.table.at_most(size)) for version in (original, released)
    )
    return first, second


def compared(
    original: Version, released: Version | None, second: SecondRelease | None
) -> tuple[LeakageComparison | None, LeakageComparison | None]:
    """The original against the release, and against another one, all up to the same size of combinations."""
    tables = [release.table for release in (original, released, second) if release is not None]
    size = min(map(complete_to, tables))
    before = original.table.at_most(size)
    after, other = (
        None if release is None else compare_leakage(before, release.table.at_most(size))
        for release in (released, second)
    )
    return after, other


def second_release(data: Dataset, question: LeakageQuestion, other: OtherRelease) -> SecondRelease | InputError:
    """What another release gives away, of combinations that take no longer than a moment; or why it cannot be counted.

    Of a file made elsewhere by what its labels cover as they are written.
    """
    try:
        if other.is_file:
            return _of_file(data, question, other)
        return _of_steps(question, other)
    except InputError as error:
        return error


def _of_steps(question: LeakageQuestion, other: OtherRelease) -> SecondRelease:
    counted = view.covered_by(other.steps, other.data, question.columns)
    if not counted.classes.attributes or not counted.classes.n_records:
        raise InputError(f"{other.title} has none of these columns, or no record.", code="nothing-left-to-compare")
    size = _at_once(question, lambda size: estimated_seconds(counted.classes, size))
    table = _table_by(other.steps, other.data, columns=question.columns, max_size=size, k=question.smallest)
    return SecondRelease(other.title, table, in_words(counted))


def _of_file(data: Dataset, question: LeakageQuestion, other: OtherRelease) -> SecondRelease:
    shown = other.data.shown_as(data)
    if data.has_several_rows:
        raise InputError(
            "Persons have several rows, and of a file made elsewhere nobody knows which rows are of one person. Choose "
            "a release of this session.",
            code="nothing-left-to-compare",
        )
    another = _another(data, shown, columns=question.columns, hierarchies=dict(session().hierarchies))
    if another is None:
        raise InputError(f"{other.title} has none of these columns, or no record.", code="nothing-left-to-compare")
    size = _at_once(question, lambda size: estimated_seconds(another.table, size))
    table = _table_of_another(
        data, shown, columns=question.columns, hierarchies=dict(session().hierarchies), max_size=size,
        k=question.smallest,
    )  # fmt: skip
    assert table.persons_fitted is not None
    n_fewest = int(table.persons_fitted.min(initial=another.table.values.n_records))
    return SecondRelease(other.title, table, another_in_words(another, n_fewest), another.table.values.n_records)


def _at_once(question: LeakageQuestion, seconds: Callable[[int], float]) -> int:
    """The largest size that is asked for and takes no longer than a moment."""
    wanted = min(question.max_size, len(question.columns))
    return max((size for size in range(1, wanted + 1) if seconds(size) <= AT_ONCE), default=1)


@cache.waited_for("Counting what the columns of another release give away")
def _table_by(recipe: Recipe, data: Dataset, *, columns: tuple[str, ...], max_size: int, k: int) -> LeakageTable:
    classes = view.covered_by(recipe, data, columns).classes
    return information_loss(classes, max_size=max_size, k=k, progress=long_work.let_go)


@cache.waited_for("Reading what the labels of another file cover")
def _another(
    data: Dataset, other: Dataset, *, columns: tuple[str, ...], hierarchies: dict[str, Hierarchy]
) -> AnotherRelease | None:
    ways = {
        name: [*([hierarchies[name]] if name in hierarchies else []), _suggested(data, name)]
        for name in columns
        if name in other.columns
    }
    return classes_of_another(data, other, columns, ways)


def _suggested(data: Dataset, name: str) -> Hierarchy:
    counts = data.held.counts_of(name)
    return suggested_hierarchy(
        counts.values, counts.records, name, dated=numbers_are_dates(data.held, name),
        described=data.described.get(name),
    )  # fmt: skip


@cache.waited_for("Counting what the columns of another file give away")
def _table_of_another(
    data: Dataset, other: Dataset, *, columns: tuple[str, ...], hierarchies: dict[str, Hierarchy], max_size: int, k: int
) -> LeakageTable:
    another = _another(data, other, columns=columns, hierarchies=hierarchies)
    assert another is not None
    return information_loss_of_another(another.table, max_size=max_size, k=k, progress=long_work.let_go)


def alerts_compared(original: Version, released: Version | None) -> AlertComparison:
    """What became of the alerts of the original; all are gone where nothing is left to leak."""
    if released is None:
        return compare_alerts(original.alerts, replace(original.alerts, alerts=(), utility_gone=()))
    before, after = alike(original, released)
    return compare_alerts(before.alerts, after.alerts)


def together(data: Dataset) -> LeakageTable | None:
    """All quasi-identifiers as one combination; None where none is left or nobody is."""
    if not data.quasi_identifiers:
        return None
    table = _together(data)
    return table if table.n_records else None


@cache.remembered
def _together(data: Dataset) -> LeakageTable:
    return information_loss(classes_of(data, tuple(data.quasi_identifiers)), [data.quasi_identifiers])


def leakiest(table: LeakageTable) -> str:
    return table.sets[next(i for i in table.ranked() if len(table.sets[i]) == 1)][0]
