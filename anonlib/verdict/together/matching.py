"""Who is who in several files: the same persons, and of persons with several rows the same rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
import pandas as pd

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.values.ids import count_up, normalised

MOST_RECORDS = 5_000_000
"""Records of all files that are matched: more would take minutes."""
_NUMBERED = re.compile(r"([^0-9]*)([0-9]+)")
_PARTS = re.compile(r"[0-9]+|[^\W\d_]+")
_WAY_OUT = "Compare the files by hand, and accept it with what you found."


@dataclass(frozen=True, eq=False)
class Matched:
    """The rows of several files, each row once.

    Attributes
    ----------
    places : tuple[np.ndarray, ...]
        A file each, int64 per row of all files: its place in that file, -1 where the file lacks it.
    persons : np.ndarray
        int64 per row: whose it is.
    unclear : np.ndarray
        bool per row: its person has rows of which it is not known whether they are the same in several files.
    several_rows : bool
        Whether some person has several rows.
    """

    places: tuple[np.ndarray, ...]
    persons: np.ndarray
    unclear: np.ndarray
    several_rows: bool


def matched(files: Sequence[Dataset]) -> Matched:
    """The rows of several files, matched by person ids and within a person by row, or by all columns of all files.

    Where each person has one row, it is the person's, whatever changed in it. Of several rows those are the same that
    have the same identifier (a number of the visit), or, without one, the same cells in all columns that the files
    have in common. A person of whom rows remain in two files could have had a row changed: that is not known. Without
    person ids a row is the same where all of its cells are.

    Parameters
    ----------
    files : Sequence[Dataset]
        Originals, in memory, with their roles; those of one file that are read alike are one (:func:`are_one_file`).

    Returns
    -------
    Matched

    Raises
    ------
    InputError
        Where it cannot be known who is who: records in a database, weights, too many records, person ids in some files
        alone, ids of which none is in two files or that count up and name others, rows that are alike, rows without
        person ids that changed.
    """
    if are_one_file(files):
        return _of_one_file(files)
    _check(files)
    frames = [file.records.drop(columns=list(file.tables.hidden)) if file.tables else file.records for file in files]
    shared = [name for name in frames[0].columns if all(name in frame.columns for frame in frames)]
    with_ids = [file.person_id for file in files if file.person_id is not None]
    if not with_ids:
        return _by_all_columns(frames, shared)
    if len(with_ids) < len(files):
        raise InputError(
            "One of the files has a person id and the other none, so that it is not known who is who. Give the column "
            f"that names persons the role “Person id” in both. {_WAY_OUT}",
            code="no-person-id",
        )
    persons, has_id = _persons(frames, with_ids)
    _check_spelled_alike(files, frames)
    _check_shared(persons, has_id)
    _check_same_persons(files, frames, persons)
    if not any(_repeats(of_file) for of_file in persons):
        places, whose = _placed(persons)
        unclear = np.zeros(len(whose), dtype=bool)
        for of_file, known, place in zip(persons, has_id, places, strict=True):
            unclear |= np.isin(whose, of_file[~known]) & (place >= 0)
        return Matched(places, whose, unclear, False)
    return _by_rows(files, frames, shared, persons, has_id)


def are_one_file(files: Sequence[Dataset]) -> bool:
    """Whether all are of one file, read alike: of a workbook the same sheet.

    Parameters
    ----------
    files : Sequence[Dataset]
        Originals.

    Returns
    -------
    bool
    """
    return len({(file.digest, file.prepared, file.n_records) for file in files}) == 1


def check_counted_alike(files: Sequence[Dataset]) -> None:
    """Check that all releases of one file count the same persons, or weights.

    Parameters
    ----------
    files : Sequence[Dataset]
        Originals, which are one file.

    Raises
    ------
    InputError
        Where persons, or weights, are in another column for another release.
    """
    persons = {file.person_id for file in files} - {None}
    if len(persons) > 1 or len({file.weight for file in files}) > 1:
        raise InputError(
            "Another column says in an earlier release of this file who is counted, or for how many people a row "
            "stands, so that what both give together is not counted. Give the columns the roles that they have there.",
            code="choices-do-not-fit",
        )


def _of_one_file(files: Sequence[Dataset]) -> Matched:
    """All files are one and the same; rows that one release counts as a person's are so to who has it."""
    check_counted_alike(files)
    data = next((file for file in files if file.person_id is not None), files[0])
    rows = np.arange(data.n_records, dtype=np.int64)
    persons = rows
    if data.person_id is not None:
        (persons,), _ = _persons([data.records], [data.person_id])
    return Matched((rows,) * len(files), persons, np.zeros(len(rows), dtype=bool), data.has_several_rows)


