"""The kinds of file that a release leaves as: the same rows in the same order, whichever is chosen.

``release_rows`` draws the order and the numbers that stand for persons; a format only writes what it made.
"""

from anonlib.release.files.formats import FORMATS, Format, format_of
from anonlib.release.files.rows import ReleasedColumn, ReleasedRows, release_rows

__all__ = ["FORMATS", "Format", "ReleasedColumn", "ReleasedRows", "format_of", "release_rows"]
