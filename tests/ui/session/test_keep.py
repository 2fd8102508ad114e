"""Settings that stay: over pages, while they are not offered, and whatever the browser still says of old widgets."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec
from streamlit.testing.v1 import AppTest

from tests.helpers.app import app_of
from ui.session import keep
from ui.session.keep import per
from ui.session.state import Session

GOT = "got"


def started(script: Callable[..., None], *inputs: Any, **entries: Any) -> AppTest:
    """A script's first run, with these entries in the session's state."""
    at = app_of(script, *inputs)
    for name, value in entries.items():
        at.session_state[name] = value
    return run(at)


def run(at: AppTest, **entries: Any) -> AppTest:
    for name, value in entries.items():
        at.session_state[name] = value
    at.run()
    assert not at.exception, at.exception[0].message
    return at


def one_slider() -> None:
    """A page with a slider; another page, where ``page`` is 2; ``before`` is done first."""
    import streamlit as st

    from ui.session import keep

    if "before" in st.session_state:
        st.session_state.pop("before")()
    if st.session_state.get("page", 1) == 1:
        st.session_state["got"] = keep.slider("size", "Size", 1, st.session_state.get("most", 10), 3)


def session(at: AppTest) -> Session:
    return at.session_state["anonscope"]


# ---- every kind of widget --------------------------------------------------------------------------------------------

KINDS = {
    "slider": (lambda: keep.slider("s", "S", 1, 9, 3), 3, 7),
    "number": (lambda: keep.number("s", "S", 1, None, 3), 3, 70),
    "toggle": (lambda: keep.toggle("s", "S"), False, True),
    "select": (lambda: keep.select("s", "S", ["a", "b"]), "a", "b"),
    "segments": (lambda: keep.segments("s", "S", ["a", "b"], "b"), "b", "a"),
    "radio": (lambda: keep.radio("s", "S", ["a", "b"]), "a", "b"),
    "several": (lambda: keep.several("s", "S", ["a", "b", "c"], ["a"]), ["a"], ["c", "b"]),
    "text": (lambda: keep.text("s", "S", "x"), "x", "y"),
    "range_slider": (lambda: keep.range_slider("s", "S", 0, 9, (2, 3)), (2, 3), (1, 8)),
}  # fmt: skip
SHOWN_AS = {
    "number": "number_input", "select": "selectbox", "segments": "segmented_control", "several": "multiselect",
    "text": "text_input", "range_slider": "slider",
}  # fmt: skip


def one_widget(draw):
    import streamlit as st

    st.session_state["got"] = draw() if st.session_state.get("page", 1) == 1 else None


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_widget_begins_with_its_default_and_stays_as_set_over_pages(kind: str) -> None:
    draw, default, other = KINDS[kind]
    at = started(one_widget, draw)
    assert at.session_state[GOT] == default
    getattr(at, SHOWN_AS.get(kind, kind))[0].set_value(other)
    assert run(at).session_state[GOT] == other
    run(run(at, page=2), page=2)
    assert run(at, page=1).session_state[GOT] == other
    widget = getattr(at, SHOWN_AS.get(kind, kind))[0]
    shown = [*widget.value] if kind in ("several",) else widget.value
    assert shown == other, "and that is what is on the screen"


def test_the_same_widget_goes_on_while_only_the_officer_moves_it() -> None:
    at = started(one_slider)
    key = at.slider[0].key
    for value in (4, 5, 9):
        at.slider[0].set_value(value)
        assert run(at).session_state[GOT] == value and at.slider[0].key == key


# ---- what is no longer offered ---------------------------------------------------------------------------------------


def test_a_setting_that_is_no_longer_offered_gives_way_and_is_back_once_it_is_offered_again() -> None:
    at = started(one_slider)
    at.slider[0].set_value(7)
    run(at)
    assert run(at, most=5).session_state[GOT] == at.slider[0].value == 3, "the default"
    assert run(at, most=10).session_state[GOT] == at.slider[0].value == 7


def test_of_several_those_that_are_offered_are_shown_and_the_others_are_back_later() -> None:
    def script() -> None:
        import streamlit as st

        from ui.session import keep

        st.session_state["got"] = keep.several("columns", "Columns", st.session_state["offered"])

    at = started(script, offered=["age", "sex", "zip"])
    at.multiselect[0].set_value(["zip", "age"])
    assert run(at).session_state[GOT] == ["zip", "age"]
    assert run(at, offered=["age", "sex"]).session_state[GOT] == ["age"]
    assert run(at, offered=["sex"]).session_state[GOT] == []
    assert run(at, offered=["age", "sex", "zip"]).session_state[GOT] == ["zip", "age"]


def test_what_is_chosen_meanwhile_holds() -> None:
    at = started(one_slider)
    at.slider[0].set_value(7)
    run(at)
    run(at, most=5).slider[0].set_value(2)
    run(at)
    assert run(at, most=10).session_state[GOT] == 2


# ---- set otherwise than by the widget --------------------------------------------------------------------------------


def test_a_value_that_is_put_is_shown_by_a_new_widget_and_what_is_stated_of_the_old_one_is_not_listened_to() -> None:
    at = started(one_slider)
    at.slider[0].set_value(7)
    run(at)
    old_key, stale = at.slider[0].key, at._tree.get_widget_states()
    run(at, before=lambda: keep.put("size", 9))
    assert at.session_state[GOT] == at.slider[0].value == 9 and at.slider[0].key != old_key
    at._run(stale)  # the browser goes on saying 7 of the widget that was replaced
    assert not at.exception and at.session_state[GOT] == at.slider[0].value == 9
    at.slider[0].set_value(2)
    assert run(at).session_state[GOT] == 2, "the new one is"


def test_a_value_put_where_its_widget_is_not_shown_is_shown_later() -> None:
    at = started(one_slider)
    run(at, page=2)
    run(at, before=lambda: keep.put("size", 8))
    assert run(at, page=1).session_state[GOT] == at.slider[0].value == 8


def test_what_the_officer_did_in_the_same_moment_counts_before_what_is_read_without_a_widget() -> None:
    at = started(one_slider)
    seen: list[int] = []
    at.slider[0].set_value(6)
    run(at, before=lambda: seen.append(keep.value("size", 3)))
    assert seen == [6]
    run(at, page=2)
    run(at, before=lambda: seen.append(keep.value("size", 3)))
    run(at, before=lambda: seen.append(keep.value("size", 3, lambda kept: kept < 5)))
    assert seen == [6, 6, 3]


def test_a_move_that_came_in_a_run_that_did_not_reach_the_widget_is_not_lost() -> None:
    def script() -> None:
        import streamlit as st

        from ui.session import keep

        if st.session_state.pop("interrupted", False):
            st.rerun()  # as a newer click ends the run of the one before
        st.session_state["got"] = keep.slider("size", "Size", 1, 10, 3)

    at = started(script)
    at.slider[0].set_value(7)
    assert run(at, interrupted=True).session_state[GOT] == 7
    assert session(at).settings == {"size": 7}


# ---- values that live elsewhere --------------------------------------------------------------------------------------


def of_the_session() -> None:
    """A slider whose value is the session's k; 7 is refused."""
    import streamlit as st

    from anonlib.basics.errors import InputError
    from ui.session import keep, state

    def take(k: int) -> None:
        st.session_state["asked"] = [*st.session_state.get("asked", []), k]
        if k == 7:
            raise InputError("Seven cannot be.", code="number-out-of-range")
        state.session().k = k

    st.session_state["got"] = keep.slider("k", "k", 1, 20, state.session().k, take=take)


