"""Machine-looking lines: what programs print and people paste without any mark around it.

Each pattern is anchored at the start of a line. ``STRONG`` ones are proof on their own; ``WEAK`` ones also occur in
what people type, and count only in company.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache


class Kind(IntEnum):
    """What one line looks like."""

    BLANK = 0
    OTHER = 1
    WEAK = 2
    STRONG = 3


_STRONG = (
    # logs
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d|\b)",
    r"\[\d\d:\d\d:\d\d(?:[.,]\d+)?\]|\d\d:\d\d:\d\d[.,]\d+\s",
    r"[A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d:\d\d\s|\d\d-\d\d \d\d:\d\d:\d\d\.\d",
    r"\[(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL|NOTICE|error|warn|info|debug)\b[^\]\n]*\]",
    r"(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL)(?::?\s{2,}|\s+\[|:[\w.]+:|\s\d|\s+\S+: )",
    r"(?:level|lvl|ts|time|severity)=\S+\s+\w+=",
    # stack traces and compiler messages
    r"Traceback \(most recent call last\)",
    r"\s*File \"[^\"\n]+\", line \d+",
    r"\s+at\s+\S.*(?:\(.*\)|:\d+:\d+)\s*$|\s+at <\S+>|\[\w+ warn\]: |at [\w.$<>/]+\([^)\n]*\)\s*$",
    r"\s*(?:Caused by|Suppressed): \S",
    r"Exception in thread |Unhandled (?:exception|rejection)|Uncaught (?:\(in promise\) )?\w*(?:Error|Exception)",
    r"Thread \d+: (?:Fatal|signal)|\s+\d+:\d+\s+(?:error|warning)\s|Started [A-Z]+ \"/",
    r"goroutine \d+ \[|panic: \S|SIG[A-Z]{3,}\b|Segmentation fault",
    r"\s*\^+~*\s*$|\s*~+\^*\s*$",
    r"\s*>?\s*\d+ ?[|\u2502] ?|\s*\d+\u2192",
    r"\s*-->\s\S+:\d+",
    r"(?:error|warning)\[\w+\]",
    r"[\w./\\@+-]+\.\w{1,6}(?::\d+(?::\d+)?:?\s+-?\s*(?:error|warning|note|info)\b|:\d+:\d+:?\s|\(\d+,\d+\):|:\d+:\s)",
    r"(?:[A-Za-z_][\w]*\.)*[A-Z]\w*(?:Error|Exception|Warning|Failure|Panic)(?: \[\w+\])?:\s",
    r"\s+\.{3} \d+ more\s*$",
    r"PHP (?:Fatal error|Parse error|Warning|Notice|Deprecated): |\S+\.rb:\d+:in [`']|\s+from \S+:\d+:in [`']",
    r"\*\* \(\w+\) |\s+\(\w+ \d[\w.-]*\) \S+:\d+: |==\d+== ",
    r"During handling of the above exception|The above exception was",
    r"cannot use .+ as .+ in (?:argument|assignment|return)|(?:declared|imported) and not used\b",
    # shells and tools
    r"\s*[\u279c\u276f\u03bb] \s*\S",
    r"\$ \S|[\w.-]+@[\w.-]+(?::|\s)[^$#%>\n]*[$#%>] |\(\w[\w.-]*\) [^$#%\n]{0,60}[$#%] \S",
    r"\[[\w.-]+@[\w.-]+ [^\]\n]*\][$#]",
    r"PS [A-Z]:\\|[A-Z]:\\[^>\n]*>",
    r"\s*(?:for|while|until|if|elif)\s.*;\s*(?:do|then)\s*$",
    r"npm (?:ERR!|error|WARN|warn|notice)|ERR_PNPM|yarn (?:run|install) v\d",
    r"make(?:\[\d+\])?: (?:\*\*\*|Entering|Leaving)",
    r"fatal: \S|error: (?:failed|could|cannot|unable|unknown|pathspec|No |src refspec)",
    r"(?:[Ee]xit (?:code|status):? \d+|Command failed.*)\s*$|Process (?:exited|finished) with|BUILD (?:FAILED|SUCCESS)",
    r"\s*ELIFECYCLE\b|\[\+\] \w+|Failed to compile|Module (?:not found|build failed):|Require stack:",
    r"ERROR in \./|TS\d{4,5}: ",
    r"Error: (?:Cannot find module|Command failed|connect |listen |ENOENT|EACCES|ECONNREFUSED|timeout)",
    r"SELECT\s.+\sFROM\s.+",
    r"\s*[\[{]\s*[\"{\[].*[}\]][,;]?\s*$",
    r"Terraform will perform|Plan: \d+ to add|\s+# \S+ (?:will|must) be \w+|\s+[+~-] resource \"",
    r"# npm audit report|fix available via `npm|< (?:HTTP/\d|[\w-]+: )",
    r"\* (?:Connected to |Trying \d|Connection #\d|ALPN|TLSv1)",
    r"(?:added|removed|changed) \d+ packages?|found \d+ vulnerabilit|> Task :|Successfully (?:built|installed) ",
    # tests
    r"={4,}.*={4,}\s*$|_{4,} .* _{4,}\s*$|-{4,} .* -{4,}\s*$",
    r"(?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) [\w/.]+(?:::|\.py)|\S+::\S+ (?:PASSED|FAILED|ERROR|SKIPPED)",
    r"\s*(?:---|===) (?:FAIL|PASS|RUN|SKIP|CONT|PAUSE)\b",
    r"(?:FAIL|PASS)\s+\S*[/.]\S+|ok\s+\S+\s+[\d.]+s\b|ok {2,}\S",
    r"E\s{3,}\S|\s*[\u2713\u2714\u2717\u2718\u2716\u00d7\u2705\u274c]\s",
    r"\s*(?:Test Files|Tests|Snapshots|Start at|Duration)\s{2,}\S",
    r"(?:Tests?|Test Suites|Snapshots|Assertions):\s+\d+ |test result: |running \d+ tests?|Ran \d+ tests? in",
    r"\d+ (?:passed|failed|errors?|skipped)\b.*\bin \d",
    r"\[\d+/\d+\] |Step \d+/\d+ : |#\d+ \[[^\]\n]+\] ",
    # the web
    r"(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) \S+ (?:HTTP/\d|\d{3}\b)|HTTP/\d(?:\.\d)? \d{3}",
    r"\d{1,3}(?:\.\d{1,3}){3} - ",
    # git
    r"diff --git |index [0-9a-f]{7,}\.\.[0-9a-f]{7,}|@@ -\d+(?:,\d+)? \+\d+|(?:---|\+\+\+) (?:[ab]/|/dev/null)",
    r"\^?[0-9a-f]{7,12} \(.{2,60} \d{4}-\d\d-\d\d |commit [0-9a-f]{7,40}\b|Author:\s.+<.+@.+>|Merge: [0-9a-f]{7} ",
    r"On branch \S+\s*$|Your branch is |Changes (?:not staged|to be committed)|Untracked files:",
    r"\s+(?:modified|new file|deleted|renamed):\s+\S",
    r"[+-] {0,3}\d{2,} \S.* {2}$",
    r"\s*\S+\s+\|\s+\d+ [+-]+\s*$|\s*\d+ files? changed|\s*(?:create|delete) mode 1\d{5} ",
    r"(?:Enumerating|Counting|Compressing|Writing) objects:|To (?:https?://|git@|ssh://|\S+:\S+\.git)|\s*! \[",
    # tables and screens
    r"\s*\|?[ :]*-{3,}[ :]*(?:\|[ :]*-{3,}[ :]*)+\|?\s*$|\s*-{3,}\+-{3,}|\+[-=]{3,}\+",
    r"[-dlbcps](?:[r-][w-][xsStT-]){3}[.+@]?\s+\d+ |total \d+\s*$|Filesystem {2,}|/dev/\w+ +\d",
    r"[A-Z][A-Z_%/]+(?: [A-Z_%/]+)*(?:[ \t]{2,}[A-Z][A-Z_%/]*(?: [A-Z_%/]+)*)+\s*$",
    # code
    r"\s*(?:export|import|const|let|var|public|private|protected|static|return|function|class|package|using|type"
    r"|interface|enum|struct|func|fn|pub)\s(?=[^\n]*[=({\"'<]|[\w.*:]+;)\S.*(?:[;{]|=>)\s*$",
    r"Node\.js v\d",
    # reviews
    r"\W{0,3}\*{0,2}\[P[0-3]\]|!\[[^\]\n]*\]\(https?://",
    # documents
    r"#!\s?/\w|set -[euxo]{1,4}(?: pipefail)?\s*$|<\?xml |<!DOCTYPE|-----BEGIN |\s*\"\$schema\"",
)

_BOXES = (
    r".*[\u2502\u2503\u2551\u251c\u2514\u250c\u2510\u2518\u2524\u252c\u2534\u253c]"
    r"|.*[\u2554\u2557\u255a\u255d\u256d\u256e\u256f\u2570]|.*[\u2500\u2501\u2550]{3,}"
    r"|\s*[\u23fa\u23bf\u273b\u2736\u2733\u25cf\u25cb]\s"
)

_WEAK = (
    r"(?:error|warning|note|ERROR|WARNING|Error|Warning|FAIL|FAILED|Failed|Exception)(?: in \S+)?: \S",
    r"\d\d:\d\d:\d\d\s",
    r"[\w./\\@-]+\.\w{1,6}:\d+(?:\s+\S.*)?$|\.{1,2}/\S+\.\w{1,6}\s*$|(?:remote|hint): \S",
    r"(?:[Hh]igh|[Mm]edium|[Ll]ow|[Cc]ritical|[Mm]ajor|[Mm]inor|[Nn]it|P[0-3])\s?[:\u2013-] ?\S",
    r"\s*(?:import|export|from)\s+\S+.*[;'\"}]\s*$|\s*from \S+ import |\s*import [\w., ]+$",
    r"\s*(?:async )?(?:def|class|func|fn|function|interface|struct|enum|impl|package|namespace|module)\b.*[{:(;)]\s*$",
    r"\s*(?:pub|const|let|var|val|public|private|protected|static|export|return|await|yield|throw|raise)\b.*(?:[{;(,]|=>|\)|=\s*\S+)\s*$",
    r"\s*(?:if|for|while|else|elif|try|catch|except|finally|switch|case|with|do)\b.*(?:[{;(]|=>|\)\s*:)\s*$|\s+(?:else|try|finally):\s*$",
    r"\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|FROM|WHERE|JOIN|LEFT JOIN|GROUP BY|ORDER BY)\s+\S+",
    r"\s*[)\]}]+[;,)]*\s*$|\s*[{(\[]\s*$|\s*(?:done|fi|esac|else|end)\s*$",
    r"\s*</?[A-Za-z][\w:-]*(?:\s[^<>\n]*)?/?>|\[\[?[\w.\"' -]+\]\]?\s*$|[^,\s]+(?:,[^,\s][^,]*){2,}$",
    r"(?:FROM|WORKDIR|COPY|RUN|CMD|ENTRYPOINT|ENV|EXPOSE|ARG|USER|ADD|VOLUME|LABEL|HEALTHCHECK) \S",
    r"\s*[\"'][\w$./ -]+[\"']\s*:\s",
    r" \* |\s*(?://|/\*|\*/|#\s?include|#define|@\w+\()",
    r"\s*[\w.$\[\]-]+\s*(?:=|:=|\+=|==)\s*\S+.*$",
    r"\s*(?:class|module) [A-Z]\w*(?: < \S+)?\s*$|\s+def \w+\S*\s*$",
    r"(?:Issue Type|Type|Status|Priority|Assignee|Reporter|Labels|Sprint|Epic|Story Points): \S",
    r"\s{2,}[\w./-]+:(?:\s+\S+)?\s*$|\s{4,}[\w.-]+:\s+\S.*$|\s+-\s[\w.-]+:\s\S+\s*$",
    r"\S+(?:\s\S+)?\s{2,}\S+(?:\s\S+)?\s{2,}\S",
    r"\s*\|.*\|\s*$",
    r"[+-](?![+\s-])\S.*[;{}(),:]?\s*$",
    r"\s{2,}-{1,2}[a-zA-Z][\w-]*[ ,]",
    r"\s?[+-] {0,3}\d+ ",
    r"[?MADRCU!]{1,2} {1,2}[\w./-]+\s*$",
    r"[0-9a-f]{7,12} \S",
    r"\W{0,3}\*{0,2}(?:\[(?:P\d|nit|nits?|blocker|major|minor|critical|high|medium|low|suggestion)\]"
    r"|Severity|Confidence|Priority|Location|Suggested fix)\b",
    r"(?:Usage|Options|Flags|Commands|Examples|Available Commands|Arguments):\s*$",
    r"\s*(?:\.{3}|\u2026)\s*$",
    r"\s*[\u2022\u2023\u25e6\u25aa]\s+\S",
    r"[A-Z]\w+ing [\w\s/'\".-]+(?:\.{3}|\u2026)\s*$",
)


@cache
def strong() -> re.Pattern[str]:
    """Lines that only programs write."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in _STRONG))


