"""What the words beside a capitalised word say of it: a title, kin, a place, a disease, how a sentence begins."""

from __future__ import annotations

import re

from anonlib.columns.free_text.lists import PARTICLES, TITLES

PARTICLE_WORDS = frozenset(PARTICLES.split())
"""Small words inside names, such as ``van``."""
PARTICLE = "|".join(PARTICLES.split())
"""The same for a regular expression."""
_TITLES = frozenset(
    form + dot for title in TITLES.split() for form in (title, title.title(), title.upper()) for dot in ("", ".")
) | frozenset("M. Sig.ra sig.ra Sig.na Dott.ssa dott.ssa Dr.ssa Prof.ssa Dra. dra. Dra lek.".split())
_DEGREES = frozenset("med. phil. rer. nat. dent. h.c. h. c.".split())
_BEFORE = 40  # characters in which a title before a name is looked for
_WORDS_BEFORE = 5

KIN = frozenset(
    "mother father son daughter grandmother grandfather grandson granddaughter stepmother stepfather stepson mom dad "
    "wife husband brother sister spouse aunt uncle niece nephew cousin friend neighbor neighbour caregiver fiancé "
    "fiancée girlfriend boyfriend fille fils mari épouse époux frère sœur voisin voisine ami amie hija hijo hermana "
    "hermano esposa esposo marido mujer madre padre vecina vecino filha filho irmã irmão mãe zoon dochter echtgenoot "
    "echtgenote moeder vader broer zus buurvrouw buurman figlia figlio marito moglie fratello sorella córka syn mąż "
    "żona matka ojciec brat siostra kızı oğlu eşi kardeşi konen mannen datteren sønnen søn datter".split()
)
"""Behind these words of languages that write nouns small stands a name, if it begins with a capital letter."""

MONTHS = frozenset(("may", "april", "june", "august", "mai", "juni", "juli", "july"))
OF_PLACES = frozenset("in to from at of near de à en nach naar le la el the a an".split())
SENTENCE_ENDS = frozenset('.!?:;•*-–("“”„)/|>')
GERMAN = re.compile(r"\b(?:und|wurde|wird|mit|seit|bei|für|der|ist|nicht|im|zur|zum|vom|keine?|auf|nach|über|hat)\b")
SPEAKS = re.compile(
    r"\s(?:says|said|reports|reported|states|stated|denies|denied|called|phoned|rang|asked|asks|agrees|agreed|wants|wanted"
    r"|came|complains|complained|feels|felt|lives|thinks|told|declined|declines|arrived|brought|visited|attended)\b"
)
"""What only a person does: a word before it that begins a sentence is meant as a name."""

A_THING = re.compile(
    r"(?:['’]s?|s)?[\s-](?:disease|syndrome|sign|score|scale|test|index|criteria|criterion|classification|catheter|palsy"
    r"|lymphoma|reflex|man(?:oeuv|euv)er|procedure|fracture|law|contracture|anaemia|anemia|tube|Krankheit|Syndrom|Zeichen"
    r"|Index|Score|Skala|Reflex|Katheter|Hospital|Clinic|Clinique|Klinik|General|Medical|Memorial|County|Center|Centre"
    r"|University|Unit|Ward|Pavilion|Foundation|Street|Road|Avenue|Coma|sequence|tumou?r|sarcoma|disorder|phenomenon"
    r"|formula|equation|node|body|bodies|cell|cells|stain|line|drain|bag|wire)\b"
)
"""What is called by somebody's name."""

_CALLED_AFTER = frozenset("St. St Saint Sainte San Santa Sankt São Morbus M. Mb. Mb Syndrom".split())
_CALLED_AFTER_OF = frozenset("syndrome maladie enfermedad signe score ziekte signo".split())


def words_before(text: str, start: int) -> list[str]:
    """The last words of a line before a place, as they stand between blanks; none if no blank is before it."""
    if start == 0 or not text[start - 1].isspace():
        return []
    line = text[max(0, start - _BEFORE) : start]
    if "\n" in line:
        line = line[line.rindex("\n") :]
    return line.split()[-_WORDS_BEFORE:]


def is_introduced(text: str, start: int) -> bool:
    """Whether the word before a place may introduce a name, which spares most words a longer look."""
    end = start - 1
    if end <= 0 or not text[end].isspace():
        return False
    word = text[text.rfind(" ", 0, end) + 1 : end].split()
    return not word or may_introduce(word[-1])


def may_introduce(word: str) -> bool:
    """Whether a word can stand before a name that is known by it alone: a title, kin, or what stands between."""
    return word in KIN or _is_title(word) or _stands_between(word)


def title_among(before: list[str]) -> tuple[str, int]:
    """The title before a name, with how many words such as ``van`` and initials stand between; "" if there is none."""
    for n in range(len(before)):
        word = before[-1 - n]
        if _is_title(word):
            between = [each for each in before[len(before) - n :] if each.lower() not in _DEGREES] if n else []
            return word, len(between)
        if not _stands_between(word):
            return "", 0
    return "", 0


def names_a_thing(before: list[str]) -> bool:
    """Whether the words before say that a saint, a town or a disease is called so."""
    if not before:
        return False
    if before[-1] in _CALLED_AFTER:
        return True
    return len(before) > 1 and before[-2].lower() in _CALLED_AFTER_OF and before[-1].lower() in PARTICLE_WORDS


def _is_title(word: str) -> bool:
    return word in _TITLES or (word[0] in '("“„‘' and word[1:] in _TITLES)


def _stands_between(word: str) -> bool:
    return (
        word.lower() in PARTICLE_WORDS
        or word.lower() in _DEGREES
        or (len(word) == 2 and word[0].isupper() and word[1] == ".")
    )
