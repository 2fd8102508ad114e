"""Projects opened by the command line in a process of its own, which knows of them what their files say."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from anonlib.command import files
from anonlib.command.arguments import parser
from anonlib.filing.evidence import released_file

ROOT = Path(__file__).resolve().parents[2]


class OtherProcess:
    """A process that opens projects on files, one after the other, until it is closed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.other_process"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
        )  # fmt: skip

    def release(self, file: Path, project: Path) -> dict[str, Any]:
        """What the project makes of the file there: ``sha256``, ``why_not`` it could be made, and the verdict.

        Parameters
        ----------
        file, project : Path
            Where they are.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(file), str(project)]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)


def _opened(file: str, project: str) -> dict[str, Any]:
    opened = files.opened(parser().parse_args(["release", file, "--project", project, "--out", "unused"]))
    why_not = opened.applied.why_not
    return {
        "why_not": why_not,
        "sha256": "" if why_not else sha256(released_file(opened)).hexdigest(),
        "verdict": opened.verdict.says,
        "findings": [finding.says for finding in opened.verdict.findings],
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_opened(*json.loads(line))), flush=True)
