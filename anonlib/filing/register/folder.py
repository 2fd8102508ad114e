"""The folder of a register as an officer names it, and the key in it: 32 secret bytes that recognise persons."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from anonlib.basics import disk, words
from anonlib.basics.errors import InputError
from anonlib.release.pseudonyms import KeyOfPseudonyms

_LONGEST_NAME = 60


def called(folder: Path) -> str:
    """What a folder is called in a sentence: the last part of its path alone."""
    name = words.escaped(folder.name) or "this folder"
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def existing(folder: Path | str) -> Path:
    """The folder that is named. Raises InputError where there is none."""
    if not str(folder).strip():
        raise InputError("Name the folder of the register.", code="folder-missing")
    path = Path(folder)
    try:
        is_there = path.is_dir()
    except OSError:
        is_there = False
    if not is_there:
        raise InputError(
            f"There is no folder “{called(path)}” at this place, or it cannot be entered. Name one that is there: "
            "none is made.",
            code="folder-missing",
        )
    return path


KEY_NAME = "anonscope-register.key"
"""The name of the file."""
_BYTES = 32
_PURPOSE = b"person"  # and no name of a column, so that an id is found in whichever column it stands
_BYTES_OF_DIGEST = 8


@dataclass(frozen=True)
class RegisterKey:
    """The key of a register.

    Attributes
    ----------
    secret : bytes
        Its 32 bytes.
    """

    secret: bytes = field(repr=False)

    @property
    def id(self) -> str:
        """Names the key and tells nothing of it: the first 16 hexadecimal digits of its SHA-256."""
        return hashlib.sha256(self.secret).hexdigest()[:16]

    @property
    def of_pseudonyms(self) -> KeyOfPseudonyms:
        """The same bytes as a key of pseudonyms, which are derived for another purpose: none is a digest of here."""
        return KeyOfPseudonyms(self.secret)

    def digests(self, ids: Iterable[str]) -> np.ndarray:
        """What normalised ids are kept as: the first 8 bytes of HMAC-SHA-256 over ``person`` and the id.

        Returns
        -------
        ndarray of uint64, little-endian
            Ascending, each once.
        """
        digests = b"".join(
            hmac.digest(self.secret, _PURPOSE + id_.encode("utf-8", "surrogatepass"), "sha256")[:_BYTES_OF_DIGEST]
            for id_ in ids
        )
        return np.unique(np.frombuffer(digests, dtype="<u8"))


def make_key(folder: Path) -> RegisterKey:
    """The key in a folder, drawn and written where there is none; one that is there is never replaced.

    Raises
    ------
    InputError
        Where it cannot be written or read.
    """
    place = folder / KEY_NAME
    if not place.exists():
        part = disk.beside(place)
        try:
            disk.fill(part, secrets.token_bytes(_BYTES), 0o600)
            with suppress(FileExistsError):  # another program made one at this moment: that one counts
                disk.put(part, place)
        except OSError:
            raise InputError(
                f"The key of the register could not be written into “{called(folder)}”. Check that you may write "
                "there, and that there is room.",
                code="register-not-writable",
            ) from None
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
    return read_key(folder)


def read_key(folder: Path) -> RegisterKey:
    """The key in a folder, which becomes one for its owner alone where everybody may read it.

    Raises InputError where there is none, or none of 32 bytes, or one that could be guessed.
    """
    name = called(folder)
    try:
        with disk.opened_to_read(folder / KEY_NAME) as file:
            disk.close_to_others(file)
            secret = file.read(_BYTES + 1)
    except FileNotFoundError:
        raise InputError(
            f"The key of the register in “{name}” is missing. Put the file {KEY_NAME} back where the register is: no "
            "other key recognises the persons in it.",
            code="register-key-missing",
        ) from None
    except OSError:
        raise InputError(
            f"The key of the register in “{name}” cannot be read. Check that you may read the file {KEY_NAME}.",
            code="register-not-readable",
        ) from None
    if len(secret) != _BYTES:
        raise InputError(
            f"The file {KEY_NAME} in “{name}” is no key of a register: it must have {_BYTES} bytes. Put a copy of the "
            "right one in its place.",
            code="register-key-wrong",
        )
    try:
        KeyOfPseudonyms.of(secret)
    except InputError:
        raise InputError(
            f"The file {KEY_NAME} in “{name}” is text or repeats itself, and is no key that was drawn. Put a copy of "
            "the right one in its place.",
            code="key-can-be-guessed",
        ) from None
    return RegisterKey(secret)
