"""The app without a browser: small steps through its pages, each of which fails on any exception on screen.

A session begins with a file where ``App(page, data)`` opened it, with its suggested roles where ``loaded`` or
``seeded`` accepted them, and with a sample where ``sampled`` opened that: by the functions that the buttons call, once
a process for the same bytes, without drawing the pages on the way. The whole way by uploader and buttons is gone in
``tests/pages/test_pages.py`` (``test_an_upload_...``), in ``test_roles.py``, in ``test_bad_input.py`` and in the
browser (``tests/browser/test_journey.py``).
"""

from __future__ import annotations

import json
import random
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields as fields_of
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from plotly import basedatatypes
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from anonlib.basics.stores import Store
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedTable
from anonlib.reading.records import FrameRecords
from anonlib.reading.sources import DEFAULT_MARKS, apply_missing_marks, open_source
from tests.helpers import away as away_in_tests
from tests.helpers.records import InDuckDB
from ui.files import upload
from ui.server import keeping
from ui.session import away, history
from ui.session.cache import Memory
from ui.session.long_work import Work
from ui.session.state import Session

LONGEST_RUN = 180  # seconds: a machine on which the other tests run too
ROOT = Path(__file__).resolve().parents[2]
HOME, DATA = "pages/data/home/page.py", "pages/data/data/page.py"
RISK, INDIVIDUALS = "pages/measure/risk/page.py", "pages/measure/individuals/page.py"
LEAKAGE = "pages/measure/leakage/page.py"
ATTACK = "pages/measure/attack/page.py"
GENERALIZE, REGIONS = "pages/protect/generalize/page.py", "pages/protect/regions/page.py"
FRONTIER, SCHEDULES = "pages/protect/frontier/page.py", "pages/collect/schedules/page.py"
FORECAST = "pages/collect/forecast/page.py"
RELEASE, REPORT = "pages/release/release/page.py", "pages/release/report/page.py"
CASE, REGISTER = "pages/release/case/page.py", "pages/release/register/page.py"
VERDICT = "pages/verdict/verdict/page.py"
TITLES = {
    HOME: "Anonscope",
    DATA: "Data",
    VERDICT: "Verdict",
    RISK: "Risk",
    INDIVIDUALS: "Individuals",
    LEAKAGE: "Leakage",
    ATTACK: "Attack",
    GENERALIZE: "Generalize",
    REGIONS: "Regions",
    FRONTIER: "Frontier",
    FORECAST: "Forecast",
    SCHEDULES: "Schedules",
    RELEASE: "Release",
    CASE: "Case",
    REPORT: "Report",
    REGISTER: "Register",
}
PAGES = tuple(TITLES)
RISK_TABS = (
    "Attackers", "Quasi-identifiers", "Singling out", "Population", "Records below k", "Sensitive values",
    "Class sizes", "How it works",
)  # fmt: skip
INDIVIDUALS_TABS = (
    "Columns", "What each column adds", "Make a column coarser", "One individual", "Smallest sets", "How it works",
)  # fmt: skip
ATTACK_FOLDS = ("Every attack", "Columns at fault", "Who knows the method", "Another file", "Intruder", "How it works")
LEAKAGE_TABS = ("Alerts", "Pairs", "Combinations", "Original and release", "How it works")
GENERALIZE_TABS = (
    "Hierarchies", "Original and result", "Methods side by side", "Search tree", "Fake records", "How it works",
)  # fmt: skip
FORECAST_TABS = ("Which policy when", "Draws", "People drawn", "How it works")
SCHEDULES_TABS = (
    "Compare", "Grid", "Invitations", "Few moves", "Another slot", "Slots", "Change slots", "The paper’s experiments",
    "How it works",
)  # fmt: skip
REGIONS_TABS = ("Regions", "Compare", "Number of regions", "Areas", "How it works")
FRONTIER_TABS = (
    "Policy", "Compare two", "All policies", "Searches", "Population", "Order of values", "How it works",
)  # fmt: skip
RELEASE_TABS = ("Original and release", "What it is still good for", "How it works")
TABS_OF = {
    RISK: ("risk-tabs", RISK_TABS),
    INDIVIDUALS: ("individuals-tabs", INDIVIDUALS_TABS),
    LEAKAGE: ("leakage-tabs", LEAKAGE_TABS),
    GENERALIZE: (f"generalize-tabs-{len(GENERALIZE_TABS)}", GENERALIZE_TABS),
    REGIONS: (f"regions-tabs-{len(REGIONS_TABS)}", REGIONS_TABS),
    FRONTIER: (f"frontier-tabs-{len(FRONTIER_TABS)}", FRONTIER_TABS),
    FORECAST: (f"forecast-tabs-{len(FORECAST_TABS)}", FORECAST_TABS),
    SCHEDULES: ("schedules-tabs", SCHEDULES_TABS[:7]),  # the experiments of the paper take long
    RELEASE: ("release-tabs", RELEASE_TABS),
}  # the key of a page's tabs, and their names
T = TypeVar("T")
OUR_FAULT = "Something went wrong"
EXPLAINED = "How it works"  # the last tab of a page