def _check(files: Sequence[Dataset]) -> None:
    if any(file.frame is None for file in files):
        raise InputError(
            "What another month’s release and this one give together is counted of files in memory alone. Load both "
            f"months as files. {_WAY_OUT}",
            code="records-in-a-database",
        )
    if any(file.weight is not None for file in files):
        raise InputError(
            "Rows that stand for several people cannot be found again in another month’s file, so that what both "
            f"releases give together is not counted. {_WAY_OUT}",
            code="choices-do-not-fit",
        )
    if any(file.tables is not None and file.tables.rows_are_persons for file in files):
        raise InputError(
            "The rows of this file are persons without ids, who cannot be found again in another month’s file, so that "
            f"what both releases give together is not counted. {_WAY_OUT}",
            code="no-person-id",
        )
    if sum(file.n_records for file in files) > MOST_RECORDS:
        raise InputError(
            f"The files have more than {MOST_RECORDS:,} records together, more than are compared. {_WAY_OUT}",
            code="file-too-large",
        )


# ---- persons ----


def _persons(frames: Sequence[pd.DataFrame], columns: Sequence[str]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Per file, per row the number of its person, and whether it has an id; each row without one is a person alone."""
    number = dict[str, int]()
    persons, has_id = list[np.ndarray](), list[np.ndarray]()
    for frame, column in zip(frames, columns, strict=True):
        cells = frame[column].array
        of_value = [number.setdefault(normalised(str(text)), len(number)) for text in cells.categories]
        persons.append(np.append(np.array(of_value, dtype=np.int64), -1)[cells.codes])
        has_id.append(persons[-1] >= 0)
    next_one = len(number)
    for of_file, known in zip(persons, has_id, strict=True):
        alone = int((~known).sum())
        of_file[~known] = np.arange(next_one, next_one + alone)
        next_one += alone
    return persons, has_id


def _check_shared(persons: Sequence[np.ndarray], has_id: Sequence[np.ndarray]) -> None:
    """Raises InputError where no person of the first file is in another one, though both have some."""
    first = persons[0][has_id[0]]
    for of_file, known in zip(persons[1:], has_id[1:], strict=True):
        if len(first) and known.any() and not np.isin(first, of_file[known]).any():
            raise InputError(
                "No person id of this file is in that of the earlier release: whether they are other persons, or the "
                f"same ones with other ids, is not known. {_WAY_OUT}",
                code="no-person-shared",
            )


def _check_same_persons(files: Sequence[Dataset], frames: Sequence[pd.DataFrame], persons: list[np.ndarray]) -> None:
    """Raises InputError where ids count up, and most persons of one id are not alike in what is known of them."""
    counts_up = [_count_up(frame[str(file.person_id)]) for file, frame in zip(files, frames, strict=True)]
    for i, j in combinations(range(len(files)), 2):
        known = [name for name in files[i].quasi_identifiers if name in files[j].quasi_identifiers]
        if not (counts_up[i] and counts_up[j] and known):
            continue
        both = np.intersect1d(persons[i], persons[j])
        whose = [persons[place] for place in (i, j)]
        codes = [_codes([frames[i], frames[j]], name) for name in known]
        steady = [column_codes for column_codes in codes if all(map(_is_steady, whose, column_codes))]
        keys = _keys(whose, steady or codes)
        shared = np.isin(keys[0], keys[1])
        alike = np.intersect1d(whose[0][shared], both)
        if 2 * len(alike) < len(both):
            raise InputError(
                "The person ids of both files are numbers that count up, and most persons with the same number differ "
                f"in what is known of them: these may be other persons. {_WAY_OUT}",
                code="ids-of-others",
            )


def _is_steady(persons: np.ndarray, codes: np.ndarray) -> bool:
    """Whether no two rows of a person differ in a column."""
    (keys,) = _keys([persons], [[codes]])
    return len(np.unique(keys)) == len(np.unique(persons))


def _count_up(column: pd.Series) -> bool:
    """Whether ids are numbers that count up, or such numbers behind the same letters."""
    parts = [_NUMBERED.fullmatch(normalised(str(text))) for text in column.array.categories]
    numbers = [(part[1], part[2]) for part in parts if part is not None]
    is_numbered = bool(numbers) and len(numbers) == len(parts) and len({before for before, _ in numbers}) == 1
    return is_numbered and count_up([number for _, number in numbers])


def _check_spelled_alike(files: Sequence[Dataset], frames: Sequence[pd.DataFrame]) -> None:
    """Raises InputError where an id of one file alone is one of another alone but for zeros or signs: 007, MRN-7."""
    ids = [
        {normalised(str(text)) for text in frame[str(file.person_id)].array.categories}
        for file, frame in zip(files, frames, strict=True)
    ]
    for here, elsewhere in combinations(ids, 2):
        alike = {_without_signs(text) for text in here - elsewhere} & {
            _without_signs(text) for text in elsewhere - here
        }
        if alike:
            raise InputError(
                f"{words.count(len(alike), 'person ids')} of one file {'is' if len(alike) == 1 else 'are'} in another "
                "with other zeros in front or other signs, such as 007 and 7: whether these are the same persons is "
                "not known. Write the ids alike in all files.",
                code="ids-of-others",
            )


def _without_signs(text: str) -> str:
    """Letters and numbers of an id, the latter without zeros in front."""
    return " ".join(part.lstrip("0") or "0" for part in _PARTS.findall(text))


def _repeats(numbers: np.ndarray) -> bool:
    return len(np.unique(numbers)) < len(numbers)


def _placed(keys: Sequence[np.ndarray]) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Per file the place of each key of all files, -1 where it is not in it, and the keys; each is once in a file."""
    union = np.unique(np.concatenate(keys))
    places = []
    for of_file in keys:
        place = np.full(len(union), -1, dtype=np.int64)
        place[np.searchsorted(union, of_file)] = np.arange(len(of_file))
        places.append(place)
    return tuple(places), union


# ---- rows ----


def _by_rows(
    files: Sequence[Dataset],
    frames: Sequence[pd.DataFrame],
    shared: Sequence[str],
    persons: list[np.ndarray],
    has_id: list[np.ndarray],
) -> Matched:
    """Persons have several rows: matched within each person."""
    numbering = _numbering(files, frames, shared)
    ids = {file.person_id for file in files}
    by = [numbering] if numbering else [name for name in shared if name not in ids]
    keys = _keys(persons, [_codes(frames, name) for name in by])
    twice = [_twice(of_file) for of_file in keys]
    keys = _once_each(keys)
    places, _ = _placed(keys)
    whose = np.full(len(places[0]), -1, dtype=np.int64)
    for place, of_file in zip(places, persons, strict=True):
        whose[place >= 0] = of_file[place[place >= 0]]
    doubtful = [of_file[~known] for of_file, known in zip(persons, has_id, strict=True)]
    in_two = _in_two(persons)
    doubtful += [np.intersect1d(of_file[often], in_two) for of_file, often in zip(persons, twice, strict=True)]
    if not numbering:
        doubtful += _with_rows_left_in_two(places, whose)
    return Matched(places, whose, np.isin(whose, np.concatenate(doubtful)), True)


def _numbering(files: Sequence[Dataset], frames: Sequence[pd.DataFrame], shared: Iterable[str]) -> str | None:
    """An identifier that numbers the rows of each file, as that of a visit does; None without one."""
    for name in shared:
        is_identifier = all(file.roles.get(name) is Role.IDENTIFIER for file in files)
        if is_identifier and not any(frame[name].isna().any() or frame[name].duplicated().any() for frame in frames):
            return name
    return None


def _codes(frames: Sequence[pd.DataFrame], name: str) -> list[np.ndarray]:
    """int64 per file and row: the number of its cell's text among those of all files, -1 where it is missing."""
    number = dict[str, int]()
    codes = []
    for frame in frames:
        cells = frame[name].array
        of_value = [number.setdefault(str(text), len(number)) for text in cells.categories]
        codes.append(np.append(np.array(of_value, dtype=np.int64), -1)[cells.codes])
    return codes


def _keys(persons: Sequence[np.ndarray], codes: Sequence[Sequence[np.ndarray]]) -> list[np.ndarray]:
    """int64 per file and row: equal where the person and all codes are."""
    ends = np.cumsum([len(of_file) for of_file in persons])[:-1]
    key = np.concatenate(persons)
    for of_column in codes:
        column = np.concatenate(of_column) + 1
        key = np.unique(key * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1].astype(np.int64)
    return np.split(key, ends)


def _twice(keys: np.ndarray) -> np.ndarray:
    """bool per row: another row of the file has its key."""
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse] > 1)


