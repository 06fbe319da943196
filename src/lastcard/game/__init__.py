"""The game in words and numbers: cards, options, rulesets, rule cards, seeds, actions, positions."""
