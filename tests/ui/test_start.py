"""The start command and its configuration."""

from __future__ import annotations

import os
import socket
import tomllib
from pathlib import Path

import pytest

from ui import start
from ui.files import registers
from ui.server import MUST_BE, private, variable_of

ROOT = Path(__file__).resolve().parents[2]


def test_the_next_free_port_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert port < start.free_port(port) <= port + start.PORTS_TRIED
        with pytest.raises(SystemExit, match="No free port"):
            start.free_port(port, tries=1)
    assert start.free_port(port) == port


@pytest.mark.parametrize("arguments", [["--port", "0"], ["--port", "70000"], ["--port", "x"]])
def test_a_port_that_is_none_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        start.main(arguments)


def test_a_folder_of_a_register_is_named_at_the_start_and_must_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(registers.FOLDER, raising=False)
    with pytest.raises(SystemExit):
        start.main(["--register", str(tmp_path / "nowhere")])
    assert "there is no folder" in capsys.readouterr().err and registers.allowed() is None
    monkeypatch.setenv(registers.FOLDER, "")  # so that what is set now is unset after the test
    monkeypatch.setattr(start, "free_port", _stop)
    with pytest.raises(KeyboardInterrupt):
        start.main(["--register", str(tmp_path)])
    assert registers.allowed() == tmp_path.resolve()


def test_no_variable_of_the_environment_changes_an_option_on_which_privacy_rests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for option in MUST_BE:
        monkeypatch.setenv(variable_of(option), "elsewhere.example")
    started: list[list[str]] = []
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(start, "_say_when_ready", lambda *_: None)
    monkeypatch.setattr(start, "prepare_server", lambda: None)
    monkeypatch.setattr(private.cli, "main", started.append)
    start.main(["--port", str(start.free_port(8900))])
    assert len(started) == 1 and not [option for option in MUST_BE if variable_of(option) in os.environ]


def _stop(port: int) -> int:
    raise KeyboardInterrupt


def test_the_browser_is_opened_once_the_server_answers_and_only_if_wished(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(start.webbrowser, "open", opened.append)
    answers = iter([False, True, True])
    monkeypatch.setattr(start, "_answers", lambda port: next(answers))
    start._say_when_ready(8501, opens=True)
    start._say_when_ready(8501, opens=False)
    assert opened == ["http://127.0.0.1:8501"]


def test_every_option_of_the_configuration_is_one_streamlit_knows() -> None:
    from streamlit import config

    known = set(config.get_config_options())
    unknown = set(_options(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text()))) - known
    assert not unknown


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("server.address", "127.0.0.1"),
        ("server.headless", True),
        ("server.enableXsrfProtection", True),
        ("server.enableCORS", True),
        ("server.enableStaticServing", False),
        ("server.enableAgentApi", False),
        ("server.allowedHosts", ["localhost", "127.0.0.1", "::1"]),
        ("browser.gatherUsageStats", False),
        ("client.showErrorDetails", "none"),
        ("client.showErrorLinks", False),
        ("client.disableDataExport", True),
        ("client.allowedOrigins", []),
        ("logger.level", "error"),
        ("logger.enableRich", False),
        ("runner.magicEnabled", False),
    ],
)
def test_the_configuration_is_the_private_one(option: str, value: object) -> None:
    assert _options(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text()))[option] == value


def _options(table: dict, prefix: str = "") -> dict[str, object]:
    options: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            options |= _options(value, f"{prefix}{name}.")
        else:
            options[f"{prefix}{name}"] = value
    return options
