"""ICD-10 diagnoses, of the WHO's edition and those of countries, by one table of blocks.

Where editions differ a block reaches over what any of them has: E08 is a category of ICD-10-CM alone and E14 one of
the WHO's, and both are in ``E08-E14``. What only one edition has between two blocks is a block of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from anonlib.columns.codes.icd9 import DIAGNOSIS_NAMES
from anonlib.columns.codes.system import CodeSystem, Groups
from anonlib.columns.codes.tables import code_of, groups_of_table, titles_of_table

_LEAST_LETTERS, _WITH_POINT, _IN_BLOCKS = 5, 0.1, 0.95  # from which codes are recognised by content

_CHAPTERS = """
A00-B99 infectious and parasitic diseases: A00-A09 A15-A19 A20-A28 A30-A49 A50-A64 A65-A69 A70-A74 A75-A79 A80-A89 \
A90-A99 B00-B09 B10 B15-B19 B20-B24 B25-B34 B35-B49 B50-B64 B65-B83 B85-B89 B90-B94 B95-B98 B99
C00-D49 neoplasms: C00-C14 C15-C26 C30-C39 C40-C41 C43-C44+C4A C45-C49 C50 C51-C58 C60-C63 C64-C68 C69-C72 C73-C75 \
C76-C80 C7A C7B C81-C96 C97 D00-D09 D10-D36 D37-D48 D3A D49
D50-D89 blood and immune system: D50-D53 D55-D59 D60-D64 D65-D69 D70-D77 D78 D80-D89
E00-E90 endocrine, nutritional and metabolic diseases: E00-E07 E08-E14 E15-E16 E20-E35 E36 E40-E46 E50-E64 E65-E68 \
E70-E90
F00-F99 mental disorders: F00-F09 F10-F19 F20-F29 F30-F39 F40-F48 F50-F59 F60-F69 F70-F79 F80-F89 F90-F98 F99
G00-G99 nervous system: G00-G09 G10-G14 G20-G26 G30-G32 G35-G37 G40-G47 G50-G59 G60-G65 G70-G73 G80-G83 G89-G99
H00-H59 eye: H00-H06 H10-H13 H15-H22 H25-H28 H30-H36 H40-H42 H43-H45 H46-H48 H49-H52 H53-H54 H55-H59
H60-H95 ear: H60-H62 H65-H75 H80-H83 H90-H95
I00-I99 circulatory system: I00-I02 I05-I09 I10-I1A I20-I25 I26-I28 I30-I5A I60-I69 I70-I79 I80-I89 I95-I99
J00-J99 respiratory system: J00-J06 J09-J18 J20-J22 J30-J39 J40-J4A J60-J70 J80-J84 J85-J86 J90-J94 J95-J99
K00-K95 digestive system: K00-K14 K20-K31 K35-K38 K40-K46 K50-K52 K55-K64 K65-K68 K70-K77 K80-K87 K90-K95
L00-L99 skin: L00-L08 L10-L14 L20-L30 L40-L45 L49-L54 L55-L59 L60-L75 L76 L80-L99
M00-M99 muscles, bones and connective tissue: M00-M03 M04 M05-M14+M1A M15-M19 M20-M25 M26-M27 M30-M36 M40-M43 M45-M49 \
M50-M54 M60-M63 M65-M68 M70-M79 M80-M85 M86-M90 M91-M94 M95-M99
N00-N99 genitourinary system: N00-N08 N10-N16 N17-N19 N20-N23 N25-N29 N30-N39 N40-N53 N60-N65 N70-N77 N80-N98 N99
O00-O9A pregnancy, childbirth and the weeks after: O00-O08 O09 O10-O16 O20-O29 O30-O48 O60-O77 O80-O84 O85-O92 O94-O9A
P00-P96 conditions that begin around birth: P00-P04 P05-P08 P09 P10-P15 P19-P29 P35-P39 P50-P61 P70-P74 P75-P78 \
P80-P83 P90-P96
Q00-QA0 congenital anomalies: Q00-Q07 Q10-Q18 Q20-Q28 Q30-Q34 Q35-Q37 Q38-Q45 Q50-Q56 Q60-Q64 Q65-Q79 Q80-Q89 \
Q90-Q99 QA0
R00-R99 symptoms and ill-defined conditions: R00-R09 R10-R19 R20-R23 R25-R29 R30-R39 R40-R46 R47-R49 R50-R69 R70-R79 \
R80-R82 R83-R89 R90-R94 R95-R99
S00-T98 injuries and poisoning: S00-S09 S10-S19 S20-S29 S30-S39 S40-S49 S50-S59 S60-S69 S70-S79 S80-S89 S90-S99 \
T00-T07 T08-T14 T15-T19 T20-T25 T26-T28 T29-T32 T33-T35 T36-T50 T51-T65 T66-T78 T79 T80-T88 T90-T98
V00-Y99 external causes: V00-V09 V10-V19 V20-V29 V30-V39 V40-V49 V50-V59 V60-V69 V70-V79 V80-V89 V90-V94 V95-V97 \
V98-V99 W00-W19 W20-W49 W50-W64 W65-W74 W75-W84 W85-W99 X00-X09 X10-X19 X20-X29 X30-X39 X40-X49 X50-X59 X60-X84 \
X85-Y09 Y10-Y34 Y35-Y38 Y40-Y59 Y60-Y69 Y70-Y82 Y83-Y84 Y85-Y89 Y90-Y99
Z00-Z99 other reasons for care: Z00-Z13 Z14-Z15 Z16 Z17 Z18 Z19 Z20-Z29 Z30-Z39+Z3A Z40-Z54 Z55-Z65 Z67 Z68 Z69-Z76 \
Z77-Z99
U00-U99 special purposes: U00-U49 U82-U85
"""
_WITH_A_LETTER = frozenset("C4A C7A C7B D3A I1A I5A J4A M1A O9A QA0 Z3A".split())

_DIGITS = [f"{letter}{n:02d}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for n in range(100)]
_GROUPS = groups_of_table(_CHAPTERS, sorted({*_DIGITS, *_WITH_A_LETTER}))
_SINGLES = {word for word in _CHAPTERS.replace(":", " ").split() if word in _GROUPS}
"""Categories that are a block by themselves, such as C50; blocks and chapters are among them too."""
_CODE = re.compile(r"([A-Z]\d[\dA-Z]|QA0)\.?[\dA-Z]{0,4}-?[†*+!#]?", re.ASCII)


def _of_code(text: str) -> Groups | None:
    code = code_of(text)
    groups = _GROUPS.get(code)
    if groups is None and (match := _CODE.fullmatch(code)) is not None:
        groups = _GROUPS.get(match[1])
    return groups


def _by_content(codes: Sequence[str]) -> bool:
    """Of many letters, some with a point, and in blocks that the table names.

    Rooms and shelves are on few letters, postcodes have no point, and a fifth of all letters with two digits is in no
    block.
    """
    letters = {code.strip()[:1].upper() for code in codes}
    in_blocks = sum(groups is not None and _is_named(groups) for groups in map(_of_code, codes))
    with_point = sum("." in code for code in codes)
    n = len(codes)
    return len(letters) >= _LEAST_LETTERS and with_point >= _WITH_POINT * n and in_blocks >= _IN_BLOCKS * n


def _is_named(groups: Groups) -> bool:
    category, block, _ = groups
    return block != category or category in _SINGLES


DIAGNOSES = CodeSystem(
    key="icd-10",
    label="ICD-10 diagnosis codes",
    levels=("categories", "blocks", "chapters"),
    groups_of=_of_code,
    names=DIAGNOSIS_NAMES,
    by_content=_by_content,
    kind="diagnosis",
    titles=titles_of_table(_CHAPTERS),
)
