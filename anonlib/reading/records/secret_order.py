"""Orders that nobody can tell who does not have the key."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def keyed(secret: bytes) -> str:
    """What stands before a text whose hash decides its place: the secret in hexadecimal digits."""
    return secret.hex() + " "


def places(texts: Iterable[str], secret: bytes) -> list[int]:
    """The place of each different text, from 0, by the SHA-256 of the secret and the text."""
    key = keyed(secret)
    hashes = [hashlib.sha256((key + text).encode("utf-8", "surrogatepass")).hexdigest() for text in texts]
    order = sorted(range(len(hashes)), key=hashes.__getitem__)
    found = [0] * len(order)
    for place, i in enumerate(order):
        found[i] = place
    return found
