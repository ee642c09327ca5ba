"""A bound on one whole model call: client libraries bound only each read, and a server may drip for ever."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any


class Deadline(threading.local):
    """Counts one call's time, for each thread its own. ``watch`` is a response hook for an httpx client of any age."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.retry_after: str | None = None
        self._ends = 0.0

    def start(self) -> None:
        """Begin a call."""
        self.retry_after = None
        self._ends = time.monotonic() + self.seconds

    def watch(self, response: Any) -> None:
        """Note what the server asks for, and let no body be read past the end of the call."""
        _acknowledge(response)
        self.retry_after = response.headers.get("retry-after")
        stream = response.stream
        base = next((kind for kind in type(stream).__mro__ if kind.__name__ == "SyncByteStream"), None)
        if base is None:
            return
        ends, seconds = self._ends, self.seconds

        def read(_: Any) -> Iterator[bytes]:
            for chunk in stream:
                if time.monotonic() > ends:
                    raise TimeoutError(f"no complete answer within {seconds:g} s")
                yield chunk

        bounded = type("BoundedStream", (base,), {"__iter__": read, "close": lambda _: stream.close()})
        response.stream = bounded()


def _acknowledge(response: Any) -> None:
    """Let a server know at once that the head of its answer has come: many a small one (Python's own among them) holds
    back the body until then, and the system would let it wait for 40 ms in each call.
    """
    stream = response.extensions.get("network_stream")
    connection = stream.get_extra_info("socket") if stream is not None else None
    if connection is not None and hasattr(socket, "TCP_QUICKACK"):
        with suppress(OSError):  # no TCP connection, or closed already
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
