"""Whether a string that stands where a credential would stand is one, or a word, a name, a place that stands for it."""

from __future__ import annotations

import math
import re

from transcripts import secret_shapes as shapes
from transcripts.lazy import lazy

PARTICIPLE = lazy(r"[a-z][a-z-]{1,40}(?:ed|ing|able|ible|ung|iert|able\.)", re.IGNORECASE)
STAND_IN = lazy(
    r"\$|%[sd(]|\*{2,}|\.{3}|…|x{3,}$|<|\{\{|\[?redacted|(?:your|my|some)[_-]|placeholder|process\.env|os\.environ"
    r"|env\.|secrets\.|vars\.|config\.|settings\.|self\.|this\.|xxx",
    re.IGNORECASE,
)
DOTTED_NAME = lazy(r"[A-Za-z_]{1,60}(?:\.[A-Za-z_]{1,60}){1,6}")
HEX = lazy(r"[0-9a-fA-F]{7,128}")
UUID = lazy(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
SEPARATED = lazy(r"[-_/.:+]+")
CAPITALS = lazy(r"[A-Z]{2,}[a-z]")  # names have one capital at a time
CHUNK = lazy(r"[A-Za-z]+|[0-9]+")
METHOD = lazy(
    r"(?:argon|bcrypt|scrypt|pbkdf|oauth|sha|md|base|utf|aes|rsa|hs|rs|es|pkcs|tls|v|k|s|ec|step|part|phase|page|field|option)-?[0-9][0-9.]*(?:id)?(?:[-_][\w.-]*)?",
    re.IGNORECASE,
)
NUMERONYM = lazy(r"\b(?:k8s|s3|i18n|l10n|a11y|e2e|x86|x64|md5|b2b|p2p|ec2|o11y|[a-z]2[a-z])\b", re.IGNORECASE)


def is_password(match: re.Match[str]) -> bool:
    """Whether the value behind a password word is one: anything but an everyday word, a stand-in or a reference."""
    value = match["value"].rstrip(".!?:")
    if _refers(match, value):
        return False
    if match["word"].lower() == "pass":  # mostly the verb, or a test's result
        return match["word"] != "PASS" and is_code_word(value)
    if value.casefold() == match["word"].casefold() or _opens_prose(match, value):
        return False
    if match["quote"] or _is_assigned(match):
        return len(value) >= 3 and (match["link"].strip() != ":" or not value.isalpha() or _unlike_prose(value))
    return _unlike_prose(value)


def _opens_prose(match: re.Match[str], value: str) -> bool:
    """Whether the value is the first word of a quoted or capitalised phrase: ``"password": "Enter your …"``."""
    more = match.string[match.end("value") : match.end("value") + 2]
    goes_on = more[:1] == " " and more[1:2].isalpha()
    return goes_on and value.isalpha() and (bool(match["quote"]) or value.istitle())


def _unlike_prose(value: str) -> bool:
    return len(value) >= 4 and not (PARTICIPLE.fullmatch(value) or (value.endswith("ly") and value.isalpha()))


def is_token(match: re.Match[str]) -> bool:
    """Whether the value behind a token word is one: it is mixed, and neither a name nor a number."""
    value = match["value"].rstrip(".!?:")
    if _refers(match, value):
        return False
    if HEX.fullmatch(value) and len(value) >= 16 and not value.isdigit():
        return True
    if len(value) < (8 if match["quote"] or _is_assigned(match) else 10):
        return False
    return (has_letter_and_digit(value) and not _is_wordy(value)) or (
        len(value) >= 16 and len(CAPITALS.findall(value)) > 1
    )


def _is_assigned(match: re.Match[str]) -> bool:
    return match["link"].strip() in {":", "=", ":=", "=>", "->", "：", "＝"}


def _refers(match: re.Match[str], value: str) -> bool:
    """Whether the value is a word, a place or code that stands for the credential instead of being it."""
    return (
        value.casefold() in shapes.NOT_A_VALUE
        or is_stand_in(value)
        or bool(DOTTED_NAME.fullmatch(value))
        or value.startswith(("/", "./", "../", "~/", "-", "@", "#", "http:", "https:"))
        or match["after"] in ("(", "[")
    )


def is_stand_in(value: str) -> bool:
    return bool(STAND_IN.search(value[:200])) or len(set(value)) == 1


def has_letter_and_digit(value: str) -> bool:
    return any(c.isalpha() for c in value) and any(c.isdigit() for c in value)


def _is_wordy(value: str) -> bool:
    """Whether a value is made of words and version numbers: ``prod-db-2``, ``python3.12``, ``v1.2.3``."""
    value = NUMERONYM.sub("word", value)
    chunks = CHUNK.findall(value)
    switches = len(chunks)
    separators = sum(1 for c in value if c in "-_./:@")
    return switches <= separators + 2 and all(len(c) <= 4 for c in chunks if c.isdigit())


def is_path(value: str) -> bool:
    return value.startswith("/") or ("/" in value and all(_is_wordy(piece) or not piece for piece in value.split("/")))


def looks_random(value: str) -> bool:
    """Whether a string is too irregular for a name: three kinds of characters, high entropy, no hash, no UUID."""
    body = value.strip("=")
    if len(body) < 12 or HEX.fullmatch(body) or UUID.fullmatch(body) or _is_wordy(body):
        return False
    if all(piece.isalpha() or piece.isdigit() for piece in SEPARATED.split(body) if piece):
        return False
    upper = any(c.isupper() for c in body)
    lower = any(c.islower() for c in body)
    digits = sum(c.isdigit() for c in body)
    if digits < 2 or not (upper or lower) or (not (upper and lower) and len(body) < 24):
        return False
    return _entropy(body) >= (3.2 if len(body) < 20 else 3.5)


def _entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    counts = {c: value.count(c) for c in set(value)}
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())


def is_header(match: re.Match[str]) -> bool:
    value = match["header"]
    if is_stand_in(value):
        return False
    return bool(match["authorization"]) or looks_random(value) or (bool(HEX.fullmatch(value)) and len(value) >= 16)


def is_code_word(value: str) -> bool:
    """Whether a bare word behind a password word is one: letters with digits, and no method's or version's name."""
    return has_letter_and_digit(value) and not METHOD.fullmatch(value.rstrip(".!?:"))
