"""The page's routes. Everything it does goes through the store's own functions, as the commands do.

It shows what developers said, so each address holds a secret: who does not know it gets "not found", and a page of
another site can neither read nor send anything. There are no cookies and no scripts.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from afterpass.asked import if_accepted, if_refused, kind_of, proposed_of, question
from afterpass.context import actor_of, age, database
from afterpass.hands import value_for
from afterpass.quoting import surroundings
from policy.errors import AfterpassError
from policy.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from store.interface import Database

HOSTS = ("127.0.0.1", "localhost")
LONGEST_FORM = 64 << 10
"""Bytes; a value is one sentence."""
MOST_ROWS = 500
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",  # the address is a secret; a form still says where it comes from
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def make_app(settings: Settings, token: str) -> Starlette:
    """The page of one home, under ``/TOKEN/``."""
    page = _Page(settings, token)
    routes = [
        Route("/{token}/", page.queue, name="queue"),
        Route("/{token}/facts", page.facts, name="facts"),
        Route("/{token}/rejected", page.rejected, name="rejected"),
        Route("/{token}/style.css", page.style, name="style"),
        Route("/{token}/review/{item}/{action}", page.decide, methods=["POST"], name="decide"),
    ]
    app = Starlette(routes=routes)
    app.add_middleware(_Guard, token=token)
    return app


class _Guard:
    """Lets through who knows the secret and speaks to this machine by its own name; says how answers may be used."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)

        async def send_guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((name.lower().encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        if not self._is_meant(request):
            await HTMLResponse("not found", 404)(scope, receive, send_guarded)
            return
        await self.app(scope, receive, send_guarded)

    def _is_meant(self, request: Request) -> bool:
        given = request.url.path.split("/")[1] if request.url.path.count("/") > 1 else ""
        if not secrets.compare_digest(given.encode(), self.token.encode()):
            return False
        host = request.headers.get("host", "")
        if host.rpartition(":")[0] not in HOSTS and host not in HOSTS:
            return False  # another name that was made to lead here
        if request.method in {"GET", "HEAD"}:
            return True
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
        return origin in {None, f"http://{host}"} and site in {"same-origin", "none"}


class _Page:
    """The handlers. The store is open for one request at a time, never between two."""

    def __init__(self, settings: Settings, token: str) -> None:
        self.settings = settings
        self.token = token
        self._templates = Environment(
            loader=PackageLoader("afterpass.page"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
        )
        self._templates.filters |= {"age": age, "plain": plain, "day": _day, "around": surroundings}
        self._templates.filters |= {"question": question, "kind": kind_of, "proposed": proposed_of}
        self._templates.filters |= {"accepting": if_accepted, "refusing": if_refused}

    async def queue(self, request: Request) -> Response:
        """What waits, and what was decided lately, so that it can be taken back."""
        return await run_in_threadpool(self._queue, request.query_params.get("said", ""), 200)

    async def facts(self, request: Request) -> Response:
        """What is believed; with ``?all=1`` every state."""
        return await run_in_threadpool(self._facts, every="all" in request.query_params)

    async def rejected(self, request: Request) -> Response:
        """What was not kept, and why."""
        return await run_in_threadpool(self._rejected, request.query_params.get("code") or None)

    async def style(self, _request: Request) -> Response:
        """The style sheet."""
        return Response(self._templates.get_template("style.css").render(), media_type="text/css")

    async def decide(self, request: Request) -> Response:
        """Accept, reject or undo one item, then show the queue again."""
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST_FORM:
                return HTMLResponse("too long", 413)
        form = {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
        item, action = request.path_params["item"], request.path_params["action"]
        return await run_in_threadpool(self._decide, item, action, form)

    def _queue(self, said: str, status: int) -> Response:
        with self._open() as db:
            items = db.reviews(all=True)
        waiting = [item for item in items if item.state == "open"]
        done = [item for item in items if item.state in {"accepted", "refused"}]
        done.sort(key=lambda item: item.decided_at or item.updated_at, reverse=True)
        return self._show("queue.html", status, waiting=waiting, done=done[:MOST_ROWS], said=plain(said))

    def _facts(self, *, every: bool) -> Response:
        with self._open() as db:
            facts = db.facts(all=every)
        return self._show("facts.html", facts=facts[:MOST_ROWS], more=max(0, len(facts) - MOST_ROWS), every=every)

    def _rejected(self, code: str | None) -> Response:
        with self._open() as db:
            rows = db.rejected(code=code)
        return self._show("rejected.html", rows=rows[:MOST_ROWS], more=max(0, len(rows) - MOST_ROWS), code=code)

    def _decide(self, item_id: str, action: str, form: dict[str, str]) -> Response:
        actor, now = actor_of(self.settings), datetime.now(UTC)
        try:
            with self._open() as db:
                if action == "accept":
                    given = form.get("value", "").strip()
                    value = value_for(self.settings, db.review(item_id), given) if given else None
                    item = db.accept(item_id, actor=actor, now=now, value=value)
                elif action == "reject":
                    item = db.reject(item_id, actor=actor, now=now, reason=form.get("reason", "").strip())
                elif action == "undo":
                    item = db.undo(item_id, actor=actor, now=now)
                else:
                    return HTMLResponse("not found", 404)
        except AfterpassError as error:
            return self._queue(str(error), 409)
        return RedirectResponse(f"/{self.token}/?{urlencode({'said': f'{item.id}: {item.state.value}'})}", 303)

    @contextmanager
    def _open(self) -> Iterator[Database]:
        with database(self.settings) as db:
            yield db

    def _show(self, name: str, status: int = 200, **values: Any) -> HTMLResponse:
        template = self._templates.get_template(name)
        return HTMLResponse(template.render(base=f"/{self.token}", home=str(self.settings.home), **values), status)


def plain(text: object) -> str:
    """Text as it is, with what a screen would hide or turn around made visible."""
    shown = (char if char.isprintable() or char in "\n\t" else f"\\u{ord(char):04x}" for char in str(text or ""))
    return "".join(shown)


def _day(moment: datetime | None) -> str:
    return moment.date().isoformat() if moment else ""
