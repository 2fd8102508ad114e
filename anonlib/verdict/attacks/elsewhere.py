"""A file made elsewhere beside the original it was made of: attacks, copies, criteria as far as they apply, and use.

No verdict comes from how far records are from the closest original one: that misses what leaks (Stadler et al. 2022).
At the end the people of the original are put beside its records, to be looked up among them
(:mod:`anonlib.analyses.individuals.elsewhere`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from anonlib.analyses.utility.associations import Association, association_of_files
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.coarsening.covers import covers_as_written, empty_cells_are_hidden
from anonlib.coarsening.hierarchies import TOP
from anonlib.counting.classes.beside import PeopleBeside, TrueLabels, more_are_empty
from anonlib.counting.classes.coding import group
from anonlib.dataset import Dataset
from anonlib.reading.records.labels import Labels
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.attacking import Attacks, AttackSettings, attack_another_file
from anonlib.verdict.criteria import Case, Criterion, Finding


@dataclass(frozen=True)
class InCommon:
    """How much of a column's distribution two files have in common.

    Attributes
    ----------
    column : str
        Its name.
    share : float
        The sum over its values of the smaller of both shares of records, in [0, 1]; 1: the same distribution.
    """

    column: str
    share: float


@dataclass(frozen=True)
class Disclosed:
    """synthpop's DiSCO of a column (Raab et al. 2024): disclosive in the other file, correct in the original.

    Attributes
    ----------
    column : str
        The sensitive column.
    share : float
        Of the original's records, those whose known values have one value of the column in the other file, and that is
        theirs; in [0, 1].
    """

    column: str
    share: float


@dataclass(frozen=True)
class AnotherFile:
    """What came of a file made elsewhere.

    Attributes
    ----------
    attacks : Attacks
        See :class:`Attacks`.
    copies : tuple[int, int]
        Of its records, those that are some original record in all columns compared, and of these those of which the
        original has just one.
    near : int
        Of its records, those that differ from some original record in one of the columns compared; copies are not among
        them.
    n_records, n_original : int
        Records of both.
    columns : tuple[str, ...]
        Those that were compared.
    without : tuple[str, ...]
        Columns of the original that it has not.
    replicated_uniques : float | None
        Of the original's records, the share that is alone by what is known in either file, with the same values
        (synthpop's repU, Raab et al. 2024); None without known columns.
    disclosed : tuple[Disclosed, ...]
        By sensitive column, see its type.
    in_common : tuple[InCommon, ...]
        By column, see its type.
    together : Association | None
        How strongly each two columns go together in both files; None where there is one column.
    findings : tuple[Finding, ...]
        The criteria that apply.
    """

    attacks: Attacks
    copies: tuple[int, int]
    near: int
    n_records: int
    n_original: int
    columns: tuple[str, ...]
    without: tuple[str, ...]
    replicated_uniques: float | None
    disclosed: tuple[Disclosed, ...]
    in_common: tuple[InCommon, ...]
    together: Association | None
    findings: tuple[Finding, ...]


def another_file(
    original: Dataset,
    other: Dataset,
    attacker: AttackSettings,
    criteria: Sequence[Criterion] = (),
    *,
    control: Dataset | None = None,
    progress: Progress = nobody,
) -> AnotherFile:
    """Attack a file made elsewhere and compare it with its original.

    Parameters
    ----------
    original, other : Dataset
        In memory; columns of one name are the same. The roles are the original's.
    attacker : AttackSettings
        What is set.
    criteria : Sequence[Criterion], default ()
        Of the verdict; those that ask about what became of the original are passed over.
    control : Dataset, optional
        People that the file was not made of; without them rates have no control.
    progress : Progress, default nobody
        Called with the share that is done and the attacks (:class:`.attacking.Attacks`) as far as they are tried.

    Raises
    ------
    InputError
        Where they have no column of one name, or either no records.
    """
    roles = {name: role for name, role in original.roles.items() if name in other.columns}
    other = other.with_roles(roles)
    attacks = attack_another_file(original, other, attacker, control=control, progress=progress)
    apart = {*original.identifiers, original.person_id, original.weight, *attacker.unknowable}
    columns = tuple(name for name in original.columns if name in other.columns and name not in apart)
    known = [name for name in columns if name in attacker.known]
    return AnotherFile(
        attacks,
        _copies(original, other, columns),
        _near(original, other, columns),
        other.n_records,
        original.n_records,
        columns,
        tuple(name for name in original.columns if name not in other.columns and name not in apart),
        _replicated_uniques(original, other, known) if known else None,
        tuple(Disclosed(name, _disco(original, other, known, name)) for name in columns
              if name in attacker.sensitive and known),
        tuple(InCommon(name, _in_common(original, other, name)) for name in columns),
        association_of_files(original, other, columns) if len(columns) > 1 else None,
        _findings(other, criteria, attacker),
    )  # fmt: skip


def _codes(original: Dataset, other: Dataset, columns: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Of each record of both files a number of its values in some columns; missing is a value."""
    return _joined([_of_column(original, other, name) for name in columns], original.n_records, other.n_records)


def _of_column(original: Dataset, other: Dataset, name: str) -> np.ndarray:
    """int64, of all records of both files one after the other."""
    text = pd.concat([dataset.records[name].astype(object) for dataset in (original, other)])
    return pd.factorize(text, use_na_sentinel=False)[0]


def _joined(codes: Sequence[np.ndarray], n_original: int, n_other: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each record of both files one number of several."""
    if not codes:
        return np.zeros(n_original, dtype=np.int64), np.zeros(n_other, dtype=np.int64)
    ids, _ = group(np.column_stack(codes), [int(column_codes.max(initial=0)) + 1 for column_codes in codes])
    return ids[:n_original], ids[n_original:]


def _copies(original: Dataset, other: Dataset, columns: Sequence[str]) -> tuple[int, int]:
    mine, its = _codes(original, other, columns)
    times = np.bincount(mine, minlength=int(its.max(initial=-1)) + 1)
    return int((times[its] > 0).sum()), int((times[its] == 1).sum())


def _near(original: Dataset, other: Dataset, columns: Sequence[str]) -> int:
    """Records of the other file that are an original one in all columns but one, and none in all."""
    if len(columns) < 2:
        return 0
    codes, sizes = [_of_column(original, other, name) for name in columns], (original.n_records, other.n_records)
    is_near = np.zeros(other.n_records, dtype=bool)
    for left_out in range(len(codes)):
        mine, its = _joined([*codes[:left_out], *codes[left_out + 1 :]], *sizes)
        is_near |= np.isin(its, mine)
    mine, its = _joined(codes, *sizes)
    return int((is_near & ~np.isin(its, mine)).sum())


def _replicated_uniques(original: Dataset, other: Dataset, known: Sequence[str]) -> float:
    mine, its = _codes(original, other, known)
    size = max(int(mine.max(initial=-1)), int(its.max(initial=-1))) + 1
    in_mine, in_its = np.bincount(mine, minlength=size), np.bincount(its, minlength=size)
    return float(((in_mine == 1) & (in_its == 1)).sum() / original.n_records)


def _disco(original: Dataset, other: Dataset, known: Sequence[str], about: str) -> float:
    key, its_key = _codes(original, other, known)
    value, its_value = _codes(original, other, [about])
    size = max(int(key.max(initial=-1)), int(its_key.max(initial=-1))) + 1
    least, most = np.full(size, np.iinfo(np.int64).max), np.full(size, -1)
    np.minimum.at(least, its_key, its_value)
    np.maximum.at(most, its_key, its_value)
    is_sure = least == most
    return float((is_sure[key] & (least[key] == value)).sum() / original.n_records)


def _in_common(original: Dataset, other: Dataset, name: str) -> float:
    mine, its = _codes(original, other, [name])
    size = max(int(mine.max(initial=-1)), int(its.max(initial=-1))) + 1
    shares = [np.bincount(codes, minlength=size) / len(codes) for codes in (mine, its)]
    return float(np.minimum(*shares).sum())


def _findings(other: Dataset, criteria: Sequence[Criterion], attacker: AttackSettings) -> tuple[Finding, ...]:
    """The criteria that apply, asked of the file as it is: its records as persons or rows as the original's are."""
    applied = Applied(other, replace(other), (), 0)
    case = Case(applied, Recipe(), unknowable=attacker.unknowable, k=attacker.k)
    return tuple(criterion.check(case) for criterion in criteria if criterion.of_any_file)


# ---- people beside it ----


@dataclass(frozen=True, eq=False)
class LookedUp:
    """The people of an original, to be looked up among the records of a file made elsewhere.

    Attributes
    ----------
    original : Dataset
        The original as its people are counted: its records, where the other file has no person id.
    beside : PeopleBeside
        People and records.
    columns : tuple[str, ...]
        Those that both files have, in the order asked for.
    without : tuple[str, ...]
        Those asked for that the other file has not.
    n_looked_in : int
        Records or persons of the other file.
    is_by_rows : bool
        Whether the several rows of persons are looked up one by one, since the other file has no person id.
    as_narrowest : tuple[str, ...]
        Columns of several levels of which each value is taken as the narrowest label that is true of it, since persons
        have several rows.
    blank : tuple[str, ...]
        Columns that lack values of the original and of which a larger share is empty in the other file: some of these
        cells were hidden.
    not_read : tuple[tuple[str, int], ...]
        By column with labels that are true of no value as far as is known, since nothing reads them, the records that
        have one.
    """

    original: Dataset
    beside: PeopleBeside
    columns: tuple[str, ...]
    without: tuple[str, ...]
    n_looked_in: int
    is_by_rows: bool
    as_narrowest: tuple[str, ...]
    blank: tuple[str, ...]
    not_read: tuple[tuple[str, int], ...]


def people_beside(original: Dataset, other: Dataset, columns: Sequence[str]) -> LookedUp:
    """Put the people of an original beside the records of a file made elsewhere.

    Labels are true of values by what is written (:func:`anonlib.coarsening.covers.covers_as_written`). Records that
    lack a value take no part where the original's do not.

    Parameters
    ----------
    original, other : Dataset
        Columns of one name are the same; the roles are the original's.
    columns : Sequence[str]
        Those that are looked at; those that the other file has not are left out.

    Returns
    -------
    LookedUp

    Raises
    ------
    InputError
        Where the other file has fewer than two of the columns, or no records.
    """
    shared = tuple(name for name in columns if name in other.columns)
    if len(shared) < 2:
        raise InputError(
            "The other file has fewer than two of these columns: one is inferred, and one is known. Give columns in "
            "both files the same names, or choose other columns.",
            code="nothing-to-infer-from",
        )
    other = other.with_roles({name: role for name, role in original.roles.items() if name in other.columns})
    is_by_rows = original.has_several_rows and other.person_id is None
    if is_by_rows:
        original = original.with_roles(
            {name: role for name, role in original.roles.items() if name != original.person_id}
        )
    as_narrowest = list[str]()
    if original.has_several_rows or other.has_several_rows:
        for name in shared:
            original, is_mixed = _relabelled(original, other, name)
            as_narrowest += [name] * is_mixed
    people = original.with_missing("category").classes(list(shared))
    records = other.with_missing("category").classes(list(shared))
    if not records.n_records:
        raise InputError("The other file has no records, so nobody can be looked up in it.", code="no-records")
    hidden = [
        name for name, values in zip(shared, people.categories, strict=True) if empty_cells_are_hidden(values)
    ]  # fmt: skip
    records = records.recode(
        {
            name: np.array([TOP if label is None else label for label in labels], dtype=object)
            for name, labels in zip(shared, records.categories, strict=True) if name in hidden and labels[-1] is None
        }
    )  # fmt: skip
    if original.missing == "drop":
        people = people.keep(people.has_all_values)
        records = records.keep(records.has_values([name for name in shared if name not in hidden]))
    covers = [covers_as_written(*both) for both in zip(people.categories, records.categories, strict=True)]
    beside = PeopleBeside.of(people, records, [TrueLabels(*of_column.with_all) for of_column in covers])
    n_not_read = [
        int(records.counts[~of_column.is_read[records.codes[:, j]]].sum()) for j, of_column in enumerate(covers)
    ]  # fmt: skip
    blank = tuple(name for j, name in enumerate(shared) if records.n_records and more_are_empty(people, records, j))
    not_read = tuple((name, n) for name, n in zip(shared, n_not_read, strict=True) if n)
    without = tuple(name for name in columns if name not in shared)
    return LookedUp(
        original, beside, shared, without, records.n_records, is_by_rows, tuple(as_narrowest), blank, not_read
    )


def _relabelled(original: Dataset, other: Dataset, name: str) -> tuple[Dataset, bool]:
    """The original with a column's values as the narrowest labels that are true of them, and whether others are too."""
    values = original.held.values(name)
    labels = other.held.values(name)
    covers = covers_as_written(values, labels)
    is_mixed = bool((np.diff(covers.start) > 1).any() or covers.of_all.any())
    narrowest = covers.narrowest
    of_value = np.array(
        [value if place < 0 else labels[place] for value, place in zip(values, narrowest.tolist(), strict=True)],
        dtype=object,
    )
    if (of_value == values).all():
        return original, is_mixed
    return original.recoded(name, Labels.as_they_come(values, of_value), other.key), is_mixed
