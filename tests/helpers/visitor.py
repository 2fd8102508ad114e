"""A browser's tab without a browser: it speaks Streamlit's protocol, so that dozens fit on a machine of two cores.

It holds what is on the page as a browser does, sends what an officer would do, and reads every byte that it receives:
for errors, and for values that belong to another visitor.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

import httpx
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

T = TypeVar("T")
CANARY = re.compile(rb"Canary-[0-9a-f]{16}")
"""What a value looks like that belongs to one visitor."""
_XSRF = "_streamlit_xsrf"
_TIMEOUT = 600.0  # seconds


def canary() -> str:
    """A value that nothing else has."""
    return f"Canary-{secrets.token_hex(8)}"


class Visitor:
    """One tab of a served Anonscope.

    Parameters
    ----------
    url : str
        Where it is served, such as ``http://127.0.0.1:8501``.
    canary : str
        The visitor's own value of the form of :func:`canary`; that of another in what is received is a problem.
    headers : mapping
        Sent with every request, such as the cookie of a sign-in.

    Attributes
    ----------
    problems : list of str
        Errors on the page, values of others and broken connections, in words.
    received : int
        Bytes received so far.
    own_seen : int
        How often the visitor's own value was among them.
    ran : float
        When the server said that the last run had come to its end, in seconds of :func:`time.perf_counter`.
    """

    def __init__(self, url: str, canary: str = "", headers: Mapping[str, str] | None = None) -> None:
        self.url, self._canary, self._headers = url, canary.encode(), dict(headers or {})
        self.problems: list[str] = []
        self.received = self.own_seen = 0
        self.ran = 0.0
        self._elements: dict[tuple[int, ...], tuple[int, Any]] = {}
        self._blocks: dict[tuple[int, ...], tuple[int, Any]] = {}
        self._cached: dict[str, ForwardMsg] = {}
        self._states: dict[str, WidgetState] = {}
        self._answers: dict[str, asyncio.Future[Any]] = {}
        self._pages: dict[str, str] = {}
        self._page = self._session = self._xsrf = ""
        self._run = 0
        self._is_asked = self._is_running = False
        self._changed = asyncio.Condition()
        self._http = httpx.AsyncClient(base_url=url, timeout=_TIMEOUT, trust_env=False)
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None

    # ---- coming and leaving

    async def open(self, page: str = "", timeout: float = _TIMEOUT) -> None:
        """Connect, and open a page by its address, such as ``data``."""
        answer = await self._http.get("/_stcore/health", headers=self._headers)
        self._xsrf = answer.cookies.get(_XSRF, "")
        cookies = [self._headers.get("cookie", ""), f"{_XSRF}={self._xsrf}"]
        self._headers["cookie"] = "; ".join(filter(None, cookies))
        self._socket = await connect(
            f"{self.url.replace('http', 'ws', 1)}/_stcore/stream", proxy=None, compression=None, max_size=None,
            subprotocols=["streamlit", self._xsrf or "none", f"anonscope.{secrets.token_hex(32)}."],  # type: ignore[list-item]  # plain texts
            origin=self._origin, additional_headers=self._headers, open_timeout=timeout, ping_interval=None,
        )  # type: ignore[arg-type]  # fmt: skip
        self._reading = asyncio.create_task(self._read())
        await self._rerun(page_name=page)
        await self.idle(timeout)

    async def leave(self) -> None:
        """Close the tab."""
        if self._reading is not None and self._socket is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading
            await self._socket.close()
        await self._http.aclose()

    @property
    def _origin(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    # ---- what is on the page

    def elements(self, kind: str) -> Iterator[Any]:
        """The elements of a kind, such as ``button``, that the latest run drew, in no certain order."""
        for run, element in self._elements.values():
            if run == self._run and element.WhichOneof("type") == kind:
                yield getattr(element, kind)

    def element(self, kind: str, label: str) -> Any:
        """The element of a kind whose label begins so; None where the page has none."""
        labelled = (element for element in self.elements(kind) if element.label.startswith(label))
        return next(labelled, None)

    def says(self, *texts: str) -> bool:
        """Whether a text of the page has one of these in it."""
        return any(text in shown.body for shown in self.elements("markdown") for text in texts)

    @property
    def is_idle(self) -> bool:
        """Whether what was asked is all drawn."""
        return not self._is_asked and not self._is_running

    async def until(self, condition: Callable[[], T], timeout: float = _TIMEOUT) -> T:
        """Wait until something is so of what is drawn for the latest act; what the condition then says.

        Raises TimeoutError where it is not so in time.
        """
        async with asyncio.timeout(timeout), self._changed:
            while self._is_asked or not (answer := condition()):
                await self._changed.wait()
            return answer

    async def idle(self, timeout: float = _TIMEOUT) -> None:
        """Wait until all is drawn."""
        await self.until(lambda: self.is_idle, timeout)

    # ---- what an officer does; the page may be looked at before it is idle again

    async def again(self) -> None:
        """Let the page be drawn again, as a browser does whose officer changed nothing."""
        await self._rerun()

    async def go(self, page: str) -> None:
        """Click the link of a page above, by the last part of its address."""
        self._page = next(key for key, name in self._pages.items() if name == page)
        self._states = {}
        await self._rerun()

    async def click(self, label: str) -> None:
        """Press the button whose label begins so."""
        button = self._control("button", label)
        await self._rerun(WidgetState(id=button.id, trigger_value=True))

    async def move(self, label: str, *values: float, every: float = 0.0) -> None:
        """Set a slider; where there are several values, drag it over them, a moment (in seconds) at each."""
        slider = self._control("slider", label)
        for value in values:
            state = WidgetState(id=slider.id)
            state.double_array_value.data.append(value)
            await self._set(state)
            if len(values) > 1:
                await asyncio.sleep(every)

    async def choose(self, label: str, option: str) -> None:
        """Choose from a list."""
        await self._set(WidgetState(id=self._control("selectbox", label).id, string_value=option))

    async def write(self, label: str, text: str) -> None:
        """Type a text into its box."""
        await self._set(WidgetState(id=self._control("text_input", label).id, string_value=text))

    async def upload(self, label: str, name: str, data: bytes) -> None:
        """Give a file to the uploader whose label begins so."""
        uploader = self._control("file_uploader", label)
        message = BackMsg()
        request = message.file_urls_request
        request.request_id, request.session_id = secrets.token_hex(8), self._session
        request.file_names.append(name)
        (urls,) = (await self._answer(message, request.request_id)).file_urls
        headers = {**self._headers, "X-Xsrftoken": self._xsrf, "origin": self._origin}
        answer = await self._http.put(urls.upload_url, files={"file": (name, data)}, headers=headers)
        answer.raise_for_status()
        state = WidgetState(id=uploader.id)
        info = state.file_uploader_state_value.uploaded_file_info.add(name=name, size=len(data), file_id=urls.file_id)
        info.file_urls.CopyFrom(urls)
        await self._set(state)

    async def download(self, label: str) -> bytes:
        """What the download button whose label begins so gives."""
        button = self._control("download_button", label)
        url = button.url
        if button.deferred_file_id:
            message = BackMsg()
            request = message.backend_operation_request
            request.request_id, request.session_id = secrets.token_hex(8), self._session
            request.deferred_file.file_id = button.deferred_file_id
            answer = await self._answer(message, request.request_id)
            if answer.error_msg:
                raise RuntimeError(answer.error_msg)
            url = answer.deferred_file.url
        got = await self._http.get(urljoin(self.url, url), headers=self._headers)
        got.raise_for_status()
        self._search(got.content)
        return got.content

    def _control(self, kind: str, label: str) -> Any:
        control = self.element(kind, label)
        if control is None or control.disabled:
            raise LookupError(f"the page has no {kind} “{label}” that can be used")
        return control

    # ---- the protocol

    async def _set(self, state: WidgetState) -> None:
        self._states[state.id] = state
        await self._rerun()

    async def _rerun(self, pressed: WidgetState | None = None, page_name: str = "") -> None:
        message = BackMsg()
        client = message.rerun_script
        client.page_script_hash, client.page_name = self._page, page_name
        client.widget_states.widgets.extend([*self._states.values(), *([] if pressed is None else [pressed])])
        client.cached_message_hashes.extend(self._cached)
        client.context_info.timezone, client.context_info.locale = "Europe/Berlin", "en-GB"
        client.context_info.url, client.context_info.color_scheme = self.url, "light"
        self._is_asked = True
        await self._send(message)

    async def _send(self, message: BackMsg) -> None:
        assert self._socket is not None, "open() comes first"
        await self._socket.send(message.SerializeToString())

    async def _answer(self, message: BackMsg, request: str) -> Any:
        self._answers[request] = asyncio.get_running_loop().create_future()
        await self._send(message)
        async with asyncio.timeout(_TIMEOUT):
            return await self._answers[request]

    async def _read(self) -> None:
        assert self._socket is not None
        try:
            async for data in self._socket:
                assert isinstance(data, bytes)
                self._search(data)
                message = ForwardMsg.FromString(data)
                async with self._changed:
                    self._take(message)
                    self._changed.notify_all()
        except ConnectionClosed as closed:
            self.problems.append(f"the connection broke: {closed}")

    def _search(self, data: bytes) -> None:
        self.received += len(data)
        for value in CANARY.findall(data):
            if value == self._canary:
                self.own_seen += 1
            else:
                self.problems.append("a value of another visitor was received")

    def _take(self, message: ForwardMsg) -> None:
        if message.WhichOneof("type") == "ref_hash":
            metadata, message = message.metadata, self._cached[message.ref_hash]
            message.metadata.CopyFrom(metadata)
        elif message.metadata.cacheable and message.hash:
            self._cached[message.hash] = message
        match message.WhichOneof("type"):
            case "new_session":
                self._session = message.new_session.initialize.session_id
                self._page = message.new_session.page_script_hash
                self._run, self._is_asked, self._is_running = self._run + 1, False, True
            case "navigation":
                pages = message.navigation.app_pages
                self._pages = {page.page_script_hash: page.url_pathname for page in pages}
                self._page = message.navigation.page_script_hash
            case "delta":
                self._draw(tuple(message.metadata.delta_path), message.delta)
            case "script_finished" if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                self._end_run()
            case "file_urls_response":
                self._reply(message.file_urls_response.response_id, message.file_urls_response)
            case "backend_operation_response":
                self._reply(message.backend_operation_response.request_id, message.backend_operation_response)

    def _reply(self, request: str, answer: Any) -> None:
        self._answers[request].set_result(answer)

    def _draw(self, path: tuple[int, ...], delta: Any) -> None:
        if delta.HasField("add_block"):
            self._blocks[path] = self._run, delta.add_block
        elif delta.HasField("new_element"):
            element = delta.new_element
            self._elements[path] = self._run, element
            if element.HasField("exception") or (element.HasField("alert") and element.alert.format == Alert.ERROR):
                shown = element.alert.body if element.HasField("alert") else "an exception"
                self.problems.append(f"an error on the page: {shown}")

    def _end_run(self) -> None:
        """What the run did not draw is gone from the page, and so is the state of its widgets."""
        self.ran, self._is_running = time.perf_counter(), False
        self._elements = {path: drawn for path, drawn in self._elements.items() if drawn[0] == self._run}
        self._blocks = {path: drawn for path, drawn in self._blocks.items() if drawn[0] == self._run}
        shown = {_id_of(element) for _, element in self._elements.values()} | {
            getattr(block, "id", "") for _, block in self._blocks.values()
        }
        self._states = {id: state for id, state in self._states.items() if id in shown}


def _id_of(element: Any) -> str:
    kind = element.WhichOneof("type")
    return "" if kind is None else getattr(getattr(element, kind), "id", "")
