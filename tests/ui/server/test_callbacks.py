"""A callback comes to its end although a newer run is asked for, or Anonscope refuses to serve."""

from __future__ import annotations

from collections.abc import Callable
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


class Renamed(SafeSessionState):
    """As if Streamlit called what stops a run otherwise."""

    __slots__ = ("stops_here",)

    def __init__(self, state: SessionState, stops: Callable[[], None]) -> None:
        super().__init__(state, stops)
        object.__setattr__(self, "stops_here", stops)
        object.__delattr__(self, callbacks._STOPS)


class WithoutEffect(SafeSessionState):
    """As if Streamlit stopped a run by something else, and what it did so by was left over."""

    __slots__ = ("stops_here",)

    def __init__(self, state: SessionState, stops: Callable[[], None]) -> None:
        super().__init__(state, lambda: None)
        object.__setattr__(self, "stops_here", stops)

    def __contains__(self, key: object) -> bool:
        self.stops_here()
        return False


class NeverStops(SafeSessionState):
    """As if looking at the session stopped nothing any more: a probe that asks nothing says nothing."""

    def __init__(self, state: SessionState, stops: Callable[[], None]) -> None:
        super().__init__(state, lambda: None)


@pytest.mark.parametrize("changed", [Renamed, WithoutEffect, NeverStops])
def test_where_a_callback_could_be_stopped_it_refuses_to_serve(changed: type, monkeypatch: pytest.MonkeyPatch) -> None:
    callbacks.let_callbacks_finish()
    monkeypatch.setattr(callbacks, "SafeSessionState", changed)
    with pytest.raises(SystemExit, match=r"SafeSessionState.*a file that is being opened could be lost"):
        callbacks.let_callbacks_finish()
