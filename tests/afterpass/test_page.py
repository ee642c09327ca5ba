"""The review page: what it shows, what its forms do, and who is kept out."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest

from afterpass.page.app import make_app, plain
from flows.run import run
from policy.settings import Settings

TOKEN = "a-secret-that-is-hard-to-guess"
BASE = "http://127.0.0.1:8000"
STORY = [
    ("february", "2026-02-10T10:00:00Z", ["staging always deploys from the branch staging", "just this once use npm"]),
    ("june", "2026-06-10T10:00:00Z", ["staging moved to preview", "from now on we use <b>pnpm</b> & nothing else"]),
]

ASKED = ("agent", 'I have "legacy/" as not to be edited, from 2026-02-10 (120 days ago). Does it still hold?')


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home in which a replacement waits."""
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    for name, ended, texts in STORY:
        header = {"afterpass": 1, "session": name, "repo": "github.com/acme/webapp", "ended": ended}
        turns = [{"id": str(n), "speaker": "developer", "time": ended, "text": text} for n, text in enumerate(texts, 1)]
        lines = [json.dumps(line) + "\n" for line in (header | {"developer": "dana@acme.example"}, *turns)]
        (sessions / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    settings = Settings(home=tmp_path / "home", extractor="cues", developer="dana@acme.example")
    run(settings, [sessions])
    return settings


class Browser:
    """Asks the app as a browser does that knows the address."""

    def __init__(self, settings: Settings) -> None:
        self.app = make_app(settings, TOKEN)

    def ask(self, method: str, path: str, **how: Any) -> httpx.Response:
        async def once() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url=how.pop("base", BASE)) as client:
                return await client.request(method, path, **how)

        return asyncio.run(once())

    def get(self, page: str = "", **how: Any) -> httpx.Response:
        return self.ask("GET", f"/{TOKEN}/{page}", **how)

    def post(self, page: str, form: dict[str, str] | None = None, **how: Any) -> httpx.Response:
        headers = {"Origin": BASE, "Sec-Fetch-Site": "same-origin"} | how.pop("headers", {})
        return self.ask("POST", f"/{TOKEN}/{page}", data=form or {}, headers=headers, **how)

    def item(self) -> str:
        """The id of the one item that waits."""
        (found,) = re.findall(r'<article id="([^"]+)"', self.get().text)
        return str(found)

    def facts(self, page: str = "facts") -> list[list[str]]:
        """The cells of the table of facts."""
        reader = Table()
        reader.feed(self.get(page).text)
        return reader.rows


