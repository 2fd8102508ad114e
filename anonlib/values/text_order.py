"""Texts as Arrow holds them, and their order by code point, soon found of millions of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_LONGEST = 8  # bytes that fit into one number


def arrow_texts(texts: Sequence[str] | np.ndarray) -> pa.Array | None:
    """Texts as large strings of Arrow; None where a lone surrogate is among them, which has no UTF-8."""
    try:
        return pa.array(texts, pa.large_string())
    except (UnicodeEncodeError, pa.ArrowException):
        return None


def text_order(texts: Sequence[str] | np.ndarray | pa.Array) -> np.ndarray:
    """Positions that sort distinct texts by code point, which is also the order of their bytes in UTF-8.

    Parameters
    ----------
    texts : Sequence[str] | np.ndarray | pa.Array
        Distinct texts (where two are equal, any of them may come first).

    Returns
    -------
    intp array

    Examples
    --------
    >>> text_order(["b", "a", "B"]).tolist()
    [2, 1, 0]
    """
    arrow = texts if isinstance(texts, pa.Array) else arrow_texts(texts)
    if arrow is None:
        return np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.intp)
    numbers = _numbers(arrow)
    if numbers is None:
        return pc.sort_indices(arrow).to_numpy().astype(np.intp)
    return np.argsort(numbers)


def text_bytes(texts: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Where each of some large strings begins in the bytes of all, and where the last ends (int64); and the bytes."""
    _, offsets, content = texts.buffers()
    begins = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return begins, np.frombuffer(content, np.uint8) if content is not None else np.empty(0, np.uint8)


def _numbers(texts: pa.Array) -> np.ndarray | None:
    """Short texts as numbers that are ordered as they are; None where one is longer than a number or holds a NUL."""
    begins, content = text_bytes(texts)
    lengths = np.diff(begins)
    content = content[begins[0] : begins[-1]]
    if not content.size or lengths.max() > _LONGEST or not content.all():
        return None
    numbers = np.zeros(len(texts), dtype=np.uint64)
    for i in range(_LONGEST):
        places = np.minimum(begins[:-1] - begins[0] + i, len(content) - 1)
        numbers = (numbers << np.uint64(8)) | np.where(i < lengths, content[places], 0).astype(np.uint64)
    return numbers
