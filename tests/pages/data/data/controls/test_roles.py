"""What each column is, on the Data page: what is accepted unasked, one question a column, the table of all."""

from __future__ import annotations

from anonlib.columns.roles import Role, suggest_roles, undecided
from pages.data.data.controls.roles import AT_ONCE
from tests.helpers.app import ACCEPT, DATA, PAGES, RISK, TAKE_ASKED, App, dataset_of, loaded, sampled

YES, HARM, NEITHER = (
    "Yes, known or could be found out",
    "No, and it would harm if learned",
    "Neither, I am sure",
)
WARDS = (
    "age,los,ward,blank,fixed\n" + "".join(f"{20 + i % 9},{i % 7},{'abc'[i % 3]},,x\n" for i in range(60))
).encode()


def questions(app: App) -> list[str]:
    return [radio.label for radio in app.at.radio if radio.label.startswith("Could somebody")]


def question(app: App, column: str):
    return app.widget("radio", f"Could somebody outside know “{column}”")


def answer(app: App, column: str, message: str) -> App:
    """Choose an answer by what it is called."""
    radio = question(app, column)
    options = ["Undecided", Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.OTHER]
    radio.set_value(options[radio.options.index(message)])
    return app.run()


def left(app: App) -> list[str]:
    return undecided(dataset_of(app).columns, app.session.roles)


def test_what_is_asked_stays_undecided_when_suggestions_are_accepted(file):
    app = App(DATA, file)
    assert "**8 columns are undecided**. For 6 there is a suggestion; 2 only you can judge" in app.text
    app.press(ACCEPT)
    suggested = suggest_roles(dataset_of(app).frame)
    assert app.session.roles == {s.column: s.role for s in suggested if not s.asked}
    assert left(app) == ["visit_date", "notes"] == [s.column for s in suggested if s.asked]
    assert "**2 columns are undecided**: **visit_date** and **notes**" in app.text
    assert app.button(ACCEPT).disabled and app.button(ACCEPT).help and not app.button(TAKE_ASKED).disabled
    assert dataset_of(app).quasi_identifiers == ["age", "sex", "zip"], "what is undecided takes part in nothing"
    for page in PAGES:
        app.open(page)


def test_who_is_in_a_hurry_takes_what_is_suggested_for_all_that_are_asked(file):
    app = App(DATA, file)
    assert app.button(TAKE_ASKED).label == "Answer 1 of 2 that are asked as suggested"
    app.press(TAKE_ASKED)
    assert app.session.roles == {"visit_date": Role.QUASI_IDENTIFIER}, "nothing tells what notes are"
    app.press(ACCEPT)
    assert left(app) == ["notes"] and not app.has_button(TAKE_ASKED)
    assert "Nothing is suggested, as nothing speaks for an answer." in app.text
    answer(app, "notes", NEITHER)
    assert app.session.roles == {s.column: s.role for s in suggest_roles(dataset_of(app).frame)} and not left(app)
    assert "Every column is decided" in app.text and not questions(app)


def test_no_button_says_of_many_columns_that_they_are_neither():
    names = [f"zq{i}" for i in range(6)]
    rows = [",".join(str((i * i + j) % 5) for j in range(len(names))) + f",{i % 3}" for i in range(60)]
    app = App(DATA, "\n".join([",".join([*names, "interview_mode"]), *rows]).encode())
    app.press(TAKE_ASKED)
    assert app.session.roles == {"interview_mode": Role.OTHER}, "the only one with a reason of its own"
    (block,) = [radio for radio in app.at.radio if radio.label.startswith("Could somebody outside know any of these 6")]
    assert block.options == ["Undecided", YES, HARM] and "“Neither” is answered column by column" in app.text
    assert "Nothing: only you can say" in app.table("Role")["Suggested"].tolist()
    app.choose("text_input", "Find columns", "zq")
    assert not any("Neither" in option for option in app.widget("selectbox", "All 6 shown are").options)
    app.give_roles(**dict.fromkeys(names, "Neither"))
    assert set(app.session.roles.values()) == {Role.OTHER} and not left(app), "one by one in the table"


