"""A file's way through the app as an officer goes it, in a browser: from the upload to the file that leaves.

``python -m benchmarks.bench_in_app [FILE...] [RECIPIENT...]`` drives it for files of :mod:`benchmarks.bench_worth` and
recipients by their keys, all where none is named, and prints a line for each as it is measured. Seconds are of the
clock, from the click on Verdict; a recipient other than the first is chosen as soon as the page offers it. Clicks are
presses of the mouse that the browser saw, but for the file dialog's. A case that takes longer than :data:`CAP` ends
there, and its line says what it waited for.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
from playwright.sync_api import Error, Locator, Page

from anonlib.basics.words import listed
from anonlib.columns.roles import Role
from anonlib.verdict.criteria import BY_KEY
from benchmarks.bench_worth import RECIPIENTS, File, files
from benchmarks.measuring import REPOSITORY, spoken
from tests.browser.app import (
    IDLE,
    Server,
    accept_all,
    click_link,
    go,
    open_page,
    option_of,
    saved,
    upload,
    wait_until_idle,
)
from tests.browser.conftest import running_server, started_chromium, watched_page

FILES = (
    "admissions", "heart_cleveland", "adult", "cervical_cancer", "hospital extract, made up",
    "101,766 visits, made up",
)  # fmt: skip
CAP = 600.0  # seconds a case may take
ROUNDS = 6  # times that something is mended or answered after a proposal was taken
AT_REST = 1_000  # milliseconds without a run: one search follows another at once
ANSWERS = (
    "Somebody can know each", "Somebody can", "It harms", "Yes: count as known", "Drop", "Nobody can", "Nothing would",
)  # fmt: skip
"""What is answered, the first that a question offers; see :meth:`Officer.answer_all`."""

# Every press of a mouse button is one click, whatever it falls on; going from page to page keeps the window.
COUNT = "addEventListener('pointerdown', () => window.clicks = (window.clicks ?? 0) + 1, true)"

# The question that a button answers: the nearest text around it that asks.
QUESTION_OF = """button => {
    let around = button
    while (around.parentElement && !around.innerText.includes("?")) around = around.parentElement
    return around.innerText.split("?")[0].trim().slice(0, 120) + "?"
}"""

# Seconds since it was called, of what the page shows for the first time; what is stale is of an earlier run.
WATCH = """words => {
    const begun = performance.now(), first = window.first = {}
    const has = (selector, pattern) => [...document.querySelectorAll(selector)]
        .some(each => pattern.test(each.textContent.trim()) && !each.closest("[data-stale='true']"))
    const note = (name, is) => { if (is && !(name in first)) first[name] = (performance.now() - begun) / 1000 }
    const text = "[data-testid='stMarkdownContainer']"
    window.looking = setInterval(() => {
        note("sentence", has("h3", new RegExp(`(leave for|Not yet for) ${words}`)))
        if (!("sentence" in first)) return
        note("proposal", has(text, /^(Best proposal|Not enough|Loses least so far|In the recipe): /))
        note("none", has(text, /^(Each of these alone would make|No single change was|No proposal was)/))
        note("checked", has(text, /^(Best proposal|Not enough|In the recipe): /))
    }, 50)
}"""


@dataclass
class Case:
    """What one way through the app took.

    Attributes
    ----------
    file, recipient : names of what was asked.
    clicks : presses of the mouse, from the first page to the download.
    proposal, checked, rest : seconds from opening Verdict until the first proposal is shown, until its criteria are
        checked, and until no search runs.
    shown : proposals shown then.
    questions : what was asked on Verdict, each as often as it was answered.
    whole : seconds from the upload until the file was there, or until the way ended.
    says : the verdict at the end.
    removed : columns of which nothing is left in the file; None where there is none.
    n_columns : of them there were.
    ended : why it ended early, "" where it did not.
    problems : what the browser complained of.
    """

    file: str
    recipient: str
    clicks: int = 0
    proposal: float | None = None
    checked: float | None = None
    rest: float | None = None
    shown: int = 0
    questions: Counter[str] = field(default_factory=Counter)
    whole: float = 0.0
    says: str = ""
    removed: tuple[str, ...] | None = None
    n_columns: int = 0
    ended: str = ""
    problems: tuple[str, ...] = ()

    @property
    def cells(self) -> list[str]:
        """A line of the table."""
        names = f": {listed(self.removed, most=4)}" if self.removed else ""
        removed = "no file" if self.removed is None else f"{len(self.removed)} of {self.n_columns}{names}"
        again = [text for text, times in self.questions.items() if times > 1]
        questions = f"{self.questions.total()}{f', again: {listed(again)}' if again else ''}"
        end = "; ".join(text for text in (self.ended, self.says, *self.problems) if text)
        return [
            self.file, self.recipient, str(self.clicks), *map(_seconds, (self.proposal, self.checked, self.rest)),
            str(self.shown), questions, removed, spoken(self.whole), end,
        ]  # fmt: skip


HEAD = [
    "file", "recipient", "clicks", "first proposal", "its criteria checked", "at rest", "proposals", "questions",
    "columns removed", "in all", "at the end",
]  # fmt: skip


class Officer:
    """Somebody who takes a file through the app; each step says first what is waited for, should it not come."""

    def __init__(self, page: Page, case: Case, folder: Path) -> None:
        self.page, self.case, self.folder = page, case, folder
        self.begun = time.monotonic()
        self.waits_for = "the first page"
        page.set_default_timeout(60_000)
        page.add_init_script(COUNT)

    @property
    def left(self) -> float:
        """Milliseconds of the cap that are left, at least one."""
        return max(1.0, 1000 * (CAP - (time.monotonic() - self.begun)))

    def go_through(self, server: Server, data: bytes) -> bytes | None:
        """The whole way; the file that leaves, None where it stays."""
        self.waits_for = "the file and its roles"
        open_page(self.page, server)
        upload(self.page, "file.csv", data)
        go(self.page, "Data")
        accept_all(self.page)
        self.see_verdict()
        self.answer_all()
        self.take()
        return self.take_home()

    def see_verdict(self) -> None:
        """Open Verdict, choose the recipient, and wait until no search runs, which the clock is on for."""
        page, recipient = self.page, BY_KEY[self.case.recipient]
        self.waits_for = "the page Verdict at rest"
        page.evaluate(WATCH, recipient.a_release)
        begun = time.monotonic()
        click_link(page, "Verdict")
        if recipient.key != "contract":  # which stands there at first
            option_of(page, "Recipient", recipient.name).click()
        try:
            self.rest(AT_REST)
            self.case.rest = time.monotonic() - begun - AT_REST / 1000
        finally:
            first = page.evaluate("(clearInterval(window.looking), window.first)")
            self.case.proposal, self.case.checked = first.get("proposal"), first.get("checked")
            if "proposal" not in first and "none" in first:
                self.case.ended = f"no proposal, as was shown after {spoken(first['none'])}"
        self.search_where_a_button_waits()
        self.case.shown = self._proposals().count()

    def search_where_a_button_waits(self) -> None:
        """Where nothing is proposed before a button is pressed, press it, and wait until there is something."""
        start = self.page.get_by_role("button", name="Start", exact=True)
        if self.case.proposal is None and start.count():
            self.waits_for = "a search that a button started"
            start.first.click()
            self.rest(AT_REST)

    def answer_all(self) -> None:
        """Answer the questions under “What only you can decide” until none is asked, cautiously.

        * A question that has an answer after which everything stays as it is gets that one: the officer of a
          measurement knows no more of the file than the app does, and what is not known goes on being protected.
        * Columns that nobody counted are counted as known, so that proposals protect them.
        * What reveals what was recoded, or is an identifier, is dropped.
        * Where no column is known outside, or none is sensitive, that is answered as the roles were accepted.
        """
        self.waits_for = "the page after an answer"
        questions = self.page.locator("[class*='st-key-verdict-question-'], [class*='st-key-verdict-relief']")
        for _ in range(40):
            answers = (questions.get_by_role("button", name=name, exact=True) for name in ANSWERS)
            answer = next((each.first for each in answers if each.count()), None)
            if answer is None:
                return
            self.case.questions[self._question_of(answer)] += 1
            answer.click()
            self.rest()

    def take(self) -> None:
        """Take the proposal on top, then answer or mend until the file may leave, or nothing is offered for it."""
        self.waits_for = "the page after a proposal was taken"
        proposals = self.page.get_by_role("button", name="Take this")
        if not proposals.count():
            self.case.says = self.says()
            return
        proposals.first.click()
        self.rest()
        for _ in range(ROUNDS):
            self.case.says = self.says()
            if self.case.says.startswith("May leave"):
                return
            before = self.case.questions.total()
            self.answer_all()
            if self.case.questions.total() == before and not self.mend():
                return

    def mend(self) -> bool:
        """Press “Mend” of the first criterion that is not met and has it; whether there was one."""
        self.waits_for = "the page after a criterion was mended"
        unmet = self.page.locator("summary").filter(has_text=re.compile("Not met|Cannot be checked"))
        for i in range(unmet.count()):
            unmet.nth(i).click()
            mend = self.page.get_by_role("button", name="Mend").and_(self.page.locator(":enabled:visible"))
            self.page.wait_for_timeout(500)
            if mend.count():
                mend.first.click()
                self.rest()
                return True
        return False

    def take_home(self) -> bytes | None:
        """The file, by the Release page, where it may leave."""
        if not self.says().startswith("May leave"):
            return None
        self.waits_for = "the file on the page Release"
        go(self.page, "Release")
        return saved(self.page, "Released CSV", self.folder)

    def says(self) -> str:
        """The verdict's sentence, without its icon."""
        decided = re.compile(r"(May leave|Not yet) for .*")
        sentence = decided.search(self.page.get_by_role("heading", level=3, name=decided).first.inner_text())
        return "" if sentence is None else sentence.group()

    def rest(self, moment: int = 0) -> None:
        """Wait until no run and no search goes on, for so many milliseconds where they are given."""
        if not moment:
            return wait_until_idle(self.page, timeout=self.left)
        self.page.evaluate("window.idleSince = null")
        self.page.wait_for_function(IDLE, arg=moment, timeout=self.left, polling=50)

    def _proposals(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile("^.*(Take this|In the recipe)$"))

    def _question_of(self, answer: Locator) -> str:
        return str(answer.evaluate(QUESTION_OF))


