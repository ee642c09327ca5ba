"""``afterpass serve``: keep the schedules with Prefect until it is stopped.

Where no Prefect API is configured, a local server is started beside it, with its state under our home.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

from flows.locks import ProcessLock
from flows.prefect_home import check_api, prepare
from policy.errors import AfterpassError

if TYPE_CHECKING:
    from prefect.deployments.runner import RunnerDeployment

    from policy.settings import Settings

NIGHTLY, UPKEEP, WEEKLY = "30 2 * * *", "17 * * * *", "0 8 * * 1"
"""In the machine's time zone: at night when nobody waits, once an hour, and on Monday morning."""
SERVER_SECONDS = 180.0
STOP_SECONDS = 15.0
SERVER_LOG = "prefect-server.log"


class ServeError(AfterpassError):
    """The schedules cannot be kept."""


def serve(settings: Settings, say: Callable[[str], None] = lambda _line: None) -> None:
    """Register the schedules and run what is due, until SIGINT or SIGTERM, which is passed on to the caller.

    ``say`` is told in a line what happens. Raises PrefectUnavailableError, ServeError.
    """
    lock = ProcessLock(settings.home / "serve.lock")
    if not lock.acquire(wait=False):
        raise ServeError(f"the schedules of {settings.home} are kept by another process", "stop that one first")
    try:
        prepare(settings.home)
        os.chdir(settings.home)  # the runs are started in the working directory; ours holds no module to mistake
        with _api(settings.home, say):
            check_api()
            _keep(settings, say)
    finally:
        lock.release()
    # Only SIGTERM leads here. Prefect has taken it for itself; the caller has its own way of ending.
    os.kill(os.getpid(), signal.SIGTERM)


def _keep(settings: Settings, say: Callable[[str], None]) -> None:
    import asyncio

    from prefect.runner import Runner
    from prefect.schedules import Cron
    from prefect.types.entrypoint import EntrypointType

    from flows import deployed

    home, zone = str(settings.home), _zone()
    runner = Runner(name="afterpass", limit=1, pause_on_shutdown=True)
    for flow, name, cron in (
        (deployed.nightly, "nightly", NIGHTLY),
        (deployed.upkeep, "upkeep", UPKEEP),
        (deployed.weekly, "weekly", WEEKLY),
    ):
        deployment = flow.to_deployment(
            name=name,
            schedule=Cron(cron, timezone=zone),
            parameters={"home": home},
            entrypoint_type=EntrypointType.MODULE_PATH,
        )
        runner.add_deployment(cast("RunnerDeployment", deployment))  # outside of an event loop it is no coroutine
        say(f"{name}: {cron} ({zone})")
    before = signal.getsignal(signal.SIGTERM)
    try:
        asyncio.run(runner.start())
    finally:
        signal.signal(signal.SIGTERM, before)


def _zone() -> str:
    """The machine's time zone by name, else UTC."""
    named = os.environ.get("TZ", "").lstrip(":")
    if named and Path("/usr/share/zoneinfo", named).is_file():
        return named
    link = os.path.realpath("/etc/localtime")
    return link.partition("/zoneinfo/")[2] or "UTC"


@contextlib.contextmanager
def _api(home: Path, say: Callable[[str], None]) -> Iterator[None]:
    """The configured API, or a server of our own for as long as the schedules are kept."""
    from prefect.settings import PREFECT_API_URL, temporary_settings

    if PREFECT_API_URL.value():
        say(f"Prefect API: {PREFECT_API_URL.value()}")
        yield
        return
    port = _free_port()
    url = f"http://127.0.0.1:{port}/api"
    command = [sys.executable, "-I", "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    with (home / SERVER_LOG).open("ab") as log:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    try:
        _await_server(server, url, home)
        say(f"Prefect server: http://127.0.0.1:{port}")
        os.environ["PREFECT_API_URL"] = url  # for the runs, which are processes of their own
        with temporary_settings({PREFECT_API_URL: url}):
            yield
    finally:
        os.environ.pop("PREFECT_API_URL", None)
        _stop(server)


def _free_port() -> int:
    """Prefect's own port where it is free, else any."""
    for port in (4200, 0):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])
    raise ServeError("no free port on 127.0.0.1", "set PREFECT_API_URL to a Prefect server that runs")


def _await_server(server: subprocess.Popen[bytes], url: str, home: Path) -> None:
    import httpx

    deadline = time.monotonic() + SERVER_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise ServeError("the Prefect server ended while it started", f"look into {home / SERVER_LOG}")
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{url}/health", timeout=2).is_success:
                return
        time.sleep(0.25)
    raise ServeError(f"the Prefect server needs more than {SERVER_SECONDS:.0f} s", f"look into {home / SERVER_LOG}")


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
