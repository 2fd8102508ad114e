"""What got past everything else is a sentence on the page."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

SECRET = "SECRET-CELL-7731"


def test_what_got_past_all_else_is_a_sentence_without_its_text() -> None:
    def page() -> None:
        from ui.session import guard

        assert guard.show_fault(ValueError("SECRET-CELL-7731")), "Streamlit shows nothing of its own then"

    at = AppTest.from_function(page, default_timeout=60).run()
    (shown,) = at.error
    assert "Something went wrong" in shown.value and SECRET not in shown.value
