"""What evidence holds of one table, and the same as attributes of evidence of one."""

from __future__ import annotations

from dataclasses import dataclass, field

from anonlib.analyses.utility.levels import ColumnLevels
from anonlib.columns.person_ids import IdDoubts
from anonlib.release.detail import DetailLost
from anonlib.release.left import ColumnsLeft
from anonlib.verdict.criteria import Spelled
from anonlib.verdict.method import LeftForValue

CAME_LATER = {"came later": True}
"""What marks a field with a default that evidence of an earlier version lacks."""


@dataclass(frozen=True)
class FileFacts:
    """A file, by what it is and not by what is in it.

    Attributes
    ----------
    name : str
        Its name, without a path.
    sha256 : str
        Of its bytes, 64 hexadecimal digits; of a table that stays in a database, of what it holds.
    records, columns : int
        Rows and columns; of a table beside the file ``columns`` may be 0, where that is not known.
    persons : int, optional
        Persons or summed weights in it, where these are counted; None where records are.
    by_content : bool, default False
        Whether it is named by what it holds (:attr:`anonlib.dataset.Dataset.content_digest`).
    """

    name: str
    sha256: str
    records: int
    columns: int
    persons: int | None = None
    by_content: bool = field(default=False, metadata=CAME_LATER)


@dataclass(frozen=True)
class ColumnFacts:
    """What evidence holds about one column; none of its values.

    Attributes
    ----------
    name : str
        Its name.
    role : str
        As accepted; "" where nobody has decided.
    reasons : tuple[str, ...]
        Why that role is suggested, or why another one is, in sentences with counts.
    suggested : str
        The role that was suggested.
    leaves : bool
        Whether it is in the release.
    values_before, values_after : int
        Distinct values, missing not counted; 0 after where it does not leave.
    missing : int
        Records without a value in the original.
    entropy_before, entropy_after : float
        bits.
    information_kept : float
        Entropy kept, after / before, in [0, 1].
    """

    name: str
    role: str
    reasons: tuple[str, ...]
    suggested: str
    leaves: bool
    values_before: int
    values_after: int
    missing: int
    entropy_before: float
    entropy_after: float
    information_kept: float


@dataclass(frozen=True)
class StepFacts:
    """One step of the recipe in words, and what it did.

    Attributes
    ----------
    says, reason : str
        What it does, and why.
    applied : bool
        It is switched on and could be applied.
    records_removed, columns_removed, cells_changed : int
        counts.
    problem : str
        Why it could not be applied; "".
    tells : tuple[str, ...], default ()
        What its outcome still tells, and what has to be known to read it, in sentences.
    """

    says: str
    reason: str
    applied: bool
    records_removed: int
    columns_removed: int
    cells_changed: int
    problem: str
    tells: tuple[str, ...] = field(default=(), metadata=CAME_LATER)


@dataclass(frozen=True)
class ReleasedFacts:
    """The file that leaves.

    Attributes
    ----------
    sha256 : str
        The digest of the CSV.
    bytes : int
        The size of the CSV.
    records : int
        Its rows.
    columns : tuple[str, ...]
        The names of its columns, as they stand in it.
    without_missing : int
        Records that the policy for missing values leaves out.
    digests : tuple[tuple[str, str], ...], default ()
        By format, the CSV too, the SHA-256 of the file; of a large release the CSV and those asked for alone.
    of_nobody : int, default 0
        Rows of count 0, which are left out.
    """

    sha256: str
    bytes: int
    records: int
    columns: tuple[str, ...]
    without_missing: int
    digests: tuple[tuple[str, str], ...] = field(default=(), metadata=CAME_LATER)
    of_nobody: int = field(default=0, metadata=CAME_LATER)

    @property
    def on_record(self) -> dict[str, str]:
        """By format the SHA-256 of the file."""
        return {"CSV": self.sha256, **dict(self.digests)}


@dataclass(frozen=True)
class RecodedValue:
    """One value of a column that may be known, and what it is released as; None is a missing value.

    Attributes
    ----------
    step : int
        The number of the step in the recipe, from 1.
    column : str
        The name of the column that the value is of.
    value : str | None
        A value of the original; None: missing.
    label : str | None
        What it is released as; None: missing.
    """

    step: int
    column: str
    value: str | None
    label: str | None


