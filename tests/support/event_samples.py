"""Every kind of event at least once, at a table of three."""

from __future__ import annotations

from lastcard.game.cards import Card, Color
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.match import events
from lastcard.rules import event_codes

R5 = Card("R5")
EVENT_SAMPLES = [
    events.Turned(R5),
    events.Played(0, R5, None),
    events.Played(0, Card("W"), Color("G")),
    events.JumpedIn(0),
    events.Targeted(0, 1),
    events.Drew(0, 2, (R5, Card("R6")), event_codes.DRAW_REASONS[0]),
    events.Passed(0),
    events.Skipped(0),
    events.Reversed(-1),
    events.Swapped(0, 1),
    events.HandsPassed(1),
    events.Called(0),
    events.Caught(0, 1),
    events.FalseCall(0),
    events.FalseCatch(0, 1),
    events.Challenged(0, 1, True),
    events.Challenged(0, 1, False),
    events.Shown(0, 1, (R5, Card("R6"))),
    events.ColorNamed(0, Color("B")),
    events.Chose(0, 1),
    events.Chose(0, 0),
    *(events.LeverPulled(0, outcome) for outcome in LEVER_OUTCOMES),
    events.RuleDealt(0, 4),
    events.Threw(0, R5),
    events.Buried(0, R5),
    events.Took(0, 1, R5),
    events.Reshuffled(40),
    events.Performed(0),
    events.RoundOver(0),
    events.RoundOver(None),
]
