"""What a model is shown of a session."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from extractors.windows import LEFT_OUT, Window, estimate_tokens, windows
from transcripts.session import Session

SessionMaker = Callable[..., Session]
KEY = "AKIAEXAMPLEEXAMPLEEX"


def shown(session: Session, tokens: int = 1000, first_turn: int = 0) -> list[str]:
    return [window.rendered for window in windows(session, tokens=tokens, first_turn=first_turn)]


def test_typed_words_are_numbered_and_the_agent_is_context(make_session: SessionMaker) -> None:
    """Aliases count the developer's turns; of the agent the end is shown; tools and systems are not."""
    session = make_session("fix it", ("agent", "Done.\nAlways use pnpm?"), ("tool", "SECRET OUTPUT"), "yes, always")
    assert ["[1] fix it\n(agent, context only) Done. Always use pnpm?\n[2] yes, always"] == shown(session)


def test_one_line_for_each_sentence(make_session: SessionMaker) -> None:
    """The words are the same, so that a quote of a line is a quote of the turn."""
    assert ["[1] two things.\n    we use pnpm here.\n    ok?"] == shown(
        make_session("two things. we use pnpm here. ok?")
    )


def test_a_long_agent_turn_is_cut_from_the_front(make_session: SessionMaker) -> None:
    """A question stands at the end."""
    (text,) = shown(make_session(("agent", "word " * 400 + "Use pnpm?"), "yes"))
    context = text.splitlines()[0]
    assert context.startswith("(agent, context only) … word")
    assert context.endswith("word Use pnpm?")
    assert len(context) < 320


def test_only_the_last_agent_turn_is_shown(make_session: SessionMaker) -> None:
    """Whatever the agent said earlier is not what the developer answered."""
    (text,) = shown(make_session(("agent", "first"), ("agent", "second"), "ok then"))
    assert "(agent, context only) second\n[1] ok then" == text


@pytest.mark.parametrize(
    ("agent", "developer", "shown_too"),
    [
        ("I renamed it.", "now fix the other thing that I told you about this morning", False),
        ("I renamed it. Keep the alias?", "now fix the other thing that I told you about this morning", True),
        ("I will always use pnpm.", "yes please", True),
    ],
)
def test_the_agent_is_shown_where_it_may_be_answered(
    agent: str, developer: str, shown_too: bool, make_session: SessionMaker
) -> None:
    """A question, or whatever stands before a short turn; anything else is noise."""
    (text,) = shown(make_session(("agent", agent), developer))
    assert shown_too == ("context only" in text)


def test_pasted_and_injected_text_is_left_out(make_session: SessionMaker) -> None:
    """A mark stands where something was pasted; injected text leaves none."""
    session = make_session([("typed", "look:"), ("pasted", "use yarn"), ("injected", "use npm"), ("typed", "odd")])
    assert [f"[1] look:\n    {LEFT_OUT} odd"] == shown(session)


def test_a_chosen_option_is_marked(make_session: SessionMaker) -> None:
    """It is the agent's wording."""
    assert ["[1] chosen from the agent's options: Use pnpm"] == shown(make_session([("chosen", "Use pnpm")]))


@pytest.mark.parametrize("turn", [[("pasted", "use yarn")], [("injected", "use yarn")], "👍", "?!", ""])
def test_nothing_typed_is_nothing_to_ask(turn: object, make_session: SessionMaker) -> None:
    """No window, so no model call."""
    assert [] == shown(make_session(turn, ("agent", "Shall I use pnpm?")))


def test_credentials_are_gone_before_anything_is_cut(make_session: SessionMaker) -> None:
    """In the developer's words and in the agent's cut, whole and in part."""
    session = make_session(("agent", f"{'x ' * 200}the key is {KEY}"), f"no, the key is {KEY} and {'y ' * 40}")
    for tokens in (80, 200, 1000):
        text = "\n".join(shown(session, tokens))
        assert not any(KEY[start : start + 12] in text for start in range(len(KEY) - 11))
        assert "[redacted]" in text


def test_windows_end_between_turns(make_session: SessionMaker) -> None:
    """Every turn is whole, in order, in exactly one window, and no window is over its size."""
    session = make_session(*[f"turn number {number} says something about the build" for number in range(1, 31)])
    cut = windows(session, tokens=100)
    assert list(range(1, 31)) == [piece.alias for window in cut for piece in window.pieces]
    assert len(cut) > 5
    assert all(estimate_tokens(window.rendered) <= 100 for window in cut)


def test_a_giant_turn_is_cut_between_sentences(make_session: SessionMaker) -> None:
    """Its parts keep the turn's number and lose no word."""
    text = " ".join(f"Sentence number {number} is about pnpm." for number in range(300))
    cut = windows(make_session(text), tokens=300)
    assert {1} == {piece.alias for window in cut for piece in window.pieces}
    assert text.split() == " ".join(piece.text for window in cut for piece in window.pieces).split()
    assert all(piece.text.endswith("pnpm.") for window in cut for piece in window.pieces)
    assert all(estimate_tokens(window.rendered) <= 300 for window in cut)


def test_a_giant_word_is_cut_all_the_same(make_session: SessionMaker) -> None:
    """A text without blanks cannot make a window too long."""
    cut = windows(make_session("名" * 5000), tokens=400)
    assert 5000 == sum(len(piece.text) for window in cut for piece in window.pieces)


def test_turns_read_before_are_context_at_most(make_session: SessionMaker) -> None:
    """The last of them is shown, shortened and marked, and the new ones are numbered from one."""
    session = make_session("we use pnpm", "staging deploys from x", ("agent", "Noted."), "no, from y")
    (window,) = windows(session, tokens=1000, first_turn=2)
    assert (
        "(earlier, context only) staging deploys from x\n(agent, context only) Noted.\n[1] no, from y"
        == window.rendered
    )
    assert [("t-4", "no, from y")] == [(piece.turn, piece.text) for piece in window.pieces]


def test_withdrawn_turns_are_not_shown(make_session: SessionMaker) -> None:
    """What was cancelled was not said."""
    session = make_session("we use pnpm", "keep going")
    first, second = session.turns
    gone = replace(session, turns=(first.taken_back(), second))
    assert ["[1] keep going"] == shown(gone)


def test_halves_keep_everything(make_session: SessionMaker) -> None:
    """A window that did not fit becomes two, down to a single short piece."""
    text = " ".join(f"Sentence number {number} is about pnpm." for number in range(40))
    (window,) = windows(make_session("first turn", text, ("agent", "ok?"), "third turn"), tokens=4000)
    waiting, least = [window], []
    while waiting:
        one = waiting.pop(0)
        halves = one.halves()
        least += [one] if halves is None else []
        waiting[:0] = halves or ()
    assert f"first turn {text} third turn".split() == " ".join(p.text for w in least for p in w.pieces).split()
    assert all(len(w.pieces) == 1 and len(w.pieces[0].text) < 400 for w in least)
    assert isinstance(least[0], Window)


@pytest.mark.parametrize(("text", "least"), [("a" * 300, 100), ("名" * 100, 150), ("", 0)])
def test_the_estimate_is_on_the_high_side(text: str, least: int) -> None:
    """Three plain characters a token, one and a half tokens a wide one."""
    assert least == estimate_tokens(text)
