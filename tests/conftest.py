"""What every test folder may use: the helpers of tests/support, importable by name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
