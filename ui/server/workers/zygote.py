"""The process that jobs are forks of: it has imported all that they need, has one thread, and knows no data.

Started by the server (:mod:`ui.server.workers.processes`) as ``python -m ui.server.workers.zygote SOCKET``, with the
number of its end of a pair of sockets, over which the server asks for forks and has signals sent to them. It ends when
the other end is gone, however the server ended, and with it all jobs.
"""

from __future__ import annotations

import gc
import importlib
import os
import resource
import socket
import sys
from contextlib import suppress

from anonlib.basics import cores, machine_code
from ui.server import quiet
from ui.server.workers import child
from ui.server.workers.processes import FORK, NONE, NUMBER, READY, ROOT, SIGNALS

_LOOK = 0.05  # seconds between two looks at whether a job has ended


def main() -> None:
    """Import all, then fork as asked."""
    quiet.keep_cells_out_of_logs()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    server = socket.socket(fileno=int(sys.argv[1]))
    _import_all()
    machine_code.load()
    cores.leave_one()
    gc.collect()
    gc.freeze()
    if _n_threads() != 1:
        raise SystemExit(f"Work is not done in processes of its own: {_n_threads()} threads are there, not one.")
    server.send(NUMBER.pack(READY))
    _serve(server)


def _import_all() -> None:
    """All modules of pages but their scripts, and so all that these import."""
    for path in sorted((ROOT / "pages").rglob("*.py")):
        if path.name != "page.py":
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))


def _n_threads() -> int:
    return len(os.listdir("/proc/self/task"))


def _serve(server: socket.socket) -> None:
    parent, jobs = os.getpid(), dict[int, int]()
    while True:
        server.settimeout(_LOOK if jobs else None)
        with suppress(TimeoutError):
            asked, ends, *_ = socket.recv_fds(server, 1 + NUMBER.size, 1, socket.MSG_CMSG_CLOEXEC)
            if not asked:
                return
            (number,) = NUMBER.unpack(asked[1:])
            if asked[:1] == FORK:
                jobs[number] = _fork()
                if jobs[number] == 0:
                    server.close()
                    child.run(socket.socket(fileno=ends[0]), parent)
                os.close(ends[0])
                server.send(NUMBER.pack(jobs[number]))
            elif number in jobs:  # else it ended by itself
                os.kill(jobs[number], SIGNALS[asked[:1]])
        jobs = {number: pid for number, pid in jobs.items() if pid != NONE and not _has_ended(pid)}


def _fork() -> int:
    """The number of the new process, 0 in it, and NONE where the system lets none begin."""
    try:
        return os.fork()
    except OSError:
        return NONE


def _has_ended(pid: int) -> bool:
    """Whether a process has; if so, nothing is left of it."""
    return os.waitpid(pid, os.WNOHANG)[0] == pid


if __name__ == "__main__":
    with suppress(ConnectionError, KeyboardInterrupt):
        main()
