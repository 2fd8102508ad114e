"""Reading files and tables safely and exactly: every cell as the text it is, every assumption stated.

>>> from anonlib.reading.sources import open_source
>>> source = open_source(b"zip;age\\n02138;44\\n02139;\\n", "visits.csv")
>>> source.frame["zip"].tolist(), source.reading.delimiter_name
(['02138', '02139'], 'semicolon')
"""

from anonlib.reading.sources.described import LONGEST_TITLE, MEASURES, Described, by_name, known_labels, labels_of
from anonlib.reading.sources.doubts import Lookalike, doubts_about, lookalikes, merge_lookalikes, one_spelling
from anonlib.reading.sources.encodings import ENCODINGS, encoding_name
from anonlib.reading.sources.marks import (
    DEFAULT_MARKS,
    MarkCandidate,
    apply_missing_marks,
    marked,
    marks_of_column,
    missing_mark_candidates,
)
from anonlib.reading.sources.opening import AS_FOUND, open_source
from anonlib.reading.sources.reading import DELIMITER_NAMES, Limits, Reading, ReadOptions, Source
from anonlib.reading.sources.sniff import display_name, kind_of
from anonlib.reading.sources.tables import ibis_table

__all__ = [
    "AS_FOUND",
    "DEFAULT_MARKS",
    "DELIMITER_NAMES",
    "ENCODINGS",
    "LONGEST_TITLE",
    "MEASURES",
    "Described",
    "Limits",
    "Lookalike",
    "MarkCandidate",
    "ReadOptions",
    "Reading",
    "Source",
    "apply_missing_marks",
    "by_name",
    "display_name",
    "doubts_about",
    "encoding_name",
    "ibis_table",
    "kind_of",
    "known_labels",
    "labels_of",
    "lookalikes",
    "marked",
    "marks_of_column",
    "merge_lookalikes",
    "missing_mark_candidates",
    "one_spelling",
    "open_source",
]
