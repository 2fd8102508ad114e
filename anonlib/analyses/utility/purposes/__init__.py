"""What must survive in a release, named by who knows what it is for, and how well a release keeps it.

A purpose is a model (:class:`Model`), how two columns go together (:class:`Together`), a mean by group
(:class:`MeanByGroup`), or columns that must stay useful (:class:`UsefulColumns`); :func:`kept` measures purposes on a
release, each as original against release.
"""

from anonlib.analyses.utility.purposes.kept import Kept, NamedColumns, kept, mean_share, named_columns
from anonlib.analyses.utility.purposes.kinds import (
    MOST_PURPOSES,
    MeanByGroup,
    Model,
    Purpose,
    Together,
    UsefulColumns,
    in_a_sentence,
    named_by,
    purpose_from_dict,
)
from anonlib.analyses.utility.purposes.models import Learnt
from anonlib.analyses.utility.purposes.tables import GroupMeans, SharedTables

__all__ = [
    "MOST_PURPOSES", "GroupMeans", "Kept", "Learnt", "MeanByGroup", "Model", "NamedColumns", "Purpose", "SharedTables",
    "Together", "UsefulColumns", "in_a_sentence", "kept", "mean_share", "named_by", "named_columns",
    "purpose_from_dict",
]  # fmt: skip
