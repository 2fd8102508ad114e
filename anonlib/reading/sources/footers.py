"""Totals and notes below a table, distinguished from records: when in doubt, a line is a record.

A line too many is seen in the preview; a person too few is not. So a line is left out only when what it says is known
from totals and notes, and the rows above hold nothing like it where it says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from anonlib.basics.words import count, listed, singular
from anonlib.reading.sources.headers import Row
from anonlib.values.cells import to_numbers
from anonlib.values.dates import to_dates
from anonlib.values.missing_words import is_missing_word
from anonlib.values.naming import fold

_MOST = 30
_FEWEST_ABOVE = 3  # records, to see what a record is like
_UNITS = (
    r"(records?|rows?|cases?|patients?|persons?|people|observations?|obs|lines?|participants?|datensatze|zeilen|falle"
    r"|patienten|personen|lignes|cas|personnes|registros|filas|casos|pacientes|personas|righe|casi|pazienti|persone"
    r"|rijen|patienten|linhas|pessoas|wierszy|pacjentow|rader|patienter|personer)"
)
# Sums, means and the like in nine languages, without accents.
_STATISTICS = (
    r"total|totals|totale|totali|totaux|totaal|totalt|sums?|summe|gesamtsumme|zwischensumme|gesamt|insgesamt|somme"
    r"|som|suma|soma|summa|razem|ogolem|overall|all|alle|tous|todos|average|avg\.?|mean|mittel|mittelwert|durchschnitt"
    r"|schnitt|arithmetisches mittel|moyenne|moy\.?|moyen|media|promedio|gemiddelde|srednia|medel|medelvarde"
    r"|genomsnitt|median|mediane|mediana|mediaan|mode|modus|modalwert|min\.?|max\.?|minimum|maximum|minimo|maximo"
    r"|massimo|range|spannweite|sd|s\.d\.|std\.?|std\.?[ -]?(dev|abw)\.?|stddev|stabw\.?|standard[ -]?deviation"
    r"|standardabweichung|ecart[ -]?type|desviacion (estandar|tipica)|deviazione standard|standaard(deviatie|afwijking)"
    r"|desvio padrao|odchylenie standardowe|standardavvikelse|var|variance|varianz|variance|se|s\.e\.m?\.?|sem"
    r"|count|anzahl|effectif|effectifs|nombre|recuento|conteggio|aantal|contagem|liczba|antal|n|q1|q3"
)
_TOTAL = re.compile(
    rf"(grand\s+|sub-?\s*|sous-?\s*|zwischen|gesamt)?({_STATISTICS})"
    rf"(\s+(general|generale|n|{_UNITS}))?\s*(\(\s*n\s*=\s*[\d.,\s]+\)|\bn\s*=\s*[\d.,\s]+)?"
    r"(\s*(\(|\+/?-|±)\s*(sd|std|se|n|%|ds|et|sa)\s*\)?)?\s*[:=]?",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(sources?|notes?|n\.?b\.?|remarks?|footnotes?|legend|abbreviations?|disclaimer|key|quellen?|anmerkung(en)?"
    r"|hinweise?|stand|remarques?|fuentes?|notas?|bron|fonte|legenden?|legendes?|leyenda|legenda|abkurzung(en)?"
    r"|abreviations?|abreviaturas?|codes?|kodierung|schlussel|uwagi?|zrodlo|kalla|anm|obs)\s*:.*"
    r"|(legend|legende|leyenda|legenda|abbreviations|abkurzungen|abreviations|code ?book|key|notes?|anmerkungen)"
    r"|(signed|signature|signatures|unterschrift|unterzeichnet|gez|gezeichnet|signe|firma|firmado|assinatura|podpis"
    r"|underskrift|handtekening|approved|checked|verified|reviewed|freigegeben|gepruft|verantwortlich|responsible|author"
    r"|verfasser|auteur|autor|bearbeiter|contact|kontakt|date|datum)(\s+(by|durch|von|par|por|da))?\s*[:.].*"
    r"|(erstellt|exportiert|gedruckt|abgerufen|ausgegeben|erzeugt|prepare|exporte|extrait|imprime|generado|exportado"
    r"|creado|creato|esportato|gemaakt|gerado|criado|utworzono|skapad)\s+(am|von|durch|aus|le|par|du|el|por|de|il|da"
    r"|op|door|em|dnia|przez|den|av)\b.*"
    r"|(generated|created|exported|printed|prepared|extracted|produced|downloaded|retrieved|run)\s+(by|on|from|at)\b.*"
    r"|(data|report)\s+(as\s+of|from|generated|created|extracted)\b.*"
    r"|(confidential|vertraulich|confidentiel|confidencial|riservato|vertrouwelijk|poufne|konfidentiell)\b.*"
    r"|\W*(ende|fin|fine|einde|fim|koniec|slut)\s+(der|des|du|de|del|della|van|do|av)\b.*"
    r"|(seite|pagina|strona|sida)\s+\d+(\s+(von|van|de|di|z|av)\s+\d+)?"
    r"|\W*end\s+of\s+(file|report|data|table|listing|list|extract|export)\W*"
    r"|page\s+\d+(\s+of\s+\d+)?|(©|\(c\)\s|copyright\b).*"
    rf"|(total|number|count|anzahl|nombre|numero|aantal|antal|liczba)(\s+(of|de|di|der))?(\s+{_UNITS})?"
    r"\s*[:=]\s*[\d.,\s]+"
    rf"|\(?[\d.,]+\s+{_UNITS}(\s+(affected|selected|returned|exported|in total))?\s*\)?\.?",
    re.IGNORECASE | re.DOTALL,
)
_CODE = re.compile(r"[\w./<>+-]{1,16}\s*(=|:|->|→)\s*\S.*", re.DOTALL)  # of a legend: 1 = male
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_TWO_WORDS = re.compile(r"[^\W\d_]{2,}[,.]?\s+[^\W\d_]{2,}")
_COMMENT = re.compile(r"\s*#+(\s|[^\W\d_]+(\s|$)|$)")


@dataclass(frozen=True)
class Footer:
    """What stands below the records.

    Attributes
    ----------
    length : int
        How many of the last lines are totals or notes, blank lines among them included.
    doubtful : int, optional
        The last line kept as a record that may yet be a total or a note; None when there is none.
    lines : tuple[int, ...], default ()
        The numbers of the lines that are left out, blank ones aside.
    """

    length: int
    doubtful: int | None = None
    lines: tuple[int, ...] = ()

    def notes(self, units: str) -> list[str]:
        """Sentences on what was left out and on what is doubtful, in "lines" or "rows"."""
        notes = []
        unit = singular(units)
        if self.length == 1:
            notes.append(f"The last {unit}{self._numbers} (a total or a note below the table) was left out.")
        elif self.length:
            which = f"The last {count(self.length, units)}{self._numbers}"
            notes.append(f"{which} (totals or notes below the table) were left out.")
        if self.doubtful is not None:
            notes.append(
                f"{unit.capitalize()} {self.doubtful:,} may be a total or a note below the table; it was kept as a "
                "record. If it is no record, choose how many lines to skip below."
            )
        return notes

    @property
    def _numbers(self) -> str:
        return f", {listed(self.lines)}," if self.lines else ""


def is_comment(text: str) -> bool:
    """Whether a cell begins a comment: a hash and words, unlike an identifier such as ``#1023``."""
    return _COMMENT.match(text) is not None


