"""A data dictionary on the Data page: taken in as a file or pasted, shown, and undone; labels or codes."""

from __future__ import annotations

import pandas as pd

from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from tests.helpers.app import DATA, App, dataset_of

SURVEY = (
    "SEX,AGEP,V9,MAR\n" + "".join(f"{1 + i % 2},{20 + i % 60},{i % 4},{(1, 2, 9)[i % 3]}\n" for i in range(60))
).encode()
DICTIONARY = (
    b"variable,label,values,unit,missing\nSEX,Sex,1=Male; 2=Female,,\nAGEP,Age,,years,\n"
    b"V9,Municipality of residence,,,\nMAR,Marital status,1=Married; 2=Single,,9\n"
)
FILE, PASTED, USE = "Add a data dictionary as a file", "Or paste one", "use-dictionary"


def described() -> App:
    return App(DATA, SURVEY).upload(DICTIONARY, "codebook.csv", FILE)


def shown(app: App) -> Dataset:
    """The data as it is shown."""
    loaded = app.session.loaded
    return loaded.dataset(loaded.records(), "category")


def test_a_dictionary_describes_columns_and_codes_and_what_is_suggested_follows_it():
    app = described()
    assert not app.errors and "it describes 4 of 4 columns, with labels of codes for 2" in app.text
    data = shown(app)
    assert data.records["SEX"].tolist()[:2] == ["Male", "Female"] and data.in_codes().records["SEX"][0] == "1"
    suggested = dict(zip(app.table("Role")["Column"], app.table("Role")["Suggested"], strict=True))
    assert (
        suggested["Municipality of residence (V9)"] == suggested["Marital status (MAR)"] == Role.QUASI_IDENTIFIER.answer
    )
    assert "Age, years (AGEP)" in app.table("Role")["Column"].tolist()
    assert any("9 in MAR" in each for each in app.widget("multiselect", "Also in the file").options)


def test_labels_give_way_to_codes_for_all_columns_or_for_one_and_undo_brings_them_back():
    app = described()
    app.choose("toggle", "Show labels in the place of codes", False)
    assert shown(app).records["SEX"][0] == "1"
    app.press("undo")
    assert shown(app).records["SEX"][0] == "Male"
    app.choose("multiselect", "Columns whose codes are shown", ["SEX"])
    data = shown(app)
    assert data.records["SEX"][0] == "1" and data.records["MAR"][0] == "Married"


def test_what_is_pasted_is_read_and_what_is_none_is_refused_in_a_sentence():
    app = App(DATA, SURVEY)
    app.set("text_area", PASTED, "SEX: Sex of person\nV9 = HIV status").run().press(USE)
    assert app.session.loaded.known["V9"].title == "HIV status"
    app.set("text_area", PASTED, "nothing that describes anything").run().press(USE)
    assert len(app.errors) == 1 and "No names of columns" in app.errors[0]
    assert app.session.loaded.known["V9"].title == "HIV status", "what was there stays"


def test_a_dictionary_of_other_columns_is_refused_and_one_is_forgotten():
    app = App(DATA, SURVEY).upload(b"variable,label\nfoo,Foo\n", "other.csv", FILE)
    assert len(app.errors) == 1 and "is of other columns" in app.errors[0] and not app.session.loaded.described
    app = described().press("forget-dictionary")
    assert not app.session.loaded.described and shown(app).records["SEX"][0] == "1"


def test_columns_are_found_and_get_one_answer_at_once():
    frame = pd.DataFrame({f"item {i}": list("abcd") * 10 for i in range(6)} | {"age": range(40)})
    app = App(DATA, frame.to_csv(index=False).encode())
    questions = [radio.label for radio in app.at.radio if "any of these" in radio.label]
    assert questions == ["Could somebody outside know any of these 6 columns of a person?"]
    app.choose("text_input", "Find columns", "item")
    app.choose("selectbox", "All 6 shown are", Role.SENSITIVE).press("role-apply")
    assert app.session.roles == dict.fromkeys([f"item {i}" for i in range(6)], Role.SENSITIVE)


def test_a_person_id_is_chosen_by_one_click_and_taken_back():
    rows = "".join(f"p{i // 2},{20 + i % 50}\n" for i in range(80))
    app = App(DATA, f"code,age\n{rows}".encode())
    app.choose("selectbox", "Whose row it is", "code")
    assert dataset_of(app).person_id == "code" and dataset_of(app).unit == "persons"
    app.choose("selectbox", "Whose row it is", "")
    assert dataset_of(app).person_id is None and app.session.roles["code"] == Role.IDENTIFIER
