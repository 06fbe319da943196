"""A loop for a language model: it reads a view as text, and is asked again after an illegal move."""

from random import Random

from lastcard import LastcardError, Match

ask_model = Random(1).choice  # put your model here: from a list of words to a move
match, reason = Match("all-wild", ["model", "model too"], seed=1), ""
while not match.round.over:
    view = match.round.view(match.round.turn)
    prompt = f"{view}\nYour cards: {view.hand}\nLegal: {' '.join(map(str, view.legal))}\n{reason}"
    try:
        print(*match.do(match.round.turn, ask_model(prompt.split())))
        reason = ""
    except LastcardError as error:  # no move, or an illegal one
        reason = f"Not possible: {error}"
