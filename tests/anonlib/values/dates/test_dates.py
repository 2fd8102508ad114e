"""Every form of a date in every place that asks what a date is; and what is none."""

from __future__ import annotations

import csv
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import suggested_hierarchy
from anonlib.coarsening.recoding import DateUnit
from anonlib.columns.identifiers import kind_of_name
from anonlib.columns.roles import Role, suggest_roles
from anonlib.dataset import Dataset
from anonlib.release.codebook import codebook
from anonlib.release.export import draws_for, released_csv
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import safe_harbor_steps
from anonlib.release.steps import Recode
from anonlib.release.suggestions import suggested_recoding
from anonlib.values.dates import read_dates, shifted, to_dates
from anonlib.verdict.criteria import Case, Finding, SafeHarbor, State
from tests.helpers.dates import FORMS, Form
from tests.helpers.errors import refused
from tests.helpers.examples import settings

DAYS = [date(2019, 1, 3) + timedelta(days=29 * i) for i in range(40)]  # every month, and days above 12
NAMES = [form.name for form in FORMS]
each_form = pytest.mark.parametrize("form", FORMS, ids=NAMES)


def column_of(form: Form, name: str = "x1", beside: bool = False) -> Dataset:
    """Each day five times, under a name that says nothing; ``beside`` another column of dates, in years."""
    values = [form.write(day) for day in DAYS] * 5
    others = {"ward": ["a", "b", "c", "d"] * 50}
    if beside:
        others["admission_date"] = [day.isoformat() for day in DAYS] * 5
    frame = pd.DataFrame({name: values, **others}, dtype=object)
    return Dataset.from_frame(frame, roles=dict.fromkeys(frame, Role.QUASI_IDENTIFIER))


def safe_harbor(recipe: Recipe, data: Dataset) -> Finding:
    return SafeHarbor().check(Case(recipe.apply(data), recipe))


# ---- every form in every place ----


@each_form
def test_a_form_is_read(form):
    np.testing.assert_array_equal(
        to_dates([form.write(day) for day in DAYS], numbers=form.is_number), np.array(DAYS, dtype="datetime64[D]")
    )


@each_form
@given(days=st.lists(st.dates(date(1930, 1, 1), date(2029, 12, 31)), min_size=1, max_size=12, unique=True))
@settings(25)
def test_what_is_written_is_read(form, days):
    """A day above 12 tells the order; numbers are of the years that they can mean."""
    if form.name == "seconds since 1970":
        days = [day for day in days if day.year > 1990]
    days = [*days, *DAYS[:4]]
    np.testing.assert_array_equal(
        to_dates([form.write(day) for day in days], numbers=form.is_number), np.array(days, dtype="datetime64[D]")
    )


@each_form
@given(offset=st.integers(-300, 300))
@settings(15)
def test_a_form_is_shifted_and_stays_in_its_form(form, offset):
    moved = shifted([form.write(day) for day in DAYS], offset, numbers=form.is_number)
    assert moved.tolist() == [form.write(day + timedelta(days=offset)) for day in DAYS]


@each_form
def test_roles_recognise_a_form_under_a_name_that_says_nothing(form):
    suggestion = suggest_roles(column_of(form, beside=form.is_number).held)[0]
    assert suggestion.role is Role.QUASI_IDENTIFIER and suggestion.reasons[0].startswith("The values look like dates")
    assert suggestion.hipaa_class == "(C) dates except the year, and ages over 89"
    assert not any("birth" in reason for reason in suggestion.reasons), "of few years, as events are"


@each_form
def test_a_form_has_levels(form):
    values = [form.write(day) for day in DAYS]
    levels = suggested_hierarchy(values, dated=form.is_number).recodings
    units = [level.unit for level in levels if isinstance(level, DateUnit)]
    assert units in (["month", "quarter", "year"], ["day", "month", "quarter", "year"])
    labels = DateUnit("quarter").labels(values).tolist()
    assert labels == [f"{day.year}-Q{(day.month + 2) // 3}" for day in DAYS]
    assert suggested_recoding(values, dated=form.is_number) == DateUnit("year")


def test_safe_harbor_refuses_a_form_finer_than_its_year_and_the_bytes_that_its_steps_leave_hold_years_alone():
    """A file with a column of every form, the numbers among them beside dates of the same years."""
    frame = pd.DataFrame({f"x{i}": [form.write(day) for day in DAYS] * 5 for i, form in enumerate(FORMS)}, dtype=object)
    data = Dataset.from_frame(frame, roles=dict.fromkeys(frame, Role.QUASI_IDENTIFIER))
    units = (Recipe.of([Recode(name, DateUnit(unit)) for name in frame]) for unit in ("day", "month", "quarter"))
    for recipe in (Recipe(), *units):
        found = safe_harbor(recipe, data)
        assert found.state is State.NOT_MET and found.now == len(FORMS), recipe
    recipe = Recipe.of(safe_harbor_steps(data))
    assert safe_harbor(recipe, data).is_met
    released = recipe.apply(data).released
    header, *rows = csv.reader(released_csv(released, draws_for(released, (1,))).decode("utf-8-sig").splitlines())
    assert sorted(header) == sorted(frame.columns)
    assert sorted(rows) == sorted([str(day.year)] * len(FORMS) for day in DAYS * 5)


