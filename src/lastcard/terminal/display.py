"""Output of the line client: functions that convert the table, the question and the result to lines."""

from __future__ import annotations

from collections.abc import Sequence

from lastcard.bots.advice import Hint
from lastcard.game.cards import NO_COLOR, card_color, card_name
from lastcard.game.rulesets import Ruleset
from lastcard.match.match import Match, team_of
from lastcard.match.view import View
from lastcard.terminal.choices import hand_description
from lastcard.terminal.input_parser import COMMANDS
from lastcard.text.locale import Catalog
from lastcard.text.narration import Narrator


def opening_lines(rules: Ruleset, players: Sequence[str], kinds: Sequence[str], texts: Catalog) -> list[str]:
    """Returns the ruleset, the players by seat, bots with their kind (that of a person is empty), and the teams."""
    alone = list(kinds).count("") == 1
    named = []
    for player, kind in zip(players, kinds, strict=True):
        key = "play.bot" if kind else "play.you" if alone else ""
        named.append(texts.text(key, player=player) if key else player)
    teams = {team_of(rules, seat) for seat in range(len(players))} if rules.options.team_play else ()
    return [
        texts.text("play.welcome", game=texts.text(f"game.{rules.game}"), rules=rules),
        texts.text("play.table", players=", ".join(named)),
        *(texts.text("play.teams", one=players[one], two=players[two]) for one, two in sorted(teams)),
    ]


def turn_lines(view: View, narrator: Narrator, full: bool, *, several: bool) -> list[str]:
    """Returns the table before a decision.

    Args:
        full: whether to show everything; else only the question, and the hand if it matters.
        several: whether several people play, so that the name of the player on turn is shown.
    """
    texts = narrator.texts
    assert view.seat is not None
    lines = [texts.text("play.turn", player=narrator.name(view.seat))] if full and several else []
    if full:
        lines += [table_line(view, narrator), players_line(view, narrator)]
    if view.hand and (full or view.decision in ("throw", "bury", "streak", "color", "choose", "take")):
        lines.append(texts.text("play.hand", n=len(view.hand), cards=hand_description(view, narrator)))
    return [*lines, *question_lines(view, narrator)]


def table_line(view: View, narrator: Narrator) -> str:
    """Returns top card, current color, direction and draw pile in one line."""
    texts = narrator.texts
    parts = [texts.text("play.top", card=narrator.card(view.top), code=card_name(view.top))]
    if view.color not in (NO_COLOR, card_color(view.top)):
        parts.append(texts.text("play.color", color=texts.color(view.color)))
    parts.append(texts.text(f"play.direction.{'cw' if view.direction == 1 else 'ccw'}"))
    parts.append(texts.text("play.draw_pile", n=view.draw_count))
    return " ".join(parts)


def players_line(view: View, narrator: Narrator) -> str:
    """Returns all players with seat and hand size, marked if they are a partner, can be caught or have called."""
    texts = narrator.texts
    partners = () if view.seat is None else team_of(narrator.match.rules, view.seat)
    players = []
    for seat, count in enumerate(view.counts):
        name = narrator.name(seat)
        if seat == view.seat:
            name = texts.text("play.you", player=name)
        elif seat in partners:
            name = texts.text("play.partner", who=name)
        who = texts.text("play.count", seat=seat, player=name, count=count)
        if seat in view.exposed:
            who = texts.text("play.exposed", who=who)
        elif seat in view.called:
            who = texts.text("play.called", who=who)
        players.append(who)
    return texts.text("play.hands", players=", ".join(players))


def question_lines(view: View, narrator: Narrator) -> list[str]:
    """Returns the question to the player on turn."""
    texts = narrator.texts
    lines = []
    if view.rule is not None and view.performer == view.seat and view.decision != "perform":
        lines.append(texts.text("prompt.rule", text=narrator.rule(view.rule)))
    values: dict[str, object] = {"n": view.pending}
    if view.drawn is not None:
        values["card"] = narrator.card(view.drawn)
    if view.rule is not None:
        values["text"] = narrator.rule(view.rule)
    return [*lines, texts.text(f"prompt.{narrator.decision_key(view.decision)}", **values)]


def out_of_turn_lines(view: View, narrator: Narrator, people: Sequence[int]) -> list[str]:
    """Returns why people are asked out of turn, from the view of any of them; a single one is called "you"."""
    texts = narrator.texts
    lines = [texts.text("play.moment", player=narrator.name(view.turn))] if view.turn not in people else []
    for seat in sorted(view.exposed):
        own = people == (seat,)
        lines.append(texts.text("play.moment.you" if own else "play.moment.other", player=narrator.name(seat)))
    return lines


def round_result_lines(match: Match, narrator: Narrator, viewer: int | None) -> list[str]:
    """Returns the result of a round: hands and scores."""
    texts, round_ = narrator.texts, match.round
    lines = []
    for seat, (hand, points) in enumerate(zip(round_.hands, round_.held, strict=True)):
        if hand:
            key = "play.holds.you" if seat == viewer else "play.holds"
            points_text = texts.text("count.points", n=points)
            lines.append(texts.text(key, player=narrator.name(seat), cards=narrator.cards(hand), points=points_text))
    options = match.rules.options
    if options.match_mode == "single_round":
        return lines
    lines.append(texts.text("play.scores", target=texts.text("count.points", n=options.winning_score)))
    for seat, score in enumerate(match.scores):
        score_text = texts.text("count.points", n=score)
        lines.append("  " + texts.text("play.score", player=narrator.name(seat), points=score_text))
    return lines


def match_result_lines(match: Match, narrator: Narrator, viewer: int | None) -> list[str]:
    """Returns the result of a match: the winners, and the seed of the commitment."""
    texts, winners = narrator.texts, match.winners or ()
    if winners == (viewer,):
        won = texts.text("play.won.you")
    elif len(winners) == 1:
        won = texts.text("play.won", player=narrator.name(winners[0]))
    else:
        won = texts.text("play.won.together", players=narrator.names(winners))
    return [won, texts.text("play.seed", seed=match.seed.hex())]


def hint_lines(hints: Sequence[Hint], texts: Catalog) -> list[str]:
    """Returns the best moves with their chances and reasons."""
    lines = [texts.text("play.hint.about")]
    for hint in hints:
        chance, error = round(100 * hint.chance), max(1, round(100 * hint.error))
        line = texts.text("play.hint.line", words=hint.words, code=hint.move, chance=chance, error=error, why=hint.why)
        lines.append("  " + line)
    return lines


def help_lines(texts: Catalog, *, several: bool) -> list[str]:
    """Returns the list of commands."""
    words = {command: texts.text(f"command.{command}") for command in (*COMMANDS, "catch")}
    lines = [texts.text("help.number"), texts.text("help.uno"), texts.text("help.catch", catch=words["catch"])]
    if several:
        lines.append(texts.text("help.seat", catch=words["catch"]))
    return [*lines, texts.text("help.words", **words)]
