"""How much a column, or a combination of columns, gives away: Longpré's information loss, on average and at worst.

Somebody who knows a person's values in some attributes is left with the records that share them. Before, they lacked
S_0 = H(p) bits to name the person; the values take away what the partition of the records by them says. The measure is
the mean over the persons, and a mean hides the one who stands out: **filling rare groups raises it**, since the groups
then are more even. That is why each row also says what the worst person loses, the smallest group and how many are in
small groups.

Source: Longpré, Kreinovich and Dumrongpokaphan, “Entropy as a measure of average loss of privacy”, Thai Journal of
Mathematics, 2017; as Proposition 2 of Arca and Hewett 2021, where the printed S_j lacks its minus sign.
"""

from anonlib.analyses.leakage.comparison import (
    AlertComparison,
    AlertFate,
    AlertOrigin,
    Fate,
    LeakageComparison,
    compare_alerts,
    compare_leakage,
)
from anonlib.analyses.leakage.loss import (
    MOST_SETS,
    LeakageTable,
    estimated_seconds,
    information_loss,
    information_loss_of_another,
)
from anonlib.analyses.leakage.minimal import Alert, Alerts, Reason, alerts, alerts_in

__all__ = [
    "MOST_SETS",
    "Alert",
    "AlertComparison",
    "AlertFate",
    "AlertOrigin",
    "Alerts",
    "Fate",
    "LeakageComparison",
    "LeakageTable",
    "Reason",
    "alerts",
    "alerts_in",
    "compare_alerts",
    "compare_leakage",
    "estimated_seconds",
    "information_loss",
    "information_loss_of_another",
]
