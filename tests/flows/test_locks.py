"""A lock of one process, which its death gives back."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

from flows.locks import ProcessLock

HOLD = "import sys; from pathlib import Path; from flows.locks import ProcessLock\n\
ProcessLock(Path(sys.argv[1])).acquire(wait=True); print('held', flush=True); sys.stdin.read()"


def test_only_one_holds_it_and_releasing_twice_does_no_harm(tmp_path: Path) -> None:
    first, second = ProcessLock(tmp_path / "lock"), ProcessLock(tmp_path / "lock")
    assert (True, False) == (first.acquire(wait=False), second.acquire(wait=False))
    first.release()
    first.release()
    assert second.acquire(wait=False)


def test_a_killed_holder_gives_it_back(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert "held\n" == holder.stdout.readline()
        assert not ProcessLock(path).acquire(wait=False)
        holder.kill()
        holder.wait()
    assert ProcessLock(path).acquire(wait=False)


def test_the_file_and_its_folder_are_private(tmp_path: Path) -> None:
    with ProcessLock(tmp_path / "home" / "lock"):
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "home", tmp_path / "home" / "lock")]
    assert [0o700, 0o600] == modes
