"""What is written today of a project with every part, and of all that earlier versions saved, by digests.

``python -m tests.helpers.written`` lists them again, after a change of what files hold. A refactoring changes none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from anonlib.filing.evidence import evidence_of, to_json
from anonlib.filing.project import Project
from anonlib.release.saved import SavedRecipe
from tests.helpers.projects import EVERY_PART

SAVED = Path(__file__).parents[1] / "saved"
SNAPSHOT = Path(__file__).parents[1] / "written.json"
FORMS: dict[str, tuple[Callable[[bytes], Any], Callable[[Any], str]]] = {
    "projects": (Project.from_json, Project.to_json),
    "recipes": (SavedRecipe.from_json, SavedRecipe.to_json),
    "evidence": (evidence_of, to_json),
}
"""By the folder of what was saved, how it is opened and how it is written."""
OF_TODAY = re.compile(r'^ "anonscope": "[0-9.]+",$|^  "year": [0-9]{4},?$', re.MULTILINE)
"""Lines of a project that name the version, and the year where the one that saved it named none."""


def digests() -> dict[str, str]:
    """By what was opened, the SHA-256 of the text that is written of it."""
    texts = {"a project with every part": EVERY_PART.to_json()}
    for path in sorted(SAVED.glob("*/*/*.json")):
        opened, written = FORMS[path.parent.name]
        texts[path.relative_to(SAVED).as_posix()] = written(opened(path.read_bytes()))
    return {name: sha256(OF_TODAY.sub("", text).encode()).hexdigest() for name, text in texts.items()}


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
