"""Occupations and industries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.columns.codes import CodeSystem
from anonlib.columns.codes.work import WORK
from tests.helpers.examples import settings
from tests.helpers.nested_codes import columns_of, known_as, levels_on

BY_KEY = {system.key: system for system in WORK}
EXAMPLES = {
    "isco-08": ["2211", "2212", "2221", "221", "22", "0110", "9629"],
    "us-soc": ["29-1141", "291141", "29-1141.00", "29-1171", "29-2061", "11-1011"],
    "nace-2": ["86.10", "8610", "Q86", "Q86.10", "86.2", "86", "Q", "01.11", "86.10Z"],
    "naics": ["622110", "62211", "622", "62", "311111", "332", "44-45", "445110"],
}


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


@pytest.mark.parametrize(
    ("name", "values", "key"),
    [
        ("isco08", ["2211", "2212"], "isco-08"),
        ("ISCO_code", ["2211", "2212"], "isco-08"),
        ("occupation", ["2211", "2212"], None),  # of which system?
        ("soc", ["29-1141", "11-1011"], "us-soc"),
        ("soc", ["10007541", "10029205"], None),  # a system organ class of MedDRA
        ("nace", ["86.10", "Q86"], "nace-2"),
        ("icd", ["Q86", "Q87", "C50"], None),
        ("naics_2017", ["622110", "332"], "naics"),
        ("x", ["622110", "29-1141", "2211"], None),
    ],
)
def test_recognised(name: str, values: list[str], key: str | None):
    assert known_as(WORK, values, name) == key


@pytest.mark.parametrize("system", WORK, ids=lambda system: system.key)
@given(data=st.data())
@settings(100)
def test_levels_are_nested_whatever_stands_there(system: CodeSystem, data: st.DataObject):
    levels_on(system, data.draw(columns_of(system, st.sampled_from(EXAMPLES[system.key]))))
