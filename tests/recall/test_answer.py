"""One question, one answer: each rule of reading back with its own table, the values worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from afterpass.recall.answer import answer
from afterpass.recall.memory import Answer, Memory, Pending, Placement, Question, Remembered, Source
from policy.load import load_policy

REPO, DANA, LEE = "github.com/acme/webapp", "dana@acme.example", "lee@acme.example"
STATED = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
SOON = date(2026, 3, 11)  # ten days later
LOAD, FLAG, ASK = Placement.LOAD, Placement.FLAG, Placement.ASK
REQUEST, FILES, MEMORY, NONE = Source.REQUEST, Source.REPO, Source.MEMORY, Source.NONE


def fact(type_name: str, subject: str, value: str, **more: object) -> Remembered:
    """A fact that Dana stated on 1 March 2026."""
    base: dict[str, object] = {"owner": REPO, "stated": STATED, "id": f"f-{value}"}
    return Remembered(type=type_name, subject=subject, value=value, **{**base, **more})  # type: ignore[arg-type]


def item(kind: str, type_name: str, subject: str, current: str | None, proposed: str | None, **more: object) -> Pending:
    """An undecided question."""
    base: dict[str, object] = {"owner": REPO, "id": "r-1"}
    return Pending(kind, type=type_name, subject=subject, current=current, proposed=proposed, **{**base, **more})  # type: ignore[arg-type]


class Files:
    """What the repository's files answer, given as data."""

    def __init__(self, answers: dict[tuple[str, str], str]) -> None:
        self.answers = answers

    def answer(self, type_name: str, subject: str) -> str | None:
        return self.answers.get((type_name, subject))

    def holds(self, type_name: str, subject: str, value: str) -> bool:
        return self.answers.get((type_name, subject)) == value

    def hint(self, _fact_type: object, _subject: str) -> None:
        return None

    def mark_on(self, _path: str) -> None:
        return None


def ask(
    type_name: str,
    subject: str | None,
    *facts: Remembered,
    request: str = "",
    on: date = SOON,
    developer: str | None = DANA,
    pending: tuple[Pending, ...] = (),
    files: dict[tuple[str, str], str] | None = None,
) -> Answer:
    question = Question(type_name, subject, request, REPO, developer, on)
    repo = Files(files) if files is not None else None
    return answer(question, Memory(tuple(facts), pending), policy=load_policy(), repo=repo)


def row(got: Answer) -> tuple[str | None, Source, bool, Placement | None]:
    return got.value, got.source, got.ask_first, got.placement


def test_a_fact_that_was_said_again_later_is_as_old_then_as_its_first_statement() -> None:
    again = fact("package_manager", "", "pnpm", stated=STATED + timedelta(days=90), first_stated=STATED)
    then = Memory((again,)).said_by(STATED + timedelta(days=10))
    assert [10] == [each.age(SOON) for each in then.facts]
    assert (again,) == Memory((again,)).said_by(again.stated).facts
    assert () == Memory((again,)).said_by(STATED - timedelta(days=1)).facts


# Rule 1: the request, then the repository's files, then memory, else none.

YARN = fact("package_manager", "", "yarn")
PNPM = {("package_manager", ""): "pnpm"}
API, WHOLE = fact("test_command", "api", "make test-api"), fact("test_command", "", "make test")


@pytest.mark.parametrize(
    ("expected", "request_text", "files", "facts"),
    [
        (("bun", REQUEST, False, None), "add zod with bun", PNPM, (YARN,)),
        (("pnpm", FILES, False, None), "add zod, which manager?", PNPM, (YARN,)),
        (("yarn", MEMORY, False, LOAD), "add zod, which manager?", {}, (YARN,)),
        (("yarn", MEMORY, False, LOAD), "add zod", None, (YARN,)),
        ((None, NONE, True, None), "add zod", {}, ()),
    ],
)
def test_request_then_files_then_memory(
    expected: object, request_text: str, files: dict[tuple[str, str], str] | None, facts: tuple[Remembered, ...]
) -> None:
    assert expected == row(ask("package_manager", "", *facts, request=request_text, files=files))


def test_a_repository_that_contradicts_memory_names_the_stored_value() -> None:
    got = ask("package_manager", "", YARN, files=PNPM)
    assert '"yarn"' in got.note
    assert got.fact is None


