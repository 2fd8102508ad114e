"""Words by which persons are described: what belongs together, and what is none of them."""

from __future__ import annotations

import pytest

from anonlib.columns.codes.persons import PERSONS

SYSTEMS = {system.key: system for system in PERSONS}
ADULT = {
    "marital": [
        "Divorced", "Married-AF-spouse", "Married-civ-spouse", "Married-spouse-absent", "Never-married", "Separated",
        "Widowed",
    ],
    "education": [
        "Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad", "Some-college",
        "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate",
    ],
    "employment": [
        "Federal-gov", "Local-gov", "Never-worked", "Private", "Self-emp-inc", "Self-emp-not-inc", "State-gov",
        "Without-pay",
    ],
    "occupation-groups": [
        "Adm-clerical", "Armed-Forces", "Craft-repair", "Exec-managerial", "Farming-fishing", "Handlers-cleaners",
        "Machine-op-inspct", "Other-service", "Priv-house-serv", "Prof-specialty", "Protective-serv", "Sales",
        "Tech-support", "Transport-moving",
    ],
}  # fmt: skip


@pytest.mark.parametrize("key", ADULT)
def test_all_words_of_the_census_are_known(key):
    system = SYSTEMS[key]
    assert system.fits(ADULT[key]).all()
    assert system.by_content is not None
    assert system.by_content(ADULT[key])


@pytest.mark.parametrize("system", PERSONS, ids=lambda system: system.key)
def test_each_word_is_in_one_group_and_groups_nest(system):
    texts = [text for values in ADULT.values() for text in values if system.fits([text]).all()]
    finer, coarser = (system.labels(texts, level) for level in system.levels)
    parent = dict(zip(finer, coarser, strict=True))
    assert [parent[group] for group in finer] == coarser.tolist()
    assert len({*coarser}) < len({*finer})


def test_three_groups_of_education_are_those_that_offices_publish():
    labels = SYSTEMS["education"].labels(["12th", "HS-grad", "Some-college", "Assoc-voc", "Bachelors"], "broad levels")
    assert labels.tolist() == ["low (ISCED 0-2)", *["medium (ISCED 3-4)"] * 2, *["high (ISCED 5-8)"] * 2]


@pytest.mark.parametrize(("key", "texts"), [("marital", ["ledig", "verheiratet"]), ("education", ["Abitur", "Bac"])])
def test_other_languages_are_read(key, texts):
    assert SYSTEMS[key].fits(texts).all()


@pytest.mark.parametrize("text", ["", "yes", "other", "red", "M", "12"])
def test_other_words_are_none(text):
    assert not any(system.fits([text]).any() for system in PERSONS)