def cases(names: Collection[str] = (), recipients: Collection[str] = RECIPIENTS) -> Iterator[Case]:
    """Each file for each recipient, in a window of its own; all files where none is named."""
    here = files()
    plainly = {"PYTHONPATH": str(REPOSITORY)}  # without what tests watch the server with
    with (
        tempfile.TemporaryDirectory() as directory,
        running_server(Path(directory), **plainly) as server,
        started_chromium() as browser,
    ):
        for name in names or FILES:
            for key in recipients if name in here else ():
                with watched_page(browser, server) as (page, watch):
                    case = one_case(page, server, name, here[name], key, Path(directory))
                    case.problems += tuple(watch.problems)
                yield case


def one_case(page: Page, server: Server, name: str, file: File, key: str, folder: Path) -> Case:
    """One file for one recipient."""
    case, data = Case(name, key), file.read()
    officer = Officer(page, case, folder)
    try:
        released = officer.go_through(server, data)
    except (Error, AssertionError) as error:
        over = time.monotonic() - officer.begun >= CAP
        why = f"not within {CAP:g} s" if over else str(error).splitlines()[0]
        case.ended, released = f"{why}, waiting for {officer.waits_for}", None
    case.whole = time.monotonic() - officer.begun
    with suppress(Error):
        case.clicks = page.evaluate("window.clicks ?? 0")
        if page.get_by_test_id("stException").count():
            case.problems += ("the page shows an error of its own",)
    if released is not None:
        case.removed, case.n_columns = gone(data, released, file.roles)
    return case


