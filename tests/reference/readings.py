"""What is read off values, in plain code."""

from __future__ import annotations

from collections.abc import Iterator


def plain_readings(texts: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Characters in a row, by the names that sentences give them."""
    one_length = {len(text) for text in texts}
    for sign, side in ((1, ""), *(((-1, "from the end "),) if len(one_length) > 1 else ())):
        turned = [text[::sign] for text in texts]
        for start in range(7):
            for n in range(1, 7):
                read = [text[start : start + n] for text in turned]
                name = f"{n} characters" if n > 1 else "character"
                many = f"characters {start + 1} to {start + n}" if n > 1 else f"character {start + 1}"
                by = f"{many} {side}".strip()
                if not start:
                    by = f"{'last' if side else 'first'} {name}"
                elif one_length == {start + n}:
                    by = f"last {name}"
                yield by, read
