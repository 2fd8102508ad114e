"""What the Individuals page and its kin take as harm, look at, and say of whom; without a browser."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.individuals import Attacker, leave_one_out, privacy_profile
from anonlib.roles import Role
from pages.measure.individuals import account
from pages.measure.individuals.question import Question
from tests.helpers.app import DATA, INDIVIDUALS, LEAKAGE, RISK, App
from ui import long_work, page
from ui.columns import LEAST_KNOWN, MOST_AT_FIRST, default_columns

TABS, STORY = "individuals-tabs", "One individual"
QI, SENSITIVE = Role.QUASI_IDENTIFIER, Role.SENSITIVE


def opened(frame: pd.DataFrame, roles: dict[str, Role], page: str = INDIVIDUALS) -> App:
    app = App(DATA, frame.to_csv(index=False).encode(), "people.csv")
    app.session.roles = dict(roles)
    return app.open(page)


@pytest.fixture
def made(monkeypatch) -> dict[str, Callable[[], bytes]]:
    """By file name, what makes the file of a download button."""
    shown: dict[str, Callable[[], bytes]] = {}
    download = page.download

    def keep(label, make, file_name, key, **options):
        shown[file_name] = make
        download(label, make, file_name, key, **options)

    monkeypatch.setattr(page, "download", keep)
    return shown


# ---- missing values --------------------------------------------------------------------------------------------------


def smokers() -> App:
    """Of 280 people 265 men lack an answer, for certain; nine women are certain of theirs, six are not."""
    men = [("m", "30", None)] * 265
    women = [("f", str(20 + i), "yes" if i % 2 else "no") for i in range(9)]
    mixed = [("f", "40", "yes" if i % 2 else "no") for i in range(6)]
    frame = pd.DataFrame([*men, *women, *mixed], columns=["sex", "age", "smoker"])
    return opened(frame, {"sex": QI, "age": QI, "smoker": SENSITIVE})


def test_who_certainly_has_no_value_is_said_and_not_counted_unless_that_is_asked():
    app = smokers().tab(TABS, "Columns")
    assert app.metric("Exposed in smoker") == words.percent(9 / 280)
    assert app.metric("Exposed in any sensitive column") == words.percent(9 / 280)
    assert "**3.21% (9 of 280 records)** can be exposed" in app.text
    assert "Not counted: 265 records whose value there is certainly missing" in app.text
    assert "blank: no value, nothing to infer" in app.text
    table = app.table("Exposed").set_index("Column")
    assert (table.loc["smoker", "Exposed"], table.loc["smoker", "Certainly missing"]) == (9, 265)
    app.choose("toggle", "A missing value is a fact too", True)
    assert app.metric("Exposed in smoker") == words.percent(274 / 280) == "97.9%"
    assert "Among them: 265 records whose value there is certainly missing" in app.text
    assert "Not counted" not in app.text


@pytest.mark.parametrize("attacker", ["all", "chance"])
def test_other_attackers_do_not_count_a_missing_value_either(attacker):
    app = smokers()
    app.session.own_threshold = 0.9
    app.choose("selectbox", "The attacker knows", attacker)
    if attacker == "chance":
        app.choose("slider", "Known with", 100)
    assert app.metric("Exposed in smoker") == words.percent(9 / 280)
    assert "Not counted: 265 records" in app.text


def test_the_story_of_who_lacks_the_value_says_that_there_is_nothing_to_infer():
    app = smokers().tab(TABS, STORY).choose("number_input", "Record", 1)
    assert "Its value is **missing**: there is nothing to infer" in app.text
    table = app.table("Takes").set_index("Column")
    assert (table.loc["smoker", "Takes"], table.loc["smoker", "Least PPP"]) == ("never", "n/a")
    app.choose("toggle", "A missing value is a fact too", True)
    assert "To know **sex** is enough" in app.text


# ---- which columns, and which attacker -------------------------------------------------------------------------------


def wide(known: int, sensitive: int, n: int = 60) -> tuple[pd.DataFrame, dict[str, Role]]:
    """Quasi-identifiers, each of more values than the one before it, then sensitive columns."""
    rng = np.random.default_rng(1)
    columns = {f"q{i}": np.arange(n) % (i + 2) for i in range(known)}
    columns |= {f"s{i}": rng.integers(0, 2, n) for i in range(sensitive)}
    return pd.DataFrame(columns), {name: QI if name[0] == "q" else SENSITIVE for name in columns}


@pytest.mark.parametrize(
    ("known", "sensitive", "of_sensitive", "of_known"),
    [(40, 2, 2, 10), (20, 20, MOST_AT_FIRST - LEAST_KNOWN, LEAST_KNOWN), (2, 30, 10, 2), (30, 0, 0, 12), (6, 6, 6, 6)],
)
def test_sensitive_columns_come_first_then_those_that_tell_most_apart(
    known, sensitive, of_sensitive, of_known, monkeypatch
):
    monkeypatch.setattr("ui.cache.remember", lambda compute, *inputs, **parameters: compute(*inputs, **parameters))
    frame, roles = wide(known, sensitive)
    chosen = default_columns(Dataset.from_frame(frame.astype(str), roles=roles))
    expected = [f"q{i}" for i in range(known - of_known, known)] + [f"s{i}" for i in range(of_sensitive)]
    assert chosen == expected


@pytest.mark.parametrize(("at", "choose"), [(INDIVIDUALS, "Columns: each"), (LEAKAGE, "Columns looked at")])
def test_a_page_that_does_not_look_at_all_columns_says_so_and_where_to_choose(at, choose):
    frame, roles = wide(48, 2)
    app = opened(frame, roles, at)
    assert "**12 of 50 columns** are looked at." in app.text and "choose others under **More**" in app.text
    assert {"s0", "s1", "q47"} <= set(app.widget("multiselect", choose).value)
    app.choose("multiselect", choose, ["q1", "q2", "s0"])
    assert "**3 of 50 columns** are looked at." in app.text
    few = opened(*wide(3, 1), at)
    assert "are looked at." not in few.text


ATTACKER, COLUMNS = "The attacker knows", "Columns: each"


def test_the_attacker_stays_as_set_when_columns_are_taken_away_and_come_back():
    frame, roles = wide(6, 1)
    app = opened(frame, roles)
    names = list(roles)
    for attacker in (2, "all", "chance"):
        app.choose("selectbox", ATTACKER, attacker)
        for left in (names[1:], names[2:], names):
            app.choose("multiselect", COLUMNS, left)
            assert app.widget("selectbox", ATTACKER).value == attacker
        app.open(LEAKAGE).open(INDIVIDUALS)
        assert app.widget("selectbox", ATTACKER).value == attacker, "another page was looked at"
    app.choose("selectbox", ATTACKER, 4)
    app.choose("multiselect", COLUMNS, names[4:])
    assert app.widget("selectbox", ATTACKER).value == 2, "any of the two that are left"
    app.choose("multiselect", COLUMNS, names)
    assert app.widget("selectbox", ATTACKER).value == 4
    app.choose("selectbox", ATTACKER, 6)  # any of the others
    app.choose("multiselect", COLUMNS, names[3:])
    app.choose("multiselect", COLUMNS, names)
    assert app.widget("selectbox", ATTACKER).value == 6


def test_the_attacker_the_page_began_with_stays_too(monkeypatch):
    """Looking at fewer columns is quicker, so that a larger attacker could be looked at without waiting."""
    frame, roles = wide(6, 1)
    monkeypatch.setattr("pages.measure.individuals.results.affordable", lambda classes, *_: 9 - len(classes.attributes))
    app = opened(frame, roles)
    assert app.widget("selectbox", ATTACKER).value == 2
    app.choose("multiselect", COLUMNS, list(roles)[1:])
    assert app.widget("selectbox", ATTACKER).value == 2


def test_what_gives_most_away_is_said_of_the_attacker_in_force():
    frame, roles = wide(4, 1, n=200)
    frame["q3"] = np.random.default_rng(2).integers(0, 60, 200)
    app = opened(frame, roles)
    classes = Dataset.from_frame(frame.astype(str), roles=roles).classes(list(roles))
    for attacker, words_of_it in (
        (2, "someone who knows the right 2 of the 3 columns that are left"),
        (1, "someone who knows the right one of the 3 columns that are left"),
        ("all", "someone who knows all 3 columns that are left"),
    ):
        app.choose("selectbox", ATTACKER, attacker)
        adds = leave_one_out(classes, "s0", Attacker(knows=attacker)).to_frame(0.0).iloc[0]
        said = f"**{adds['freed']:,}** more records would be safe from {words_of_it}"
        assert (said in app.text) == bool(adds["freed"])
        assert "all the rest" not in app.text
    assert adds["freed"]


def test_a_story_of_a_limited_attacker_does_not_speak_of_one_who_knows_everything():
    frame, roles = wide(4, 1, n=200)
    app = opened(frame, roles).choose("selectbox", ATTACKER, 1).tab(TABS, STORY)
    app.choose("slider", "Red up to", 0)
    assert "which is more than the 1 column asked about" in app.text
    assert "No set of up to 1 known column " in app.text
    app.choose("selectbox", ATTACKER, 4)
    assert "With everything else known, " in app.text and "asked about" not in app.text


# ---- persons whose rows differ ---------------------------------------------------------------------------------------


def moved() -> tuple[pd.DataFrame, dict[str, Role]]:
    """Forty who are alike, in town or country, and one of two rows: alone as a person, like many by each row."""
    rows = [(f"p{i}", "town" if i % 2 else "country", "f", "flu" if i % 3 else "cold") for i in range(40)]
    rows += [("p99", "town", "f", "flu"), ("p99", "country", "f", "flu")]
    roles = {"id": Role.PERSON_ID, "place": QI, "sex": QI, "illness": SENSITIVE}
    return pd.DataFrame(rows, columns=list(roles)), roles


def test_a_person_alone_by_rows_that_differ_is_shown_with_the_set_and_the_reason():
    app = opened(*moved(), RISK).tab("risk-tabs", "Records below k")
    table = app.table("class of")
    assert table.index.tolist() == [41, 42] and table["class of"].tolist() == [1, 1]
    assert table["place"].tolist() == ["country | town"] * 2 and table["rows differ in"].tolist() == ["place"] * 2
    assert "several rows with differing values" in app.text
    app.tab("risk-tabs", "Singling out")
    table = app.table("score")
    assert table["place"].tolist() == ["country | town"] * 2 and table["rows differ in"].tolist() == ["place"] * 2
    assert "does not know that set" in app.text


def test_the_story_of_such_a_person_does_not_say_that_one_row_gives_them_away():
    app = opened(*moved()).tab(TABS, STORY).choose("number_input", "Record", 42)
    assert "the person has 2 rows with differing values of **place**" in app.text
    assert "who knows one row does not know this person by it" in app.text
    assert "nobody else has these values" not in app.text
    assert "To know them is to know the values of all the person’s rows." in app.text
    table = app.table("Takes").set_index("Column")
    assert table.loc["place", "Value"] == "country | town" and table.loc["place", "Rows"] == "differ"
    other = app.choose("number_input", "Record", 1)
    assert "differing values" not in other.text and "Rows" not in other.table("Takes").columns


# ---- long work ----------------------------------------------------------------------------------------------------


def test_a_story_that_takes_long_waits_for_a_button(monkeypatch):
    monkeypatch.setattr(account, "AT_ONCE", -1.0)
    app = smokers().tab(TABS, STORY)
    assert "Looking at record" in app.text and not any("Takes" in table.value.columns for table in app.at.dataframe)
    app.press("Start")
    assert "Takes" in app.table("Takes").columns and "is enough" in app.text


def test_a_million_values_are_long_work_and_thousands_are_not(monkeypatch):
    monkeypatch.setattr("ui.cache.remember", lambda compute, *inputs, **parameters: compute(*inputs, **parameters))

    for n, long in ((1_000_000, True), (30_000, False)):
        frame = pd.DataFrame({"income": np.arange(n), "sex": np.arange(n) % 2, "s": np.arange(n) % 3}).astype(str)
        data = Dataset.from_frame(frame, roles={"income": QI, "sex": QI, "s": SENSITIVE})
        asked = Question(("income", "sex", "s"), "ppp", 0.0, 0.0, 2, 0.5, (), False)
        assert (account.estimated_seconds(data, asked) > account.AT_ONCE) == long


@pytest.mark.parametrize("tab", ["What each column adds", STORY, "Smallest sets"])
def test_work_lets_go_where_nobody_waits_for_it(tab, monkeypatch):
    """What is computed for a page asks, again and again, whether it is still wanted."""
    asked = []
    monkeypatch.setattr(long_work, "let_go", lambda share: asked.append(share))
    for module in ("results", "account"):
        for function in vars(__import__(f"pages.measure.individuals.{module}", fromlist=["x"])).values():
            defaults = getattr(function, "__kwdefaults__", None) or {}
            if "progress" in defaults:
                monkeypatch.setitem(defaults, "progress", long_work.let_go)
    app = smokers()
    begun = len(asked)
    assert begun
    app.tab(TABS, tab)
    assert len(asked) > begun


# ---- downloads ----------------------------------------------------------------------------------------------------


def numbers_of(make: Callable[[], bytes]) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(make()))


def test_downloads_hold_numbers(made):
    frame, roles = wide(4, 1, n=200)
    frame["q3"] = np.random.default_rng(2).integers(0, 150, 200)
    app = opened(frame, roles).tab(TABS, "Columns")
    table = numbers_of(made["exposed-by-column.csv"])
    classes = Dataset.from_frame(frame.astype(str), roles=roles).classes(list(roles))
    profile = privacy_profile(classes)
    of = dict(zip(profile.sensitive, profile.share_below(0), strict=True))
    assert table["Share"].tolist() == pytest.approx([of[name] for name in table["Column"]])
    app.tab(TABS, "Smallest sets")
    table = numbers_of(made["smallest-sets.csv"])
    assert table["Share"].tolist() == pytest.approx((table["Records"] / 200).tolist())
    app.open(RISK).tab("risk-tabs", "Singling out")
    table = numbers_of(made["singling-out.csv"])
    assert table["Share"].tolist() == pytest.approx((table["Records"] / 200).tolist())
    app.open(LEAKAGE)
    table = numbers_of(made["leakage-alerts.csv"])
    texts = table.select_dtypes(exclude=["number", "bool"]).columns.tolist()
    assert texts == ["columns"] and table["past worst"].any()
    assert ((table["average"] >= 0) & (table["average"] <= 1)).all()
