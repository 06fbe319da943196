"""A round as a game tree: it branches by the moves of seats and by the outcomes of chance, one event at a time.

A *node* belongs to the table as it was before the current move. The move is tried on a copy of that table with the
chance outcomes forced so far (``forced_chance``). If the copy needs more, the node is a chance node.
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from lastcard.ai import determinize, opponent_memory
from lastcard.ai.belief import Beliefs
from lastcard.envs.compiled import action_ids, episodes, features, knowledge, vector
from lastcard.envs.compiled.action_ids import LegalActions, PlayerToAct
from lastcard.envs.compiled.features import ObservationBuffer, ObserverState
from lastcard.kernel import records
from lastcard.kernel.jit import export, kernel
from lastcard.rules import event_codes, forced_chance, history, layout, opening, phases, scoring, turn
from lastcard.rules.history import redact
from lastcard.rules.round_state import RoundState, RoundStates

# Values of ``current_player`` other than seats.
CHANCE: Final = -1
TERMINAL: Final = -4
DEALER: Final = -5
# Further results of ``step``.
ILLEGAL: Final = -8

WAITING_EVENT: Final = 29
"""A word of the event log that only one seat sees: asked out of turn, it did not react."""

MAX_OUTCOMES: Final = 128


class NodeRecord(PlayerToAct):
    """The tree's data for a table."""

    plies: int  # moves of seats so far
    actor: int  # seat whose move is being carried out
    action: int  # that move; NOTHING for the deal
    chance_source: int  # source of its chance outcomes (``forced_chance``)
    forced_count: int  # number of outcomes forced for it
    legal_n: int
    legal_ids: records.Int16s = records.shape(
        layout.MAX_ACTIONS
    )  # ids of legal moves or of possible outcomes, in order
    probabilities: records.Float64s = records.shape(MAX_OUTCOMES)  # probability of each
    outcome_codes: records.Uint8s = records.shape(MAX_OUTCOMES)  # code of each as a forced outcome
    forced_outcomes: records.Uint8s = records.shape(forced_chance.MAX_FORCED)


NODE_RECORD: Final = records.record_type(NodeRecord)
NodeRecords = Annotated[records.Records, records.array_of(NODE_RECORD)]


class TreeConfig:
    """The settings of all nodes of a game."""

    dealer: int
    wait_id: int  # id of *wait*; -1 if nobody is asked out of turn
    max_steps: int  # moves of seats after which a round is truncated
    dealt_cards: int  # cards dealt to all hands together
    first_lever_id: int  # id of the first outcome of the lever
    first_rule_id: int  # id of the first rule card
    outcome_count: int  # number of chance ids


TREE_CONFIG: Final = records.record_type(TreeConfig)
TreeConfigs = Annotated[records.Records, records.array_of(TREE_CONFIG)]


class TreeScratch(NamedTuple):
    """Arrays shared by all nodes of a game, and scratch."""

    configs: TreeConfigs
    """One TREE_CONFIG."""
    actions: records.Int64s
    """int64, the moves by id."""
    kinds: records.Int8s
    """int8[CARD_SLOTS]."""
    ids: records.Int16s
    """int16[KEYS]."""
    mask: records.Uint8s
    """uint8[actions], zeros before and after."""
    out: records.Int64s
    """int64[MAX_ACTIONS], scratch."""
    indices: records.Int64s
    """int64[2]: the index of a node, and of the next one."""
    events: records.Int32s
    """int32[MOVE_RECORD_WORDS], written: the number of words that a move adds to the event log, and the words."""


