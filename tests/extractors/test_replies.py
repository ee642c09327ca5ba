"""Replies as models write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from extractors.replies import UnusableReply, parse_reply

A: dict[str, Any] = {"evidence": "we use pnpm", "type": "package_manager", "value": "pnpm"}
B: dict[str, Any] = {"evidence": "it's `make test`", "type": "test_command", "value": "make test"}
BOTH = {"reasoning": "two facts", "candidates": [A, B]}
ONE = {"reasoning": "one fact", "candidates": [A]}


@pytest.mark.parametrize(
    ("text", "items"),
    [
        pytest.param(json.dumps(BOTH), [A, B], id="plain"),
        pytest.param(json.dumps(BOTH, indent=2), [A, B], id="indented"),
        pytest.param(json.dumps([A, B]), [A, B], id="top-level list"),
        pytest.param(json.dumps(A), [A], id="one bare object"),
        pytest.param(json.dumps(A) + "\n" + json.dumps(B), [A, B], id="one object a line"),
        pytest.param(json.dumps({"facts": [A]}), [A], id="another key"),
        pytest.param(f"```json\n{json.dumps(BOTH)}\n```", [A, B], id="fence"),
        pytest.param(f"```\n{json.dumps(BOTH)}", [A, B], id="fence that is not closed"),
        pytest.param(f"Here you are [1]:\n{json.dumps(BOTH)}\nHope that helps {{}}", [A, B], id="prose around it"),
        pytest.param(f"<think>is {{it}} a fact?</think>{json.dumps(ONE)}", [A], id="thoughts"),
        pytest.param(f"the prompt began it</think>\n{json.dumps(ONE)}", [A], id="thoughts without a beginning"),
        pytest.param(f'Like {{"candidates": [...]}}: {json.dumps(ONE)}', [A], id="the instructions repeated first"),
        pytest.param(json.dumps(ONE).replace("]}", ",]}"), [A], id="trailing comma in the list"),
        pytest.param(json.dumps(ONE).replace('"}', '",}'), [A], id="trailing comma in the item"),
        pytest.param(str(BOTH).replace("it's", "it is"), [A, {**B, "evidence": "it is `make test`"}], id="Python's"),
        pytest.param('[{"evidence": "a\nb", "type": "t"}]', [{"evidence": "a\nb", "type": "t"}], id="raw line break"),
        pytest.param('{"candidates": []}', [], id="nothing found"),
        pytest.param("[]", [], id="nothing found, bare"),
        pytest.param('{"candidates": ["junk", 3]}', ["junk", 3], id="items that are none"),
    ],
)  # fmt: skip
def test_items(text: str, items: list[Any]) -> None:
    """The items come out as the model wrote them, and none is lost to its wrapping."""
    found = parse_reply(text)
    assert items == list(found.items)
    assert () == found.broken


@pytest.mark.parametrize("length", range(len(json.dumps(BOTH)) - 2, len(json.dumps(ONE)), -7))
def test_a_reply_that_was_cut_off_keeps_its_complete_items(length: int) -> None:
    """The first item survives wherever the second is cut; the cut one is kept as broken."""
    found = parse_reply(json.dumps(BOTH)[:length])
    assert A == found.items[0]
    assert len(found.items) == 2 or "cut off" in found.broken[0][1]


def test_one_bad_item_costs_that_item() -> None:
    """Its text is kept with the reason."""
    text = json.dumps({"candidates": [A, {"x": 1}, B]}).replace('{"x": 1}', '{"evidence": "say "hi" now"}')
    found = parse_reply(text)
    assert (A, B) == found.items
    assert (('{"evidence": "say "hi" now"}', "this item is not valid JSON"),) == found.broken


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("<think>we use pnpm, so…</think>", "thoughts and no answer"),
        ("<think>we use pnpm, so", "thoughts and no answer"),
        ("You've hit your usage limit. Upgrade your plan.", "quota"),
        ("Credit balance is too low: add credits", "quota"),
        ("Invalid API key · Please run /login", "login"),
        ("I'm sorry, but I can't help with that.", "refuses"),
        ('{"error": {"message": "model overloaded"}}', "reports an error"),
        ("There are no lasting facts in this session.", "prose without JSON"),
        ("The list [] is what you want", "no list"),
        ('{"reasoning": "nothing lasting"}', "no list"),
        ('{"candidates": null}', "no list"),
        ('{"candidates": [', "no list"),
        ('{"candidates": [{"evidence": "we us', "no item of its list is complete"),
        ("null", "prose without JSON"),
        ("[" * 100_000, "no list"),
    ],
)
def test_failures_are_never_nothing_found(text: str, why: str) -> None:
    """What holds no list is an error that says what it holds."""
    with pytest.raises(UnusableReply, match=why):
        parse_reply(text)