@pytest.mark.parametrize("form", [form for form in FORMS if not form.is_number], ids=lambda form: form.name)
def test_a_codebook_says_that_a_form_is_a_date(form):
    data = column_of(form)
    columns = codebook(Recipe().apply(data).released, Recipe()).columns
    assert columns.set_index("column").loc["x1", "type"] == "date"


# ---- numbers, which are dates only where something says so ----

NUMBERS = [form for form in FORMS if form.is_number]


@pytest.mark.parametrize("form", NUMBERS, ids=lambda form: form.name)
def test_numbers_alone_are_asked_about_and_safe_harbor_cannot_be_checked(form):
    data = column_of(form)
    suggestion = suggest_roles(data.held)[0]
    assert suggestion.hipaa_class is None and "may be dates" in suggestion.asked and form.name in suggestion.asked
    found = safe_harbor(Recipe(), data)
    assert found.state is State.UNKNOWN and "x1" in found.says
    assert safe_harbor(Recipe.of([Recode("x1", DateUnit("year"))]), data).is_met


@pytest.mark.parametrize("form", NUMBERS, ids=lambda form: form.name)
def test_a_name_speaks_for_numbers(form):
    data = column_of(form, "visit_date")
    assert "look like dates, as " + form.name in " ".join(suggest_roles(data.held)[0].reasons)
    assert safe_harbor(Recipe(), data).state is State.NOT_MET
    assert all(
        isinstance(level, DateUnit)
        for level in suggested_hierarchy(data.held.values("visit_date"), None, "visit_date").recodings[:-1]
    )


def test_numbers_in_other_years_than_the_dates_beside_them_are_asked_about():
    data = column_of(NUMBERS[0], beside=True)
    births = [str(20000 + 13 * i) for i in range(50)] * 4
    frame = pd.DataFrame({"x2": births, "admission_date": data.frame["admission_date"].astype(str)}, dtype=object)
    assert "may be dates" in suggest_roles(frame)[0].asked


@pytest.mark.parametrize("name", ["income", "charges", "zip"])
def test_numbers_whose_name_says_what_they_are_are_no_dates(name):
    frame = pd.DataFrame(
        {name: [str(41000 + 17 * i) for i in range(60)] * 3, "ward": ["a", "b", "c"] * 60}, dtype=object
    )
    suggestion = suggest_roles(frame)[0]
    assert suggestion.hipaa_in_doubt is None and "date" not in suggestion.asked + " ".join(suggestion.reasons)


def test_day_numbers_among_dates_are_dates():
    """As a spreadsheet leaves them where it read some cells and not others."""
    assert to_dates(["12/31/2020", "44197"]).astype(str).tolist() == ["2020-12-31", "2021-01-01"]
    assert np.isnat(to_dates(["12/31/2020", "20000"])).tolist() == [False, True]


# ---- what the column decides ----


@pytest.mark.parametrize(
    ("values", "days", "is_open"),
    [
        (["03/04/2021", "05/06/2021"], ["2021-04-03", "2021-06-05"], True),
        (["03/04/2021", "05/16/2021"], ["2021-03-04", "2021-05-16"], False),
        (["03/04/2021", "16/05/2021"], ["2021-04-03", "2021-05-16"], False),
        (["03.04.2021", "05.06.2021"], ["2021-04-03", "2021-06-05"], False),  # with full stops the day stands first
        (["03/04/21", "05/16/2021"], ["2021-03-04", "2021-05-16"], False),  # as its other dates tell
        (["03/03/2021"], ["2021-03-03"], False),
        (["85-03-31", "21-12-01"], ["1985-03-31", "2021-12-01"], False),
    ],
)
def test_the_order_is_decided_over_the_column(values, days, is_open):
    read = read_dates(values)
    assert (read.days.astype(str).tolist(), read.order_is_open) == (days, is_open)


def test_who_knows_the_order_says_so_and_it_only_counts_where_nothing_tells():
    for values, by_day, by_month in (
        (["03/04/2021", "05/06/2021"], ["2021-04", "2021-06"], ["2021-03", "2021-05"]),
        (["03/04/2021", "16/05/2021"], ["2021-04", "2021-05"], ["2021-04", "2021-05"]),
    ):
        assert DateUnit("month").labels(values).tolist() == by_day
        assert DateUnit("month", "month").labels(values).tolist() == by_month
    with refused("choice-unknown"):
        DateUnit("month", "year")  # type: ignore[arg-type]


