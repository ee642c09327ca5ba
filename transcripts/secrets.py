"""Credentials in text: found before anything leaves, is stored or is logged.

Two layers: shapes of our own (``secret_shapes``), and the detectors of detect-secrets for vendors that those lack. The
second is imported only when a text holds one of its tell-tale pieces. Hashes, UUIDs, branch names, versions, file paths
and public URLs are not credentials.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from transcripts import secret_shapes as shapes
from transcripts.lazy import lazy

if TYPE_CHECKING:
    from detect_secrets.plugins.base import BasePlugin

PLACEHOLDER = "[redacted]"


class Span(NamedTuple):
    """A credential's place in a text: the half-open [start, end), and what kind it is."""

    start: int
    end: int
    kind: str


def redact(text: str) -> str:
    """The text with every credential replaced by ``[redacted]``; a redacted text stays as it is."""
    spans = find_secrets(text)
    if not spans:
        return text
    pieces: list[str] = []
    at = 0
    for span in spans:
        pieces += (text[at : span.start], PLACEHOLDER)
        at = span.end
    return "".join([*pieces, text[at:]])


def find_secrets(text: str) -> list[Span]:
    """The credentials in a text, in order and without overlaps.

    Where a word introduces the value ("password: …") only the value is inside the span.
    """
    found = list(_introduced(text))
    if "PRIVATE KEY" in text or "PuTTY-User" in text:
        found += (Span(*match.span(), "private_key") for match in shapes.KEY_BLOCK.finditer(text))
    if "://" in text:
        found += _connections(text)
    if shapes.RUN.search(text):
        found += (*_issued(text), *_connections(text), *_entropic(text), *_vendor(text))
    return _merged(found) if found else []


def _issued(text: str) -> Iterator[Span]:
    """Tokens with an issuer's prefix."""
    if any(hint in text for hint in shapes.ISSUED_HINTS):
        for match in shapes.ISSUED.finditer(text):
            rest = REST.match(text, match.end())
            yield Span(match.start(), rest.end() if rest else match.end(), match.lastgroup or "token")


def _connections(text: str) -> Iterator[Span]:
    """Passwords and tokens inside URLs, and URLs whose path is the secret."""
    for match in shapes.CONNECTION.finditer(text):
        group = match.lastgroup or "password"
        if not _is_stand_in(match[group]) and (group != "userinfo" or _has_letter_and_digit(match[group])):
            yield Span(*match.span(group), "connection")


def _introduced(text: str) -> Iterator[Span]:
    """Values that a word, a header or a flag introduces as a credential."""
    low = text.lower()
    if not any(hint in low for hint in shapes.WORD_HINTS):
        return
    for match in shapes.PASSWORD.finditer(text):
        if _is_password(match):
            yield _trimmed(text, *match.span("value"), "password")
    for match in shapes.TOKEN.finditer(text):
        if _is_token(match):
            yield _trimmed(text, *match.span("value"), "token")
    for match in shapes.HEADER.finditer(text):
        if _is_header(match):
            yield _trimmed(text, *match.span("header"), "header")
    for pattern, kind in ((shapes.FLAG, "flag"), (shapes.BESIDE, "password"), (shapes.LOGIN, "login")):
        for match in pattern.finditer(text):
            group = next(name for name, found in match.groupdict().items() if found and name != "quote")
            if not _is_stand_in(match[group]) and (
                group not in ("bare", "value") or kind == "flag" or _is_code_word(match[group])
            ):
                yield _trimmed(text, *match.span(group), kind)


def _is_header(match: re.Match[str]) -> bool:
    value = match["header"]
    if _is_stand_in(value):
        return False
    return bool(match["authorization"]) or _looks_random(value) or (bool(HEX.fullmatch(value)) and len(value) >= 16)


def _is_code_word(value: str) -> bool:
    """Whether a bare word behind a password word is one: letters with digits, and no method's or version's name."""
    return _has_letter_and_digit(value) and not METHOD.fullmatch(value.rstrip(".!?:"))


def _entropic(text: str) -> Iterator[Span]:
    """Long random strings in value position."""
    for match in shapes.ENTROPIC.finditer(text):
        if _looks_random(match["value"]) and not _is_path(match["value"]):
            yield Span(*match.span("value"), "entropy")


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


def _is_password(match: re.Match[str]) -> bool:
    """Whether the value behind a password word is one: anything but an everyday word, a stand-in or a reference."""
    value = match["value"].rstrip(".!?:")
    if _refers(match, value):
        return False
    if match["word"].lower() == "pass":  # mostly the verb, or a test's result
        return match["word"] != "PASS" and _is_code_word(value)
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


def _is_token(match: re.Match[str]) -> bool:
    """Whether the value behind a token word is one: it is mixed, and neither a name nor a number."""
    value = match["value"].rstrip(".!?:")
    if _refers(match, value):
        return False
    if HEX.fullmatch(value) and len(value) >= 16 and not value.isdigit():
        return True
    if len(value) < (8 if match["quote"] or _is_assigned(match) else 10):
        return False
    return (_has_letter_and_digit(value) and not _is_wordy(value)) or (
        len(value) >= 16 and len(CAPITALS.findall(value)) > 1
    )


