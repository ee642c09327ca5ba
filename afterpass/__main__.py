"""The entry: ``afterpass …`` and ``python -I -m afterpass …``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line. The hook goes its own, shorter way: an agent may kill it after a second and a half."""
    if "hook" in sys.argv[1:4]:
        from afterpass.hook import run_if_called

        code = run_if_called(sys.argv[1:])
        if code is not None:
            return code
    from afterpass.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
