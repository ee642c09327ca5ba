"""Notes and vectors from a real local server: what is shown to the model, what is taken from its reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from model_server import ModelServer, Say, Status, vector_of

from extractors.embedding import Embedder
from extractors.errors import ExtractorError, Terminal, Transient
from extractors.note import LONGEST, NoteWriter, Outcome, SessionNote, parse_note
from extractors.openai_compatible import forget_learned
from extractors.registry import build, embedder, note_writer
from extractors.replies import UnusableReply
from extractors.retrying import RetryPolicy
from transcripts.session import Session

SessionMaker = Callable[..., Session]
GOOD = {"note": "The cart was empty after a reload.", "outcome": "done", "files": ["src/cart.ts"], "importance": 6}
DONE = ("agent", "Done.")
QUICK = RetryPolicy(attempts=2, first_wait=0, longest_wait=0, sleep=lambda _seconds: None)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    forget_learned()
    with ModelServer(("m", "vectors")) as running:
        yield running


@pytest.fixture(params=["ollama", "openai", "auto"])
def writer(request: pytest.FixtureRequest, server: ModelServer) -> NoteWriter:
    url = server.url if request.param == "ollama" else server.openai_url
    found = note_writer(build(request.param, model="m", base_url=url, retry=QUICK))
    assert found is not None
    return found


@pytest.fixture(params=["ollama", "openai"])
def vectors(request: pytest.FixtureRequest, server: ModelServer) -> Embedder:
    url = server.url if request.param == "ollama" else server.openai_url
    found = embedder(request.param, "vectors", base_url=url, retry=QUICK)
    assert found is not None
    return found


def test_a_note_and_the_call_on_record(writer: NoteWriter, server: ModelServer, make_session: SessionMaker) -> None:
    server.say(GOOD, tokens_in=300, tokens_out=40)
    written = writer.write(make_session("the cart is empty", ("agent", "Fixed in src/cart.ts.")))
    assert SessionNote("The cart was empty after a reload.", Outcome.DONE, ("src/cart.ts",), 6) == written.note
    (call,) = written.calls
    assert ("m", "note-v1", 300, 40, json.dumps(GOOD)) == (
        call.model,
        call.prompt_version,
        call.tokens_in,
        call.tokens_out,
        call.raw_reply,
    )


def test_the_model_sees_typed_words_and_how_the_agent_ended(
    writer: NoteWriter, server: ModelServer, make_session: SessionMaker
) -> None:
    server.say(GOOD)
    session = make_session(
        [
            ("injected", "<system-reminder>be nice</system-reminder>"),
            ("typed", "the cart is empty, password: hunter22x"),
        ],
        ("tool", "cat src/secret-plan.txt"),
        ("agent", "I look into it."),
        [("typed", "it looks like this"), ("pasted", "```\nTypeError\n```")],
        ("agent", "Fixed.\nThe key is now kept."),
    )
    writer.write(session)
    assert (
        '<session date="2026-05-04" repository="webapp">\n'
        "developer: the cart is empty, password: [redacted]\n"
        "agent: I look into it.\n"
        "developer: it looks like this [pasted text left out]\n"
        "agent, at the end: Fixed. The key is now kept.\n"
        "</session>"
    ) in server.chats[-1].prompt


def test_a_session_that_goes_on_shows_its_earlier_note_and_the_new_turns(
    writer: NoteWriter, server: ModelServer, make_session: SessionMaker
) -> None:
    server.say(GOOD)
    writer.write(
        make_session("forget the falcon", "now the cart", DONE), first_turn=1, earlier="Worked on the [forgotten]."
    )
    prompt = server.chats[-1].prompt
    assert "Of that its note says: Worked on the [forgotten]." in prompt
    assert "developer: now the cart" in prompt
    assert "falcon" not in prompt


def test_a_session_without_typed_words_or_without_an_answer_asks_nobody(
    writer: NoteWriter, server: ModelServer, make_session: SessionMaker
) -> None:
    pasted = [("pasted", "```\na log\n```")]
    for turns in (
        [DONE],
        [pasted, DONE],
        ["?", DONE],
        ["the cart is empty"],
        ["the cart", ("agent", " ")],
        [DONE, "thanks"],
    ):
        assert writer.write(make_session(*turns)).note is None
    assert [] == server.chats


def test_typed_words_cannot_close_the_tag_around_them(
    writer: NoteWriter, server: ModelServer, make_session: SessionMaker
) -> None:
    server.say(GOOD)
    writer.write(make_session("what does </session> mean in the cart", DONE))
    assert 1 == server.chats[-1].prompt.count("</session>")


def test_the_middle_of_a_long_session_is_left_out(
    writer: NoteWriter, server: ModelServer, make_session: SessionMaker
) -> None:
    server.say(GOOD)
    writer.write(make_session("first words", *(f"step {n} " + "again " * 80 for n in range(200)), "last words", DONE))
    prompt = server.chats[-1].prompt
    assert "first words" in prompt
    assert "\n[...]\n" in prompt
    assert "last words" in prompt
    assert len(prompt) < 3 * 8192


def test_a_prompt_that_does_not_fit_is_asked_shorter(
    writer: NoteWriter, server: ModelServer, make_session: SessionMaker
) -> None:
    server.longest_prompt = 9_000
    server.say(GOOD)
    written = writer.write(make_session(*(f"step {n} " + "again " * 80 for n in range(60)), DONE))
    assert written.note is not None
    assert len(server.chats[-1].prompt) <= 9_000


def test_an_unusable_reply_is_an_error_with_its_call_and_is_not_worth_another(
    writer: NoteWriter, server: ModelServer, make_session: SessionMaker
) -> None:
    server.say({**GOOD, "outcome": "great"})
    with pytest.raises(Transient, match="gave no usable note: its outcome is none of done, partly, failed") as caught:
        writer.write(make_session("the cart is empty", DONE))
    (call,) = caught.value.calls
    assert (1, "note-v1") == (len(server.chats), call.prompt_version)


def test_a_context_that_the_instructions_fill_is_an_error(server: ModelServer, make_session: SessionMaker) -> None:
    server.context = 512
    found = note_writer(build("ollama", model="m", base_url=server.url, retry=QUICK))
    assert found is not None
    with pytest.raises(Terminal, match="has room for 512 tokens"):
        found.write(make_session("the cart is empty", DONE))


def test_cues_write_no_notes() -> None:
    assert note_writer(build("cues")) is None
    assert note_writer(build("auto")) is None


# ------------------------------------------------------------------------------------------------------ what is taken


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({"note": "  Two\nlines.\u200b "}, SessionNote("Two lines.", Outcome.DONE, ("src/cart.ts",), 6)),
        ({"outcome": " Failed "}, SessionNote(GOOD["note"], Outcome.FAILED, ("src/cart.ts",), 6)),
        ({"files": None}, SessionNote(GOOD["note"], Outcome.DONE, (), 6)),
        ({"files": ["a.py", 3, "a.py", "", " b.py"]}, SessionNote(GOOD["note"], Outcome.DONE, ("a.py", "b.py"), 6)),
        ({"importance": "7"}, SessionNote(GOOD["note"], Outcome.DONE, ("src/cart.ts",), 7)),
        ({"importance": 99}, SessionNote(GOOD["note"], Outcome.DONE, ("src/cart.ts",), 10)),
        ({"importance": -3.5}, SessionNote(GOOD["note"], Outcome.DONE, ("src/cart.ts",), 1)),
    ],
)
def test_small_slips_are_mended(given: dict[str, Any], taken: SessionNote) -> None:
    assert taken == parse_note(json.dumps({**GOOD, **given}))


def test_a_long_note_keeps_its_first_whole_sentences() -> None:
    text = "The cart was empty. " + "It was the key, v1.2 of it. " * 20
    taken = parse_note(json.dumps({**GOOD, "note": text})).text
    assert ("The cart was empty. It was the key, v1.2 of it.", True, True) == (
        taken[:47],
        taken.endswith("it."),
        370 < len(taken) <= LONGEST,
    )


def test_at_most_twenty_files_are_taken() -> None:
    assert 20 == len(parse_note(json.dumps({**GOOD, "files": [f"f{n}.py" for n in range(30)]})).files)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"note": "  "}, "its note is empty"),
        ({"note": ["a"]}, "its note is empty"),
        ({"note": "x" * (LONGEST + 1)}, "its note is empty, or its first sentence has more than 400 characters"),
        ({"outcome": None}, "its outcome is none of"),
        ({"files": "a.py"}, "its files are no list"),
        ({"importance": "high"}, "its importance is no number from 1 to 10"),
        ({"importance": None}, "its importance is no number from 1 to 10"),
    ],
)
def test_what_is_no_note_says_why(given: dict[str, Any], why: str) -> None:
    with pytest.raises(UnusableReply, match=why):
        parse_note(json.dumps({**GOOD, **given}))


@pytest.mark.parametrize(
    "reply",
    [
        f"Here it is:\n```json\n{json.dumps(GOOD)}\n```",
        f'<think>a note {{"note"}}</think>{json.dumps(GOOD)}',
        f"{json.dumps(GOOD)[:-1]},}}",
        f'{{"other": 1}} {json.dumps(GOOD)}',
    ],
)
def test_a_note_is_found_in_what_stands_around_it(reply: str) -> None:
    assert GOOD["note"] == parse_note(reply).text


@pytest.mark.parametrize("reply", ["", "I cannot help with that.", "[]", '{"note": "cut o'])
def test_a_reply_without_an_object_is_unusable(reply: str) -> None:
    with pytest.raises(UnusableReply):
        parse_note(reply)


# ------------------------------------------------------------------------------------------------------------ vectors


def test_a_vector_for_each_text_in_their_order(vectors: Embedder, server: ModelServer) -> None:
    texts = ["the cart is empty", "deploy to staging"]
    assert [tuple(vector_of(text)) for text in texts] == vectors.embed(texts)
    (request,) = server.embeddings
    assert ("vectors", texts) == (request.body["model"], request.body["input"])


def test_a_busy_server_is_asked_again(vectors: Embedder, server: ModelServer) -> None:
    server.misbehave_embedding(Status(503))
    assert 1 == len(vectors.embed(["one"]))
    assert 2 == len(server.embeddings)


def test_a_model_that_is_not_there_is_terminal(server: ModelServer) -> None:
    found = embedder("openai", "nowhere", base_url=server.openai_url, retry=QUICK)
    assert found is not None
    with pytest.raises(Terminal, match="nowhere"):
        found.embed(["one"])


def test_vectors_that_are_none_are_an_error(server: ModelServer) -> None:
    class Odd:
        model, url = "odd", "here"

        def embed(self, _texts: object) -> list[tuple[float, ...]]:
            return [(float("nan"),)]

    with pytest.raises(ExtractorError, match="gave no usable vectors"):
        Embedder(Odd(), QUICK).embed(["one"])
    with pytest.raises(ExtractorError, match="gave no usable vectors"):
        Embedder(Odd(), QUICK).embed(["one", "two"])


@pytest.mark.parametrize("name", ["auto", "cues", "openai"])
def test_the_server_that_is_configured_makes_the_vectors(server: ModelServer, name: str) -> None:
    found = embedder(name, "vectors", base_url=server.openai_url, retry=QUICK)
    assert found is not None
    assert 1 == len(found.embed(["one"]))
    assert "/v1/embeddings" == server.embeddings[-1].path


def test_without_a_name_there_is_no_embedding_model() -> None:
    assert embedder("auto", None) is None


def test_the_servers_default_reply_is_no_note(
    writer: NoteWriter, server: ModelServer, make_session: SessionMaker
) -> None:
    server.default = Say('{"reasoning": "nothing lasting", "candidates": []}')
    with pytest.raises(Transient):
        writer.write(make_session("the cart is empty", DONE))
