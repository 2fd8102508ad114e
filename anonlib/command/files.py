"""Files on the command line: read whole, written whole, refused in a sentence that names no path."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.project import LoadedFile, Opened, Project, Upgraded, open_project, project_of, read_population
from anonlib.sources import Limits


def content(path: Path, what: str) -> bytes:
    """The bytes of a file. Raises InputError where there is none, or it is larger than is read into memory."""
    try:
        if path.stat().st_size > Limits.bytes:
            raise InputError(f"{what} has more than {Limits.bytes // 1_000_000} MB, more than is read into memory.")
        return path.read_bytes()
    except OSError:
        raise InputError(
            f"{what} cannot be read: “{path.name}”. Check the path, and that it is a file you may read."
        ) from None


def loaded(path: Path) -> LoadedFile:
    """A file of records, read as its content suggests."""
    return LoadedFile.of(content(path, "The file"), path.name)


def project(path: Path) -> Project:
    """A project, as JSON or as TOML."""
    return project_of(content(path, "The project"))


def opened(asked) -> Opened:
    """The project that is asked for, on its files."""
    decided = project(asked.project)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Upgraded)
        opened = open_project(decided, loaded(asked.file), population(asked, decided))
    for sentence in decided.upgraded:
        print(f"Note: {sentence}", file=sys.stderr)
    return opened


def population(asked, decided: Project) -> Dataset | None:
    """The population table that is named, its people counted as in the project."""
    if asked.population is None:
        return None
    data = content(asked.population, "The population table")
    table = decided.population
    return read_population(data, asked.population.name, None if table is None else table.weight)


def write(path: Path, data: bytes) -> None:
    """Write a file whole: what stood there before stays until all of the new one is written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name[:40]}-{os.getpid()}")
        try:
            beside.write_bytes(data)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError:
        raise InputError(
            f"“{path.name}” cannot be written. Check the folder, the space left, and that you may write there."
        ) from None


def stem(name: str) -> str:
    """A file's name without its ending, for the names of what is made of it."""
    return name.rsplit(".", 1)[0][:60] or "data"
