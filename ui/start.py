"""Start Anonscope on this machine: ``python -m ui.start [--port N] [--data DIR] [--register DIR]``.

With ``--team FILE`` it serves a department: behind a sign-in, where the settings in that file let it listen.

What keeps it private is in :mod:`ui.server`. ``app.py`` sees to it, so that ``streamlit run app.py`` is as safe.
"""

from __future__ import annotations

import argparse
import os
import socket
import threading
import time
import webbrowser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.filing.department.settings import Team
from ui.files import connected, registers
from ui.server import MUST_BE, prepare_server, variable_of, who

ROOT = Path(__file__).resolve().parents[1]
ADDRESS = "127.0.0.1"
PORT = 8501
PORTS_TRIED = 50
_FOLDERS = {
    "data": connected.FOLDER,
    "temporary": connected.TEMPORARY,
    "releases": connected.RELEASES,
    "register": registers.FOLDER,
}


def free_port(wanted: int, tries: int = PORTS_TRIED) -> int:
    """The first port from ``wanted`` on that nothing on this machine listens on.

    Raises :class:`SystemExit` with a sentence when none of ``tries`` ports is free.
    """
    for port in range(wanted, min(wanted + tries, 65536)):
        if _is_free(port):
            return port
    raise SystemExit(f"No free port from {wanted} on. Close another program, or choose one with --port.")


def _is_free(port: int) -> bool:
    if _answers(port):
        return False
    with socket.socket() as probe:
        if os.name != "nt":  # there the option would let two programs share the port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError:
            return False
    return True


def _answers(port: int, host: str = ADDRESS) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0


def _say_when_ready(port: int, opens: bool) -> None:
    """Print the address once the server answers, so that following it never finds nothing there; open it if wished."""
    while not _answers(port):
        time.sleep(0.1)
    print(
        f"Anonscope is at http://{ADDRESS}:{port} (nothing leaves this machine; stop with Ctrl+C)",
        flush=True,
    )
    if opens:
        webbrowser.open(f"http://{ADDRESS}:{port}")


def _say_when_a_department_is_served(team: Team) -> None:
    host, port = team.listen
    while not _answers(port, _reached_as(host)):
        time.sleep(0.1)
    print(f"Anonscope is at {team.address}, where the proxy leads to {host}:{port} (stop with Ctrl+C)", flush=True)


def _reached_as(host: str) -> str:
    """By which address this machine reaches a server that listens on a host, or on all that it has."""
    return {"0.0.0.0": ADDRESS, "::": "::1"}.get(host, host)


def main(arguments: list[str] | None = None) -> None:
    """Serve ``app.py`` on the loopback address until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m ui.start", description="Start Anonscope on this machine.")
    parser.add_argument("--port", type=int, default=PORT, help=f"port to listen on (default {PORT})")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="offer the CSV and Parquet files of a folder, to be opened in place"
    )
    parser.add_argument(
        "--temporary", type=Path, metavar="DIR",
        help="a folder for what of --data does not fit into memory; without it nothing is written",
    )  # fmt: skip
    parser.add_argument(
        "--releases", type=Path, metavar="DIR", help="a folder into which releases of --data can be written"
    )
    parser.add_argument(
        "--register", type=Path, metavar="DIR", help="the folder in which a register of releases may be kept"
    )
    parser.add_argument("--open", action="store_true", help="open the app in the browser")
    parser.add_argument(
        "--team", type=Path, metavar="FILE", help="serve a department, as the settings in this file say"
    )
    chosen = parser.parse_args(arguments)
    wanted = chosen.port
    if not 1 <= wanted <= 65535:
        parser.error("a port is a number from 1 to 65535")
    if chosen.team is not None and (chosen.open or chosen.register is not None or wanted != PORT):
        parser.error("--team names a file that says where to listen and what to keep: leave out --port, --register")
    for name, variable in _FOLDERS.items():
        folder = getattr(chosen, name)
        if folder is not None:
            if not folder.is_dir():
                parser.error(f"there is no folder {words.escaped(str(folder))}")
            os.environ[variable] = str(folder.resolve())
    if chosen.team is None:
        os.environ.pop(who.SETTINGS, None)
        _serve_a_desk(wanted, chosen.open)
    else:
        os.environ[who.SETTINGS] = str(chosen.team.resolve())
        _serve_a_department()


def _serve_a_desk(wanted: int, opens: bool) -> None:
    port = free_port(wanted)
    if port != wanted:
        print(f"Port {wanted} is in use by another program; using {port}.", flush=True)
    _serve(ADDRESS, port, partial(_say_when_ready, port, opens))


def _serve_a_department() -> None:
    """Raises SystemExit with a sentence where the settings cannot be used, or another program listens there."""
    try:
        team = who.team()
        who.department()
    except InputError as error:
        raise SystemExit(f"Anonscope does not start: {error}") from None
    assert team is not None
    host, port = team.listen
    if _answers(port, _reached_as(host)):
        raise SystemExit(
            f"Anonscope does not start: another program listens on {host}:{port}, as the setting listen is."
        )
    own_host = f"--server.allowedHosts={urlsplit(team.address).hostname}"
    _serve(host, port, partial(_say_when_a_department_is_served, team), own_host)


def _serve(host: str, port: int, say_when_ready: Callable[[], None], *options: str) -> None:
    """Serve ``app.py``, which is made private when it is imported."""
    from ui.server.private import cli

    os.chdir(ROOT)  # Streamlit reads .streamlit/config.toml from here
    for option in MUST_BE:
        os.environ.pop(variable_of(option), None)  # which would win over it
    if not options:  # else these are not as they must be before they are given
        prepare_server()
    threading.Thread(target=say_when_ready, daemon=True).start()
    # Given here as well as in the configuration file, because these win over the environment's STREAMLIT_ variables.
    own = {"server.address": host, "server.port": port, "browser.gatherUsageStats": "false"}
    cli.main(["run", "app.py", *(f"--{name}={value}" for name, value in own.items()), *options])


if __name__ == "__main__":
    main()
