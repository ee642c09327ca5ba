"""The model extractors against a real local server that answers from a script and misbehaves on request."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from model_server import Drip, Drop, Garbage, ModelServer, Say, Silence, Status

from extractors.asking import ModelExtractor
from extractors.candidate import Candidate, Kind, Malformed
from extractors.conversation import ModelClient
from extractors.errors import ExtractorError, Terminal, Transient
from extractors.interface import Extraction, ReplyFormat
from extractors.ollama import OllamaClient
from extractors.openai_compatible import OpenAIClient, forget_learned
from extractors.retrying import RetryPolicy
from policy.model import Policy
from transcripts.session import Session

SessionMaker = Callable[..., Session]
Build = Callable[..., ModelExtractor]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    forget_learned()
    with ModelServer() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    """The seconds that would have been waited between attempts."""
    return []


@pytest.fixture(params=["ollama", "openai"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def build(kind: str, server: ModelServer, waits: list[float]) -> Build:
    """An extractor of each kind at the server, which waits for nothing."""

    def make(model: str = "m", timeout: float = 20.0, url: str | None = None, **given: Any) -> ModelExtractor:
        client: ModelClient
        if kind == "ollama":
            client = OllamaClient(model, url or server.url, timeout, **given)
        else:
            client = OpenAIClient(model, url or server.openai_url, timeout, **given)
        return ModelExtractor(client, RetryPolicy(first_wait=0, longest_wait=0, sleep=waits.append))

    return make


def item(evidence: str = "we use pnpm", **fields: Any) -> dict[str, Any]:
    given = {"turn": 1, "type": "package_manager", "subject": "", "value": "pnpm", "kind": "standing", "about": "this"}
    return {**given, "evidence": evidence, "until": None, "importance": 8, **fields}


def reply(*items: dict[str, Any]) -> dict[str, Any]:
    return {"reasoning": "…", "candidates": list(items)}


def failing(extractor: ModelExtractor, session: Session, policy: Policy) -> ExtractorError:
    with pytest.raises(ExtractorError) as caught:
        extractor.propose(session, policy=policy)
    return caught.value


# ---------------------------------------------------------------------------------------------------- the good path


def test_candidates_and_the_call_on_record(
    build: Build, kind: str, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """A candidate carries the turn's own id; the call its model, prompt, tokens, format and raw reply."""
    server.say(reply(item()), tokens_in=321, tokens_out=45)
    found = build().propose(make_session("we use pnpm here"), policy=policy)
    (one,) = found.candidates
    assert isinstance(one, Candidate)
    assert ("t-1", "we use pnpm", "pnpm", Kind.STANDING, kind) == (
        one.turn,
        one.evidence,
        one.value,
        one.kind,
        one.extractor,
    )
    assert item() == one.raw
    (call,) = found.calls
    assert ("m", "v1", 321, 45, 1, ReplyFormat.JSON_SCHEMA, json.dumps(reply(item()))) == (
        call.model,
        call.prompt_version,
        call.tokens_in,
        call.tokens_out,
        call.attempts,
        call.format,
        call.raw_reply,
    )


