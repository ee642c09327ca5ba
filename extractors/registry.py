"""Which extractors there are, and how the settings choose one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, assert_never
from urllib.parse import urlsplit

from extractors.errors import Terminal
from extractors.interface import Extractor

if TYPE_CHECKING:
    from extractors.embedding import Embedder
    from extractors.note import NoteWriter
    from extractors.ollama import OllamaClient
    from extractors.openai_compatible import OpenAIClient
    from extractors.retrying import RetryPolicy

OLLAMA_PORT = 11434


class Choice(StrEnum):
    """The names that settings and options may give."""

    AUTO = "auto"
    CUES = "cues"
    OLLAMA = "ollama"
    OPENAI = "openai"


def build(
    name: str,
    *,
    model: str | None = None,
    base_url: str | None = None,
    timeout: float = 120.0,
    api_key: str | None = None,
    retry: RetryPolicy | None = None,
) -> Extractor:
    """The extractor that is meant; its ``name`` says which it became.

    ``cues``, ``ollama`` and ``openai`` are exactly that. ``auto`` is the cues alone where no model is configured, else
    the cues and the configured model together. Raises :class:`Terminal` where a model extractor has no model.
    """
    try:
        choice = Choice(name)
    except ValueError:
        raise Terminal("extractor", f"there is no extractor {name!r}", f"choose one of {', '.join(Choice)}") from None
    match choice:
        case Choice.CUES:
            from extractors.cues import CueExtractor

            return CueExtractor()
        case Choice.AUTO:
            return _auto(model, base_url, timeout, api_key, retry)
        case Choice.OLLAMA | Choice.OPENAI:
            return _model(choice, model, base_url, timeout, api_key, retry)
        case _:
            assert_never(choice)


def _auto(
    model: str | None, base_url: str | None, timeout: float, api_key: str | None, retry: RetryPolicy | None
) -> Extractor:
    from extractors.cues import CueExtractor
    from extractors.union import UnionExtractor

    if not model and not base_url:
        return CueExtractor()
    choice = Choice.OLLAMA if _is_ollama(base_url) else Choice.OPENAI
    return UnionExtractor(CueExtractor(), _model(choice, model, base_url, timeout, api_key, retry))


def _is_ollama(base_url: str | None) -> bool:
    """A model without a URL is a local one: nothing leaves the machine unasked, whatever keys lie in the environment.
    Ollama's port is Ollama's, unless its OpenAI-compatible path is asked for.
    """
    if not base_url:
        return True
    parts = urlsplit(base_url)
    return parts.port == OLLAMA_PORT and not parts.path.rstrip("/").endswith("/v1")


def note_writer(extractor: Extractor) -> NoteWriter | None:
    """Who writes the notes: the model that proposes; None where none does."""
    if extractor.model is None:
        return None
    from extractors.asking import ModelExtractor
    from extractors.note import NoteWriter
    from extractors.union import UnionExtractor

    asks = extractor.other if isinstance(extractor, UnionExtractor) else extractor
    return NoteWriter(asks.client, asks.retry) if isinstance(asks, ModelExtractor) else None


def embedder(
    name: str,
    model: str | None,
    *,
    base_url: str | None = None,
    timeout: float = 120.0,
    api_key: str | None = None,
    retry: RetryPolicy | None = None,
) -> Embedder | None:
    """The embedding model on the server that the extractor ``name`` uses; None where no ``model`` is named."""
    if not model:
        return None
    from extractors.embedding import Embedder
    from extractors.retrying import RetryPolicy

    served = name in {Choice.OLLAMA, Choice.OPENAI}
    choice = Choice(name) if served else Choice.OLLAMA if _is_ollama(base_url) else Choice.OPENAI
    client = _client(choice, model, base_url, timeout, api_key)
    return Embedder(client, retry or RetryPolicy(deadline=max(30.0, timeout)))


def _model(
    choice: Choice,
    model: str | None,
    base_url: str | None,
    timeout: float,
    api_key: str | None,
    retry: RetryPolicy | None,
) -> Extractor:
    from extractors.asking import ModelExtractor
    from extractors.retrying import RetryPolicy

    if not model:
        raise Terminal(
            "extractor", f"{choice} needs a model and none is named", "pass --model NAME or set AFTERPASS_MODEL"
        )
    client = _client(choice, model, base_url, timeout, api_key)
    return ModelExtractor(client, retry or RetryPolicy(deadline=max(30.0, timeout)))


def _client(
    choice: Choice, model: str, base_url: str | None, timeout: float, api_key: str | None
) -> OllamaClient | OpenAIClient:
    if choice is Choice.OLLAMA:
        from extractors.ollama import OllamaClient

        return OllamaClient(model, base_url, timeout)
    from extractors.openai_compatible import OpenAIClient

    return OpenAIClient(model, base_url, timeout, api_key)