# A file that gives way is swept from memory some seconds later, which the browser tests look at. Here it would be for
# every session of every test, in the midst of others.
keeping._SWEEPS = ()
history.READ_IN = 0.0  # a test reads at once
away.begin_job = away_in_tests.begin


def _wait_for_the_run(runner: Any, timeout: float = 3) -> None:
    """Until the run has ended."""
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        runner.request_stop()
        raise TimeoutError(f"The run took more than {timeout} s.")


class _NoServer:
    """A run outside of a server: no tab is connected."""

    def __init__(self, spec: type) -> None:
        pass

    def get_client(self, session_id: str) -> None:
        return None

    def get_app_session(self, session_id: str) -> None:
        return None


# Streamlit's own ask a thousand times a second whether a run has ended, and make a dozen mocks for each: a quarter of
# the time of a short run.
local_script_runner.require_widgets_deltas = _wait_for_the_run
app_test.MagicMock = _NoServer
# They compile the scripts for each run too, where the server does it once.
_SCRIPTS = ScriptCache()
local_script_runner.ScriptCache = app_test.ScriptCache = lambda: _SCRIPTS
# Plotly takes the same few names of properties apart each time that one is set.
basedatatypes._str_to_dict_path_full = lru_cache(maxsize=10_000)(basedatatypes._str_to_dict_path_full)

# Elements whose text is shown as it is; everything else on a page may be taken for Markdown.
SHOWN_AS_IT_IS = {"plotly_chart", "arrow_data_frame", "dataframe", "iframe"}
OPTIONS_AS_THEY_ARE = {"selectbox", "multiselect"}


