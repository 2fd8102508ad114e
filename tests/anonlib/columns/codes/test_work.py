"""Occupations and industries."""

from __future__ import annotations

import pytest

from anonlib.columns.codes.work import WORK

BY_KEY = {system.key: system for system in WORK}


@pytest.mark.parametrize(
    ("key", "code", "groups"),
    [
        ("isco-08", "2211", ("221", "22", "2")),  # general practitioners
        ("isco-08", "0110", ("011", "01", "0")),
        ("isco-08", "22", ("22", "22", "2")),
        ("isco-08", "110", None),  # 0110 without its zero, or no code
        ("isco-08", "2711", None),
        ("isco-08", "22111", None),
        ("us-soc", "29-1141", ("29-114*", "29-1***", "29-****")),  # registered nurses
        ("us-soc", "291141", ("29-114*", "29-1***", "29-****")),
        ("us-soc", "29-1141.01", ("29-114*", "29-1***", "29-****")),  # as O*NET writes
        ("us-soc", "28-1141", None),
        ("us-soc", "57-1141", None),
        ("us-soc", "29-1*", None),
        ("nace-2", "86.10", ("86.1", "86", "Q")),  # hospital activities
        ("nace-2", "8610", ("86.1", "86", "Q")),
        ("nace-2", "Q86", ("86", "86", "Q")),
        ("nace-2", "q.86.10", ("86.1", "86", "Q")),
        ("nace-2", "86.10Z", ("86.1", "86", "Q")),  # as NAF writes
        ("nace-2", "01.11", ("01.1", "01", "A")),
        ("nace-2", "P86", None),  # is in Q
        ("nace-2", "04.10", None),  # no such division
        ("naics", "622110", ("62211", "6221", "622", "62")),  # general hospitals
        ("naics", "332", ("332", "332", "332", "31-33")),
        ("naics", "44-45", ("44-45", "44-45", "44-45", "44-45")),
        ("naics", "999999", None),
    ],
)
def test_groups(key: str, code: str, groups: tuple[str, ...] | None):
    assert BY_KEY[key].groups_of(code) == groups


def test_how_many_groups_there_are():
    """ISCO-08 has 10 major and 43 sub-major groups, NACE rev. 2 21 sections and 88 divisions, NAICS 20 sectors, the
    SOC 23 major groups."""
    two = [f"{number:02d}" for number in range(100)]
    isco, nace, naics = (BY_KEY[key] for key in ("isco-08", "nace-2", "naics"))
    known = [code for code in two if isco.groups_of(code)]
    assert (len(known), len({*isco.labels(known, "major groups")})) == (43, 10)
    known = [code for code in two if nace.groups_of(code)]
    assert (len(known), len({*nace.labels(known, "sections")})) == (88, 21)
    known = [code for code in two if naics.groups_of(code)]
    assert len({*naics.labels(known, "sectors")}) == 20
    assert sum(BY_KEY["us-soc"].groups_of(f"{code}-1011") is not None for code in two) == 23
