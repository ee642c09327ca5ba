"""Run the pass on the example sessions in a throw-away home, then show the facts, the queue and the refusals."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).parent
STEPS = (
    ("run", str(EXAMPLES), "--extractor", "cues"),
    ("facts",),
    ("review",),
    ("rejected",),
)


def main() -> int:
    """Each step is a command that anybody can type; the home disappears afterwards."""
    with tempfile.TemporaryDirectory(prefix="afterpass-demo-") as home:
        shutil.copy(EXAMPLES / "settings.toml", home)
        for step in STEPS:
            shown = " ".join(Path(word).name if word == str(EXAMPLES) else word for word in step)
            sys.stdout.write(f"\n$ afterpass {shown}\n")
            sys.stdout.flush()
            code = subprocess.run(
                [sys.executable, "-I", "-m", "afterpass", "--home", home, *step], check=False
            ).returncode
            if code:
                return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
