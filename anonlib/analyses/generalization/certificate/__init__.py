"""What the refusals of a search make certain: the swap certificate, of nodes and of classes that could be split."""

from anonlib.analyses.generalization.certificate.nodes import Released, states_of_nodes
from anonlib.analyses.generalization.certificate.parts import FinerLabels, ReleasedLabels, states_of_parts
from anonlib.analyses.generalization.certificate.swap import (
    MOST_WORK,
    NOT_RELEASED,
    PossibleValues,
    RefusedState,
    ReleasedPersons,
    ReleasedValues,
    States,
    SwapCertificate,
    TooMuchWork,
    Witnesses,
    by_knowledge,
    certify,
    kinds_of,
)

__all__ = [
    "MOST_WORK",
    "NOT_RELEASED",
    "FinerLabels",
    "PossibleValues",
    "RefusedState",
    "Released",
    "ReleasedLabels",
    "ReleasedPersons",
    "ReleasedValues",
    "States",
    "SwapCertificate",
    "TooMuchWork",
    "Witnesses",
    "by_knowledge",
    "certify",
    "kinds_of",
    "states_of_nodes",
    "states_of_parts",
]
