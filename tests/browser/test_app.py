"""The steps that browser tests take wait for what they look for, and pass no closed gate unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import app
from tests.browser.app import accept_all, leave_anyway

HERE = Path(__file__).parent
PAGE = """
<div data-testid="stApp" data-test-connection-state="CONNECTED" data-test-script-state="running"></div>
<script>
    const app = document.querySelector("div")
    const draw = (html, after) => setTimeout(() => app.insertAdjacentHTML("beforeend", html), after)
    const idle = (after) => setTimeout(() => { app.dataset.testScriptState = "notRunning" }, after)
    %s
</script>
"""
"""What the steps know of a page: drawn bit by bit, while a script runs."""


def test_a_question_that_is_drawn_after_the_suggestions_is_answered(page: Page) -> None:
    page.set_content(
        PAGE
        % """
        draw("<button onclick='this.dataset.pressed = 1'>Accept suggestions</button>", 300)
        draw("<button onclick='window.answered = true; this.remove()'>Answer 2 as suggested</button>", 1200)
        idle(1300)
    """
    )
    accept_all(page)
    expect(page.get_by_role("button", name="Accept suggestions")).to_have_attribute("data-pressed", "1")
    assert page.evaluate("window.answered")


def test_a_reason_is_written_once_its_box_is_drawn(page: Page) -> None:
    page.set_content(PAGE % """draw("<label>It leaves all the same, because<input></label>", 1200); idle(1300)""")
    leave_anyway(page)
    assert page.locator("input").input_value().startswith("Agreed")


def test_where_the_gate_is_open_no_reason_is_written_without_a_word(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "TIMEOUT", 500)
    page.set_content(PAGE % "idle(0)")
    with pytest.raises(AssertionError):
        leave_anyway(page)


def test_a_closed_gate_is_passed_by_that_step_alone() -> None:
    # Sessions without a browser pass it by their messages, in one file.
    at_the_gate = ("app.py", "test_many_sessions.py", Path(__file__).name)
    others = [path for path in HERE.glob("*.py") if path.name not in at_the_gate]
    assert [path.name for path in others if "It leaves all the same" in path.read_text()] == []
