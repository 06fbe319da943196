"""The game as an environment of *OpenEnv* 0.10: a server of rounds, and its client (needs the extra openenv)."""

from __future__ import annotations

from typing import Any, Final

from lastcard.agents.text_round import TextRound, describe_refusal
from lastcard.errors import LastcardError, UsageError

try:
    from fastapi import FastAPI
    from openenv.core import EnvClient
    from openenv.core.client_types import StepResult
    from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app
    from pydantic import Field
except ImportError:
    raise UsageError("this environment needs OpenEnv: install lastcard[openenv]") from None

MAX_TABLES: Final = 100
"""Number of sessions at a time."""
DEFAULT_RULES: Final = "classic+match_mode=single_round"
DEFAULT_BOTS: Final = ("", "sharp")


class LastcardAction(Action):  # type: ignore[misc]
    """The answer of the seat that was asked."""

    text: str = Field(description="a move in notation, a number of the list, words, or JSON: {'move': 'R5'}")


class LastcardObservation(Observation):  # type: ignore[misc]
    """The question to one of the models' seats; after the end the rewards of all seats."""

    seat: int | None = Field(None, description="the seat that is asked; none after the end")
    prompt: str = Field("", description="what the seat sees, and its legal moves")
    system: str = Field("", description="how to answer, and the rules; only after reset")
    refused: str = Field("", description="what was wrong with the last answer, with the clause; empty if nothing was")
    rewards: list[float] = Field([], description="after the end: the part of the round that each seat won")
    adjusted: list[float] = Field([], description="the same without the luck of draws")


class LastcardState(State):  # type: ignore[misc]
    """The table without hidden cards."""

    rules: str = ""
    bots: list[str] = Field([])
    moves: list[str] = Field([], description="the moves so far, each with its seat")


class LastcardEnvironment(Environment[LastcardAction, LastcardObservation, LastcardState]):  # type: ignore[misc]
    """Rounds in which models have one or several seats, and bots the others.

    The reward of a step is that of the seat that answered, so it is 0 until the end; ``rewards`` and ``adjusted`` have
    those of every seat.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._table: TextRound | None = None
        self._state = LastcardState()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        rules: str = DEFAULT_RULES,
        bots: list[str] | tuple[str, ...] = DEFAULT_BOTS,
        **kwargs: Any,
    ) -> LastcardObservation:
        """Deal a round; the same seed deals the same cards.

        Args:
            rules: the ruleset.
            bots: the bot of each seat, by name; an empty text for a seat of a model.

        Raises:
            ValueError: for an unknown ruleset or bot, a wrong number of seats, or no seat of a model.
        """
        try:
            if all(bots):
                raise UsageError("no seat of a model is among the bots; write an empty text for one")
            table = TextRound(rules, [bot or None for bot in bots], seed)
        except LastcardError as error:
            raise ValueError(str(error)) from None
        self._table = table
        self._state = LastcardState(episode_id=episode_id, rules=str(table.match.rules), bots=list(bots))
        return self._observe(table, system=table.system_prompt())

    def step(self, action: LastcardAction, timeout_s: float | None = None, **kwargs: Any) -> LastcardObservation:
        """Give the answer of the seat that was asked; a bad one is refused and asked again.

        Raises:
            ValueError: before ``reset``, and after the end of the round.
        """
        table = self._table
        if table is None or table.question is None:
            raise ValueError("there is no question to answer: reset first")
        question = table.question
        outcome = table.answer(action.text)
        self._state.step_count += 1
        self._state.moves = list(table.match.moves)
        refused = describe_refusal(outcome) if table.question is question else ""
        return self._observe(table, answered=question.seat, refused=refused)

    @property
    def state(self) -> LastcardState:
        """The table without hidden cards."""
        return self._state

    def _observe(
        self, table: TextRound, *, answered: int | None = None, system: str = "", refused: str = ""
    ) -> LastcardObservation:
        """Returns the next question, or the rewards, with the reward of the seat that answered."""
        question = table.question
        if question is not None:
            return LastcardObservation(
                done=False, reward=0.0, seat=question.seat, prompt=question.prompt, system=system, refused=refused
            )
        rewards = list(table.rewards())
        own = None if answered is None else rewards[answered]
        return LastcardObservation(
            done=True, reward=own, system=system, rewards=rewards, adjusted=list(table.adjusted_rewards())
        )


class LastcardClient(EnvClient[LastcardAction, LastcardObservation, LastcardState]):  # type: ignore[misc]
    """The client: ``LastcardClient(base_url=…).sync()``, then ``reset(seed=…, bots=[…])`` and ``step``."""

    def _step_payload(self, action: LastcardAction) -> dict[str, Any]:
        values: dict[str, Any] = action.model_dump()
        return values

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[LastcardObservation]:
        fields = {**payload["observation"], "reward": payload.get("reward"), "done": payload.get("done", False)}
        found = LastcardObservation.model_validate(fields)
        return StepResult(observation=found, reward=payload.get("reward"), done=found.done)

    def _parse_state(self, payload: dict[str, Any]) -> LastcardState:
        state: LastcardState = LastcardState.model_validate(payload)
        return state


def create_app() -> FastAPI:
    """Returns the server: ``uvicorn --factory lastcard.agents.openenv_server:create_app``."""
    return create_fastapi_app(
        LastcardEnvironment,
        LastcardAction,
        LastcardObservation,
        max_concurrent_envs=MAX_TABLES,
        env_name="lastcard",
        state_cls=LastcardState,
    )
