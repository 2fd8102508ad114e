"""A zip whose members are written one after the other, the same bytes for the same members."""

from __future__ import annotations

import zipfile
from typing import IO, BinaryIO, cast

_MADE = (1980, 1, 1, 0, 0, 0)


class ZipArchive:
    """A zip whose members are written one after the other, as they come."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(file, "w")

    def __enter__(self) -> ZipArchive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def member(self, name: str) -> ArchiveMember:
        """A file in it, to be written and closed before the next one."""
        info = zipfile.ZipInfo(name, _MADE)
        info.compress_type = zipfile.ZIP_DEFLATED
        return ArchiveMember(self._zip.open(info, "w", force_zip64=True))


class ArchiveMember:
    """A file of an archive: writers ask where they are, which one of a zip does not say."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._at = file, 0

    closed = False

    def __enter__(self) -> BinaryIO:
        return cast(BinaryIO, self)

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> int:
        """Write some bytes; gives how many."""
        self._at += self._file.write(data)
        return len(data)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._at

    def flush(self) -> None:
        """What is written goes out with the zip."""

    def close(self) -> None:
        """A writer that is done leaves the member open until it is left."""
