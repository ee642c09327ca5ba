"""Credentials in text: found before anything leaves, is stored or is logged.

Two layers: shapes of our own (``secret_shapes``), and the detectors of detect-secrets for vendors that those lack. The
second is imported only when a text holds one of its tell-tale pieces. Hashes, UUIDs, branch names, versions, file paths
and public URLs are not credentials.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from transcripts import secret_shapes as shapes
from transcripts import secret_values as values
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
    low = text.lower()
    found = list(_introduced(text)) if _holds(low, shapes.WORD_HINTS) else []
    if "PRIVATE KEY" in text or "PuTTY-User" in text:
        found += (Span(*match.span(), "private_key") for match in shapes.KEY_BLOCK.finditer(text))
    if _holds(low, shapes.LINK_HINTS):
        found += _connections(text)
    if shapes.RUN.search(text):
        if _holds(text, shapes.ISSUED_HINTS):
            found += _issued(text)
        if shapes.LONG_RUN.search(text):
            found += _entropic(text)
        if shapes.NAMELESS_RUN.search(text) or _holds(low, VENDOR_NAMES):
            found += _vendor(text)
    return _merged(found) if found else []


def _holds(text: str, pieces: tuple[str, ...]) -> bool:
    """Whether one of the pieces stands in the text."""
    for piece in pieces:  # noqa: SIM110 - a generator would cost more than the search, and most texts are short
        if piece in text:
            return True
    return False


def _issued(text: str) -> Iterator[Span]:
    """Tokens with an issuer's prefix."""
    for match in shapes.ISSUED.finditer(text):
        rest = REST.match(text, match.end())
        yield Span(match.start(), rest.end() if rest else match.end(), match.lastgroup or "token")


def _connections(text: str) -> Iterator[Span]:
    """Passwords and tokens inside URLs, and URLs whose path is the secret."""
    for match in shapes.CONNECTION.finditer(text):
        group = match.lastgroup or "password"
        if not values.is_stand_in(match[group]) and (group != "userinfo" or values.has_letter_and_digit(match[group])):
            yield Span(*match.span(group), "connection")


def _introduced(text: str) -> Iterator[Span]:
    """Values that a word, a header or a flag introduces as a credential."""
    for match in shapes.PASSWORD.finditer(text):
        if values.is_password(match):
            yield _trimmed(text, *match.span("value"), "password")
    for match in shapes.TOKEN.finditer(text):
        if values.is_token(match):
            yield _trimmed(text, *match.span("value"), "token")
    for match in shapes.HEADER.finditer(text):
        if values.is_header(match):
            yield _trimmed(text, *match.span("header"), "header")
    for pattern, kind in ((shapes.FLAG, "flag"), (shapes.BESIDE, "password"), (shapes.LOGIN, "login")):
        for match in pattern.finditer(text):
            group = next(name for name, found in match.groupdict().items() if found and name != "quote")
            if not values.is_stand_in(match[group]) and (
                group not in ("bare", "value") or kind == "flag" or values.is_code_word(match[group])
            ):
                yield _trimmed(text, *match.span(group), kind)


def _entropic(text: str) -> Iterator[Span]:
    """Long random strings in value position."""
    for match in shapes.ENTROPIC.finditer(text):
        if values.looks_random(match["value"]) and not values.is_path(match["value"]):
            yield Span(*match.span("value"), "entropy")


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
VENDOR_NAMES = ("accountkey=", "sq0csp", "-us", "cloudant", "softlayer", "akc", "ibm", "_authtoken", "t3blbkfj", "aws")
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
                if at >= 0 and len(secret) >= 8 and (values.has_letter_and_digit(secret) or not loose):
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
