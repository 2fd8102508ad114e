"""The compiled loop that counts who is in the own region of a part."""

from __future__ import annotations

from anonlib.basics.machine_code import compiled


@compiled
def in_own_region(asked, part, group, start, order, holder, counts, first, level, code, codes, enough, sizes):
    """Write to ``sizes`` (int64, as ``asked``) how many fulfil a condition and are of the part or in no finer one.

    Parameters
    ----------
    asked : int64, rows whose labels are the condition.
    part, group, holder : int64, a row each: its part, its group by its values on the levels of the condition, and whose
        it is.
    start, order : int64: where each group begins in ``order``, and the rows of all groups, of one holder side by side.
    counts : int64, a holder each: how many it stands for.
    first, level, code : of :class:`anonlib.release.alone.facts.Finer`.
    codes : int64, columns x levels x rows: the label of each row's value on each level.
    enough : counting ends with so many.
    """
    for i in range(len(asked)):
        row = asked[i]
        begin, end = first[part[row]], first[part[row] + 1]
        n, last = 0, -1
        for at in range(start[group[row]], start[group[row] + 1]):
            other = order[at]
            if holder[other] == last:
                continue
            is_apart = False
            for f in range(begin if part[other] != part[row] else end, end):
                inside = True
                for b in range(level.shape[1]):
                    if codes[b, level[f, b], other] != code[f, b]:
                        inside = False
                        break
                if inside:
                    is_apart = True
                    break
            if not is_apart:
                last = holder[other]
                n += counts[last]
                if n >= enough:
                    break
        sizes[i] = n
