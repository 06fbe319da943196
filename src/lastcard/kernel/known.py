"""What code knows beforehand that is made for one ruleset (``special.py``): it may leave out what that one never needs.

Options are constants there, so a question costs nothing. In the form for all rulesets it costs more than what could be
left out, and is not asked.
"""


def for_one_ruleset() -> bool:
    """Whether this code is made for the ruleset of the tables it gets; the same comes of it in either form."""
    return False
