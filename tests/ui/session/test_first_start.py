"""The first start: a page that needs what is not compiled yet says that it waits."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from anonlib.basics import machine_code
from tests.helpers.app import HOME, App
from ui.session import first_start

WORDS = "First start: searches are still being compiled"


@pytest.mark.parametrize("going_on", [True, False])
def test_the_sidebar_says_so_while_set_up_goes_on(monkeypatch: pytest.MonkeyPatch, going_on: bool) -> None:
    monkeypatch.setattr(machine_code, "is_set_up_going_on", lambda: going_on)
    assert any(WORDS in caption.value for caption in App(HOME).at.sidebar.caption) is going_on


def test_a_wait_is_shown_on_a_page_and_lets_it_be_left() -> None:
    def page() -> None:
        import streamlit as st

        from ui.session import first_start

        with first_start._in_words():
            first_start._let_go()
            st.write("during")

    assert [element.value for element in AppTest.from_function(page).run().markdown][-1] == "during"


def test_a_thread_beside_a_page_waits_without_words() -> None:
    with first_start._in_words():
        first_start._let_go()
