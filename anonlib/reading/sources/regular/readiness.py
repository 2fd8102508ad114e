"""A small text of regular rows, after which all that reads them is compiled."""

from __future__ import annotations

from anonlib.reading.sources.regular.rows import read_regular


def get_ready() -> None:
    """Read a few made-up rows: some seconds where no machine code is kept, a tenth of one where it is."""
    read_regular(memoryview(b'1,"two"\n1,a longer text than eight\n'), ",", '"', 2, 2)
