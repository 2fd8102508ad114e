"""ICD-9-CM: diagnoses (volumes 1 and 2) and procedures (volume 3), by the ranges of its last edition of 2015."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from anonlib.columns.codes.system import CodeSystem, Groups
from anonlib.columns.codes.tables import code_of, groups_of_table, mostly, titles_of_table

DIAGNOSIS_NAMES = (
    "diag", "diags", "diagnosis", "diagnoses", "dx", "icd", "dgns", "disease code", "condition code", "cause death",
    "diagnose", "diagnosen", "hauptdiagnose", "nebendiagnose", "nebendiagnosen", "aufnahmediagnose",
    "einweisungsdiagnose", "entlassdiagnose", "entlassungsdiagnose", "fachabteilungsdiagnose", "todesursache",
    "diagnostic", "diagnostics", "cim", "diagnostico", "diagnosticos", "cie", "hoofddiagnose", "nevendiagnose",
    "diagnosecode", "diagnosiscode", "icdcode", "dxcode",
)  # fmt: skip

# A line a chapter, its ends joined below: the table itself keeps to the width of the page.
_DIAGNOSES = """
001-139 infectious and parasitic diseases: 001-009 010-018 020-027 030-041 042 045-049 050-059 060-066 070-079 \
080-088 090-099 100-104 110-118 120-129 130-136 137-139
140-239 neoplasms: 140-149 150-159 160-165 170-176 179-189 190-199 200-209 210-229 230-234 235-238 239
240-279 endocrine, nutritional, metabolic and immune disorders: 240-246 249-259 260-269 270-279
280-289 blood and blood-forming organs: 280-289
290-319 mental disorders: 290-294 295-299 300-316 317-319
320-389 nervous system and sense organs: 320-327 330-337 338 339 340-349 350-359 360-379 380-389
390-459 circulatory system: 390-392 393-398 401-405 410-414 415-417 420-429 430-438 440-449 451-459
460-519 respiratory system: 460-466 470-478 480-488 490-496 500-508 510-519
520-579 digestive system: 520-529 530-539 540-543 550-553 555-558 560-569 570-579
580-629 genitourinary system: 580-589 590-599 600-608 610-612 614-616 617-629
630-679 pregnancy, childbirth and the weeks after: 630-633 634-639 640-649 650-659 660-669 670-677 678-679
680-709 skin: 680-686 690-698 700-709
710-739 muscles, bones and connective tissue: 710-719 720-724 725-729 730-739
740-759 congenital anomalies: 740-759
760-779 conditions that begin around birth: 760-763 764-779
780-799 symptoms and ill-defined conditions: 780-789 790-796 797-799
800-999 injuries and poisoning: 800-804 805-809 810-819 820-829 830-839 840-848 850-854 860-869 870-879 880-887 \
890-897 900-904 905-909 910-919 920-924 925-929 930-939 940-949 950-957 958-959 960-979 980-989 990-995 996-999
V01-V91 other reasons for care: V01-V09 V10-V19 V20-V29 V30-V39 V40-V49 V50-V59 V60-V69 V70-V82 V83-V84 V85 V86 V87 \
V88 V89 V90 V91
E000-E999 external causes: E000 E001-E030 E800-E807 E810-E819 E820-E825 E826-E829 E830-E838 E840-E845 E846-E849 \
E850-E858 E860-E869 E870-E876 E878-E879 E880-E888 E890-E899 E900-E909 E910-E915 E916-E928 E929 E930-E949 E950-E959 \
E960-E969 E970-E979 E980-E989 E990-E999
"""
_PROCEDURES = """
00 other procedures
01-05 nervous system
06-07 endocrine system
08-16 eye
17 other diagnostic and therapeutic procedures
18-20 ear
21-29 nose, mouth and throat
30-34 respiratory system
35-39 cardiovascular system
40-41 blood and lymphatic system
42-54 digestive system
55-59 urinary system
60-64 male genital organs
65-71 female genital organs
72-75 obstetric procedures
76-84 musculoskeletal system
85-86 skin and breast
87-99 diagnostic and non-operative procedures
"""

_GROUPS = groups_of_table(
    _DIAGNOSES,
    [
        *(f"{n:03d}" for n in range(1, 1000)),
        *(f"V{n:02d}" for n in range(1, 92)),
        *(f"E{n:03d}" for n in (*range(31), *range(800, 1000))),
    ],
)
_OF_PROCEDURES = {
    code: (category, chapter)
    for code, (category, _, chapter) in groups_of_table(_PROCEDURES, [f"{n:02d}" for n in range(100)]).items()
}
_DIAGNOSIS = re.compile(
    r"(\d{3})\.?\d{0,2}|(V\d\d)\.?\d{0,2}|(E\d{3})\.?\d?|(\d{1,2})(?:\.\d{0,2})?", re.ASCII
)  # fmt: skip
_WHOLE = re.compile(r"(0|[1-9]\d*)(?:\.0)?", re.ASCII)
_PROCEDURE = re.compile(r"(\d\d)\.?\d{0,2}|(\d)\.\d{0,2}", re.ASCII)


def _written_as(form: str, digits: int) -> Callable[[Sequence[str]], bool]:
    """Whether texts are mostly of a form, and not all of them what counts, years and ids are as well.

    Those are whole numbers, also as ``12.0``, some of more digits than a category, none with a zero in front.
    """
    of_form = mostly(form)

    def are(texts: Sequence[str]) -> bool:
        whole = [_WHOLE.fullmatch(text.strip()) for text in texts]
        amounts = all(whole) and max((len(match[1]) for match in whole if match), default=0) > digits
        return of_form(texts) and not amounts

    return are


def _of_diagnosis(text: str) -> Groups | None:
    """Spreadsheets take ``008`` for a number and save ``8``: one or two digits are a category without its zeros."""
    code = code_of(text)
    groups = _GROUPS.get(code)
    if groups is None and (match := _DIAGNOSIS.fullmatch(code)) is not None and match.lastindex:
        groups = _GROUPS.get(match[match.lastindex].zfill(3))
    return groups


def _of_procedure(text: str) -> Groups | None:
    code = text.strip()
    groups = _OF_PROCEDURES.get(code)
    if groups is None and (match := _PROCEDURE.fullmatch(code)) is not None and match.lastindex:
        groups = _OF_PROCEDURES.get(match[match.lastindex].zfill(2))
    return groups


DIAGNOSES = CodeSystem(
    key="icd-9-cm",
    label="ICD-9-CM diagnosis codes",
    levels=("categories", "blocks", "chapters"),
    groups_of=_of_diagnosis,
    names=DIAGNOSIS_NAMES,
    by_name=_written_as(r"\d{3}.*|[VE].*", 3),
    kind="diagnosis",
    titles=titles_of_table(_DIAGNOSES),
)
PROCEDURES = CodeSystem(
    key="icd-9-cm-procedures",
    label="ICD-9-CM procedure codes",
    levels=("categories", "chapters"),
    groups_of=_of_procedure,
    names=("proc", "procs", "procedure", "procedures", "px", "prcdr", "icd 9 procedure"),
    by_name=_written_as(r"\d{3,4}|\d\d\.\d{1,2}", 2),
    kind="treatment",
    titles=titles_of_table(_PROCEDURES),
)
