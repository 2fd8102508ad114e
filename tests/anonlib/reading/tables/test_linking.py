"""How tables hang together: planted keys are found, decoys are not, and what does not fit is counted."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.basics.words import count
from anonlib.reading.records import TableRecords
from anonlib.reading.tables import Key, Linked, NamedTable, link
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.tables import in_duckdb, in_memory

PLACES = pytest.mark.parametrize("place", [in_memory, in_duckdb], ids=["in memory", "in an engine"])


def keys(linked: Linked) -> dict[str, tuple[str, str, str]]:
    return {key.table: (key.column, key.parent, key.parent_column) for key in linked.keys}


def hospital(n: int = 40) -> dict[str, dict[str, list[Any]]]:
    """Patients, three visits of each but the last, and two laboratory values of each visit that names both."""
    patients = [f"P{i:03d}" for i in range(n)]
    visits = [(f"V{i:04d}", patients[i % (n - 1)]) for i in range(3 * (n - 1))]
    labs = [visits[i % len(visits)] for i in range(2 * len(visits))]
    return {
        "patients": {"patient_id": patients, "age": [20 + i % 50 for i in range(n)]},
        "visits": {**by_visit(visits), "ward": ["A"] * len(visits)},
        "labs": {**by_visit(labs), "value": list(range(len(labs)))},
    }


def by_visit(rows: list[tuple[str, str]]) -> dict[str, list[Any]]:
    return {"visit_id": [visit for visit, _ in rows], "patient_id": [person for _, person in rows]}


@PLACES
def test_rows_whose_key_is_nowhere_and_rows_without_one_are_counted(place):
    tables = hospital()
    visits = tables["visits"]["patient_id"]
    visits[0], visits[1], visits[2] = "P998", "P999", None
    tables["labs"]["patient_id"] = [None] * len(tables["labs"]["patient_id"])
    linked = link(place(**tables))
    key = linked.key_of("visits")
    assert key is not None and key.inside == pytest.approx(114 / 116)
    assert key.rows_a_parent == pytest.approx(114 / len({each for each in visits if each and each < "P9"}))
    assert linked.notes == (
        "“patient_id” of 1.71% (2 of 117 rows) of “visits” is in no row of “patients”.",
        "“patient_id” is missing in 0.855% (1 of 117 rows) of “visits”.",
    )
    assert linked.person_columns == {"patients": "patient_id", "visits": "patient_id"}


@PLACES
def test_persons_that_differ_from_those_of_the_visit_are_counted(place):
    tables = hospital()
    own = tables["labs"]["patient_id"]
    for row in (0, 5, 9):
        own[row] = "P020" if own[row] != "P020" else "P021"
    linked = link(place(**tables))
    assert keys(linked)["labs"] == ("visit_id", "visits", "visit_id")
    assert linked.notes == (
        "In 3 rows of “labs” the person is another one than that of the row of “visits” that they name.",
    )


@PLACES
def test_a_visit_of_mostly_other_persons_is_not_the_visit(place):
    """Numbers of orders that happen to be among the numbers of visits."""
    tables = hospital()
    random.Random(1).shuffle(tables["labs"]["patient_id"])
    assert keys(link(place(**tables)))["labs"] == ("patient_id", "patients", "patient_id")


@PLACES
def test_a_key_that_most_rows_lack_gives_way_to_the_person(place):
    tables = hospital()
    visit = tables["labs"]["visit_id"]
    tables["labs"]["visit_id"] = [each if i % 3 == 0 else None for i, each in enumerate(visit)]
    assert keys(link(place(**tables)))["labs"] == ("patient_id", "patients", "patient_id")


@PLACES
def test_the_person_is_reached_through_a_table_between(place):
    """Results name their sample, samples their visit; both have a person of their own that differs here and there."""
    tables = hospital()
    visits = tables["visits"]["visit_id"]
    tables["samples"] = {"sample_id": [f"S{i}" for i in range(len(visits))], "visit_id": visits}
    owner = dict(zip(visits, tables["visits"]["patient_id"], strict=True))
    tables["results"] = {"sample_id": tables["samples"]["sample_id"], "patient_id": [owner[each] for each in visits]}
    tables["results"]["patient_id"][3] = "P001"
    del tables["labs"]
    linked = link(place(**tables))
    assert linked.above("results") == ["samples", "visits", "patients"] and linked.depth("results") == 3
    assert linked.notes == (
        "In 1 row of “results” the person is another one than that of the row of “samples” that they name.",
    )


@PLACES
def test_without_a_table_of_persons_each_table_says_whose_its_rows_are(place):
    tables = hospital()
    del tables["patients"]
    tables["stays"] = {"patient_id": tables["visits"]["patient_id"][:50] * 2, "days": [1] * 100}
    linked = link(place(**tables))
    assert linked.person_table is None
    assert linked.person_columns == dict.fromkeys(["visits", "labs", "stays"], "patient_id")
    assert keys(linked) == {"labs": ("visit_id", "visits", "visit_id")}
    assert linked.notes == (
        "No table has one row a person; person ids are in “visits”.“patient_id”, “labs”.“patient_id” and "
        "“stays”.“patient_id”.",
    )


def test_ids_of_other_persons_or_written_otherwise_are_stated():
    linked = link(in_memory(a={"patient_id": ["1", "1", "2"]}, b={"patient_id": ["01", "02", "02", "04", "03"]}))
    assert linked.person_table is None
    assert linked.notes[1].startswith("Only 0% of the values of “a”.“patient_id” are in “b”.“patient_id”: they may be")


@PLACES
@pytest.mark.parametrize(
    ("person", "own", "naming"),
    [
        ("patients", "id", "patient_id"), ("Patient", "Id", "PATIENT"), ("Patienten", "Pat-ID", "Patientennummer"),
        ("pacientes", "id", "numero_historia"), ("demographics", "usubjid", "subject_id"),
        ("personer", "lopnr", "LopNr"), ("a", "medical_record_number", "mrn"),
        ("Patienten", "Nr", "Pat_Nr"),
    ],
)  # fmt: skip
def test_persons_are_called_in_many_ways(place, person, own, naming):
    ids = [str(1000 + 7 * i) for i in range(30)]
    linked = link(place(**{person: {own: ids, "x": ids[::-1]}, "facts": {naming: ids[:20] * 2, "y": ["1"] * 40}}))
    assert linked.person_table == person and keys(linked) == {"facts": (naming, person, own)}


def test_visits_are_not_persons_in_german():
    ids, cases = [str(i) for i in range(100, 130)], [str(i) for i in range(500, 560)]
    fälle, labor = {"Fallnummer": cases, "PatNr": ids * 2}, {"Fall_ID": cases * 2, "Wert": cases * 2}
    linked = link(in_memory(Patienten={"PatNr": ids}, Fälle=fälle, Labor=labor))
    assert linked.person_table == "Patienten" and "Labor" not in linked.person_columns
    assert keys(linked)["Labor"] == ("Fall_ID", "Fälle", "Fallnummer")


def test_numbers_that_are_among_row_numbers_by_chance_are_no_keys():
    tables = hospital()
    tables["patients"]["row_number"] = list(range(1, 41))
    tables["visits"]["age"] = [1 + i % 40 for i in range(117)]
    numbers = list(range(1, 31))
    tables["other"] = {"row_number": numbers, "score": numbers, "points": [1 + i % 9 for i in range(30)]}
    linked = link(in_memory(**tables))
    assert "other" not in keys(linked) and keys(linked)["visits"] == ("patient_id", "patients", "patient_id")
    assert linked.notes == (
        "“other” names no row of another table, nor a person, by a key that was found, so that each of its rows "
        "counts as a person. Choose its key, or take it out.",
    )


def test_many_values_that_look_like_ids_are_a_key_without_a_name():
    tables = hospital(80)
    tables["notes"] = {"of": [f"V{i:04d}" for i in range(0, 200)], "length": list(range(200))}
    linked = link(in_memory(**tables))
    assert keys(linked)["notes"] == ("of", "visits", "visit_id")
    assert linked.notes == (
        "No name says that “notes”.“of” names rows of “visits”; its values alone do, by “visit_id”.",
    )


def test_a_list_of_departments_is_above_nobody():
    tables = hospital()
    tables["departments"] = {"department_id": ["A", "B", "C"], "name": ["x", "y", "z"]}
    tables["visits"]["department_id"] = ["A", "B", "C"] * 39
    linked = link(in_memory(**tables))
    assert keys(linked)["visits"] == ("patient_id", "patients", "patient_id")
    assert any(note.startswith("“departments” names no row of another table") for note in linked.notes)


def test_who_else_is_named_is_no_owner():
    tables = hospital()
    tables["patients"]["mother_patient_id"] = ["P001"] * 40
    tables["visits"]["referring_patient_id"] = ["P002"] * 117
    assert keys(link(in_memory(**tables)))["visits"] == ("patient_id", "patients", "patient_id")


def test_two_parents_of_one_depth_are_stated():
    tables = hospital()
    persons, orders = tables["visits"]["patient_id"][:50], [f"O{i}" for i in range(50)]
    tables["orders"] = {"order_id": orders, "patient_id": persons}
    tables["labs"] = {"visit_id": tables["visits"]["visit_id"][:50], "order_id": orders, "patient_id": persons}
    linked = link(in_memory(**tables))
    assert keys(linked)["labs"][1] in ("visits", "orders")
    assert len(linked.notes) == 1 and "as well, by" in linked.notes[0] and "alone" in linked.notes[0]


@PLACES
def test_tables_that_name_the_same_row_hang_beside_each_other(place):
    """Each visit has one transfer, so the number of the visit would name a transfer as well."""
    tables = hospital()
    tables["transfers"] = {"transfer_id": list(range(900, 1017)), "visit_id": tables["visits"]["visit_id"]}
    linked = link(place(**tables))
    assert {table: parent for table, (_, parent, _) in keys(linked).items()} == {
        "visits": "patients", "labs": "visits", "transfers": "visits",
    }  # fmt: skip
    assert linked.notes == ()


def test_numbers_of_visits_within_persons_are_a_key_of_two_columns_which_is_stated():
    tables = in_memory(
        patients={"patient_id": ["a", "b"]},
        visits={"patient_id": ["a", "a", "b"], "visit_no": ["1", "2", "1"]},
        labs={"patient_id": ["a", "a", "b", "b"], "visit_no": ["1", "2", "1", "1"]},
    )
    linked = link(tables)
    assert keys(linked)["labs"] == ("patient_id", "patients", "patient_id")
    assert "both have “visit_no”, but it names no single row of either" in linked.notes[-1]


def test_a_name_that_promises_a_key_whose_values_are_elsewhere_is_stated():
    tables = hospital()
    tables["labs"]["visit_id"] = [f"X{i}" if i % 2 else each for i, each in enumerate(tables["labs"]["visit_id"])]
    linked = link(in_memory(**tables))
    assert keys(linked)["labs"] == ("patient_id", "patients", "patient_id")
    assert linked.notes == (
        "“labs”.“visit_id” is named like a key of “visits”, but only 50% of its values are in “visit_id”; it was not "
        "taken for one.",
    )


def test_ids_of_the_person_table_in_another_format_are_stated():
    linked = link(in_memory(patients={"patient_id": ["1", "2", "3"]}, labs={"patient_id": ["1.0", "2.0", "2.0"]}))
    assert linked.person_table == "patients" and not linked.keys and "labs" not in linked.person_columns
    assert "only 0% of its values are in “patients”.“patient_id”. Check whether" in linked.notes[0]


OMOP = {
    "person": {"person_id": [1, 2, 3, 4], "location_id": [7, 8, 7, 8]},
    "visit_occurrence": {"visit_occurrence_id": [1, 2, 3, 4, 5], "person_id": [1, 1, 2, 3, 4], "care_site_id": [1] * 5,
                         "preceding_visit_occurrence_id": [None, 1, None, None, None]},
    "visit_detail": {"visit_detail_id": [11, 12], "visit_occurrence_id": [1, 4], "person_id": [1, 3]},
    "condition_occurrence": {"condition_occurrence_id": [1, 2, 3], "person_id": [1, 2, 4],
                             "visit_occurrence_id": [1, 3, 5]},
    "measurement": {"measurement_id": [1, 2, 3, 4], "person_id": [1, 1, 1, 3], "visit_occurrence_id": [1, 1, 2, 4],
                    "visit_detail_id": [11, 11, None, 12]},
    "death": {"person_id": [3], "death_date": ["2020-01-01"]},
    "location": {"location_id": [7, 8]},
}  # fmt: skip


@PLACES
def test_omop_hangs_together_as_the_model_defines_however_small_the_numbers_are(place):
    linked = link(place(**OMOP))
    assert linked.person_table == "person"
    assert keys(linked) == {
        "visit_occurrence": ("person_id", "person", "person_id"),
        "visit_detail": ("visit_occurrence_id", "visit_occurrence", "visit_occurrence_id"),
        "condition_occurrence": ("visit_occurrence_id", "visit_occurrence", "visit_occurrence_id"),
        "measurement": ("visit_occurrence_id", "visit_occurrence", "visit_occurrence_id"),
        "death": ("person_id", "person", "person_id"),
    }


@PLACES
def test_a_choice_is_counted_and_not_questioned(place):
    tables = place(**hospital())
    chosen = Linked("patients", {"patients": "patient_id", "labs": "patient_id"}, (
        Key("visits", "patient_id", "patients", "patient_id"), Key("labs", "patient_id", "patients", "patient_id")
    ))  # fmt: skip
    linked = link(tables, chosen)
    counted = [(key.table, key.inside, key.rows_a_parent) for key in linked.keys]
    assert counted == [("visits", 1.0, 3.0), ("labs", 1.0, 6.0)]
    assert linked.person_columns == chosen.person_columns
    found = link(tables)
    assert link(tables, found) == found


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        (Linked("patients", {}), "Choose the column of “patients” that says"),
        (Linked("people", {"people": "id"}), "has no table “people”"),
        (Linked(None, {"visits": "id"}), "“visits” has no column “id”"),
        (Linked("visits", {"visits": "patient_id"}), "“visits”.“patient_id” are not all different"),
        (Linked(None, {}, (Key("labs", "patient_id", "visits", "patient_id"),)), "are not all different"),
        (Linked(None, {}, (Key("labs", "visit_id", "visits", "visit_id"),
                           Key("labs", "patient_id", "patients", "patient_id"))), "below two tables"),
        (Linked("patients", {"patients": "patient_id"},
                (Key("patients", "patient_id", "visits", "visit_id"),)), "hangs below no other table"),
        (Linked(None, {}, (Key("patients", "patient_id", "visits", "visit_id"),
                           Key("visits", "patient_id", "patients", "patient_id"))), "below itself"),
    ],
)  # fmt: skip
def test_a_choice_that_is_no_tree_is_refused(chosen, sentence):
    with pytest.raises(InputError, match=sentence):
        link(in_memory(**hospital()), chosen)


def test_two_tables_of_one_name_are_refused():
    (one,) = in_memory(a={"x": ["1"]})
    with refused("tables-of-one-name"):
        link([one, one])


@st.composite
def trees(draw: st.DrawFn) -> tuple[dict[str, dict[str, list[Any]]], dict[str, tuple[str, str, str]]]:
    """Tables of a random tree with decoys in them, in random order, and the keys that were planted."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    names = ["patients", "visits", "orders", "samples", "results"][: draw(st.integers(1, 5))]
    tables: dict[str, dict[str, list[Any]]] = {}
    planted: dict[str, tuple[str, str, str]] = {}
    owner: dict[str, list[str]] = {}  # by table, the person of each row
    for name in names:
        n, start = rng.randint(25, 60), rng.choice([1, 1, 5000])
        own, columns = f"{name[:-1]}_id", dict[str, list[Any]]()
        ids = [str(start + i) for i in range(n)]
        columns[own] = ids
        if name == "patients":
            owner[name] = ids
        else:
            parent = rng.choice(list(tables))
            key = f"{parent[:-1]}_id"
            rows = [rng.randrange(len(tables[parent][key])) for _ in range(n)]
            columns[key] = [tables[parent][key][row] for row in rows]
            owner[name] = [owner[parent][row] for row in rows]
            planted[name] = (key, parent, key)
            if rng.random() < 0.6:
                columns["patient_id"] = owner[name]
        columns["age"] = [rng.randint(1, 20) for _ in range(n)]  # among the ids of tables that begin with 1
        columns["level"] = [rng.randint(1, 5) for _ in range(n)]
        columns["line"] = rng.sample([str(i + 1) for i in range(n)], n)  # all different
        columns["row"] = [str(i + 1) for i in range(n)]
        columns["number"] = columns["row"] if rng.random() < 0.5 else columns["level"]
        columns["city"] = [rng.choice(["Ulm", "Trier", "Jena"]) for _ in range(n)]
        tables[name] = columns
    order = rng.sample(list(tables), len(tables))
    shuffled = {name: dict(rng.sample(list(tables[name].items()), len(tables[name]))) for name in order}
    return shuffled, planted


