"""However the server ends, nothing is left of its jobs, whatever they do just then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.helpers.processes import waited_until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there are such processes on Linux")
ROOT = Path(__file__).resolve().parents[4]
SERVER = """
import sys, threading, time
from anonlib.basics.progress import nobody
from tests.helpers.processes import started, waited_until
from ui.server.workers.jobs import Answers
from ui.server.workers.pool import WorkerPool

def busy(home):
    while True:
        home.progress(0.5)

def asleep(home):
    home.progress(0.5)
    time.sleep(600)

def once(home):
    home.order()
    home.report(1)
    home.order()

def wait(job):
    job.carry_out(None, Answers(nobody, lambda *_: None, lambda _: None))

with started(WorkerPool(most_running=1)) as pool:
    pool.most_started = 5  # with room for three searches
    wait(pool.begin("idle", once, False))
    for n, function in enumerate([busy, asleep]):
        threading.Thread(target=wait, args=(pool.begin(str(n), function, False),), daemon=True).start()
    waited_until(lambda: pool.state().running == 1 and pool.state().suspended == 1 and pool.state().idle == 1)
    print(pool.zygote.pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_a_server_that_was_killed(by: signal.Signals) -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        zygote = psutil.Process(int(server.stdout.readline()))
        waited_until(lambda: len(zygote.children()) == 3)
        jobs = zygote.children()
        waited_until(lambda: psutil.STATUS_STOPPED in {job.status() for job in jobs})
        os.kill(server.pid, by)
        server.wait(60)
        waited_until(lambda: not any(process.is_running() for process in [zygote, *jobs]))
    finally:
        server.kill()
        server.wait()