def find_footer(
    tail: Sequence[Row], above: Sequence[Sequence[str]], width: int, *, all_seen: bool, names: Sequence[str] = ()
) -> Footer:
    """Which of the last rows are totals or notes and not records.

    Parameters
    ----------
    tail : Sequence[Row]
        The last rows, blank lines included (no cells), trailing blank lines excluded.
    above : Sequence[Sequence[str]]
        The cells of records further up, as many as are known.
    width : int
        Cells a row.
    all_seen : bool
        Whether ``above`` and ``tail`` together are all records, so that sums can be compared.
    names : Sequence[str], default ()
        The names of the columns, which a legend explains.
    """
    if width < 2 or not tail:
        return Footer(0)
    apart = _block_apart(tail, above)
    if apart:
        return _footer_of(tail, apart, above, width)
    explained = {_plain(name) for name in names if name.strip()}
    begin = len(tail)
    while (
        begin > 0
        and len(tail) - begin < _MOST
        and (not tail[begin - 1].filled or _may_be(tail[begin - 1], width) or _explains(tail[begin - 1], explained))
    ):
        begin -= 1
    for start in range(begin, len(tail)):
        records = [*above, *(row.cells for row in tail[:start] if row.filled)]
        if not tail[start].filled or not records:
            continue
        rows_above = _Above(records, all_seen)
        block_apart = start > 0 and not tail[start - 1].filled
        if all(
            _is_footer(tail[i], rows_above, explained, apart=block_apart or not tail[i - 1].filled)
            for i in range(start, len(tail))
            if tail[i].filled
        ):
            while start > 0 and not tail[start - 1].filled:  # the blank lines between the table and its notes
                start -= 1
            return _footer_of(tail, len(tail) - start, above, width)
    return Footer(0, _doubtful(tail, above, width))


