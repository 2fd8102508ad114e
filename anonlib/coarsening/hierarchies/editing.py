"""Changing the labels of a hierarchy by hand, so that it stays nested whatever is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Label = str | None


def relabelled(levels: Sequence[Sequence[Label]], changes: Mapping[tuple[int, int], Label]) -> list[list[Label]]:
    """Change labels of a hierarchy so that it stays nested.

    Values that are one on the level below change together. Those that join a group on a level belong to that group on
    every higher level too; otherwise higher levels change with them if they only carried the old label on. Finer levels
    are changed first.

    Parameters
    ----------
    levels : Sequence[Sequence[Label]]
        ``levels[i]`` are the labels of level i + 1, nested.
    changes : Mapping[tuple[int, int], Label]
        Position of a value and level (from 1) -> its new label.

    Returns
    -------
    list of lists
        The labels of each level after the changes.
    """
    changed = [list(level) for level in levels]
    for (value, level), label in sorted(changes.items(), key=lambda change: change[0][::-1]):
        _change(changed, value, level, label if label is not None and label.strip() else None)
    return changed


def _change(changed: list[list[Label]], value: int, level: int, label: Label) -> None:
    labels = changed[level - 1]
    below = changed[level - 2] if level > 1 else range(len(labels))
    members = [i for i, group in enumerate(below) if group == below[value]]
    joined = next((i for i, other in enumerate(labels) if other == label and i not in members), None)
    before = labels[value]
    for i in members:
        labels[i] = label
        if joined is not None:
            for higher in changed[level:]:
                higher[i] = higher[joined]
    if joined is None and level < len(changed):
        carried = [i for i, other in enumerate(changed[level]) if other == before]
        if before is not None and carried == members:
            _change(changed, value, level + 1, label)