@cache
def _boxes() -> re.Pattern[str]:
    return re.compile(_BOXES)


@cache
def _weak() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in _WEAK))


def looks_strong(head: str) -> bool:
    """Whether the head of a line that is not blank is proof on its own."""
    return bool(strong().match(head) or (not head.isascii() and _boxes().match(head)))


def kind_of(line: str) -> Kind:
    """What one line (without its newline) looks like. Only its first 400 characters are looked at."""
    head = line[:400]
    stripped = head.rstrip()
    if not stripped:
        return Kind.BLANK
    if looks_strong(head):
        return Kind.STRONG
    if stripped[-1] == ";" and _sentence().fullmatch(stripped):
        return Kind.OTHER
    if stripped[-1] in "{;\\" or stripped.endswith(_ENDED) or _padded(head, stripped) or _weak().match(head):
        return Kind.WEAK
    return Kind.OTHER


@cache
def _sentence() -> re.Pattern[str]:
    """What ends in a semicolon and is no statement of a program: plain words that begin with no keyword."""
    words = "use|import|using|package|export|return|let|const|var|throw|break|select|drop|delete|from|insert|update"
    return re.compile(
        rf"(?!(?i:{words})\b(?! \w+ (?:in|for|to|of|here)\b))[A-Za-z][\w'-]*(?:,? [a-z\d][\w'-]*){{2,30}};"
    )


