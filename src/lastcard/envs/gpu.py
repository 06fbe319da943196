"""Tables on a GPU: each thread plays a table, with the kernel's own functions compiled for the GPU.

This module contains no rules. A thread calls ``envs.compiled.vector.step`` with the arrays of one table, so a table on
a GPU equals one on a CPU, to the byte. Two functions of the kernel depend on a CPU and are replaced. On Numba's
simulator (``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1``) all of it runs without a GPU, slowly.
"""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any, Final

import numpy as np

from lastcard.ai.policy_net import Rater
from lastcard.envs.batch import Batch, EnvConfig
from lastcard.envs.compiled import vector as kernel
from lastcard.errors import UsageError
from lastcard.game.seeds import Seed, parse_seed
from lastcard.kernel import bits, blocks, bytes16, floats16
from lastcard.kernel.cache import native_folder
from lastcard.kernel.signatures import wants_inlining
from lastcard.rules.layout import DICE, MAX_ACTIONS

try:
    import numba_cuda  # type: ignore[import-untyped]
    from numba import config, cuda, types
    from numba.cuda.extending import intrinsic, overload, typeof_impl

    from lastcard.kernel import intrinsics, native_backend  # noqa: F401  # native's way with functions is replaced
except ImportError as missing:
    raise UsageError(f"tables on a GPU need numba-cuda: install lastcard[gpu] ({missing})") from None

BLOCK_THREADS: Final = 64
"""Tables in a block. A thread needs many registers; a GPU can place small blocks more freely."""

# --- replacements for the GPU -----------------------------------------------------------------------


def _prevent_inlining(typing_context: Any) -> Any:
    """Prevent inlining of the function that calls this, because it is long."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), generate


_mark_noinline: Any = intrinsic(_prevent_inlining)
_four_blocks: Any = intrinsic(intrinsics.four_blocks.__wrapped__)
_first_words: Any = intrinsic(intrinsics.first_words.__wrapped__)


def _fill_blocks(key: Any, counter: Any, purpose: Any, number: Any, index: Any, out: Any) -> Any:
    def compiled(key: Any, counter: Any, purpose: Any, number: Any, index: Any, out: Any) -> None:
        _mark_noinline()
        _four_blocks(key, counter, purpose, number, index, out)

    return compiled


def _fill_firsts(key: Any, purpose: Any, number: Any, index: Any, out: Any) -> Any:
    def compiled(key: Any, purpose: Any, number: Any, index: Any, out: Any) -> None:
        _mark_noinline()
        _first_words(key, purpose, number, index, out)

    return compiled


if not config.ENABLE_CUDASIM:
    overload(blocks.fill_blocks)(_fill_blocks)
    overload(blocks.fill_first_words)(_fill_firsts)
    # Unchanged: there are no instructions for them.
    overload(bits.nth_bit, strict=False)(lambda mask, n: bits.nth_bit)
    overload(bytes16.copy_part, strict=False)(lambda target, to, source, at: bytes16.copy_part)
    overload(bytes16.swap_part, strict=False)(lambda one, other, at: bytes16.swap_part)
    overload(bytes16.clear_part, strict=False)(lambda target, at: bytes16.clear_part)
    overload(floats16.copy_bytes, strict=False)(lambda target, source, at: floats16.copy_bytes)


@cache
def _dispatcher_of(function: FunctionType, inline: bool) -> Any:
    """Numba's dispatcher of a kernel function on a GPU."""
    return cuda.jit(function, device=True, forceinline=inline)


@typeof_impl.register(FunctionType)  # type: ignore[untyped-decorator]
def _type_of_function(function: FunctionType, context: Any) -> Any:
    """A kernel function in code for a GPU, as ``native_backend`` types it for a CPU."""
    inline = wants_inlining(function)
    if inline is None:
        return typeof_impl.dispatch(object)(function, context)
    return _dispatcher_of(function, inline)._numba_type_


# --- one thread, one table ----------------------------------------------------------------------------


