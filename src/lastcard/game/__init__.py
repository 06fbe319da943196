"""The game as values and text: cards, options, rulesets, rule cards, seeds, moves, positions."""
