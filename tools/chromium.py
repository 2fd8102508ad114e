"""Find, or install, the Chromium that the browser tests drive.

``python tools/chromium.py`` prints its path, installing one when there is none, and otherwise says what is
missing and exits with status 1. The tests themselves only ever look (:func:`find`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "ANONSCOPE_CHROMIUM"
ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
HOW_TO_GET_ONE = f"""\
The browser tests need Chromium or Google Chrome and none was found that starts.
Any one of these will do:
  - install Chromium or Google Chrome with the system's package manager (Debian: apt-get install chromium)
  - .venv/bin/python -m playwright install chromium
  - set {VARIABLE} to the path of a Chromium you have
"""


def starts(program: str | Path) -> bool:
    """Whether this browser runs at all: some systems ship a stub that only asks for another package."""
    try:
        version = subprocess.run([str(program), "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return version.returncode == 0


def _candidates() -> Iterator[str]:
    """Where a Chromium may be, the most specific wish first."""
    yield from filter(None, (shutil.which(name) for name in ON_PATH))
    yield from (path for path in MAC_APPLICATIONS if Path(path).exists())
    if of_playwright := _playwright_chromium():
        yield of_playwright


def _playwright_chromium() -> str | None:
    from playwright.sync_api import Error, sync_playwright

    try:
        with sync_playwright() as playwright:
            path = playwright.chromium.executable_path
    except Error:
        return None
    return path if path and Path(path).exists() else None


def find() -> str | None:
    """The path of a Chromium that starts: the one the environment names, or the first found; None if there is none.

    A path that is named but does not start is not replaced by another: the answer is then None.
    """
    if named := os.environ.get(VARIABLE):
        return named if starts(named) else None
    return next((path for path in _candidates() if starts(path)), None)


def install() -> None:
    """Install Chromium: from the system's packages where this process may, else Playwright's own copy."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        _run("apt-get", "update", "-qq", environment=environment)
        _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", environment=environment)
        if find():
            return
    _run(sys.executable, "-m", "playwright", "install", "chromium")


def _run(*command: str, environment: dict[str, str] | None = None) -> None:
    """Run an installer and show what it says; whether it worked is seen by looking for the browser."""
    print(f"+ {' '.join(command)}", flush=True)
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False)


def main() -> int:
    """Print the browser's path; 1 when there is none and none can be installed."""
    path = find()
    if path is None and not os.environ.get(VARIABLE):
        install()
        path = find()
    if path is None:
        print(HOW_TO_GET_ONE, file=sys.stderr)
        return 1
    print(f"Browser for the tests: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
