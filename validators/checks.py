"""Every check and every outcome, in the order in which they decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from validators import (
    additional,
    below_importance,
    confirmation,
    contradicts_repo,
    correction,
    derivable,
    evidence_not_developer,
    evidence_not_found,
    expired,
    forget_unclear,
    forgotten,
    forgotten_before,
    kind,
    malformed,
    new,
    not_asserted,
    older_than_current,
    one_off_cue,
    other_owner,
    owner_unclear,
    refused_before,
    replacement,
    same_value,
    secret,
    subject_missing,
    superseded_in_session,
    temporary,
    type_not_allowed,
    value_invalid,
    value_not_in_evidence,
)
from validators.verdict import Verdict

if TYPE_CHECKING:
    from validators.finding import Finding
    from validators.view import View

Check = Callable[["View"], Verdict]

# Discards that look at one candidate alone. One that fails none of them stands as a statement of its session.
ALONE: tuple[Check, ...] = (
    malformed.check,
    type_not_allowed.check,
    evidence_not_found.check,
    evidence_not_developer.check,
    secret.check,
    value_invalid.check,
    value_not_in_evidence.check,
    other_owner.check,
    kind.check_one_off,
    kind.check_observed,
    kind.check_inferred,
    one_off_cue.check,
    not_asserted.check,
    expired.check,
)
# Discards that look at what else was said, stored, forgotten or refused.
BESIDE: tuple[Check, ...] = (
    superseded_in_session.check,
    older_than_current.check,
    forgotten_before.check,
    refused_before.check,
    derivable.check,
    below_importance.check,
)
DISCARDS = ALONE + BESIDE
QUARANTINES: tuple[Check, ...] = (owner_unclear.check, subject_missing.check)
# The first that has something to say decides; the last always has.
OUTCOMES: tuple[Callable[[View], Finding | None], ...] = (
    forgotten.decide,
    forget_unclear.decide,
    contradicts_repo.decide,
    confirmation.decide,
    correction.decide,
    replacement.decide,
    same_value.decide,
    temporary.decide,
    additional.decide,
    new.decide,
)
