"""The cue extractor: patterns from the policy, exact quotes, no model."""

from extractors.cues.extractor import CueExtractor

__all__ = ["CueExtractor"]