def _footer_of(tail: Sequence[Row], length: int, above: Sequence[Sequence[str]], width: int) -> Footer:
    lines = tuple(row.line for row in tail[-length:] if row.filled)
    return Footer(length, _doubtful(tail[:-length], above, width), lines)


def _block_apart(tail: Sequence[Row], above: Sequence[Sequence[str]]) -> int:
    """How many of the last lines stand below a blank one and could be no records: fewer cells, unlike those above."""
    for blank in range(len(tail)):
        block = [row for row in tail[blank:] if row.filled]
        if tail[blank].filled or not block or len(block) > _MOST:
            continue
        records = [*above, *(row.cells for row in tail[:blank] if row.filled)]
        if len(records) < _FEWEST_ABOVE:
            continue
        fewest = min(sum(bool(cell.strip()) for cell in cells) for cells in records)
        rows_above = _Above(records, complete=False)
        if all(row.filled < fewest and _is_unlike(row, rows_above) for row in block):
            while blank > 0 and not tail[blank - 1].filled:
                blank -= 1
            return len(tail) - blank
    return 0


def _is_unlike(row: Row, above: _Above) -> bool:
    """Whether no cell of a row could be a value of its column: none are words there, or it is written otherwise."""
    for place, cell in enumerate(cell.strip() for cell in row.cells):
        if not cell:
            continue
        values = above.values(place)
        if (
            not values
            or (above.worded(place) and place == 0)
            or any(value.casefold() == cell.casefold() for value in values)
        ):
            return False
        if any(map(str.isdigit, cell)) and _form(cell) in set(map(_form, values)):
            return False
        if above.plausible(place, cell):
            return False
    return True


