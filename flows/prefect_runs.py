"""The same pass as Prefect runs: one flow run a pass, one task run a session, a table of what came of it.

Parameters are references (a folder, a path, a session's key), never text. What is said in a session passes from task
to flow inside this process and is never handed to Prefect. The order in which sessions land, the ledger and its
leases are those of the direct pass, because it is the same code.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from flows.pipeline import PassStoppedError, Ticket
from flows.prefect_home import check_api, prepare
from flows.result import RunResult
from flows.run import Order, Progress, carry_out
from flows.steps import Context, think

if TYPE_CHECKING:
    from prefect import Flow


ARTIFACT = "afterpass-pass"
RETRIES, RETRY_SECONDS = 2, 10.0
"""Beside the retries of each model call: a session whose failure may pass is thought about again, twice."""

_ordered: ContextVar[tuple[Order, Progress | None] | None] = ContextVar("ordered", default=None)
_tickets: dict[str, tuple[Ticket, Context]] = {}


def order_flow(order: Order, progress: Progress | None = None) -> RunResult:
    """One pass as a flow run.

    Raises PrefectUnavailableError, PassStoppedError where Prefect fails on the way, and what
    :func:`flows.run.carry_out` raises.
    """
    prepare(order.settings.home)
    check_api()
    token = _ordered.set((order, progress))
    try:
        return _pass_flow()(str(order.settings.home), order.kind, [str(path) for path in order.paths])
    except Exception as error:
        if _is_ours(error):
            raise
        raise _stopped(error) from error
    finally:
        _ordered.reset(token)


def _pass_flow() -> Flow[[str, str, list[str]], RunResult]:
    """The flow. Made on demand, because importing Prefect takes seconds and its settings must stand before."""
    from prefect import flow

    return flow(name="afterpass", flow_run_name=run_name, persist_result=False, log_prints=False)(_pass)


def run_name() -> str:
    """What a pass's flow run is called: its kind and when it began."""
    from prefect.runtime import flow_run

    return f"{flow_run.parameters.get('kind', 'nightly')} {datetime.now(UTC):%Y-%m-%d %H:%M:%S}"


def _pass(home: str, kind: str, paths: list[str]) -> RunResult:
    """The pass that this process ordered; the parameters only tell Prefect which one it is."""
    ordered = _ordered.get()
    if ordered is None:
        raise RuntimeError("this flow is called by order_flow only")
    return perform(*ordered)


def perform(order: Order, progress: Progress | None = None) -> RunResult:
    """Carry out an order inside of a flow run: a task run for each session, and an artifact at the end."""
    direct = replace(order, settings=replace(order.settings, prefect=False))
    result = carry_out(direct, progress, TaskRuns())
    publish(result)
    return result


def publish(result: RunResult) -> None:
    """Put the counts, and each session that is left, into a table artifact."""
    from prefect.artifacts import create_table_artifact

    rows = [{"what": f"sessions {name}", "count": count, "next": ""} for name, count in result.sessions.items()]
    rows += [{"what": f"decisions {name}", "count": count, "next": ""} for name, count in result.decisions.items()]
    rows += [{"what": f"reason {name}", "count": count, "next": ""} for name, count in result.codes.items()]
    rows += [{"what": f"left: {item.session}, {item.step}", "count": 1, "next": item.next} for item in result.failures]
    create_table_artifact(key=ARTIFACT, table=rows, description=f"One pass with {result.extractor}")


class TaskRuns:
    """Thinks in Prefect task runs, one a session."""

    def __init__(self) -> None:
        self._runner: Any = None
        self._task: Any = None

    def start(self, workers: int) -> None:
        """Open a task runner for that many sessions at a time."""
        from prefect import task
        from prefect.cache_policies import NO_CACHE
        from prefect.task_runners import ThreadPoolTaskRunner

        self._task = task(
            name="think",
            task_run_name="{session}",
            retries=RETRIES,
            retry_delay_seconds=RETRY_SECONDS,
            retry_jitter_factor=0.5,
            retry_condition_fn=_may_pass,
            persist_result=False,
            cache_policy=NO_CACHE,
        )(_think)
        self._runner = ThreadPoolTaskRunner(max_workers=workers)
        self._runner.__enter__()

    def submit(self, ticket: Ticket, context: Context, through: Callable[[], None]) -> None:
        """Submit a task run that names the session; its text stays here."""
        file = ticket.taken.reading.file
        _tickets[file.key] = (ticket, context)
        future = self._runner.submit(self._task, {"session": file.key, "path": file.path})
        future.add_done_callback(lambda done: _settle(ticket, done, through))

    def stop(self) -> None:
        """Close the task runner; runs that have not begun are dropped."""
        self._runner.cancel_all()
        self._runner.__exit__(None, None, None)


def _think(session: str, path: str) -> int:
    """Ask the extractor about one session. Returns the number of candidates."""
    ticket, context = _tickets[session]
    thought = think(ticket.taken, context)
    ticket.outcome = thought
    return len(thought.extraction.candidates)


def _settle(ticket: Ticket, future: Any, through: Callable[[], None]) -> None:
    """After the last retry: the session's own failure is its outcome; a failure of Prefect's stops the pass."""
    _tickets.pop(ticket.taken.reading.file.key, None)
    if ticket.outcome is None:
        try:
            future.result()
        except BaseException as error:  # noqa: BLE001 - the session's boundary: the landing thread says what it was
            ticket.outcome = error if _is_ours(error) else _stopped(error)
        else:
            ticket.outcome = _stopped(None)
    through()


def _is_ours(error: BaseException) -> bool:
    """Whether the session, and not Prefect or the way to its API, is what failed."""
    return type(error).__module__.partition(".")[0] not in {"prefect", "httpx", "httpcore", "anyio", "websockets"}


def _stopped(error: BaseException | None) -> PassStoppedError:
    said = type(error).__name__ if error is not None else "a task run ended without a result"
    return PassStoppedError(f"Prefect failed while the pass ran: {said}", "what has landed is kept; run again")


def _may_pass(_task: object, _run: object, state: Any) -> bool:
    """Retry what may pass, and nothing else."""
    from extractors.errors import Transient

    return isinstance(state.result(raise_on_failure=False), Transient)
