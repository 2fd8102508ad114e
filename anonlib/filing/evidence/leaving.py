"""What leaves: always the same for the same project and file, in memory, in a folder, a database, or as a digest."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from anonlib.basics import disk, exhausted
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.filing.project import Opened
from anonlib.release.codebook import meanings_of
from anonlib.release.export import write_released
from anonlib.release.files.streamed import write_release_beside

if TYPE_CHECKING:
    from typing_extensions import Buffer

MOST_BYTES = 1_000_000_000
"""Largest release that is made in memory."""
_LONGEST_NAME = 40  # characters of a table, to which a number may come; PostgreSQL cuts off what is longer than 63


class Digested(io.BytesIO):
    """A file of which only its digest and its size are kept."""

    def __init__(self) -> None:
        super().__init__()
        self.digest = hashlib.sha256()
        self._size = 0

    def write(self, data: Buffer) -> int:
        self.digest.update(data)
        self._size += memoryview(data).nbytes
        return memoryview(data).nbytes

    def tell(self) -> int:
        return self._size


def write_file(file: BinaryIO, opened: Opened, kind: str = "CSV", progress: Progress = nobody) -> None:
    """Write the file that leaves, in one of the formats: always the same for the same project and file.

    Raises
    ------
    InputError
        Where the format cannot hold it, the key of its pseudonyms is not at hand, or it cannot be written.
    """
    released, recipe, seed = opened.applied.released, opened.project.recipe, opened.project.lot("release")
    in_memory = released.frame is not None
    meanings = meanings_of(opened.applied, recipe) if kind == "Parquet" and in_memory else None
    write_released(file, kind, released, seed, progress, meanings, opened.by_key)


def released_file(opened: Opened, kind: str = "CSV") -> bytes:
    """The file that leaves, as :func:`write_file` writes it.

    Parameters
    ----------
    opened : Opened
        The project on its file.
    kind : str, default "CSV"
        The format, one of those of :mod:`anonlib.release.files.formats`.

    Returns
    -------
    bytes

    Raises
    ------
    InputError
        Also where a table that stays in a database has more than can be held here.
    """
    file = _Bounded()
    write_file(file, opened, kind)
    return file.getvalue()


class _Bounded(io.BytesIO):
    """A file in memory that may not become too large."""

    def write(self, data: Buffer) -> int:
        if self.tell() + memoryview(data).nbytes > MOST_BYTES:
            raise InputError(
                f"The release has more than {MOST_BYTES / 1e6:,.0f} MB, too much to download. Take it as Parquet, or "
                "write it into the folder for releases that Anonscope can be started with.",
                code="release-too-large",
            )
        return super().write(data)


def written_into(folder: Path, name: str, opened: Opened, kind: str, progress: Progress = nobody) -> Path:
    """Write the file that leaves, as :func:`write_file` does, into a folder; nothing that is there is replaced.

    Parameters
    ----------
    folder : Path
        Where it goes.
    name : str
        What it is called; with a number where there is one of that name.
    opened : Opened
        The project on its file.
    kind : str
        The format, one of those of :mod:`anonlib.release.files.formats`.
    progress : Progress, default nobody
        Called with the share that is written, 0 to 1; may raise to stop.

    Returns
    -------
    Path
        The file, which is whole: where the work ends early, nothing is left.

    Raises
    ------
    InputError
        When it cannot be written there.
    """
    stem, _, ending = name.rpartition(".")
    places = (folder / (name if i == 1 else f"{stem}-{i}.{ending}") for i in count(1))
    part = disk.beside(folder / name)
    try:
        with part.open("xb") as file:
            write_file(file, opened, kind, progress)
        place = _put_at_first_free(part, places)
    except OSError as error:
        if why := exhausted.sentence(error):
            raise InputError(f"The release could not be written. {why}", code="machine-exhausted") from None
        raise InputError(
            "The release could not be written. Check the folder for releases, and its room.", code="file-not-writable"
        ) from None
    finally:
        part.unlink(missing_ok=True)
    return place


def _put_at_first_free(part: Path, places: Iterator[Path]) -> Path:
    """Give a file the first of these names that nobody has, another writer of this moment neither."""
    for place in places:
        with suppress(FileExistsError):
            disk.put(part, place)
            return place
    raise FileExistsError


def written_beside(place: str, name: str, opened: Opened, progress: Progress = nobody) -> str:
    """Let the database write what leaves into a new table: the rows and types that the Parquet file has.

    Parameters
    ----------
    place : str
        A schema of the database that the original is in; of Spark a folder.
    name : str
        What the table is called after, with other characters than letters and digits of ASCII as underlines, and with
        a number where there is one of that name.
    opened : Opened
        The project on its file, whose records stay in an engine.
    progress : Progress, default nobody
        Called again and again until it is done, with a share of 0 where that is not known; may raise to stop.

    Returns
    -------
    str
        The table, or folder, which is whole: where the work ends early, nothing is left.

    Raises
    ------
    InputError
        When it cannot be written there, or the key of its pseudonyms is not at hand.
    """
    plain = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")[:_LONGEST_NAME]
    released, seed = opened.applied.released, opened.project.lot("release")
    return write_release_beside(released, place, f"{plain or 'data'}_released", seed, progress, opened.by_key)
