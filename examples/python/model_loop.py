"""A loop for a language model: it reads a view as text, and is asked again after an illegal move."""

from random import Random

from lastcard import Match
from lastcard.agents import AgentSeat, describe_view, rules_prompt

ask_model = Random(1).choice  # put your model here: from words to an answer
match, reason = Match("all-wild", ["model", "model too"], seed=1), ""
seats = [AgentSeat(match, seat) for seat in range(2)]
print(rules_prompt("all-wild"))
while not match.round.over:
    seat = seats[match.round.turn]
    outcome = seat.answer(ask_model([*f"{describe_view(seat.view())} {reason}".split(), "1"]))
    reason = f"Not possible: {outcome.reason}" if outcome.reason else ""
print(match.round, seats[0].illegal, seats[0].unclear, seats[0].substituted)
