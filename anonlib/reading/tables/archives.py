"""Files inside archives: zip archives of tables, and single files that are packed with gzip."""

from __future__ import annotations

import gzip
import io
import zipfile
from dataclasses import dataclass

from anonlib.basics.errors import InputError
from anonlib.reading.sources import display_name
from anonlib.reading.sources.reading import Limits
from anonlib.reading.tables.model import check_number

TABLES = frozenset(
    "csv tsv txt tab dat parquet pq xlsx xlsm xlsb xls ods dta sas7bdat xpt sav zsav por ndjson jsonl json".split()
)
"""Endings of the files of an archive that are looked at."""
_UNSURE = frozenset(("txt", "dat", "ndjson", "jsonl", "json"))
"""Of these, endings of files that may be no table by themselves: a licence, or a part of a FHIR export."""
_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OF_DOCUMENTS = ("xl/", "word/", "ppt/", "mimetype")  # a workbook is an archive as well
_MOST_MEMBERS = 10_000


@dataclass(frozen=True)
class ArchivedFile:
    """A file of an archive, or one that came alone.

    Attributes
    ----------
    name : str
        The last part of its path, safe to show.
    content : bytes
        Its bytes.
    of_archive : bool, default False
        Whether it came in an archive.
    """

    name: str
    content: bytes
    of_archive: bool = False


def unpacked(name: str, content: bytes, most: int = Limits.bytes) -> tuple[list[ArchivedFile], list[str]]:
    """The file itself, or the tables of the archive that it is, and the names of what was passed over in it.

    Parameters
    ----------
    name : str
        The file's name.
    content : bytes
        Its bytes.
    most : int, default Limits.bytes
        How many bytes may come out of it.

    Raises
    ------
    InputError
        When an archive is damaged, protected by a password, holds no table or more than a case has, or unpacks to more
        than that; before anything is unpacked.
    """
    shown = display_name(name)
    if content.startswith(_GZIP):
        return [ArchivedFile(_without(shown, "gz"), _unzipped(shown, content, most))], []
    if not content.startswith(_ZIP):
        return [ArchivedFile(shown, content)], []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if any(info.filename.startswith(_OF_DOCUMENTS) for info in infos):
                return [ArchivedFile(shown, content)], []
            return _members(shown, archive, infos, most)
    except InputError:
        raise
    except MemoryError:
        raise
    except Exception:
        raise InputError(
            f"The archive “{shown}” is damaged or packed in a way that cannot be read. Unpack it, and open the files.",
            code="file-damaged",
        ) from None


def _members(
    shown: str, archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo], most: int
) -> tuple[list[ArchivedFile], list[str]]:
    total = sum(info.file_size for info in infos)
    if total > most or len(infos) > _MOST_MEMBERS:
        raise _too_much(shown, most)
    if any(info.flag_bits & 1 for info in infos):
        raise InputError(
            f"The archive “{shown}” is protected by a password. Unpack it, and open the files.",
            code="file-has-a-password",
        )
    endings = [_ending(_without(info.filename, "gz")) for info in infos if not _is_hidden(info.filename)]
    check_number(sum(ending in TABLES - _UNSURE for ending in endings))
    members: list[ArchivedFile] = []
    passed_over: list[str] = []
    for info in sorted(infos, key=lambda info: info.filename):
        if _is_hidden(info.filename):
            continue
        inside = display_name(_parts(info.filename)[-1])
        packed = inside.lower().endswith(".gz")
        if _ending(_without(inside, "gz")) not in TABLES:
            passed_over.append(inside)
            continue
        content = archive.read(info)
        if packed:
            content = _unzipped(inside, content, most - total)
            total += len(content)
        members.append(ArchivedFile(_without(inside, "gz"), content, True))
    if not members:
        raise InputError(
            f"The archive “{shown}” holds no table: no CSV, Parquet, workbook, SPSS, Stata or FHIR file.",
            code="file-without-table",
        )
    return members, passed_over


def _parts(path: str) -> list[str]:
    return path.replace("\\", "/").split("/")


def _is_hidden(path: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in _parts(path))


def _unzipped(shown: str, content: bytes, most: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            unpacked = packed.read(most + 1)
    except MemoryError:
        raise
    except Exception:
        raise InputError(
            f"The file “{shown}” is cut off or damaged and cannot be unpacked. Export it again.", code="file-damaged"
        ) from None
    if len(unpacked) > most:
        raise _too_much(shown, most)
    return unpacked


def _too_much(shown: str, most: int) -> InputError:
    return InputError(
        f"“{shown}” unpacks to more than {most / 1e6:,.0f} MB, the most that is read into memory. Open its files one "
        "by one, or as tables that stay in a folder or a database.",
        code="file-too-large",
    )


def _ending(name: str) -> str:
    return name.rpartition(".")[2].lower() if "." in name else ""


def _without(name: str, ending: str) -> str:
    return name[: -len(ending) - 1] if name.lower().endswith(f".{ending}") and len(name) > len(ending) + 1 else name
