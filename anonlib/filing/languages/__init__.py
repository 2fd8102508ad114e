"""Reports in other languages: one file a language, ``de.po``, of what English sentences are there.

What is filed is English, in evidence and on the command line. A report in another language is a view of the same
report: each of its texts is looked for among the messages of the language's file, in which ``{0}``, ``{1}`` stand for
what changes. What a file or an officer calls something is never translated, and a text that is in no message stays
English. Numbers, shares and days stand as the language writes them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from babel import Locale

FOLDER = Path(__file__).parent
ENGLISH = "en"


@cache
def languages() -> dict[str, str]:
    """By code, such as "de", what each language calls itself; English first."""
    codes = [ENGLISH, *sorted(path.stem for path in FOLDER.glob("*.po"))]
    return {code: (Locale.parse(code).get_display_name() or code).capitalize() for code in codes}