def _padded(head: str, stripped: str) -> bool:
    """Whether a line is filled up with blanks, as screens do it."""
    return head.endswith("   ") and head.rstrip(" ") == stripped


_ENDED = tuple(f"{dots} {word}" for dots in ("...", "\u2026") for word in ("done", "ok", "OK", "failed", "yes", "no"))


@cache
def prompt() -> re.Pattern[str]:
    """A command after a shell's prompt: the next line is what it printed."""
    return re.compile(
        r"\s*[\u279c\u276f\u03bb$] \s*\S|[\w.-]+@[\w.-]+(?::|\s)[^$#%>\n]*[$#%>] \S|PS [A-Z]:\\[^>\n]*> \S"
    )


# Verbs, pronouns and openers with which people speak to an agent.
_FIRST_WORDS = (
    "please|pls|plz|can|could|would|will|let'?s|lets|i|i'?m|i'?ve|i'?d|i'?ll|we|we'?re|you|why|what|what'?s|how|where|when"
    "|which|who|also|so|and|but|now|then|ok|okay|yes|yeah|yep|no|nope|don'?t|do|does|did|is|are|isn'?t|should|shouldn'?t"
    "|fix|make|add|remove|delete|use|run|rerun|try|check|look|see|explain|tell|help|update|change|rename|move|keep|stop|start"
    "|write|create|implement|investigate|debug|test|commit|push|merge|revert|review|btw|fyi|remember|always|never|this|that"
    "|these|those|it|it'?s|the|above|all|maybe|perhaps|actually|instead|same|still|any|anything|need|want|thanks|thank|sorry"
    "|hmm+|hey|hi|oh|ah+|great|good|nice|cool|my|our|there|after|before|if|for|in|on|with|not|just|only|seems?|looks?|getting"
    "|got|wait|again|think|as|from|sure|proceed|continue|go|apply|address|take|give|show|find|put|set|get|stick|prefer"
    "|avoid|ensure|treat|ask|refactor|simplify|respect"
)


