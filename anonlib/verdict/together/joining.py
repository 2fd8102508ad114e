"""The labels of each person in all releases: not to be in one of them is a label too.

First comes a release with the data that it was made of; then come the labels in all releases. At the end are values
that somebody had in some release, whichever: certain where all of a signature had them in some.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.counting.classes.rows_of_persons import distinct_pairs, starts_of
from anonlib.counting.privacy_models import Coded, CodedPersons, CodedRows, RowsKnown
from anonlib.counting.privacy_models.coded import HeldValues, harmless_labels, sure
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords, Records, TableRecords
from anonlib.reading.records.names import unused_name
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.values.spellings import read_as_one
from anonlib.verdict.together.matching import Matched, are_one_file, check_counted_alike, matched

_AS_THEY_ARE = (Role.QUASI_IDENTIFIER, Role.PLACE, Role.SENSITIVE, Role.OTHER)
"""The roles of columns whose cells leave."""


@dataclass(frozen=True, eq=False)
class Release:
    """What left, or would leave, with what it was made of.

    Attributes
    ----------
    applied : Applied
        What the recipe made of its own month's data.
    recipe : Recipe
        The steps.
    spared : Mapping[str, tuple[str, ...]], optional
        By sensitive column, its values that anybody may be sure of, as in the original.
    """

    applied: Applied
    recipe: Recipe
    spared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, original: Dataset, recipe: Recipe, spared: Mapping[str, tuple[str, ...]] | None = None) -> Release:
        """The release that a recipe makes of data."""
        return cls(recipe.apply(original), recipe, spared or {})

    @property
    def original(self) -> Dataset:
        """The data that it was made of, whole."""
        return self.applied.original

    @property
    def released(self) -> Dataset:
        """What left."""
        return self.applied.released

    def harmless(self, column: str) -> tuple[str, ...]:
        """The labels of a sensitive column in the release all of whose values are harmless.

        Parameters
        ----------
        column : str
            Its name.

        Returns
        -------
        tuple[str, ...]
        """
        harmless = tuple(dict.fromkeys(self.spared.get(column, ())))
        if not harmless or column not in self.original.columns:
            return harmless
        before = labels = self.original.held.values(column).tolist()
        steps = self.recipe.enabled
        for i, step in enumerate(steps):
            if column not in step.recodes:
                continue
            if step.labels_by == "person":
                return ()  # what a date became says nothing of what it was
            known = np.array([*dict.fromkeys(label for label in labels if label is not None), None], dtype=object)[:-1]
            new = step.labels_of(column, known)
            if new is None and step.labels_by not in ("part", "cell"):
                new = step.labels_of(column, known, Recipe.of(steps[:i]).leaves(self.original))
            if new is not None:
                label_of = dict(zip(known.tolist(), new.tolist(), strict=True))
                labels = [None if label is None else label_of[label] for label in labels]
        return harmless_labels(before, labels, harmless)


def known_and_sensitive(releases: Sequence[Release]) -> list[tuple[list[str], list[str]]]:
    """Of each release, the columns that leave with it and that are known, and those that are sensitive.

    What is known in the file of one month is known in those of all others, whatever role it has there; and so is what
    is sensitive.

    Parameters
    ----------
    releases : Sequence[Release]
        The releases.

    Returns
    -------
    list of tuple
        A release each.

    Raises
    ------
    InputError
        Where a column is known in one file and sensitive in another.
    """
    known = {name for release in releases for name in release.original.quasi_identifiers}
    sensitive = {name for release in releases for name in release.original.sensitive}
    if both := sorted(known & sensitive):
        raise InputError(
            f"“{both[0]}” is known outside in one of the files and sensitive in another, so that it is not known what "
            "could be learned from the releases together. Give the column the role here that it has there.",
            code="column-in-two-roles",
            column=both[0],
        )
    return [
        ([name for name in leave if name in known], [name for name in leave if name in sensitive])
        for leave in (release.released.columns_with(*_AS_THEY_ARE) for release in releases)
    ]


NOT_IN_IT = "\ue000 not in it"
"""The label of a record that a release lacks; a private character, so that no file has it."""
IN_IT = "in it"


@dataclass(frozen=True, eq=False)
class JoinedReleases:
    """Who is in some of several releases, with the labels of each in all of them.

    Attributes
    ----------
    columns : tuple[str, ...]
        The known columns of all releases, and for each release whether a row is in it.
    membership : tuple[str, ...]
        Of these the ones that say whether a row is in a release, in the order of the releases.
    sensitive : tuple[dict[str, str], ...]
        A release each: by name here, the sensitive column of that release.
    coded : Coded
        Those who are counted; without those of ``n_unclear``.
    n_unclear : int
        Persons of whom it is not known which rows of several files are the same.
    matched : Matched, optional
        The rows of all files; None where they are of one file in a database.
    inside : tuple[np.ndarray, ...], default ()
        A release each, bool per row of ``matched``: whether it is in the release.
    holder : np.ndarray, optional
        int64 per row of ``matched``: the row (profile) of ``coded`` that it is of, -1 where it is not counted.
    """

    columns: tuple[str, ...]
    membership: tuple[str, ...]
    sensitive: tuple[dict[str, str], ...]
    coded: Coded
    n_unclear: int = 0
    matched: Matched | None = None
    inside: tuple[np.ndarray, ...] = ()
    holder: np.ndarray | None = None

    @cached_property
    def apart(self) -> np.ndarray:
        """bool, an item a row (profile) of ``coded``: who is in some release, and in another one not at all."""
        lacked = np.zeros(len(self.coded.counts), dtype=bool)
        for name in self.membership:
            labels = self.rows_labels(name)
            inside = np.array([label == IN_IT for label in labels], dtype=bool)[self.coded.codes[name]]
            if isinstance(self.coded, CodedPersons):
                of_profile = np.zeros(len(lacked), dtype=bool)
                np.logical_or.at(of_profile, self.coded.profile, inside[self.coded.row])
                inside = of_profile
            lacked |= ~inside
        return lacked

    def harmless(self, releases: Sequence[Release]) -> dict[str, tuple[str, ...]]:
        """By the name here of each sensitive column of the releases, its labels that anybody may be sure of."""
        return {
            name: release.harmless(column)
            for release, columns in zip(releases, self.sensitive, strict=True)
            for name, column in columns.items()
        }

    def rows_labels(self, column: str) -> np.ndarray:
        """The label of each code of a column."""
        rows = self.coded.rows if isinstance(self.coded, CodedPersons) else self.coded
        return rows.labels[column]

    @property
    def several_rows(self) -> bool:
        """Whether some person has several rows."""
        return isinstance(self.coded, CodedPersons)


def together(releases: Sequence[Release]) -> JoinedReleases:
    """Who is in some of several releases, with the labels of each in all of them, each taken from its own data.

    Parameters
    ----------
    releases : Sequence[Release]
        The releases; those of one file, by its digest, are joined wherever its records are.

    Returns
    -------
    Together

    Raises
    ------
    InputError
        Where it cannot be known who is who in the files (:func:`matched`), or which rows a release is of.
    """
    originals = [release.original for release in releases]
    if are_one_file(originals) and any(release.original.frame is None for release in releases):
        return _in_an_engine(releases)
    return _in_memory(releases)


def _named(releases: Sequence[Release], taken: Sequence[str]) -> list[tuple[dict[str, str], dict[str, str], str]]:
    """A release each: by column, the names of known and of sensitive ones here, and of whether a row is in it."""
    used, names = [*taken], list[tuple[dict[str, str], dict[str, str], str]]()
    for i, columns_of_release in enumerate(known_and_sensitive(releases)):
        of_release: list[dict[str, str]] = [{}, {}]
        for by_column, columns in zip(of_release, columns_of_release, strict=True):
            for column in columns:
                by_column[column] = unused_name(f"{column} (release {i + 1})", used)
                used.append(by_column[column])
        used.append(unused_name(f"in release {i + 1}", used))
        names.append((*of_release, used[-1]))  # type: ignore[arg-type]
    return names


def _columns(names: Sequence[tuple[dict[str, str], dict[str, str], str]]) -> tuple[str, ...]:
    return tuple(name for known, _, inside in names for name in (*known.values(), inside))


def _together(coded: Coded, names: Sequence[tuple[dict[str, str], dict[str, str], str]], **more: Any) -> JoinedReleases:
    sensitive = tuple({name: column for column, name in of_release.items()} for _, of_release, _ in names)
    return JoinedReleases(_columns(names), tuple(inside for *_, inside in names), sensitive, coded, **more)


def _in_an_engine(releases: Sequence[Release]) -> JoinedReleases:
    """Releases of one file whose records stay in a database."""
    check_counted_alike([release.original for release in releases])
    original = next(
        (release.original for release in releases if release.original.person_id is not None), releases[0].original
    )
    number = unused_name("record", original.held.columns)
    numbered = original.with_held(original.held.with_row_keys(number), " numbered")
    counted = {name: role for name, role in original.roles.items() if role in (Role.PERSON_ID, Role.WEIGHT)}
    whose = replace(numbered, roles=counted, missing="category")
    of_numbered = [Release.of(replace(numbered, roles=release.original.roles), release.recipe) for release in releases]
    names = _named(of_numbered, whose.held.columns)
    others = list[tuple[Records, dict[str, str], str]]()
    for release, (known, sensitive, inside) in zip(of_numbered, names, strict=True):
        others.append((release.released.held, known | sensitive, inside))
    absent = dict.fromkeys((name for known, *_ in names for name in known.values()), NOT_IN_IT)
    assert isinstance(whose.held, TableRecords)
    held = whose.held.in_any(others, number, absent, (IN_IT, NOT_IN_IT))
    of_columns = [*_columns(names), *(name for _, sensitive, _ in names for name in sensitive.values())]
    return _together(replace(whose, held=held).coded(of_columns), names)


def _in_memory(releases: Sequence[Release]) -> JoinedReleases:
    rows = matched([release.original for release in releases])
    where = [places_in_release(release, place) for release, place in zip(releases, rows.places, strict=True)]
    stays = np.logical_or.reduce([place >= 0 for place in where]) & ~rows.unclear
    first = releases[0].original
    frame, roles = dict[str, pd.Categorical](), dict[str, Role]()
    ids = [release.original.person_id for release in releases if release.original.person_id is not None]
    if ids and (rows.several_rows or first.tables is not None):
        frame[ids[0]], roles[ids[0]] = _numbers(rows.persons[stays]), Role.PERSON_ID
    elif first.weight is not None:  # of one file alone
        frame[first.weight] = taken(first.records[first.weight].array, rows.places[0][stays], None)
        roles[first.weight] = Role.WEIGHT
    frame |= _layout(releases, rows, stays)
    names = _named(releases, list(frame))
    for release, place, (known, sensitive, inside) in zip(releases, where, names, strict=True):
        records = release.released.records
        for column, name in known.items():
            frame[name] = taken(records[column].array, place[stays], NOT_IN_IT)
        for column, name in sensitive.items():
            frame[name] = taken(records[column].array, place[stays], None)
        frame[inside] = pd.Categorical.from_codes(
            (place[stays] < 0).astype(np.int64), categories=pd.Index([IN_IT, NOT_IN_IT], dtype=object)
        )
    held = FrameRecords(pd.DataFrame(frame, index=pd.RangeIndex(int(stays.sum()))))
    data = Dataset("together", held.digest, held, roles, tables=first.tables)
    in_some = np.logical_or.reduce([place >= 0 for place in where])
    unclear = len(np.unique(rows.persons[rows.unclear & in_some]))
    of_columns = [*_columns(names), *(name for _, sensitive, _ in names for name in sensitive.values())]
    coded, of_record = _coded(data, of_columns)
    holder = np.full(len(stays), -1, dtype=np.int64)
    holder[stays] = of_record
    inside_each = tuple(place >= 0 for place in where)
    return _together(coded, names, n_unclear=unclear, matched=rows, inside=inside_each, holder=holder)


def _coded(data: Dataset, columns: Sequence[str]) -> tuple[Coded, np.ndarray]:
    """Those who are counted, as :meth:`Dataset.coded` has them, and per record its place among them."""
    if data.has_several_rows:
        persons = data.persons(list(columns))
        assert persons.profile_of_record is not None
        return CodedPersons.of(persons), persons.profile_of_record
    classes = data.classes(list(columns))
    assert classes.class_of_record is not None
    return CodedRows.of(classes), classes.class_of_record


def places_in_release(release: Release, places: np.ndarray) -> np.ndarray:
    """int64 per row of all files: its place in the release, -1 where it is not in it."""
    of_original = np.full(release.original.n_records + 1, -1, dtype=np.int64)
    stays = release.original.rows_of(release.released)
    of_original[stays] = np.arange(len(stays))
    return np.where(places >= 0, of_original[places], -1)


def _layout(releases: Sequence[Release], rows: Matched, stays: np.ndarray) -> dict[str, pd.Categorical]:
    """The hidden columns of several tables, of each row from a file that has it."""
    tables = [release.original.tables for release in releases]
    if not any(tables):
        return {}
    first = tables[0]
    if first is None or any(layout is None or layout.hidden != first.hidden for layout in tables):
        raise InputError(
            "The earlier release is of other tables than this one, so that what both give together is not counted. "
            "Compare the files by hand, and accept it with what you found.",
            code="tables-do-not-fit",
        )
    columns = {}
    for name in first.hidden:
        texts = np.full(int(stays.sum()), None, dtype=object)
        for release, place in zip(releases, rows.places, strict=True):
            here = (place[stays] >= 0) & np.array([text is None for text in texts], dtype=bool)
            cells = release.original.records[name].astype(object).to_numpy()
            texts[here] = cells[place[stays][here]]
        columns[name] = pd.Categorical([None if pd.isna(text) else text for text in texts])
    return columns


def _numbers(persons: np.ndarray) -> pd.Categorical:
    numbers, codes = np.unique(persons, return_inverse=True)
    return pd.Categorical.from_codes(codes, categories=pd.Index([f"{number}" for number in numbers], dtype=object))


def taken(cells: pd.Categorical, place: np.ndarray, absent: str | None) -> pd.Categorical:
    """The cells at some places; where a place is -1 what stands for it, or none."""
    codes = np.where(place >= 0, np.append(cells.codes, -1)[place], -1 if absent is None else len(cells.categories))
    labels = cells.categories if absent is None else cells.categories.append(pd.Index([absent], dtype=object))
    return pd.Categorical.from_codes(codes, categories=labels, ordered=cells.ordered)


def certain_in_some(
    all_of_them: JoinedReleases, harmless: Mapping[str, tuple[str, ...]], rows: RowsKnown
) -> np.ndarray:
    """Of whom it is certain that they had a value in some release, though maybe not in which.

    Of two persons of one signature, the illness of the first in March may be that of the second in April, and
    the other way round: both had both.

    Parameters
    ----------
    all_of_them : JoinedReleases
        Who is in some of the releases.
    harmless : Mapping[str, tuple[str, ...]]
        By the name of a sensitive column there, labels that anybody may be sure of.
    rows : RowsKnown
        What is known of a person's rows.

    Returns
    -------
    ndarray of bool
        An item a row (profile) of ``all_of_them.coded``.
    """
    coded = all_of_them.coded
    names = defaultdict[str, list[str]](list)
    for of_release in all_of_them.sensitive:
        for name, column in of_release.items():
            names[column].append(name)
    certain = np.zeros(len(coded.counts), dtype=bool)
    several = [of_column for of_column in names.values() if len(of_column) > 1]
    peers = coded.peers(all_of_them.columns, rows) if several else None
    for of_column in several:
        assert peers is not None
        held, harms = _held_in_some(all_of_them, of_column, harmless)
        certain |= sure(peers, coded.counts, held, harms, 0.0).holders(peers)
    return certain


def _held_in_some(
    all_of_them: JoinedReleases, names: list[str], harmless: Mapping[str, tuple[str, ...]]
) -> tuple[HeldValues, np.ndarray]:
    """The values that each has in some of several columns, by codes of all of their labels, and which of these harm."""
    coded = all_of_them.coded
    labels = {name: all_of_them.rows_labels(name) for name in names}
    texts = np.array([*dict.fromkeys(text for name in names for text in labels[name]), None], dtype=object)[:-1]
    first = read_as_one(texts)
    place = dict(zip(texts.tolist(), range(len(texts)) if first is None else first.tolist(), strict=True))
    harms = np.zeros(len(texts), dtype=bool)
    holder, value = list[np.ndarray](), list[np.ndarray]()
    for name in names:
        held, number = coded.held(name), np.array([place[text] for text in labels[name]], dtype=np.intp)
        harms[number[coded.harms(name, harmless[name])[: len(number)]]] = True
        holder.append(np.repeat(np.arange(len(coded.counts)), np.diff(held.start)))
        value.append(number[held.value])
    owner, once, _ = distinct_pairs(np.concatenate(holder), np.concatenate(value), max(1, len(texts)))
    return HeldValues(starts_of(owner, len(coded.counts)), once, max(1, len(texts))), harms
