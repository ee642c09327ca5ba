"""The branch whose pushes a repository's workflows deploy to an environment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from validators.context import Hint
from validators.machine_read.files import workflows, yaml_of

if TYPE_CHECKING:
    from policy.model import FactType

BY_HAND_OR_PUSH = frozenset({"push", "workflow_dispatch"})


def deployed(root: Path, fact_type: FactType, environment: str) -> list[Hint]:
    """The branches that are deployed to an environment (a canonical subject), with the workflow that says so.

    Only a job without a condition counts, whose name or workflow says deploy, and only where nothing but pushes to one
    plain branch starts it.
    """
    found = []
    for file in workflows(root):
        workflow = yaml_of(file)
        branch = _only_branch(workflow.get("on", workflow.get(True)))  # YAML 1.1 reads the key `on` as true
        if branch and any(
            fact_type.canonical_subject(named) == environment
            for names in _deploy_jobs(workflow, file.stem)
            for named in names
        ):
            found.append(Hint(branch, file.relative_to(root).as_posix()))
    return found


def _only_branch(triggers: object) -> str | None:
    """The one branch whose pushes start a workflow, where nothing else but a person does."""
    push = triggers.get("push") if isinstance(triggers, dict) and set(triggers) <= BY_HAND_OR_PUSH else None
    branches = push.get("branches") if isinstance(push, dict) and not {"tags", "branches-ignore"} & set(push) else None
    branches = [branches] if isinstance(branches, str) else branches
    if not isinstance(branches, list) or len(branches) != 1 or not isinstance(branches[0], str):
        return None
    return branches[0] if re.fullmatch(r"[\w./-]+", branches[0]) else None


def _deploy_jobs(workflow: dict[Any, Any], stem: str) -> Iterator[list[str]]:
    """What each job that deploys names as its environment: its ``environment``, else every word of its names."""
    jobs = workflow.get("jobs")
    for name, job in jobs.items() if isinstance(jobs, dict) else ():
        if not isinstance(job, dict) or "if" in job:
            continue
        words = re.findall(r"[^\W_]+", f"{stem} {workflow.get('name', '')} {name} {job.get('name', '')}".casefold())
        if not any(word.startswith("deploy") for word in words):
            continue
        given = job.get("environment")
        given = given.get("name") if isinstance(given, dict) else given
        yield words if given is None else [str(given)]
