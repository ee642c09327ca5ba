"""A question that the repository's own files raised is asked only while they still say so."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from afterpass.recall.answer import answer
from afterpass.recall.block import select
from afterpass.recall.memory import Memory, Pending, Question, Remembered
from policy.load import load_policy
from validators.repository import read_repository

REPO, ON, STATED = "github.com/acme/webapp", date(2026, 3, 11), datetime(2026, 3, 1, 9, tzinfo=UTC)
PNPM = Remembered(REPO, "package_manager", "", "pnpm", STATED, STATED, id="f_pnpm")
SAM = Remembered(REPO, "reviewer", "payments", "Sam", STATED, STATED, id="f_sam")
YARN = Pending("correction", REPO, "package_manager", "", "pnpm", "yarn", stated=STATED, id="r_yarn", by_files=True)
KIM = Pending("correction", REPO, "reviewer", "payments", "Sam", "@kim @lee", stated=STATED, id="r_kim", by_files=True)
POLICY = load_policy()


def asked(place: Path | None, *pending: Pending) -> dict[str, tuple[str | None, list[str | None]]]:
    """How the slots are placed at the start of a session in a checkout, and what is told to be undecided."""
    question = Question("", None, "", REPO, None, ON)
    files = read_repository(place) if place else None
    shown = select(question, Memory((PNPM, SAM), pending), policy=POLICY, repo=files).shown
    return {slot.facts[0].value: (slot.placement, [item.id for item in slot.pending]) for slot in shown}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([], {"pnpm": ("load", []), "Sam": ("load", [])}),
        (["pnpm-lock.yaml"], {"pnpm": ("load", []), "Sam": ("load", [])}),
        (["bun.lock"], {"pnpm": (None, []), "Sam": ("load", [])}),
        (["yarn.lock"], {"pnpm": (None, ["r_yarn"]), "Sam": ("load", [])}),
        (["CODEOWNERS: /payments/ @lee @kim"], {"pnpm": ("load", []), "Sam": (None, ["r_kim"])}),
        (["CODEOWNERS: /payments/ @sam"], {"pnpm": ("load", []), "Sam": ("load", [])}),
    ],
)
def test_the_block_asks_what_the_files_still_raise(
    tmp_path: Path, files: list[str], expected: dict[str, tuple[str | None, list[str]]]
) -> None:
    for file in files:
        name, _, text = file.partition(": ")
        (tmp_path / name).write_text(text, "utf-8")
    assert expected == asked(tmp_path, YARN, KIM)


def test_without_a_checkout_it_is_asked_all_the_same() -> None:
    assert {"pnpm": ("ask", ["r_yarn"]), "Sam": ("ask", ["r_kim"])} == asked(None, YARN, KIM)


def test_what_a_developer_said_is_asked_whatever_the_files_say(tmp_path: Path) -> None:
    said = replace(YARN, by_files=False)
    assert ("ask", ["r_yarn"]) == asked(tmp_path, said)["pnpm"]
    (tmp_path / "pnpm-lock.yaml").touch()
    assert ("load", ["r_yarn"]) == asked(tmp_path, said)["pnpm"]


def test_one_question_is_answered_without_it_too(tmp_path: Path) -> None:
    def found(*pending: Pending) -> tuple[str | None, bool, str]:
        question = Question("package_manager", "", "", REPO, None, ON)
        got = answer(question, Memory((PNPM,), pending), policy=POLICY, repo=read_repository(tmp_path))
        return got.value, got.ask_first, got.note

    assert ("pnpm", False, "") == found(YARN) == found()
    assert ("pnpm", True) == found(replace(YARN, by_files=False))[:2]
