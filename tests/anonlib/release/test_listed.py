"""What is not understood does not leave as “met”: ages, births and parts of dates, recounted in what leaves."""

from __future__ import annotations

import re
from datetime import date

import ibis
import pandas as pd
import pytest

from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.project import Project
from anonlib.reading.records import table as records_in_an_engine
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import with_safe_harbor
from anonlib.verdict.criteria import Accepted, Aim, Case, SafeHarbor, State, Verdict, judge
from tests.helpers.safe_harbor import SEX, data_of, finding, released
from tests.helpers.small_release import QI


@pytest.mark.parametrize(
    "ages",
    [
        ["34 years", "95 years", "101 years"],
        ["34", "57", "unknown", "101", "97"],
        ["34", "45?", "91", "98"],
        ["012Y", "093Y", "018M", "096Y"],
        ["2 anni", "95 anni", "6 mesi", "91 anni"],
        ["ca. 95", "~91", "ca. 30"],
        ["P95Y", "P34Y", "P92Y"],
        ["34", "adult", "95", "97"],
    ],
)
@pytest.mark.parametrize("name", ["age", "Alter"])
def test_ages_over_89_however_they_are_written(ages: list[str], name: str) -> None:
    data = data_of({name: ages, "sex": SEX})
    assert finding(data).state is State.NOT_MET
    left = released(data, name)
    numbers = [int(number) for text in left for number in re.findall(r"\d+", text) if not text.endswith("M")]
    assert [number for number in numbers if number >= 90] == [90] and "90+" in left


@pytest.mark.parametrize("odd", ["95 F", "Xk3", "hunderteins"])
def test_one_cell_that_cannot_be_read_cannot_be_checked(odd: str) -> None:
    data = data_of({"age": [*map(str, range(20, 60)), odd], "sex": SEX})
    open_finding = finding(data)
    assert open_finding.state is State.UNKNOWN
    assert "3 cells of age as ages (1 different value)" in open_finding.says and odd not in open_finding.says
    assert "*" in released(data, "age")


@pytest.mark.parametrize("dates", [["2019", "2020", "unbekannt"], ["2019", "n/a", "--"], ["1999-2003", "sin datos"]])
def test_years_beside_words_for_none_are_met(dates: list[str]) -> None:
    assert finding(data_of({"discharge_date": dates, "sex": SEX})).state is State.MET


def test_a_date_that_cannot_be_read_cannot_be_checked() -> None:
    data = data_of({"discharge_date": ["2019", "2020", "still here"], "sex": SEX})
    open_finding = finding(data)
    assert open_finding.state is State.UNKNOWN
    assert "3 cells of discharge_date as dates (1 different value)" in open_finding.says
    assert released(data, "discharge_date") == {"2019", "2020", "*"}
    assert finding(data_of({"discharge_date": ["still here"], "sex": SEX})).state is State.UNKNOWN, "of one value too"
    with_day = data_of({"discharge_date": ["2019", "3 May 2020", "still here"], "sex": SEX})
    assert finding(with_day).state is State.NOT_MET


def test_three_digits_stay_beside_words() -> None:
    words = data_of({"zip": ["021", "945", "unknown", "homeless"], "sex": SEX})
    assert finding(words).state is State.NOT_MET
    recipe = with_safe_harbor(Recipe(), words)
    assert set(recipe.apply(words).released.held.values("zip").tolist()) == {"021", "945", "unknown", "*"}


def test_a_reason_holds_for_the_values_that_could_not_be_read_and_no_others() -> None:
    def judged(odd: list[str], accepted: list[Accepted]) -> Verdict:
        data = data_of({"age": [*map(str, range(20, 60)), *odd], "sex": SEX})
        return judge(Case(Recipe().apply(data), Recipe()), [SafeHarbor()], recipient="Own criteria", accepted=accepted)

    accepted = Accepted.of(judged(["Xk3", "Yb"], []).findings[0], "Codes of the ward.")
    assert accepted.columns == ("age",) and dict(accepted.values) == {"age": ("Xk3", "Yb")}
    assert judged(["Xk3", "Yb"], [accepted]).may_leave and judged(["Yb"], [accepted]).may_leave
    assert not judged(["Xk3", "Yb", "Zc"], [accepted]).may_leave, "one more value"
    assert not judged(["Xk3", "95 years"], [accepted]).may_leave, "an age over 89"


def test_a_reason_on_ages_does_not_answer_what_else_is_open() -> None:
    data = data_of({"age": ["33", "Xk3"], "zip": ["021", "945"], "sex": SEX})
    case = Case(Recipe().apply(data), Recipe())
    open_finding = SafeHarbor().check(case)
    assert open_finding.columns == ("age", "zip") and "population table" in open_finding.says
    of_ages = Accepted(SafeHarbor(), "Codes of the ward.", columns=("age",), values=(("age", ("Xk3",)),))
    assert not judge(case, [SafeHarbor()], recipient="Own criteria", accepted=[of_ages]).may_leave


def test_values_of_a_confidential_column_are_not_saved_with_a_reason() -> None:
    accepted = Accepted(SafeHarbor(), "Codes.", columns=("age", "onset"), values=(("age", ("Xk3",)), ("onset", ("Q",))))
    roles = {"age": QI, "onset": Role.SENSITIVE}
    saved = Project.from_json(Project(roles=roles, aim=Aim(accepted=(accepted,))).to_json()).aim.accepted
    assert saved == (Accepted(SafeHarbor(), "Codes.", columns=("age",), values=(("age", ("Xk3",)),)),)
    all_sensitive = Project(roles=dict.fromkeys(roles, Role.SENSITIVE), aim=Aim(accepted=(accepted,)))
    assert Project.from_json(all_sensitive.to_json()).aim.accepted == ()


