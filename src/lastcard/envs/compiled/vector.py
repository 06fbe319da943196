"""Many tables side by side for learners: action ids in, observations and action masks out.

An *episode state* is what a table needs besides the round state: the agent to move, memory, discards, the scores of
the match. Compiled bots may play seats; the other seats are agents. A table whose episode has ended begins the next
one with the next step, or at once.
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from lastcard.ai import behavior, decision, heuristic_policy, opponent_memory, policy_net
from lastcard.ai.behavior import BotProfile
from lastcard.ai.policy_net import Rater
from lastcard.envs.compiled import action_ids, episodes, features, knowledge
from lastcard.envs.compiled.action_ids import LegalActions, PlayerToAct
from lastcard.envs.compiled.features import ObservationBuffer, ObserverState
from lastcard.game import action_codes
from lastcard.kernel import bytes16, floats16, records
from lastcard.kernel.jit import export, export_specializable, inlined, kernel
from lastcard.rules import chance, layout, opening, option_codes, phases, scoring, turn
from lastcard.rules.random_policy import choose_random
from lastcard.rules.round_state import RoundState, RoundStates

# Controllers of a seat.
AGENT: Final = 0
RANDOM: Final = 1
HEURISTIC: Final = 2
TRAINED: Final = 3


class EpisodeState(PlayerToAct):
    """The state of a table besides its round state."""

    legal_n: int
    is_done: int  # 1 once the episode is over
    round_number: int  # number of the round
    first_dealer: int  # dealer of round 0
    plies: int  # of the episode
    knows_hands: int  # 1 once somebody may know cards of another hand
    counted_discards: int  # how many cards ``discard_counts`` counts, and of which draw pile
    reshuffles: int
    drew_mask: int  # mask of the seats that drew on their last turn
    turns: records.Int64s = records.shape(layout.MAX_SEATS)  # of each seat in this round
    dice: records.Int64s = records.shape(layout.DICE)
    scores: records.Int64s = records.shape(layout.MAX_SEATS)
    score_percents: records.Int64s = records.shape(layout.MAX_SEATS)  # scores as percents of the winning score
    points: records.Int64s = records.shape(layout.MAX_SEATS)  # scratch
    unused_rewards: records.Float32s = records.shape(layout.MAX_SEATS)  # rewards that nobody gets
    opponent_memory: records.Int64s = records.shape(layout.MAX_SEATS, opponent_memory.MEMORY_COLUMNS)
    legal_ids: records.Int16s = records.shape(layout.MAX_ACTIONS)  # ids of the legal actions


EPISODE_STATE: Final = records.record_type(EpisodeState)
EpisodeStates = Annotated[records.Records, records.array_of(EPISODE_STATE)]


class StepConfig:
    """The settings of all tables."""

    players: int
    kind_count: int  # kinds of cards
    changing_size: int  # length of the part of a row that changes
    wait_id: int  # id of *wait*; -1 if nobody is asked out of turn
    max_steps: int  # plies after which an episode is truncated
    reward: int
    is_match: int  # 1: an episode is a match
    open_hands: int  # 1: a row shows all hands
    winning_score: int
    controllers: records.Int64s = records.shape(layout.MAX_SEATS)  # controller of each seat


STEP_CONFIG: Final = records.record_type(StepConfig)
StepConfigs = Annotated[records.Records, records.array_of(STEP_CONFIG)]


class CardCounts(NamedTuple):
    """The counts of cards of one table."""

    kinds: records.Int8s
    """int8[CARD_SLOTS], the kinds of the game's cards."""
    known_cards: records.Uint8s
    """uint8[seats, seats, places]: known cards of hands; see ``knowledge``."""
    discard_counts: records.Uint8s
    """uint8[places]: the discard pile."""


class SharedArrays(NamedTuple):
    """Arrays shared by all tables, and scratch."""

    configs: StepConfigs
    """One STEP_CONFIG."""
    actions: records.Int64s
    """int64, the moves by id, seats relative to the one that moves."""
    kinds: records.Int8s
    """int8[CARD_SLOTS]."""
    ids: records.Int16s
    """int16[KEYS]."""
    options: records.Uint8s
    """uint8: the end of every row."""
    weights: records.Float64s
    """Weights of the rules of thumb."""
    rater: Rater
    """The policy net with its inputs and outputs; empty arrays if it does not play."""
    out: records.Int64s
    """Scratch: MAX_ACTIONS int64."""


