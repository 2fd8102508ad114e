"""What a file's reading leaves out is shown on Data, and taken back by a switch."""

from __future__ import annotations

from tests.helpers.app import DATA, App

RECORDS = b"id,age,sex\n" + b"".join(b"%d,%d,%s\n" % (100 + i, 30 + i, b"fm"[i % 2 : i % 2 + 1]) for i in range(30))
TOGGLE = "Keep these lines as records"


def test_lines_left_out_are_shown_with_their_text_and_taken_back():
    app = App(DATA, b"Admissions 2024\n\n" + RECORDS + b"Total,1335,\n\nSource: the registry\n")
    assert app.metric("Rows") == "30"
    shown = app.table("Where")
    assert shown["Line"].tolist() == [1, 34, 36]
    assert shown["Text"].tolist() == ["Admissions 2024", "Total · 1335", "Source: the registry"]
    assert app.choose("toggle", TOGGLE, True).metric("Rows") == "32" and not app.errors
    assert app.choose("toggle", TOGGLE, False).metric("Rows") == "30"
    app.choose("toggle", TOGGLE, True).press("Read again")
    assert app.metric("Rows") == "32", "what is kept stays kept"
    assert app.choose("toggle", TOGGLE, False).metric("Rows") == "30" and not app.errors
    assert app.press("Read again").metric("Rows") == "30", "what was left out stays left out"


def test_a_file_of_which_nothing_is_left_out_has_no_such_switch():
    app = App(DATA, RECORDS)
    assert not [toggle for toggle in app.at.toggle if toggle.label == TOGGLE]


def test_quotation_marks_can_be_ordinary_text_as_the_sentence_says():
    app = App(DATA, RECORDS).upload(b'id,note\n1,"ab\n2,b\n', "quotes.csv")
    assert "choose that quotation marks are ordinary text" in app.errors[0]
    box = next(box for box in app.at.checkbox if "refused" in box.key and "Quotation" in box.label)
    box.set_value(True)
    next(button for button in app.at.button if button.label == "Read again" and "refused" in button.key).click()
    assert app.run().metric("Rows") == "2" and not app.errors


def test_aligned_columns_can_be_chosen():
    app = App(DATA, b"id age sex\n1 34 f\n10   5 m\n")
    app.set("selectbox", "Delimiter", "  ").press("Read again")
    assert not app.errors and app.metric("Columns") == "3"
