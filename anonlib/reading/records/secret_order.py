"""Orders that nobody can tell who does not have the key."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

BETWEEN = "\x1f"
"""What stands between the cells of a row where they are one text."""


def keyed(secret: bytes) -> str:
    """What stands before a text whose hash decides its place: the secret in hexadecimal digits."""
    return secret.hex() + " "


def hashes(texts: Iterable[str], secret: bytes = b"") -> list[str]:
    """SHA-256 of the secret and each text, as :func:`anonlib.reading.records.draws.hash_of` has it."""
    key = keyed(secret)
    return [hashlib.sha256((key + text).encode("utf-8", "surrogatepass")).hexdigest() for text in texts]


def contents(rows: Iterable[tuple[str, ...]]) -> list[str]:
    """The cells of each row as one text, missing ones "", as :func:`anonlib.reading.records.draws.content` has it."""
    return [BETWEEN + BETWEEN.join(cells) for cells in rows]


def places(texts: Iterable[str], secret: bytes) -> list[int]:
    """The place of each different text, from 0, by the SHA-256 of the secret and the text."""
    found = hashes(texts, secret)
    order = sorted(range(len(found)), key=found.__getitem__)
    place_of = [0] * len(order)
    for place, i in enumerate(order):
        place_of[i] = place
    return place_of
