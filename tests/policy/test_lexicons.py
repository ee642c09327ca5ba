"""Every rule of every lexicon is found in its own examples and not found in its counter-examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy.files import PolicyError
from policy.lexicon import Rule, lines, read_lexicon
from policy.load import load_policy
from validators.language.analysis import analyse

POLICY = load_policy()
RULES = [(language, rule) for language in POLICY.languages for rule in POLICY.lexicon(language).rules]
MATCHES = [(language, rule, text) for language, rule in RULES for text in rule.examples[0]]
MISSES = [(language, rule, text) for language, rule in RULES for text in rule.examples[1]]


def label(value: object) -> str:
    return f"{value.group}.{value.name}" if isinstance(value, Rule) else str(value)


@pytest.mark.parametrize(("language", "rule", "text"), MATCHES, ids=label)
def test_a_rule_is_found_in_its_examples(language: str, rule: Rule, text: str) -> None:
    found = {m.name for m in analyse(text, POLICY.folders).matches(rule.group)}
    assert rule.name in found


@pytest.mark.parametrize(("language", "rule", "text"), MISSES, ids=label)
def test_a_rule_is_not_found_in_its_counter_examples(language: str, rule: Rule, text: str) -> None:
    found = {m.name for m in analyse(text, POLICY.folders).matches(rule.group)}
    assert rule.name not in found


@pytest.mark.parametrize("language", list(POLICY.languages))
def test_every_rule_has_examples_and_every_phrase_can_be_read(language: str) -> None:
    words = analyse("x", POLICY.folders).matcher  # the English matcher loads; the others are built below
    assert words
    from validators.language.phrases import Words

    lexicon = POLICY.lexicon(language)
    assert lexicon.rules
    for phrase in Words(lexicon).phrases():
        assert phrase.elements, phrase.text
        assert phrase.first_words(), phrase.text
    for rule in lexicon.rules:
        assert lines(rule.phrases), label(rule)
        assert rule.examples[0] or rule.group == "shield", label(rule)


def test_a_team_adds_a_rule_and_changes_one(tmp_path: Path) -> None:
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "en.toml").write_text(
        "[one_off.sprint]\nphrases = '''\nduring bug bash\n'''\n\n[joke.weak-laugh]\nphrases = ''\n", encoding="utf-8"
    )
    (tmp_path / "policy.toml").write_text("", encoding="utf-8")
    policy = load_policy(tmp_path / "policy.toml")
    assert ["sprint"] == [m.name for m in analyse("use npm during bug bash", policy.folders).matches("one_off")]
    assert [] == list(analyse("lol use npm", policy.folders).matches("joke"))
    assert ["weak-laugh"] == [m.name for m in analyse("lol use npm", POLICY.folders).matches("joke")]


@pytest.mark.parametrize(
    ("key", "problem", "text"),
    [
        ("one_of", "did you mean one_off?", "[one_of.x]\nphrases = 'a'\n"),
        ("one_off.x.phrase", "did you mean phrases?", "[one_off.x]\nphrase = 'a'\n"),
        ("one_off.x", "has no phrases", "[one_off.x]\nmatch = 'a'\n"),
        ("one_off.x.phrases", "is not a text", "[one_off.x]\nphrases = ['a']\n"),
        ("one_off", "is not a table", "one_off = 3\n"),
        ("one_off.x", "is not a table", "[one_off]\nx = 3\n"),
        ("classes.x", "is not a text", "[classes]\nx = 3\n"),
    ],
)
def test_a_mistake_in_a_lexicon_names_file_key_and_remedy(tmp_path: Path, key: str, problem: str, text: str) -> None:
    (tmp_path / "lexicons").mkdir()
    path = tmp_path / "lexicons" / "en.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError) as caught:
        read_lexicon((tmp_path,), "en")
    assert key == caught.value.key
    assert str(path) in str(caught.value)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("key", "problem", "phrase"),
    [
        ("one_off.x", "begins with what may be any word", ".. today"),
        ("classes.nowhere", "is used by a phrase but not defined", "{nowhere} today"),
    ],
)
def test_a_phrase_that_cannot_be_read_is_named(tmp_path: Path, key: str, problem: str, phrase: str) -> None:
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "en.toml").write_text(f"[one_off.x]\nphrases = '{phrase}'\n", encoding="utf-8")
    (tmp_path / "policy.toml").write_text("", encoding="utf-8")
    with pytest.raises(PolicyError) as caught:
        analyse("use npm today", load_policy(tmp_path / "policy.toml").folders)
    assert key == caught.value.key
    assert problem in str(caught.value)