@kernel
def count_outcomes(t: RoundState, g: NodeRecord, config: TreeConfig, kinds: records.Int8s, first_card: bool) -> int:
    """Count the possible outcomes in ``probabilities``, by id; returns their total.

    Args:
        first_card: whether the outcome is the first discard; cards that would be returned (CL-11) are not counted.
    """
    for i in range(config.outcome_count):
        g.probabilities[i] = 0.0
    total = 0
    if t.forced_outcomes == -forced_chance.OF_LEVER:
        for outcome in range(t.lever_weights.size):
            total += t.lever_weights[outcome]
            g.probabilities[config.first_lever_id + outcome] = t.lever_weights[outcome]
            g.outcome_codes[config.first_lever_id + outcome] = outcome
        return total
    for i in range(t.deck_n - 1, -1, -1):
        card = int(t.deck[i])
        if first_card and opening.is_returned(t, card):
            continue
        outcome_id = config.first_rule_id + card if t.forced_outcomes == -forced_chance.OF_STACK else int(kinds[card])
        g.probabilities[outcome_id] += 1.0
        g.outcome_codes[outcome_id] = i
        total += 1
    return total


@kernel
def list_outcomes(t: RoundState, g: NodeRecord, config: TreeConfig, kinds: records.Int8s) -> None:
    """Write the possible outcomes of chance, their probabilities and their codes."""
    first_card = (
        g.action == layout.NOTHING
        and g.forced_count == config.dealt_cards
        and t.forced_outcomes == -forced_chance.OF_PILE
    )
    total = count_outcomes(t, g, config, kinds, first_card)
    if total == 0:
        total = count_outcomes(t, g, config, kinds, False)
    n = 0
    for outcome_id in range(config.outcome_count):
        if g.probabilities[outcome_id] > 0.0:
            g.legal_ids[n] = outcome_id
            g.probabilities[n] = g.probabilities[outcome_id] / total
            g.outcome_codes[n] = g.outcome_codes[outcome_id]
            n += 1
    g.legal_n = n


@kernel
def list_actions(t: RoundState, g: NodeRecord, scratch: TreeScratch) -> None:
    """Find the seat that the table asks, and write its legal actions in order."""
    mask = scratch.mask
    wait_id = scratch.configs[0].wait_id
    vector.find_current_player(t, g, wait_id, scratch.out)
    action_ids.add_legal_actions(
        t, g.current_player, g.is_reaction != 0, LegalActions(scratch.ids, mask, g.legal_ids, scratch.out)
    )
    if g.is_reaction != 0:
        mask[wait_id] = 1
    n = 0
    for action_id in range(mask.size):
        if mask[action_id] != 0:
            mask[action_id] = 0
            g.legal_ids[n] = action_id
            n += 1
    g.legal_n = n


@kernel
def find_next_player(t: RoundState, g: NodeRecord, scratch: TreeScratch) -> None:
    """Find the seat to move next, if any."""
    g.legal_n = 0
    if t.phase == phases.OVER or g.plies >= scratch.configs[0].max_steps:
        g.current_player = TERMINAL
    else:
        list_actions(t, g, scratch)


@kernel
def try_action(next_states: RoundStates, g: NodeRecord, config: TreeConfig, events: records.Int32s) -> bool:
    """Make the move of a node on the copy of its table; False if it needs more outcomes than are forced."""
    t = next_states[0]
    forced_chance.force(t, g.forced_outcomes, g.forced_count)
    if g.action == layout.NOTHING:
        opening.deal(t, config.dealer, 0, 0)
        n = history.record_deal(t, events[1:])
    else:
        n = history.record_action(t, g.actor, g.action, events[1:])
        turn.apply(t, g.actor, g.action)
    if t.forced_outcomes < 0:
        return False
    forced_chance.clear_forced(t)
    events[0] = history.record_events(t, events[1:], n)
    return True