def test_a_question_says_why_it_is_asked_and_is_answered_with_one_click():
    app = App(DATA, WARDS)
    assert questions(app) == [f"Could somebody outside know “{name}” of a person?" for name in ("los", "ward")]
    assert "how long somebody stayed in hospital" in app.text and "Suggested: **yes**" in app.text
    assert question(app, "los").options == ["Undecided", YES, HARM, NEITHER]
    answer(app, "los", YES)
    assert app.session.roles == {"los": Role.QUASI_IDENTIFIER}
    assert questions(app)[0] == "Could somebody outside know “los” of a person?", "stays in place beside the others"
    answer(app, "los", HARM)
    assert app.session.roles == {"los": Role.SENSITIVE}
    answer(app, "los", NEITHER)
    assert app.session.roles == {"los": Role.OTHER} and "los" not in left(app), "other is a decision"
    answer(app, "los", "Undecided")
    assert app.session.roles == {}
    answer(app, "los", YES)
    answer(app, "ward", HARM)
    assert not questions(app)
    app.press("undo")
    assert question(app, "ward").value == "Undecided" and question(app, "los").value == Role.QUASI_IDENTIFIER


def test_constant_and_empty_columns_are_accepted_unasked():
    app = App(DATA, WARDS).press(ACCEPT)
    assert app.session.roles == {"age": Role.QUASI_IDENTIFIER, "blank": Role.OTHER, "fixed": Role.OTHER}


def test_many_questions_come_some_at_a_time():
    names = [f"zq{chr(97 + i)}" for i in range(2 * AT_ONCE + 1)]
    rows = [",".join(str((i + j) % (2 + j)) for j in range(len(names))) for i in range(40)]
    app = App(DATA, "\n".join([",".join(names), *rows]).encode())
    assert len(questions(app)) == AT_ONCE and f"Then: {AT_ONCE + 1} more questions" in app.text
    app.give_roles(**dict.fromkeys(names[:AT_ONCE], "Neither"))
    assert questions(app)[0] == f"Could somebody outside know “{names[AT_ONCE]}” of a person?"
    app.give_roles(**dict.fromkeys(names[AT_ONCE : 2 * AT_ONCE], "Quasi-identifier"))
    assert len(questions(app)) == 1 and "more question" not in app.text


def test_a_role_of_another_name_is_among_the_answers():
    app = App(DATA, WARDS).give_roles(ward="Identifier")
    assert question(app, "ward").options == ["Undecided", YES, HARM, NEITHER, "Identifier"]
    assert question(app, "ward").value == Role.IDENTIFIER


def test_undecided_columns_come_first_in_the_table_and_stay_in_place_while_it_is_edited(file):
    app = App(DATA, file)
    first = ["visit_date", "notes", "full_name", "record_number", "age", "sex", "zip", "diagnosis"]
    assert app.table("Role")["Column"].tolist() == first
    app.give_roles(visit_date="Place")
    assert app.session.roles == {"visit_date": Role.PLACE} and app.table("Role")["Column"].tolist() == first
    app.edit("Role", {})
    assert app.table("Role")["Column"].tolist() == first, "as the browser says once it shows what was chosen"
    app.give_roles(zip="Place")
    assert app.table("Role")["Column"].tolist() == first
    app.open(RISK).open(DATA)
    after = ["notes", "full_name", "record_number", "age", "sex", "diagnosis", "zip", "visit_date"]
    assert app.table("Role")["Column"].tolist() == after
    app.press(ACCEPT)
    assert app.session.roles["zip"] == Role.PLACE, "set by hand"
    assert app.table("Role")["Column"].tolist() == [
        "notes",
        *(name for name in dataset_of(app).columns if name != "notes"),
    ]


def test_the_table_shows_the_answer_with_the_name_of_the_role(file):
    app = loaded(file)
    shown = app.table("Role").set_index("Column")["Role"]
    assert (
        shown["age"] == "Known outside (quasi-identifier)" and shown["diagnosis"] == "Not known, would harm (sensitive)"
    )
    assert shown["notes"] == "Neither" and shown["full_name"] == "Identifier"
    assert len({role.answer for role in Role}) == len(Role)


def test_other_pages_accept_what_is_safe_and_say_what_is_left(file):
    app = App(RISK, file).press("Accept suggested roles")
    assert left(app) == ["visit_date", "notes"]
    assert "2 columns only you can judge" in app.text and app.metric("k, the smallest class") == "1"


def test_where_only_asked_columns_are_known_a_page_leads_to_the_data_page():
    days = "visit_date,code\n" + "".join(f"2024-01-{i % 28 + 1:02d},{'abc'[i % 3]}\n" for i in range(60))
    app = App(RISK, days.encode())
    assert not app.has_button("Accept") and "**visit_date** perhaps" in app.text


def test_a_sample_is_decided_whole():
    app = sampled("admissions", DATA)
    assert not left(app) and not questions(app) and "Every column is decided" in app.text
