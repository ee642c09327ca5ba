"""Which extractor the settings choose."""

from __future__ import annotations

import pytest

from extractors.asking import ModelExtractor
from extractors.errors import Terminal, Transient
from extractors.registry import build
from extractors.union import UnionExtractor


@pytest.mark.parametrize(
    ("name", "given", "became"),
    [
        ("cues", {}, "cues"),
        ("cues", {"model": "m"}, "cues"),
        ("ollama", {"model": "m"}, "ollama"),
        ("openai", {"model": "m", "base_url": "http://127.0.0.1:8081/v1"}, "openai"),
        ("auto", {}, "cues"),
        ("auto", {"api_key": "k"}, "cues"),
        ("auto", {"model": "m"}, "cues+ollama"),
        ("auto", {"model": "m", "api_key": "k"}, "cues+ollama"),
        ("auto", {"model": "m", "base_url": "http://127.0.0.1:11434"}, "cues+ollama"),
        ("auto", {"model": "m", "base_url": "http://127.0.0.1:11434/v1"}, "cues+openai"),
        ("auto", {"model": "m", "base_url": "http://127.0.0.1:8081/v1"}, "cues+openai"),
    ],
)
def test_choice(name: str, given: dict[str, str], became: str) -> None:
    """The extractor's name says what was chosen; a key alone never sends anything anywhere."""
    extractor = build(name, **given)  # type: ignore[arg-type]
    assert became == extractor.name
    assert (given.get("model") if "+" in became or name not in ("cues", "auto") else None) == extractor.model


@pytest.mark.parametrize(
    ("name", "given"), [("ollama", {}), ("openai", {}), ("auto", {"base_url": "http://127.0.0.1:8081/v1"})]
)
def test_no_model_is_named(name: str, given: dict[str, str]) -> None:
    """Never cues instead of a model that was meant."""
    with pytest.raises(Terminal, match="AFTERPASS_MODEL"):
        build(name, **given)  # type: ignore[arg-type]


def test_an_unknown_name() -> None:
    """The error lists the names."""
    with pytest.raises(Terminal, match="auto, cues, ollama, openai"):
        build("gpt")


def test_where_a_model_extractor_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trailing slash does not matter; the default of ollama is the local server, and openai has none."""
    for name in ("OLLAMA_HOST", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    found = [
        build("openai", model="m", base_url="http://h:1/v1/"),
        build("ollama", model="m"),
    ]
    assert ["http://h:1/v1", "http://127.0.0.1:11434"] == [
        one.client.url for one in found if isinstance(one, ModelExtractor)
    ]
    with pytest.raises(Terminal, match="needs a server's address"):
        build("openai", model="m")


def test_the_clients_own_variables_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has pointed the official tools somewhere need not say it again; what is said here wins."""
    monkeypatch.setenv("OLLAMA_HOST", "http://gpu:11434")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://gpu:8000/v1")
    found = [
        build("ollama", model="m"),
        build("openai", model="m"),
        build("ollama", model="m", base_url="http://here:1"),
    ]
    assert ["http://gpu:11434", "http://gpu:8000/v1", "http://here:1"] == [
        one.client.url for one in found if isinstance(one, ModelExtractor)
    ]


def test_errors_survive_pickling() -> None:
    """They cross process borders with all they say."""
    import pickle

    error = pickle.loads(pickle.dumps(Transient("ask", "no answer", "start it")))  # noqa: S301 - our own bytes
    assert ("ask", "no answer", "start it", "ask: no answer (start it)") == (
        error.step,
        error.error,
        error.next,
        str(error),
    )


def test_auto_is_a_union() -> None:
    """Both parts are there."""
    extractor = build("auto", model="m")
    assert isinstance(extractor, UnionExtractor)
    assert ("cues", "ollama") == (extractor.exact.name, extractor.other.name)