class BatchArrays(NamedTuple):
    """The arrays of all tables, with one row for each."""

    states: RoundStates
    episode_states: EpisodeStates
    known_cards: records.Uint8s4
    """uint8[tables, seats, seats, places]."""
    discard_counts: records.Uint8s2
    """uint8[tables, places]."""


class StepOutputs(NamedTuple):
    """The outputs of a step, with one row for each table."""

    byte_observations: records.Uint8s2
    """uint8[tables, size]."""
    float_observations: records.Float32s2
    """float32[tables, size]: the same rows; empty if they are not wanted."""
    action_mask: records.Uint8s2
    """uint8[tables, actions]: 1 for legal actions."""
    rewards: records.Float32s2
    """float32[tables, seats]."""
    terminated: records.Uint8s
    """uint8: 1 where the episode ended."""
    truncated: records.Uint8s
    """uint8: 1 where the episode was truncated."""
    final_byte_observations: records.Uint8s2
    """uint8[tables, size]: last rows of ended episodes, if the next begins at once; empty otherwise."""
    final_float_observations: records.Float32s2
    """float32[tables, size]: the same; at least one of the two is empty."""


@inlined
def update_discard_counts(t: RoundState, d: EpisodeState, action: int, own: CardCounts) -> None:
    """Update the count of the discard pile after a move."""
    n = t.discard_n
    if t.reshuffles != d.reshuffles or action & 255 >= action_codes.BURY or not 0 <= n - d.counted_discards <= 1:
        features.count_discards(t, own.kinds, own.discard_counts)
    elif n > d.counted_discards:
        own.discard_counts[own.kinds[int(t.discard[n - 1])]] += 1
    d.counted_discards = n
    d.reshuffles = t.reshuffles


@kernel
def start_round(t: RoundState, d: EpisodeState, dealer: int, own: CardCounts) -> None:
    """Deal the next round and forget the last."""
    opening.deal(t, dealer, d.round_number, 0)
    d.round_number += 1
    opponent_memory.reset(d.opponent_memory)
    opponent_memory.update_hand_sizes(t, d.opponent_memory)
    d.drew_mask = 0
    for seat in range(t.players):
        d.turns[seat] = 0
    if d.knows_hands != 0:
        knowledge.forget_known(own.known_cards)
        d.knows_hands = 0
    features.count_discards(t, own.kinds, own.discard_counts)
    d.counted_discards = t.discard_n
    d.reshuffles = t.reshuffles


@inlined
def count_turn(d: EpisodeState, seat: int, action: int) -> None:
    """Count a seat's moves on turns, and record whether it draws."""
    d.turns[seat] += 1
    drew_bit = 1 if action & 255 == action_codes.DRAW else 0
    d.drew_mask = d.drew_mask & ~(1 << seat) | drew_bit << seat


@inlined
def apply_one(t: RoundState, d: EpisodeState, action: int, own: CardCounts) -> None:
    """Make a legal move of the seat that is asked, and record what it shows; NOTHING stands for no reaction."""
    seat = d.current_player & 15  # never negative, which spares the compiler a check at every use
    if action == layout.NOTHING:
        d.asked_mask &= ~(1 << seat)
        return
    colors = t.game != option_codes.ALL_WILD
    if colors:
        opponent_memory.update_colors(t, d.opponent_memory, seat, action)
    if t.phase == phases.PLAY:
        count_turn(d, seat, action)
    may_reveal = knowledge.observe_before(t, seat, action, own.kinds, own.known_cards)
    turn.apply(t, seat, action)
    if may_reveal and knowledge.has_revealing_event(t):
        d.knows_hands = 1
    if d.knows_hands != 0:
        knowledge.observe_after(t, seat, action, may_reveal, own.kinds, own.known_cards)
    if colors:
        opponent_memory.update_hand_sizes(t, d.opponent_memory)
    update_discard_counts(t, d, action, own)
    d.asked_mask = layout.NOTHING
    d.plies += 1


