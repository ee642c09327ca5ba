"""``afterpass run [PATH …]``: the pass, now."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to read, with which extractor."""
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="transcript files or folders; else every finished session not yet read",
    )
    add_extractor_arguments(parser)
    parser.add_argument("--dry-run", action="store_true", help="decide, show, keep nothing")
    parser.add_argument("--since", metavar="DATE", help="leave out sessions that ended before (or '2 weeks ago')")
    parser.add_argument("--retry-failed", action="store_true", help="take failed sessions up again")
    parser.add_argument("--prefect", action="store_true", default=None, help="as Prefect flow runs")


def add_extractor_arguments(parser: argparse.ArgumentParser) -> None:
    """The extractor's options, shared with ``eval``."""
    parser.add_argument(
        "--extractor", choices=["cues", "ollama", "openai", "auto"], help="who proposes (settings: extractor)"
    )
    parser.add_argument("--model", metavar="NAME", help="the model's name at the server (settings: model)")
    parser.add_argument("--base-url", metavar="URL", help="the model server (settings: base_url)")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="the longest wait for one model call (120)")
    parser.add_argument(
        "--workers", type=int, metavar="N", help="sessions proposed for at the same time (settings: workers)"
    )
