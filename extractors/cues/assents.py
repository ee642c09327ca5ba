"""Assents: "yes, always do that" to what the agent proposed. The quote is the developer's own, the value is not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from extractors.candidate import Candidate
from extractors.cues.building import candidate
from extractors.cues.matching import Hit, hits
from extractors.cues.reading import plain, reading
from extractors.cues.rules import Rulebook
from extractors.cues.sentences import Sentence, sentences
from extractors.cues.values import QUOTED, quoted_command, unquoted
from policy.model import FactType
from transcripts.session import Origin, Turn

LAST_SENTENCES = 3  # a proposal stands at the end of what the agent said
KINDS = {"test": "test_command", "build": "build_command", "lint": "lint_command", "run": "run_command"}
KINDS["start"] = "run_command"


def assents(
    turn: Turn,
    agent_text: str,
    said: datetime | None,
    repo_words: frozenset[str],
    book: Rulebook,
    types: Mapping[str, FactType],
) -> list[Candidate]:
    """The candidates of a turn that only assents, with a standing word on either side, to a recognisable value."""
    typed = "".join(segment.text for segment in turn.segments if segment.origin is Origin.TYPED).strip()
    if not agent_text or not is_assent(plain(typed), book):
        return []
    always = book.assents["standing"]
    for sentence in reversed(sentences(plain(agent_text))[-LAST_SENTENCES:]):
        if not (always.search(typed) or always.search(sentence.text)):
            continue
        found = _proposed(sentence.text, plain(agent_text)[: sentence.end], said, repo_words, book, types)
        if found:
            return [candidate(turn, typed, fact, importance=book.weights.get(fact[0]), cue="assent") for fact in found]
    return []


def is_assent(text: str, book: Rulebook) -> bool:
    """Whether ``text`` says yes and nothing else. "Yes, but only this once" says something else."""
    if not text or len(text.split()) > 14 or not book.assents["yes"].search(text):
        return False
    rest = book.assents["filler"].sub(" ", book.assents["yes"].sub(" ", text))
    return not re.search(r"\w|\?", rest)


def _proposed(
    sentence: str,
    until_here: str,
    said: datetime | None,
    repo_words: frozenset[str],
    book: Rulebook,
    types: Mapping[str, FactType],
) -> list[tuple[str, str, str]]:
    """(type, subject, value) of what the agent's sentence asks leave for."""
    if (named := book.assents["that_command"].search(sentence)) and KINDS[named["kind"].casefold()] in types:
        commands = [unquoted(found[0]) or "" for found in QUOTED.finditer(until_here)]
        commands = [command for command in commands if quoted_command(command, book.head)]
        return [(KINDS[named["kind"].casefold()], "", commands[-1])] if commands else []
    opener = book.assents["opener"].match(sentence)
    if opener is None and not sentence.rstrip().endswith("?"):
        return []
    asked = sentence[opener.end() if opener else 0 :].rstrip("?").strip()
    found: dict[tuple[str, str], Hit] = {}
    for read in (asked, f"always {asked}"):
        heard = reading(Sentence(0, read), read, said, repo_words)
        for rule in book.rules:
            if rule.type != "any_command" and (rule.type not in types or types[rule.type].value == "statement"):
                continue
            for hit in hits(rule, heard, book, types):
                negated = rule.negatable and book.guards["negated"].search(read[: hit.value_at])
                if not negated and types[hit.type].value != "statement":
                    found.setdefault((hit.type, hit.value), hit)
        if found:
            break
    return [(hit.type, hit.subject, hit.value) for hit in found.values()]
