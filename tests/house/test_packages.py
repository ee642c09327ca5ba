"""The folders are top-level packages with generic names: nothing else may own them."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

ROOMS = ("policy", "transcripts", "extractors", "validators", "store", "flows", "afterpass")
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("room", ROOMS)
def test_no_other_distribution_owns_the_name_of_a_room(room: str) -> None:
    """Another package of the same name would shadow ours, or be shadowed by it."""
    owners = importlib.metadata.packages_distributions().get(room, ["afterpass"])
    assert {"afterpass"} == set(owners)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_imported_from_this_tree(room: str) -> None:
    """The isolated start of hooks and schedules finds the same code as the checkout."""
    code = f"import {room}; print({room}.__file__)"
    shown = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, cwd="/"
    ).stdout
    assert ROOT / room / "__init__.py" == Path(shown.strip())


def test_no_package_markers_among_the_tests() -> None:
    """Tests are collected by path; a package among them would collide with a room."""
    assert [] == list((ROOT / "tests").rglob("__init__.py"))


def test_no_flow_is_named_like_a_room_or_a_standard_module() -> None:
    """A schedule's entry point is found by module name, so a name must mean one thing."""
    names = {path.stem for path in (ROOT / "flows").glob("*.py")} - {"__init__"}
    assert set() == names & (set(ROOMS) | set(sys.stdlib_module_names))