@pytest.mark.parametrize(
    ("expected", "files"),
    [
        (("npm test", FILES, False, None), {("test_command", "api"): "npm test"}),
        (("make test-api", MEMORY, False, LOAD), {("test_command", ""): "npm test"}),
    ],
)
def test_what_is_known_of_the_part_comes_before_the_whole_project(
    expected: object, files: dict[tuple[str, str], str]
) -> None:
    assert expected == row(ask("test_command", "api", API, WHOLE, files=files))


def test_the_whole_project_in_the_files_comes_before_the_whole_project_in_memory() -> None:
    assert ("npm test", FILES, False, None) == row(
        ask("test_command", "web", API, WHOLE, files={("test_command", ""): "npm test"})
    )


def test_request_and_files_settle_high_stakes_too() -> None:
    stored = fact("deploy_target", "staging", "preview")
    assert ("release-7", REQUEST, False, None) == row(
        ask("deploy_target", "staging", stored, request="deploy staging from release-7")
    )
    assert ("main", FILES, False, None) == row(
        ask("deploy_target", "staging", stored, files={("deploy_target", "staging"): "main"})
    )


# Rule 2: nothing found asks; a fact that is held back is still the answer.


def test_nothing_found_asks() -> None:
    got = ask("deploy_target", "staging")
    assert (None, NONE, True, None) == row(got)
    assert (None, None) == (got.fact, got.age_days)


def test_a_fact_held_back_is_still_the_answer() -> None:
    got = ask("deploy_target", "staging", fact("deploy_target", "staging", "preview"))
    assert ("preview", MEMORY, True, ASK) == row(got)
    assert ("f-preview", 10) == (got.fact, got.age_days)


# Rules 3 to 5: stakes, confirmation, age.

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("expected", "type_name", "subject", "value", "confirmed_after", "asked_after"),
    [
        # low stakes: stated is confirmed; the window of package_manager is 365 days, of test_command 180
        ((False, LOAD), "package_manager", "", "pnpm", None, 365),
        ((False, FLAG), "package_manager", "", "pnpm", None, 366),
        ((False, LOAD), "test_command", "", "make test", None, 180),
        ((False, FLAG), "test_command", "", "make test", None, 181),
        ((False, LOAD), "test_command", "", "make test", 20, 200),
        ((False, FLAG), "test_command", "", "make test", 20, 201),
        ((False, LOAD), "code_style", "tests", "tests are named after behaviour", None, 4000),
        ((False, FLAG), "service_fact", "session cache", "runs redis 7", None, 181),
        # high stakes never confirmed: ask, whatever the age
        ((True, ASK), "deploy_target", "staging", "preview", None, 0),
        ((True, ASK), "reviewer", "api", "Sam", None, 400),
        # high stakes confirmed: load inside the window, still asked first; afterwards as the type says
        ((True, LOAD), "deploy_target", "staging", "preview", 0, 60),
        ((True, ASK), "deploy_target", "staging", "preview", 0, 61),
        ((True, LOAD), "deploy_target", "staging", "preview", 30, 90),
        ((True, LOAD), "reviewer", "api", "Sam", 0, 180),
        ((True, FLAG), "reviewer", "api", "Sam", 0, 181),
    ],
)
def test_stakes_confirmation_and_age(
    expected: object, type_name: str, subject: str, value: str, confirmed_after: int | None, asked_after: int
) -> None:
    confirmed = None if confirmed_after is None else STATED + confirmed_after * DAY
    got = ask(
        type_name, subject, fact(type_name, subject, value, confirmed=confirmed), on=STATED.date() + asked_after * DAY
    )
    assert (value, *expected) == (got.value, got.ask_first, got.placement)  # type: ignore[misc]
    assert asked_after - (confirmed_after or 0) == got.age_days


def test_the_age_runs_from_the_later_of_stated_and_confirmed() -> None:
    restated = fact("reviewer", "api", "Sam", stated=STATED + 50 * DAY, confirmed=STATED)
    assert 10 == ask("reviewer", "api", restated, on=STATED.date() + 60 * DAY).age_days


def test_a_fact_from_a_clock_that_runs_ahead_is_new() -> None:
    assert 0 == ask("package_manager", "", YARN, on=date(2026, 2, 1)).age_days


def test_a_flag_says_how_old_the_fact_is() -> None:
    got = ask("build_command", "", fact("build_command", "", "task image:build"), on=date(2026, 12, 12))
    assert FLAG == got.placement
    assert "2026-03-01, 286 days ago" in got.note


# Rule 6: undecided items.