@kernel
def call_or_catch(t: RoundState, seat: int) -> int:
    """The reaction of a compiled bot: it calls and catches, but never jumps in or challenges."""
    bit = 1 << seat
    if t.exposed & bit != 0:
        return action_codes.UNO | action_codes.NO_ARG_BITS
    for other in range(t.players):
        if t.exposed >> other & 1 != 0:
            return action_codes.CATCH | other << 8
    return layout.NOTHING


@inlined
def find_current_player(t: RoundState, d: PlayerToAct, wait_id: int, out: records.Int64s) -> None:
    """Find the seat that the table asks."""
    if wait_id >= 0:
        if d.asked_mask == layout.NOTHING:
            d.asked_mask = action_ids.find_reactors(t, out)
        d.current_player = behavior.next_to_ask(t, d.asked_mask)
        d.is_reaction = 1
        if d.current_player != layout.NOTHING:
            return
    d.current_player = t.turn
    d.is_reaction = 0


@kernel
def choose_trained(t: RoundState, d: EpisodeState, shared: SharedArrays) -> int:
    """The choice of the policy net, as through its view; the episode state has the memory it needs.

    It calls when it is asked out of turn, as all compiled bots do.
    """
    seat = d.current_player & 15
    out = shared.out
    profile = BotProfile(decision.BY_POLICY_NET, 100, 100, 100, 100, 100, 0)
    if d.is_reaction != 0:
        action = decision.react_at_once(t, seat, profile, shared.weights, d.dice, out)
        return action if action == layout.NOTHING else action & ~(1 << action_codes.UNO_SHIFT)
    n = behavior.list_considered(t, seat, profile, d.dice, out)
    action = int(out[0])
    if n > 1 and t.team_play == 0 and policy_net.is_trained_for(t):
        waited = decision.must_lay(int(d.turns[seat]), d.drew_mask >> seat & 1 != 0, decision.may_draw_repeatedly(t))
        n = behavior.filter_voluntary_draws(t, waited, int(d.turns[seat]), out, n)
        opponent_memory.update_hand_sizes(t, d.opponent_memory)
        action = policy_net.choose_rated(t, d.opponent_memory, seat, shared.rater, out[:n])
    elif n > 1:
        action = heuristic_policy.choose_by_heuristic(t, shared.weights, out)
    return action


@kernel
def choose(t: RoundState, d: EpisodeState, controller: int, shared: SharedArrays) -> int:
    """The move of a compiled bot."""
    if controller == TRAINED:
        return choose_trained(t, d, shared)
    if d.is_reaction != 0:
        return call_or_catch(t, d.current_player)
    if controller == HEURISTIC:
        return heuristic_policy.choose_by_heuristic(t, shared.weights, shared.out)
    return choose_random(t, d.dice, shared.out)


@kernel
def end_round(t: RoundState, d: EpisodeState, config: StepConfig, own: CardCounts, rewards: records.Float32s) -> None:
    """End a round: give rewards if the episode is over, else deal the next round."""
    episodes.count_points(t, d.points)
    for seat in range(config.players):
        d.scores[seat] += d.points[seat]
    winners = scoring.round_winners(t) if config.is_match == 0 else scoring.find_winners(t, d.scores)
    if config.is_match != 0 and winners == 0:
        start_round(t, d, episodes.find_dealer(t, d.dice, d.points), own)
        d.asked_mask = layout.NOTHING
        return
    d.is_done = 1
    if config.reward == episodes.POINTS:
        episodes.reward_points(t, d.scores, rewards)
    elif config.reward == episodes.WIN:
        episodes.reward_winners(winners, rewards)
    else:
        if config.is_match == 0:
            episodes.rank_round(t, d.points)
        else:
            rank_match(t, d.scores, winners, d.points)
        episodes.reward_ranks(d.points, rewards)


