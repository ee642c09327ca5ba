"""What the kinds of value share: outer marks taken off, and a value found in a text as a name of its own."""

from __future__ import annotations

from validators.fold import QUOTES, fold_value

OPENING = "\"'`“‘«‹「『"
JOINTS = "-/.\\"  # between two name characters these make one longer name
MOST_OCCURRENCES = 60  # of a value in one text that are worth a look

# Words that a name, reference or pattern never consists of; several of them make a sentence.
FUNCTION_WORDS = frozenset(
    """a an the this that these those it its i you we they he she who whom whose which what whatever whichever
    whoever when where why how if unless until because since while is are was were be been being am do does did has
    have had will would shall should may might must can could and or but not no nor so then than before after from
    into onto with without about for of to in on at by as any every each some all both always never only just please
    make sure use run ask check please whenever there here my our your their same usual else also too very
    again instead someone anyone everyone nobody somebody everybody whether""".split()
)

DETERMINERS = frozenset("the a an it this that these those sure our my your its their them".split())


def unwrap(value: str) -> str:
    """A value without white space, back-ticks and quotes around it."""
    while True:
        stripped = value.strip().strip("`").strip()
        if len(stripped) >= 2 and stripped[0] in OPENING and QUOTES.get(stripped[-1]) and stripped[0] != stripped[-1:]:
            stripped = stripped[1:-1] if stripped[0] in "“‘«‹「『" else stripped
        elif (
            len(stripped) >= 2
            and stripped[0] == stripped[-1]
            and stripped[0] in "\"'"
            and stripped[0] not in stripped[1:-1]
        ):
            stripped = stripped[1:-1]
        if stripped == value:
            return stripped
        value = stripped


def unpunctuated(value: str) -> str:
    """An unwrapped value without the punctuation that a sentence left at its end."""
    bare = unwrap(value)
    return unwrap(bare.rstrip(".,;:!?。，；！？")) or bare


def function_words(value: str) -> int:
    """How many of the value's words only a sentence has."""
    return sum(1 for word in value.casefold().split() if word.strip(".,;:!?'\"()") in FUNCTION_WORDS)


def stands_in(value: str, text: str, *, open_end: bool = False, glue: str = "") -> bool:
    """Whether a text holds a value that neither begins nor ends inside a longer name.

    ``glue`` are marks that a longer name may go on with: ``src/`` does not stand in ``src/[id]/page.tsx``.
    ``open_end`` lets letters and digits follow a value that ends in a joint (a prefix such as ``SHOP-``), and a
    joint with digits follow one that does not (``FLD`` in ``FLD-12``).
    """
    wanted, folded = fold_value(value), fold_value(text)
    if not wanted:
        return False
    at = folded.find(wanted)
    for _ in range(MOST_OCCURRENCES):
        if at < 0:
            return False
        if (
            begins_name(folded, at)
            and (ends_name(folded, at + len(wanted)) or (open_end and _opens(folded, at + len(wanted))))
            and not _glued(folded, at, at + len(wanted), glue)
        ):
            return True
        at = folded.find(wanted, at + 1)
    return False


def begins_name(text: str, at: int) -> bool:
    """Whether no name reaches over ``at`` from the left. ``./`` in front of a path does not count."""
    if at == 0 or not _is_part(text[at], text[at - 1]):
        return True
    if _is_letter(text[at - 1]):
        return False
    if text[at - 2 : at] == "./" and (at == 2 or text[at - 3].isspace()):
        return True
    return at < 2 or not (_is_letter(text[at - 2]) or text[at - 2] in JOINTS + "*")


def ends_name(text: str, end: int) -> bool:
    """Whether no name reaches over ``end`` to the right. A full stop, or a slash at a path's end, does not count."""
    if end >= len(text) or not _is_part(text[end - 1], text[end]):
        return True
    if _is_letter(text[end]):
        return False
    return end + 1 >= len(text) or not (_is_letter(text[end + 1]) or text[end + 1] in "*-/\\")


def _glued(text: str, start: int, end: int, glue: str) -> bool:
    """Whether a name goes on beyond the value with one of these marks, to the left of a slash or to the right."""
    beyond = end + 1 if text[end : end + 1] == "/" else end
    if text[beyond : beyond + 1] and text[beyond] in glue and text[beyond + 1 : beyond + 2].strip():
        return True
    return start > 1 and text[start - 1] in JOINTS and text[start - 2] in glue


def _opens(text: str, end: int) -> bool:
    if text[end - 1] in "-_#/.:":
        return True
    return text[end] in "-_#" and end + 1 < len(text) and (text[end + 1].isdigit() or text[end + 1] in "<{[#")


def _is_part(inner: str, outer: str) -> bool:
    """Whether ``outer`` could belong to the name that ``inner`` ends; scripts without spaces part anywhere."""
    if inner >= "\u2e80" or outer >= "\u2e80":
        return False
    return _is_letter(outer) or outer in JOINTS


def _is_letter(char: str) -> bool:
    return (char.isalnum() and char < "\u2e80") or char == "_"
