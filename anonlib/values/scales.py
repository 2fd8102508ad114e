"""Words that have an order of their own: none, mild, severe; Monday to Sunday; primary school to doctorate."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np

from anonlib.values.dates.month_names import months_in

_SCALES = (
    "none; minimal, very mild; slight; mild, minor, low; moderate, medium, intermediate; major, serious; "
    "severe, high; very severe, extreme, very high; critical",
    "very poor, very bad; poor, bad; fair, average; good; very good; excellent",
    "never; rarely, seldom; sometimes, occasionally; often, frequently; usually, mostly; always",
    "strongly disagree; disagree; neutral, neither; agree; strongly agree",
    "very low; low; normal, medium, moderate; high; very high",
    "small; medium; large; extra large",
    "fetus; newborn, neonate; infant; toddler; child, paediatric, pediatric; adolescent, teenager; young adult; adult; "
    "middle aged; elderly, senior, old, older adult",
    "monday, mon; tuesday, tue, tues; wednesday, wed; thursday, thu, thur, thurs; friday, fri; saturday, sat; "
    "sunday, sun",
    "; ".join(", ".join(names) for names in months_in("English")),
    "montag; dienstag; mittwoch; donnerstag; freitag; samstag, sonnabend; sonntag",
    "; ".join(in_full for in_full, *_ in months_in("German")),
    "lundi; mardi; mercredi; jeudi; vendredi; samedi; dimanche",
    "lunes; martes; miercoles; jueves; viernes; sabado; domingo",
    "keine; leicht; mittel, massig; schwer; sehr schwer",
    "stage 0; stage i, stage 1; stage ia; stage ib; stage ii, stage 2; stage iia; stage iib; stage iii, stage 3; "
    "stage iiia; stage iiib; stage iiic; stage iv, stage 4",
    "i; ii; iii; iv; v; vi",
    # Educational attainment, in the order of the International Standard Classification of Education.
    "illiterate, no schooling, none; preschool, kindergarten; primary, primary school, elementary, elementary school; "
    "1st 4th; 5th 6th; 7th 8th; less than 9th grade; 9th; 10th; 11th; 12th; 9 11th grade, some high school, "
    "less than high school; middle school, lower secondary; secondary; hs grad, high school, high school graduate, "
    "high school diploma, ged, high school ged, upper secondary; vocational; some college; assoc voc; assoc acdm, "
    "associate, associates, associate degree; bachelor, bachelors, bachelors degree, college graduate, college degree; "
    "master, masters, masters degree, graduate degree, postgraduate; prof school, professional degree; "
    "doctorate, phd, doctoral degree",
)
_FEWEST = 3  # different places, so that two words of a kind do not make a scale


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    bare = "".join(c for c in decomposed if not unicodedata.combining(c)).lower().replace("'", "").replace("’", "")
    return " ".join(re.findall(r"[a-z0-9]+", bare))


def _parsed(scale: str) -> dict[str, int]:
    return {_plain(word): place for place, words in enumerate(scale.split(";")) for word in words.split(",")}


_PLACES = tuple(map(_parsed, _SCALES))
LONGEST = max(map(len, _PLACES))
"""Words of a scale at most: a column of more values is on none."""


def places_on_a_scale(texts: Sequence[str]) -> np.ndarray | None:
    """The place of each text on a scale, where all but one, or one in ten, are on the same; those others come last.

    Parameters
    ----------
    texts : Sequence[str]
        Distinct values.

    Returns
    -------
    int array or None

    Examples
    --------
    >>> places_on_a_scale(["Severe", "mild", "Moderate"]).tolist()
    [6, 3, 4]
    """
    if not _FEWEST <= len(texts) <= LONGEST:
        return None
    plain = [_plain(text) for text in texts]
    for scale in _PLACES:
        places = [scale.get(text, LONGEST) for text in plain]
        on_it = {place for place in places if place < LONGEST}
        if len(on_it) >= _FEWEST and places.count(LONGEST) <= max(1, len(texts) // 10):
            return np.array(places)
    return None
