"""``serve``: start the app."""

from __future__ import annotations

import argparse
import importlib.util
import runpy
import sys
from pathlib import Path

from anonlib.basics.errors import InputError
from anonlib.command.arguments import MET


def serve(asked: argparse.Namespace) -> int:
    """Serve the app on this machine until it is interrupted: from its folder, where the command is called."""
    if Path("ui", "start.py").is_file():  # an installed command does not look for modules there by itself
        sys.path.insert(0, str(Path.cwd()))
    if importlib.util.find_spec("ui") is None or importlib.util.find_spec("streamlit") is None:
        raise InputError(
            "The app is not here: call this in Anonscope's folder, with what the app needs installed,"
            " or “make run” there."
        )
    folders = {"--data": asked.data, "--temporary": asked.temporary, "--releases": asked.releases}
    named = [part for option, folder in folders.items() if folder is not None for part in (option, str(folder))]
    sys.argv = ["anonscope serve", "--port", str(asked.port), *named]
    runpy.run_module("ui.start", run_name="__main__")
    return MET
