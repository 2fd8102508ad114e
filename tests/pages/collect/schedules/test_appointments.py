"""A file that holds appointments: they are compared, few people move, dates stay, and one gets another slot."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pages.collect.schedules import results
from pages.collect.schedules.tabs.another_slot import ByHand
from tests.helpers.app import SCHEDULES, App, sampled
from tests.helpers.schedules import QUASI, TABS, every_tab, of_file
from tools.samples.published import screening_schedule
from ui.kit import page as kit


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], bytes]]:
    """By label, what makes the file of each download that is shown."""
    offered: dict[str, Callable[[], bytes]] = {}
    monkeypatch.setattr(kit.st, "download_button", lambda label, make, *_, **__: offered.update({label: make}))
    return offered


def vector(rows: list[dict[str, str]], *columns: str) -> Counter:
    """By size, how many classes of these columns there are: plain counting."""
    return Counter(Counter(tuple(row[name] for name in columns) for row in rows).values())


def downloaded(app: App, downloads: dict[str, Callable[[], bytes]]) -> list[dict[str, str]]:
    app.tab(TABS, "Invitations")
    return list(csv.DictReader(io.StringIO(downloads["Invitations (CSV)"]().decode("utf-8-sig"))))


@pytest.fixture
def table_3() -> App:
    """The sample of Table 3, opened as it is."""
    return sampled("screening_schedule", SCHEDULES)


KNOWN = ("zip", "gender", "age")
OWN, GIVEN = (*KNOWN, "centre", "hour"), (*KNOWN, "slot centre", "slot hour")


def test_the_schedule_of_table_3_stands_beside_better_ones(table_3, downloads):
    assert table_3.metric("k, the smallest") == "1 → 2" and table_3.metric("People alone") == "9 → 0"
    assert table_3.metric("The best there is?") == "Yes, proven"
    assert table_3.widget("multiselect", "Known about them").value == list(KNOWN)
    assert "15 people of 4 combinations; the smallest has 2. Appointments: centre and hour." in table_3.text
    compared = table_3.table("Vector").set_index("Schedule")
    assert compared["Vector"].to_dict() == {
        "Without appointments": "(0,1,0,2,1)", "As it is": "(9,3)", "Random": compared.loc["Random", "Vector"],
        "6 people moved": "(0,6,1)", "Optimal": "(0,2,1,2)", "Greedy": "(0,2,1,2)",
        "Greedy, authors’ program": "(2,3,1,1)",
    }  # fmt: skip
    # Of p(15) = 176 vectors 153 are worse than (0,1,0,2,1), 143 than (0,2,1,2) and 7 than (9,3), by 5.3.
    assert compared.loc["Optimal", "Better than as it is, %"] == pytest.approx(100 * (143 - 7) / 153, abs=0.5)
    assert compared.loc["As it is", "People who move"] == 0
    assert "takes nothing away" not in table_3.text and "(9,3), Optimal (0,2,1,2)" in table_3.text
    assert vector(screening_schedule().to_dict("records"), *OWN) == {1: 9, 2: 3}
    rows = downloaded(table_3, downloads)
    assert vector(rows, *GIVEN) == {2: 2, 3: 1, 4: 2} and len(rows) == 15
    moved = sum(row["centre"] != row["slot centre"] or row["hour"] != row["slot hour"] for row in rows)
    assert table_3.metric("People who move") == str(moved)
    table_3.choose("toggle", f"Only the {moved} people whose appointment changes", True)
    assert len(table_3.table("slot centre")) == moved
    every_tab(table_3)


def test_few_people_move(table_3, downloads):
    table_3.tab(TABS, "Few moves")
    assert (
        "**Moving 40% (6 of 15 people)** leaves nobody alone, of 9" in table_3.text
        and "Proven: with as" in table_3.text
    )
    table_3.choose("slider", "People who may move", 11)
    assert "from (9,3) to (0,2,1,2)" in table_3.text
    table_3.choose("slider", "People who may move", 4)
    table_3.choose("selectbox", "Schedule to take", results.FEW)
    assert table_3.metric("People alone") == "9 → 1" and table_3.metric("People who move") == "4"
    rows = downloaded(table_3, downloads)
    assert vector(rows, *GIVEN) == {1: 1, 2: 7}
    assert sum(row["centre"] != row["slot centre"] or row["hour"] != row["slot hour"] for row in rows) == 4


def test_the_officer_says_which_columns_are_appointments(table_3):
    table_3.choose("selectbox", "Hour", "")
    assert "Appointments: centre." in table_3.text
    known = table_3.widget("multiselect", "Known about them")
    assert known.options == [*KNOWN, "hour", "test"] and known.value == [*KNOWN, "hour"], "as its role has it"
    table_3.choose("multiselect", "Known about them", list(KNOWN))
    assert table_3.table("Vector").set_index("Schedule")["Vector"]["As it is"] == "(3,3,2)"
    table_3.choose("selectbox", "Centre", "")
    assert "Appointments" not in next(c.value for c in table_3.at.caption if "combinations" in c.value)
    assert table_3.widget("segmented_control", "Where there is room").value == "Made up"
    assert "There are no appointments" in table_3.tab(TABS, "Few moves").text


def test_slots_can_be_given_beside_the_appointments(table_3):
    table_3.choose("segmented_control", "Where there is room", "A table")
    table_3.upload(b"centre,hour,places\nA,9:00,6\nA,13:00,2\nB,09:00,3\nB,13:00,5\n", "s.csv", "Load a table of slots")
    about = next(caption.value for caption in table_3.at.caption if "to spare" in caption.value)
    assert about == (
        "5 slots with 19 places: 4 to spare. 1 slot had fewer places than people there: raised to that. Added from "
        "the file: 1 slot not in the table."
    )
    assert table_3.table("Vector").set_index("Schedule")["Vector"]["As it is"] == "(9,3)"
    table_3.upload(b"room,places\nx,9\ny,9\n", "s.csv", "Load a table of slots")
    assert not table_3.errors and "As it is" not in table_3.table("Vector")["Schedule"].tolist()


# ---- a part of the appointment stays -------------------------------------------------------------------------------


def programme(dates: int, people: int, seed: int = 1) -> bytes:
    """People of a few birth years on dates, put into three centres at random."""
    rng = np.random.default_rng(seed)
    rows = ["birth_year,screening_date,center_nr"]
    for date in range(dates):
        for _ in range(people):
            rows.append(f"{1950 + rng.integers(6)},2027-03-{date + 1:02d},{rng.integers(1, 4)}")
    return ("\n".join(rows) + "\n").encode()


ROLES = {"birth_year": QUASI, "screening_date": QUASI, "center_nr": QUASI}


def check_dates_stay(app: App, downloads: dict[str, Callable[[], bytes]]) -> None:
    rows = downloaded(app, downloads)
    assert all(row["screening_date"] == row["slot screening_date"] for row in rows)
    places = Counter((row["screening_date"], row["center_nr"]) for row in rows)
    filled = Counter((row["slot screening_date"], row["slot center_nr"]) for row in rows)
    assert filled == places, "each centre has as many people on each date as before"
    before, after = (vector(rows, "birth_year", "screening_date", centre) for centre in ("center_nr", "slot center_nr"))
    below = [sum(size * n for size, n in counts.items() if size < 5) for counts in (before, after)]
    assert app.metric("People below k = 5") == f"{below[0]:,} → {below[1]:,}"


def test_only_the_centre_is_chosen_where_the_date_stays(downloads):
    app = of_file(programme(4, 20), ROLES)
    assert app.widget("multiselect", "Stays as it is").value == ["date"]
    assert app.metric("The best there is?") == "Yes, proven"
    assert "With the date alone" in app.table("Vector")["Schedule"].tolist()
    app.choose("toggle", "The improvement by date, as in Table 11", True)
    assert "of 4 programmes, one for each date." in app.text
    check_dates_stay(app, downloads)
    every_tab(app)
    app.choose("multiselect", "Stays as it is", [])
    assert "Without appointments" in app.tab(TABS, "Compare").table("Vector")["Schedule"].tolist()


def test_many_programmes_are_solved_one_after_another(downloads, monkeypatch):
    monkeypatch.setattr(results, "MANY", 100)
    app = of_file(programme(12, 20), ROLES)
    assert app.metric("The best there is?") == "Yes, proven" and not app.has_button("Start")
    check_dates_stay(app, downloads)
    assert "best found, one change after another" in app.tab(TABS, "Few moves").text


def test_dates_that_are_given_and_slots_of_a_table():
    data = b"age,date\n" + b"50,2027-03-01\n51,2027-03-01\n50,2027-03-02\n" * 4
    app = of_file(data, {"age": QUASI, "date": QUASI})
    assert "Appointments" not in app.text.replace("**Appointments**", ""), "a date alone may be any"
    app.choose("segmented_control", "Where there is room", "A table")
    slots = "date,centre,places\n" + "".join(
        f"{d:02d}.03.2027,{c},{n}\n" for d, c, n in ((1, "A", 4), (1, "B", 5), (2, "A", 4))
    )
    app.upload(slots.encode(), "s.csv", "Load a table of slots")
    assert app.widget("multiselect", "Stays as it is").value == ["date"]
    assert app.metric("k, the smallest").endswith("4") and app.metric("People alone").endswith("0")
    app.upload(
        slots.replace("2027,A,4\n02", "2027,A,1\n02").replace(",A,4", ",A,3").encode(), "s.csv", "Load a table of slots"
    )
    (sentence,) = app.errors
    assert "“2027-03-02”" in sentence and "too few" in sentence


# ---- another slot --------------------------------------------------------------------------------------------------


def test_somebody_who_cannot_come_gets_another_slot_and_gets_it_back(table_3, downloads):
    table_3.choose("slider", "To spare", 50)
    table_3.choose("selectbox", "Schedule to take", results.GREEDY)
    before = [metric.value for metric in table_3.at.metric]
    rows = downloaded(table_3, downloads)
    was = vector(rows, *GIVEN)
    table_3.tab(TABS, "Another slot").choose("toggle", "Offer also slots that break what is promised", True)
    offered = table_3.table("Like them there")
    has_peers = (offered["Like them there"] > 0).tolist()
    assert has_peers == sorted(has_peers, reverse=True) and set(offered["Promise kept"]) <= {"yes", "no: k"}
    who = table_3.widget("selectbox", "Who cannot come")
    assert who.options[0].startswith("1: 88888, male, 50-54; now ")
    at = table_3.widget("selectbox", "Slot instead")
    assert len(at.options) == len(offered)
    table_3.press("Give this slot")
    assert len(table_3.session.parts[ByHand].slots) == 1 and "Given by hand in this schedule" in table_3.text
    assert "Greedy, 1 by hand" in table_3.text
    changed = downloaded(table_3, downloads)
    different = [i for i in range(15) if any(rows[i][name] != changed[i][name] for name in GIVEN)]
    assert different == [0]
    now = vector(changed, *GIVEN)
    assert now != was
    assert table_3.metric("People alone").split(" ")[-1] == str(now.get(1, 0))
    assert table_3.metric("k, the smallest").split(" ")[-1] == str(min(now))
    table_3.press("undo")
    assert [metric.value for metric in table_3.at.metric] == before and downloaded(table_3, downloads) == rows
    table_3.press("redo")
    table_3.tab(TABS, "Another slot").press("take-back-0")
    assert [metric.value for metric in table_3.at.metric] == before and downloaded(table_3, downloads) == rows


def test_what_breaks_the_promise_is_not_offered_and_full_slots_are_counted(county: App):
    county.tab(TABS, "Another slot")
    assert "None keeps what is promised" in county.text and not county.has_button("Give this slot")
    assert set(county.table("Promise kept")["Promise kept"]) == {"no: k"}
    county.choose("toggle", "Offer also slots that break what is promised", True)
    assert "**This breaks the promised k of 2.**" in county.text and county.has_button("Give this slot")
    dates = {slot.split(", ")[1] for slot in county.table("Promise kept")["Slot"]}
    now = county.widget("selectbox", "Who cannot come").options[0].rpartition("now ")[2]
    county.choose("toggle", "Same date", True)
    left: Any = [table.value for table in county.at.dataframe if "Promise kept" in table.value]
    kept = {slot.split(", ")[1] for frame in left for slot in frame["Slot"]}
    assert len(dates) > 1 and kept <= {now.split(", ")[1]}
    county.choose("text_input", "Find a person", "nobody of this name")
    assert "Nobody is called so." in county.text
    county.choose("text_input", "Find a person", "S44914")
    assert [who.split(":")[0] for who in county.widget("selectbox", "Who cannot come").options] == ["S44914"]


def test_who_has_several_appointments_is_counted_by_row(downloads):
    rows = "".join(f"w{n % 7},{1950 + n % 2},2027-03-0{1 + n // 7},{'AB'[n % 2]}\n" for n in range(14))
    roles = {"who": "person_id", "year": QUASI, "date": QUASI, "clinic": QUASI}
    app = of_file(f"who,year,date,clinic\n{rows}".encode(), roles)
    assert "14 people of 2 combinations" in app.text and "each row counts as a person" in app.text
    assert "2 slots" not in app.text and "4 slots with 14 places" in app.text
    assert all(row["date"] == row["slot date"] for row in downloaded(app, downloads))
    app.tab(TABS, "Another slot").choose("text_input", "Find a person", "w3")
    assert len(app.widget("selectbox", "Who cannot come").options) == 2


def test_a_rule_that_cannot_be_kept_on_a_date_names_the_date_and_few_moves_say_that_rules_are_on():
    app = of_file(programme(3, 12), ROLES).choose("toggle", "Mixed origins", True)
    (sentence,) = app.errors
    sentence = sentence.replace("\\", "")
    assert sentence.startswith("2027-03-01: ") and sentence.endswith("Below are the schedules without rules.")
    assert "without rules" in app.tab(TABS, "Few moves").text
    compared = app.tab(TABS, "Compare").table("Rules kept").set_index("Schedule")
    assert "As it is" in compared.index and "Optimal, without the rules" in compared.index