@pytest.mark.parametrize("kind", ["replacement", "correction", "contradicts_repo", "confirmation"])
def test_an_undecided_item_makes_the_stored_value_a_question(kind: str) -> None:
    got = ask("package_manager", "", YARN, pending=(item(kind, "package_manager", "", "yarn", "bun"),))
    assert ("yarn", MEMORY, True, ASK) == row(got)
    assert '"yarn"' in got.note
    assert '"bun"' in got.note


@pytest.mark.parametrize(
    "harmless",
    [
        item("forget_unclear", "package_manager", "", "yarn", None),
        item("confirmation", "package_manager", "", "yarn", "Yarn"),  # says what is stored
        item("replacement", "package_manager", "python", "pip", "uv"),  # another slot
        item("replacement", "test_command", "", "make test", "just test"),  # another type
        item("replacement", "package_manager", "", "yarn", "bun", owner="github.com/acme/infra"),
        item(
            "replacement", "package_manager", "", "yarn", "bun", until=date(2026, 3, 10)
        ),  # was for a time that is over
    ],
)
def test_items_that_do_not_touch_the_value(harmless: Pending) -> None:
    assert ("yarn", MEMORY, False, LOAD) == row(ask("package_manager", "", YARN, pending=(harmless,)))


def test_a_correction_without_a_new_value_is_a_doubt_too() -> None:
    got = ask("package_manager", "", YARN, pending=(item("correction", "package_manager", "", "yarn", ""),))
    assert ("yarn", MEMORY, True, ASK) == row(got)


def test_an_undecided_item_stands_against_a_dated_rule_of_its_slot() -> None:
    dated = fact("package_manager", "", "bun", until=date(2026, 3, 31))
    got = ask("package_manager", "", YARN, dated, pending=(item("replacement", "package_manager", "", "yarn", "pnpm"),))
    assert ("bun", MEMORY, True, ASK) == row(got)


def test_an_undecided_confirmation_of_an_empty_slot_is_no_answer() -> None:
    got = ask("test_command", "", pending=(item("confirmation", "test_command", "", None, "cargo nextest run"),))
    assert (None, NONE, True, None) == row(got)
    assert "cargo nextest run" in got.note


# Rule 7: dated rules.


@pytest.mark.parametrize(
    ("expected", "on"),
    [
        ("tilt up", date(2026, 3, 30)),
        ("tilt up", date(2026, 3, 31)),  # the last day is its own
        ("make dev", date(2026, 4, 1)),
    ],
)
def test_a_dated_rule_stands_in_for_the_default_until_its_last_day(expected: str, on: date) -> None:
    default = fact("run_command", "", "make dev", stated=STATED + DAY)  # stated after the dated rule, still the default
    dated = fact("run_command", "", "tilt up", until=date(2026, 3, 31))
    assert (expected, MEMORY, False, LOAD) == row(ask("run_command", "", default, dated, on=on))


def test_a_dated_rule_without_a_default_leaves_nothing_behind() -> None:
    dated = fact("run_command", "", "tilt up", until=date(2026, 3, 31))
    assert (None, NONE, True, None) == row(ask("run_command", "", dated, on=date(2026, 4, 1)))


def test_of_two_dated_rules_the_later_statement_holds() -> None:
    first = fact("run_command", "", "tilt up", until=date(2026, 3, 31))
    second = fact("run_command", "", "skaffold dev", until=date(2026, 3, 20), stated=STATED + DAY)
    assert "skaffold dev" == ask("run_command", "", first, second).value
    assert "tilt up" == ask("run_command", "", first, second, on=date(2026, 3, 21)).value


def test_a_dated_rule_of_a_multi_type_hides_nothing() -> None:
    always = fact("do_not_edit", "", "gen/")
    dated = fact("do_not_edit", "", "db/schema.sql", until=date(2026, 3, 31))
    assert "gen/" == ask("do_not_edit", "", always, dated, request="rename it in gen/api.ts").value
    assert "db/schema.sql" == ask("do_not_edit", "", always, dated, request="edit db/schema.sql").value
    after = ask("do_not_edit", "", always, dated, request="edit db/schema.sql", on=date(2026, 4, 1))
    assert (None, NONE, False, None) == row(after)


# Rule 8: subjects.