def test_ages_of_which_an_engine_holds_too_many_are_not_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_in_an_engine, "MOST_VALUES", 30)
    table = ibis.memtable(pd.DataFrame({"age": [f"{20 + i / 10}" for i in range(300)], "sex": SEX * 150}))
    data = Dataset.from_ibis(table, roles={"age": QI, "sex": QI})
    assert finding(data).state is State.NOT_MET
    recipe = with_safe_harbor(Recipe(), data)
    assert recipe.apply(data).released.columns == ["sex"] and finding(data, recipe).state is State.MET


def test_months_and_words_of_groups_are_no_ages_over_89() -> None:
    months = data_of({"age_in_months": [str(number) for number in range(38, 219)], "sex": SEX})
    words = data_of({"age": ["child", "adult", "infant", "6 mo", "44", ">89"], "sex": SEX})
    assert finding(months).state is State.MET and finding(words).state is State.MET


def test_ages_in_months_are_put_together_in_years() -> None:
    data = data_of({"age_months": ["12", "240", "1079", "1080", "1200"], "sex": SEX})
    assert finding(data).state is State.NOT_MET
    assert released(data, "age_months") == {"12", "240", "1079", "90+ years"}


BIRTHS = [f"{year}-03-0{1 + year % 9}" for year in range(1918, 2000)]


@pytest.mark.parametrize(
    ("columns", "births", "last"),
    [
        ({"dob": BIRTHS, "scan": ["2023-05-01 10:00", "2022-01-03 11:30"]}, "dob", 2023),
        ({"BRTHDTC": BIRTHS, "RFSTDTC": ["2022-05-01", "2023-02-01"], "DTHDTC": ["2024-01-02"]}, "BRTHDTC", 2024),
        (
            {"annee_naiss": [each[:4] for each in BIRTHS], "visit_date": ["2023-01-02", "2022-03-04"]},
            "annee_naiss",
            2023,
        ),
        ({"date_of_birth": BIRTHS}, "date_of_birth", date.today().year),
        ({"yob": [each[:4] for each in BIRTHS], "ward": ["a", "b"]}, "yob", date.today().year),
        ({"birth_date": BIRTHS, "period_end": ["2022-01-02", "2099-12-31", "2023-04-05"]}, "birth_date", 2023),
        ({"birth_date": BIRTHS, "end_date": ["2022-01-02", "9999-12-31", "2023-04-05"]}, "birth_date", 2023),
    ],
)
def test_births_that_show_an_age_over_89(columns: dict[str, list[str | None]], births: str, last: int) -> None:
    data = data_of(columns)
    assert finding(data).state is State.NOT_MET
    left = released(data, births)
    oldest = f"<{last - 89}"
    today = f"<{date.today().year - 89}"  # where a date that was one of many days is one year for all
    assert left & {oldest, today}
    years = [int(text) for text in left if text.isdigit()]
    assert min(years) > last - 90, "nobody of 90 or more is told by a year"
    assert len(years) > 50, "an open end does not put all births together"


def test_the_year_of_the_case_is_kept_in_its_project() -> None:
    data = data_of({"yob": [str(year) for year in range(1925, 1990)], "sex": SEX})
    states = {}
    for year in (2010, 2030):
        aim = Project.from_json(Project(aim=Aim(year=year)).to_json()).aim
        assert aim.year == year
        states[year] = SafeHarbor().check(Case(Recipe().apply(data), Recipe(), year=aim.year)).state
    assert states == {2010: State.MET, 2030: State.NOT_MET}


def test_years_of_two_digits_do_not_lie_after_the_last_event() -> None:
    births = [f"2{year % 8}-07-{year % 100:02}" for year in range(1926, 1999)]
    data = data_of({"birth_date": births, "admission_date": ["2024-08-01", "2025-09-13"]})
    left = released(data, "birth_date")
    assert {int(text) for text in left if text.isdigit()} <= set(range(1930, 2000)) and any(
        "<" in text for text in left
    )


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("DIAGDAT", ["2013-01-02", "2013-06-00", "2014-03-17", "2014-05-00"]),
        ("x1", ["2014-08-12", "2013-10-UN", "UN-APR-2013", "2014-08-10", "2013-06-14"]),
        ("Aufnahmewoche", ["KW 01/2013", "KW 07/2013", "KW 33/2014"]),
        ("kw", ["33/2014", "01/2013", "07/2013"]),
        ("outcome", ["alive", "died 04/2013", "died 11/2014", "lost"]),
        ("season", ["2013-Q1", "2014-Q3", "2013-Q2"]),
        ("created", ["18-SEP-20 09.09.56.201477 AM", "04-OCT-19 09.01.17.871110 PM"]),
    ],
)
def test_parts_of_a_year_do_not_leave(name: str, values: list[str | None]) -> None:
    data = data_of({name: values, "sex": SEX})
    assert finding(data).state is State.NOT_MET
    left = released(data, name)
    assert all(re.fullmatch(r"\d{4}|\*|alive|lost", text) for text in left), left


def test_ordinary_columns_stay_ordinary() -> None:
    data = data_of(
        {
            "age": [str(age) for age in range(18, 85)],
            "version": ["ISO 9001-2008", "GOLD 2019", "AJCC 2017"],
            "hours": ["12", "96", "120"],
            "stay": ["3 days", "12 days", "95 days"],
            "diagnosis": ["E11.9", "I21.4", "N39.0"],
            "year": ["2021", "2022", "2023"],
        }
    )
    assert finding(data).state is State.MET
