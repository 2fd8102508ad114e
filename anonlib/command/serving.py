"""``serve``: start the app."""

from __future__ import annotations

import argparse
import importlib.util
import runpy
import subprocess
import sys
from pathlib import Path

import anonlib
from anonlib.basics import machine_code
from anonlib.basics.errors import InputError
from anonlib.command.arguments import MET
from anonlib.filing.department.settings import read_team
from anonlib.set_up import WITH_CALLER

_BESIDE = Path(anonlib.__file__).resolve().parents[1]
_PLACES = (_BESIDE / "anonscope_app", _BESIDE)
"""Where the app is: in a folder of its own when it is installed, beside the library in a checkout."""


def serve(asked: argparse.Namespace) -> int:
    """Serve the app until it is interrupted: on this machine, and open in the browser unless that is not wanted; or to
    a department."""
    place = next((folder for folder in _PLACES if (folder / "ui" / "start.py").is_file()), None)
    if place is None or importlib.util.find_spec("streamlit") is None:
        raise InputError(
            'What the app needs is not installed: pip install "anonscope[app]" brings it.', code="app-not-installed"
        )
    if asked.team is not None:
        read_team(asked.team)  # refused before anything is compiled or loaded
    if not machine_code.is_kept():
        _compile_behind()
    options = ("data", "temporary", "releases", "register", "team")
    folders = {f"--{option}": getattr(asked, option) for option in options}
    named = [part for option, folder in folders.items() if folder is not None for part in (option, str(folder))]
    if not asked.no_browser and asked.team is None:
        named.append("--open")
    sys.path.insert(0, str(place))
    sys.argv = ["anonscope serve", "--port", str(asked.port), *named]
    runpy.run_module("ui.start", run_name="__main__")
    return MET


def _compile_behind() -> None:
    """Compile in a process of its own, which ends with this one; the app waits for what it needs of it."""
    print("Compiling what searches need (once; about a minute). Anonscope can be used meanwhile.", flush=True)
    command = [sys.executable, "-m", "anonlib.set_up", WITH_CALLER]
    subprocess.Popen(command, stdin=subprocess.PIPE, cwd=_BESIDE, start_new_session=True)  # Ctrl+C is for the app
