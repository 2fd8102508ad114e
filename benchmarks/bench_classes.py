"""Counting the classes of Adult, and the figures of the Risk page on it."""

from __future__ import annotations

from anonlib.analyses.risk import assess, attribute_contributions, sensitive_risk
from anonlib.counting.classes import ClassTable
from anonlib.reading.sources import open_source
from benchmarks.measuring import ADULT_NINE, Row, adult_bytes, complete, seconds, spoken


def rows() -> list[Row]:
    content = adult_bytes()
    frame = complete(open_source(content, "adult.csv").frame)
    classes = ClassTable.from_frame(frame, ADULT_NINE)
    assert (classes.n_records, classes.n_classes) == (30_162, 19_502)
    known = classes.project(ADULT_NINE[:-1])

    codes = seconds(lambda: ClassTable.from_frame(frame, ADULT_NINE), 21)
    csv = seconds(lambda: ClassTable.from_frame(open_source(content, "adult.csv").frame, ADULT_NINE))
    return [
        Row("Adult, 30,162 records x 9 attributes, codes to 19,502 classes", spoken(codes), "< 50 ms", codes < 0.05),
        Row(
            f"Adult, 32,561 records, from the bytes of the CSV ({len(content) / 1e6:.1f} MB, 15 columns) to classes",
            spoken(csv),
            "< 300 ms",
            csv < 0.3,
        ),
        Row(
            "k, uniqueness, anonymity vector, prosecutor and marketer",
            spoken(seconds(lambda: assess(known))),
        ),
        Row("What each of 8 quasi-identifiers adds", spoken(seconds(lambda: attribute_contributions(known)))),
        Row(
            "l-diversity and t-closeness of salary, 8 quasi-identifiers, from the classes",
            spoken(seconds(lambda: sensitive_risk(classes, ADULT_NINE[:-1], "salary"))),
        ),
    ]
