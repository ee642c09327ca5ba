"""What a request states about tools: which package manager, which command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from afterpass.recall.clauses import FINITE, LEAD, Found
from afterpass.recall.wording import bare_subject, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy.model import FactType

QUOTED = r"`(?P<value>[^`\n]{1,200})`"
TOOLS = words(
    """npm npx yarn pnpm bun bunx deno make just task rake tox nox pytest python python3 uv poetry pdm hatch go cargo
    gradle ./gradlew gradlew mvn ./mvnw sbt bazel dotnet mix bundle rspec jest vitest mocha ava playwright cypress ruff
    flake8 black mypy eslint prettier biome golangci-lint tflint terraform docker docker-compose podman tilt skaffold
    flask django uvicorn gunicorn rails php composer phpunit pest swift xcodebuild fastlane ctest cmake ninja meson nx
    turbo lerna vite webpack tsc node sh bash clippy rustfmt gofmt shellcheck pre-commit buf hugo jekyll"""
)
COMMAND_ENDS = rf"(?:and|then|for|on|in|to|please|pls|before|after|because|so|this|{FINITE})\b"

# Per command type: the verbs that ask for it, the things they take, and words that a command of the type is made of.
TYPE_WORDS = {
    "test": (
        "run|execute|test|start|kick off|check",
        "tests?|specs?|test suite|suite|it|them|this|everything",
        words("test pytest jest vitest mocha rspec nextest tox nox ctest phpunit spec playwright cypress"),
    ),
    "build": (
        "build|compile|bundle|make|run|package",
        "build|bundle|image|it|this|project|app|docs?|site",
        words("build webpack vite tsc compile assemble bundle"),
    ),
    "lint": (
        "lint|format|check|run",
        "lint|linters?|formatter|format|code|it|this|files?",
        words("lint eslint ruff flake8 clippy rubocop tflint golangci-lint prettier fmt format black biome"),
    ),
    "run": (
        "run|start|launch|serve|boot|bring up|spin up",
        "app|service|server|dev server|it|this|project|site|api",
        words("dev start serve up watch"),
    ),
}

AFTER_MANAGER = (
    "to|for|here|this|instead|please|pls|on|as|and|then|in|into|under|everywhere|not|again|so|but|because|since|while|before"
    "|after"
)
# "add a section on installing with pip" asks for words, not for pip.
ABOUT_WRITING = (
    "docs?|readme|section|note|page|badge|guide|examples?|instructions|install(?:ing|ation)|how|that|who|where|which"
    "|bug|issue|error|crash|problem|tests?|job|workflow|pipeline|step|script"
)


def manager(_type: FactType, _subject: str, sentence: str) -> Iterator[Found]:
    """``add zod with yarn``, ``use pnpm for this``, ``run `npm install zod` ``, ``with yarn please``."""
    from validators.values.manager import NAMES  # read only where a manager is asked about

    name = "|".join(re.escape(known) for known in sorted(NAMES, key=len, reverse=True))
    value = rf"`?(?P<value>{name})\b`?(?![\w/'’-]|\.\w)"
    verbs = r"add|install|upgrade|update|bump|remove|uninstall|pin|set up|bring in|put|get|do|pull in|use|try|make"
    after = rf"(?=\s*(?:$|[.,;:!?)]|\b(?:{AFTER_MANAGER})\b|[@\d]))"
    gap = rf"(?:(?!\b(?:{ABOUT_WRITING})\b)[^;?!`]){{0,80}}?"
    commands = r"(?:add|install|i|remove|up|update|upgrade|sync|ci|get|create|init)"
    trouble = r"(?!(?:\S+\s+)?(?:fail|hang|break|broke|err|is|was|give|say|do|print|take|crash|complain|stop|work))"
    patterns = (
        rf"{LEAD}(?:{verbs})\b{gap}\b(?:with|using|via|through)\s+(?:the\s+)?{value}{after}",
        rf"{LEAD}(?:use|take|pick|choose|go with|stick (?:to|with)|stay (?:on|with))\s+{value}{after}",
        rf"\b(?:i want|i(?:'d| would) like)\b{gap}\b(?:with|using|via|through)\s+{value}{after}",
        rf"{LEAD}(?:run|do|call|execute)\s+`?(?P<value>{name})\s+{commands}\s+{trouble}\S+",
        rf"^\W*(?P<value>{name})\s+{commands}\s+{trouble}\S+",
        rf"^\W*(?:with|using|via)\s+{value}{after}",
    )
    for pattern in patterns:
        for match in re.finditer(pattern, sentence, re.IGNORECASE):
            yield Found(match.start("value"), match.end(), match.group("value").casefold())


def command(fact_type: FactType, subject: str, sentence: str) -> Iterator[Found]:
    """``run the tests with `x` ``, ``use `x` for the tests``, ``run `make test` ``."""
    words = TYPE_WORDS.get(fact_type.name.split("_")[0])
    if words is None:
        return
    verbs, things, own = words
    tools = "|".join(re.escape(tool) for tool in sorted(TOOLS, key=len, reverse=True))
    bare = rf"(?P<bare>(?:{tools})(?=[\s.,;!]|$)(?:\s(?!{COMMAND_ENDS})[^\s,;!?]+)*)"
    command = rf"(?:{QUOTED}|{bare})"
    patterns = (
        (
            rf"{LEAD}(?:{verbs})\b(?P<thing>[^.;?!`]{{0,60}}?)\b(?:with|using|via|through|by running|by)\s+{command}",
            False,
        ),
        (rf"{LEAD}use\s+{command}\s+(?:to|for)\b(?P<thing>[^.;?!]*\b(?:{verbs}|{things})\b)", False),
        (rf"{LEAD}(?:run|execute|do|call|use)\s+(?P<thing>){command}", True),
    )
    for pattern, must_be_own in patterns:
        for match in re.finditer(pattern, sentence, re.IGNORECASE):
            groups = match.groupdict()
            value = (groups.get("value") or groups["bare"].rstrip(".,;:!")).strip()
            if not _is_command(value, own):
                continue
            if must_be_own and not set(re.split(r"\W+", value.casefold())) & own:
                continue
            if not must_be_own and not _about(fact_type, subject, match.group("thing"), things):
                continue
            yield Found(match.start(), match.end(), value)


def _is_command(value: str, own: frozenset[str]) -> bool:
    first = next((word for word in value.split() if "=" not in word), "")
    if not re.match(r"[\w./]", first):
        return False
    return " " in value or "/" in value or value.endswith(".sh") or first in own


def _about(fact_type: FactType, subject: str, thing: str, things: str) -> bool:
    """Whether the named thing is the asked one: "the api tests" is not about "web"."""
    named = (
        bare_subject(fact_type, re.sub(rf"\b(?:{things})\b", " ", thing, flags=re.IGNORECASE)) if thing.strip() else ()
    )
    asked = bare_subject(fact_type, subject) if subject else ()
    return not asked or not named or bool(set(asked) & set(named)) or not re.search(rf"\w+ (?:{things})\b", thing)