@PLACES
@settings(max_examples=150, deadline=None)
@given(made=trees())
def test_planted_keys_are_found_and_nothing_else(place, made):
    tables, planted = made
    linked = link(place(**tables))
    assert linked.person_table == "patients" and keys(linked) == planted
    for key in linked.keys:
        rows = Counter(tables[key.table][key.column])
        assert key.inside == 1.0 and key.rows_a_parent == pytest.approx(sum(rows.values()) / len(rows))
    naming = {name: "patient_id" for name, columns in tables.items() if "patient_id" in columns}
    assert linked.person_columns == naming and linked.notes == ()


@PLACES
@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("pqrs")), min_size=1, max_size=40),
    n=st.integers(2, 8),
)
def test_shares_and_differences_are_those_of_plain_counting(place, rows, n):
    """A key that is chosen, of whatever quality, is counted as a loop over the rows counts it."""
    of_visit = {visit: "pqrs"[i % 3] for i, visit in enumerate("abcdefgh"[:n])}
    tables = place(
        persons={"person_id": list("pqrs")},
        visits={"visit_id": list(of_visit), "person_id": list(of_visit.values())},
        labs={"visit_id": [visit for visit, _ in rows], "person_id": [person for _, person in rows]},
    )
    chosen = Linked("persons", dict.fromkeys(["persons", "visits", "labs"], "person_id"), (
        Key("visits", "person_id", "persons", "person_id"), Key("labs", "visit_id", "visits", "visit_id")
    ))  # fmt: skip
    linked = link(tables, chosen)
    inside = [(visit, person) for visit, person in rows if visit in of_visit]
    differing = sum(of_visit[visit] != person for visit, person in inside)
    key = linked.key_of("labs")
    assert key is not None and key.inside == pytest.approx(len(inside) / len(rows))
    assert key.rows_a_parent == pytest.approx(len(inside) / len({visit for visit, _ in inside}) if inside else 0)
    found = [note.partition(" of “labs” the person is another one")[0] for note in linked.notes if "person" in note]
    assert found == ([f"In {count(differing, 'rows')}"] if differing else [])