def _is_assigned(match: re.Match[str]) -> bool:
    return match["link"].strip() in {":", "=", ":=", "=>", "->", "：", "＝"}


def _refers(match: re.Match[str], value: str) -> bool:
    """Whether the value is a word, a place or code that stands for the credential instead of being it."""
    return (
        value.casefold() in shapes.NOT_A_VALUE
        or _is_stand_in(value)
        or bool(DOTTED_NAME.fullmatch(value))
        or value.startswith(("/", "./", "../", "~/", "-", "@", "#", "http:", "https:"))
        or match["after"] in ("(", "[")
    )


def _is_stand_in(value: str) -> bool:
    return bool(STAND_IN.search(value[:200])) or len(set(value)) == 1


def _has_letter_and_digit(value: str) -> bool:
    return any(c.isalpha() for c in value) and any(c.isdigit() for c in value)


def _is_wordy(value: str) -> bool:
    """Whether a value is made of words and version numbers: ``prod-db-2``, ``python3.12``, ``v1.2.3``."""
    value = NUMERONYM.sub("word", value)
    chunks = CHUNK.findall(value)
    switches = len(chunks)
    separators = sum(1 for c in value if c in "-_./:@")
    return switches <= separators + 2 and all(len(c) <= 4 for c in chunks if c.isdigit())


def _is_path(value: str) -> bool:
    return value.startswith("/") or ("/" in value and all(_is_wordy(piece) or not piece for piece in value.split("/")))


def _looks_random(value: str) -> bool:
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


def _trimmed(text: str, start: int, end: int, kind: str) -> Span:
    while end > start + 1 and text[end - 1] in ".!?:":
        end -= 1
    return Span(start, end, kind)


# Pieces without which none of the detectors below can match.
VENDOR_HINT = lazy(
    r"AccountKey=|sq0csp|-us[0-9]|cloudant|softlayer|\bAKC[a-zA-Z0-9]{10}|[0-9]{8}:[0-9A-Za-z_-]{35}|\b(?:AC|SK)[a-z0-9]{32}"
    r"|\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.|ibm|_authToken|T3BlbkFJ|aws.{0,40}[0-9a-zA-Z/+]{40}",
    re.IGNORECASE,
)
REST = lazy(r"[A-Za-z0-9_]*")  # of a token longer than its pattern: half a credential is one too
LOOSE = frozenset({"Artifactory Credentials", "Twilio API Key"})  # a name in capitals has their shape, too
WINDOW = 600  # characters around a hint that the detectors see: their patterns are not all linear


def _vendor(text: str) -> Iterator[Span]:
    """What detect-secrets knows beyond our own shapes."""
    seen = -1
    for hint in VENDOR_HINT.finditer(text):
        if hint.start() < seen:
            continue
        start = max(hint.start() - WINDOW // 4, seen, 0)
        start = max(text.rfind("\n", start, hint.start()) + 1, start)
        line = text[start : hint.start() + WINDOW].split("\n", 1)[0]
        seen = start + len(line)
        for detector in _detectors():
            for secret in detector.analyze_string(line):
                at = line.find(secret)
                loose = detector.secret_type in LOOSE
                if at >= 0 and len(secret) >= 8 and (_has_letter_and_digit(secret) or not loose):
                    rest = REST.match(text, start + at + len(secret))
                    yield Span(start + at, rest.end() if rest else start + at + len(secret), detector.secret_type)


@cache
def _detectors() -> tuple[BasePlugin, ...]:
    # Imported here: it takes a quarter of a second.
    from detect_secrets.plugins import (
        artifactory,
        aws,
        azure_storage_key,
        cloudant,
        discord,
        ibm_cloud_iam,
        mailchimp,
        npm,
        openai,
        softlayer,
        square_oauth,
        telegram_token,
        twilio,
    )

    return (
        artifactory.ArtifactoryDetector(),
        aws.AWSKeyDetector(),
        azure_storage_key.AzureStorageKeyDetector(),
        cloudant.CloudantDetector(),
        discord.DiscordBotTokenDetector(),
        ibm_cloud_iam.IbmCloudIamDetector(),
        mailchimp.MailchimpDetector(),
        npm.NpmDetector(),
        openai.OpenAIDetector(),
        softlayer.SoftlayerDetector(),
        square_oauth.SquareOAuthDetector(),
        telegram_token.TelegramBotTokenDetector(),
        twilio.TwilioKeyDetector(),
    )


def _merged(found: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in sorted(found, key=lambda s: (s.start, -s.end)):
        if kept and span.start < kept[-1].end:
            kept[-1] = Span(kept[-1].start, max(kept[-1].end, span.end), kept[-1].kind)
        else:
            kept.append(span)
    return kept
