"""A lenient parser of answers: JSON, a number of the list, notation, or words in one of five languages."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from lastcard.agents.agent_view import AgentView
from lastcard.errors import NotationError
from lastcard.game.cards import CARD_NAMES, parse_card
from lastcard.game.moves import Move, parse_move
from lastcard.game.rulesets import possible_deck, ruleset
from lastcard.text.locale import Catalog, catalog

MAX_ANSWER_CHARS: Final = 4000
"""Longer answers are cut, so that an endless one costs no time."""
_JSON_KEYS: Final = ("move", "action", "answer", "number", "choice", "play")
_LABEL: Final = re.compile(r"^\W*(?:move|answer|action)\W*:\s*(.+)$", re.IGNORECASE | re.MULTILINE)
_NUMBER: Final = re.compile(r"\W*(?:move|option|number|no)?\W*(\d{1,3})\s*[.)]?\s*(!?)", re.IGNORECASE)
_NOTATION: Final = re.compile(
    rf"(?<![\w+])(?:{'|'.join(sorted(map(re.escape, CARD_NAMES.values()), key=len, reverse=True))})"
    r"(?:=[RYGB]|>\d)?!?(?![\w=>])"
)
_WORD: Final = re.compile(r"[^\W_]+|\+")
_DIGITS: Final = {
    word: str(n)
    for n, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
}
_VERB_WORDS: Final = {"pass": ("pass", "keep"), "throw": ("discard", "throw"), "pull": ("pull", "lever")}
"""English words of verbs that have others than their name in notation."""
_PLAIN_VERBS: Final = ("draw", "pass", "accept", "challenge", "pull", "stop", "done")
"""Verbs that are recognized although they are not legal now, so that the rules give the reason."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of parsing: a move, or several that fit, or neither."""

    move: str | None = None
    """The move in notation; it may be illegal, and the rules then give the reason."""
    fits: tuple[str, ...] = ()
    """Legal moves that fit, if there are several: ask which one is meant."""
    problem: str | None = None
    """Why no move was found."""


def parse_answer(text: str, view: AgentView) -> Answer:
    """Returns the move that an answer of a language model names.

    >>> parse_answer("I play red seven!", view_match(Match("classic", 2, seed=1), 0)).move
    'R7'
    """
    text = text[:MAX_ANSWER_CHARS].strip()
    found = _find_json(text)
    if found is not None:
        return _parse_object(found, view)
    labels = _LABEL.findall(text)
    if labels:
        text = labels[-1].strip()
    text = text.strip("`*\"'“”. \n")
    if not text:
        return Answer(problem="the answer is empty")
    number = _NUMBER.fullmatch(text)
    if number:
        return _pick_number(int(number[1]), bool(number[2]), view)
    try:
        move = parse_move(text)
    except NotationError:
        return _parse_words(text, view)
    bare = str(replace(move, uno=False))
    named = [each.move for each in view.legal if each.move.startswith((f"{bare}=", f"{bare}>"))]
    if len(named) == 1:
        return _with_call(named[0]) if move.uno else Answer(named[0])
    return _ask(named, view) if named else Answer(str(move))


def _find_json(text: str) -> Mapping[str, Any] | None:
    """Returns the last JSON object in a text; None if there is none."""
    decoder, found, start = json.JSONDecoder(), None, text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            found = value
        start = text.find("{", end)
    return found if isinstance(found, dict) else None


def _parse_object(found: Mapping[str, Any], view: AgentView) -> Answer:
    key = next((key for key in _JSON_KEYS if key in found), None)
    if key is None:
        return Answer(problem='the object has no key "move"; write {"move": "R5"} or {"move": 1}')
    value = found[key]
    uno = any(found.get(name) is True for name in ("uno", "call", "call_uno"))
    if type(value) is int:  # true is no number
        return _pick_number(value, uno, view)
    if not isinstance(value, str):
        return Answer(problem=f"{json.dumps(value)[:60]} is neither a number of the list nor a move")
    parts = [value, *(str(found[name]) for name in ("color", "colour") if isinstance(found.get(name), str))]
    target = found.get("target", found.get("seat"))
    if type(target) is int and target != view.seat:
        parts.append(f"seat {target}")
    answer = parse_answer(" ".join(parts).replace("{", ""), view)
    if uno and answer.move is not None:
        return _with_call(answer.move)
    return answer