def test_what_is_chosen_is_taken_and_what_holds_is_shown() -> None:
    at = started(of_the_session)
    assert at.slider[0].value == 5
    at.slider[0].set_value(9)
    run(at)
    assert session(at).k == at.slider[0].value == at.session_state[GOT] == 9 and "k" not in session(at).settings
    key = at.slider[0].key
    session(at).k = 12
    run(at)
    assert at.slider[0].value == 12 and at.slider[0].key != key, "changed elsewhere"


def test_what_was_refused_is_not_on_show() -> None:
    at = started(of_the_session)
    at.slider[0].set_value(7)
    run(at)
    assert session(at).problem == "Seven cannot be." and session(at).k == 5
    assert at.slider[0].value == at.session_state[GOT] == 5
    at.slider[0].set_value(8)
    assert run(at).session_state[GOT] == 8 and at.session_state["asked"] == [7, 8]


def test_a_widget_that_was_replaced_takes_nothing() -> None:
    """Its callback comes late, when another widget shows the setting."""
    at = started(of_the_session)
    at.slider[0].set_value(9)
    stale = at._tree.get_widget_states()
    session(at).shown["k"].version += 1
    at._run(stale)
    assert not at.exception and session(at).k == 5 and "asked" not in at.session_state


# ---- names and keys --------------------------------------------------------------------------------------------------


def test_the_name_of_a_setting_for_each_is_the_same_in_every_process() -> None:
    """Whatever its seed of hashes, which is another in each."""
    named = {"leakage-columns-2de20fbf364b"}
    assert named == {per("leakage-columns", ("age", "sex"), 5)}
    others = [per("leakage-columns", *what) for what in [(), ("age",), (("age", "sex"),), (("sex", "age"), 5)]]
    assert len({*named, *others}) == 5


def test_keys_are_new_after_renewal_and_in_another_generation() -> None:
    def script() -> None:
        import streamlit as st

        from ui.session import keep, state

        keys = [keep.key("upload"), keep.key("upload")]
        keep.renew("upload")
        keys.append(keep.key("upload"))
        state.session().generation += 1
        st.session_state["got"] = [*keys, keep.key("upload"), keep.key("other")]

    first, again, *others = started(script).session_state[GOT]
    assert first == again and len({first, *others}) == 4


def test_settings_are_forgotten_by_the_start_of_their_names() -> None:
    at = started(one_slider)
    answers: list[bool] = []
    at.slider[0].set_value(7)
    run(at, before=lambda: answers.append(keep.is_set("si")))
    run(at, before=lambda: keep.forget("si"))
    assert at.session_state[GOT] == at.slider[0].value == 3
    run(at, before=lambda: answers.append(keep.is_set("si")))
    assert answers == [True, False]


def test_a_page_looks_at_the_release_where_there_is_one_and_each_choice_stays() -> None:
    def script() -> None:
        import streamlit as st

        from ui.kit import shared_controls

        st.session_state["got"] = shared_controls.look_at("risk", st.session_state["has_release"])

    at = started(script, has_release=False)
    assert at.session_state[GOT] == "Original" and at.segmented_control[0].disabled
    assert "recipe" in at.segmented_control[0].help
    assert run(at, has_release=True).session_state[GOT] == "Release"
    at.segmented_control[0].set_value("Original")
    assert run(at).session_state[GOT] == "Original"
    run(at, has_release=False)
    assert run(at, has_release=True).session_state[GOT] == "Original"


@pytest.mark.parametrize("dropped", [None, DeletedFile("1")])
def test_a_file_whose_bytes_were_dropped_is_no_file(monkeypatch, dropped) -> None:
    upload = UploadedFile(UploadedFileRec("1", "people.csv", "text/csv", b"a\n1\n"), FileURLs())
    monkeypatch.setattr(keep, "st", SimpleNamespace(session_state={"held": upload, "other": dropped}))
    assert keep.uploaded("held") is upload
    assert keep.uploaded("other") is None
