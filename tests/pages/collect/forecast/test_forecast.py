"""The Forecast page: what is promised of files to come, what the recipe keeps, and the rule by number of people."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from io import BytesIO
from itertools import pairwise
from math import ceil

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.forecast import DRAWS, NewPeople, Promise, draw_futures, forecast
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.release.steps import Recode
from pages.collect.forecast.results import FRESH
from tests.helpers.app import FORECAST, FORECAST_TABS, App, sampled, seeded

TABS = f"forecast-tabs-{len(FORECAST_TABS)}"
QUASI = {"age": "quasi_identifier", "sex": "quasi_identifier", "town": "quasi_identifier"}
LOAD = "Load a population table"
NEW, KEPT = "New people", "Draws that keep it"


def records(n: int = 400, seed: int = 3) -> bytes:
    """Visits of three towns, one of them small, in ten weeks."""
    rng = random.Random(seed)
    lines = ["age,sex,town,visit_date,illness"]
    for _ in range(n):
        day = 1 + rng.randrange(70)
        date = np.datetime64("2024-01-01") + day
        town = rng.choices(["Aby", "Bro", "Cam"], [60, 35, 5])[0]
        lines.append(f"{rng.randrange(20, 80)},{rng.choice('FM')},{town},{date},{rng.choice(['flu', 'asthma'])}")
    return ("\n".join(lines) + "\n").encode()


def people(towns: tuple[str, ...] = ("Aby", "Bro", "Cam")) -> bytes:
    sizes = {"Aby": 30, "Bro": 12, "Cam": 2}
    lines = ["age,sex,town,people"]
    lines += [f"{age},{sex},{town},{sizes[town]}" for age in range(0, 100) for sex in "FM" for town in towns]
    return ("\n".join(lines) + "\n").encode()


@pytest.fixture
def file_alone() -> App:
    return seeded(records(), page=FORECAST, roles=QUASI)


@pytest.fixture
def app() -> App:
    return seeded(records(), page=FORECAST, roles=QUASI, tab=(TABS, "People drawn")).upload(people(), "p.csv", LOAD)


def levels(app: App) -> dict[str, str]:
    """What the panel says of each column."""
    lines = next(m.value for m in app.at.markdown if m.value.startswith("- **")).splitlines()
    return dict(line.removeprefix("- **").split("**: ") for line in lines)


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_the_sample_says_what_is_promised_and_what_the_columns_keep() -> None:
    app = sampled("admissions", FORECAST)
    assert "Drawn without replacement from the 120,000 people of the population table" in app.text
    assert "past weeks by **admission_date**" in app.text
    now, then = map(number, app.metric(KEPT).split(" → "))
    assert now < 950 <= then and app.metric("Below 11").startswith("100% → ")
    assert set(levels(app)) == {"age", "sex", "zip", "race"}
    assert app.metric("Marketer risk") and not app.errors


def test_what_is_promised_is_of_the_bytes_that_leave(app: App) -> None:
    """The people of each new draw through the recipe that was taken, their classes counted by plain Python."""
    app.choose("number_input", NEW, 300)
    then = number(app.metric(KEPT).split(" → ")[1])
    expected = app.metric("Below 11").split(" → ")[1]
    app.press("Add to recipe")
    assert number(app.metric(KEPT)) == then and app.metric("Below 11") == expected, "the recipe is that policy now"
    steps = app.session.recipe.enabled
    assert steps and all(isinstance(step, Recode) for step in steps)
    table = pd.read_csv(BytesIO(people()), dtype=str)
    classes = ClassTable.from_frame(table, ["age", "sex", "town"], weights=table["people"].astype(int).tolist())
    futures = draw_futures(classes, NewPeople.of(300), DRAWS, np.random.default_rng(FRESH))
    frame = pd.DataFrame({name: classes.column(name)[futures.cells.ravel()] for name in classes.attributes})
    released = app.session.recipe.apply(Dataset.from_frame(frame, roles=QUASI)).released.records
    rows = list(zip(*(released[name].astype(str) for name in QUASI), strict=True))
    small = [
        sum(size for size in Counter(rows[300 * i : 300 * (i + 1)]).values() if size < 11) / 300 for i in range(DRAWS)
    ]
    assert sum(share <= 0.001 for share in small) == then
    assert f"{sum(small) / DRAWS:.3%}"[:3] in f"{float(expected.strip('<%')):.3f}%"


def test_the_table_is_a_rule_for_every_number(app: App) -> None:
    app.choose("number_input", NEW, 300).tab(TABS, "Which policy when")
    table = app.table("People of a release")
    ends = [tuple(map(number, text.split(" to "))) for text in table["People of a release"]]
    assert ends[0][0] == 11 and all(b + 1 == c for (_, b), (c, _) in pairwise(ends))
    row = next(i for i, (first, last) in enumerate(ends) if first <= 300 <= last)
    kept = table[f"Draws of {DRAWS:,} that keep it"].tolist()
    assert all(n >= 950 for n in kept if n == n) and ends[row][0] <= table["Fewest at"][row] <= ends[row][1]
    lost = [float(text.strip("%")) for text in table["Detail lost"]]
    assert lost == sorted(lost, reverse=True)
    assert not app.download("Table (CSV)").proto.disabled


def test_draws_are_shown_of_both(app: App) -> None:
    app.choose("number_input", NEW, 300).tab(TABS, "Draws")
    now, then = map(number, app.metric(KEPT).split(" → "))
    assert f"{then:,} of 1,000 keep it" in app.text and "Red: more than promised" in app.text
    app.choose("segmented_control", "Draws of", "Columns as they are")
    assert f"{now:,} of 1,000 keep it" in app.text and app.download("Draws (CSV)")


def test_nothing_keeps_it_where_too_few_come(app: App) -> None:
    app.choose("number_input", NEW, 5)
    assert "No policy keeps at most 0.1% of the people of a week below 11" in app.text
    assert "5 people are fewer than 11" in app.text and not app.has_button("Add to recipe")
    app.choose("number_input", "Periods that count together", 10)
    assert "at most 0.1% of the people of 10 weeks below 11" in app.text and app.has_button("Add to recipe"), (
        "they are 50"
    )


def test_without_a_table_people_are_drawn_from_the_file(file_alone: App) -> None:
    app = file_alone
    assert "from the 400 records of the file" in app.text and "nobody in the file has cannot come" in app.text
    assert not [metric for metric in app.at.metric if metric.label.startswith("Marketer")]
    assert "9 past weeks by **visit_date**" in app.text, "of eleven the first and the last may lack days"
    app.choose("number_input", NEW, 500)
    assert "500 people are to come of 400 who could" in app.errors[0] and not app.at.metric
    app.choose("number_input", NEW, 60)
    assert not app.errors and app.metric(KEPT)


def test_numbers_are_those_of_past_weeks(file_alone: App) -> None:
    app = file_alone
    weeks = defaultdict(int)
    for text in pd.read_csv(BytesIO(records()))["visit_date"]:
        weeks[(np.datetime64(text) - np.datetime64("2024-01-01")).astype(int) // 7] += 1
    past = [weeks[week] for week in range(min(weeks) + 1, max(weeks))]
    assert f"{min(past)} to {max(past)} people, {int(np.median(past))} at the median" in app.text
    assert app.widget("number_input", NEW).value == int(np.median(past)), "which it begins with"
    app.tab(TABS, "People drawn")
    assert app.table("new people")["new people"].tolist() == past
    app.choose("toggle", "Vary as in the past", True)
    assert app.widget("number_input", NEW).disabled and "vary from draw to draw" in app.text and not app.errors
    app.choose("selectbox", "Date by which", "(none)")
    assert app.widget("toggle", "Vary as in the past").disabled and not app.widget("number_input", NEW).disabled


def test_each_place_has_its_own_share(app: App) -> None:
    app.choose("selectbox", "Each place has", "town").choose("number_input", NEW, 300)
    counts = pd.read_csv(BytesIO(records()))["town"].value_counts()
    numbers = NewPeople.by_place("town", {town: int(n) for town, n in counts.items()}).spread(300)
    table = pd.read_csv(BytesIO(people()), dtype=str)
    classes = ClassTable.from_frame(table, ["age", "sex", "town"], weights=table["people"].astype(int).tolist())
    drawn = forecast(
        draw_futures(classes, numbers, DRAWS, np.random.default_rng(FRESH)), np.arange(classes.n_classes), 11
    )
    assert number(app.metric(KEPT).split(" → ")[0]) == drawn.kept(Promise())
    assert not app.errors


def test_a_place_that_the_table_lacks(file_alone: App) -> None:
    app = file_alone.tab(TABS, "People drawn").upload(people(("Aby", "Bro")), "p.csv", LOAD)
    app.choose("selectbox", "Each place has", "town")
    assert "1 place of “town” has fewer people to draw from" in app.errors[0].replace("\\", "")
    assert "1 of them nobody at all" in app.errors[0]


def test_a_column_that_the_table_lacks_is_named(file_alone: App) -> None:
    lines = "age,town,people\n" + "\n".join(f"{age},Aby,40" for age in range(100)) + "\n"
    app = file_alone.tab(TABS, "People drawn").upload(lines.encode(), "p.csv", LOAD)
    assert any("**sex** is known to an attacker and not counted here" in each.value for each in app.at.warning)
    assert any("The population table has no **sex**" in each.value for each in app.at.warning)
    assert set(levels(app)) == {"age", "town"}


def test_a_table_of_other_columns_only(file_alone: App) -> None:
    app = file_alone.tab(TABS, "People drawn").upload(b"hue,people\nred,40\nblue,9\n", "p.csv", LOAD)
    assert "None of the population table’s columns is known" in app.errors[0].replace("\\", "")
    app.choose("segmented_control", "People are drawn from", "file")
    assert not app.errors and app.metric(KEPT)


def test_a_long_search_waits_for_its_button_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.collect.forecast.results.BY_ITSELF", -1.0)
    app = seeded(records(), page=FORECAST, roles=QUASI)
    assert "**The finest policy** is searched" in app.text and not app.has_button("Add to recipe")
    assert " → " not in app.metric(KEPT), "what the columns keep is there before"
    app.press("Start")
    assert app.has_button("Add to recipe") and " → " in app.metric(KEPT)
    assert not any("People of a release" in table.value.columns for table in app.at.dataframe)
    app.press("Start")
    assert app.table("People of a release") is not None, "the table has a button of its own"


def test_what_was_stopped_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best so far of a search that raises in its midst, as one that is stopped does."""
    app = seeded(records(), page=FORECAST, roles=QUASI)
    name = next(name for name in app.work.latest if name.startswith("forecast-") and "table" not in name)
    from dataclasses import replace

    done = app.work.latest[name][1]
    app.work.latest[name] = (0, replace(done, finest=replace(done.finest, finished=False), fresh=None))
    app.work.running = None
    app.run()
    assert "The finest policy found so far" in app.text and "stopped before the end" in app.text
    assert app.button("Add to recipe").disabled and app.has_button("Go on")
    app.press("Go on")
    assert not app.button("Add to recipe").disabled and "found so far" not in app.text