@pytest.mark.parametrize(
    ("expected", "subject", "facts"),
    [
        ("make test-api", "api", (API, WHOLE)),
        ("make test-api", "the api tests", (API, WHOLE)),
        ("make test", "web", (API, WHOLE)),
        ("make test", "", (API, WHOLE)),
        ("make test-api", "API", (API,)),
        (None, "web", (API,)),
        (None, "", (API,)),
    ],
)
def test_the_exact_subject_then_the_empty_one(
    expected: str | None, subject: str, facts: tuple[Remembered, ...]
) -> None:
    assert expected == ask("test_command", subject, *facts).value


@pytest.mark.parametrize("said", ["prod", "production", "Live", "the production environment"])
def test_aliases_are_one_subject(said: str) -> None:
    stored = fact("deploy_target", "production", "release/*")
    assert "release/*" == ask("deploy_target", said, stored, fact("deploy_target", "staging", "main")).value


@pytest.mark.parametrize(
    ("expected", "request_text"),
    [
        ("main", "deploy it to stage"),
        ("release/*", "roll it out to prod please"),
        (None, "compare staging with production, then deploy"),
        (None, "deploy it"),
    ],
)
def test_a_subject_that_nobody_gave_is_taken_from_the_request(expected: str | None, request_text: str) -> None:
    targets = (fact("deploy_target", "production", "release/*"), fact("deploy_target", "staging", "main"))
    assert expected == ask("deploy_target", None, *targets, request=request_text).value
    assert expected == ask("deploy_target", "", *targets, request=request_text).value


def test_an_empty_subject_that_was_given_stays_empty() -> None:
    assert ask("test_command", "", API, request="run all tests, not only the api ones").value is None
    assert "make test-api" == ask("test_command", None, API, request="run the api tests").value


@pytest.mark.parametrize(
    ("expected", "type_name", "subject", "request_text"),
    [
        ("the session cache runs redis 7", "service_fact", "the session cache", ""),
        ("the session cache runs redis 7", "decision", "session cache", ""),  # stored as a neighbouring type
        (None, "service_fact", "cart cache", ""),
        (None, "service_fact", "session store", ""),
        ("we use luxon for dates", "decision", "date", ""),
        ("we use luxon for dates", "decision", "", "which library for dates?"),
        (None, "decision", "date pickers", ""),
        (None, "preference", "session cache", ""),  # whose scope is another
    ],
)
def test_statements_are_found_by_their_topic(
    expected: str | None, type_name: str, subject: str, request_text: str
) -> None:
    facts = (
        fact("service_fact", "session cache", "the session cache runs redis 7"),
        fact("decision", "dates", "we use luxon for dates"),
    )
    assert expected == ask(type_name, subject, *facts, request=request_text).value


def test_two_values_in_one_slot_are_both_shown_and_asked() -> None:
    got = ask("package_manager", "", YARN, fact("package_manager", "", "bun", stated=STATED - DAY))
    assert ("yarn", MEMORY, True, ASK) == row(got)
    assert '"bun"' in got.note


# Rule 9: preferences and owners.

SHORT = fact("preference", "summaries", "summaries as one short paragraph", owner=DANA)
TABLE = fact("preference", "summaries", "summaries as a table", owner=LEE)


@pytest.mark.parametrize(
    ("expected", "developer"),
    [
        ("summaries as one short paragraph", DANA),
        ("summaries as a table", LEE),
        (None, "wei@acme.example"),
        (None, None),
    ],
)
def test_preferences_belong_to_a_developer(expected: str | None, developer: str | None) -> None:
    assert expected == ask("preference", "summaries", SHORT, TABLE, developer=developer).value


def test_another_repository_is_never_read() -> None:
    other = fact("package_manager", "", "yarn", owner="github.com/acme/infra")
    assert (None, NONE, True, None) == row(ask("package_manager", "", other))


# Rule 10: paths that are not to be edited.

SCHEMA = fact("do_not_edit", "", "db/schema.sql")
GEN = fact("do_not_edit", "", "src/generated/**", confirmed=STATED)


