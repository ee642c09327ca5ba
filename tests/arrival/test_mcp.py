"""The MCP server, driven by the protocol's own client over standard input and output."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from store.store import Store

Talk = Callable[[Client], Awaitable[Any]]


def talk(desk: Any, conversation: Talk, *, where: Any = None) -> Any:
    """What a conversation with a server gives that is started in the checkout."""

    async def meet() -> Any:
        words = ["-I", "-m", "afterpass", "mcp"]
        server = StdioServerParameters(
            command=sys.executable, args=words, env=desk.environ, cwd=str(where or desk.checkout)
        )
        async with Client(server) as client:
            return await conversation(client)

    return anyio.run(meet)


def call(desk: Any, tool: str, *, where: Any = None, **arguments: object) -> dict[str, Any]:
    """What one tool answers."""

    async def ask(client: Client) -> dict[str, Any]:
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert result.structured_content == json.loads(result.content[0].text)
        return dict(result.structured_content)

    return dict(talk(desk, ask, where=where))


def failure(desk: Any, tool: str, **arguments: object) -> str:
    """What a model is told when a tool fails."""

    async def ask(client: Client) -> str:
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        return str(result.content[0].text)

    return str(talk(desk, ask))


def rows(desk: Any, what: str) -> list[dict[str, Any]]:
    """What a command of the store's owner lists."""
    return list(json.loads(desk.run(*what.split(), "--json").stdout))


def test_the_tools_say_what_they_do_and_take_no_owner(desk: Any) -> None:
    async def list_them(client: Client) -> Any:
        return (await client.list_tools()).tools

    found = {tool.name: tool for tool in talk(desk, list_them)}
    assert {"confirm_fact", "forget_fact", "list_facts", "recall", "recall_notes", "remember_fact", "why"} == set(found)
    taken = {name for tool in found.values() for name in tool.input_schema["properties"]}
    assert {"task", "type", "subject", "fact", "words", "value", "query"} == taken
    reads = {name for name, tool in found.items() if tool.annotations.read_only_hint}
    assert {"list_facts", "recall", "recall_notes", "why"} == reads
    assert all(tool.description for tool in found.values())


def test_recall_tells_what_matters_and_answers_one_question(desk: Any) -> None:
    fact = desk.remember("release/7", "deploy_target", "staging", days_ago=70)
    told = call(desk, "recall", task="deploy to staging")
    assert ('"release/7"' in told["block"], [fact.id]) == (True, [one["id"] for one in told["facts"]])
    found = call(desk, "recall", type="deploy_target", subject="staging")
    assert ("release/7", "memory", True, fact.id) == tuple(
        found[name] for name in ("value", "source", "ask_first", "fact")
    )
    told_of = {"by": "mcp", "eligible": [fact.id], "placed": {fact.id: "ask"}, "shown": [fact.id], "asked": [fact.id]}
    assert [told_of, told_of] == [{name: line[name] for name in told_of} for line in desk.records()]
    assert "is not a type of fact" in failure(desk, "recall", type="colour")


def test_a_model_cannot_clear_a_question_of_high_stakes_with_its_own_words(desk: Any) -> None:
    asked = {"type": "deploy_target", "subject": "staging", "task": "deploy staging from release-9"}
    found = call(desk, "recall", **asked)
    assert (None, "none", True) == (found["value"], found["source"], found["ask_first"])
    desk.remember("release/7", "deploy_target", "staging", days_ago=3)
    found = call(desk, "recall", **asked)
    assert ("release/7", "memory", True) == (found["value"], found["source"], found["ask_first"])
    found = call(desk, "recall", type="package_manager", task="add zod with yarn")
    assert ("yarn", "request", False) == (found["value"], found["source"], found["ask_first"])


