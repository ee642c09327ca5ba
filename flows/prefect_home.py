"""How Prefect is set up before it is imported: its own home under ours, no analytics, no talk on the console."""

from __future__ import annotations

import os
from pathlib import Path

from policy.errors import AfterpassError

API_SECONDS = 5.0
"""How long a configured Prefect API may take to say that it is there."""


class PrefectUnavailableError(AfterpassError):
    """The Prefect API that is configured does not answer. No session was touched."""


def prepare(home: Path) -> None:
    """Set Prefect's environment, as far as the user has not. Must run before Prefect is imported for the first time."""
    wanted = {
        "PREFECT_HOME": str(home / "prefect"),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        # Prefect would write every run's start and end, and a traceback where the ledger has a line.
        "PREFECT_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
        # The in-process server takes up to 20 s on two cores, which is all that it is given by default.
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    }
    for name, value in wanted.items():
        os.environ.setdefault(name, value)
    Path(os.environ["PREFECT_HOME"]).mkdir(mode=0o700, parents=True, exist_ok=True)


def check_api() -> None:
    """Ask the configured API whether it is there; without one Prefect starts its own.

    Raises PrefectUnavailableError.
    """
    from prefect.client.orchestration import get_client
    from prefect.settings import PREFECT_API_URL

    url = PREFECT_API_URL.value()
    if not url:
        return
    with get_client(httpx_settings={"timeout": API_SECONDS}, sync_client=True) as client:
        error = client.api_healthcheck()
    if error is not None:
        raise PrefectUnavailableError(
            f"the Prefect API at {url} does not answer: {type(error).__name__}",
            "start it with `prefect server start`, or leave --prefect out",
        )