@dataclass(frozen=True)
class PartFacts:
    """One table of a case, whose rows are looked at together with those of the others.

    Attributes
    ----------
    name : str
        What it is called.
    sha256 : str
        Of its bytes.
    rows, leave : int
        Its rows, and those that leave.
    below, by : str
        The table whose rows its rows name, and its column that does; "" of none.
    names_none : int
        Of the rows that leave, those that name no row that leaves.
    is_of_lists : bool, default False
        Whether its rows are the items of lists in cells, which leave in these and not as a table.
    """

    name: str
    sha256: str
    rows: int
    leave: int
    below: str
    by: str
    names_none: int
    is_of_lists: bool = False


@dataclass(frozen=True)
class TableFacts:
    """A table, what was decided on it, and what leaves of it. Its cells are none but the labels of :attr:`recoding`.

    Attributes
    ----------
    file : FileFacts
        The original.
    population : FileFacts | None
        The population table beside it; None where there is none.
    areas : FileFacts | None
        The file of areas beside it; None where there is none.
    missing : str
        What a missing value of a known column counts as: "category" or "drop".
    undecided, unknowable : tuple[str, ...]
        Columns that nobody has decided on, and those that nobody outside can know.
    harmless : tuple[tuple[str, int], ...]
        By sensitive column, how many values anybody may be sure of.
    columns : tuple[ColumnFacts, ...]
        What was decided on each column, in the file's order.
    steps : tuple[StepFacts, ...]
        What each step of the recipe does, in their order.
    records_kept, information_kept : float
        Rows and entropy kept, in [0, 1].
    recoding : tuple[RecodedValue, ...], default ()
        What the values of known columns became, where that was asked for.
    released : ReleasedFacts, optional
        The file that leaves; None where none may.
    why_no_file : str, default ""
        Why none can be made; "".
    values_recoded : int, default 0
        How many values became something; of more than are listed in :attr:`recoding`, all.
    texts_looked_at : tuple[str, ...], default ()
        Columns of free text that leave and in which identifiers are looked for.
    levels : tuple[ColumnLevels, ...], default ()
        At which levels the cells of each column leave; empty without records, and in evidence of an old version.
    may_be_blank : tuple[str, ...], default ()
        The columns in which a step may have blanked cells.
    parts : tuple[PartFacts, ...], default ()
        The tables that it is made of, where these are several.
    spelled : tuple[Spelled, ...], default ()
        Columns that are known or sensitive in which spellings are read as one value.
    ids : IdDoubts, optional
        What is doubtful about whose row it is; None where nothing is.
    left : ColumnsLeft, optional
        Which columns are left; None in evidence of an old version.
    lost : DetailLost, optional
        How much detail is lost; None where that cannot be counted, and in evidence of an old version.
    held_beside : tuple[FileFacts, ...], default ()
        The files of earlier releases that are counted with this one, each with the records that left of it.
    left_for_value : tuple[LeftForValue, ...], default ()
        Whom steps leave out for a value although their class met every size that is asked; empty in evidence of an old
        version.
    """

    file: FileFacts
    population: FileFacts | None
    areas: FileFacts | None
    missing: str
    undecided: tuple[str, ...]
    unknowable: tuple[str, ...]
    harmless: tuple[tuple[str, int], ...]
    columns: tuple[ColumnFacts, ...]
    steps: tuple[StepFacts, ...]
    records_kept: float
    information_kept: float
    recoding: tuple[RecodedValue, ...] = ()
    released: ReleasedFacts | None = None
    why_no_file: str = ""
    values_recoded: int = field(default=0, metadata=CAME_LATER)
    texts_looked_at: tuple[str, ...] = field(default=(), metadata=CAME_LATER)
    levels: tuple[ColumnLevels, ...] = field(default=(), metadata=CAME_LATER)
    may_be_blank: tuple[str, ...] = field(default=(), metadata=CAME_LATER)
    parts: tuple[PartFacts, ...] = field(default=(), metadata=CAME_LATER)
    spelled: tuple[Spelled, ...] = field(default=(), metadata=CAME_LATER)
    ids: IdDoubts | None = field(default=None, metadata=CAME_LATER)
    left: ColumnsLeft | None = field(default=None, metadata=CAME_LATER)
    lost: DetailLost | None = field(default=None, metadata=CAME_LATER)
    held_beside: tuple[FileFacts, ...] = field(default=(), metadata=CAME_LATER)
    left_for_value: tuple[LeftForValue, ...] = field(default=(), metadata=CAME_LATER)


