"""Ages as people write them, in nine languages; what cannot be read is counted as such."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.values.ages import ages_of, unit_of_name
from anonlib.values.missing_words import means_missing

OVER = (
    "95 years|95 yrs|95yo|95 y/o|95-year-old|95 years old|aged 95|age: 95|95 J.|95 Jahre|95 Jahre alt|95jährig|P95Y|"
    "P95Y3M|095Y|~95|ca. 95|circa 95|approx 95|about 95|etwa 95|environ 95|aprox. 95|około 95|95?|95 (est.)|(95)|"
    "95 ans|95 ans 3 mois|95 años|95 anni|95 jaar|95 anos|95 lat|95 år|95,4|95.4 yrs|９５|>89|>= 90|90+|90 and over|"
    "über 89|90 und älter|90 ans et plus|plus de 89|90 años y más|más de 89|oltre 89|90 anni e oltre|boven 89|"
    "90 en ouder|90 ou mais|acima de 89|powyżej 89|90 i więcej|över 89|90 och äldre|85-94|85–94 ans|1200 months|"
    "1200 Monate|1100 Monate|100 ans|nonagenarian|centenaire|"
    "90s|90er|in her 90s|älter als 89|80 et +|65 y más"
).split("|")
BELOW = (
    "34 years|6 mo|6 Monate|11 meses|10 días|10 mesi|140 days|2y4m|2 years 4 months|3 Jahre und 2 Monate|018M|012W|"
    "034Y|P2Y4M|8 semanas|5 godzin|2 miesiące|7 veckor|3 dni|80-89|[80-90)|40 a 50 años|de 40 à 50 ans|from 40 to 50|"
    "<1|< 1 year|under 18|unter 18|moins de 18 ans|menos de 1 año|bis 17|60 - 69 y|45?|~34|ca. 12|89|89.9|50s|80's|"
    "early 80s|jonger dan 18|menor de 18"
).split("|")
NOTHING = (
    "unknown|n/a|NA|not recorded|unbekannt|keine Angabe|k.A.|inconnu|non renseigné|desconocido|sin datos|NS/NC|"
    "sconosciuto|onbekend|não informado|nieznany|brak danych|okänd|?|-|--|...|adult|Child|newborn|elderly|Erwachsener|"
    "Säugling|adulte|nourrisson|niño|adulto|bambino|volwassene|criança|dorosły|noworodek|vuxen|middle aged|"
    "MONTHS|Jahre|wk"
).split("|")
UNREAD = "Xk3|95 M|95 F|9 5|XCV|ninety-five|95/100|95;96|0x5F|Ü90|very old man|95 kg|hunderteins|7001|950|131".split(
    "|"
)


@pytest.mark.parametrize("text", OVER)
def test_what_reaches_over_89(text: str) -> None:
    ages = ages_of([text, "word"])
    assert ages.is_read[0] and ages.reaching(90)[0]


@pytest.mark.parametrize("text", BELOW)
def test_what_does_not(text: str) -> None:
    ages = ages_of([text, "word"])
    assert ages.is_read[0] and not ages.reaching(90)[0]


@pytest.mark.parametrize("text", NOTHING)
def test_words_that_tell_no_age(text: str) -> None:
    ages = ages_of([text, "34"])
    assert ages.says_nothing[0] and not ages.is_read[0] and not ages.unread[0]


@pytest.mark.parametrize("text", UNREAD)
def test_what_nobody_can_read_is_counted_as_such(text: str) -> None:
    ages = ages_of([text, "34", "adult"])
    assert ages.unread.tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("age", "years"), ("age_in_months", "months"), ("Alter in Tagen", "days"), ("ageMonths", "months"),
        ("eta_mesi", "months"), ("age (weeks)", "weeks"), ("leeftijd maanden", "months"), ("age_days", "days"),
    ],
)  # fmt: skip
def test_the_unit_of_numbers_is_that_of_the_name(name: str, unit: str) -> None:
    assert unit_of_name(name) == unit


def test_numbers_are_in_the_unit_of_the_column_and_others_in_their_own() -> None:
    ages = ages_of(["1080", "1079", "95 years"], "months")
    assert ages.reaching(90).tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("texts", "is_one_group"),
    [
        (["20", "89", "90+"], True), (["20", "90+", ">89", "90 and over"], True), (["20", "90+", "95"], False),
        (["20", "85+"], True), (["20", "95+"], False), (["80-89", "90-99"], False), (["20", "30"], True),
        (["(80, 90]", ">90"], True), (["80-89", ">90"], False), (["90"], False), (["<5", "85-89", ">89"], True),
    ],
)  # fmt: skip
def test_all_ages_over_89_are_one_group_or_not(texts: list[str], is_one_group: bool) -> None:
    assert ages_of(texts).in_one_group(90) is is_one_group


UNITS = {
    "years": (1.0, ["years", " J.", "y", " ans", " anni", " år"]),
    "months": (12.0, [" months", " Monate", " mesi"]),
}


@given(st.integers(0, 1500), st.sampled_from(sorted(UNITS)), st.data())
def test_an_age_is_its_number_in_its_unit(number: int, unit: str, data: st.DataObject) -> None:
    per_year, written = UNITS[unit]
    text = f"{number}{data.draw(st.sampled_from(written))}"
    (low,) = ages_of([text]).low.tolist()
    assert math.isclose(low, number / per_year)


@given(st.text(max_size=12))
def test_any_text_is_an_age_or_tells_nothing_or_is_unread(text: str) -> None:
    ages = ages_of([text])
    assert ages.is_read[0] + ages.says_nothing[0] + ages.unread[0] == 1


def test_words_for_no_value_are_no_values() -> None:
    assert not any(map(means_missing, ("Anna", "no", "none of these", "90", "N39.0", "male")))
