"""What of a request is its author's own instruction: no paste, nobody else's words, no labelled text."""

from __future__ import annotations

import re

# "explain this log:", "what does this mean?": the rest of the request is what is asked about.
POINTS_AT_TEXT = re.compile(
    r"\b(?:explain|summari[sz]e|translate|interpret|describe|decode|parse|read|proofread|rephrase|reword|paraphrase"
    r"|debug|understand|look at|see)\s+(?:to me\s+|me\s+)?(?:what\s+)?(?:this|that|these|those|the following"
    r"|the [\w\s]{1,30} (?:below|above))\b"
    r"|\b(?:what|why|how|where|when|who)(?:['’]s|\s+(?:is|are|was|were|does|do|did|has|would|about|of))?"
    r"\s+(?:this|that|these|those|the following)\b"
    r"|\b(?:is|are|was|does|do|did)\s+(?:this|that|these|those|the following)\s+[^.!?\n]{0,80}\?",
    re.IGNORECASE,
)
SAYING = (
    r"(?:sa(?:ys?|id)|told|tells|w(?:rote|rites|ritten)|claim(?:s|ed)|according to|report(?:s|ed)|recommend(?:s|ed)"
    r"|suggest(?:s|ed)|repl(?:ies|ied)|comment(?:s|ed)|post(?:s|ed)|messaged|prints?|printed|shows?|showed)"
)
# What is labelled so is somebody's or something's text, a plan for later, or what is to be taken back.
TEXTS = (
    r"error|err|warn(?:ing)?|fatal|fail(?:ed|ure|s)?|exception|logs?|output|stderr|stdout|trace(?:back)?|todo|fixme|xxx|hack"
    r"|later|undo|revert|roll ?back|withdraw|cancel|notes?|commit(?: message)?|message|msg|title|subject|headline|quote"
    r"|quoted|examples?|e\.g\.?|before|previously|was|were|old|history|cmd|command|job|ci|ticket|issue|comment"
    r"|readme|docs?|changelog|mail|email|slack|chat|bot|wrong|bad|broken|not|never|no|don'?t|avoid|info|debug|notice"
)
LABEL = rf"(?:{TEXTS})\b(?:\s+(?:from|of|in|by|for)\b[^.!?:,\n]{{1,30}})?[\])]?\s*:(?!\w)"
OWNERS = r"(?:(?:the|a|an|my|our|his|her|their|your|last|this|here(?:['’]s| is)|i|got|get|see)\s+)"
OPENS_OTHERS = re.compile(
    rf"\b{SAYING}\b[^.!?:,\n]{{0,40}}[:,–—]"
    r"|\b(?:asks|asked|wants|wanted|thinks|thought|wonders|wondered)\b[^.!?:\n]{0,40}:"
    rf"|(?:^|[.!?]\s)[^\w\n]*{OWNERS}{{0,3}}{LABEL}",
    re.IGNORECASE,
)
LABELLED = re.compile(rf"\b{LABEL}.*?(?:[.!?](?=\s)|$)", re.IGNORECASE)
SHELL = re.compile(r"\s*(?:[$%❯|>]|>>>)\s")
LEADS_IN = (
    r"(?i:task|request|please|ok(?:ay)?|now|next|then|also|finally|first|second|third|today|reviewers?|approvers?|step"
    r"|plan|goal|instructions?|answer|yes|urgent|hi|hey|hello|claude|codex|gemini|copilot)"
)
CHAT_LINE = re.compile(rf"^\W*(?!{LEADS_IN}\b)@?[A-Z][\w.-]*(?: [A-Z][\w.-]*)?(?: \([^)\n]*\)| \d\d?:\d\d)?:\s")


def own_words(request: str) -> str:
    """The request without the stretches that somebody else or a program wrote, or that are only spoken about.

    Pasted text goes as in a transcript. What is left of a line after "Sam said:", "error:" or "TODO:" goes, with the
    lines below it where the label ends its line, up to a blank one.
    """
    typed = _typed(request)
    lines = typed.splitlines()
    asking = [line for line in lines if POINTS_AT_TEXT.search(line)]
    kept, in_text = [], False
    for line in asking or lines:
        if not line.strip():
            in_text = False
        elif not in_text:
            own = _before_others(line)
            in_text = own != line and line.rstrip().endswith(":")
            kept.append(own)
    return "\n".join(kept)


def _typed(request: str) -> str:
    """The typed stretches, each on lines of its own."""
    from transcripts.segments import segment  # read only where somebody asks: the prompt hook does not
    from transcripts.session import Origin

    return "\n".join(part.text for part in segment(request) if part.origin is Origin.TYPED)


def _before_others(line: str) -> str:
    """A line up to where another's words begin."""
    pointing = POINTS_AT_TEXT.search(line)
    if pointing is not None:
        colon = line.find(":", pointing.end())
        return line if colon < 0 else line[:colon]
    if CHAT_LINE.match(line) or SHELL.match(line):
        return ""
    opening = OPENS_OTHERS.search(line)
    return LABELLED.sub(" ", line if opening is None else line[: opening.start()])
