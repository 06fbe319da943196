"""The information state of a seat as short text: it differs wherever the information state differs."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from lastcard.envs.compiled.tree import CHANCE, WAITING_EVENT
from lastcard.envs.openspiel.game_state import GameState
from lastcard.game.cards import CARD_NAMES, COLOR_LETTERS, cards_text, hand_text
from lastcard.game.moves import action_to_move
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.rules import event_codes
from lastcard.rules.history import HEADER_WORDS

_REASONS: Final = (*event_codes.DRAW_REASONS, "deal")

# The text of each kind of word: s is its seat, a and b its two values, A and B the cards of those.
_WORDS: Final = {
    event_codes.PLAYED: "{s} lays {A}{color}",
    event_codes.DREW: "{s} draws {A} ({reason})",
    event_codes.PASSED: "{s} passes",
    event_codes.SKIPPED: "{s} is skipped",
    event_codes.REVERSED: "direction {a}",
    event_codes.SWAPPED: "{s} swaps with {a}",
    event_codes.HANDS_PASSED: "hands pass {a}",
    event_codes.CALLED: "{s} calls",
    event_codes.CAUGHT: "{s} is caught by {a}",
    event_codes.FALSE_CALL: "{s} calls falsely",
    event_codes.FALSE_CATCH: "{s} catches {a} falsely",
    event_codes.CHALLENGED: "{s} is challenged by {a}: {b}",
    event_codes.SHOWN: "{s} shows {a}",
    event_codes.COLOR: "{s} names {a}",
    event_codes.LEVER: "{s} pulls {lever}",
    event_codes.RULE: "{s} performs {a}",
    event_codes.THREW: "{s} throws {A}",
    event_codes.BURIED: "{s} buries {A}",
    event_codes.TOOK: "{s} takes {B} from {a}",
    event_codes.RESHUFFLED: "reshuffled {a}",
    event_codes.DONE: "{s} is done",
    event_codes.OVER: "{s} wins",
    event_codes.CHOSE: "{s} chooses {a}",
    event_codes.TARGET: "{s} targets {a}",
    event_codes.JUMPED: "{s} jumps in",
    event_codes.TURNED: "turned {A}",
    event_codes.HISTORY_SEEN: "{a} sees {B} of {s}",
    WAITING_EVENT: "{s} waits",
}

_SOURCES: Final = {
    "": "the deck",
    "pile": "a card of the draw pile",
    "hand": "a card taken blind",
    "rules": "a rule card",
    "lever": "the lever",
}


def _name(card: int) -> str:
    return CARD_NAMES.get(card, "?")


@cache
def _event_text(word: int) -> str:
    """A word of the event log, except those of a move."""
    kind, s, a, b = word & 255, (word >> 8 & 255) - 1, (word >> 16 & 255) - 1, (word >> 24 & 255) - 1
    return _WORDS[kind].format(
        s=s,
        a=a,
        b=b,
        A=_name(a),
        B=_name(b),
        color=f"={COLOR_LETTERS[b]}" if 0 <= b < len(COLOR_LETTERS) else "",
        reason=_REASONS[b] if b < len(_REASONS) else b,
        lever=LEVER_OUTCOMES[a] if 0 <= a < len(LEVER_OUTCOMES) else a,
    )


@cache
def _action_text(action: int) -> str:
    return str(action_to_move(action))


def history_text(history: Any) -> str:
    """The event log of ``GameState.observed_history``: moves behind a slash, each followed by its events."""
    values: list[int] = history.tolist()
    parts = []
    i = 0
    while i < len(values):
        word = values[i]
        if word & 255 == event_codes.HISTORY_MOVE:
            parts.append(f"| {(word >> 8 & 255) - 1} {_action_text(values[i + 1] >> 8)}")
            i += HEADER_WORDS
            if i + 1 < len(values) and values[i + 1] & 0xFFFF == event_codes.PLAYED | word & 0xFF00:
                i += 1  # the card of the move
        elif not _is_redacted(word):
            parts.append(_event_text(word))
        i += 1
    return ", ".join(parts)


def _is_redacted(word: int) -> bool:
    """Whether a word is a dealt card of another hand, or one that another seat looked at."""
    kind, a, b = word & 255, word >> 16 & 255, word >> 24 & 255
    return (kind == event_codes.DREW and a == 0 and b == event_codes.BY_DEAL + 1) or (
        kind == event_codes.HISTORY_SEEN and b == 0
    )


def private_text(game_state: GameState, seat: int) -> str:
    """The private information of a seat: its hand, the card it has just drawn, and that it is asked out of turn."""
    drawn = game_state.drawn(seat)
    words = [f"seat {seat}: {hand_text(game_state.hand(seat)) or 'nothing'}"]
    words += [f"drawn {_name(drawn)}"] if drawn is not None else []
    words += ["asked out of turn"] if game_state.is_reaction and game_state.current_player == seat else []
    return ", ".join(words)


def public_text(game_state: GameState) -> str:
    """The public information of a state, in one line."""
    if not game_state.is_dealt:
        return "the cards are dealt"
    public = game_state.public_state()
    turn = f"{public.decision} {public.turn}" if public.decision != "over" else "over"
    words = [
        f"{turn}, {'clockwise' if public.direction > 0 else 'counter-clockwise'}",
        f"top {_name(public.top)} {COLOR_LETTERS[public.color] if public.color >= 0 else 'no color'}",
        f"hands {' '.join(map(str, public.counts))}",
        f"draw pile {public.draw_count}",
        f"discards {cards_text(game_state.discards())}",
    ]
    marked = (("exposed", public.exposed), ("called", public.called), ("early", public.early))
    words += [f"pending {public.pending}"] if public.pending else []
    words += [f"{name} {tuple(sorted(seats))}" for name, seats in marked if seats]
    if public.performer is not None:
        words.append(f"{public.performer} performs {public.rule}")
    return "; ".join(words)


def state_text(game_state: GameState) -> str:
    """The whole state for people: public information and every hand."""
    lines = [public_text(game_state)]
    if game_state.is_dealt:
        lines += [f"{seat}: {hand_text(game_state.hand(seat))}" for seat in range(game_state.config.players)]
    if game_state.current_player == CHANCE:
        lines.append(f"chance: {_SOURCES[game_state.chance_source]}, after {game_state.forced_count} events")
    if game_state.is_reaction:
        lines.append(f"{game_state.current_player} is asked out of turn")
    return "\n".join(lines)