def test_a_running_server_sees_what_changed_in_the_checkout(desk: Any) -> None:
    workflow, owners = desk.checkout / ".github/workflows/ci.yml", desk.checkout / ".github/CODEOWNERS"
    workflow.parent.mkdir(parents=True)

    async def ask(client: Client) -> list[Any]:
        async def values() -> tuple[Any, ...]:
            asked = (("test_command", ""), ("reviewer", "billing"), ("package_manager", ""))
            told = [await client.call_tool("recall", {"type": name, "subject": subject}) for name, subject in asked]
            return tuple(one.structured_content["value"] for one in told)

        found = [await values()]
        for command, owner, lock in (
            ("make test", "@acme/pay", "yarn.lock"),
            ("make check", "@acme/money", "bun.lock"),
        ):
            workflow.write_text(f"on: push\njobs:\n  test:\n    steps:\n      - run: {command}\n", "utf-8")
            owners.write_text(f"/billing/ {owner}\n", "utf-8")
            (desk.checkout / "yarn.lock").unlink(missing_ok=True)
            (desk.checkout / lock).write_text("", "utf-8")
            found.append(await values())
        return found

    expected = [(None, None, None), ("make test", "@acme/pay", "yarn"), ("make check", "@acme/money", "bun")]
    assert expected == talk(desk, ask)


def test_a_fact_that_the_files_contradict_is_placed_nowhere(desk: Any) -> None:
    desk.remember("pnpm", "package_manager")
    told = [("pnpm", "memory", None, "load"), ("pnpm", "repo", None, "load"), ("pnpm", "repo", "yarn", None)]
    found = []
    for lock in (None, "pnpm-lock.yaml", "yarn.lock"):
        (desk.checkout / "pnpm-lock.yaml").unlink(missing_ok=True)
        if lock:
            (desk.checkout / lock).touch()
        (fact,) = call(desk, "list_facts")["facts"]
        found.append(tuple(fact[name] for name in ("value", "source", "files_say", "placement")))
    assert told == found


def test_the_owner_is_where_the_server_was_started(desk: Any, tmp_path: Any) -> None:
    mine, theirs = desk.remember("make test"), desk.remember("make other", owner="github.com/acme/other")
    assert [mine.id] == [one["id"] for one in call(desk, "list_facts")["facts"]]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert [] == call(desk, "list_facts", where=elsewhere)["facts"]
    for tool, arguments in (("why", {}), ("confirm_fact", {"words": "yes"}), ("forget_fact", {"words": "forget it"})):
        assert f"there is no fact '{theirs.id}' here" in failure(desk, tool, fact=theirs.id, **arguments)


def test_why_gives_the_words_and_what_stood_there_before(desk: Any) -> None:
    old = desk.remember("make test", days_ago=9)
    new = desk.remember("make check", days_ago=1)
    story = call(desk, "why", fact=new.id)
    assert [(old.id, "superseded"), (new.id, "active")] == [(one["id"], one["state"]) for one in story["facts"]]
    assert "make check" == story["facts"][1]["evidence"]["text"]


def test_a_proposal_is_a_question_and_nothing_else(desk: Any) -> None:
    told = call(desk, "remember_fact", words="we use pnpm here", type="package_manager", value="pnpm")
    assert "confirmation" == told["code"]
    (item,) = rows(desk, "review")
    assert (told["queued"], "confirmation", "pnpm", "we use pnpm here") == (
        item["id"],
        item["kind"],
        item["proposed"],
        item["evidence"]["text"],
    )
    assert [] == rows(desk, "facts")
    assert "pnpm" not in desk.hook()
    desk.run("review", "accept", told["queued"])
    assert [("package_manager", "pnpm")] == [(one["type"], one["value"]) for one in rows(desk, "facts")]


