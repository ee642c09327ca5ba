"""Random lives of facts, against a small reference kept in memory: after every step both say the same."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, settings, strategies
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from store.errors import AlreadyDecided, Conflict, NotDecided, SlotChanged, StaleReview
from store.store import Store
from validators.verdict import Code

SLOTS = (("deploy_target", "staging"), ("deploy_target", "production"), ("do_not_edit", ""))
MULTI = {"do_not_edit"}
VALUES = ("alpha", "beta", "gamma")
STEPS = int(os.environ.get("AFTERPASS_MODEL_STEPS", "60"))


@dataclass
class Believed:
    """A row of the reference."""

    slot: tuple[str, str]
    value: str
    state: str = "active"
    said: float = 0
    times: int = 1
    confirmed: bool = False
    erased: bool = False


@dataclass
class Asked:
    """A review item of the reference. ``did`` is what its decision did, for undoing."""

    slot: tuple[str, str]
    kind: str
    proposed: str
    base: str | None
    newest: float
    state: str = "open"
    touched: float = 0
    statements: dict[str, int] = field(default_factory=dict)
    did: dict[str, Any] = field(default_factory=dict)


class Life(RuleBasedStateMachine):
    """Writes, restatements, questions, decisions, undo, forgetting and work by hand, in any order."""

    make_store: Any = None
    make_work: Any = None

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.day = 0.0
        self.rows: dict[str, Believed] = {}
        self.items: dict[str, Asked] = {}
        self.changes: dict[tuple[str, str], int] = {}

    @initialize()
    def open(self) -> None:
        store = type(self).make_store()
        self.work = self.stack.enter_context(type(self).make_work(store))

    def teardown(self) -> None:
        self.stack.close()

    # --- the reference -------------------------------------------------------------------------------------------

    def tick(self) -> float:
        self.day += 1
        return self.day

    def active(self, slot: tuple[str, str], value: str | None = None) -> list[str]:
        return [
            row_id
            for row_id, row in self.rows.items()
            if row.state == "active" and row.slot == slot and value in (None, row.value)
        ]

    def touch(self, slot: tuple[str, str]) -> None:
        self.changes[slot] = self.changes.get(slot, 0) + 1

    def close(self, slot: tuple[str, str], values: set[str] | None, why: str) -> list[str]:
        closed = []
        for item_id, item in self.items.items():
            about = {item.proposed, self.rows[item.base].value if item.base else ""}
            if item.state == "open" and item.slot == slot and (values is None or about & values):
                item.state = "expired"
                closed.append(item_id)
        del why
        return closed

    # --- what a pass does ----------------------------------------------------------------------------------------

    @rule(slot=strategies.sampled_from(SLOTS), value=strategies.sampled_from(VALUES))
    def say(self, slot: tuple[str, str], value: str) -> None:
        """A plain statement, judged as the checks would: new, the same again, or a replacement to be asked about."""
        day = self.tick()
        held = self.active(slot, value)
        others = self.active(slot)
        multi = slot[0] in MULTI
        facts = {fact.id: fact for fact in self.work.db.facts()}
        session = self.work.session(f"s{day}", f"well {value} for {day}", day=day)
        quote = f"{value} for {day}"
        if held:
            targets = (known(facts[held[0]]),)
            landed = self.work.land(
                session, self.work.decide(session, quote, Code.SAME_VALUE, *slot, value, targets=targets)
            )
            row = self.rows[held[0]]
            row.times, row.said = row.times + 1, day
            self.touch(slot)
        elif others and not multi:
            targets = (known(facts[others[0]]),)
            landed = self.work.land(
                session, self.work.decide(session, quote, Code.REPLACEMENT, *slot, value, targets=targets)
            )
            self.ask(landed.decisions[0].review_id, slot, "replacement", value, others[0], day)
        else:
            landed = self.work.land(session, self.work.decide(session, quote, Code.NEW, *slot, value))
            self.rows[landed.decisions[0].fact_id] = Believed(slot, value, said=day)
            self.touch(slot)
            for item in self.items.values():
                if (
                    item.state == "open"
                    and item.slot == slot
                    and item.kind == "confirmation"
                    and item.proposed == value
                ):
                    item.state = "expired"

    @rule(slot=strategies.sampled_from(SLOTS), value=strategies.sampled_from(VALUES))
    def assent(self, slot: tuple[str, str], value: str) -> None:
        """The developer says yes to a proposal of the agent's."""
        if self.active(slot, value):
            return
        day = self.tick()
        facts = {fact.id: fact for fact in self.work.db.facts()}
        base = None if slot[0] in MULTI else next(iter(self.active(slot)), None)
        session = self.work.session(f"s{day}", f"yes {value} for {day}", day=day)
        targets = (known(facts[base]),) if base else ()
        decision = self.work.decide(session, f"yes {value}", Code.CONFIRMATION, *slot, value, targets=targets)
        landed = self.work.land(session, decision)
        self.ask(landed.decisions[0].review_id, slot, "confirmation", value, base, day)

    @rule(slot=strategies.sampled_from(SLOTS[:2]), value=strategies.sampled_from((*VALUES, "")))
    def correct(self, slot: tuple[str, str], value: str) -> None:
        """The stored value was wrong; perhaps without a new one."""
        base = next(iter(self.active(slot)), None)
        if base is None or self.rows[base].value == value:
            return
        day = self.tick()
        facts = {fact.id: fact for fact in self.work.db.facts()}
        session = self.work.session(f"s{day}", f"no it is not that {day}", day=day)
        decision = self.work.decide(
            session, f"not that {day}", Code.CORRECTION, *slot, value, targets=(known(facts[base]),)
        )
        landed = self.work.land(session, decision)
        self.ask(landed.decisions[0].review_id, slot, "correction", value, base, day)

    def ask(self, item_id: str, slot: tuple[str, str], kind: str, value: str, base: str | None, day: float) -> None:
        item = self.items.get(item_id)
        if item is None:
            item = self.items[item_id] = Asked(slot, kind, value, base, day)
        item.proposed, item.base, item.newest, item.touched = value, base, day, day
        item.statements[value] = item.statements.get(value, 0) + 1

    @rule(slot=strategies.sampled_from(SLOTS), data=strategies.data())
    def forget(self, slot: tuple[str, str], data: strategies.DataObject) -> None:
        held = self.active(slot)
        if not held:
            return
        row_id = data.draw(strategies.sampled_from(sorted(held)))
        day = self.tick()
        self.work.forget(self.work.db.fact(row_id), day=day, value=self.rows[row_id].value)
        self.gone(row_id)

    def gone(self, row_id: str) -> None:
        row = self.rows[row_id]
        row.state = "forgotten"
        self.touch(row.slot)
        self.close(row.slot, {row.value} if row.slot[0] in MULTI else None, "forgotten")

    def pick(self, data: strategies.DataObject, *states: str) -> str:
        """An item, mostly the one of these states that was touched last: that is where something can happen."""
        fitting = [item_id for item_id, item in self.items.items() if item.state in states]
        if fitting and data.draw(strategies.integers(0, 3)):
            return max(fitting, key=lambda item_id: (self.items[item_id].touched, item_id))
        return data.draw(strategies.sampled_from(sorted(self.items)))

    # --- what a person does --------------------------------------------------------------------------------------

    @precondition(lambda self: self.items)
    @rule(data=strategies.data())
    def accept(self, data: strategies.DataObject) -> None:
        item_id = self.pick(data, "open")
        item, day = self.items[item_id], self.tick()
        try:
            done = self.work.db.accept(item_id, actor="dana", now=self.work.at(day))
        except AlreadyDecided:
            assert item.state != "open"
            return
        except StaleReview:
            assert item.state == "open"
            assert self.is_stale(item)
            return
        assert item.state == "open"
        assert not self.is_stale(item)
        item.state, item.touched = "accepted", day
        self.take(item, done.result_fact)
        item.did["changes"] = self.changes.get(item.slot, 0)

    def is_stale(self, item: Asked) -> bool:
        if item.base:
            return self.rows[item.base].state != "active"
        if item.slot[0] in MULTI:
            return False
        return any(self.rows[row_id].value != item.proposed for row_id in self.active(item.slot))

    def take(self, item: Asked, result: str | None) -> None:
        item.did = {"ended": [], "written": None, "restated": None, "closed": []}
        if item.kind == "correction":
            self.rows[item.base].state = "wrong"  # type: ignore[index]  # a correction has a base
            item.did["ended"] = [item.base]
        if item.proposed:
            held = self.active(item.slot, item.proposed)
            if held:
                row = self.rows[held[0]]
                item.did["restated"] = (held[0], row.times, row.said, row.confirmed)
                row.times += item.statements[item.proposed]
                row.said, row.confirmed = max(row.said, item.newest), True
                if item.kind != "correction":
                    item.did["closed"] += self.answer(held[0])
            else:
                for row_id in self.active(item.slot) if item.slot[0] not in MULTI else []:
                    self.rows[row_id].state = "superseded"
                    item.did["ended"].append(row_id)
                times = item.statements[item.proposed]
                assert result is not None
                self.rows[result] = Believed(item.slot, item.proposed, said=item.newest, times=times, confirmed=True)
                item.did["written"] = result
            if item.kind != "correction":
                for other_id, other in self.items.items():
                    if other.state == "open" and other.slot == item.slot and other.proposed == item.proposed:
                        other.state = "expired"
                        item.did["closed"].append(other_id)
        self.touch(item.slot)

    @precondition(lambda self: self.items)
    @rule(data=strategies.data())
    def reject(self, data: strategies.DataObject) -> None:
        item_id = self.pick(data, "open")
        item, day = self.items[item_id], self.tick()
        try:
            self.work.db.reject(item_id, actor="dana", now=self.work.at(day))
        except AlreadyDecided:
            assert item.state != "open"
            return
        assert item.state == "open"
        item.state, item.touched = "refused", day
        item.did = {
            "ended": [],
            "written": None,
            "restated": None,
            "closed": [],
            "changes": self.changes.get(item.slot, 0),
        }

    @precondition(lambda self: self.items)
    @rule(data=strategies.data())
    def undo(self, data: strategies.DataObject) -> None:
        item_id = self.pick(data, "accepted", "refused")
        item, day = self.items[item_id], self.tick()
        try:
            self.work.db.undo(item_id, actor="dana", now=self.work.at(day))
        except NotDecided:
            assert item.state not in ("accepted", "refused") or self.erased(item)
            return
        except SlotChanged:
            twin = [other for other in self.items.values() if self.clashes(item, other)]
            assert item.did["changes"] != self.changes.get(item.slot, 0) or twin
            return
        assert item.did["changes"] == self.changes.get(item.slot, 0)
        item.state, item.touched = "open", day
        if item.did["written"]:
            self.rows[item.did["written"]].state = "retired"
        for row_id in item.did["ended"]:
            self.rows[row_id].state = "active"
        if item.did["restated"]:
            row_id, times, said, confirmed = item.did["restated"]
            row = self.rows[row_id]
            row.times, row.said, row.confirmed = times, said, confirmed
        for other_id in item.did["closed"]:
            other = self.items[other_id]
            if not any(self.clashes(other, third) for third in self.items.values()):
                other.state = "open"
        if item.did["written"] or item.did["ended"] or item.did["restated"]:
            self.touch(item.slot)
        item.did = {}

    def erased(self, item: Asked) -> bool:
        return any(row.erased and row.slot == item.slot for row in self.rows.values())

    def clashes(self, one: Asked, other: Asked) -> bool:
        """Whether another open item has taken the place that an item would be opened in."""
        same = other is not one and other.state == "open" and (other.slot, other.kind) == (one.slot, one.kind)
        return same and (one.slot[0] not in MULTI or other.proposed == one.proposed)

    @precondition(lambda self: self.rows)
    @rule(data=strategies.data(), what=strategies.sampled_from(("confirm", "retire", "restore", "erase", "edit")))
    def by_hand(self, data: strategies.DataObject, what: str) -> None:
        row_id = data.draw(strategies.sampled_from(sorted(self.rows)))
        row, day = self.rows[row_id], self.tick()
        now = self.work.at(day)
        try:
            if what == "confirm":
                self.work.db.confirm_fact(row_id, actor="dana", now=now)
            elif what == "retire":
                self.work.db.retire_fact(row_id, actor="dana", now=now)
            elif what == "restore":
                self.work.db.restore_fact(row_id, actor="dana", now=now)
            elif what == "erase":
                self.work.db.forget_fact(row_id, actor="dana", now=now)
            else:
                new = self.work.db.edit_fact(row_id, f"edited {day}", actor="dana", now=now)
        except Conflict:
            assert not self.allowed(row, what)
            return
        assert self.allowed(row, what)
        if what in ("confirm", "edit"):
            self.answer(row_id)
        if what == "confirm":
            row.confirmed = True
        elif what == "retire":
            row.state = "retired"
            for item in self.items.values():
                if item.state == "open" and item.base == row_id:
                    item.state = "expired"
        elif what == "restore":
            row.state = "active"
        elif what == "edit":
            row.state = "superseded"
            self.rows[new.id] = Believed(row.slot, f"edited {day}", said=day, confirmed=True)
        else:
            self.erase(row_id, row)
        self.touch(row.slot)

    def answer(self, row_id: str) -> list[str]:
        """A person stood by a row or changed it: what was asked about it is answered, and what asked for its value."""
        row, answered = self.rows[row_id], []
        for item_id, item in self.items.items():
            about = row.slot[0] not in MULTI or item.base == row_id or item.proposed == row.value
            if item.state == "open" and item.slot == row.slot and about:
                item.state = "expired"
                answered.append(item_id)
        return answered

    def erase(self, row_id: str, row: Believed) -> None:
        if row.state == "active":
            self.gone(row_id)
        row.state, value = "forgotten", row.value
        for other in self.rows.values():
            if other.slot == row.slot and other.value == value and other.state != "active":
                other.value, other.erased, other.times = "", True, 0
        for item in self.items.values():
            if item.state == "open" and (item.slot, item.proposed) == (row.slot, value):
                item.state = "expired"

    def allowed(self, row: Believed, what: str) -> bool:
        if what == "erase":
            return not row.erased
        if what == "restore":
            free = not self.active(row.slot, row.value if row.slot[0] in MULTI else None)
            return row.state not in ("active", "expired") and not row.erased and free
        return row.state == "active"

    # --- both say the same ---------------------------------------------------------------------------------------

    @invariant()
    def same_facts(self) -> None:
        if not hasattr(self, "work"):
            return
        stored = {
            fact.id: (fact.state.value, fact.value, fact.times_stated, fact.confirmed_by is not None)
            for fact in self.work.db.facts(all=True)
        }
        expected = {row_id: (row.state, row.value, row.times, row.confirmed) for row_id, row in self.rows.items()}
        assert expected == stored

    @invariant()
    def same_items(self) -> None:
        if not hasattr(self, "work"):
            return
        stored = {item.id: item.state.value for item in self.work.db.reviews(all=True)}
        assert {item_id: item.state for item_id, item in self.items.items()} == stored

    @invariant()
    def clean(self) -> None:
        if hasattr(self, "work") and self.day % 5 == 0:
            assert [] == self.work.db.verify()


def known(fact: Any) -> Any:
    from validators.verdict import KnownFact

    return KnownFact(fact.type, fact.subject, fact.value, fact.stated_at, fact.confirmed_at, fact.valid_until, fact.id)


@pytest.mark.parametrize("kind", ["duckdb", "postgres"])
def test_random_lives_agree_with_the_reference(kind: str, request: pytest.FixtureRequest, open_work: Any) -> None:
    folder = Path(tempfile.mkdtemp())
    server = request.getfixturevalue("server") if kind == "postgres" else ""

    def make_store() -> Store:
        if kind == "duckdb":
            return Store(folder / uuid.uuid4().hex)
        import psycopg

        schema = f"m{uuid.uuid4().hex[:12]}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
        return Store(folder, url=f"{server}&{urlencode({'options': f'-c search_path={schema}'})}")

    class ThisLife(Life):
        pass

    ThisLife.make_store, ThisLife.make_work = staticmethod(make_store), staticmethod(open_work)
    examples = max(2, STEPS // 30)
    try:
        run_state_machine_as_test(
            ThisLife,
            settings=settings(
                max_examples=examples,
                stateful_step_count=30,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                derandomize="AFTERPASS_MODEL_STEPS" not in os.environ,
            ),
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