@settings(max_examples=40, deadline=None)
@given(made=trees(), seed=st.integers(0, 1000))
def test_the_order_of_tables_and_rows_changes_nothing(made, seed):
    tables, _ = made
    rng = random.Random(seed)
    other = {}
    for name in rng.sample(list(tables), len(tables)):
        order = rng.sample(range(len(tables[name]["age"])), len(tables[name]["age"]))
        other[name] = {column: [values[row] for row in order] for column, values in tables[name].items()}
    one, two = link(in_memory(**tables)), link(in_memory(**other))
    assert (one.person_table, one.person_columns) == (two.person_table, two.person_columns)
    assert set(one.keys) == set(two.keys)


def test_each_engine_gives_what_memory_gives(engine):
    """With rows whose key is nowhere, rows without one, and rows of two persons; also where one table is elsewhere."""
    tables = hospital(25)
    tables["visits"]["patient_id"][:3] = ["P998", None, "P001"]
    tables["labs"]["visit_id"][4:6] = ["V9999", None]
    texts = {
        name: {column: [None if each is None else str(each) for each in cells] for column, cells in columns.items()}
        for name, columns in tables.items()
    }
    there = [NamedTable(name, None, TableRecords(engine.table(columns)), name) for name, columns in texts.items()]
    linked = link(there)
    assert linked == link(in_memory(**texts)) and len(linked.keys) == 2 and len(linked.notes) == 5
    assert link(there, linked) == linked
    mixed = [there[0], *in_memory(visits=texts["visits"]), there[2]]
    assert link(mixed).keys == linked.keys
