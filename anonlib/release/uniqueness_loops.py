"""The compiled loop that counts who fulfils a record's labels and is in its part's own region."""

from __future__ import annotations

from anonlib.basics.machine_code import compiled


@compiled
def in_own_region(
    rows, codes, places, order, begin, end, holder, counts, part, first, finer_places, finer_codes, enough, sizes
):
    """Write to ``sizes`` (int64, as ``rows``) how many fulfil a condition and are of the part or in no finer one.

    Parameters
    ----------
    rows : int64, rows whose labels are the condition.
    codes : int32, places x rows: the label of each row's value in a column on a level.
    places : int64, those of the condition.
    order, begin, end : int64: rows, those of one holder side by side, and per row asked the stretch of them that holds
        all who have its label in one of the places.
    holder, part : int64, a row each: whose it is, and its part.
    counts : int64, a holder each: how many it stands for.
    first : int64, parts + 1: where the finer parts of each begin.
    finer_places, finer_codes : int64, finer parts x columns: the place of its label, and its code there.
    enough : counting ends with so many.
    """
    for i in range(len(rows)):
        row = rows[i]
        n, last = 0, -1
        for at in range(begin[i], end[i]):
            other = order[at]
            if holder[other] == last:
                continue
            fulfils = True
            for place in places:
                if codes[place, other] != codes[place, row]:
                    fulfils = False
                    break
            if fulfils and part[other] != part[row]:
                for f in range(first[part[row]], first[part[row] + 1]):
                    inside = True
                    for b in range(finer_places.shape[1]):
                        if codes[finer_places[f, b], other] != finer_codes[f, b]:
                            inside = False
                            break
                    if inside:
                        fulfils = False
                        break
            if fulfils:
                last = holder[other]
                n += counts[last]
                if n >= enough:
                    break
        sizes[i] = n