def _compile_for_device(function: Any) -> Any:
    """Compile a function for a GPU when it is first launched; cached on disk beside the code for the CPU."""
    if config.ENABLE_CUDASIM:
        return cuda.jit(function)
    folder, usual = native_folder(), config.CACHE_DIR
    config.CACHE_DIR = str(folder / f"cuda-{numba_cuda.__version__}") if folder else usual
    try:
        return cuda.jit(function, cache=folder is not None, lto=False)
    finally:
        config.CACHE_DIR = usual


@_compile_for_device
def _end_episodes(episode_states: Any) -> None:
    """End every episode, so that the next step begins another."""
    i = cuda.grid(1)
    if i < episode_states.size:
        episode_states[i].is_done = 1


@_compile_for_device
def _find_illegal(episode_states: Any, action_mask: Any, actions: Any, masked: bool, illegal: Any) -> None:
    """Find the first table whose action is illegal."""
    i = cuda.grid(1)
    if (
        i < episode_states.size
        and kernel.find_illegal(episode_states[i : i + 1], action_mask[i : i + 1], actions[i : i + 1], masked) >= 0
    ):
        cuda.atomic.min(illegal, 0, i)


@_compile_for_device
def _step(batch: Any, shared: Any, outputs: Any, actions: Any, results: Any, masked: bool) -> None:
    """``envs.compiled.vector.step`` at every table, unless an action is illegal at one of them."""
    current_player, illegal = results
    i = cuda.grid(1)
    if i >= current_player.size or illegal[0] < current_player.size:
        return
    j = i + 1
    kernel.step(
        kernel.BatchArrays(
            batch.states[i:j],
            batch.episode_states[i:j],
            batch.known_cards[i:j],
            batch.discard_counts[i:j],
        ),
        kernel.SharedArrays(
            shared.configs,
            shared.actions,
            shared.kinds,
            shared.ids,
            shared.options,
            shared.weights,
            shared.rater,
            shared.out[i],
        ),
        kernel.StepOutputs(
            outputs.byte_observations[i:j],
            outputs.float_observations[i:j],
            outputs.action_mask[i:j],
            outputs.rewards[i:j],
            outputs.terminated[i:j],
            outputs.truncated[i:j],
            outputs.final_byte_observations[i:j],
            outputs.final_float_observations[i:j],
        ),
        actions[i:j],
        masked,
    )
    current_player[i] = batch.episode_states[i].current_player


@_compile_for_device
def _sample(episode_states: Any, dice: Any, actions: Any) -> None:
    """Write a random legal action for every table."""
    i = cuda.grid(1)
    if i < episode_states.size:
        kernel.sample_actions(episode_states[i : i + 1], dice[i], actions[i : i + 1])


# --- tables -------------------------------------------------------------------------------------------


