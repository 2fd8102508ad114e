"""Files on the command line: read whole, written whole over nothing, refused in a sentence that names no path."""

from __future__ import annotations

import argparse
import os
import stat
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anonlib.basics import disk, exhausted, words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.filing.project import (
    Loaded,
    LoadedFile,
    LoadedTables,
    Opened,
    Project,
    Upgraded,
    open_project,
    project_of,
    read_population,
)
from anonlib.reading.sources import Limits
from anonlib.reading.tables.archives import unpacked
from anonlib.reading.tables.fhir import is_fhir
from anonlib.release.pseudonyms import KeyOfPseudonyms


def content(path: Path, what: str) -> bytes:
    """The bytes of a file. Raises InputError where there is none, or it is larger than is read into memory."""
    try:
        with disk.opened_to_read(path) as file:
            if os.fstat(file.fileno()).st_size > Limits.bytes:
                raise InputError(
                    f"{what} has more than {Limits.bytes // 1_000_000} MB, more than is read into memory.",
                    code="file-too-large",
                )
            return file.read()
    except OSError:
        raise InputError(
            f"{what} cannot be read: “{path.name}”. Check the path, and that it is a file you may read.",
            code="file-unreadable",
        ) from None


def one_file(path: Path) -> LoadedFile:
    """A file of records, read as its content suggests."""
    return LoadedFile.of(content(path, "The file"), name_of(path))


def loaded(path: Path) -> Loaded:
    """A file of records, read as its content suggests; the tables of a folder, a zip or FHIR bulk files as one case."""
    if path.is_dir():
        places = [place for place in sorted(path.iterdir()) if place.is_file() and not place.name.startswith(".")]
        return LoadedTables.of([(name_of(place), content(place, "A file of the folder")) for place in places])
    data, name = content(path, "The file"), name_of(path)
    inside, _ = unpacked(name, data)
    if len(inside) > 1 or is_fhir(inside[0].content):
        return LoadedTables.of([(name, data)])
    return LoadedFile.of(inside[0].content, inside[0].name)


def name_of(path: Path) -> str:
    """A file's name as text: bytes in it that are none become the mark for that."""
    return os.fsencode(path.name).decode("utf-8", "replace")


def project(path: Path) -> Project:
    """A project, as JSON or as TOML."""
    return project_of(content(path, "The project"))


def opened(asked: argparse.Namespace) -> Opened:
    """The project that is asked for, on its files."""
    with notes_of_upgrades(decided := project(asked.project)):
        return open_project(decided, loaded(asked.file), population(asked, decided), pseudonym_key(asked))


@contextmanager
def notes_of_upgrades(decided: Project) -> Iterator[None]:
    """Notes on standard error, once a project is opened, of what is judged otherwise than where it was saved."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Upgraded)
        yield
    for sentence in decided.upgraded:
        print(f"Note: {words.escaped(sentence)}", file=sys.stderr)


def population(asked: argparse.Namespace, decided: Project) -> Dataset | None:
    """The population table that is named, its people counted as in the project."""
    if asked.population is None:
        return None
    data = content(asked.population, "The population table")
    table = decided.population
    return read_population(data, name_of(asked.population), None if table is None else table.weight)


def pseudonym_key(asked: argparse.Namespace) -> KeyOfPseudonyms | None:
    """The key of pseudonyms whose file is named, where the command asks for one."""
    path: Path | None = getattr(asked, "pseudonym_key", None)
    if path is None:
        return None
    key = KeyOfPseudonyms.of(content(path, "The key of pseudonyms"))
    with disk.opened_to_read(path) as file:
        if disk.is_open_to_all(file):
            raise InputError(
                f"Everybody on this computer can read the key of pseudonyms “{path.name}”. Let it be yours alone "
                "(chmod 600), and take another key if somebody may have read it.",
                code="key-open-to-all",
            )
    return key


def inputs(asked: argparse.Namespace) -> list[Path]:
    """All files that a command reads, those of a folder and of the register too, and the folders."""
    return [path for name, value in vars(asked).items() if name != "out" for path in _paths(value)]


def _paths(value: object) -> Iterator[Path]:
    """The paths of what was given for one option, which may be a list of lists of them."""
    if isinstance(value, Path):
        yield value
        if value.is_dir():
            yield from value.iterdir()
    elif isinstance(value, list):
        for item in value:
            yield from _paths(item)


def check_out(asked: argparse.Namespace) -> None:
    """Refuse a place for a file that is one of the inputs, whatever it is called, or that is taken.

    With ``--overwrite`` a file may be there; an input, or what is no file, may not even then.
    """
    place: Path = asked.out
    if not os.path.lexists(place):
        return
    if disk.is_one_of(place, inputs(asked)) is not None:
        raise InputError(
            f"“{place.name}” is read here, and is not replaced. Give --out another name.", code="file-is-read-here"
        )
    if not asked.overwrite:
        raise InputError(
            f"“{place.name}” is there already. Give --out another name, or --overwrite to replace it.",
            code="file-exists",
        )
    if not place.exists() or not stat.S_ISREG(place.stat().st_mode):
        raise InputError(
            f"“{place.name}” is no file that could be replaced. Give --out another name.", code="file-not-regular"
        )


def write(asked: argparse.Namespace, data: bytes, *, for_anybody: bool = False) -> None:
    """Write the file that is asked for, whole: what stood there before stays until all of the new one is written.

    It is for its owner alone, unless it is for anybody.

    Raises
    ------
    InputError
        Where :func:`check_out` does, or it cannot be written.
    """
    place = Path(os.path.realpath(asked.out)) if asked.overwrite else asked.out
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part = disk.beside(place)
        try:
            disk.fill(part, data, 0o666 if for_anybody else 0o600)
            check_out(asked)
            if asked.overwrite:
                os.replace(part, place)
            else:
                disk.put(part, place)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        check_out(asked)  # which may have been made meanwhile
        if why := exhausted.sentence(error):
            raise InputError(f"“{asked.out.name}” cannot be written. {why}", code="machine-exhausted") from None
        raise InputError(
            f"“{asked.out.name}” cannot be written. Check the folder, and that you may write there.",
            code="file-not-writable",
        ) from None


def stem(name: str) -> str:
    """A file's name without its ending, for the names of what is made of it."""
    return name.rsplit(".", 1)[0][:60] or "data"