@cache
def _own_start() -> re.Pattern[str]:
    return re.compile(rf"(?:{_FIRST_WORDS})(?![\w:=(/.'-])")


@cache
def _person() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:I|I'm|I've|I'd|we|We|our|Our|my|My|me|us|let's|Let's|please|Please|[Cc]an you|[Cc]ould you|pls)\b"
    )


@cache
def _foreign() -> re.Pattern[str]:
    return re.compile(r"[\u0370-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def own_voice(line: str) -> bool:
    """Whether a line that no machine pattern claims sounds like a person who speaks to an agent."""
    text = line[:1000].strip()
    if not text or line[0] in " \t":
        return False  # output is indented, speech is not
    lowered = text[0].islower()
    if not text.isascii() and len(_foreign().findall(text)) * 3 > len(text):
        return True
    words = text.split()
    if lowered and _own_start().match(text):
        return len(words) > 1 or text.endswith(("?", "!"))
    if _person().search(text) and len(words) > 2:
        return True
    if text.endswith("?") and text[0].isalpha():
        return True
    opener = text[0].lower() + text[1:]
    return line[0] == text[0] and len(words) > 2 and bool(_imperative().match(opener))


@cache
def _imperative() -> re.Pattern[str]:
    return re.compile(
        r"(?:fix|make sure|add|remove|use|run|try|check|explain|update|change|rename|implement|investigate"
        r"|don'?t|do not|always|never|from now on|remember|why|what|how|also|so|and|but|ok|okay|yes|no|btw"
        r"|fyi|thanks)(?![\w:=(/.'-])"
    )
