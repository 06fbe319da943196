"""The game as an environment of *verifiers* 0.4: rounds as tasks, a role for every seat (needs the extra verifiers).

verifiers finds a task set by the name of a module without dots: see ``examples/agents/lastcard_env.py``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import count
from typing import Any, Final

from lastcard.agents.benchmark.model_client import ModelClient
from lastcard.agents.prompts import rules_prompt
from lastcard.agents.text_round import TextRound, describe_refusal
from lastcard.errors import UsageError

try:
    import verifiers.v1 as vf
except ImportError:
    raise UsageError("this environment needs verifiers: install lastcard[verifiers]") from None

__all__ = ["LastcardEnv", "LastcardHarness", "LastcardTaskset"]

MAX_SEATS: Final = 4
"""Number of roles; a table has 2 to so many seats."""


class LastcardData(vf.TaskData):  # type: ignore[misc]
    """A round.

    ``bots`` has the bot of each seat, an empty text for a seat of a model.
    """

    rules: str
    bots: tuple[str, ...]
    seed: str
    adjusts: bool


class LastcardConfig(vf.TasksetConfig):  # type: ignore[misc]
    """The rounds: ``rules``, the ``bots`` of a table by seat (an empty text for a model), and the ``seed`` of all.

    ``adjusts`` makes the result without luck the reward.
    """

    rules: str = "classic+match_mode=single_round"
    bots: tuple[str, ...] = ("", "sharp")
    seed: str = "verifiers"
    adjusts: bool = False


class LastcardTask(vf.Task[LastcardData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """A round as a task."""


class LastcardTaskset(vf.Taskset[LastcardTask, LastcardConfig]):  # type: ignore[misc]
    """Endless rounds: each deal is played in every seating, so that models change seats with bots."""

    INFINITE = True

    def load(self) -> Iterator[LastcardTask]:
        """Yield the rounds, the same for the same seed; raises a UsageError for bots that leave no model a role."""
        config = self.config
        if all(config.bots) or len(config.bots) > MAX_SEATS:
            raise UsageError(
                f"a table has up to {MAX_SEATS} seats, one of them a model's: an empty text among the bots"
            )
        for number in count():
            deal, shift = divmod(number, len(config.bots))
            bots = config.bots[-shift:] + config.bots[:-shift] if shift else config.bots
            data = LastcardData(
                name=f"{config.rules} deal {deal} seating {shift}",
                system_prompt=rules_prompt(config.rules),
                rules=config.rules,
                bots=bots,
                seed=f"{config.seed} {deal}",
                adjusts=config.adjusts,
            )
            yield LastcardTask(data, config.task)


_ROLE: Final = vf.AgentConfig(runtime=vf.SubprocessConfig())


class LastcardEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """The roles. Those of bots' seats do not play."""

    seat0: vf.AgentConfig = _ROLE
    seat1: vf.AgentConfig = _ROLE
    seat2: vf.AgentConfig = _ROLE
    seat3: vf.AgentConfig = _ROLE
    max_concurrent_agents: int | None = None


class LastcardEnv(vf.Env[LastcardEnvConfig]):  # type: ignore[misc]
    """A round: each model's seat is an exchange with one role, and its trace has the rewards of the seat.

    ``won`` is the part of the round that the seat won. ``adjusted`` is the same without the luck of draws. One of them
    is the reward (``adjusts`` of the task set), the other a metric. Further metrics count bad answers.
    """

    async def run(self, task: Any, agents: Any) -> None:
        """Play a round to its end, or until a model ends its exchange; then no model wins anything."""
        data = task.data
        table = TextRound(data.rules, [bot or None for bot in data.bots], data.seed)
        async with AsyncExitStack() as stack:
            seats = [seat for seat, bot in enumerate(data.bots) if not bot]
            exchanges = {
                seat: await stack.enter_async_context(getattr(agents, f"seat{seat}").interaction(task))
                for seat in seats
            }
            reason = ""
            while (question := table.question) is not None:
                segment = await exchanges[question.seat].turn(reason + question.prompt)
                if segment.terminated:
                    break
                outcome = table.answer(segment.last_reply)
                reason = f"{describe_refusal(outcome)}\n\n" if table.question is question else ""
        nothing = (0.0,) * len(data.bots)
        is_whole = table.question is None
        results = {
            "won": table.rewards() if is_whole else nothing,
            "adjusted": table.adjusted_rewards() if is_whole else nothing,
        }
        for seat, exchange in exchanges.items():
            counts, trace = table.counts[seat], exchange.trace
            trace.record_metrics({name: values[seat] for name, values in results.items()})
            trace.record_metrics({"illegal": counts.illegal.total(), "fallbacks": counts.fallbacks})
            rewarded = "adjusted" if data.adjusts else "won"
            trace.record_reward(rewarded, trace.metrics.pop(rewarded))


class LastcardHarness(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]
    """Asks the model once for each turn, in this process: nothing is installed and no program is started."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx: Any, *rest: Any) -> Any:
        """Send the conversation to the model; verifiers records its answer.

        Args:
            ctx: the model.
            rest: the trace, the runtime, the endpoint, its secret, servers of tools, and the data of the task.
        """
        _, _, endpoint, secret, _, data = rest
        system, prompt = self.resolve_prompt(data)
        messages: list[Any] = [{"role": "system", "content": system}] if system else []
        messages += [{"role": each.role, "content": each.content} for each in prompt or [] if not isinstance(each, str)]
        await asyncio.to_thread(ModelClient(endpoint, ctx.model, key=secret).ask, messages)
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