class Table(HTMLParser):
    """The rows of a page's table body."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = self._inside or tag == "tbody"
        if self._inside and tag == "tr":
            self.rows.append([])
        if self._inside and tag == "td":
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "tbody"

    def handle_data(self, data: str) -> None:
        if self._inside and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()


@pytest.fixture
def browser(settings: Settings) -> Browser:
    return Browser(settings)


def staging(browser: Browser, page: str = "facts") -> dict[str, str]:
    """Value and state of the rows about staging."""
    return {row[2]: row[3] for row in browser.facts(page) if row[1] == "deploy_target [staging]"}


def test_the_queue_shows_both_values_their_words_and_their_ages(browser: Browser) -> None:
    page = browser.get()
    assert (200, "text/html; charset=utf-8") == (page.status_code, page.headers["content-type"])
    assert "<h1>1 waiting for you</h1>" in page.text
    stored, proposed = re.findall(r"<dd><b>(.*?)</b>.*?(\d{4}-\d\d-\d\d) \((.*?)\).*?<q>(.*?)</q>", page.text, re.S)
    assert ("staging", "2026-02-10") == stored[:2]
    assert ("preview", "2026-06-10") == proposed[:2]
    assert "<mark>staging moved to preview</mark>" == proposed[3]
    assert (
        "<dt>accept</dt>\n<dd>replaces &#39;staging&#39;</dd>\n<dt>reject</dt>\n<dd>&#39;staging&#39; stays</dd>"
        in page.text
    )
    assert re.fullmatch(r"\d+ (d|mo|y)|today", proposed[2])


def test_accepting_changes_the_fact_and_undo_brings_it_back(browser: Browser) -> None:
    item = browser.item()
    done = browser.post(f"review/{item}/accept")
    assert (303, f"/{TOKEN}/?said={item}%3A+accepted") == (done.status_code, done.headers["location"])
    assert {"preview": "active"} == staging(browser)
    assert {"preview": "active", "staging": "superseded"} == staging(browser, "facts?all=1")
    assert "Nothing waits." in browser.get().text
    assert 303 == browser.post(f"review/{item}/undo").status_code
    assert {"staging": "active"} == staging(browser)
    assert item == browser.item()


def test_another_value_can_be_accepted(browser: Browser) -> None:
    assert 303 == browser.post(f"review/{browser.item()}/accept", {"value": " release "}).status_code
    assert {"release": "active"} == staging(browser)


def test_rejecting_keeps_the_stored_value_and_the_reason(browser: Browser, settings: Settings) -> None:
    from store.store import Store

    item = browser.item()
    assert 303 == browser.post(f"review/{item}/reject", {"reason": "only a plan"}).status_code
    assert {"staging": "active"} == staging(browser)
    with Store(settings.home).connect() as db:
        decided = db.review(item)
    assert ("refused", "only a plan", "dana@acme.example") == (decided.state, decided.reason, decided.decided_by)


def test_what_cannot_be_done_is_said_and_changes_nothing(browser: Browser) -> None:
    item = browser.item()
    unfit = browser.post(f"review/{item}/accept", {"value": "rm -rf / now"})
    assert (409, True) == (unfit.status_code, "cannot be kept" in unfit.text)
    browser.post(f"review/{item}/reject")
    again = browser.post(f"review/{item}/accept")
    assert 409 == again.status_code
    assert 'role="status"' in again.text
    assert 409 == browser.post("review/r_none/accept").status_code
    assert 404 == browser.post(f"review/{item}/burn").status_code
    assert 413 == browser.post(f"review/{item}/accept", {"value": "x" * 70_000}).status_code
    assert {"staging": "active"} == staging(browser)


def test_what_was_not_kept_is_listed_with_its_reason(browser: Browser) -> None:
    assert "one_off_cue" in browser.get("rejected").text
    assert "<h1>0 not kept: secret</h1>" in browser.get("rejected?code=secret").text


@pytest.mark.parametrize("page", ["", "facts", "rejected", "style.css"])
def test_nobody_gets_in_without_the_secret(browser: Browser, page: str) -> None:
    for path in (f"/{page}", f"/wrong/{page}", f"/{TOKEN}x/{page}", f"//{TOKEN}/{page}", f"/{TOKEN[:-1]}/{page}"):
        answer = browser.ask("GET", path)
        assert (404, "not found") == (answer.status_code, answer.text)
    assert 200 == browser.get(page).status_code


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_of_another_site_does_nothing(browser: Browser, headers: dict[str, str]) -> None:
    assert 404 == browser.post(f"review/{browser.item()}/accept", headers=headers).status_code
    assert {"staging": "active"} == staging(browser)


def test_a_decision_is_never_a_link(browser: Browser) -> None:
    assert 405 == browser.get(f"review/{browser.item()}/accept").status_code


def test_another_name_that_leads_here_is_not_served(browser: Browser) -> None:
    assert 404 == browser.get(base="http://evil.example:8000").status_code
    assert 200 == browser.get(base="http://localhost:8000").status_code


def test_no_answer_may_run_scripts_be_framed_or_be_kept(browser: Browser) -> None:
    for answer in (browser.get(), browser.get("facts"), browser.ask("GET", "/")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert ("no-store", "nosniff") == (answer.headers["cache-control"], answer.headers["x-content-type-options"])
    assert "<script" not in browser.get().text


def test_what_was_said_is_shown_as_text(browser: Browser) -> None:
    said = browser.get("?said=<script>alert(1)</script>").text
    assert "<script>" not in said
    assert "&lt;script&gt;" in said


@pytest.mark.parametrize(
    ("text", "shown"),
    [("plain", "plain"), ("a\nb", "a\nb"), ("a\u202eb", "a\\u202eb"), ("a\x1b[2J", "a\\u001b[2J"), (None, "")],
)
def test_hidden_characters_are_made_visible(text: str | None, shown: str) -> None:
    assert shown == plain(text)


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_command_serves_until_it_is_stopped(settings: Settings, sent: signal.Signals, code: int) -> None:
    command = [sys.executable, "-I", "-m", "afterpass", "ui", "--home", str(settings.home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", url)
        assert "1 waiting for you" in httpx.get(url, timeout=30).text
        server.send_signal(sent)
        rest, said = server.communicate(timeout=30)
    assert (code, "") == (server.returncode, rest)
    assert "Traceback" not in said
    assert url not in said


def test_a_port_that_is_taken_or_is_none_is_one_line(settings: Settings) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        for port, code in ((str(taken.getsockname()[1]), 1), ("70000", 2)):
            command = [sys.executable, "-I", "-m", "afterpass", "ui", "--home", str(settings.home), "--port", port]
            ended = subprocess.run(command, capture_output=True, text=True, check=False)
            assert (code, "", 1) == (ended.returncode, ended.stdout, ended.stderr.count("\n"))


def test_a_bare_no_says_what_accepting_it_does(tmp_path: Path) -> None:
    said = {
        "february": [("developer", "never touch legacy/")],
        "june": [("developer", "tidy up"), ASKED, ("developer", "no")],
    }
    for month, (name, turns) in zip(("02", "06"), said.items(), strict=True):
        ended = f"2026-{month}-10T10:00:00Z"
        header = {"afterpass": 1, "session": name, "repo": "github.com/acme/webapp", "ended": ended}
        lines = [header, *({"speaker": speaker, "text": text, "time": ended} for speaker, text in turns)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    settings = Settings(home=tmp_path / "home", extractor="cues", developer="dana@acme.example")
    run(settings, [tmp_path / "february.jsonl", tmp_path / "june.jsonl"])
    browser = Browser(settings)
    queue = browser.get().text
    assert "Does the stored value no longer hold? Accepting takes it away and puts nothing in its place." in queue
    assert "<b>nothing (&#39;legacy/&#39; would no longer hold)</b>" in queue
    browser.post(f"review/{browser.item()}/accept")
    assert [] == browser.facts()
