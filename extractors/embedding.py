"""Texts as vectors, by a model of the configured server. Vectors of different models are never compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from extractors.errors import Transient
from extractors.retrying import RetryPolicy, ask_with_retries

Vector = tuple[float, ...]


class EmbeddingClient(Protocol):
    """One embedding model on a server."""

    model: str
    url: str

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One request: a vector for each text, in their order. Raises Transient or Terminal."""


@dataclass(frozen=True, slots=True)
class Embedder:
    """Asks an embedding model, again where that may help."""

    client: EmbeddingClient
    retry: RetryPolicy

    @property
    def model(self) -> str:
        """The embedding model's name, which is kept with each vector."""
        return self.client.model

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of finite numbers for each text. Raises ExtractorError."""
        vectors = ask_with_retries(lambda: self.client.embed(texts), self.retry)[0]
        if len(vectors) != len(texts) or any(not vector or not all(map(math.isfinite, vector)) for vector in vectors):
            raise Transient(
                "embedding", f"{self.model} at {self.client.url} gave no usable vectors", "check embedding_model"
            )
        return vectors