@pytest.mark.parametrize(
    ("words", "type_name", "value", "code"),
    [
        ("use pnpm just this once", "package_manager", "pnpm", "one_off_cue"),
        ("should we use pnpm?", "package_manager", "pnpm", "not_asserted"),
        ("we use pnpm here", "package_manager", "yarn", "value_not_in_evidence"),
        ("we use pnpm here", "colour", "pnpm", "type_not_allowed"),
        ("the key prefix is AKIAIOSFODNN7EXAMPLE", "identifier", "AKIAIOSFODNN7EXAMPLE", "secret"),
        ("", "package_manager", "pnpm", "evidence_not_found"),
    ],
)
def test_words_that_do_not_pass_the_checks_are_refused_and_on_record(
    desk: Any, words: str, type_name: str, value: str, code: str
) -> None:
    told = call(desk, "remember_fact", words=words, type=type_name, value=value)
    assert (None, code) == (told["queued"], told["code"])
    assert [(code, "mcp")] == [(row["code"], row["extractor"]) for row in rows(desk, "rejected")]
    assert ([], []) == (rows(desk, "review"), rows(desk, "facts"))
    assert "AKIA" not in json.dumps([told, rows(desk, "rejected")])


def test_a_replacement_is_asked_about_and_the_stored_value_stays(desk: Any) -> None:
    fact = desk.remember("main", "deploy_target", "staging")
    told = call(
        desk,
        "remember_fact",
        words="staging moved to preview",
        type="deploy_target",
        subject="staging",
        value="preview",
    )
    assert "as the developer's own they would be replacement" in told["detail"]
    assert [(fact.id, "main")] == [(one["id"], one["value"]) for one in rows(desk, "facts")]
    assert ("main", True) == tuple(
        call(desk, "recall", type="deploy_target", subject="staging")[name] for name in ("value", "ask_first")
    )


def test_saying_a_stored_value_again_moves_no_date(desk: Any) -> None:
    fact = desk.remember("pnpm", "package_manager", days_ago=30)
    told = call(desk, "remember_fact", words="we use pnpm here", type="package_manager", value="pnpm")
    assert "confirmation" == told["code"]
    (row,) = rows(desk, "facts")
    assert (fact.stated_at, 1) == (datetime.fromisoformat(row["stated_at"]), row["times_stated"])


def test_a_confirmation_waits_for_a_person(desk: Any) -> None:
    fact = desk.remember("main", "deploy_target", "staging", days_ago=70)
    told = call(desk, "confirm_fact", fact=fact.id, words="yes, still main")
    assert "confirmation" == told["code"]
    (row,) = rows(desk, "facts")
    assert fact.confirmed_at == datetime.fromisoformat(row["confirmed_at"])
    assert call(desk, "recall", type="deploy_target", subject="staging")["ask_first"]
    desk.run("review", "accept", told["queued"])
    (row,) = rows(desk, "facts")
    assert datetime.now(UTC).date() == datetime.fromisoformat(row["confirmed_at"]).date()


@pytest.mark.parametrize(
    ("action", "reason", "state"),
    [
        ("confirm", "a person stood by the stored value since", "active"),
        ("retire", "its fact was retired", "retired"),
        ("forget", "its slot was forgotten", "forgotten"),
    ],
)
def test_a_hand_on_a_fact_names_what_it_answers(desk: Any, action: str, reason: str, state: str) -> None:
    fact = desk.remember("make test")
    item = call(desk, "forget_fact", fact=fact.id, words="forget the test command")["queued"]
    done = desk.run("facts", action, fact.id)
    today = datetime.now(UTC).date()
    assert f"{item} is answered by this, and closed: forget, {today}\n" == done.stderr
    shown = desk.run("review", "show", item).stdout
    assert f"  expired today by dana@acme.example: {reason}\n" in shown
    assert ([], [state]) == (rows(desk, "review"), [one["state"] for one in rows(desk, "facts --all")])


@pytest.mark.parametrize("words", ["no", "no, staging is on preview now", "hm, why?", "just this once"])
def test_words_that_are_no_yes_confirm_nothing(desk: Any, words: str) -> None:
    fact = desk.remember("main", "deploy_target", "staging", days_ago=70)
    assert None is call(desk, "confirm_fact", fact=fact.id, words=words)["queued"]
    assert [] == rows(desk, "review")