class App:
    """One session of the app."""

    def __init__(
        self,
        page: str = HOME,
        data: bytes | None = None,
        name: str = "visits.csv",
        *,
        session: Session | None = None,
        tab: tuple[str, str] | None = None,
    ) -> None:
        """At this page, with this file opened and nothing decided, or with this session."""
        self.at = _app()
        if data is not None:
            session = _opened(data, name)
        if session is not None:
            self.at.session_state["anonscope"] = _copy(session)
            self.at.session_state["anonscope-memory"] = _memory()
        self.open(page, tab)

    def run(self) -> App:
        self.at.run()
        return self.check()

    def check(self) -> App:
        assert not self.at.exception, [element.message for element in self.at.exception]
        for message in self.errors:
            assert OUR_FAULT not in message, message
        return self

    def open(self, page: str, tab: tuple[str, str] | None = None) -> App:
        """Go to a page, and to a tab of it: the key of its tabs, and the tab's name."""
        self.at.switch_page(page)
        return self.run() if tab is None else self.tab(*tab)

    @property
    def session(self) -> Any:
        return self.at.session_state["anonscope"]

    @property
    def work(self) -> Work:
        """How far the session's long work is."""
        memory = self.at.session_state["anonscope-memory"]
        return memory.work or Work()

    def part(self, kind: type) -> Any:
        """What a page holds in the session."""
        return self.session.parts.get(kind) or kind()

    @property
    def errors(self) -> list[str]:
        return [element.value for element in self.at.error]

    @property
    def text(self) -> str:
        """What is read on the page: headings, lines that open, text, alerts and captions."""
        kinds = ("title", "subheader", "markdown", "caption", "error", "success", "info", "warning")
        lines = [element.label for element in self.at.expander]
        return "\n".join([*lines, *(element.value for kind in kinds for element in getattr(self.at, kind))])

    @property
    def sidebar_lines(self) -> list[str]:
        """What is read in the sidebar, line by line.

        A line of the list “certain from 2 quasi-identifiers:” has the name of the list, one below “with one visit
        known:” that.
        """
        lines = []
        for element in self.at.sidebar.markdown:
            heading = ""
            for line in re.sub(r":material/\w+: ", "", element.value).split("  \n"):
                name, _, value = line.partition(": ")
                between = ", " if heading.startswith("with ") else " "
                lines.append(f"{name}{between}{heading}: {value}" if heading and value else line)
                known = re.fullmatch(r":small\[:gray\[(with .+):\]\]", line)
                heading = line[:-1] if line.startswith("certain from ") else known[1] if known else heading
                heading = "" if heading.startswith("with ") and line.startswith("below k = ") else heading
        return lines

    def metric(self, start: str) -> str:
        """The value of the first figure whose label starts so."""
        return next(metric.value for metric in self.at.metric if metric.label.startswith(start))

    def below(self, k: int) -> str:
        """The number of records in classes below k."""
        label = re.compile(rf"below (k = )?{k}$")
        return next(metric.value for metric in self.at.metric if label.search(metric.label))

    def widget(self, kind: str, label: str) -> Any:
        found = [widget for widget in getattr(self.at, kind) if widget.label.startswith(label)]
        assert len(found) == 1, (label, [widget.label for widget in getattr(self.at, kind)])
        return found[0]

    def button(self, label: str) -> Any:
        """The button of this label, or of this key where the label is an icon."""
        found = [button for button in self.at.button if button.label.startswith(label) or button.key == label]
        assert found, (label, [(button.label, button.key) for button in self.at.button])
        return found[0]

    def has_button(self, label: str) -> bool:
        return any(button.label.startswith(label) or button.key == label for button in self.at.button)

    def press(self, label: str) -> App:
        button = self.button(label)
        assert not button.disabled, f"{label} is disabled"
        button.click()
        return self.run()

    def set(self, kind: str, label: str, value: object) -> App:
        """Set a widget and wait with the run: for what is set before a button is pressed, or several at once."""
        self.widget(kind, label).set_value(value)
        return self

    def put(self, **settings: object) -> App:
        """Put settings where their widgets keep them, by name, ``-`` written as ``_``, for the next run to show.

        For tests of what a page then says; that its controls set them is tested by the controls.
        """
        self.session.settings.update({name.replace("_", "-"): value for name, value in settings.items()})
        return self

    def choose(self, kind: str, label: str, value: object) -> App:
        return self.set(kind, label, value).run()

    def download(self, label: str) -> Any:
        return next(button for button in self.at.download_button if button.label.startswith(label))

    def leave_anyway(self) -> App:
        """Write on the Release page why the file leaves although the verdict is against it."""
        return self.choose("text_input", "It leaves all the same, because", "Agreed with the recipient in writing.")

    def tab(self, page_tabs: str, name: str) -> App:
        self.at.session_state[page_tabs] = name
        return self.run()

    def each_tab(self, page_tabs: str, names: Sequence[str]) -> Iterator[str]:
        """Open every tab in turn, the one that is open first; but for the explanation, in which nothing is of the file.

        At the next run the first is open again.
        """
        opened = [element.label for element in self.at.tabs if element.children]
        for name in sorted(names, key=lambda name: name not in opened):
            if name == EXPLAINED:
                continue
            if opened != [name]:
                self.tab(page_tabs, name)
            opened = []
            assert [element.label for element in self.at.tabs if element.children] == [name]
            yield name
        self.at.session_state[page_tabs] = names[0]

    def fold(self, key: str, name: str, is_open: bool = True) -> App:
        """Open or close a line that opens (:func:`ui.kit.page.folds`)."""
        self.at.session_state[f"{key}-{name}"] = is_open
        return self.run()

    def each_fold(self, key: str, names: Sequence[str]) -> Iterator[str]:
        """Open each line alone, but for the explanation, in which nothing is of the file."""
        for name in names:
            if name != EXPLAINED and f"{key}-{name}" in self.folds:
                self.fold(key, name)
                assert self.folds[f"{key}-{name}"]
                yield name
                self.at.session_state[f"{key}-{name}"] = False

    @property
    def folds(self) -> dict[str, bool]:
        """By key, the lines that open on the page, and whether what they hold is shown."""
        return {each.proto.id.split("-", 2)[-1]: bool(each.children) for each in self.at.expander if each.proto.id}

    def upload(self, data: bytes, name: str, label: str = "Load a file") -> App:
        self.widget("file_uploader", label).set_value((name, data, "text/csv"))
        return self.run()

    def table(self, column: str) -> Any:
        """The table that has this column, as a frame."""
        return next(table.value for table in self.at.dataframe if column in table.value.columns)

    def edit(self, column: str, edits: dict[int, dict[str, object]]) -> App:
        """Change cells of the editable table that has this column, as a browser would report it."""
        editor = next(table for table in self.at.data_editor if column in table.value.columns)
        states = self.at._tree.get_widget_states()
        state = states.widgets.add()
        state.id = editor.proto.id
        rows = {str(row): cells for row, cells in edits.items()}
        state.string_value = json.dumps({"edited_rows": rows, "added_rows": [], "deleted_rows": []})
        self.at._run(states)
        return self.check()

    def give_roles(self, **roles: str) -> App:
        """Set roles in the table of the Data page, one after another; ``age="Quasi-identifier"``."""
        answers = {role.label: role.answer for role in Role}
        for name, role in roles.items():
            row = self.table("Role")["Column"].tolist().index(name)
            self.edit("Role", {row: {"Role": answers.get(role, role)}})
        return self

    def rendered_text(self) -> list[str]:
        """Every text that the page may render as Markdown: labels, help, options, alerts, headings, captions."""
        found: list[str] = []
        for element in self.at._tree:
            proto = getattr(element, "proto", None)
            if proto is not None and hasattr(proto, "ListFields") and element.type not in SHOWN_AS_IT_IS:
                _collect(
                    proto, found, skip={"options", "placeholder"} if element.type in OPTIONS_AS_THEY_ARE else set()
                )
        return found


