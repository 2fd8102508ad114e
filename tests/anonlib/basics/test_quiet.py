"""What is silenced, and that importing the library changes nothing that a whole process shares."""

from __future__ import annotations

import logging
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import pytest

from anonlib.basics.quiet import silence

ROOT = Path(__file__).resolve().parents[3]

# Other packages may change such things when they are imported: what anonlib imports of them is imported first.
IMPORTS_CHANGE_NOTHING = """
    import ast, csv, importlib, logging, pathlib, pkgutil, sys, warnings

    def imported(path):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (name.name for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield node.module
                yield from (f"{node.module}.{name.name}" for name in node.names)

    def shared():
        loggers = [logging.root, *map(logging.getLogger, list(logging.root.manager.loggerDict))]
        settings = {log.name: (log.level, log.disabled, log.propagate, log.handlers, log.filters) for log in loggers}
        return {
            "csv": csv.field_size_limit(),
            "warnings": list(warnings.filters),
            "loggers": {name: each for name, each in settings.items() if each != (0, False, True, [], [])},
            "records of logs": logging.getLogRecordFactory(),
            "hooks": (sys.excepthook, sys.unraisablehook),
        }

    for name in sorted({name for path in pathlib.Path("anonlib").rglob("*.py") for name in imported(path)}):
        if name.split(".")[0] != "anonlib":
            try:
                importlib.import_module(name)
            except ImportError:
                pass  # a name in a module, or a package that is not installed
    before = shared()
    import anonlib
    EXTRA
    modules = [module.name for module in pkgutil.walk_packages(anonlib.__path__, "anonlib.")]
    assert len(modules) > 300, len(modules)
    for name in modules:
        if not name.endswith("__main__"):
            importlib.import_module(name)
    print(*[name for name, value in shared().items() if value != before[name]], sep=", ")
"""


def changed_by_imports(extra: str = "") -> str:
    """What a fresh process shares that importing every module of anonlib changes, and another line beside it."""
    script = textwrap.dedent(IMPORTS_CHANGE_NOTHING).replace("EXTRA", extra)
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert not ran.returncode, ran.stderr
    return ran.stdout.strip()


@pytest.mark.slow
def test_importing_the_library_changes_nothing_that_the_process_shares():
    assert changed_by_imports() == ""


@pytest.mark.slow
def test_what_imports_change_is_seen():
    change = "csv.field_size_limit(1 << 24); warnings.simplefilter('ignore'); logging.getLogger('a').setLevel(50)"
    assert changed_by_imports(change) == "csv, warnings, loggers"


def test_a_silenced_library_says_nothing(caplog, recwarn):
    before = list(warnings.filters)
    logger = logging.getLogger("some_library")
    try:
        silence("some_library", "a.caller")
        logger.error("a cell")
        for module in ("some_library", "some_library.reading", "a.caller"):
            warnings.warn_explicit("a cell", UserWarning, "a.py", 1, module=module)
        assert not caplog.text
        assert not recwarn.list
        warnings.warn_explicit("of another", UserWarning, "a.py", 1, module="some_library_else")
        assert len(recwarn.list) == 1
    finally:
        warnings.filters[:] = before
        logger.setLevel(logging.NOTSET)
