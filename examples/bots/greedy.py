"""A bot for lastcard: plays the most expensive card that it can, and never forgets to call.

    lastcard bot python3 examples/bots/greedy.py

docs/bot-protocol.md describes the messages; the bot needs only the standard library.
"""

import json
import sys

NEVER_LAST = ("W", "W+4")  # these can always name a color: save them while another card is possible


def move_value(move, view):
    """Returns the value of getting rid of a card."""
    card, _, seat = move.partition(">")
    if seat and not card.endswith("@2"):  # hands are exchanged: the difference in cards counts
        return 20 * (len(view["hand"]) - 1 - view["counts"][int(seat)])
    card = card.split("=")[0]
    if card in NEVER_LAST:
        return -1
    return int(card[1:]) if card[1:].isdigit() else 20


def is_play(move):
    """Whether a move lays a card: R5, Gs, W=B, Wx>2."""
    return move[0] in "RYGBW"


def best_color(hand):
    """Returns the most frequent color of a hand."""
    return max("RYGB", key=lambda color: sum(card[0] == color for card in hand))


def choose(view, legal):
    """Returns one of the legal moves."""
    color = best_color(view["hand"])
    plays = [move for move in legal if is_play(move) and ("=" not in move or move.endswith(color))]
    if plays:
        move = max(plays, key=lambda play: move_value(play, view))
        return move + "!" if len(view["hand"]) == 2 else move
    if "color=" + color in legal:
        return "color=" + color
    for move in legal:  # choose the player with the fewest cards
        if ">" in move:
            return min((m for m in legal if ">" in m), key=lambda m: view["counts"][int(m.split(">")[1])])
    return legal[0]


def react(view, legal):
    """Returns the first legal call, catch, or jump-in."""
    return legal[0]


def main():
    """Read lines until the end of input, and answer those that ask for a move."""
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            answer = {"type": "ready", "protocol": 1, "name": "greedy"}
        elif kind == "choose":
            answer = {"id": message["id"], "move": choose(message["view"], message["legal"])}
        elif kind == "react":
            answer = {"id": message["id"], "move": react(message["view"], message["legal"])}
        elif kind == "fault":
            sys.stderr.write("fault: " + message["text"] + "\n")
            continue
        else:
            continue
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