def _pick_number(number: int, uno: bool, view: AgentView) -> Answer:
    if not 1 <= number <= len(view.legal):
        return Answer(problem=f"there is no move {number}; the list has {len(view.legal)}")
    move = view.legal[number - 1].move
    return _with_call(move) if uno else Answer(move)


def _with_call(move: str) -> Answer:
    parsed = parse_move(move)
    return Answer(str(replace(parsed, uno=True)) if parsed.verb == "play" else move)


def _parse_words(text: str, view: AgentView) -> Answer:
    """Returns the move whose notation or words an answer has, in English or in the language of the view."""
    noted = list(dict.fromkeys(_NOTATION.findall(text)))
    if any("=" in move or ">" in move for move in noted):
        return Answer(noted[0]) if len(noted) == 1 else _ask(noted, view)
    words = _split_words(_NOTATION.sub(lambda found: _card_words(found[0], view), text))
    phrases = _list_phrases(view)
    said = words & frozenset().union(*phrases)
    plays = [phrase for phrase in phrases if phrase <= said and phrase != _UNO_PHRASE]
    if not plays and words >= _UNO_PHRASE:
        return Answer("uno")
    said, calls = said - _UNO_PHRASE, words >= _UNO_PHRASE
    longest = [phrase for phrase in plays if not any(phrase < other for other in plays)]
    moves = {phrases[phrase] for phrase in longest} or _complete(said, phrases, view)
    if len(moves) != 1:
        return _ask(sorted(moves), view)
    move = moves.pop()
    return _with_call(move) if calls else Answer(move)


def _ask(moves: Sequence[str], view: AgentView) -> Answer:
    """Returns the question which of several moves is meant; a problem if none of them is legal."""
    wanted = {move.rstrip("!") for move in moves}
    fits = tuple(each.move for each in view.legal if each.move in wanted)
    return Answer(fits=fits) if fits else Answer(problem="no legal move was found in the answer")


def _complete(said: frozenset[str], phrases: Mapping[frozenset[str], str], view: AgentView) -> set[str]:
    """Returns the legal moves that have all the words that were said, and others."""
    legal = {each.move for each in view.legal}
    return {move for phrase, move in phrases.items() if said and said <= phrase and move in legal}


def _split_words(text: str) -> frozenset[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    words = _WORD.findall("".join(char for char in plain if not unicodedata.combining(char)))
    return frozenset(_DIGITS.get(word, word) for word in words)


def _card_words(noted: str, view: AgentView) -> str:
    """Returns a card in notation, perhaps with a call, in English words."""
    words = catalog("en").card(parse_card(noted.rstrip("!")), view.rules.partition("+")[0])
    return f" {words} {'uno ' if noted.endswith('!') else ''}"


_UNO_PHRASE: Final = frozenset({"uno"})


@lru_cache(64)
def _list_phrases(view: AgentView) -> dict[frozenset[str], str]:
    """Returns moves by the words that name them: the legal ones, and others of which the rules say why not."""
    phrases: dict[frozenset[str], str] = {}
    legal = [parse_move(each.move) for each in view.legal]
    held = {move.card for move in legal}
    others = [Move("play", card) for card in possible_deck(ruleset(view.rules)) if card not in held]
    others += [Move(verb) for verb in _PLAIN_VERBS]
    for language in dict.fromkeys(("en", view.language)):
        for move in (*legal, *others):
            for phrase in _name_move(move, view, catalog(language)):
                phrases.setdefault(phrase, str(move))
    return phrases


def _name_move(move: Move, view: AgentView, texts: Catalog) -> Iterator[frozenset[str]]:
    """Yields the sets of words that name a move in a language."""
    parts = frozenset[str]()
    if move.card is not None:
        parts |= _split_words(texts.card(move.card, view.rules.partition("+")[0]))
    if move.color is not None:
        parts |= _split_words(texts.color(move.color))
    targets = [parts]
    if move.target is not None:
        targets = [parts | {str(move.target)}, parts | _split_words(view.seats[move.target].name)]
    for named in targets:
        if move.verb in ("play", "color", "choose"):
            yield named
            continue
        values = dict.fromkeys(("card", "player"), "")
        own = _split_words(texts.text(f"play.choice.{move.verb}", n=2, **values).split()[0])
        english = _VERB_WORDS.get(move.verb, (move.verb,)) if texts.language == "en" else ()
        yield from (named | words for words in ({word} for word in english))
        if move.verb not in ("stop", "done"):  # they begin with a word such as "no"
            yield named | own
