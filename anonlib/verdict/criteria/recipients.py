"""Who gets the release: criteria to begin with, each limit with its source, and none of them hidden."""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.counting.privacy_models import ALL
from anonlib.verdict.criteria.cells import NoIdentifiers, SafeHarbor, UnclassifiedColumns
from anonlib.verdict.criteria.criterion import Criterion
from anonlib.verdict.criteria.inference import Inference
from anonlib.verdict.criteria.method import MethodDisclosure
from anonlib.verdict.criteria.revealing_columns import NoRevealingColumns
from anonlib.verdict.criteria.rows import LINKED, USUAL, Rows
from anonlib.verdict.criteria.sizes import AverageRisk, Combinations, RareValues, SmallestClass
from anonlib.verdict.criteria.uniqueness_of_release import UniquenessOfRelease
from anonlib.verdict.criteria.use import RecordsKept

_EMA = (
    "EMA Policy 0070 and Health Canada PRCI take 0.09 for public release, by convention a smallest class of 11; read "
    "strictly it takes 12."
)
_EL_EMAM = "Cell size 5, the most common precedent for controlled release (El Emam 2013)."
_LKC = "The attacker of LKC-privacy (Mohammed et al. 2009) and of Kroes et al. (2021); the limits are Anonscope's."
_AVERAGE = "The average risk is for controlled release (ISO/IEC 27559:2022, 7.3.2); 0.2 by El Emam (2013)."
_UNICITY = "Unicity (de Montjoye et al. 2013); the limits are Anonscope's."
_ARTICLE_29 = "Inference is a risk of its own (Article 29 Working Party, WP216); the limits are Anonscope's."
_CMS = "CMS cell suppression policy: no cell of 1 to 10."
_OPEN = (
    "What is taken as known is part of the assessment (El Emam 2013; ISO/IEC 27559:2022, 7.3.2); the 3% are "
    "Anonscope's."
)
_ROWS = (
    "Where persons have several rows, one who knows all of them knows more than is counted under contract (WP216); "
    "the 5% are Anonscope's."
)
_ATTACK = (
    "Somebody with the file has not read what was taken as known: singling out is asked of all columns (Article 29 "
    "Working Party, WP216; Giomi et al. 2023); the limits are Anonscope's."
)
_KEPT = "A usual bound on what is left out; Anonscope's."
_LINKED: Rows = (LINKED,)


@dataclass(frozen=True)
class Recipient:
    """Somebody who may get a release, and what it must meet for them.

    Attributes
    ----------
    key : str
        Its name in a saved project.
    name : str
        As the officer reads it.
    a_release : str
        What a release to them is called in a sentence.
    to_whom : str
        Who it is, in a sentence.
    known : int
        How many facts somebody may know of a person, at most; 0: all that may be known.
    k : int
        The smallest class, for every page.
    criteria : tuple[Criterion, ...]
        To begin with.
    measured : tuple[Criterion, ...], default ()
        Of what may be learned of somebody, found or not: what is measured and reported without a limit, until a limit
        is asked for.
    rows : Rows, default USUAL
        What criteria take to be known of a person's rows where nothing else is stated.
    is_anybody : bool, default False
        Whether what they get can be held by anybody, beside any other release.
    """

    key: str
    name: str
    a_release: str
    to_whom: str
    known: int
    k: int
    criteria: tuple[Criterion, ...]
    rows: Rows = USUAL
    measured: tuple[Criterion, ...] = ()
    is_anybody: bool = False


def _certain_from(facts: int) -> tuple[Criterion, ...]:
    """Of whom a value is certain from so many facts: with other sensitive columns among them, and without."""
    return tuple(
        Inference(known=facts, p=0.0, most=0.01, knows=knows, source=_LKC)
        for knows in ("other_sensitive", "quasi_identifiers")
    )


_BY_METHOD = MethodDisclosure(by_chance="off")

RECIPIENTS: tuple[Recipient, ...] = (
    Recipient(
        "public",
        "Public release",
        "a public release",
        "Anybody may get it, and nobody agrees to anything.",
        0,
        11,
        (
            NoIdentifiers(),
            SmallestClass(11, _EMA, _LINKED),
            Inference(known=0, p=0.0, most=0.0, source=_ARTICLE_29, rows=_LINKED),
            MethodDisclosure(),
            UnclassifiedColumns(11, _OPEN, _LINKED),
            UniquenessOfRelease(3, 0.001, 5, 0.05, _ATTACK),
            NoRevealingColumns(0),
            RecordsKept(0.95, _KEPT),
        ),
        _LINKED,
        is_anybody=True,
    ),
    Recipient(
        "contract",
        "Under contract",
        "a release under contract",
        "A known recipient, such as a university, who agreed not to re-identify anybody.",
        2,
        5,
        (
            NoIdentifiers(),
            SmallestClass(5, _EL_EMAM),
            Combinations(0, 5, 0.05, _ROWS, (ALL,)),
            UnclassifiedColumns(5, _OPEN),
            NoRevealingColumns(0),
            RecordsKept(0.95, _KEPT),
        ),
        measured=(*_certain_from(2), _BY_METHOD),
    ),
    Recipient(
        "within",
        "Within the organisation",
        "a release within the organisation",
        "Colleagues under the same rules, who have access to more than this file anyway.",
        2,
        5,
        (
            NoIdentifiers(),
            AverageRisk(0.2, _AVERAGE),
            Combinations(2, 2, 0.01, _UNICITY),
            RecordsKept(0.98, _KEPT),
        ),
        measured=(*_certain_from(1), _BY_METHOD),
    ),
    Recipient(
        "safe_harbor",
        "Safe Harbor",
        "Safe Harbor",
        "As the HIPAA Privacy Rule lets data leave without an expert's determination.",
        0,
        5,
        (NoIdentifiers(), SafeHarbor()),
    ),
    Recipient(
        "cms",
        "CMS tables",
        "CMS tables",
        "Counts or records from Medicare and Medicaid data: no count of 1 to 10.",
        0,
        11,
        (
            NoIdentifiers(),
            SmallestClass(11, _CMS, _LINKED),
            UnclassifiedColumns(11, _OPEN, _LINKED),
            NoRevealingColumns(0),
            RecordsKept(0.95, _KEPT),
        ),
        _LINKED,
        is_anybody=True,
    ),
    Recipient(
        "own",
        "Own criteria",
        "your own criteria",
        "What your organisation asks for: begin here and set each limit.",
        2,
        5,
        (NoIdentifiers(), SmallestClass(5), RareValues(5)),
    ),
)
BY_KEY = {recipient.key: recipient for recipient in RECIPIENTS}
"""Recipients by their name in a saved project."""
DEFAULT, OWN = BY_KEY["contract"], BY_KEY["own"]