def _form(cell: str) -> str:
    """How a text is written: a digit for digits, a letter for letters."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", cell))


def _plain(text: str) -> str:
    return "".join(char for char in fold(text).casefold() if char.isalnum())


def _explains(row: Row, names: set[str]) -> bool:
    """Whether a row explains a column: its name, and words beside it."""
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    if not 2 <= len(filled) <= 3 or _plain(filled[0]) not in names:
        return False
    return bool(_LETTERS.search(filled[1])) and _plain(filled[1]) not in names


def _doubtful(tail: Sequence[Row], above: Sequence[Sequence[str]], width: int) -> int | None:
    """The line of the last record, when it may be a total or note: put in words, or nearly all blank."""
    last = next((row for row in reversed(tail) if row.filled), None)
    records = [*above, *(row.cells for row in tail if row.filled and row is not last)]
    if last is None or not records or len(last.cells) < width:
        return None
    first = next(cell for cell in last.cells if cell.strip())
    if first in (cells[last.cells.index(first)] for cells in records if len(cells) > last.cells.index(first)):
        return None
    alone = last.filled == 1 and width > 2 and all(sum(bool(cell.strip()) for cell in cells) > 1 for cells in records)
    return last.line if alone or _may_be(last, width) else None


@dataclass
class _Above:
    """The records above, by column, looked at as far as needed."""

    rows: Sequence[Sequence[str]]
    complete: bool
    _values: dict[int, list[str]] = field(default_factory=dict)

    def values(self, place: int) -> list[str]:
        """The filled cells of a column."""
        if place not in self._values:
            cells = (row[place].strip() for row in self.rows if place < len(row))
            self._values[place] = [cell for cell in cells if cell]
        return self._values[place]

    def worded(self, place: int) -> bool:
        """Whether some cell of a column is words (a name, a procedure), marks for missing aside."""
        return any(
            (_LETTERS.search(value) and not any(map(str.isdigit, value))) or _TWO_WORDS.search(value)
            for value in set(self.values(place))
            if not is_missing_word(value)
        )

    def plausible(self, place: int, cell: str) -> bool:
        """Whether a number could be a value of its column: among the values above, or between two of them."""
        values = self.values(place)
        if cell in values:
            return True
        numbers = to_numbers([*values, cell])
        known, number = numbers[:-1][~np.isnan(numbers[:-1])], numbers[-1]
        if np.isnan(number) or not known.size:
            return False
        whole = bool((known == np.round(known)).all())
        return bool(known.min() <= number <= known.max()) and not (whole and number != round(number))

    def sums_up(self, place: int, cell: str) -> bool:
        """Whether a number is the sum, the count, the mean or such of its column; False when not all are known."""
        if not self.complete or len(self.rows) < 2:
            return False
        numbers = to_numbers([*self.values(place), cell])
        known = numbers[:-1][~np.isnan(numbers[:-1])]
        counts = [known.sum(), len(self.rows), len(self.values(place))]
        if np.isclose(numbers[-1], counts).any():
            return True
        digits = len(cell.replace(",", ".").rpartition(".")[2]) if "." in cell or "," in cell else 0
        if len(known) < 2 or not digits:  # a whole number is often a value too
            return False
        of_all = [known.mean(), np.median(known), known.std(), known.std(ddof=1)]
        return bool((np.abs(numbers[-1] - np.array(of_all)) <= 0.51 * 10.0**-digits).any())

    @cached_property
    def always_filled(self) -> set[int]:
        """The columns without a blank."""
        return {place for place in range(max(map(len, self.rows))) if len(self.values(place)) == len(self.rows)}


def _may_be(row: Row, width: int) -> bool:
    """Whether a row's own words could be those of a total or a note."""
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    if len(filled) > 1:
        return bool(_TOTAL.fullmatch(fold(filled[0]))) and not np.isnan(to_numbers(_unsigned(filled[1:]))).any()
    text = row.cells[0].strip()
    if not text or not (np.isnan(to_numbers([text])).all() and np.isnat(to_dates([text])).all()):
        return False
    return is_comment(text) or _is_note(text) or _is_sentence(text)


def _is_note(text: str) -> bool:
    return _NOTE.fullmatch(fold(text)) is not None or _CODE.fullmatch(text) is not None


def _is_sentence(text: str) -> bool:
    """Whether a text is words of a language rather than a name: five or more, most of them not capitalised."""
    words = text.split()
    return len(words) >= 5 and 2 * sum(word[0].islower() for word in words) > len(words)


def _unsigned(cells: Sequence[str]) -> list[str]:
    return [cell.rstrip(" %") for cell in cells]


def _is_footer(row: Row, above: _Above, explained: set[str], *, apart: bool) -> bool:
    place = next(i for i, cell in enumerate(row.cells) if cell.strip())
    text = row.cells[place].strip()
    if any(value.casefold() == text.casefold() for value in above.values(place)):
        return False
    if _explains(row, explained):
        return True
    if row.filled > 1:
        return _is_total(row, place, above, apart=apart)
    if text.startswith("#"):
        return not any(value.startswith("#") for value in above.values(place))
    # Among words (names, procedures) even a known word could be a record; among numbers and codes it cannot.
    return not above.worded(place) or (apart and _is_note(text))


def _is_total(row: Row, place: int, above: _Above, *, apart: bool) -> bool:
    beside = {i: cell.strip().rstrip(" %") for i, cell in enumerate(row.cells) if cell.strip() and i != place}
    plausible = [above.plausible(i, cell) for i, cell in beside.items()]
    if not above.worded(place):
        blank = above.always_filled - beside.keys() - {place}
        return bool(blank) or not all(plausible)
    sums = all(above.sums_up(i, cell) for i, cell in beside.items())
    return sums or (apart and not any(plausible))
