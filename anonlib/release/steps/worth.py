"""What cells of labels are worth, as plain values for JSON and back."""

from __future__ import annotations

from typing import Any

from anonlib.analyses.generalization.search.cell_suppression import Worth
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.release.steps.demands import listed


def worth_to_dict(worth: Worth) -> dict[str, Any]:
    """By column a list of labels with what they are worth."""
    return {name: [list(pair) for pair in labels] for name, labels in worth}


def worth_from_dict(given: Any) -> Worth:
    """What cells are worth of such values; an InputError says what is wrong."""
    if not isinstance(given, dict):
        raise InputError("What cells are worth must be given by column.", code="weight-of-other-column")
    return tuple(
        (
            checks.text(name, "The name of a column"),
            tuple(
                (label if label is None else checks.text(label, "Each label"), checks.number(value, "Its worth"))
                for label, value in listed(labels, "labels of a column")
            ),
        )
        for name, labels in given.items()
    )