@kernel
def advance(states: RoundStates, next_states: RoundStates, g: NodeRecord, scratch: TreeScratch) -> None:
    """Go to the next node with the outcomes forced so far; the copy equals the table.

    It equals the table again if the move waits for chance.
    """
    config = scratch.configs[0]
    scratch.events[0] = 0
    g.is_reaction = 0
    g.asked_mask = layout.NOTHING
    if try_action(next_states, g, config, scratch.events):
        g.forced_count = 0
        find_next_player(next_states[0], g, scratch)
    else:
        g.current_player = CHANCE if g.forced_count < forced_chance.MAX_FORCED else TERMINAL
        g.chance_source = -next_states[0].forced_outcomes
        list_outcomes(next_states[0], g, config, scratch.kinds)
        next_states[0] = states[0]


@kernel
def find_legal(f: NodeRecord, chosen_id: int) -> int:
    """The index of an id among the legal moves or outcomes; NOTHING if it is not there."""
    for i in range(f.legal_n):
        if f.legal_ids[i] == chosen_id:
            return i
    return layout.NOTHING


@export
def step(
    scratch: TreeScratch,
    states: RoundStates,
    nodes: NodeRecords,
    next_states: RoundStates,
    next_nodes: NodeRecords,
    chosen_id: int,
) -> int:
    """Go on from one node to the next, at the indices in ``scratch.indices``.

    Args:
        states, nodes: tables and their nodes; they do not change. If the seat of the node is DEALER, the deal begins,
            from a table that has its rules and its deck.
        next_states, next_nodes: arrays into which the next one is written.
        chosen_id: id of a legal move or a possible outcome.

    Returns:
        The player to move next, or ILLEGAL.
    """
    i = scratch.indices[0]
    k = scratch.indices[1]
    f = nodes[i]
    g = next_nodes[k]
    before = states[i : i + 1]
    after = next_states[k : k + 1]
    chosen = find_legal(f, chosen_id)
    if chosen == layout.NOTHING and f.current_player != DEALER:
        return ILLEGAL
    g.plies = f.plies
    g.actor = f.actor
    g.action = f.action
    g.forced_count = 0
    g.is_reaction = 0
    after[0] = before[0]
    if f.current_player == DEALER:
        g.actor = layout.NOTHING
        g.action = layout.NOTHING
    elif f.current_player == CHANCE:
        for i in range(f.forced_count):
            g.forced_outcomes[i] = f.forced_outcomes[i]
        g.forced_outcomes[f.forced_count] = f.outcome_codes[chosen]
        g.forced_count = f.forced_count + 1
    else:
        g.plies += 1
        if scratch.actions[chosen_id] == layout.NOTHING:
            decline_reaction(after, f, g, scratch)
            return int(g.current_player)
        g.actor = f.current_player
        g.action = action_ids.rotate_seat(scratch.actions[chosen_id], f.current_player, before[0].players)
    advance(before, after, g, scratch)
    return int(g.current_player)


@kernel
def decline_reaction(next_states: RoundStates, f: NodeRecord, g: NodeRecord, scratch: TreeScratch) -> None:
    """Record that a seat asked out of turn does not react, which only it knows."""
    g.asked_mask = f.asked_mask & ~(1 << f.current_player)
    scratch.events[0] = 1
    scratch.events[1] = WAITING_EVENT | (f.current_player + 1) << 8
    find_next_player(next_states[0], g, scratch)


# --- reading a node --------------------------------------------------------------------------------


@export
def copy_state(states: RoundStates, next_states: RoundStates) -> None:
    """Copy a table: far quicker than NumPy does it."""
    next_states[0] = states[0]


@export
def write_returns(states: RoundStates, reward: int, points: records.Int64s, rewards: records.Float64s) -> None:
    """Write what a round gives each seat: nothing before it is over.

    Args:
        reward: WIN or POINTS (``episodes``); points that count against a seat (CL-52) are negative.
        points: int64[MAX_SEATS], scratch.
        rewards: float64[players], zeros; written.
    """
    t = states[0]
    if t.phase != phases.OVER:
        return
    if reward == episodes.WIN:
        episodes.reward_winners(scoring.round_winners(t), rewards)
    else:
        episodes.count_points(t, points)
        episodes.reward_points(t, points, rewards)


