"""A ruleset of your own: read its rules, then let bots play by it."""

from lastcard import Match, explain, play, ruleset

rules = ruleset("classic", {"stacking": "same", "jump_in": True, "winning_score": 200})
print(explain(rules, width=80))
match = play(Match(rules, ["Ann", "Bo", "Cy"], seed="porch"), "sharp")
print(match)
