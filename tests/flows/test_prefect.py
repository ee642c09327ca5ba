"""The pass as Prefect runs: in process, against a started server, and when the API does not answer."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from store.store import Store
from tests.flows.conftest import Write

pytestmark = pytest.mark.slow

GOOD, BUSY, REFUSED = "we use pnpm here", "the office plant needs water", "the coffee machine is broken"
PATIENCE = 240.0

RUN = """
import json, sys
import flows.prefect_runs
from flows.run import run
from policy.settings import load_settings
flows.prefect_runs.RETRY_SECONDS = 0.1
print(json.dumps(run(load_settings(sys.argv[1])).to_json()))
"""


def model(httpserver: HTTPServer) -> str:
    """A server that answers one session, is busy for another and refuses the third."""

    def answer(request: Request) -> Response:
        asked = request.get_data(as_text=True)
        if BUSY in asked:
            return Response("busy", status=503)
        if REFUSED in asked:
            return Response(json.dumps({"error": {"message": "no"}}), status=401, content_type="application/json")
        fact = {"turn": 1, "evidence": GOOD, "type": "package_manager", "subject": "", "value": "pnpm"}
        content = {"reasoning": "", "candidates": [fact | {"kind": "standing", "importance": 8}]}
        message = {"role": "assistant", "content": json.dumps(content)}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        return Response(json.dumps(reply), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    return httpserver.url_for("/v1")


@pytest.fixture
def ready(home: Path, write: Write, httpserver: HTTPServer) -> Path:
    """A home with three sessions to read, one for each answer of the model."""
    for name, text in (("good", GOOD), ("busy", BUSY), ("refused", REFUSED)):
        folder = write(name, [("developer", text)]).parent
    home.mkdir()
    text = f'prefect = true\nextractor = "openai"\nmodel = "m"\nbase_url = "{model(httpserver)}"\napi_key = "k"\n'
    (home / "settings.toml").write_text(f'{text}timeout = 2\nroots = ["{folder}"]\n', "utf-8")
    return home


def environment(home: Path, **more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home.parent / "nobody"), "PYTHONPATH": str(Path.cwd())} | more


def passed(home: Path, **environ: str) -> dict[str, Any]:
    """Run the pass as its own process; what it printed."""
    command = [sys.executable, "-c", RUN, str(home)]
    done = subprocess.run(
        command, env=environment(home, **environ), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (0, "") == (done.returncode, done.stderr)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def assert_passed(told: dict[str, Any], home: Path) -> None:
    assert {"done": 1, "skipped": 0, "pending": 1, "failed": 1} == told["sessions"]
    assert {"busy", "refused"} == {failure["session"] for failure in told["failures"]}
    with Store(home).connect() as db:
        rows = {row.native_id: (row.state.value, row.attempts) for row in db.sessions()}
        assert ["pnpm"] == [fact.value for fact in db.facts()]
    assert {"good": ("done", 0), "busy": ("pending", 1), "refused": ("failed", 1)} == rows


def assert_no_text(*files: Path) -> None:
    """Prefect was told references only."""
    for file in files:
        content = file.read_bytes() if file.exists() else b""
        assert not [text for text in (GOOD, BUSY, REFUSED) if text.encode() in content]


def test_in_process_the_pass_is_a_named_flow_run_with_retries_by_the_kind_of_failure(ready: Path) -> None:
    assert_passed(passed(ready), ready)
    database = ready / "prefect" / "prefect.db"
    with sqlite3.connect(database) as db:
        (flow,) = db.execute("SELECT name, parameters, state_type FROM flow_run").fetchall()
        tasks = dict(db.execute("SELECT name, run_count FROM task_run").fetchall())
        (artifact,) = db.execute("SELECT key, type, data FROM artifact").fetchall()
    assert flow[0].startswith("run 20")
    assert ({"home": str(ready), "kind": "run", "paths": []}, "COMPLETED") == (json.loads(flow[1]), flow[2])
    assert {"neutral:good": 1, "neutral:busy": 3, "neutral:refused": 1} == tasks
    assert ("afterpass-pass", "table") == artifact[:2]
    assert "sessions done" in artifact[2]
    assert_no_text(database, Path(f"{database}-wal"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A started Prefect server: its API's address and its database."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    place = tmp_path / "server"
    environ = environment(place / "x", PREFECT_HOME=str(place), PREFECT_SERVER_ANALYTICS_ENABLED="false")
    command = [
        sys.executable,
        "-m",
        "prefect",
        "server",
        "start",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--no-ui",
    ]
    with subprocess.Popen(
        command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            await_health(f"http://127.0.0.1:{port}/api")
            yield f"http://127.0.0.1:{port}/api", place / "prefect.db"
        finally:
            process.terminate()
            process.wait(PATIENCE)


def await_health(api: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{api}/health", timeout=2).is_success:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.2)
    raise AssertionError("the server did not start")


def test_against_a_started_server_the_pass_is_the_same(ready: Path, server: tuple[str, Path]) -> None:
    api, database = server
    assert_passed(passed(ready, PREFECT_API_URL=api), ready)
    (flow,) = httpx.post(f"{api}/flow_runs/filter", json={}).json()
    assert ("COMPLETED", {"home": str(ready), "kind": "run", "paths": []}) == (flow["state_type"], flow["parameters"])
    (artifact,) = httpx.post(f"{api}/artifacts/filter", json={}).json()
    assert "afterpass-pass" == artifact["key"]
    assert_no_text(database, Path(f"{database}-wal"))


def test_an_api_that_does_not_answer_is_one_line_and_costs_no_session(ready: Path) -> None:
    command = [sys.executable, "-I", "-m", "afterpass", "run", "--home", str(ready)]
    environ = environment(ready, PREFECT_API_URL="http://127.0.0.1:9/api")
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (1, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert "http://127.0.0.1:9/api does not answer" in done.stderr
    assert not (ready / "afterpass.duckdb").exists()


def test_schedules_are_kept_until_sigterm_and_what_is_due_is_run(ready: Path, tmp_path: Path) -> None:
    said = tmp_path / "said"
    command = [sys.executable, "-I", "-m", "afterpass", "serve", "--home", str(ready)]
    with said.open("wb") as stderr:
        keeper = subprocess.Popen(command, env=environment(ready), stderr=stderr)
    try:
        api = await_address(said) + "/api"
        deployments = await_deployments(api)
        assert {"nightly": "30 2 * * *", "upkeep": "17 * * * *", "weekly": "0 8 * * 1"} == {
            name: found["schedules"][0]["schedule"]["cron"] for name, found in deployments.items()
        }
        assert all(":" not in found["entrypoint"] for found in deployments.values())  # a module, never a path
        nightly = deployments["nightly"]["id"]
        run = start_run(api, nightly)
        assert "COMPLETED" == await_end(api, run)
        with Store(ready).connect() as db:
            assert ["nightly"] == [item.kind for item in db.passes()]
        second = subprocess.run(command, env=environment(ready), capture_output=True, text=True, check=False)
        assert (1, 1) == (second.returncode, second.stderr.count("\n"))
        assert "are kept by another process" in second.stderr
    finally:
        keeper.send_signal(signal.SIGTERM)
        ended = keeper.wait(PATIENCE)
    assert 143 == ended
    assert "Traceback" not in said.read_text("utf-8")
    with pytest.raises(httpx.ConnectError):  # the server that it started went with it
        httpx.get(f"{api}/health", timeout=2)


def await_address(said: Path) -> str:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for line in said.read_text("utf-8").splitlines():
            if line.startswith("Prefect server: "):
                return line.removeprefix("Prefect server: ")
        time.sleep(0.2)
    raise AssertionError("no server was started")


def start_run(api: str, deployment: str) -> str:
    """The id of a new run. A server that is at work on its own start may answer that its database is busy."""
    deadline = time.monotonic() + PATIENCE
    while True:
        answered = httpx.post(f"{api}/deployments/{deployment}/create_flow_run", json={})
        if answered.is_success:
            return str(answered.json()["id"])
        assert time.monotonic() < deadline, answered.text
        time.sleep(0.2)


def await_deployments(api: str) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = {item["name"]: item for item in httpx.post(f"{api}/deployments/filter", json={}).json()}
        if len(found) == 3:
            return found
        time.sleep(0.2)
    raise AssertionError("the deployments were not registered")


def await_end(api: str, run: str) -> str:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        state = str(httpx.get(f"{api}/flow_runs/{run}").json()["state_type"])
        if state in {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}:
            return state
        time.sleep(0.5)
    raise AssertionError("the run did not end")
