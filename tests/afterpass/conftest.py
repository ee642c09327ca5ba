"""What the tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.person import Person


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)
