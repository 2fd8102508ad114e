"""Columns whose names say nothing: what their values say, and what the officer is asked."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonlib.columns.identifiers import kinds_of_survey
from anonlib.columns.roles import Role, Suggestion, suggest_roles

RNG = np.random.default_rng(7)
N = 600


def suggested(values, name: str = "x7") -> Suggestion:
    return suggest_roles(pd.DataFrame({name: values}))[0]


@pytest.mark.parametrize(
    "values",
    [
        ["m", "w"], ["M", "F"], ["V", "M"], ["H", "M"], ["H", "F"], ["k", "m"], ["m", "w", "d"], ["M", "F", "X"],
        ["männlich", "weiblich"], ["Homme", "Femme"], ["Hombre", "Mujer"],
        ["Masculino", "Femenino"], ["Masculino", "Feminino", "Ignorado"], ["Maschio", "Femmina"],
        ["kobieta", "mężczyzna"], ["kvinna", "man"], ["vrouw", "man", "onbekend"],
    ],
)  # fmt: skip
def test_sexes_are_known_by_letters_and_words_in_ten_languages(values):
    found = suggested(RNG.choice(values, N))
    assert found.role is Role.QUASI_IDENTIFIER and not found.asked and "sex" in found.reasons[0]


@pytest.mark.parametrize("values", [["h", "m", "l"], ["a", "m"], ["m", "s", "l"], ["f", "g"], ["k", "v"], ["d", "x"]])
def test_other_letters_are_no_sexes(values):
    assert suggested(RNG.choice(values, N)).role is Role.OTHER


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["ledig", "verheiratet", "geschieden", "verwitwet"], "marital"), (["Solteiro", "Casado", "Viúvo"], "marital"),
        (["Celibe", "Coniugato", "Vedovo"], "marital"), (["panna", "zonaty", "rozwiedziony"], "marital"),
        (["Gift", "Ogift", "Skild"], "marital"), (["Branca", "Parda", "Preta", "Amarela"], "race"),
        (["Primary school", "Bachelor", "Master"], "education"), (["mbo", "hbo", "vwo"], "education"),
        (["katholisch", "evangelisch", "ohne"], "religion"), (["Catholic", "Muslim", "None"], "religion"),
    ],
)  # fmt: skip
def test_words_of_persons_are_known_in_other_languages(values, kind):
    found = suggested(RNG.choice(values, N))
    words = {"marital": "marital", "race": "race", "education": "education", "religion": "religion"}[kind]
    assert found.role is Role.QUASI_IDENTIFIER and words in found.reasons[0]


def test_a_column_of_which_nothing_tells_what_it_is_is_an_open_question_and_no_suggestion():
    frame = pd.DataFrame({
        "q3": RNG.choice(["1", "2"], N), "q4": RNG.choice(["1", "2", "9"], N, p=[0.49, 0.49, 0.02]),
        "rare": RNG.choice(["1", "2"], N, p=[0.97, 0.03]), "many": RNG.choice([*"123456"], N),
    })  # fmt: skip
    frame["interview_mode"], frame["sampling_weight"] = RNG.choice(["1", "2"], N), RNG.lognormal(0, 0.5, N)
    frame["has_email"], frame["constant"] = RNG.choice(["yes", "no"], N), "x"
    by = {each.column: each for each in suggest_roles(frame)}
    assert {each.role for each in by.values()} == {Role.OTHER}
    assert [name for name in by if by[name].is_open] == ["q3", "q4", "rare", "many", "has_email"]
    assert [name for name in by if not by[name].asked] == ["constant"]
    assert "how the data were collected" in by["interview_mode"].why[0], "its own reason comes first"


def test_ages_by_range_and_shape_are_asked():
    ages = suggested(RNG.integers(18, 97, N))
    assert ages.role is Role.QUASI_IDENTIFIER and "ages" in ages.asked
    for others in (RNG.integers(0, 101, N), RNG.integers(60, 100, N), RNG.integers(0, 40, N), np.arange(N) % 7 * 15):
        assert suggested(others).role is not Role.QUASI_IDENTIFIER


def test_years_countries_and_weights_are_asked():
    births, events = suggested(RNG.integers(1930, 2010, N)), suggested(RNG.integers(2015, 2024, N))
    assert births.role is events.role is Role.QUASI_IDENTIFIER and "years" in births.asked
    places = suggested(RNG.choice(["DE", "FR", "IT", "PL"], N))
    assert places.role is Role.QUASI_IDENTIFIER and "countries" in places.asked
    assert suggested(RNG.choice(["XX", "QQ", "ZZ"], N)).role is Role.OTHER
    weights = RNG.lognormal(0, 0.5, N)
    found = suggested(np.round(weights / weights.mean(), 5))
    assert found.role is Role.OTHER and "weights of a survey" in found.asked


def test_numbers_of_households_are_known_by_their_runs():
    runs = np.repeat(np.arange(1000, 1300), 2)
    found = suggested(runs)
    assert found.role is Role.IDENTIFIER and "Person id" in found.asked
    assert suggested(RNG.permutation(runs)).role is Role.OTHER


def test_blood_pressure_is_a_result_and_a_fraction_is_none():
    pressure = [f"{high}/{low}" for high, low in zip(RNG.integers(95, 180, N), RNG.integers(50, 95, N), strict=True)]
    found = suggested(pressure)
    assert found.role is Role.SENSITIVE and "results" in found.reasons[0]
    assert suggested(RNG.choice(["1/2", "3/4", "2/3"], N)).role is not Role.SENSITIVE


@pytest.mark.parametrize("title", ["Dr. ", "Dr ", "Prof. Dr. ", "Frau ", "Mme ", "Dra. "])
def test_a_title_before_a_name_is_a_person(title):
    found = suggested(RNG.choice([title + name for name in ("Smith", "Müller", "Lopez-García", "O'Neil")], N))
    assert found.role is Role.IDENTIFIER and "names" in found.reasons[0]


def test_a_list_of_medicines_is_one_block_and_has_the_role_of_those_that_are_known():
    doses = ["No", "Steady", "Up", "Down"]
    names = ["metformin", "glipizide", "repaglinide", "acarbose", "examide"]
    frame = pd.DataFrame({name: RNG.choice(doses, N) for name in names})
    assert {each.role for each in suggest_roles(frame)} == {Role.SENSITIVE}
    unknown = pd.DataFrame({name: RNG.choice(["Nie", "Oft", "Selten"], N) for name in ("aa", "bb", "cc")})
    unknown["dd"] = RNG.choice(["Nie", "Oft"], N)
    unknown["ee"] = RNG.choice(["rot", "blau"], N)
    found = {each.column: each.block for each in suggest_roles(unknown)}
    assert found == {"aa": "aa", "bb": "aa", "cc": "aa", "dd": "aa", "ee": "ee"}


def test_numbered_columns_are_one_block_and_the_same_codes_in_a_row_too():
    frame = pd.DataFrame({f"q{i}": RNG.choice([*"12345"], N) for i in range(5)})
    frame["other"] = RNG.choice([*"abcd"], N)
    frame["r"], frame["s"] = RNG.choice([*"0123"], N), RNG.choice([*"0123"], N)
    found = {each.column: each.block for each in suggest_roles(frame)}
    assert [found[f"q{i}"] for i in range(5)] == ["q0"] * 5
    assert (found["other"], found["r"], found["s"]) == ("other", "r", "r")


def test_codes_of_a_survey_are_believed_where_several_are_no_usual_names():
    usual = ["SEX", "STATE", "REGION", "TYPE", "AGE", "TEN"]
    assert not {"TYPE", "TEN"} & set(kinds_of_survey(usual))
    found = kinds_of_survey(["AGEP", "SEX", "RAC1P", "PUMA", "TEN", "V7"])
    assert {name: kind.key for name, kind in found.items()} == {
        "AGEP": "age", "SEX": "sex", "RAC1P": "race", "PUMA": "area", "TEN": "housing",
    }  # fmt: skip
    assert kinds_of_survey(["RIDRETH3"])["RIDRETH3"].key == "race", "no other file would have it"
    assert not kinds_of_survey(["V012", "p31", "B4"])


def test_rounded_amounts_are_no_ids_and_heavy_whole_weights_are_asked_about():
    amounts = pd.DataFrame(
        {"x": [str(100_000 + 500 * i) for i in range(300)], "y": [str(100_000 + 513 * i) for i in range(300)]}
    )
    assert [each.role for each in suggest_roles(amounts)] == ["other", "identifier"]
    weights = pd.DataFrame({"WEIGHT": [str(40 + i) for i in range(240)] * 2})
    (found,) = suggest_roles(weights)
    assert "of a survey" in found.asked
    (found,) = suggest_roles(pd.DataFrame({"WEIGHT": [str(40 + i) for i in range(90)] * 2}))
    assert not found.asked
