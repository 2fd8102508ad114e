"""A callback comes to its end although a newer run is asked for."""

from __future__ import annotations

from threading import Thread
from types import SimpleNamespace

import pytest
from streamlit.runtime.state import SafeSessionState, SessionState

from ui.server import callbacks, keeping


class Stopped(BaseException):
    """As Streamlit stops a run."""


def stop() -> None:
    raise Stopped


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> SafeSessionState:
    """The state of a session of which a newer run was asked for."""
    state = SafeSessionState(SessionState(), stop)
    context = SimpleNamespace(session_id="this session", session_state=state)
    monkeypatch.setattr(callbacks, "get_script_run_ctx", lambda **_: context)
    return state


def test_a_run_is_stopped_where_it_looks_at_the_session_but_in_a_callback(held: SafeSessionState) -> None:
    with pytest.raises(Stopped):
        _ = "file" in held
    with callbacks.to_the_end():
        held["file"] = "read"
        assert held["file"] == "read"
    with pytest.raises(Stopped):
        _ = "file" in held


def test_after_a_callback_that_fails_a_run_can_be_stopped_again(held: SafeSessionState) -> None:
    with pytest.raises(ValueError), callbacks.to_the_end():
        raise ValueError
    with pytest.raises(Stopped):
        _ = "file" in held


def test_one_callback_within_another_ends_with_the_outer_one(held: SafeSessionState) -> None:
    with callbacks.to_the_end():
        with callbacks.to_the_end():
            held["file"] = 1
        held["file"] = 2
    with pytest.raises(Stopped):
        _ = "file" in held


def test_without_a_session_a_callback_is_called_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callbacks, "get_script_run_ctx", lambda **_: None)
    with callbacks.to_the_end(), callbacks.turn():
        pass


def test_each_session_has_a_turn_of_its_own_until_it_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = SimpleNamespace(session_id="one")
    monkeypatch.setattr(callbacks, "get_script_run_ctx", lambda **_: asked)
    turn = callbacks.turn()
    assert callbacks.turn() is turn
    asked.session_id = "another"
    assert callbacks.turn() is not turn
    for forget in keeping.when_dropped:
        forget("one")
        forget("another")
    assert not {"one", "another"} & set(callbacks._turns)


def test_who_holds_the_turn_knows_whether_another_run_waits_for_it() -> None:
    turn = callbacks.Turn()
    with turn:
        assert not turn.is_waited_for
        with turn:
            assert not turn.is_waited_for, "its own"
        other = Thread(target=turn.__enter__)
        other.start()
        while not turn.is_waited_for:
            other.join(0.01)
    other.join()
    assert not turn.is_waited_for
