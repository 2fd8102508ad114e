"""Install packages of a list into the environment of the Python that runs this: ``python tools/install.py FILE``.

uv does in seconds what takes pip a minute, so uv is installed first, by pip and as ``requirements-dev.lock`` has it.
Where uv cannot be had, or fails, pip installs. Both check the hashes where the list has them.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UV_IN_LOCK = re.compile(r"^uv==.*?[^\\]$", re.MULTILINE | re.DOTALL)
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def pinned_uv(lock: str) -> str:
    """The entry of uv in the text of a lock, with its hashes."""
    entry = UV_IN_LOCK.search(lock)
    if entry is None:
        raise ValueError("the lock has no uv")
    return f"{entry[0]}\n"


def variables_for_uv(settings: str) -> dict[str, str]:
    """What uv must be given to install from where pip does, of what ``pip config list`` prints."""
    chosen_by_pip = {}
    for line in settings.splitlines():
        name, _, text = line.partition("=")
        chosen_by_pip[name.rpartition(".")[2]] = ast.literal_eval(text)
    names = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE", "proxy": "HTTPS_PROXY"}
    return {variable: chosen_by_pip[name] for name, variable in names.items() if name in chosen_by_pip}


def find_uv() -> str | None:
    """The path of uv in this environment, which pip puts there where it is not; None where it cannot."""
    program = Path(sysconfig.get_path("scripts")) / ("uv.exe" if os.name == "nt" else "uv")
    if not program.is_file():
        with tempfile.TemporaryDirectory() as folder:
            lock = Path(folder) / "uv.lock"
            lock.write_text(pinned_uv((ROOT / "requirements-dev.lock").read_text(encoding="utf-8")), encoding="utf-8")
            _run(*PIP, "install", "-qq", "--require-hashes", "--no-deps", "-r", str(lock), quiet=True)
    return str(program) if program.is_file() else None


def install(packages: Path) -> int:
    """Install what a list names; the status of the installer, 0 where all is there."""
    has_hashes = packages.suffix == ".lock"
    chosen = (*(("--require-hashes",) if has_hashes else ()), "-r", str(packages))
    if uv := find_uv():
        settings = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False).stdout
        variables = {**variables_for_uv(settings), **os.environ}
        if _run(uv, "pip", "install", "-q", "--python", sys.executable, *chosen, quiet=True, variables=variables) == 0:
            return 0
        print("uv cannot install it here, so pip does, which takes a minute or two.", flush=True)
    return _run(*PIP, "install", "-qq", "--no-compile", *chosen)


def _run(*command: str, quiet: bool = False, variables: dict[str, str] | None = None) -> int:
    errors = subprocess.DEVNULL if quiet else None
    return subprocess.run(command, stderr=errors, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(install(Path(sys.argv[1])))
