"""Numbers that Stata, SAS and SPSS files declare as days or periods, by whatever format shows them."""

from __future__ import annotations

import datetime

import pandas as pd
import pyreadstat
import pytest

from anonlib.reading.sources import open_source
from anonlib.reading.sources.cell_texts import period_texts

DAY = datetime.date(2013, 4, 2)
DAYS = (DAY - datetime.date(1960, 1, 1)).days
SECONDS_OF_SPSS = (DAY - datetime.date(1582, 10, 14)).days * 86_400
WRITE = {"dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport, "sav": pyreadstat.write_sav}


@pytest.mark.parametrize(
    ("kind", "declared", "stored", "text"),
    [
        *[("dta", form, DAYS, "2013-04-02") for form in ("%td", "%d", "%tdCY", "%tdNN/DD/YY", "%-tdD_m_Y")],
        ("dta", "%tcDD/NN/CCYY_HH:MM", DAYS * 86_400_000, "2013-04-02"), ("dta", "%tmCCYY-NN", 639, "2013-04"),
        ("dta", "%-tq", 213, "2013-Q2"), ("dta", "%ty", 2013, "2013"), ("dta", "%9.0g", DAYS, str(DAYS)),
        *[("xpt", form, DAYS, "2013-04-02") for form in ("DATE9", "JULIAN7", "MONNAME9", "QTR1", "WEEKU5", "YYMMDDN8")],
        *[("xpt", form, DAYS, "2013-04") for form in ("MONYY7", "YYMMN6", "MMYYS7")],
        ("xpt", "YYQ6", DAYS, "2013-Q2"), ("xpt", "YEAR4", DAYS, "2013"), ("xpt", "WEEKLY", DAYS, str(DAYS)),
        ("xpt", "DTDATE9", DAYS * 86_400, "2013-04-02"), ("xpt", "DTYEAR4", DAYS * 86_400, "2013"),
        ("sav", "MOYR8", SECONDS_OF_SPSS, "2013-04"), ("sav", "QYR8", SECONDS_OF_SPSS, "2013-Q2"),
        ("sav", "MONTH9", 4, "April"), ("sav", "F8.2", 4, "4"),
    ],
)  # fmt: skip
def test_a_declared_day_or_period_is_written_as_such(tmp_path, kind, declared, stored, text):
    path = tmp_path / f"a.{kind}"
    frame = pd.DataFrame({"adm": [float(stored)] * 3 + [None], "age": [61.0, 62.0, 63.0, 64.0]})
    WRITE[kind](frame, path, variable_format={"adm": declared})
    assert open_source(path.read_bytes(), path.name).frame["adm"].dropna().unique().tolist() == [text]


def test_all_columns_keep_their_days_where_one_cannot_be_converted(tmp_path):
    frame = pd.DataFrame({"adm": [float(DAYS)] * 3, "seen": [float(DAYS * 86_400)] * 3})
    pyreadstat.write_xport(frame, tmp_path / "a.xpt", variable_format={"adm": "DATE9", "seen": "DTDATE9"})
    read = open_source((tmp_path / "a.xpt").read_bytes(), "a.xpt").frame
    assert {*read["adm"], *read["seen"]} == {"2013-04-02"}


def test_a_number_beyond_all_days_stays_a_number():
    assert period_texts([9e14, None, ".a"], "%td", "Stata") == [9e14, None, ".a"]
