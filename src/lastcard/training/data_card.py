"""The data card of a data set: what it has, how it was made, and what it is good for."""

from __future__ import annotations

from typing import Final

from lastcard.arena.manifest import make_manifest
from lastcard.arena.round_rows import PARQUET
from lastcard.envs.features import features
from lastcard.training.dataset_files import METADATA_KEY, Dataset, DatasetSize
from lastcard.training.decision_rows import ROLLOUTS

_COLUMNS: Final = {
    "round": "Number of the round, from 0.",
    "ply": "Number of moves made in the round before this decision. Players who wait do not move.",
    "seat": "The seat that decides, from 0.",
    "bot": "The bot at this seat.",
    "is_reaction": "Whether the seat was asked out of turn, for a call, a catch, a challenge or a jump-in.",
    "observation": "What the seat knows, version {version} of lastcard's observation. Its fields are listed below.",
    "action_mask": "1 at the id of every legal action.",
    "action": "The id of the chosen action; seats in its name are counted clockwise from the seat that decides.",
    "with_call": "Whether UNO was called together with the move.",
    "hidden_hands": "The other hands, clockwise: for each the number of cards of each kind.",
    "is_last": "Whether it is the last decision of its seat in the round.",
    "won": "Whether the seat, or its partner, won the round.",
    "points": "Score of the seat in the round.",
    "chances": "Chance of every seat to win the round before the decision, clockwise from the seat that decides: the "
    "share of {rollouts} rollouts by rules of thumb with all cards known.",
    "chance_lost": "How much more the best move found by a search wins, by what the seat knows; null for calls, "
    "catches and waiting. Noise can make it negative.",
}


def make_card(dataset: Dataset, size: DatasetSize, license_id: str) -> str:
    """Returns the text of the card, in Markdown with the head that data hubs read.

    Args:
        license_id: the license of the data, as an SPDX id.
    """
    plan, layout, made = dataset.plan, features(dataset.plan.rules, dataset.plan.players), make_manifest()
    described = dataset.describe()
    schema, splits = dataset.make_schema(), [name for name in size.rounds if size.rows[name]]
    files = "\n".join(f"      - split: {name}\n        path: {name}{PARQUET}" for name in splits)
    counts = "\n".join(f"| {name} | {size.rounds[name]} | {size.rows[name]} |" for name in size.rounds)
    texts = {name: _COLUMNS[name].format(version=described["observation_version"], rollouts=ROLLOUTS)
             for name in schema.names}  # fmt: skip
    columns = "\n".join(f"| `{column.name}` | `{column.type}` | {texts[column.name]} |" for column in schema)
    fields = "\n".join(f"| `{name}` | {at.start} | {at.stop} |" for name, at in layout.fields.items())
    command = f"lastcard dataset {plan.rules} --players {plan.players} --bots {','.join(plan.bots)}"
    command += f" --rounds {dataset.rounds} --seed {plan.seed.hex()}{' --chances' * dataset.measures_chances}"
    return f"""---
license: {license_id.lower()}
pretty_name: Decisions in {plan.rules} for {plan.players} players
tags: [card-game, imperfect-information, offline-reinforcement-learning]
configs:
  - config_name: default
    data_files:
{files}
---

# Decisions in {plan.rules} for {plan.players} players

Every row is a decision of a bot in a round of cards: what it knew, what it did, and the cards that it could not see.

- **Bots**: {", ".join(plan.bots)}. All are attentive: they forget no call and miss no catch. They change seats.
- **Seed**: `{plan.seed.hex()}`. Round *n* is round *n* of this seed, dealt by seat *n* modulo {plan.players}.
- **License**: {license_id}. The data has no personal data: programs played all rounds.
- **Made by** lastcard {made["version"]} (kernel `{made["kernel"]}`, code `{described["code"]}`), and with the same
  bytes again by any number of workers with `{command}`.

## Splits

A round is in one split as a whole, by a hash of the seed and its number. Rows of one round depend on each other, so do
not split them.

| split | rounds | rows |
|---|--:|--:|
{counts}

## Columns

| column | type | meaning |
|---|---|---|
{columns}

The metadata of each file has the names of {len(layout.action_space)} actions, those of {len(layout.cards)} kinds
of cards and the place of every field of the observation, as JSON under the key `{METADATA_KEY}`.

## Fields of the observation

| field | first | end |
|---|--:|--:|
{fields}

## Limits

Bots are not people. They play to win the round, not the match. The chances are those of players who follow rules of
thumb.
"""
