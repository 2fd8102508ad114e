"""The population on the Frontier page: who matches, who does not, and what is said of it."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

from anonlib.analyses.frontier import Plane, PolicySpace, safe_harbor_order, sparse_zip3, with_records
from anonlib.basics import words
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from tests.helpers.app import dataset_of
from tests.helpers.frontier import (
    MENDING,
    NAMES,
    QUASI,
    TABS,
    ZIPS,
    check_exact,
    file_of,
    of_file,
    people_csv,
    space_of,
)


def test_a_population_is_matched_and_counted(app):
    assert not app.tab(TABS, "Population").upload(people_csv(), "people.csv", "Load a population").errors
    data = dataset_of(app).classes(list(NAMES))
    people = Dataset.from_frame(pd.read_csv(io.BytesIO(people_csv()), dtype=str), roles={"people": "weight"}).classes(
        list(NAMES)
    )
    everybody = with_records(people, data)
    order = safe_harbor_order(ZIPS, sparse_zip3(everybody, "zip"))  # where only records are, few are
    space = space_of(app, people=everybody, order={"zip": order})
    check_exact(app, Plane(space))
    alone = int(data.counts[[not there for there in known(data, people)]].sum())
    assert alone and f"{words.count(alone, 'records')} match nobody in the population table and are counted" in app.text
    app.tab(TABS, "Population")
    assert f"**{words.share(90 - alone, 90, 'records')} match somebody**" in app.text
    table = app.table("values unknown to the table").set_index("column")
    assert table.loc["sex", "such as"] == "" and table.loc["age", "such as"].isdigit()
    assert table.loc["age", "values unknown to the table"] == 1 and table.loc["sex", "values unknown to the table"] == 0
    app.choose("selectbox", "Risk", "highest_population")
    check_exact(app, Plane(space, "highest_population"))
    app.choose("selectbox", "Risk", "population").choose("radio", "Records that nobody", "leave")
    also = dict(zip(NAMES, data.categories, strict=True))  # they are released, and recoded, all the same
    check_exact(app, Plane(PolicySpace(data.keep(known(data, people)), people, {"zip": order}, also=also)))
    app.choose("segmented_control", "Population", "file")
    check_exact(app, Plane(space_of(app)))
    app.choose("segmented_control", "Population", "table").tab(TABS, "Population").press("Remove it")
    check_exact(app, Plane(space_of(app)))


def known(classes: ClassTable, people: ClassTable) -> np.ndarray:
    """bool, per class whether somebody in the population has its values."""
    there = {tuple(row) for row in people.to_frame("n")[list(classes.attributes)].itertuples(index=False)}
    return np.array(
        [tuple(row) in there for row in classes.to_frame("n")[list(classes.attributes)].itertuples(index=False)]
    )


def test_a_population_that_knows_nobody_or_not_the_columns_is_a_sentence(app):
    app.tab(TABS, "Population").upload(b"age,sex,zip\n1,X,1\n", "people.csv", "Load a population")
    for what in ("count", "leave"):
        app.choose("radio", "Records that nobody", what)
        assert len(app.errors) == 1 and "written differently" in app.errors[0] and not app.at.metric
    app.tab(MENDING, "Population").upload(b"age,people\n30,5\n31,6\n", "people.csv", "Load a population")
    app.choose("radio", "Records that nobody", "count")
    assert not app.errors, "only what both have is recoded at first"
    app.choose("multiselect", "Quasi-identifiers to recode", ["age", "sex"])
    assert len(app.errors) == 1 and "“sex”" in app.errors[0].replace("\\", "") and not app.at.metric


def test_what_is_not_in_the_figures_is_stated_above_them(app):
    assert "match nobody in" not in app.text and "released as it" not in app.text
    app.tab(TABS, "Population").upload(b"age,sex,people\n30,F,9\n31,F,9\n", "people.csv", "Load a population")
    message = app.text
    assert (
        "**zip** is released as it is, and k and risk here do not count it. The population table has no **zip**."
        in message
    )
    assert (
        "match nobody in the population table, most often in **" in message and "before you believe the risk" in message
    )
    app.press("Take the file itself as population")
    assert not app.errors and "released as it" not in app.text and "match nobody in" not in app.text
    app.choose("multiselect", "Quasi-identifiers to recode", ["age"])
    assert "**sex** and **zip** are released as they are, and k and risk here do not count them." in app.text


def test_persons_whose_rows_differ_are_stated_to_be_missing():
    rows = [f"{i},{30 + i % 5},F" for i in range(60)] + [f"{i},{35 + i % 5},F" for i in range(20)]
    app = of_file(file_of("who,age,sex", *rows), who="person_id", age=QUASI, sex=QUASI)
    assert "33.3% (20 of 60 persons) have rows that differ and are not in these figures" in app.text
