"""The entry: ``afterpass …`` and ``python -I -m afterpass …``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line. What an agent's hooks call goes its own, shorter way: a session waits for it."""
    code = None
    if "hook" in sys.argv[1:4]:
        from afterpass.hook import run_if_called

        code = run_if_called(sys.argv[1:])
    elif "--hook" in sys.argv:
        from afterpass.arrival.hook import run_if_called as answer_if_called

        code = answer_if_called(sys.argv[1:])
    if code is not None:
        return code
    from afterpass.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
