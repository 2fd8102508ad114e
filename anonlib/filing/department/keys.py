"""The department's keys: files of 32 drawn bytes in the administrator's folder, which are nowhere else.

The register's key recognises persons in later files; who has it and the register can try out who is in a release. A
key of pseudonyms gives persons the names under which a recipient follows them. It goes by a name and a version: a
rotated one gives other pseudonyms, and the versions before it stay, so that what was released can be continued.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from anonlib.basics import disk
from anonlib.basics.errors import InputError
from anonlib.filing.register.folder import RegisterKey
from anonlib.release.pseudonyms import KEY_BYTES, KeyOfPseudonyms, new_key

FOLDER_NAME = "keys"
"""The folder of the keys in the administrator's."""
OF_REGISTER = "register"
"""The name of the register's key, which has one version."""
OF_PSEUDONYMS = "pseudonyms"
"""The name of a key of pseudonyms where the administrator gives none."""
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_FILE = re.compile(r"(?P<name>[a-z][a-z0-9-]{0,39})\.(?P<version>[1-9]\d{0,3})\.key")


@dataclass(frozen=True, order=True)
class KeyName:
    """A key of the department by what names it, and nothing of the key.

    Attributes
    ----------
    name : str
        Small letters, digits and hyphens.
    version : int
        From 1.
    id : str
        The first 16 hexadecimal digits of its SHA-256.
    made : str
        The day on which its file was written, as ``2026-12-01``.
    """

    name: str
    version: int
    id: str
    made: str

    @property
    def in_words(self) -> str:
        """The key as part of a sentence or a choice."""
        return f"{self.name}, version {self.version}"


@dataclass(frozen=True)
class Keys:
    """The keys in the administrator's folder.

    Attributes
    ----------
    folder : Path
        The administrator's.
    """

    folder: Path

    def names(self) -> tuple[KeyName, ...]:
        """The keys that are there, by name, the newest version first.

        Raises
        ------
        InputError
            When one cannot be read, or is none that was drawn.
        """
        places = [(match, path) for path in self._files() if (match := _FILE.fullmatch(path.name))]
        names = [KeyName(match["name"], int(match["version"]), _read(path).id, _day_of(path)) for match, path in places]
        return tuple(sorted(names, key=lambda key: (key.name, -key.version)))

    def of_pseudonyms(self) -> tuple[KeyName, ...]:
        """The keys of pseudonyms that are there. Raises InputError as :meth:`names` does."""
        return tuple(key for key in self.names() if key.name != OF_REGISTER)

    def key(self, name: str, version: int) -> KeyOfPseudonyms:
        """A key of pseudonyms. Raises InputError where there is none of this name and version."""
        if name == OF_REGISTER:
            raise InputError("The register's key gives no pseudonyms. Choose another key.", code="key-wrong")
        return _read(self._place(name, version))

    def key_of_register(self) -> RegisterKey | None:
        """The register's key; None before there is one. Raises InputError where it is none that was drawn."""
        place = self._place(OF_REGISTER, 1)
        return RegisterKey(_read(place).secret) if place.exists() else None

    def make(self, name: str = OF_PSEUDONYMS) -> KeyName:
        """Draw a key of a new name.

        Raises
        ------
        InputError
            When there is one of this name, which is rotated instead; when the name cannot be one; or when the file
            cannot be written.
        """
        if self._versions(name):
            raise InputError(
                f"There is a key “{name}” already. Rotate it for another version, or make one of another name.",
                code="name-taken",
            )
        return self._write(name, 1, new_key())

    def rotate(self, name: str = OF_PSEUDONYMS) -> KeyName:
        """Draw another version of a key; those before it stay.

        Raises
        ------
        InputError
            When there is none of this name, it is the register's, or the file cannot be written.
        """
        if name == OF_REGISTER:
            raise InputError(
                "The register's key is not rotated: persons that were entered under it would not be recognised any "
                "more.",
                code="key-wrong",
            )
        versions = self._versions(name)
        if not versions:
            raise InputError(f"There is no key “{name}” to rotate. Make it first.", code="key-not-found")
        return self._write(name, max(versions) + 1, new_key())

    def take_key_of_register(self, key: RegisterKey) -> None:
        """Let a register's key be the department's, also in place of one under which nobody was entered.

        Raises
        ------
        InputError
            When the file cannot be written.
        """
        self._write(OF_REGISTER, 1, key.secret, replaces=True)

    def _versions(self, name: str) -> list[int]:
        self._place(name, 1)
        matches = [match for path in self._files() if (match := _FILE.fullmatch(path.name))]
        return [int(match["version"]) for match in matches if match["name"] == name]

    def _files(self) -> list[Path]:
        try:
            return sorted((self.folder / FOLDER_NAME).iterdir())
        except FileNotFoundError:
            return []
        except OSError:
            raise InputError(
                f"The folder {FOLDER_NAME} in the folder of [store] cannot be read. Check that you may enter it.",
                code="file-unreadable",
            ) from None

    def _place(self, name: str, version: int) -> Path:
        if not _NAME.fullmatch(name):
            raise InputError(
                "The name of a key has at most 40 small letters, digits and hyphens, and begins with a letter.",
                code="name-missing",
            )
        return self.folder / FOLDER_NAME / f"{name}.{version}.key"

    def _write(self, name: str, version: int, secret: bytes, replaces: bool = False) -> KeyName:
        place = self._place(name, version)
        part = disk.beside(place)
        try:
            place.parent.mkdir(mode=0o700, exist_ok=True)
            disk.fill(part, secret, 0o600)
            if replaces:
                os.replace(part, place)
            else:
                disk.put(part, place)
        except FileExistsError:
            raise InputError(
                f"Another program made the key “{name}” at this moment. Look at the keys, and try again if you still "
                "need one.",
                code="name-taken",
            ) from None
        except OSError:
            raise InputError(
                f"The key “{name}” could not be written into the folder of [store]. Check that you may write there, "
                "and that there is room.",
                code="file-not-writable",
            ) from None
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        return KeyName(name, version, KeyOfPseudonyms(secret).id, _day_of(place))


def _read(place: Path) -> KeyOfPseudonyms:
    """The key in a file, which becomes one for its owner alone where everybody may read it."""
    name = place.name.partition(".")[0]
    try:
        with disk.opened_to_read(place) as file:
            disk.close_to_others(file)
            content = file.read(KEY_BYTES + 1)
    except FileNotFoundError:
        raise InputError(
            f"This version of the key “{name}” is not there. Choose one that is listed, or put its file back.",
            code="key-not-found",
        ) from None
    except OSError:
        raise InputError(
            f"The key “{name}” cannot be read. Let the account that runs Anonscope read its file.",
            code="file-unreadable",
        ) from None
    try:
        return KeyOfPseudonyms.of(content)
    except InputError as error:
        raise InputError(
            f"The file of the key “{name}” is no key that was drawn. Put a copy of the right one in its place.",
            code=error.code,
        ) from None


def _day_of(place: Path) -> str:
    return datetime.fromtimestamp(place.stat().st_mtime, UTC).date().isoformat()
