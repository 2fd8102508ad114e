"""What got past everything else is a sentence on the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from streamlit.testing.v1 import AppTest

from ui.server import callbacks
from ui.server.private import begin_again, get_script_run_ctx
from ui.session import guard
from ui.session.memory import Memory

SECRET = "SECRET-CELL-7731"


def test_what_got_past_all_else_is_a_sentence_without_its_text() -> None:
    def page() -> None:
        from ui.session import guard

        assert guard.show_fault(ValueError("SECRET-CELL-7731")), "Streamlit shows nothing of its own then"

    at = AppTest.from_function(page, default_timeout=60).run()
    (shown,) = at.error
    assert "Something went wrong" in shown.value and SECRET not in shown.value


def test_a_machine_without_memory_or_room_is_a_sentence_and_no_fault_of_ours() -> None:
    def page() -> None:
        import errno

        from ui.session import guard

        for error in (MemoryError("SECRET-CELL-7731"), OSError(errno.ENOSPC, "SECRET-CELL-7731")):
            with guard.sentences():
                raise error

    at = AppTest.from_function(page, default_timeout=60).run()
    memory, disk = (each.value for each in at.error)
    assert "not enough memory" in memory and "no room left on the disk" in disk
    for sentence in (memory, disk):
        assert SECRET not in sentence and "Something went wrong" not in sentence and "still here" in sentence


def test_what_another_run_emptied_while_a_callback_waited_is_a_sentence_and_no_fault_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a run does that ends while the next one has begun: it clears up after a file that was dropped."""

    def page() -> None:
        import streamlit as st

        from ui.session import guard, keep

        key = keep.key("upload")
        st.file_uploader("File", key=key, on_change=guard.action(keep.uploaded), args=(key,))
        st.text(guard.state.session().problem)

    @contextmanager
    def waiting() -> Iterator[None]:
        held = get_script_run_ctx().session_state._state
        begin_again(held, {"anonscope": held["anonscope"]}, held.get_widget_states())
        yield

    at = AppTest.from_function(page, default_timeout=60).run()
    monkeypatch.setattr(guard.callbacks, "turn", waiting)
    at.file_uploader[0].set_value(("visits.csv", b"age\n1\n", "text/csv"))
    at.run()
    assert not at.exception
    assert at.text[0].value.startswith("The page was changing") and "it was not taken" in at.text[0].value


def test_a_run_leaves_it_to_the_next_one_to_clear_up_where_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    cleared: list[str] = []
    turn = callbacks.Turn()
    monkeypatch.setattr(guard.callbacks, "turn", lambda: turn)
    monkeypatch.setattr(guard.keeping, "finish_forgetting", lambda: cleared.append("cleared"))
    monkeypatch.setattr(guard.tabs, "arrive", lambda: None)
    monkeypatch.setattr(guard.cache, "memory", Memory)
    turn._waiting.append(None)
    guard.wait_for_actions()
    assert not cleared
    turn._waiting.clear()
    guard.wait_for_actions()
    assert cleared == ["cleared"]