def test_an_open_order_and_the_century_are_stated():
    frame = pd.DataFrame({"x1": ["03/04/21", "05/06/22", "07/08/29", "01/02/30"] * 5}, dtype=object)
    reason = suggest_roles(frame)[0].reasons[0]
    assert "No value tells whether the day or the month stands first: the day is, unless you say otherwise." in reason
    assert "Years of two digits are read as 1930 to 2029." in reason
    assert read_dates(["07/08/29", "01/02/30"]).years == (1930, 2029)


NO_DATES = {
    "ids of eight digits": ["12345678", "87654321", "20219999", "45612378", "99120145"],
    "versions": ["1.2.10", "1.2.11", "2.0.12", "1.10.4"],
    "telephone numbers": ["555-1234", "617-555-0142", "030 1234567", "+49 30 1234567"],
    "prices": ["12.50", "1,299.00", "0.99", "$45.10"],
    "ICD codes": ["M54.5", "E11.65", "250.83", "V57", "I10"],
    "times of day": ["10:15", "08:30:00", "23:59"],
    "scores": ["3/4", "10/12", "1-2"],
    "no such day": ["2021-02-30", "31.11.2020", "13/13/2020", "30FEB2021", "Feb 30, 2021"],
    "words": ["North 12 2020", "12 units 2021", "May", "march"],
    "social security numbers": ["078-05-1120", "219-09-9999"],
    "years": ["1999", "2020", "2021"],
}  # fmt: skip


@pytest.mark.parametrize("values", NO_DATES.values(), ids=NO_DATES)
def test_what_is_no_date(values):
    assert np.isnat(to_dates(values)).all()
    assert shifted(values, 30).tolist() == values


def test_a_few_days_that_were_left_among_years_are_found():
    """As a mapping by hand leaves them: the rule allows none."""
    data = Dataset.from_frame(
        pd.DataFrame({"x1": ["2019", "2020", "2021", "12MAR2021", "2018"] * 5, "ward": ["a"] * 25}, dtype=object)
    )
    assert safe_harbor(Recipe(), data).state is State.NOT_MET


def test_dates_under_a_name_that_says_something_else_are_dates():
    for name in ("age", "city", "diagnosis", "code", "weight", "visit_type"):
        frame = pd.DataFrame({name: [FORMS[14].write(day) for day in DAYS] * 5}, dtype=object)
        suggestion = suggest_roles(frame)[0]
        assert suggestion.hipaa_class == "(C) dates except the year, and ages over 89", name


# ---- shifted ----


def test_what_is_shifted_keeps_what_stands_around_it():
    assert shifted(["Fri, 12 Mar 2021 10:00:00 GMT"], 1).tolist() == ["13 Mar 2021 10:00:00 GMT"], "without its weekday"
    assert shifted(["March 1st, 2021", "March 31st, 2021"], 1).tolist() == ["March 2nd, 2021", "April 1st, 2021"]
    assert shifted(["1er mars 2021", "31 mars 2021"], 1).tolist() == ["2 mars 2021", "1 avril 2021"]
    assert shifted(["unknown", "44197.5"], [5, 7], numbers=True).tolist() == ["unknown", "44204.5"]


def test_a_shift_never_leaves_the_years_that_are_written():
    with pytest.raises(InputError, match="1930 to 2029"):
        shifted(["12/31/29"], 1)
    with pytest.raises(InputError, match="1 to 9999"):
        shifted(["9999-12-31"], 1)


# ---- births ----

BIRTHS = """dob DateOfBirth birth_dt BENE_BIRTH_DT bdate geburtsdatum GebDat date_naissance fecha_nac data_nascita
geboortedatum data_nascimento födelsedatum fødselsdato syntymäaika data_urodzenia datum_narození doğum_tarihi""".split()


@pytest.mark.parametrize("name", BIRTHS)
def test_a_birth_date_is_called_one_by_its_name(name):
    kind = kind_of_name(name)
    assert kind is not None and kind.key == "birth_date"
    frame = pd.DataFrame({name: [day.isoformat() for day in DAYS] * 5}, dtype=object)
    reasons = " ".join(suggest_roles(frame)[0].reasons)
    assert "birth dates" in reasons and "events" not in reasons


@pytest.mark.parametrize("name", ["x1", "date", "Datum"])
def test_a_birth_date_is_called_one_by_its_range(name):
    births = [(date(1931, 5, 3) + timedelta(days=800 * i)).strftime("%d%b%Y").upper() for i in range(40)]
    reasons = " ".join(suggest_roles(pd.DataFrame({name: births * 5}, dtype=object))[0].reasons)
    assert "as birth dates do" in reasons and "events" not in reasons
