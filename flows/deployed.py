"""The scheduled flows, as module entry points. Importing this imports Prefect: ``prefect_home.prepare`` comes first."""

from __future__ import annotations

from typing import Any

from prefect import flow

from flows.prefect_runs import perform, run_name
from flows.run import Order
from flows.upkeep import upkeep as keep_up
from flows.upkeep import week
from policy.settings import load_settings


@flow(name="afterpass-nightly", flow_run_name=run_name, persist_result=False)
def nightly(home: str) -> dict[str, Any]:
    """Every finished session that no hook has brought in, and every pending one whose waiting time is over."""
    return perform(Order(load_settings(home), kind="nightly", explicit=False)).to_json()


@flow(name="afterpass-upkeep", flow_run_name="upkeep", persist_result=False)
def upkeep(home: str) -> dict[str, Any]:
    """Tidy the home and take up what was pending."""
    return keep_up(load_settings(home)).to_json()


@flow(name="afterpass-weekly", flow_run_name="weekly", persist_result=False)
def weekly(home: str) -> dict[str, Any]:
    """Look back at the week, and leave a table of what a person should look at."""
    from prefect.artifacts import create_table_artifact

    found = week(load_settings(home))
    rows = [{"alarm": alarm} for alarm in found.alarms] or [{"alarm": "none"}]
    create_table_artifact(key="afterpass-week", table=rows, description="What a person should look at")
    return found.to_json()
