"""Names of medicines, recognised by the stems of international nonproprietary names."""

from __future__ import annotations

import re

# World Health Organization, "The use of stems in the selection of International Nonproprietary Names (INN)": endings
# and beginnings that no common word of seven letters and more has.
_STEMS = (
    "adol afil amine apine azepam azolam azosin caine cillin conazole coxib cycline dipine dronate fenac fibrate "
    "floxacin formin gatran gliflozin gliptin glitazone glutide lukast mycin navir nidazole olol oxacin oxetine parin "
    "peridol pidem prazole pril profen sartan semide setron statin steride tadine thiazide tidine tinib triptan "
    "triptyline vastatin vudine xaban zumab ximab tuzumab limumab"
).split()
_FIRST_STEMS = "cef gliben glibor glicl glimep glipi gliqui glybur sulfa".split()
_MEDICINE = re.compile(rf"(?=[a-z]{{7,}}$)(?:[a-z]+(?:{'|'.join(_STEMS)})|(?:{'|'.join(_FIRST_STEMS)})[a-z]+)")
_OTHER_WORDS = frozenset(
    "vitamine examine determine april africaine americaine dominicaine marocaine mexicaine".split()
)


def is_medicine(word: str) -> bool:
    """Whether a word, in lower case and without accents, is made as international names of medicines are.

    Examples
    --------
    >>> is_medicine("glipizide"), is_medicine("rosiglitazone"), is_medicine("outside")
    (True, True, False)
    """
    return _MEDICINE.fullmatch(word) is not None and word not in _OTHER_WORDS
