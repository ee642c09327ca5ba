"""Ids that a person can type: a letter for the noun and some characters that are hard to confuse."""

from __future__ import annotations

import hashlib
from datetime import datetime

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # without i, l, o and u


def short_id(prefix: str, *parts: object, length: int = 8) -> str:
    """``f_`` and eight characters (40 bits) of a hash. The parts say where a row comes from, never what its value is:
    an id outlives a forgotten value and must not give it away.
    """
    text = "\x1f".join(part.isoformat() if isinstance(part, datetime) else str(part) for part in parts)
    number = int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest(), "big")
    return f"{prefix}_" + "".join(ALPHABET[(number >> (5 * place)) & 31] for place in range(length))


def spread(*parts: object) -> float:
    """A number in [0, 1) that is always the same for the same parts: jitter that can be tested."""
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big") / 2**32


def text_hash(text: str) -> str:
    """A hash of a text, to know it again without keeping it (128 bits, hexadecimal)."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