class GpuBatch:
    """``Batch`` with arrays on a GPU.

    ``observations``, ``action_mask``, ``rewards``, ``terminated``, ``truncated`` and ``final_observations`` mean the
    same; ``current_player`` (int64) is the agent to move. They are Numba's device arrays: PyTorch, CuPy and others
    read them without a copy. Every step overwrites them.

    Args:
        count: number of tables; a GPU needs tens of thousands.
        dtype: type of observations: ``uint8`` or ``float32``.
        seed: seed of all chance. Deals are those of ``Batch`` with this seed; ``sample`` has its own chance.

    Raises:
        UsageError: as for ``Batch``, and if there is no GPU.
    """

    def __init__(self, env_config: EnvConfig, count: int, *, dtype: str = "float32", seed: Seed = None) -> None:
        if not cuda.is_available():
            raise UsageError(f"there is no GPU that numba-cuda can use: {str(cuda.cuda_error()).strip()}")
        if config.ENABLE_CUDASIM and not config.DISABLE_JIT:
            raise UsageError("the simulator of a GPU wants NUMBA_DISABLE_JIT=1 beside NUMBA_ENABLE_CUDASIM=1")
        root = parse_seed(seed)
        self._host = host = Batch(env_config, count, dtype=dtype, seed=root)
        self.config, self.features, self.action_space = env_config, host.features, host.action_space
        self.count = count = host.count
        batch, shared_arrays, outputs = host.kernel_arrays
        changing: list[Any] = [*batch, *outputs]
        device_arrays: list[Any] = [cuda.to_device(array) for array in changing]
        self._array_pairs = [
            (array, host_array)
            for array, host_array in zip(device_arrays, changing, strict=True)
            if host_array.size > 0
        ]
        """The arrays that a step changes, on the GPU and on the host."""
        outputs = kernel.StepOutputs(*device_arrays[len(batch) :])
        batch = kernel.BatchArrays(*device_arrays[: len(batch)])
        self._episode_states = batch.episode_states
        self.observations: Any = outputs.byte_observations if dtype == "uint8" else outputs.float_observations
        self.final_observations: Any = (
            outputs.final_byte_observations if dtype == "uint8" else outputs.final_float_observations
        )
        self.action_mask, self.rewards = outputs.action_mask, outputs.rewards
        self.terminated, self.truncated = outputs.terminated, outputs.truncated
        self.current_player = cuda.to_device(np.zeros(count, np.int64))
        self._actions = cuda.to_device(np.zeros(count, np.int64))
        self._sampled = cuda.to_device(np.zeros(count, np.int64))
        self._dice = cuda.to_device(np.random.default_rng(list(root)).integers(1 << 32, size=(count, DICE)))
        self._illegal = cuda.to_device(np.full(1, count, np.int64))
        rater = Rater(*map(cuda.to_device, shared_arrays.rater))  # no bots: the policy net is not used
        out = cuda.to_device(np.zeros((count, MAX_ACTIONS), np.int64))
        shared: list[Any] = [*map(cuda.to_device, shared_arrays[:-2]), rater, out]
        self._grid = -(-count // BLOCK_THREADS), min(count, BLOCK_THREADS)
        self._arguments = (
            batch,
            kernel.SharedArrays(*shared),
            outputs,
            self._actions,
            (self.current_player, self._illegal),
        )

    def reset(self) -> None:
        """Begin an episode at every table."""
        _end_episodes[self._grid](self._episode_states)
        self._run(False)

    def step(self, actions: Any, masked: bool = False) -> None:
        """Make one move at every table; where an episode is over, any action begins the next one.

        Args:
            actions: int64 (count,): legal action ids, an array on the GPU (of any library) or NumPy's.
            masked: whether -1 leaves a table and its outputs as they are.

        Raises:
            UsageError: for an illegal action or an array of another shape or type; nothing changes then.
        """
        given = cuda.as_cuda_array(actions) if hasattr(actions, "__cuda_array_interface__") else actions
        if getattr(given, "dtype", None) != np.int64 or tuple(given.shape) != (self.count,):
            got = f"{given.dtype}{tuple(given.shape)}" if hasattr(given, "dtype") else type(given).__name__
            raise UsageError(f"actions is an array of int64 of shape ({self.count},), not {got}")
        self._actions.copy_to_device(given)
        self._run(masked)
        illegal = int(self._illegal[0])
        if illegal < self.count:
            self._illegal.copy_to_device(np.full(1, self.count, np.int64))
            self.copy_to_host().raise_illegal(illegal, int(self._actions[illegal]))

    def _run(self, masked: bool) -> None:
        _find_illegal[self._grid](self._episode_states, self.action_mask, self._actions, masked, self._illegal)
        _step[self._grid](*self._arguments, masked)

    def sample(self) -> Any:
        """A uniformly random legal action for every table: int64 (count,) on the GPU, the same array every time."""
        _sample[self._grid](self._episode_states, self._dice, self._sampled)
        return self._sampled

    def copy_to_host(self) -> Batch:
        """All tables in their current state, copied to the CPU for inspection; the same ``Batch`` every time."""
        for array, host_array in self._array_pairs:
            array.copy_to_host(host_array)
        return self._host