def _once_each(keys: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The keys, with the number of the row among those of its key in the file."""
    numbers = [_number_of_its_key(of_file) for of_file in keys]
    most = max((int(number.max(initial=0)) for number in numbers), default=0) + 1
    return [of_file * most + number for of_file, number in zip(keys, numbers, strict=True)]


def _number_of_its_key(keys: np.ndarray) -> np.ndarray:
    """int64 per row: how many rows before it have its key."""
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    begins = np.append(True, sorted_keys[1:] != sorted_keys[:-1])[: len(keys)]
    places = np.arange(len(keys))
    number = np.empty(len(keys), dtype=np.int64)
    number[order] = places - np.maximum.accumulate(np.where(begins, places, 0))
    return number


def _in_two(persons: Sequence[np.ndarray]) -> np.ndarray:
    """The persons of two files at least."""
    distinct = np.concatenate([np.unique(of_file) for of_file in persons])
    numbers, files = np.unique(distinct, return_counts=True)
    return numbers[files > 1]


def _with_rows_left_in_two(places: Sequence[np.ndarray], whose: np.ndarray) -> list[np.ndarray]:
    """Persons of whom each of two files has a row that the other lacks: one may have become the other."""
    doubtful = []
    for one_place, other_place in permutations(places, 2):
        here = np.unique(whose[(one_place >= 0) & (other_place < 0)])
        doubtful.append(np.intersect1d(here, whose[(one_place < 0) & (other_place >= 0)]))
    return doubtful


# ---- without person ids ----


def _by_all_columns(frames: Sequence[pd.DataFrame], shared: Sequence[str]) -> Matched:
    nobody = [np.zeros(len(frame), dtype=np.int64) for frame in frames]
    keys = _keys(nobody, [_codes(frames, name) for name in shared])
    alike = sum(int(_twice(of_file).sum()) for of_file in keys)
    if alike:
        raise InputError(
            f"No column names persons, and {alike:,} rows are the same as another one in all columns of both files, so "
            f"that it is not known which is whose. Give the column that names persons the role “Person id”. {_WAY_OUT}",
            code="no-person-id",
        )
    places, whose = _placed(keys)
    for one_place, other_place in permutations(places, 2):
        new, gone = (one_place >= 0) & (other_place < 0), (one_place < 0) & (other_place >= 0)
        if new.any() and gone.any():
            raise InputError(
                f"No column names persons, and each file has rows that the other lacks, {int(new.sum()):,} and "
                f"{int(gone.sum()):,}: whether they are of other persons or changed is not known. Give the column that "
                f"names persons the role “Person id”. {_WAY_OUT}",
                code="no-person-id",
            )
    return Matched(places, whose, np.zeros(len(whose), dtype=bool), False)