def gone(before: bytes, after: bytes, roles: Mapping[str, Role]) -> tuple[tuple[str, ...], int]:
    """Columns in which records differed and no two do any more, dropped or not, identifiers aside; of how many."""
    had, left = (pd.read_csv(io.BytesIO(each), dtype=str, keep_default_na=False) for each in (before, after))
    aside = {name for name, role in roles.items() if role in (Role.IDENTIFIER, Role.PERSON_ID)}
    telling = [name for name in had.columns if name not in aside and had[name].nunique() > 1]
    return tuple(name for name in telling if name not in left or left[name].nunique() < 2), len(telling)


def _seconds(taken: float | None) -> str:
    return "none" if taken is None else spoken(taken)


if __name__ == "__main__":
    chosen = sys.argv[1:]
    if unknown := {*chosen} - {*FILES, *RECIPIENTS}:
        raise SystemExit(
            f"No such file or recipient: {listed(sorted(unknown))}. There are {listed(FILES + RECIPIENTS)}."
        )
    for line in (HEAD, ["---"] * len(HEAD)):
        print(f"| {' | '.join(line)} |", flush=True)
    keys = [key for key in RECIPIENTS if key in chosen] or RECIPIENTS
    for case in cases([each for each in FILES if each in chosen], keys):
        print(f"| {' | '.join(case.cells)} |", flush=True)