def test_forgetting_waits_for_a_person(desk: Any) -> None:
    fact = desk.remember("gen/", "do_not_edit")
    told = call(desk, "forget_fact", fact=fact.id, words="forget the rule about gen/")
    assert "forget_unclear" == told["code"]
    assert ["active"] == [one["state"] for one in rows(desk, "facts --all")]
    desk.run("review", "accept", told["queued"])
    assert ["forgotten"] == [one["state"] for one in rows(desk, "facts --all")]


@pytest.mark.parametrize(
    ("tool", "said", "kind", "asked", "accepting", "refusing"),
    [
        (
            "remember_fact",
            {"words": "we use pnpm here", "type": "package_manager", "value": "pnpm"},
            "confirmation",
            "through its tool: were they said so, and meant to last?",
            "keeps it",
            "nothing is stored",
        ),
        (
            "remember_fact",
            {"words": "always run make check", "type": "test_command", "value": "make check"},
            "confirmation",
            "through its tool: were they said so, and meant to last?",
            "replaces 'pytest -q'",
            "'pytest -q' stays",
        ),
        (
            "confirm_fact",
            {"words": "yes, it does"},
            "confirmation",
            "through its tool: they say that the stored value holds. Does it?",
            "confirms 'pytest -q'",
            "'pytest -q' stays",
        ),
        (
            "forget_fact",
            {"words": "forget the test command"},
            "forget",
            "through its tool: a wish to forget the stored value. Forget it?",
            "forgets 'pytest -q'",
            "'pytest -q' stays",
        ),
    ],
)
def test_the_queue_says_that_an_agent_passed_the_words_on(
    desk: Any, tool: str, said: dict[str, str], kind: str, asked: str, accepting: str, refusing: str
) -> None:
    """Nobody takes them for words of a transcript, and everybody sees what a decision does."""
    fact = desk.remember("pytest -q")
    item = call(desk, tool, **said, **({} if "value" in said else {"fact": fact.id}))["queued"]
    listed = desk.run("review").stdout
    assert all(text in listed for text in (said["words"], "passed on by an agent's tool", f" {kind} ", accepting))
    shown = desk.run("review", "show", item).stdout
    assert f"An agent passed these words on as the developer's, {asked}\n" in shown
    assert f"  accept:   {accepting}\n  reject:   {refusing}\n" in shown
    assert f"«{said['words']}»" in shown
    assert ["tool"] == [one["raised_by"] for one in rows(desk, "review")]


def test_words_without_a_wish_to_forget_forget_nothing(desk: Any) -> None:
    fact = desk.remember("gen/", "do_not_edit")
    assert (None, "not_asserted") == tuple(
        call(desk, "forget_fact", fact=fact.id, words="I edited gen/ by hand")[name] for name in ("queued", "code")
    )


def test_what_was_passed_on_is_whole_in_the_store_and_not_judged_again(desk: Any) -> None:
    call(desk, "remember_fact", words="we use pnpm here", type="package_manager", value="pnpm")
    call(desk, "remember_fact", words="should we use yarn?", type="package_manager", value="yarn")
    with Store(desk.home).connect() as db:
        assert [] == db.verify()
    replayed = json.loads(desk.run("replay", "--json").stdout)
    assert [] == replayed["changes"]


def test_one_server_takes_many_proposals(desk: Any) -> None:
    async def propose(client: Client) -> list[Any]:
        told = []
        for value in ("make test-a", "make test-b"):
            words = {"words": f"run the tests with `{value}`, always", "type": "test_command", "value": value}
            told.append((await client.call_tool("remember_fact", words)).structured_content["queued"])
        return told

    first, second = talk(desk, propose)
    assert (first, [first], ["make test-b"]) == (
        second,
        [item["id"] for item in rows(desk, "review")],
        [item["proposed"] for item in rows(desk, "review")],
    )


def test_a_store_that_is_held_is_an_error_in_a_line(desk: Any) -> None:
    desk.home.mkdir()
    (desk.home / "afterpass.duckdb").write_text("no database")
    said = failure(desk, "remember_fact", words="we use pnpm here", type="package_manager", value="pnpm")
    assert ("cannot be read" in said, 1) == (True, len(said.splitlines()))
