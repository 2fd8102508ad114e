"""ATC: the groups that the WHO's Anatomical Therapeutic Chemical classification puts drugs in, as first characters."""

from __future__ import annotations

import re

from anonlib.columns.codes.system import CodeSystem, Groups
from anonlib.columns.codes.tables import code_of, mostly, prefixes

_CODE = re.compile(r"[ABCDGHJLMNPRSV](?:\d\d(?:[A-Z](?:[A-Z](?:\d\d)?)?)?)?", re.ASCII)
_TITLES = {
    "A": "digestion and metabolism",
    "B": "blood",
    "C": "heart and circulation",
    "D": "skin",
    "G": "urinary and sex organs, sex hormones",
    "H": "other hormones",
    "J": "infections",
    "L": "cancer and immune system",
    "M": "muscles and bones",
    "N": "nervous system",
    "P": "parasites",
    "R": "breathing",
    "S": "eyes and ears",
    "V": "various",
}


def _of_code(text: str) -> Groups | None:
    code = code_of(text)
    return prefixes(code, (5, 4, 3, 1)) if _CODE.fullmatch(code) else None


ATC = CodeSystem(
    key="atc",
    label="ATC codes",
    levels=("chemical groups", "pharmacological groups", "therapeutic groups", "anatomical groups"),
    groups_of=_of_code,
    names=("atc", "atccode"),
    by_content=mostly(r"[A-Z]\d\d[A-Z]{2}\d\d"),
    kind="medication",
    titles=_TITLES,
)
