"""Instructions and tricks dressed as values: refused whatever the type.

A stored value is loaded into the next session of an agent. So it must not run code from the network, delete, leak,
switch off a check, or speak to the agent over the developer's head; and it must hold no letter that a reader cannot
see.
"""

from __future__ import annotations

import re
import unicodedata

from transcripts.lazy import lazy

FETCH = r"(?:curl|wget|fetch|iwr|invoke-webrequest|invoke-restmethod|irm)"
SHELL = (
    r"(?:(?:ba|z|da|k|fi|c)?sh|python[0-9.]*|node|perl|ruby|php|iex|invoke-expression|pwsh|powershell|source|eval|tee)"
)
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, lazy(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "runs code from the network",
            rf"\b{FETCH}\b[^\n]{{0,400}}?\|\s{{0,4}}(?:sudo\s{{1,3}}(?:-\w\s{{1,2}})?)?(?:/\w+/(?:\w+/)?)?(?:env\s)?{SHELL}\b",
        ),
        ("runs code from the network", rf"(?:<\(|\$\(|`|\beval\b|\bsource\b|\s-e?c\s)[\s\"'(]{{0,6}}{FETCH}\b"),
        (
            "runs hidden code",
            rf"\bbase64\b[^\n]{{0,200}}?\|\s{{0,4}}(?:sudo\s)?{SHELL}\b|\b(?:powershell|pwsh)\b[^\n]{{0,80}}?-e(?:nc|ncodedcommand)?\s",
        ),
        (
            "deletes",
            r"\brm\s{1,3}(?:-{1,2}[\w-]{1,20}\s{1,3}){0,6}?(?=-{0,2}[\w\s-]{0,40})(?:-[a-z]{0,6}[rf][a-z]{0,6}|--recursive|--force)\s{1,3}"
            r"(?:--?[\w-]{1,30}\s{1,3}){0,4}[\"']?(?:/(?!tmp/\w)|~|\$\{?HOME|\*|\.{1,2}(?:/\*{0,2})?(?:[\s\"';&|]|$)|\.git\b)",
        ),
        (
            "deletes",
            r"\bmkfs(?:\.\w+)?\s|\bdd\s[^\n]{0,100}?\bof=/dev/|>\s{0,2}/dev/(?:sd|nvme|disk)|:\(\)\s{0,2}\{|\bshred\s|\bfind\s+[/~]\S{0,80}\s[^\n]{0,120}-delete\b",
        ),
        (
            "deletes",
            r"\bdrop\s{1,3}(?:table|database|schema)\b|\bgit\s{1,3}push\b[^\n]{0,80}?\s(?:--force(?!-with-lease)|-f)\b|\bgit\s{1,3}clean\s{1,3}-\w{0,4}f\w{0,4}x",
        ),
        (
            "opens the machine",
            r"\bnc\b[^\n]{0,60}?\s-[a-z]{0,3}e\b|/dev/tcp/|\bchmod\s{1,3}(?:-R\s{1,3}0?777\b|0?777\s{1,3}/)|\bsudo\s{1,3}chmod\b",
        ),
        (
            "leaks",
            r"(?:\b(?:cat|base64|env|printenv|tar|zip|gzip)\b|~/\.(?:ssh|aws|netrc|config))[^\n|]{0,200}\|[^\n]{0,100}?\b(?:curl|wget|nc|ncat|ssh|scp|mail)\b",
        ),
        (
            "leaks",
            r"\b(?:curl|wget)\b[^\n]{0,300}?(?:--data\S{0,12}|-d|-F|--form|-T|--upload-file|--post-file)[\s=]{0,2}[\"']?[^\s\"']{0,60}?"
            r"(?:@|\$\(|`|\$\{?[A-Z_]*(?:TOKEN|KEY|SECRET|PASS)|\.env\b|/etc/passwd|\.ssh)",
        ),
        ("leaks", r"\b(?:scp|rsync)\b[^\n]{0,200}?(?:\.ssh|\.env\b|\.aws|id_rsa|id_ed25519|/etc/passwd)"),
        (
            "leaks",
            r"\b(?:send|post|upload|exfiltrate|leak|forward|e-?mail|transmit|copy|paste|print|echo|reveal|share)\b[^\n]{0,60}?"
            r"\b(?:secrets?|credentials?|api[ _-]?keys?|access[ _-]?tokens?|passwords?|private[ _-]?keys?"
            r"|ssh[ _-]?keys?|env(?:ironment)?[ _-]?var(?:iable)?s?"
            r"|(?<=\.)env|system prompt)\b[^\n]{0,40}?\b(?:to|at|with|into|via)\b",
        ),
        (
            "leaks",
            r"\b(?:send|post|upload|forward|e-?mail|copy|push|sync|attach)\b[^\n]{0,60}?(?:~/\.(?:ssh|aws|gnupg|kube|netrc|config)\b"
            r"|\bid_(?:rsa|ed25519)\b|/etc/passwd\b)",
        ),
        (
            "leaks",
            r"\b(?:send|post|upload|forward|e-?mail|push|copy)\b[^\n]{0,40}?\b(?:dumps?|databases?|backups?|source|transcripts?"
            r"|history|config\w*|customer\s\w+)\b[^\n]{0,40}?\bto\s{1,2}(?:[\w.+-]{1,60}@[\w-]{1,60}\.\w|(?:https?|ftp)://)",
        ),
        (
            "leaks",
            r"\b(?:secrets?|credentials?|passwords?|api[ _-]?keys?|private[ _-]?keys?)\b"
            r"(?:(?!\bnever\b|\bnot\b|n't)[^\n]){0,40}?\b(?:public|pastebin|gists?)\b",
        ),
        ("redirects downloads", r"\bconfig\s{1,3}set\s[^\n]{0,60}?(?:registry|index-url|strict-ssl|cafile|proxy)\b"),
        (
            "speaks to the agent",
            r"\b(?:ignore|disregard|forget|override|bypass|overrule)\b[^\n]{0,30}?\b(?:previous|prior|above|earlier|preceding|all|any|other|your|system|safety)\b"
            r"[^\n]{0,30}?\b(?:instructions?|rules?|prompts?|messages?|guidelines?|directions?|context|policies|policy|guardrails?)\b",
        ),
        (
            "speaks to the agent",
            r"\b(?:the|an?|any|every|dear|hey)?\s{0,1}\b(?:assistants?|agents?|ai|llms?|language models?"
            r"|chatbots?|claude|codex|copilot|gemini)\b"
            r"\s{0,2}(?:,|:|must|should|shall|will|has to|have to|needs? to|is (?:now )?(?:allowed|required"
            r"|instructed|permitted|told)|may now|can now"
            r"|are (?:now )?(?:allowed|required|instructed))(?=\W|$)",
        ),
        (
            "speaks to the agent",
            r"\byou\s{1,2}(?:are|must|will|shall)\s{1,2}(?:now|henceforth|always obey|obey|comply|act as"
            r"|pretend|from now)\b|\bact as (?:an?|the|if)\b",
        ),
        (
            "speaks to the agent",
            r"\b(?:system|developer)\s{0,1}(?:prompt|message|mode)\b|\bjailbreak|\bDAN\b.{0,10}\bmode"
            r"|\bprompt injection",
        ),
        (
            "speaks to the agent",
            r"<\|[a-z_]{2,20}\|>|\[/?INST\]|</?(?:system|assistant|user|instructions?|system-reminder|tool_result)>|<!--|-->",
        ),
        (
            "hides from the developer",
            r"\b(?:do not|don'?t|never|without)\s{1,2}(?:\w+\s{1,2}){0,2}?(?:tell(?:ing)?|inform(?:ing)?"
            r"|mention(?:ing)?|reveal(?:ing)?|notify(?:ing)?|show(?:ing)?)\b"
            r"[^\n]{0,30}?\b(?:user|developer|human|owner|anyone|anybody)\b",
        ),
        (
            "switches off a check",
            r"--no-verify\b|--dangerously-|--yolo\b|--no-sandbox\b|--disable-(?:web-security|sandbox|auth)|--allow-dangerous|--skip-permissions",
        ),
        (
            "switches off a check",
            r"NODE_TLS_REJECT_UNAUTHORIZED=0|GIT_SSL_NO_VERIFY|PYTHONHTTPSVERIFY=0|(?:^|\s)HUSKY=0|\bsetenforce\s0|\bset\s\+e\b",
        ),
        (
            "switches off a check",
            r"^(?![^\n]{0,200}\b(?:never|not|nobody|no one)\b|[^\n]{0,200}n't)[^\n]{0,200}?"
            r"\bwithout\s{1,2}(?:asking|confirm\w+|permission)\b",
        ),
        (
            "switches off a check",
            r"(?<!never )(?<!not )\bapprove\b[^\n]{0,25}?\b(?:every|all|any)\b[^\n]{0,25}?"
            r"\b(?:commands?|tools?|requests?|permissions?)\b",
        ),
        ("switches off a check", r"\|\|\s{0,2}(?:true|:|exit\s0)(?=\s|$|[;)\"'])|;\s{0,2}(?:true|exit\s0)\s{0,2}$"),
        (
            "switches off a check",
            r"(?<!never )(?<!don't )(?<!not )(?<!nobody may )\b(?:disable|bypass|turn off|switch off|skip"
            r"|circumvent|auto-?approve)\b[^\n]{0,25}?"
            r"\b(?:sandbox|security|permissions?|approvals?|confirmations?|safety|validations?|authentication|authorization|tls|ssl|2fa|mfa"
            r"|branch protections?|code reviews?|(?:all|the|every) (?:tests?|checks?|reviews?|hooks?|linters?))\b",
        ),
    )
)
# Everything above needs one of these: a cheap look before the patterns.
HINTS = (
    *(
        "curl",
        "wget",
        "fetch",
        "iwr",
        "irm",
        "invoke",
        "base64",
        "rm ",
        "mkfs",
        "dd ",
        "/dev/",
        ":()",
        "shred",
        "delete",
        "drop",
        "git ",
        "nc ",
    ),
    *(
        "chmod",
        "cat ",
        "env",
        "tar ",
        "zip",
        "~/.",
        "scp",
        "rsync",
        "secret",
        "credential",
        "key",
        "token",
        "password",
        "prompt",
        "ignore",
        "disregard",
    ),
    *(
        "forget",
        "override",
        "bypass",
        "overrule",
        "assistant",
        "agent",
        "ai",
        "llm",
        "model",
        "bot",
        "claude",
        "codex",
        "copilot",
        "gemini",
        "you ",
    ),
    *(
        "act as",
        "mode",
        "message",
        "jailbreak",
        "<",
        "[",
        "--",
        "tell",
        "inform",
        "mention",
        "reveal",
        "notify",
        "show",
        "tls",
        "ssl",
        "husky",
        "||",
    ),
    *(
        "; ",
        ";true",
        "disable",
        "turn off",
        "switch off",
        "skip",
        "circumvent",
        "approve",
        "setenforce",
        "set +e",
        "pwsh",
        "powershell",
        "without ",
        "config",
        "id_rsa",
        "id_ed25519",
        "/etc/passwd",
        "dump",
        "backup",
        "database",
        "source",
        "history",
        "customer",
    ),
)
LETTER_RUN = lazy(r"[^\W\d_]{2,}")
EMOJI_JOINERS = "\u200d\ufe0e\ufe0f"
MOST_LOOKED_AT = 2000  # characters: a longer value fails its type's check anyway


