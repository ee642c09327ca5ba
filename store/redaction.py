"""The last door: whatever text enters the store goes through here, so that no credential is ever at rest in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def clean(text: str) -> str:
    """The text with credentials replaced, and what no database keeps (NUL, lone surrogates) made visible."""
    from transcripts.secrets import redact

    return redact(text).replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def clean_json(value: Any) -> str:
    """A value as JSON text with every string in it cleaned. What JSON does not know is kept as its text."""
    return json.dumps(_cleaned(value), ensure_ascii=False, default=lambda odd: clean(str(odd)))


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(str(name)): _pair(str(name), part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(part) for part in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value


def _pair(name: str, part: Any) -> Any:
    """A word beside a value can be what makes it a credential, as in ``{"password": "…"}``."""
    if not isinstance(part, str):
        return _cleaned(part)
    together = clean(f"{name}: {part}")
    return _cleaned(part) if together.endswith(part) else together.removeprefix(f"{name}: ")
