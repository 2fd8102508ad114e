"""A few odd cells among many usual ones: none leaves as “met”, and the others keep what the rule allows."""

from __future__ import annotations

import ibis
import pytest

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import with_safe_harbor
from anonlib.verdict.criteria import State
from tests.helpers.safe_harbor import data_of, finding, released

STATES = ["MA", "NY", "CA", "IL", "TX", "WA"] * 10
YEARS = [str(year) for year in range(2005, 2017)] * 5
ZIPS = ["02138", "02139", "10027-1234", "60614", "03601"] * 12


def in_an_engine(data: Dataset) -> Dataset:
    connection = ibis.duckdb.connect()
    return Dataset.from_ibis(connection.create_table("a", data.records.astype(str)), roles=data.roles)


in_both = pytest.mark.parametrize("where", [lambda data: data, in_an_engine], ids=["in memory", "in an engine"])


@in_both
@pytest.mark.parametrize("cell", ["Boston, MA", "02138", "Suffolk County", "MA 02139", "42.3,-71"])
def test_what_is_no_state_cannot_be_checked(cell: str, where) -> None:
    data = where(data_of({"state": [*STATES, cell], "sex": ["F", "M"]}))
    says = finding(data)
    assert says.state is State.UNKNOWN and "3 cells of state as States (1 different value)" in says.says
    assert released(data, "state") == {*STATES, "*"}


@pytest.mark.parametrize("cell", ["Maine", "25", "Ontario", "PR", "AE", "other", "unknown", "MA/NY", "New England"])
def test_what_is_larger_than_a_town_is_not_asked_about(cell: str) -> None:
    assert finding(data_of({"state": [*STATES, cell], "sex": ["F", "M"]})).state is State.MET


def test_regions_elsewhere_are_not_held_against_states() -> None:
    lands = ["Bayern", "Hessen", "Berlin", "Utrecht", "Lazio"]
    assert finding(data_of({"region": lands, "sex": ["F", "M"]})).state is State.MET


@pytest.mark.parametrize(
    ("cell", "becomes"),
    [
        ("Easter 2014", "2014"), ("15-Mar", "*"), ("2015 (March)", "2015"), ("201503", "*"), ("KW 12", "*"),
        ("12.3.15", "*"), ("2015-074", "2015"), ("March", "*"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["x1", "year_of_surgery"])
@in_both
def test_more_than_a_year_among_years(name: str, cell: str, becomes: str, where) -> None:
    data = where(data_of({name: [*YEARS, cell], "sex": ["F", "M"]}))
    assert finding(data).state is not State.MET
    assert released(data, name) == {*YEARS, becomes}


@pytest.mark.parametrize("cells", [["never", "ca. 2013", "2015.0"], ["1750", "2450", "1987.5"], ["12", "150000"]])
def test_what_tells_no_more_than_years_is_not_asked_about(cells: list[str]) -> None:
    assert finding(data_of({"x1": [*YEARS, *cells], "sex": ["F", "M"]})).state is State.MET


def left_of(values: list[str], name: str = "zip") -> set[str]:
    data = data_of({name: values, "sex": ["F", "M"]})
    return set(with_safe_harbor(Recipe(), data).apply(data).released.held.values(name).tolist())


@pytest.mark.parametrize(
    ("cell", "becomes"),
    [
        ("213", "213**"), ("2138", "*"), ("homeless", "*"), ("617-555-0123", "*"), ("SW1A 1AA", "*"),
        ("02138.0", "021**"), ("Cambridge MA 02138", "021**"), ("10115 Berlin", "*"), ("02138 1234", "021**"),
        ("02138-", "021**"),
    ],
)  # fmt: skip
def test_an_odd_cell_does_not_take_the_digits_of_all_zip_codes(cell: str, becomes: str) -> None:
    assert left_of([*ZIPS, cell]) == {"021**", "100**", "606**", "000**", becomes}


def test_zip_codes_behind_states() -> None:
    assert left_of(["MA 02138", "Boston, MA 02139-1234", "NH 03601"]) == {"021**", "000**"}


def test_small_areas_of_three_digits_are_known_without_a_population_table() -> None:
    data = data_of({"zip3": ["021", "036", "100"], "sex": ["F", "M"]})
    assert finding(data).state is State.NOT_MET
    assert left_of(["021", "036", "100"], "zip3") == {"021", "000**", "100"}
    assert finding(data_of({"zip3": ["021", "100"], "sex": ["F", "M"]})).state is State.UNKNOWN


# ---- ages ----


@pytest.mark.parametrize(
    ("columns", "unit"),
    [
        ({"AGE": ["238", "907", "1080", "1200"], "AGEU": ["MONTHS"]}, "MONTHS"),
        ({"onsetAge.value": ["1043", "2087", "4697", "5218"], "onsetAge.unit": ["wk"]}, "wk"),
        ({"age": ["7300", "14600", "32873", "36500"], "age_unit": ["days"]}, "days"),
    ],
)
@in_both
def test_the_unit_of_ages_may_stand_in_a_column_beside(columns: dict[str, list[str]], unit: str, where) -> None:
    (name, ages), (beside, _) = columns.items()
    data = where(data_of({**columns, "sex": ["F", "M"]}))
    assert finding(data).state is State.NOT_MET
    assert released(data, name) == {*ages[:2], "90+ years"}
    assert released(data, beside) == {unit}


def test_units_in_a_column_of_several_do_not_make_ages_younger() -> None:
    data = data_of({"AGE": ["34", "95", "97"], "AGEU": ["YEARS", "MONTHS"]})
    assert released(data, "AGE") == {"34", "90+"}


def test_a_number_of_too_many_years_is_no_age() -> None:
    data = data_of({"STARTAGE": ["34", "7001", "7005", "88"], "sex": ["F", "M"]})
    assert finding(data).state is State.UNKNOWN
    assert released(data, "STARTAGE") == {"34", "88", "*"}
    assert released(data_of({"age": ["34", "95", "98", "950"]}), "age") == {"34", "90+", "*"}


@pytest.mark.parametrize("young", ["unter 18", "<18", "under 18", "0-17"])
def test_a_band_that_is_open_below_stays_as_it_is(young: str) -> None:
    bands = [young, "18-64", "65-89", "90-94", "95+"]
    assert released(data_of({"age_group": bands}), "age_group") == {*bands[:3], "90+"}


def test_decades_are_read() -> None:
    assert finding(data_of({"age_decade": ["20s", "50s", "80s"], "sex": ["F", "M"]})).state is State.MET
    assert released(data_of({"age_decade": ["20s", "50s", "90s", "100s"]}), "age_decade") == {"20s", "50s", "90+", "*"}


@pytest.mark.parametrize("name", ["percentage", "Prozent", "pain_score"])
def test_shares_and_scores_are_no_ages(name: str) -> None:
    data = data_of({name: [str(number) for number in range(100)], "sex": ["F", "M"]})
    assert finding(data).state is State.MET
