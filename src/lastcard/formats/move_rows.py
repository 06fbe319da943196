"""The moves of records as rows of a data frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lastcard.formats.replay import replay
from lastcard.game.cards import card_name, color_letter
from lastcard.match.events import Drew
from lastcard.match.record import Record


def tabulate_moves(records: Iterable[Record]) -> Iterator[dict[str, object]]:
    """Yields one row for each move of some records, with text and numbers only: ``pandas.DataFrame(rows)``.

    Columns: ``match`` (from 0), ``rules``, ``round`` (from 1), ``ply`` (from 1), ``seat``, ``player``, ``move`` in
    notation, its parts ``verb``, ``card``, ``color``, ``target`` and ``uno`` (None for a part that it lacks),
    ``cards_left`` in the seat's hand after it, ``cards_drawn`` by anybody, and ``winner``, the seat that won the round.

    >>> record = play(Match("all-wild", ["Ann", "Bo"], seed=1), "sharp").record()
    >>> next(tabulate_moves([record]))["player"]
    'Bo'

    Args:
        records: records with their seed, as ``read_records`` yields them.

    Raises:
        RecordError: at the first false statement of a record.
    """
    for number, record in enumerate(records):
        ply = last_round = 0
        for match, seat, move, events in replay(record):
            ply = ply + 1 if match.number == last_round else 1
            last_round = match.number
            yield {
                "match": number,
                "rules": str(record.rules),
                "round": match.number + 1,
                "ply": ply,
                "seat": seat,
                "player": record.players[seat],
                "move": str(move),
                "verb": move.verb,
                "card": None if move.card is None else card_name(move.card),
                "color": None if move.color is None else color_letter(move.color),
                "target": move.target,
                "uno": move.uno,
                "cards_left": match.round.counts[seat],
                "cards_drawn": sum(event.count for event in events if isinstance(event, Drew)),
                "winner": record.rounds[match.number].winner,
            }