class OfOneTable:
    """What evidence holds of its one table, as attributes of the evidence; they are those of :class:`TableFacts`."""

    tables: tuple[TableFacts, ...]

    @property
    def table(self) -> TableFacts:
        """The one table."""
        (table,) = self.tables
        return table

    @property
    def file(self) -> FileFacts:
        """The file."""
        return self.table.file

    @property
    def population(self) -> FileFacts | None:
        """The population table beside it."""
        return self.table.population

    @property
    def areas(self) -> FileFacts | None:
        """The areas beside it."""
        return self.table.areas

    @property
    def held_beside(self) -> tuple[FileFacts, ...]:
        """The files of earlier releases that are counted with this one."""
        return self.table.held_beside

    @property
    def left_for_value(self) -> tuple[LeftForValue, ...]:
        """Whom steps leave out for a value although their class met every size that is asked."""
        return self.table.left_for_value

    @property
    def missing(self) -> str:
        """What a missing value of a known column counts as."""
        return self.table.missing

    @property
    def undecided(self) -> tuple[str, ...]:
        """Columns that nobody has decided on."""
        return self.table.undecided

    @property
    def unknowable(self) -> tuple[str, ...]:
        """Columns that nobody outside can know."""
        return self.table.unknowable

    @property
    def harmless(self) -> tuple[tuple[str, int], ...]:
        """By sensitive column, how many values anybody may be sure of."""
        return self.table.harmless

    @property
    def spelled(self) -> tuple[Spelled, ...]:
        """Columns in which spellings are read as one value."""
        return self.table.spelled

    @property
    def ids(self) -> IdDoubts | None:
        """What is doubtful about whose row it is."""
        return self.table.ids

    @property
    def left(self) -> ColumnsLeft | None:
        """Which columns are left of it."""
        return self.table.left

    @property
    def lost(self) -> DetailLost | None:
        """How much detail is lost of it."""
        return self.table.lost

    @property
    def columns(self) -> tuple[ColumnFacts, ...]:
        """Its columns."""
        return self.table.columns

    @property
    def steps(self) -> tuple[StepFacts, ...]:
        """The steps of its recipe."""
        return self.table.steps

    @property
    def records_kept(self) -> float:
        """Rows kept, in [0, 1]."""
        return self.table.records_kept

    @property
    def information_kept(self) -> float:
        """Entropy kept, in [0, 1]."""
        return self.table.information_kept

    @property
    def recoding(self) -> tuple[RecodedValue, ...]:
        """What the values of known columns became."""
        return self.table.recoding

    @property
    def released(self) -> ReleasedFacts | None:
        """The file that leaves."""
        return self.table.released

    @property
    def why_no_file(self) -> str:
        """Why no file can be made."""
        return self.table.why_no_file

    @property
    def values_recoded(self) -> int:
        """How many values became something."""
        return self.table.values_recoded

    @property
    def texts_looked_at(self) -> tuple[str, ...]:
        """Columns of free text that leave and in which identifiers are looked for."""
        return self.table.texts_looked_at

    @property
    def levels(self) -> tuple[ColumnLevels, ...]:
        """At which levels the cells of each column leave."""
        return self.table.levels

    @property
    def may_be_blank(self) -> tuple[str, ...]:
        """The columns in which a step may have blanked cells."""
        return self.table.may_be_blank

    @property
    def parts(self) -> tuple[PartFacts, ...]:
        """The tables that it is made of, where these are several, those of items of lists among them."""
        return self.table.parts

    @property
    def files(self) -> tuple[PartFacts, ...]:
        """Of these, the tables that are a file each."""
        return tuple(part for part in self.parts if not part.is_of_lists)
