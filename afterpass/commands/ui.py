"""``afterpass ui``: the review page, on this machine only, until it is stopped."""

from __future__ import annotations

import argparse
import secrets
import socket

from afterpass import output
from afterpass.context import settings_of, wants_json
from afterpass.exits import Exit
from policy.errors import AfterpassError, UsageError

HOST = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where it listens."""
    parser.add_argument("--port", type=int, default=0, metavar="N", help="the port on 127.0.0.1 (default: a free one)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


def run(args: argparse.Namespace) -> Exit:
    """Serve the page; its address, with the secret in it, is the only line on standard output. Ctrl-C ends it."""
    import uvicorn

    from afterpass.page.app import make_app

    settings = settings_of(args)
    token = secrets.token_urlsafe(24)
    with _listen(args.port) as listener:
        url = f"http://{HOST}:{listener.getsockname()[1]}/{token}/"
        # The access log would hold the secret.
        config = uvicorn.Config(make_app(settings, token), log_level="error", access_log=False, lifespan="off")
        if wants_json(args):
            output.write_json({"url": url})
        else:
            output.write_line(url)
            output.flush()
        output.say("the page is there until you press Ctrl-C; keep the address to yourself")
        if args.open:
            import webbrowser

            webbrowser.open(url)
        uvicorn.Server(config).run(sockets=[listener])
    return Exit.OK


def _listen(port: int) -> socket.socket:
    if not 0 <= port < 1 << 16:
        raise UsageError(f"--port {port} is no port", "give a number from 0 to 65535")
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()  # whoever reads the address may ask at once
    except OSError as error:
        listener.close()
        raise AfterpassError(f"{HOST}:{port} cannot be used: {error.strerror}", "leave --port out") from error
    return listener
