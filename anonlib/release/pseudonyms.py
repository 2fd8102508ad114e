"""Pseudonyms by key: a name for each person that is the same in each release to one recipient and for one project.

By default person ids leave as numbers that are drawn for one release. Where a recipient is to follow persons over
releases, ids leave as keyed hashes: who has the key can make them again, and nobody else can, with all ids at hand.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.values.ids import normalised

KEY_BYTES = 32
"""Bytes of a key, which is all that its file holds."""
KEY_FILE = "anonscope-pseudonyms.key"
"""What a file of a key is called where nobody names it."""
MOST_IDS = 5_000_000
"""Most persons of a release whose ids are fetched from a database to be named: half a minute."""
MOST_CHARACTERS = 300
"""Of a recipient or a project."""
MOST_VERSIONS = 1_000_000
_SALT = b"anonscope pseudonyms of persons"  # what the key is used for, and for nothing else
_LETTER = "p"  # in front, so that no pseudonym looks like a number, a date or a formula
_BYTES, _CHARACTERS = 10, 16  # of the hash, and of what they are written as
_ID_DIGITS = 16
_FEWEST_DIFFERENT_BYTES = 16  # of 32 drawn ones about 30 are different


@dataclass(frozen=True)
class Pseudonyms:
    """Under which label persons get pseudonyms: the same persons the same ones under the same label, else others.

    Attributes
    ----------
    recipient, project : str
        For whom and what for, a line each; capitals and blanks do not count.
    key_id : str
        Which key they are made with (:attr:`KeyOfPseudonyms.id`), 16 hexadecimal digits; it tells nothing of it.
    version : int, default 1
        A whole number from 1; another version gives other pseudonyms.
    """

    recipient: str
    project: str
    key_id: str
    version: int = 1

    def __post_init__(self) -> None:
        for name in ("recipient", "project"):
            object.__setattr__(self, name, _line(getattr(self, name), f"The {name} of pseudonyms"))
        is_digits = isinstance(self.key_id, str) and set(self.key_id) <= set("0123456789abcdef")
        if not is_digits or len(self.key_id) != _ID_DIGITS:
            raise InputError(
                f"The key of pseudonyms is named by {_ID_DIGITS} hexadecimal digits: the first of its file's SHA-256.",
                code="key-wrong",
            )
        if checks.whole(self.version, "The version of pseudonyms", 1) > MOST_VERSIONS:
            raise InputError(f"The version of pseudonyms is at most {MOST_VERSIONS:,}.", code="number-out-of-range")

    @property
    def in_words(self) -> str:
        """The label, as part of a sentence."""
        return f"recipient “{self.recipient}”, project “{self.project}”, version {self.version}"

    def is_same_label(self, other: Pseudonyms | None) -> bool:
        """Whether a person has the same pseudonym under both, whatever differs in how they are written."""
        return other is not None and self._parts == other._parts

    @property
    def _parts(self) -> tuple[str, str, str, str]:
        return self.key_id, normalised(self.recipient), normalised(self.project), str(self.version)

    def to_dict(self) -> dict[str, Any]:
        """The label as plain values for JSON, by which its key is named."""
        return {
            "recipient": self.recipient,
            "project": self.project,
            "version": self.version,
            "key": self.key_id,
        }

    @classmethod
    def from_dict(cls, values: object) -> Pseudonyms:
        """The label of such values; the version is 1 where there is none. Raises InputError when they are none."""
        if not isinstance(values, Mapping) or set(values) - {"recipient", "project", "version", "key"}:
            raise InputError(
                "Pseudonyms are a table of recipient, project, version and key, and nothing else.",
                code="setting-unknown",
            )
        if lacking := [name for name in ("recipient", "project", "key") if name not in values]:
            raise InputError(
                f"Pseudonyms lack {words.listed(lacking)}: who they are for, what for, and which key.",
                code="options-missing",
            )
        key_id = checks.text(values["key"], "The key of pseudonyms")
        return cls(values["recipient"], values["project"], key_id, values.get("version", 1))


@dataclass(frozen=True)
class KeyOfPseudonyms:
    """A key of pseudonyms, which is in no project, report or log.

    Attributes
    ----------
    secret : bytes
        Its 32 bytes.
    """

    secret: bytes = field(repr=False)

    @classmethod
    def of(cls, content: bytes) -> KeyOfPseudonyms:
        """The key that a file holds.

        Raises
        ------
        InputError
            When it has not 32 bytes, or they are typed text, alike or repeat, so that they could be tried out.
        """
        if len(content) != KEY_BYTES:
            raise InputError(
                f"This is no key: a file of a key has {KEY_BYTES} bytes and nothing else.", code="key-wrong"
            )
        is_typed = content.isascii() and content.decode("ascii").isprintable()
        repeats = any(content[n:] == content[:-n] for n in range(1, KEY_BYTES // 2 + 1))
        if is_typed or repeats or len(set(content)) < _FEWEST_DIFFERENT_BYTES:
            raise InputError(
                f"This key is text or repeats itself, and could be guessed. Take {KEY_BYTES} drawn bytes.",
                code="key-can-be-guessed",
            )
        return cls(content)

    @property
    def id(self) -> str:
        """Names the key and tells nothing of it: the first 16 hexadecimal digits of its SHA-256."""
        return hashlib.sha256(self.secret).hexdigest()[:_ID_DIGITS]

    def under(self, pseudonyms: Pseudonyms) -> PersonsByKey:
        """What names persons under a label. Raises InputError where that is of another key (:func:`why_not`)."""
        if sentence := why_not(pseudonyms, self):
            raise InputError(sentence, code="key-wrong")
        parts = (normalised(pseudonyms.recipient), normalised(pseudonyms.project), str(pseudonyms.version))
        encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
        label = b"".join(len(part).to_bytes(4, "big") + part for part in encoded)
        return PersonsByKey(derived(self.secret, _SALT, label))


@dataclass(frozen=True)
class PersonsByKey:
    """What names persons under one label.

    Attributes
    ----------
    secret : bytes
        The 32 bytes that are derived for the label from its key.
    """

    secret: bytes = field(repr=False)

    def of(self, ids: Iterable[str], column: str) -> np.ndarray:
        """The pseudonym of each id, a function of the id as :func:`anonlib.values.ids.normalised` has it alone.

        Parameters
        ----------
        ids : Iterable[str]
            Different ids, in any order.
        column : str
            Where they stand, for an error.

        Returns
        -------
        object array of str
            A “p” and 16 characters of a to z and 2 to 7: the first 80 bits of HMAC-SHA-256.

        Raises
        ------
        InputError
            When two ids would get one pseudonym, so that two persons became one.
        """
        plain = [normalised(person_id) for person_id in ids]
        if n_more := len(plain) - len(set(plain)):
            raise InputError(
                f"{words.count(n_more, 'ids')} of “{column}” {'differs' if n_more == 1 else 'differ'} from another one "
                "only in capitals, blanks or a “.0” at the end, so that two persons would get one pseudonym. Write "
                "each person’s id in one way in the file, or let ids leave as random numbers.",
                code="ids-alike",
                column=column,
            )
        pseudonyms = self._of(plain)
        if len(set(pseudonyms)) < len(pseudonyms):
            raise InputError(
                f"Two ids of “{column}” got the same pseudonym by chance. Take another version of the pseudonyms.",
                code="ids-alike",
                column=column,
            )
        return np.array([*pseudonyms, None], dtype=object)[:-1]

    def _of(self, plain: Iterable[str]) -> list[str]:
        digests = (
            hmac.digest(self.secret, person_id.encode("utf-8", "surrogatepass"), "sha256") for person_id in plain
        )
        text = base64.b32encode(b"".join(digest[:_BYTES] for digest in digests)).decode("ascii").lower()
        return [_LETTER + text[start : start + _CHARACTERS] for start in range(0, len(text), _CHARACTERS)]


def new_key() -> bytes:
    """The content of a new file of a key: 32 bytes that the system draws."""
    return secrets.token_bytes(KEY_BYTES)


def why_not(pseudonyms: Pseudonyms, key: KeyOfPseudonyms | None) -> str:
    """Why persons cannot be named with a key, in a sentence that names it by its id alone; "" where they can."""
    if key is None:
        return (
            f"Person ids leave as pseudonyms by the key {pseudonyms.key_id}, which is not here. Give the file of that "
            "key: on the Release page under “Person ids”, or with --pseudonym-key."
        )
    if key.id != pseudonyms.key_id:
        return (
            f"Person ids leave as pseudonyms by the key {pseudonyms.key_id}, and the key that was given is {key.id}. "
            "Give the file of the first one: on the Release page under “Person ids”, or with --pseudonym-key."
        )
    return ""


def derived(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """32 bytes that are derived from a secret for a purpose: HKDF with SHA-256 (RFC 5869)."""
    extracted = hmac.digest(salt, secret, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")


def _line(value: object, what: str) -> str:
    text = " ".join(checks.text(value, what).split())
    if not normalised(text):
        raise InputError(
            f"{what} is empty. Type what is meant: pseudonyms are the same where it is the same.", code="value-is-empty"
        )
    if len(text) > MOST_CHARACTERS or not text.isprintable():
        raise InputError(
            f"{what} must be a line of at most {MOST_CHARACTERS:,} characters that can be printed.",
            code="text-too-long",
        )
    return text