def _collect(proto: Any, found: list[str], skip: set[str]) -> None:
    for field, value in proto.ListFields():
        if field.name in {"id", "url", "alt", "spec", "arrow_data", "raw_values", "raw_value", "default", *skip}:
            continue
        for item in value if field.is_repeated else [value]:
            if field.type == field.TYPE_MESSAGE:
                _collect(item, found, skip)
            elif isinstance(item, str):
                found.append(item)


def in_full(line: str) -> str:
    """A line of the sidebar with what is known of visits as reports and tables say it, where there is more room."""
    return line.replace("with one visit or all values known", "with one visit known or the values of each column known")


def visits(n: int = 300, seed: int = 5) -> bytes:
    """A file as a clinic would export it: names, record numbers, ages with gaps, postcodes, dates, diagnoses."""
    rng = random.Random(seed)
    lines = ["full_name,record_number,age,sex,zip,visit_date,diagnosis,notes"]
    for i in range(n):
        age = "" if rng.random() < 0.03 else str(min(95, max(0, int(rng.gauss(50, 18)))))
        fields = [
            f"Person {i} Example",
            f"R{rng.randrange(10**7):07d}",
            age,
            rng.choice(["Female", "Male"]),
            rng.choice(["02138", "02139", "02141", "01840"]),
            f"2024-{rng.randrange(1, 13):02d}-{rng.randrange(1, 28):02d}",
            rng.choice(["E11 Diabetes", "I10 Hypertension", "J45 Asthma", "C50 Breast cancer"]),
            rng.choice(["=1+1", "-5", "+ask again", "?", "ok"]),
        ]
        lines.append(",".join(fields))
    return ("\n".join(lines) + "\n").encode()