def instruction_in(value: str) -> str | None:
    """What a value would do besides stating something, or None."""
    low = value[:MOST_LOOKED_AT].replace("’", "'")
    folded = low.casefold()
    if not any(hint in folded for hint in HINTS):
        return None
    return next((name for name, pattern in PATTERNS if pattern.search(low)), None)


def invisible_in(text: str) -> str | None:
    """What a reader of prose cannot see in it, emoji apart: a character without a shape, or one that turns the order.

    A byte order mark at the start is the file's, not the writer's.
    """
    if text.isascii():
        return None
    seen_as = ((char, unicodedata.category(char)) for char in text.removeprefix("\ufeff") if char not in EMOJI_JOINERS)
    found = next((char for char, category in seen_as if category in ("Cf", "Co", "Cn", "Cs")), None)
    return f"holds an invisible character (U+{ord(found):04X})" if found else None


def unreadable(value: str, *, prose: bool = False) -> str | None:
    """Why a value is not what it looks like: an invisible or control character, or a word of mixed scripts."""
    if value.isascii():
        return (
            "holds a control character" if any((c < " " and c not in "\t\n\r") or c == "\x7f" for c in value) else None
        )
    for char in value:
        category = unicodedata.category(char)
        if (
            category in ("Cf", "Cc", "Co", "Cn", "Cs")
            and char not in "\t\n\r"
            and not (prose and char in EMOJI_JOINERS)
        ):
            return f"holds an invisible character (U+{ord(char):04X})"
    for run in LETTER_RUN.findall(unicodedata.normalize("NFKC", value)):
        scripts = {_script(c) for c in run}
        if "LATIN" in scripts and scripts & {"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"}:
            return f"mixes look-alike letters of two scripts in {run[:30]!r}"
    return None


def _script(char: str) -> str:
    return "LATIN" if char.isascii() else unicodedata.name(char, "").partition(" ")[0]
