"""A release whose records stay in an engine, written to a file as they come out of it, or beside them by the engine."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import BinaryIO

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.dataset import Dataset
from anonlib.reading.records import TableRecords
from anonlib.reading.records.staying import write_beside
from anonlib.reading.records.table import MOST_VALUES
from anonlib.reading.records.writing import Kind, different_texts, texts_like, with_texts_replaced, write
from anonlib.release.files.archive import ZipArchive
from anonlib.release.files.rows import MAY_NEED_IT, as_numbers, neutralise
from anonlib.release.files.tables import tables_that_leave
from anonlib.release.pseudonyms import MOST_IDS, PersonsByKey


def write_release(
    released: Dataset,
    file: BinaryIO,
    kind: Kind,
    seed: Sequence[int],
    progress: Progress = nobody,
    by_key: PersonsByKey | None = None,
) -> None:
    """Write a release, streamed: in a drawn order, with drawn numbers for person ids, as in a file made in memory.

    Parameters
    ----------
    released : Dataset
        What is to leave, whose records stay in an engine; identifiers are gone already.
    file : BinaryIO
        What is written to.
    kind : Kind
        "CSV" or "Parquet". Texts that a spreadsheet would run as a formula get an apostrophe in front in CSV; columns
        of numbers are numbers in Parquet.
    seed : Sequence[int]
        A secret, which decides order and numbers together with what is released.
    progress : Progress, default nobody
        Called with the share that is written, 0 to 1, and may raise to end it.
    by_key : PersonsByKey, optional
        What names persons, instead of drawn numbers.

    Raises
    ------
    InputError
        When the records are in memory, the engine ends, two persons would get one pseudonym, there are too many to be
        named, or the file cannot be written.
    """
    held, secret = _leaving(released, seed, by_key)
    if released.tables is not None:
        _write_tables(held, released, file, kind, secret, progress)
        return
    if kind == "CSV":
        table = held.table
        for name in _texts_of(released):
            if changed := _to_neutralise(held, name):
                table = with_texts_replaced(table, name, changed)
        names = dict(zip(released.columns, neutralise(released.columns), strict=True))
        write(table, file, kind, secret, names, {}, progress)
    else:
        write(held.table, file, kind, secret, {}, _numbers_in(held, released, progress), progress)


def _write_tables(
    held: TableRecords,
    released: Dataset,
    file: BinaryIO,
    kind: Kind,
    secret: bytes,
    progress: Progress,
) -> None:
    """A file a table, in a zip."""
    assert released.tables is not None
    n_tables = len(released.tables.files)
    with ZipArchive(file) as archive:
        for i, (name, table, columns) in enumerate(tables_that_leave(held, released, secret)):
            own = TableRecords(table)
            texts = [own_column for own_column, column in columns.items() if column in _texts_of(released)]
            names, numbers = dict[str, str](), dict[str, str]()
            if kind == "CSV":
                for column in texts:
                    if changed := _to_neutralise(own, column):
                        table = with_texts_replaced(table, column, changed)
                names = dict(zip(columns, neutralise(columns), strict=True))
            else:
                numbers = {own_column: kind_of for own_column in texts if (kind_of := _numbers_of(own, own_column))}
            with archive.member(f"{name}.{kind.lower()}") as member:
                write(table, member, kind, secret, names, numbers, share_of(progress, i / n_tables, (i + 1) / n_tables))


def write_release_beside(
    released: Dataset,
    place: str,
    name: str,
    seed: Sequence[int],
    progress: Progress = nobody,
    by_key: PersonsByKey | None = None,
) -> str:
    """Let the engine write a release beside the records: what the Parquet file of it holds, in the same order.

    Parameters
    ----------
    released : Dataset
        What is to leave, whose records stay in an engine; identifiers are gone already.
    seed : Sequence[int]
        A secret, which decides order and numbers together with what is released.
    by_key : PersonsByKey, optional
        What names persons, instead of drawn numbers.
    place : str
        A schema of the database; of Spark a folder, or the address of one.
    name : str
        What the new table (folder) is called; with a number where there is one of that name.
    progress : Progress, default nobody
        Called again and again until it is done, with a share of 0 where that is not known; may raise to end it.

    Returns
    -------
    str
        The name of the new table, or folder of Spark.

    Raises
    ------
    InputError
        When the records are in memory, the engine ends, persons cannot be named as for :func:`write_release`, or
        nothing can be written to the place.
    """
    if released.tables is not None:
        raise InputError(
            "Several tables are written as files alone. Take the release as CSV or Parquet.",
            code="tables-as-files-alone",
        )
    held, secret = _leaving(released, seed, by_key)
    numbers = _numbers_in(held, released, progress)
    return write_beside(held.table, place, name, released.n_records, secret, numbers, progress)


def _leaving(released: Dataset, seed: Sequence[int], by_key: PersonsByKey | None) -> tuple[TableRecords, bytes]:
    """The records that leave, with drawn numbers or pseudonyms for person ids, and the secret of their order."""
    held = released.in_codes().held
    if not isinstance(held, TableRecords):
        raise InputError(
            "The records of this release are in memory. Download it as a file made there.", code="release-in-memory"
        )
    secret = hashlib.sha256(f"{[*seed]} {released.key}".encode()).digest()
    stays = (*released.columns, *(released.tables.hidden if released.tables is not None else ()))
    held = held.drop([name for name in held.columns if name not in stays])
    person = _person_of(released)
    if person is None:
        return held, secret
    return (held.renumber(person, secret) if by_key is None else _named(held, person, by_key)), secret


def _named(held: TableRecords, person: str, by_key: PersonsByKey) -> TableRecords:
    """The records with pseudonyms for person ids, which are made here: the engine, and its log, get no key."""
    ids = different_texts(held.table, person, MOST_IDS)
    if ids is None:
        raise InputError(
            f"“{person}” has more than {MOST_IDS:,} different ids, more than are named by a key while the records stay "
            "in a database. Let person ids leave as random numbers.",
            code="too-many-values",
            column=person,
        )
    names = dict(zip(ids, by_key.of(ids, person), strict=True))
    table = with_texts_replaced(held.table, person, names, others_stay=False)
    orders = {name: order for name, order in held.orders.items() if name != person}
    made_in = {name: records for name, records in held.made_in.items() if name != person}
    return TableRecords(table, orders, made_in, held.beside)


def _person_of(released: Dataset) -> str | None:
    return released.person_id if released.person_id in released.columns else None


def _texts_of(released: Dataset) -> list[str]:
    """The columns whose cells leave as they are held."""
    return [name for name in released.columns if name != _person_of(released)]


def _numbers_in(held: TableRecords, released: Dataset, progress: Progress) -> dict[str, str]:
    """By column of numbers, their type; it can be stopped at each column."""
    kinds = {}
    for name in _texts_of(released):
        progress(0.0)
        if kind := _numbers_of(held, name):
            kinds[name] = kind
    return kinds


def _to_neutralise(held: TableRecords, column: str) -> dict[str, str]:
    """By text of a column that a spreadsheet would run as a formula, what it leaves as."""
    texts = texts_like(held.table, column, MAY_NEED_IT, MOST_VALUES)
    if texts is None:
        raise InputError(
            f"“{column}” has too many texts that a spreadsheet would run. Take the release as Parquet.",
            code="formulas-too-many",
            column=column,
        )
    return {text: safe for text, safe in zip(texts, neutralise(texts), strict=True) if safe != text}


def _numbers_of(held: TableRecords, column: str) -> str | None:
    """The type of a column of numbers; None where it is of texts, or has too many values to tell."""
    profile = held.profile(column)
    if not profile.exact or as_numbers(profile.texts) is None:
        return None
    numbers = as_numbers(held.values(column))
    return None if numbers is None else "int64" if (numbers % 1 == 0).all() else "float64"