TRY = "Try with the admissions sample"
TRY_PROVINCE = "Try with the province sample"
TRY_COUNTY = "Try with a county to invite"
ACCEPT = "Accept suggestions"
TAKE_ASKED = "Answer "
POPULATION = b"age,zip,people\n34,02138,100\n52,02139,7\n40,02139,3\n"
SMALL = b"age,sex,zip,illness\n34,F,02138,flu\n34,F,02138,flu\n52,M,02139,asthma\n?,M,02139,flu\n"


def loaded(data: bytes, name: str = "visits.csv", page: str = DATA, tab: tuple[str, str] | None = None) -> App:
    """A session with the file and all its suggested roles, those that the officer is asked about too."""
    return App(page, session=_accepted(data, name), tab=tab)


def seeded(
    data: bytes,
    name: str = "visits.csv",
    page: str = DATA,
    *,
    roles: Mapping[str, Role | str] | None = None,
    tab: tuple[str, str] | None = None,
    **fields: Any,
) -> App:
    """A session with the file, in which these are decided: its roles, or those suggested; and fields of the session.

    ``seeded(file, page=RISK, roles={"age": "quasi_identifier"}, recipe=Recipe.of([LeaveOut(5)]), k=7)``.
    """
    if roles is None:
        session = _accepted(data, name)
    else:
        opened = _opened(data, name)
        session = deciding(opened, roles=_dataset(opened).with_roles(roles).roles)
    return App(page, session=deciding(session, notice="", **fields), tab=tab)


def connected(
    data: bytes, name: str = "visits.csv", page: str = DATA, *, tab: tuple[str, str] | None = None, **fields: Any
) -> App:
    """As :func:`seeded` with suggested roles, but that the records are a table of DuckDB."""
    roles = _accepted(data, name).project.roles
    session = Session(loaded=LoadedTable.of(InDuckDB(name, "DuckDB", data)))
    return App(page, session=deciding(session, **({"roles": roles} | fields)), tab=tab)


def is_read(data: bytes, name: str = "visits.csv") -> bool:
    """Whether the app can read a file, which it refuses in a sentence else."""
    return _opened(data, name).loaded is not None


def sampled(key: str, page: str = HOME, tab: tuple[str, str] | None = None, **fields: Any) -> App:
    """A session with a sample, its roles and the files that go with it; and these fields of the session."""
    return App(page, session=deciding(_sample(key), notice="", **fields), tab=tab)


def deciding(session: Session, **changes: Any) -> Session:
    """The session with other fields, of its own or of its project."""
    own = {each.name for each in fields_of(Session)}
    decided = {name: value for name, value in changes.items() if name not in own}
    others = {name: value for name, value in changes.items() if name in own}
    return replace(session, **{"project": replace(session.project, **decided), **others})


# ---- sessions that tests begin with: each is made once a process, and every test has a copy --------------------------


def _app() -> AppTest:
    """The app before its first run, which can open any page at once."""
    at, first = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_RUN), _first_run()
    at._registered_pages = first._registered_pages
    at._bidi_component_manager = first._bidi_component_manager  # else each looks through all installed packages
    return at


@cache
def _first_run() -> AppTest:
    """What knows the pages, as ``st.navigation`` registers them, and the installed components."""
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_RUN).run()


