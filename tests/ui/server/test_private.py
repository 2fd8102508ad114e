"""Where a private name of Streamlit or Starlette is gone, or does something else, Anonscope refuses to serve."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import SpooledTemporaryFile

import pytest
from starlette import formparsers
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SafeSessionState, SessionState

from ui import server
from ui.server import private

ROOT = Path(__file__).resolve().parents[3]
ONLY_THERE = [name for name in private.NAMES if name.works is None]


def test_every_name_stands() -> None:
    private.check()


def test_each_name_is_listed_once_with_what_it_is_for() -> None:
    assert len({name.label for name in private.NAMES}) == len(private.NAMES)
    assert all(name.use and name.otherwise for name in private.NAMES)


@pytest.mark.parametrize("name", ONLY_THERE, ids=lambda name: name.label)
def test_without_a_name_that_it_needs_it_refuses_to_serve(name: private.Name, monkeypatch: pytest.MonkeyPatch) -> None:
    if name.holder is ScriptRunContext or name.name not in vars(name.holder):
        monkeypatch.delitem(name.holder.__dataclass_fields__, name.name)
    else:
        monkeypatch.delattr(name.holder, name.name)
    expected = rf"^Anonscope does not start: Streamlit \S+ has changed \({name.label}\), and {name.otherwise}\."
    with pytest.raises(SystemExit, match=expected):
        server.prepare_server()


def test_where_a_module_is_gone_it_refuses_to_serve() -> None:
    program = "import sys; sys.modules['streamlit.web.cli'] = None; import ui.server"
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("Anonscope does not start: Streamlit") and "Traceback" not in ended.stderr


class _AlwaysOnDisk(SpooledTemporaryFile):
    def __init__(self, max_size: int = 0) -> None:
        super().__init__(max_size=1)


def test_where_uploads_would_go_to_disk_all_the_same_it_refuses_to_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formparsers, "SpooledTemporaryFile", _AlwaysOnDisk)
    for _ in range(2):  # as every run of a page asks again
        with pytest.raises(SystemExit, match="uploads would be written to disk"):
            server.prepare_server()


def test_where_a_closed_tab_could_not_be_dropped_it_refuses_to_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MemorySessionStorage, "delete", lambda storage, session_id: None)
    with pytest.raises(SystemExit, match="the data of a closed tab would not be dropped"):
        server.prepare_server()


def test_where_what_widgets_were_given_would_stay_it_refuses_to_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SessionState, "__init__", lambda state: None)
    with pytest.raises(SystemExit, match=r"SessionState.*a forgotten file would stay"):
        server.prepare_server()


class Renamed(SafeSessionState):
    """As if Streamlit called what stops a run otherwise."""

    __slots__ = ("stops_here",)

    def __init__(self, state: SessionState, stops: Callable[[], None]) -> None:
        super().__init__(state, stops)
        object.__setattr__(self, "stops_here", stops)
        object.__delattr__(self, "_yield_callback")


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
    monkeypatch.setattr(private, "SafeSessionState", changed)
    with pytest.raises(SystemExit, match=r"SafeSessionState.*a file that is being opened could be lost"):
        server.prepare_server()
