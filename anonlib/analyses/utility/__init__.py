"""What a release is still good for: what it keeps of the original, and what can still be predicted from it.

Both files are lined up record by record (:meth:`anonlib.dataset.Dataset.rows_of`), so that what is compared is what
became of the same records. :func:`measure` looks at records, cells, columns, pairs of columns and classes;
:func:`predict` lets models learn from the release and tests them on original records that they have not seen.
"""

from anonlib.analyses.utility.alongside import Alongside
from anonlib.analyses.utility.associations import Association, Pair, association
from anonlib.analyses.utility.columns import ColumnLoss, ColumnUtility, column_loss
from anonlib.analyses.utility.in_words import FigureInWords
from anonlib.analyses.utility.measure import Utility, measure
from anonlib.analyses.utility.prediction import ModelScore, Prediction, can_be_predicted, estimated_seconds, predict
from anonlib.analyses.utility.sizes import ClassSizes

__all__ = [
    "Alongside",
    "Association",
    "ClassSizes",
    "ColumnLoss",
    "ColumnUtility",
    "FigureInWords",
    "ModelScore",
    "Pair",
    "Prediction",
    "Utility",
    "association",
    "can_be_predicted",
    "column_loss",
    "estimated_seconds",
    "measure",
    "predict",
]  # fmt: skip