@pytest.mark.parametrize(
    ("expected", "request_text"),
    [
        (("db/schema.sql", MEMORY, True, ASK), "rename the column in db/schema.sql"),
        (("db/schema.sql", MEMORY, True, ASK), "rename it in src/a.ts and schema.sql"),
        (("src/generated/**", MEMORY, True, LOAD), "fix src/generated/client.ts"),
        (("src/generated/**", MEMORY, True, LOAD), "fix the typo in the generated client"),
        (("db/schema.sql, src/generated/**", MEMORY, True, ASK), "edit db/schema.sql and src/generated/client.ts"),
        (("db/schema.sql, src/generated/**", MEMORY, True, ASK), "What must I not touch here?"),
        (("db/schema.sql, src/generated/**", MEMORY, True, ASK), ""),
        ((None, NONE, False, None), "fix src/app.ts"),
        ((None, NONE, False, None), "explain db/schema.sql to me"),
        (("db/schema.sql", REQUEST, False, None), "rename it in src/app.ts but leave db/schema.sql alone"),
        (("src/generated/**", MEMORY, True, LOAD), "fix src/generated/a.ts but leave db/schema.sql alone"),
    ],
)
def test_a_request_that_would_touch_a_stored_path_asks(expected: object, request_text: str) -> None:
    assert expected == row(ask("do_not_edit", "", SCHEMA, GEN, request=request_text))


def test_a_path_may_be_given_as_the_subject() -> None:
    assert "db/schema.sql" == ask("do_not_edit", "db/schema.sql", SCHEMA, GEN).value
    assert (None, NONE, False, None) == row(ask("do_not_edit", "src/app.ts", SCHEMA, GEN))


def test_joined_paths_name_every_fact() -> None:
    got = ask("do_not_edit", "", SCHEMA, GEN)
    assert ("f-db/schema.sql", "f-src/generated/**") == got.facts


def test_without_any_stored_path_a_request_goes_ahead() -> None:
    assert (None, NONE, False, None) == row(ask("do_not_edit", "", request="edit db/schema.sql"))


def test_an_undecided_correction_of_one_path_leaves_the_others() -> None:
    doubt = (item("correction", "do_not_edit", "", "db/schema.sql", "db/schema/**"),)
    held = ask("do_not_edit", "", SCHEMA, GEN, request="edit src/generated/a.ts", pending=doubt)
    assert ("src/generated/**", MEMORY, True, LOAD) == row(held)
    assert "db/schema/**" in ask("do_not_edit", "", SCHEMA, GEN, request="edit db/schema.sql", pending=doubt).note


# Rules 11 and 12 are the store's: what it forgot or marked wrong is not among the facts, and what is left answers.


def test_what_was_forgotten_is_not_there_and_its_neighbour_is() -> None:
    assert "make test-api" == ask("test_command", "api", API).value
    assert ask("test_command", "e2e", API).value is None


def test_the_json_of_an_answer() -> None:
    got = ask("deploy_target", "staging", fact("deploy_target", "staging", "preview"))
    assert {
        "value": "preview",
        "source": "memory",
        "ask_first": True,
        "placement": "ask",
        "fact": "f-preview",
        "age_days": 10,
        "note": "stated 2026-03-01, never confirmed by a person",
        "facts": ["f-preview"],
    } == got.to_json()


@pytest.mark.parametrize(
    ("expected", "type_name", "subject"),
    [
        ({"f-one", "f-two"}, "code_style", "quotes"),
        ({"f-one", "f-two"}, "code_style", "single quotes"),
        ({"f-tabs", "f-spaces"}, "code_style", "indentation"),
        ({"f-cache", "f-redis"}, "service_fact", "cache"),
        ({"f-cache", "f-redis"}, "service_fact", "redis cache"),
        ({"f-tool"}, "decision", "test tool"),
        ({"f-place"}, "decision", "test folder"),
    ],
)
def test_statements_that_cannot_both_hold_are_asked_about_with_all_their_values(
    expected: set[str], type_name: str, subject: str
) -> None:
    later = {"stated": STATED + timedelta(days=5)}
    facts = (
        fact("code_style", "single quotes", "always use single quotes", id="f-one"),
        fact("code_style", "double quotes everywhere", "we use double quotes everywhere", id="f-two", **later),
        fact("code_style", "indent tabs", "we indent with tabs", id="f-tabs"),
        fact("code_style", "two spaces indentation", "we use two spaces for indentation", id="f-spaces", **later),
        fact("service_fact", "redis cache", "the redis cache lives in eu-west-1", id="f-redis"),
        fact("service_fact", "cache", "the cache lives in us-east-1 now", id="f-cache", **later),
        fact("decision", "test tool", "tests use pytest", id="f-tool"),
        fact("decision", "test folder", "tests live in tests/", id="f-place"),
    )
    got = ask(type_name, subject, *facts)
    assert expected == set(got.facts)
    assert (len(expected) > 1, ASK if len(expected) > 1 else LOAD) == (got.ask_first, got.placement)
    assert all(one.value in got.note for one in facts if one.id in expected and len(expected) > 1)
