"""The doctor asks the embedding model of notes for a vector, and says what to do where there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.model_server import Garbage, ModelServer, Status, Step
from tests.support.person import Person

MODEL = "nomic-embed-text"
BY_WORDS = "notes are found by their words alone until it answers"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(models=("m", MODEL)) as server:
        yield server


def findings(person: Person, url: str, model: str = MODEL, extractor: str = "ollama") -> list[tuple[str, str, str]]:
    """What the doctor says of the embedding model: health, detail and remedy."""
    person.home.mkdir(exist_ok=True)
    (person.home / "settings.toml").write_text(
        f'extractor = "{extractor}"\nmodel = "m"\nbase_url = "{url}"\nembedding_model = "{model}"\n', "utf-8"
    )
    told = person.gets("doctor")
    return [(one["health"], one["detail"], one["remedy"]) for one in told if one["what"] == "embedding"]


@pytest.mark.parametrize("extractor", ["ollama", "openai"])
def test_a_model_that_answers_is_named_with_its_place_and_the_length_of_its_vectors(
    person: Person, server: ModelServer, extractor: str
) -> None:
    url = server.url if extractor == "ollama" else server.openai_url
    person.environ["OPENAI_API_KEY"] = "none"
    assert [("ok", f"{MODEL} at {url} makes vectors of 64 numbers", "")] == findings(person, url, extractor=extractor)
    assert [["afterpass doctor"]] == [one.body["input"] for one in server.embeddings]


def test_without_an_embedding_model_nobody_is_asked(person: Person, server: ModelServer) -> None:
    person.home.mkdir()
    (person.home / "settings.toml").write_text(f'model = "m"\nbase_url = "{server.url}"\n', "utf-8")
    assert "embedding" not in {one["what"] for one in person.gets("doctor")}
    assert [] == server.embeddings


def test_a_model_that_is_not_there_is_fetched(person: Person, server: ModelServer) -> None:
    detail = f"gone is not on {server.url}; {BY_WORDS}"
    assert [("warn", detail, "get it with: ollama pull gone")] == findings(person, server.url, model="gone")


def test_a_server_that_is_down_is_started(person: Person) -> None:
    with ModelServer() as server:
        url = server.url
    detail = f"no Ollama answers at {url}; {BY_WORDS}"
    assert [("warn", detail, "start it with: ollama serve")] == findings(person, url)


@pytest.mark.parametrize("step", [Status(500), Garbage(), Garbage('{"model": "m", "embeddings": []}')])
def test_an_answer_that_is_no_vector_is_a_warning_after_one_question(
    person: Person, server: ModelServer, step: Step
) -> None:
    server.misbehave_embedding(step)
    ((health, detail, remedy),) = findings(person, server.url)
    assert ("warn", True, True) == (health, detail.endswith(BY_WORDS), bool(remedy))
    assert 1 == len(server.embeddings)