def test_settings_that_are_changed_ask_again(app: App) -> None:
    app.choose("number_input", "k", 3).choose("number_input", "At most below 3", 10.0)
    assert app.metric("Below 3, expected") and "at most 10% of the people of a week below 3" in app.text
    app.choose("number_input", "In so many of 100 draws", 50.0).choose("selectbox", "In each", "month")
    assert app.metric("Not exceeded in 50% of the draws") and "the people of a month" in app.text
    app.choose("selectbox", "Draws", 200)
    assert app.metric("Draws that keep it, of 200")
    assert ceil(0.5 * 200) <= number(app.metric(KEPT).split(" → ")[1])


def test_of_many_columns_levels_in_between_are_not_looked_at_and_that_is_written() -> None:
    """12 columns of five levels each, which would be 244 million policies."""
    rng = np.random.default_rng(0)
    names = [f"measure_{i}" for i in range(12)]
    frame = pd.DataFrame({name: rng.integers(0, 90, 300) for name in names} | {"ill": rng.choice(["a", "b"], 300)})
    roles = dict.fromkeys(names, "quasi_identifier") | {"ill": "sensitive"}
    app = seeded(frame.to_csv(index=False).encode(), page=FORECAST, roles=roles)
    assert not app.errors and "levels in between are not looked at (measure_0 " in app.text
