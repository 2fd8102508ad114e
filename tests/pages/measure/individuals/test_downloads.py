"""What the Individuals page gives to take home: the rows that are shown, as numbers, and nobody's identifiers."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.individuals import Attacker, breaching_sets, generalization_scan, privacy_profile
from anonlib.basics import words
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from pages.measure.individuals.tabs.columns import MOST_SETS
from tests.helpers.app import INDIVIDUALS, INDIVIDUALS_TABS, LEAKAGE, RISK, dataset_of, loaded, seeded
from tests.helpers.individuals import QI, SCAN, SENSITIVE, TABS, Asked, any_known, ask, expected, opened, wide


@pytest.mark.parametrize("asked", [Asked(), Asked("poac", 40, 20), Asked("npp", 3, attacker=2)], ids=str)
def test_downloads_have_the_rows_that_are_shown(asked, made, file):
    app = ask(loaded(file, page=INDIVIDUALS), asked)
    for tab, key, column in (
        ("Columns", "download-variables", "Certain"),
        ("What each column adds", "download-additions", "Column unknown"),
        ("Smallest sets", "download-sets", "Known columns"),
    ):
        if tab != "Columns":  # which is open
            app.tab(TABS, tab)
        taken_home, shown = read(made, key), app.table(column).reset_index(drop=True)
        for name in shown:  # a number in the file, a percentage of three digits on screen
            if any(str(cell).endswith("%") for cell in shown[name]):
                assert [None if pd.isna(cell) else words.percent(cell) for cell in taken_home[name]] == [
                    None if pd.isna(cell) else cell for cell in shown[name]
                ]
                taken_home[name] = shown[name]
        pd.testing.assert_frame_equal(taken_home, shown, check_dtype=False)

    data = dataset_of(app)
    names = [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]
    classes = data.classes(names)
    records = read(made, "download-records")
    found = expected(data, asked)
    assert records["record"].tolist() == list(range(1, data.n_records + 1))
    assert len(records.columns) == 1 + len(names)
    starts = np.cumsum(classes.counts) - classes.counts
    for j, name in enumerate(names):
        (column,) = [column for column in records.columns if column.endswith(f" {name}")]
        np.testing.assert_allclose(records[column], found.values[starts[classes.class_of_record], j], rtol=1e-9)


def test_the_scan_goes_home_with_every_partition(made, file):
    app = loaded(file, page=INDIVIDUALS, tab=(TABS, SCAN)).choose("slider", "Widest category", 12.0)
    data = dataset_of(app)
    names = [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]
    found = generalization_scan(data.classes(names), "diagnosis", "age", max_width=12.0)
    shown = read(made, "download-scan")
    pd.testing.assert_frame_equal(shown, found.to_frame(), check_dtype=False)
    assert len(shown) == sum(range(1, 13))


def test_all_the_smallest_sets_go_home_not_just_those_shown(made):
    rng = np.random.default_rng(3)
    rows = [",".join(map(str, row)) for row in rng.integers(0, 3, (80, 12))]
    data = (",".join(f"c{j}" for j in range(12)) + "\n" + "\n".join(rows) + "\n").encode()
    roles = {f"c{j}": QI if j else SENSITIVE for j in range(12)}
    app = seeded(data, page=INDIVIDUALS, roles=roles, settings=any_known())
    app.set("selectbox", "Sensitive column", "c0").tab(TABS, "Smallest sets")
    known = app.widget("selectbox", "The attacker knows").value
    names = [f"c{j}" for j in range(12)]
    found = breaching_sets(dataset_of(app).classes(names), "c0", Attacker(knows=known)).minimal
    shown, home = app.table("Known columns"), read(made, "download-sets")
    assert home["Known columns"].tolist() == [" + ".join(names) for names in found.sets]
    assert home["Records"].tolist() == found.counts.tolist() and f"{len(home):,} sets in all" in app.text
    assert len(shown) == MOST_SETS < len(home)
    assert home["Known columns"].tolist()[: len(shown)] == shown["Known columns"].tolist()


@pytest.mark.parametrize("asked", [Asked(), Asked("npp", 3, attacker=2), Asked("poac", q=10)], ids=str)
def test_every_threshold_goes_home_with_the_number_at_or_below_it(asked, made, file):
    app = ask(loaded(file, page=INDIVIDUALS), asked)
    found = expected(dataset_of(app), asked)
    home = read(made, "download-thresholds")
    assert set(home["column"]) == set(found.variables)
    assert home.iloc[:, 1].max() > 0.9 and (home.groupby("column").size() > 15).all()
    for name, threshold, number, share in home.itertuples(index=False):
        below = found.values[:, found.variables.index(name)] <= threshold
        assert number == below.sum() and share == pytest.approx(below.mean())


@pytest.mark.parametrize("missing", ["category", "drop"])
def test_no_download_holds_an_identifier_or_a_sensitive_value(missing, made, file):
    app = seeded(file, page=INDIVIDUALS, missing=missing)
    for tab in INDIVIDUALS_TABS[1:-1]:
        app.tab(TABS, tab)
    data = dataset_of(app)
    assert {key.removeprefix("download-") for key in made} >= {"variables", "records", "additions", "scan", "sets"}
    for key, make in made.items():
        text = make().decode()
        for column in data.columns_with(Role.IDENTIFIER, Role.PERSON_ID, Role.SENSITIVE):
            for value in data.records[column].cat.categories:
                assert value not in text, (key, column)
    records = read(made, "download-records")
    left_out = data.records["age"].isna().to_numpy() if missing == "drop" else np.zeros(data.n_records, dtype=bool)
    assert records.iloc[:, 1].isna().tolist() == left_out.tolist()


def test_a_name_that_a_spreadsheet_would_run_is_neutralised(made):
    roles = {"=1+1": QI, "-cmd": QI, "@ill": SENSITIVE}
    app = seeded(b"=1+1,-cmd,@ill\n1,2,x\n2,2,y\n1,1,x\n3,1,y\n", page=INDIVIDUALS, roles=roles)
    for tab in INDIVIDUALS_TABS[1:-1]:
        app.tab(TABS, tab)
    for make in made.values():
        for line in make().decode().splitlines():
            assert not any(cell.strip('"')[:1] in "=@" and cell.strip('"') for cell in line.split(",")), line


def test_downloads_hold_numbers(made):
    frame, roles = wide(4, 1, n=200)
    frame["q3"] = np.random.default_rng(2).integers(0, 150, 200)
    app = opened(frame, roles, settings=any_known())
    table = read(made, "download-variables")
    classes = Dataset.from_frame(frame.astype(str), roles=roles).classes(list(roles))
    profile = privacy_profile(classes)
    of = dict(zip(profile.sensitive, profile.share_below(0), strict=True))
    assert table["Share"].tolist() == pytest.approx([of[name] for name in table["Column"]])
    app.tab(TABS, "Smallest sets")
    table = read(made, "download-sets")
    assert table["Share"].tolist() == pytest.approx((table["Records"] / 200).tolist())
    app.open(RISK, ("risk-tabs", "Singling out"))
    table = read(made, "download-singling-out")
    assert table["Share"].tolist() == pytest.approx((table["Records"] / 200).tolist())
    app.open(LEAKAGE)
    table = read(made, "download-leakage-alerts")
    texts = table.select_dtypes(exclude=["number", "bool"]).columns.tolist()
    assert texts == ["columns"] and table["past worst"].any()
    assert ((table["average"] >= 0) & (table["average"] <= 1)).all()


def read(made: dict, key: str) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(made[key]()), keep_default_na=False, na_values=[""])