class ObservationScratch(NamedTuple):
    """Arrays for a seat's view and its observation."""

    states: RoundStates
    """Scratch for a table."""
    discard_counts: records.Uint8s
    """uint8[places], scratch."""
    words: records.Int32s
    """int32, the new words of the event log, not redacted."""
    history: records.Int32s
    """int32, of the same length: scratch."""
    opponent_memory: records.Int64s2
    """int64[MAX_SEATS, MEMORY_COLUMNS], the memory of all seats: updated."""
    known_cards: records.Uint8s3
    """uint8[seats, seats, places], known cards of hands: updated."""
    scores: records.Int64s
    """int64[seats], percent of the winning score."""
    buffer: ObservationBuffer


@export
def observe(
    scratch: ObservationScratch, states: RoundStates, nodes: NodeRecords, i: int, seat: int, count: int
) -> None:
    """Write what a seat may know at node ``i``, after the deal, into a row; ``count`` words of the event log are new.

    They are all since the state of ``scratch.opponent_memory`` and ``scratch.known_cards``, which are zeros at first.
    """
    t = states[i]
    f = nodes[i]
    kinds = scratch.buffer.kinds
    if count > 0:
        new_words = scratch.words[:count]
        redacted = scratch.history[:count]
        scratch.states[0] = states[i]
        opponent_memory.replay_history(scratch.states[0], scratch.opponent_memory, new_words)
        opponent_memory.update_hand_sizes(t, scratch.opponent_memory)
        for viewer in range(t.players):
            redact(new_words, viewer, redacted)
            knowledge.rebuild_known(redacted, viewer, t.players, kinds, scratch.known_cards[viewer])
    features.count_discards(t, kinds, scratch.discard_counts)
    observer = ObserverState(scratch.opponent_memory, scratch.known_cards[seat], scratch.discard_counts, scratch.scores)
    features.write_observation(t, seat, f.is_reaction != 0 and f.current_player == seat, observer, scratch.buffer)


@export
def copy_redacted(history: records.Int32s, viewer: int, out: records.Int32s) -> int:
    """Copy the past as a seat (-1: a spectator) saw it; returns how many words there are."""
    redact(history, viewer, out)
    n = 0
    for i in range(out.size):
        word = int(out[i])
        if word & 255 != WAITING_EVENT or (word >> 8) - 1 == viewer:
            out[n] = word
            n += 1
    return n


@export
def write_recent_actions(
    history: records.Int32s, seat: int, players: int, wait: int, ids: records.Int16s, out: records.Float32s2
) -> None:
    """Write the last moves known to a seat, latest first: the seat that moved, relative to it, and the action id.

    Args:
        history: int32, the redacted event log of the seat.
        wait: id of *wait*.
        ids: int16[KEYS].
        out: float32[moves, players + action ids], zeros; 1 is written at both.
    """
    n = 0
    for i in range(history.size - 1, -1, -1):
        if n == out.shape[0]:
            return
        word = int(history[i])
        actor = (word >> 8 & 255) - 1
        if word & 255 == event_codes.HISTORY_MOVE:
            action_id = int(
                ids[action_ids.key_of(action_ids.rotate_seat(int(history[i + 1]) >> 8, players - actor, players))]
            )
            if action_id == layout.NOTHING:
                continue
        elif word & 255 == WAITING_EVENT:
            action_id = wait
        else:
            continue
        out[n, (actor - seat + players) % players] = 1.0
        out[n, players + action_id] = 1.0
        n += 1


@export
def determinize_state(states: RoundStates, beliefs: Beliefs, deals: records.Int8s2, dice: records.Int64s) -> None:
    """Complete a table as a seat sees it by the first of some imagined deals (``search.think``)."""
    determinize.apply_deal(beliefs[0], states[0], deals[0], dice)
    forced_chance.clear_forced(states[0])
