"""A diagnosis: each finding says what was looked at, how it is, and what to do about it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from afterpass.refusals import refused
from policy.errors import AfterpassError
from policy.settings import Settings, SettingsError

if TYPE_CHECKING:
    from transcripts.discovery import Root

SILENCE = timedelta(days=7)
LITTLE_SPACE = 200 << 20  # bytes
PATIENCE = 20.0  # seconds: somebody waits, and a server may have to load the model first


class Health(StrEnum):
    """How a finding is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``remedy`` is empty where all is well."""

    what: str
    health: Health
    detail: str
    remedy: str = ""


def examine(settings: Settings, problems: Sequence[SettingsError] = ()) -> Iterator[Finding]:
    """Every finding, in the order in which a pass would meet them. Nothing is changed, no session text is sent.

    ``problems`` are what of the settings cannot be used; the rest is looked at without it.
    """
    for problem in problems:
        yield Finding("settings", Health.FAIL, problem.what, problem.next_step)
    looks: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
        _home,
        _policy,
        _store,
        _agents,
        _hook_log,
        _extractor,
        _embedding,
    )
    for look in looks:
        try:
            yield from look(settings)
        except (AfterpassError, OSError) as error:
            told = refused(error) if isinstance(error, OSError) else error
            yield Finding(look.__name__.strip("_").replace("_", " "), Health.FAIL, told.what, told.next_step)


def _home(settings: Settings) -> Iterator[Finding]:
    home = settings.home
    if not home.exists():
        yield Finding("home", Health.OK, f"{home} will be made by the first pass")
        return
    if not home.is_dir():
        return  # the settings have said so
    if not os.access(home, os.W_OK | os.X_OK):
        yield Finding("home", Health.FAIL, f"{home} is not writable", f"chmod u+rwx {home}")
        return
    mode = home.stat().st_mode & 0o777
    if mode & 0o077:
        yield Finding("home", Health.WARN, f"{home} can be read by others ({mode:o})", f"chmod 700 {home}")
    free = shutil.disk_usage(home).free
    if free < LITTLE_SPACE:
        yield Finding("disk", Health.WARN, f"{free >> 20} MB left beside {home}", "make room before the next pass")
    yield Finding("home", Health.OK, str(home))
    yield Finding("python", Health.OK, f"{sys.executable} ({sys.version.split()[0]})")


def _policy(settings: Settings) -> Iterator[Finding]:
    from policy.load import load_policy

    policy = load_policy(settings.policy)
    yield Finding("policy", Health.OK, f"{len(policy.types)} fact types, version {policy.version}")


def _store(settings: Settings) -> Iterator[Finding]:
    from store.store import Store

    store = Store(settings.home, url=settings.store, lock_timeout=5)
    if settings.store is None and not store.path.exists():
        yield Finding("store", Health.WARN, "nothing has been read yet", "afterpass run")
        return
    with store.connect() as db:
        status, failures = db.status(), db.failures()
    yield Finding("store", Health.OK, f"schema {status.schema_version}, {sum(status.facts.values())} facts")
    for row in failures[:5]:
        step = f"failed at {row.error_step}: {row.error}"
        yield Finding("session", Health.WARN, f"{row.key} {step}", row.failure_json()["next"] or "afterpass run")
    last = status.last_pass
    if last and datetime.now(UTC) - last.started_at > SILENCE:
        yield Finding(
            "passes",
            Health.WARN,
            f"the last one was on {last.started_at.date()}",
            "`afterpass run` now; `afterpass install AGENT` lets an agent call it",
        )


def _agents(settings: Settings) -> Iterator[Finding]:
    from transcripts.discovery import default_roots

    found = 0
    for root in default_roots(os.environ):
        count, closed = _files(root)
        for path, why in closed:
            yield Finding(root.agent, Health.WARN, f"{path} cannot be looked into: {why}", f"chmod u+rx {path}")
        if count:
            found += count
            yield Finding(root.agent, Health.OK, f"{count} files under {root.path}")
    if not found:
        yield Finding("transcripts", Health.WARN, "no agent has left any in its usual place", "afterpass run PATH")
    yield from _installed()


def _files(root: Root) -> tuple[int, list[tuple[str, str]]]:
    """How many files may be transcripts, and which folders cannot be looked into, with the reason."""
    from transcripts.discovery import discover

    closed: list[tuple[str, str]] = []

    def tell(path: str, why: OSError) -> None:
        closed.append((path, str(why.strerror)))

    return (sum(1 for _ in discover([root], tell)) if root.path.is_dir() else 0), closed


def _installed() -> Iterator[Finding]:
    """Installing once more would change nothing where the hook is in place."""
    from afterpass.install import AGENTS, InstallError, install

    for agent in AGENTS:
        try:
            missing = install(agent, dry_run=True).changed
        except InstallError as error:
            yield Finding(f"{agent} hook", Health.WARN, error.what, error.next_step)
            continue
        if missing:
            yield Finding(f"{agent} hook", Health.WARN, "not installed", f"afterpass install {agent}")
        else:
            yield Finding(f"{agent} hook", Health.OK, "installed")


def _hook_log(settings: Settings) -> Iterator[Finding]:
    log = settings.home / "hook.log"
    if log.exists() and (lines := log.read_text(encoding="utf-8", errors="replace").splitlines()):
        yield Finding("hook log", Health.WARN, lines[-1], f"read {log}, mend the cause, remove the file")


def _extractor(settings: Settings) -> Iterator[Finding]:
    from extractors.registry import build

    extractor = build(
        settings.extractor,
        model=settings.model,
        base_url=settings.base_url,
        timeout=min(settings.timeout, 10),
        api_key=settings.api_key,
    )
    yield Finding("extractor", Health.OK, extractor.name)


def _embedding(settings: Settings) -> Iterator[Finding]:
    """The model that makes vectors of notes, asked for one. A pass goes on without it, so that none is a warning."""
    if settings.embedding_model is None:
        return
    from extractors.errors import ExtractorError
    from extractors.registry import embedder
    from extractors.retrying import RetryPolicy

    try:
        asks = embedder(
            settings.extractor,
            settings.embedding_model,
            base_url=settings.base_url,
            timeout=min(settings.timeout, PATIENCE),
            api_key=settings.api_key,
            retry=RetryPolicy(attempts=1),
        )
        assert asks is not None  # noqa: S101 - it is where a model is named
        (vector,) = asks.embed(["afterpass doctor"])
    except ExtractorError as error:
        detail = f"{error.error}; notes are found by their words alone until it answers"
        yield Finding("embedding", Health.WARN, detail, error.next)
    else:
        detail = f"{asks.model} at {asks.client.url} makes vectors of {len(vector)} numbers"
        yield Finding("embedding", Health.OK, detail)
