"""Labels that rows share and what is missing, as other programs find them in the bytes of a release."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest

from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.dataset import Dataset
from anonlib.reading.sources import Described
from anonlib.release.analysing import EMPTY_MAY_BE_BLANK
from anonlib.release.codebook import meanings_of
from anonlib.release.export import draws_for, released_csv, released_in
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode

SEED = [3, 5]
READ = {"SPSS": pyreadstat.read_sav, "Stata": pyreadstat.read_dta}
of_statisticians = pytest.mark.parametrize(("kind", "read"), READ.items(), ids=READ)
FRAME = pd.DataFrame(
    {
        "age": ["31", "38", None, "52", "58", "old", "old"],
        "year": ["2020", "2021", "2021", None, "2020", "1999", "2021"],
        "note": ["a", None, "b", "c", "d", "e", "f"],
        "stay": ["1", "2", "2.5", None, "4", "5", "6"],
    }
)
NO_1999 = ValueMap((("1999", " "), ("2020", "2020"), ("2021", "2021")))


@pytest.fixture(scope="module")
def made() -> tuple[Recipe, Dataset, dict]:
    data = Dataset.from_frame(FRAME)
    recipe = Recipe.of([Recode("age", Intervals(10), kept=("old",)), Recode("year", NO_1999)])
    applied = recipe.apply(data)
    assert not applied.problems
    return recipe, applied.released, meanings_of(applied, recipe)


def texts(cells) -> list[str | None]:
    return [None if pd.isna(cell) else str(cell) for cell in cells]


def of_csv(released: Dataset) -> pd.DataFrame:
    written = released_csv(released, draws_for(released, SEED))
    return pd.read_csv(io.BytesIO(written), dtype=str, keep_default_na=False).replace({"": None})


def written(kind: str, made) -> io.BytesIO:
    _, released, meanings = made
    return io.BytesIO(released_in(kind, released, draws_for(released, SEED), meanings))


@of_statisticians
def test_labels_that_rows_share_are_codes_with_the_labels_of_the_csv_beside_them(kind, read, made):
    expected = of_csv(made[1])
    frame, about = read(written(kind, made))
    labels = about.variable_value_labels["age"]
    found = [None if pd.isna(code) else labels[code] for code in frame["age"]]
    assert found == texts(expected["age"]), "every code has its label, and what is missing has no code"
    assert frame["age"].dtype.kind == "f" and set(about.variable_value_labels) == {"age"} and set(labels) == {1, 2, 3}
    for name in ("year", "stay"):
        assert texts(frame[name]) == texts(expected[name].astype(float)), "a number is a number, recoded or not"
    assert texts(frame["note"].replace("", None)) == texts(expected["note"]), "texts that nobody shares stay texts"


@of_statisticians
def test_blank_and_missing_already_are_one_and_the_program_knows_them_as_missing(kind, read, made):
    frame, about = read(written(kind, made))
    assert int(frame["year"].isna().sum()) == 2, "one was missing, one is blank"
    raw, _ = read(written(kind, made), user_missing=True)
    kinds = {str(cell) for cell in raw["year"] if pd.isna(cell) or isinstance(cell, str)}
    assert kinds == {"nan"}, "of one kind, whatever it was"
    assert not about.missing_user_values


def test_missing_texts_are_declared_missing_in_spss(made):
    frame, _ = pyreadstat.read_sav(written("SPSS", made))
    _, about = pyreadstat.read_sav(written("SPSS", made), user_missing=True)
    assert about.missing_ranges == {"note": [{"lo": "", "hi": ""}]}
    assert int(frame["note"].isna().sum()) == 1


def test_pandas_reads_stata_codes_as_categories_of_the_labels(made):
    frame = pd.read_stata(written("Stata", made))
    assert texts(frame["age"]) == texts(of_csv(made[1])["age"])
    assert frame["age"].cat.categories.tolist() == ["30-39", "50-59", "old"]


def test_parquet_has_texts_and_nulls_with_what_labels_mean_in_its_metadata(made):
    table = pq.read_table(written("Parquet", made))
    assert table.column("age").to_pylist() == texts(of_csv(made[1])["age"])
    assert table.column("year").null_count == 2
    about = table.schema.field("age").metadata
    labels = json.loads(about[b"labels"])
    assert labels["30-39"] == "from 30 to 39" and set(labels) == {"30-39", "50-59", "old"}
    assert about[b"missing"].decode() == EMPTY_MAY_BE_BLANK
    assert not [name for name in ("year", "note", "stay") if table.schema.field(name).metadata], "they say it all"


def test_long_labels_and_many_stay_texts():
    frame = pd.DataFrame({"long": ["x" * 121, "y"] * 2, "ok": ["x" * 120, "y"] * 2})
    released = Dataset.from_frame(frame)
    file = io.BytesIO(released_in("SPSS", released, draws_for(released, SEED)))
    frame, about = pyreadstat.read_sav(file)
    assert set(about.variable_value_labels) == {"ok"} and set(frame["long"]) == {"x" * 121, "y"}
    many = Dataset.from_frame(pd.DataFrame({"a": [f"v{i}" for i in range(1_001)] * 2}))
    for kind, read in READ.items():
        frame, about = read(io.BytesIO(released_in(kind, many, np.random.default_rng(0))))
        assert not about.variable_value_labels and set(frame["a"]) == {f"v{i}" for i in range(1_001)}


@of_statisticians
def test_kinds_of_missing_values_stay_apart_as_codes_with_their_labels(kind, read):
    labels = (("1", "negative"), ("2", "positive"), (".a", "refused"), (".b", "not asked"))
    described = {"test": Described("test", labels=labels, missing=(".a", ".b"))}
    data = Dataset.from_frame(
        pd.DataFrame({"test": ["1", "2", ".a", ".b"] * 3}), described=described,
        codes={"test": {label: code for code, label in labels}},
    )  # fmt: skip
    frame, about = read(io.BytesIO(released_in(kind, data.in_codes(), draws_for(data, SEED), {})))
    shown = about.variable_value_labels["test"]
    assert {shown[code] for code in frame["test"].dropna()} >= {"negative", "positive"}
    assert {"refused", "not asked"} <= set(shown.values()) and pd.api.types.is_numeric_dtype(frame["test"])