@kernel
def rank_match(t: RoundState, scores: records.Int64s, winners: int, values: records.Int64s) -> None:
    """Write the values that rank the seats at the end of a match: the winner, then the score."""
    least = t.scoring == option_codes.TALLY
    for seat in range(t.players):
        values[seat] = 1 << 40 if winners >> seat & 1 != 0 else -scores[seat] if least else scores[seat]


@inlined
def advance(t: RoundState, d: EpisodeState, shared: SharedArrays, own: CardCounts, rewards: records.Float32s) -> bool:
    """Play on until an agent is asked or the episode is over; returns whether it was truncated."""
    config = shared.configs[0]
    while True:
        if t.phase == phases.OVER:
            end_round(t, d, config, own, rewards)
            if d.is_done != 0:
                return False
        if d.plies >= config.max_steps:
            d.is_done = 1
            return True
        find_current_player(t, d, config.wait_id, shared.out)
        controller = config.controllers[d.current_player]
        if controller == AGENT:
            return False
        apply_one(t, d, choose(t, d, controller, shared), own)


@kernel
def start_episode(t: RoundState, d: EpisodeState, shared: SharedArrays, own: CardCounts) -> None:
    """Begin an episode, and another if it ends before an agent is asked; the first dealer rotates."""
    config = shared.configs[0]
    d.is_done = 1
    while d.is_done != 0:
        for seat in range(config.players):
            d.scores[seat] = 0
            d.score_percents[seat] = 0
        d.plies = 0
        d.is_done = 0
        d.asked_mask = layout.NOTHING
        start_round(t, d, (d.first_dealer + d.round_number) % config.players, own)
        advance(t, d, shared, own, d.unused_rewards[: config.players])


@inlined
def advance_to_agent(d: EpisodeState, config: StepConfig) -> None:
    """Set the current player of an ended episode to an agent: the seat that ended it, or the next agent."""
    while config.controllers[d.current_player & 15] != AGENT:
        d.current_player = ((d.current_player & 15) + 1) % config.players
        d.is_reaction = 0


@inlined
def write_outputs(
    t: RoundState, d: EpisodeState, shared: SharedArrays, own: CardCounts, x: records.Uint8s, mask: records.Uint8s
) -> None:
    """Write the observation and the mask of the agent to move; see ``advance_to_agent`` once the episode is over."""
    config = shared.configs[0]
    whole = mask.size - mask.size % bytes16.WIDTH_BYTES
    for at in range(0, whole, bytes16.WIDTH_BYTES):
        bytes16.clear_part(mask, at)
    for i in range(whole, mask.size):
        mask[i] = 0
    seat = d.current_player & 15
    if config.is_match != 0:
        for other in range(config.players):
            d.score_percents[other] = d.scores[other] * 100 // config.winning_score
    if config.open_hands != 0:
        knowledge.reveal_hands(t, own.kinds, own.known_cards[seat])
    observer = ObserverState(d.opponent_memory, own.known_cards[seat], own.discard_counts, d.score_percents)
    features.write_observation(
        t,
        seat,
        d.is_reaction != 0,
        observer,
        ObservationBuffer(own.kinds, config.kind_count, config.changing_size, shared.options, x),
    )
    d.legal_n = 0
    if d.is_done == 0:
        to = LegalActions(shared.ids, mask, d.legal_ids, shared.out)
        n = action_ids.add_legal_actions(t, seat, d.is_reaction != 0, to)
        d.legal_n = action_ids.add_legal(to, config.wait_id, n) if d.is_reaction != 0 else n


@inlined
def copy_as_floats(observation: records.Uint8s, size: int, to: records.Float32s) -> None:
    """Copy the changing part of a row into one of float32, with a few of the options, which both have."""
    for at in range(0, size, floats16.FLOATS):
        floats16.copy_bytes(to, observation, at)


@inlined
def write_final_observation(observation: records.Uint8s, size: int, i: int, outputs: StepOutputs) -> None:
    """Save the row of a table whose episode has ended."""
    if outputs.final_byte_observations.shape[0] != 0:
        row = outputs.final_byte_observations[i]
        for at in range(0, size, bytes16.WIDTH_BYTES):
            bytes16.copy_part(row, at, observation, at)
    else:
        copy_as_floats(observation, size, outputs.final_float_observations[i])


