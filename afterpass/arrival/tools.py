"""What a model may ask and propose over MCP. The owner is where the server was started, never an argument.

Reading is free inside that owner. Everything else ends as a question to the developer at most: nothing that a model
says raises its own authority, and nothing that it says takes a rule away.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from afterpass.arrival.memory import remembered_at
from afterpass.arrival.proposing import Channel, files_of
from afterpass.arrival.recording import put_on_record, record_of_answer, record_of_notes
from afterpass.arrival.telling import MOST_IDS, eligible_ids, record_of
from afterpass.context import database
from afterpass.recall.answer import answer
from afterpass.recall.block import DEFAULT_BUDGET, select
from afterpass.recall.memory import Question, remembered
from afterpass.recall.past import look, notes_of
from afterpass.recall.paths import inside_checkout
from afterpass.recall.render import render, selection_json, whether_it_holds
from policy.errors import AfterpassError

if TYPE_CHECKING:
    from datetime import date

    from afterpass.arrival.place import Place
    from policy.model import Policy
    from policy.settings import Settings
    from store.interface import Database
    from store.records import Fact

ALL = 10**9  # tokens: no budget


class Tools:
    """The tools of one server, for one place."""

    def __init__(self, settings: Settings, place: Place, policy: Policy) -> None:
        self.settings = settings
        self.place = place
        self.policy = policy
        self.channel = Channel(place, policy)

    def recall(self, task: str = "", type_name: str = "", subject: str | None = None) -> dict[str, Any]:
        """The block for a task, or with a type the answer to one question. Raises StoreError, AfterpassError."""
        memory = remembered_at(self.settings, self.place.repo, self.place.developer)
        if type_name and type_name not in self.policy.types:
            raise AfterpassError(f"{type_name!r} is not a type of fact", "known types: " + ", ".join(self.policy.types))
        question = self._question(type_name, subject, task)
        eligible = eligible_ids(question, memory, self.policy)[:MOST_IDS]
        if type_name:
            found = answer(question, memory, policy=self.policy, repo=files_of(self.place))
            self._put_on_record(
                task, {"type": type_name, "subject": subject, "eligible": eligible, **record_of_answer(found)}
            )
            return found.to_json()
        selection = select(question, memory, policy=self.policy, repo=files_of(self.place), budget=DEFAULT_BUDGET)
        text = render(selection)
        self._put_on_record(task, record_of(selection, selection, eligible, text))
        return selection_json(selection, text)

    def recall_notes(self, query: str = "") -> dict[str, Any]:
        """The notes of past sessions of this place that matter for a query. Raises StoreError."""
        repo, who = self.place.repo, self.place.developer
        notes = notes_of(self.settings, repo, who)
        told, problem = look(self.settings, self.policy, query, notes, repo=repo, who=who, on=_today())
        self._put_on_record(query, record_of_notes(told))
        return told.to_json() | ({"problem": problem} if problem else {})

    def list_facts(self) -> dict[str, Any]:
        """Every active fact of the repository and the developer, with its placement. Raises StoreError."""
        memory = remembered_at(self.settings, self.place.repo, self.place.developer)
        everything = select(self._question(""), memory, policy=self.policy, repo=files_of(self.place), budget=ALL)
        told = selection_json(everything, "")
        return {name: told[name] for name in ("repo", "developer", "facts")}

    def why(self, fact_id: str) -> dict[str, Any]:
        """The history of a fact's slot, with the developer's words behind each value. Raises StoreError."""
        with database(self.settings) as db:
            return db.history(self._fact(db, fact_id).id).to_json()

    def remember_fact(self, words: str, type_name: str, value: str, subject: str = "") -> dict[str, Any]:
        """Judge the developer's words, and put the value into the queue where they pass. Raises StoreError."""
        candidate = {"evidence": words, "type": type_name, "subject": subject, "value": value, "kind": "standing"}
        with database(self.settings) as db:
            return self._propose(db, candidate)

    def confirm_fact(self, fact_id: str, words: str) -> dict[str, Any]:
        """Judge the words as an answer to the question whether a fact still holds. Raises StoreError."""
        with database(self.settings) as db:
            fact = self._fact(db, fact_id)
            kind = self.policy.types.get(fact.type)
            asked = whether_it_holds(kind, remembered(fact), _today()) if kind else ""
            return self._propose(db, {**_about(fact), "evidence": words, "kind": "standing"}, asked=asked)

    def forget_fact(self, fact_id: str, words: str) -> dict[str, Any]:
        """Judge the words as a wish to forget a fact. Raises StoreError."""
        with database(self.settings) as db:
            return self._propose(db, {**_about(self._fact(db, fact_id)), "evidence": words, "kind": "forget"})

    def _propose(self, db: Database, candidate: dict[str, Any], *, asked: str = "") -> dict[str, Any]:
        decision, review = self.channel.propose(db, candidate, asked=asked)
        told: dict[str, Any] = {"queued": review, "code": decision.code.value, "detail": decision.detail}
        if review is None:
            return {**told, "next": "nothing was changed; say it to the developer if it matters"}
        return {
            **told,
            "next": f"nothing was changed: the developer decides with `afterpass review accept {review}`; what they "
            "say in their own words counts when this session has ended",
        }

    def _fact(self, db: Database, fact_id: str) -> Fact:
        """A fact of this place. Another owner's is told from one that does not exist by nobody."""
        mine = [*db.facts(all=True, repo=self.place.repo, developer=self.place.developer)]
        found = [fact for fact in mine if fact_id and fact.id.startswith(fact_id)]
        if len({fact.id for fact in found}) != 1:
            raise AfterpassError(f"there is no fact {fact_id!r} here", "list_facts names them")
        return found[0]

    def _question(self, type_name: str, subject: str | None = None, task: str = "") -> Question:
        place, request = self.place, inside_checkout(task, self.place.top)
        return Question(type_name, subject, request, place.repo, place.developer, _today(), by_model=True)

    def _put_on_record(self, query: str, record: dict[str, Any]) -> None:
        place = self.place
        put_on_record(
            self.settings,
            "mcp",
            record,
            repo=place.repo,
            developer=place.developer,
            query=query,
            session=self.channel.id,
        )


def _about(fact: Fact) -> dict[str, Any]:
    return {"type": fact.type, "subject": fact.subject, "value": fact.value}


def _today() -> date:
    return datetime.now().astimezone().date()