def test_an_empty_list_is_nothing_found(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """One call, no candidate, no error."""
    found = build().propose(make_session("thanks, works"), policy=policy)
    assert ((), 1) == (found.candidates, len(found.calls))


def test_a_session_without_typed_words_asks_nothing(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """Not even which models there are."""
    assert Extraction(()) == build().propose(make_session([("pasted", "use yarn")]), policy=policy)
    assert [] == server.requests


def test_the_schema_is_asked_for(
    build: Build, kind: str, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """In the field that the server's API has for it, with a bounded reply and a set context."""
    build().propose(make_session("we use pnpm here"), policy=policy)
    body = server.chats[0].body
    shape = body["format"] if kind == "ollama" else body["response_format"]["json_schema"]["schema"]
    assert ["reasoning", "candidates"] == list(shape["properties"])
    if kind == "ollama":
        assert {"num_ctx": 8192, "num_predict": 1500, "temperature": 0} == body["options"]
    else:
        assert (1500, 0) == (body["max_tokens"], body["temperature"])


def test_credentials_neither_leave_nor_come_back(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """Not in the prompt, not in the reply on record."""
    key = "AKIAEXAMPLEEXAMPLEEX"
    server.say(reply(item(evidence=f"the deploy key is {key}")))
    found = build().propose(make_session(("agent", f"I see {key}"), f"the deploy key is {key}"), policy=policy)
    assert key not in json.dumps([request.body for request in server.requests])
    assert key not in found.calls[0].raw_reply


# ---------------------------------------------------------------------------------------------------- placing quotes


@pytest.mark.parametrize("turn", [2, "2", "[2]", "turn 2", 1, 99, None, ""])
def test_the_quote_decides_over_the_number(
    turn: object, build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """A wrong, missing or decorated number is corrected to the turn that holds the words."""
    server.say(reply(item(evidence="We use `pnpm`.", turn=turn)))
    (one,) = build().propose(make_session("fix it", "so: we use pnpm here"), policy=policy).candidates
    assert isinstance(one, Candidate)
    assert "t-2" == one.turn


def test_a_quote_that_is_nowhere_is_left_to_the_checks(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """They say why it is refused; here it only keeps the turn that it named."""
    server.say(reply(item(evidence="we will use bun", turn=2), item(evidence="we love bun", turn=7)))
    found = build().propose(make_session("fix it", "we use pnpm here"), policy=policy).candidates
    assert ["t-2", None] == [one.turn for one in found if isinstance(one, Candidate)]


def test_words_read_before_are_not_quoted_again(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """A candidate from an earlier turn is kept as malformed, with the reason."""
    server.say(reply(item(evidence="we use pnpm")))
    session = make_session("we use pnpm", ("agent", "ok"), "now fix the test")
    (one,) = build().propose(session, policy=policy, first_turn=1).candidates
    assert isinstance(one, Malformed)
    assert "before the turns" in one.reason


def test_bad_items_cost_only_themselves(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """They come out as malformed with their raw form; doubles come out once."""
    server.say(reply(item(), item(), {"evidence": "x"}, item(kind="whatever"), item(until="someday")))
    found = build().propose(make_session("we use pnpm here"), policy=policy).candidates
    assert [Candidate, Malformed, Malformed, Malformed] == [type(one) for one in found]
    assert {"evidence": "x"} == found[1].raw


@pytest.mark.parametrize(
    ("given", "field", "value"),
    [
        ({"until": "null"}, "until", None),
        ({"until": ""}, "until", None),
        ({"importance": "7"}, "importance", 7.0),
        ({"importance": "7/10"}, "importance", 7.0),
        ({"about": "this repository"}, "about", "this"),
        ({"subject": None}, "subject", ""),
    ],
)
def test_harmless_slips_are_mended(
    given: dict[str, Any],
    field: str,
    value: object,
    build: Build,
    server: ModelServer,
    make_session: SessionMaker,
    policy: Policy,
) -> None:
    """The meaning is plain, and the raw item keeps what was written."""
    server.say(reply(item(**given)))
    (one,) = build().propose(make_session("we use pnpm here"), policy=policy).candidates
    assert value == getattr(one, field)
    assert given.items() <= one.raw.items()


# ---------------------------------------------------------------------------------------------------- broken replies


@pytest.mark.parametrize("text", ["", "You've hit your usage limit.", "<think>hm", "no facts here", '{"candidates": ['])
def test_one_corrective_question(
    text: str, build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """The second reply counts; both calls are on record."""
    server.say(text, reply(item()))
    found = build().propose(make_session("we use pnpm here"), policy=policy)
    assert (1, 2) == (len(found.candidates), len(found.calls))
    assert "could not be used" in server.chats[1].prompt


def test_unusable_twice_is_a_named_failure(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """Transient, with the reason and both calls; never an empty result."""
    server.say("no facts here", "Please run /login")
    error = failing(build(), make_session("we use pnpm here"), policy)
    assert isinstance(error, Transient)
    assert ("reply", 2) == (error.step, len(error.calls))
    assert "asks for a login" in error.error
    assert error.next


def test_a_reply_cut_at_the_limit_keeps_what_is_complete(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """The item that was cut is on record as malformed."""
    server.say(json.dumps(reply(item(), item(value="yarn")))[:-40], cut=True)
    found = build().propose(make_session("we use pnpm here"), policy=policy).candidates
    assert [Candidate, Malformed] == [type(one) for one in found]


# ---------------------------------------------------------------------------------------------------- trying again


@pytest.mark.parametrize("trouble", [Status(429), Status(500), Status(503), Drop(), Garbage()], ids=str)
def test_transient_trouble_is_tried_again(
    trouble: Any, build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """Two bad answers, one good: three attempts of one call."""
    server.misbehave(trouble, trouble)
    server.say(reply(item()))
    found = build().propose(make_session("we use pnpm here"), policy=policy)
    assert [3] == [call.attempts for call in found.calls]


def test_retry_after_is_obeyed(
    build: Build, server: ModelServer, waits: list[float], make_session: SessionMaker, policy: Policy
) -> None:
    """The server's number wins over our own waiting."""
    server.misbehave(Status(429, retry_after=7), Status(503, retry_after="2.5"))
    server.say(reply(item()))
    build().propose(make_session("we use pnpm here"), policy=policy)
    assert [7.0, 2.5] == waits


def test_a_wait_beyond_the_deadline_is_not_waited(
    build: Build, server: ModelServer, waits: list[float], make_session: SessionMaker, policy: Policy
) -> None:
    """The error says what the server said, at once."""
    server.misbehave(Status(429, "slow down", retry_after=3600))
    error = failing(build(), make_session("we use pnpm here"), policy)
    assert isinstance(error, Transient)
    assert [] == waits
    assert "slow down" in error.error


def test_trouble_that_lasts_is_a_transient_error(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """After four attempts."""
    server.default = Status(503, "loading model")
    error = failing(build(), make_session("we use pnpm here"), policy)
    assert isinstance(error, Transient)
    assert 4 == len(server.chats)
    assert server.url in str(error)


@pytest.mark.parametrize("trouble", [Silence(), Drip()], ids=str)
def test_a_call_waits_no_longer_than_its_timeout(
    trouble: Any, build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """Neither for a server that says nothing nor for one that never stops."""
    server.default = trouble
    error = failing(build(timeout=0.15), make_session("we use pnpm here"), policy)
    assert isinstance(error, Transient)
    assert "no answer within 0.15 s" in error.error
    assert "--timeout" in error.next


def test_a_server_that_is_down(
    build: Build, kind: str, server: ModelServer, waits: list[float], make_session: SessionMaker, policy: Policy
) -> None:
    """The URL, and what to start; asked twice, not four times."""
    extractor = build()
    server.close()
    error = failing(extractor, make_session("we use pnpm here"), policy)
    assert 1 == len(waits)
    assert isinstance(error, Transient)
    assert server.url in error.error
    assert ("start it with: ollama serve" if kind == "ollama" else "start it, or correct --base-url") == error.next


# ---------------------------------------------------------------------------------------------------- never again


def test_an_unknown_model(
    build: Build, kind: str, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """Terminal at the first answer; Ollama's says how to get it."""
    error = failing(build(model="nope"), make_session("we use pnpm here"), policy)
    assert isinstance(error, Terminal)
    assert 1 == len(server.requests)
    assert ("get it with: ollama pull nope" if kind == "ollama" else "check --model and --base-url") == error.next


@pytest.mark.parametrize("code", [401, 403])
def test_refused_credentials(
    code: int, build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """Terminal; a key that the server repeats is not in the message."""
    server.misbehave(Status(code, "Incorrect API key provided: sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"))
    error = failing(build(), make_session("we use pnpm here"), policy)
    assert isinstance(error, Terminal)
    assert 1 == len(server.chats)
    assert "abcdefghijkl" not in str(error)
    assert "AFTERPASS_API_KEY" in error.next


# ---------------------------------------------------------------------------------------------------- long sessions


def test_a_long_session_is_asked_in_windows(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """Each turn is asked about once, and the candidates of all windows come back with their own turns."""
    server.respond = lambda asked: Say(
        json.dumps(reply(item(evidence="we use pnpm", turn=17)) if "we use pnpm" in asked.prompt else reply())
    )
    texts = [f"{'some words about the work ' * 60}{number}" for number in range(1, 25)]
    texts[16] += " we use pnpm"
    found = build().propose(make_session(*texts), policy=policy)
    assert ["t-17"] == [one.turn for one in found.candidates if isinstance(one, Candidate)]
    assert len(found.calls) > 1
    prompts = "\n".join(chat.prompt for chat in server.chats)
    assert [1] * 24 == [prompts.count(f"\n[{number}] ") for number in range(1, 25)]


def test_a_window_that_does_not_fit_is_asked_in_two(
    build: Build, server: ModelServer, caplog: pytest.LogCaptureFixture, make_session: SessionMaker, policy: Policy
) -> None:
    """Context too long is no failure: smaller windows are, and it is said in the log."""
    server.longest_prompt = 1200
    session = make_session(*[f"{'some words about the work ' * 15}{number}" for number in range(1, 9)])
    with caplog.at_level(logging.INFO):
        found = build().propose(session, policy=policy)
    assert 4 == len(found.calls)  # two turns fit
    assert "did not fit" in caplog.text


def test_a_model_that_takes_nothing_at_all(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """Terminal when the smallest window does not fit."""
    server.longest_prompt = 10
    error = failing(build(), make_session("we use pnpm here"), policy)
    assert isinstance(error, Terminal)
    assert "larger context" in error.next


def test_instructions_that_fill_the_context(
    build: Build, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """Said before anything is asked."""
    error = failing(build(context=1024), make_session("we use pnpm here"), policy)
    assert isinstance(error, Terminal)
    assert [] == server.chats
    assert "1024 tokens" in error.error


# ---------------------------------------------------------------------------------------------------- one kind only


def test_ollama_takes_the_models_own_context(server: ModelServer, make_session: SessionMaker, policy: Policy) -> None:
    """``num_ctx`` is never more than the model can do."""
    server.context = 6000
    ModelExtractor(OllamaClient("m", server.url)).propose(make_session("we use pnpm here"), policy=policy)
    assert 6000 == server.chats[0].body["options"]["num_ctx"]


def test_ollama_shortening_a_prompt_is_noticed(server: ModelServer, make_session: SessionMaker, policy: Policy) -> None:
    """A prompt that filled the whole context was cut without a word: asked again in halves."""
    server.say(reply(), tokens_in=8192)
    session = make_session("first turn of two", "second turn of two")
    found = ModelExtractor(OllamaClient("m", server.url)).propose(session, policy=policy)
    assert (2, 3) == (len(found.calls), len(server.chats))


@pytest.mark.parametrize(
    ("refuse", "asked"),
    [
        ({"json_schema"}, ReplyFormat.JSON_OBJECT),
        ({"json_schema", "json_object"}, ReplyFormat.TEXT),
        ({"response_format"}, ReplyFormat.TEXT),
        ({"temperature"}, ReplyFormat.JSON_SCHEMA),
        ({"max_tokens"}, ReplyFormat.JSON_SCHEMA),
        ({"temperature", "max_tokens", "json_schema"}, ReplyFormat.JSON_OBJECT),
    ],
)
def test_openai_asks_for_less_and_remembers(
    refuse: set[str], asked: ReplyFormat, server: ModelServer, make_session: SessionMaker, policy: Policy
) -> None:
    """What a server refuses is left out, in this call and in every later one of the process."""
    server.refuse = refuse
    session = make_session("we use pnpm here")
    first = ModelExtractor(OpenAIClient("m", server.openai_url)).propose(session, policy=policy)
    tried = len(server.chats)
    second = ModelExtractor(OpenAIClient("m", server.openai_url)).propose(session, policy=policy)
    assert [asked, asked] == [call.format for call in (*first.calls, *second.calls)]
    assert tried > 1
    assert tried + 1 == len(server.chats)


def test_openai_gives_up_on_a_bad_request(server: ModelServer, make_session: SessionMaker, policy: Policy) -> None:
    """A 400 that no weaker request cures is terminal, with the server's words."""
    server.default = Status(400, "the moon is full")
    error = failing(ModelExtractor(OpenAIClient("m", server.openai_url)), make_session("we use pnpm"), policy)
    assert isinstance(error, Terminal)
    assert "the moon is full" in error.error


def test_openai_sends_the_key(server: ModelServer, make_session: SessionMaker, policy: Policy) -> None:
    """As a bearer token."""
    server.keys = {"k-1"}
    ModelExtractor(OpenAIClient("m", server.openai_url, api_key="k-1")).propose(make_session("hi you"), policy=policy)
    assert ["Bearer k-1"] == [request.authorization for request in server.chats]


def test_check(build: Build, server: ModelServer) -> None:
    """Silent when all is well; else the same errors as a real call."""
    build().client.check()
    with pytest.raises(Terminal, match="nope"):
        build(model="nope").client.check()
