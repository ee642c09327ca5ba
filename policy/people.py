"""How a developer is spelled, wherever one is read, stored or asked for. A session's start loads it: no imports."""

from __future__ import annotations


def person_key(name: str | None) -> str:
    """One spelling for one person: e-mail addresses fold case, as every mail server does; other names stay as given.
    Empty for nobody.
    """
    name = (name or "").strip()
    return name.casefold() if "@" in name.strip("@") else name