@inlined
def first_illegal(
    episode_states: EpisodeStates, action_mask: records.Uint8s2, actions: records.Int64s, masked: bool
) -> int:
    """The first table whose action is illegal; -1 if none is. An episode that is over accepts anything."""
    for i in range(episode_states.size):
        action_id = actions[i]
        if (masked and action_id == layout.NOTHING) or episode_states[i].is_done != 0:
            continue
        if action_id < 0 or action_id >= action_mask.shape[1] or action_mask[i, action_id] == 0:
            return i
    return -1


@export
def find_illegal(
    episode_states: EpisodeStates, action_mask: records.Uint8s2, actions: records.Int64s, masked: bool
) -> int:
    """``first_illegal`` for Python."""
    return first_illegal(episode_states, action_mask, actions, masked)


@export_specializable
def step(batch: BatchArrays, shared: SharedArrays, outputs: StepOutputs, actions: records.Int64s, masked: bool) -> int:
    """Make one move in every round.

    Args:
        actions: int64, a legal action id for each table.
        masked: whether tables with action NOTHING are left as they are.

    Returns:
        -1, or the first table whose action is illegal; then no table has changed.
    """
    config = shared.configs[0]
    illegal = first_illegal(batch.episode_states, outputs.action_mask, actions, masked)
    if illegal >= 0:
        return illegal
    for i in range(batch.episode_states.size):
        if masked and actions[i] == layout.NOTHING:
            continue
        t = batch.states[i]
        d = batch.episode_states[i]
        own = CardCounts(shared.kinds, batch.known_cards[i], batch.discard_counts[i])
        for seat in range(config.players):
            outputs.rewards[i, seat] = 0.0
        outputs.terminated[i] = 0
        outputs.truncated[i] = 0
        if d.is_done != 0:
            start_episode(t, d, shared, own)
        else:
            action = shared.actions[actions[i]]
            if action != layout.NOTHING:
                action = action_ids.rotate_seat(action, d.current_player, config.players)
            apply_one(t, d, action, own)
            if advance(t, d, shared, own, outputs.rewards[i]):
                outputs.truncated[i] = 1
            elif d.is_done != 0:
                outputs.terminated[i] = 1
            if d.is_done != 0:
                advance_to_agent(d, config)
            if (
                d.is_done != 0
                and outputs.final_byte_observations.shape[0] + outputs.final_float_observations.shape[0] != 0
            ):
                write_outputs(t, d, shared, own, outputs.byte_observations[i], outputs.action_mask[i])
                write_final_observation(outputs.byte_observations[i], config.changing_size, i, outputs)
                start_episode(t, d, shared, own)
        write_outputs(t, d, shared, own, outputs.byte_observations[i], outputs.action_mask[i])
        if outputs.float_observations.shape[0] != 0:
            copy_as_floats(outputs.byte_observations[i], config.changing_size, outputs.float_observations[i])
    return -1


@export
def sample_actions(episode_states: EpisodeStates, dice: records.Int64s, actions: records.Int64s) -> None:
    """Write a legal action of each round, drawn uniformly; 0 if the episode is over."""
    for i in range(episode_states.size):
        n = episode_states[i].legal_n
        actions[i] = episode_states[i].legal_ids[chance.roll_below(dice, n)] if n > 0 else 0


@export
def observe(batch: BatchArrays, shared: SharedArrays, i: int, seat: int, x: records.Uint8s) -> None:
    """Write the observation of any seat of table ``i``, on turn or not, into a row: uint8[size]."""
    d = batch.episode_states[i]
    observer = ObserverState(d.opponent_memory, batch.known_cards[i, seat], batch.discard_counts[i], d.score_percents)
    config = shared.configs[0]
    if config.open_hands != 0:
        knowledge.reveal_hands(batch.states[i], shared.kinds, batch.known_cards[i, seat])
    buffer = ObservationBuffer(shared.kinds, config.kind_count, config.changing_size, shared.options, x)
    features.write_observation(batch.states[i], seat, seat == d.current_player and d.is_reaction != 0, observer, buffer)