@lru_cache(maxsize=128)
def _opened(data: bytes, name: str) -> Session:
    return _after(Session(), _open_file, data, name)


@lru_cache(maxsize=128)
def _accepted(data: bytes, name: str) -> Session:
    return _after(replace(_opened(data, name), notice=""), _accept_suggestions)


@lru_cache(maxsize=8)
def _sample(key: str) -> Session:
    return _after(Session(), _open_sample, key)


def _after(session: Session, callback: Callable[..., None], *inputs: object) -> Session:
    """What a button's callback makes of a session."""
    after = within(_copy(session), _made, callback, inputs, memory=_memory())
    assert not after.problem, after.problem
    return after


def _made(callback: Callable[..., None], inputs: tuple) -> Session:
    from ui.session import guard, state

    guard.action(callback)(*inputs)
    return state.session()


def within(session: Session, compute: Callable[..., T], *inputs: object, memory: Memory | None = None) -> T:
    """``compute(*inputs)`` as a run of the app in this session would, which computed nothing yet or has this memory."""
    answers: list[T] = []
    at = AppTest.from_function(_call, default_timeout=LONGEST_RUN, args=(compute, inputs, answers))
    at._bidi_component_manager = _first_run()._bidi_component_manager
    at.session_state["anonscope"] = session
    at.session_state["anonscope-memory"] = memory or Memory()
    at.run()
    assert not at.exception, [element.message for element in at.exception]
    return answers[0]


def _call(compute, inputs, answers):
    answers.append(compute(*inputs))


def _open_file(data: bytes, name: str) -> None:
    from ui.files import data_file

    data_file.load_upload(data, name)


def _accept_suggestions() -> None:
    from ui.session import decide, state, view

    decide.set_roles({each.column: each.role for each in view.now().suggestions} | state.session().roles)


def _open_sample(key: str) -> None:

    upload.open_sample(key)


_computed: Memory | None = Memory(Store(1 << 29), Store(1 << 28))


def _memory() -> Memory:
    """The memory of one session, in which is what others computed of the same files with the same settings.

    Long work is its own, and so is all that it computes once it has opened another file (``ui.session.cache.forget``).
    """
    return Memory() if _computed is None else Memory(_computed.versions, _computed.answers)


@contextmanager
def computing_again() -> Iterator[None]:
    """Sessions that begin meanwhile know nothing of what others computed, nor others of theirs."""
    global _computed
    _computed, before = None, _computed
    try:
        yield
    finally:
        _computed = before


def _copy(session: Session) -> Session:
    """The same, with draws by lot of its own; what is changed in place is not shared."""
    own = {name: dict(getattr(session, name)) for name in ("settings", "shown", "parts")}
    return replace(session, project=replace(session.project, seed=secrets.randbits(128)), **own)


def _dataset(session: Session) -> Dataset:
    """The data set of a session, made by the library."""
    assert session.loaded is not None
    source = session.loaded.source
    frame = apply_missing_marks(source.frame, DEFAULT_MARKS)
    return Dataset(source.name, source.digest, FrameRecords(frame), roles=session.roles, missing=session.missing)


@lru_cache(maxsize=32)
def _read(data: bytes, name: str) -> Dataset:
    """A file as the library reads it, without roles."""
    source = open_source(data, name)
    return Dataset(source.name, source.digest, FrameRecords(apply_missing_marks(source.frame, DEFAULT_MARKS)))


def dataset_of(app: App) -> Dataset:
    """The same data set, made by the library from the same bytes."""
    held = app.session.loaded
    return replace(_read(held.data, held.source.name), roles=app.session.roles, missing=app.session.missing)


def app_of(script: Callable[..., None], *args: object, **kwargs: object) -> AppTest:
    """A script of a test as an app, before its first run; it knows the installed components, as ``_app`` does."""
    at = AppTest.from_function(script, default_timeout=LONGEST_RUN, args=args, kwargs=kwargs)
    at._bidi_component_manager = _first_run()._bidi_component_manager
    return at
