"""Whether there is a Java that Spark runs on.

``python tools/java.py`` prints nothing where there is one, and otherwise why Spark's tests are left out, in one line,
with status 1.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LEAST = 17  # which Spark 4 asks for
_LEFT_OUT = f"Tests in Spark are left out: it needs Java {LEAST} or newer, and"


def version_in(report: str) -> int | None:
    """The version in what ``java -version`` prints: 17 of “17.0.15”, 8 of “1.8.0_202”; None if it names none."""
    match = re.search(r'version "(?:1\.)?(\d+)', report)
    return int(match[1]) if match else None


def lacking() -> str | None:
    """Why Spark cannot be started, as a sentence; None where it can.

    As Spark does, it takes the Java of ``JAVA_HOME``, or the one on the ``PATH`` where that is not set.
    """
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    where = "in JAVA_HOME" if home else "on the PATH"
    if program is None:
        return f"{_LEFT_OUT} none is on the PATH."
    try:
        reported = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return f"{_LEFT_OUT} the one {where} does not start."
    version = version_in(reported.stderr + reported.stdout)
    if reported.returncode or version is None:  # on a Mac without Java, its java only says that there is none
        return f"{_LEFT_OUT} the one {where} does not start."
    return f"{_LEFT_OUT} the one {where} is {version}." if version < LEAST else None


if __name__ == "__main__":
    reason = lacking()
    if reason:
        print(reason)
    sys.exit(reason is not None)
