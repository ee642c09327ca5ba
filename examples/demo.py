"""Run the pass on the example sessions in a throw-away home, then show the facts, the queue and the refusals."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).parent
WIDTH = 132  # where the output is no terminal
STEPS = (
    ("run", str(EXAMPLES), "--extractor", "cues"),
    ("facts",),
    ("review",),
    ("rejected",),
)


def main() -> int:
    """Each step is a command that anybody can type; the home disappears afterwards."""
    environment = {"COLUMNS": str(WIDTH), **os.environ}
    with tempfile.TemporaryDirectory(prefix="afterpass-demo-") as home:
        shutil.copy(EXAMPLES / "settings.toml", home)
        for step in STEPS:
            shown = " ".join(Path(word).name if word == str(EXAMPLES) else word for word in step)
            sys.stdout.write(f"\n$ afterpass {shown}\n")
            sys.stdout.flush()
            command = [sys.executable, "-I", "-m", "afterpass", "--home", home, *step]
            code = subprocess.run(command, check=False, env=environment).returncode
            if code:
                return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
