"""Tables on a GPU: a thread plays a table, and the rules are the kernel's own functions, compiled once more for it.

No rule stands here. A thread hands ``envs.compiled.vector.step`` the arrays of one table, so that a table on a GPU
does what it does on a CPU, to the byte. Two functions of the kernel lean on what only a CPU has; a GPU gets them in
another form. On Numba's simulator (``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1``) all of it runs without a GPU,
slowly.
"""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any, Final

import numpy as np

from lastcard.ai.actor import Rater
from lastcard.envs.compiled import vector as kernel
from lastcard.envs.tables import Tables, Terms
from lastcard.errors import UsageError
from lastcard.game.seeds import Seed, parse_seed
from lastcard.kernel import bits, blocks, bytes16
from lastcard.kernel.cache import native_folder
from lastcard.kernel.functions import wants_inlining
from lastcard.rules.layout import DICE, MAX_ACTIONS

try:
    import numba_cuda  # type: ignore[import-untyped]
    from numba import config, cuda, types
    from numba.cuda.extending import intrinsic, overload, typeof_impl

    from lastcard.kernel import intrinsics, native  # noqa: F401  # native's way with functions is replaced
except ImportError as missing:
    raise UsageError(f"tables on a GPU need numba-cuda: pip install lastcard[gpu] ({missing})") from None

THREADS: Final = 64
"""Tables in a block. A thread needs many registers; small blocks leave a GPU free to place them."""

# --- what a GPU does in another way -----------------------------------------------------------------


def _stay_apart(typing_context: Any) -> Any:
    """Have the function that calls this called itself, and not put in place of every call: it is long."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), generate


_mark_apart: Any = intrinsic(_stay_apart)
_four_blocks: Any = intrinsic(intrinsics.four_blocks.__wrapped__)
_first_words: Any = intrinsic(intrinsics.first_words.__wrapped__)


def _fill_blocks(key: Any, counter: Any, purpose: Any, number: Any, index: Any, out: Any) -> Any:
    def compiled(key: Any, counter: Any, purpose: Any, number: Any, index: Any, out: Any) -> None:
        _mark_apart()
        _four_blocks(key, counter, purpose, number, index, out)

    return compiled


def _fill_firsts(key: Any, purpose: Any, number: Any, index: Any, out: Any) -> Any:
    def compiled(key: Any, purpose: Any, number: Any, index: Any, out: Any) -> None:
        _mark_apart()
        _first_words(key, purpose, number, index, out)

    return compiled


if not config.ENABLE_CUDASIM:
    overload(blocks.fill_blocks)(_fill_blocks)
    overload(blocks.fill_firsts)(_fill_firsts)
    # As they stand: there are no instructions for them.
    overload(bits.nth_bit, strict=False)(lambda mask, n: bits.nth_bit)
    overload(bytes16.copy_part, strict=False)(lambda target, to, source, at: bytes16.copy_part)
    overload(bytes16.swap_part, strict=False)(lambda one, other, at: bytes16.swap_part)


@cache
def _on_call(function: FunctionType, inline: bool) -> Any:
    """Numba's dispatcher of a kernel function on a GPU."""
    return cuda.jit(function, device=True, forceinline=inline)


@typeof_impl.register(FunctionType)  # type: ignore[untyped-decorator]
def _type_of_function(function: FunctionType, context: Any) -> Any:
    """A kernel function in code for a GPU, as ``native`` has it in code for a processor."""
    inline = wants_inlining(function)
    if inline is None:
        return typeof_impl.dispatch(object)(function, context)
    return _on_call(function, inline)._numba_type_


# --- one thread, one table ----------------------------------------------------------------------------


def _on_device(function: Any) -> Any:
    """Compile a function for a GPU when it is first launched; kept on disk beside the code for the CPU."""
    if config.ENABLE_CUDASIM:
        return cuda.jit(function)
    folder, usual = native_folder(), config.CACHE_DIR
    config.CACHE_DIR = str(folder / f"cuda-{numba_cuda.__version__}") if folder else usual
    try:
        return cuda.jit(function, cache=folder is not None, lto=False)
    finally:
        config.CACHE_DIR = usual


@_on_device
def _close(desks: Any) -> None:
    """End every episode, so that the next step begins another."""
    i = cuda.grid(1)
    if i < desks.size:
        desks[i].over = 1


@_on_device
def _check(desks: Any, masks: Any, chosen: Any, partly: bool, wrong: Any) -> None:
    """Find the first table whose act is illegal."""
    i = cuda.grid(1)
    if i < desks.size and kernel.find_illegal(desks[i : i + 1], masks[i : i + 1], chosen[i : i + 1], partly) >= 0:
        cuda.atomic.min(wrong, 0, i)


@_on_device
def _step(batch: Any, common: Any, shown: Any, chosen: Any, said: Any, partly: bool) -> None:
    """``envs.compiled.vector.step`` at every table, unless an act is illegal at one of them."""
    seats, wrong = said
    i = cuda.grid(1)
    if i >= seats.size or wrong[0] < seats.size:
        return
    j = i + 1
    kernel.step(
        kernel.Batch(batch.tables[i:j], batch.desks[i:j], batch.known[i:j], batch.laid[i:j]),
        kernel.Common(
            common.rooms, common.acts, common.kinds, common.ids, common.options, common.w, common.rater, common.out[i]
        ),
        kernel.Shown(
            shown.rows[i:j],
            shown.wide[i:j],
            shown.masks[i:j],
            shown.rewards[i:j],
            shown.ended[i:j],
            shown.cut[i:j],
            shown.last[i:j],
            shown.last_wide[i:j],
        ),
        chosen[i:j],
        partly,
    )
    seats[i] = batch.desks[i].seat


@_on_device
def _pick(desks: Any, dice: Any, chosen: Any) -> None:
    """A legal act for every table."""
    i = cuda.grid(1)
    if i < desks.size:
        kernel.pick(desks[i : i + 1], dice[i], chosen[i : i + 1])


# --- tables -------------------------------------------------------------------------------------------


class GpuTables:
    """``Tables`` whose arrays lie on a GPU.

    ``rows``, ``masks``, ``rewards``, ``ended``, ``cut`` and ``last_rows`` are what they are there; ``seats`` (int64)
    says who is asked. They are Numba's device arrays: PyTorch, CuPy and others take them without a copy. Every step
    writes them over.

    Args:
        terms: what is played.
        count: how many tables; a GPU wants tens of thousands.
        dtype: of rows: ``uint8`` or ``float32``.
        seed: of all chance. Deals are those of ``Tables`` with this seed; ``sample`` has chance of its own.

    Raises:
        UsageError: for what ``Tables`` refuses, and where there is no GPU.
    """

    def __init__(self, terms: Terms, count: int, *, dtype: str = "float32", seed: Seed = None) -> None:
        if not cuda.is_available():
            raise UsageError(f"there is no GPU that numba-cuda can use: {str(cuda.cuda_error()).strip()}")
        if config.ENABLE_CUDASIM and not config.DISABLE_JIT:
            raise UsageError("the simulator of a GPU wants NUMBA_DISABLE_JIT=1 beside NUMBA_ENABLE_CUDASIM=1")
        root = parse_seed(seed)
        self._host = host = Tables(terms, count, dtype=dtype, seed=root)
        self.terms, self.features, self.actions = terms, host.features, host.actions
        self.count = count = host.count
        batch, common, shown = host.parts
        changing: list[Any] = [*batch, *shown]
        here: list[Any] = [cuda.to_device(array) for array in changing]
        self._twins = [(array, twin) for array, twin in zip(here, changing, strict=True) if twin.size > 0]
        """What a step changes, here and on the host."""
        batch, shown = kernel.Batch(*here[: len(batch)]), kernel.Shown(*here[len(batch) :])
        self._desks = batch.desks
        self.rows: Any = shown.rows if dtype == "uint8" else shown.wide
        self.last_rows: Any = shown.last if dtype == "uint8" else shown.last_wide
        self.masks, self.rewards, self.ended, self.cut = shown.masks, shown.rewards, shown.ended, shown.cut
        self.seats = cuda.to_device(np.zeros(count, np.int64))
        self._chosen = cuda.to_device(np.zeros(count, np.int64))
        self._sampled = cuda.to_device(np.zeros(count, np.int64))
        self._dice = cuda.to_device(np.random.default_rng(list(root)).integers(1 << 32, size=(count, DICE)))
        self._wrong = cuda.to_device(np.full(1, count, np.int64))
        rater = Rater(*map(cuda.to_device, common.rater))  # no bots: nobody is rated
        out = cuda.to_device(np.zeros((count, MAX_ACTIONS), np.int64))
        shared: list[Any] = [*map(cuda.to_device, common[:-2]), rater, out]
        self._grid = -(-count // THREADS), min(count, THREADS)
        self._arguments = (
            batch,
            kernel.Common(*shared),
            shown,
            self._chosen,
            (self.seats, self._wrong),
        )

    def begin(self) -> None:
        """Begin an episode at every table."""
        _close[self._grid](self._desks)
        self._run(False)

    def step(self, chosen: Any, partly: bool = False) -> None:
        """Do one act at every table; where an episode is over, whatever is asked, the next one begins.

        Args:
            chosen: int64 (count,): the numbers of legal acts, an array on the GPU (of any library) or NumPy's.
            partly: whether -1 leaves a table, and what the last step said of it, as it is.

        Raises:
            UsageError: for an illegal act or an array of another shape or type; nothing was done then.
        """
        given = cuda.as_cuda_array(chosen) if hasattr(chosen, "__cuda_array_interface__") else chosen
        if getattr(given, "dtype", None) != np.int64 or tuple(given.shape) != (self.count,):
            got = f"{given.dtype}{tuple(given.shape)}" if hasattr(given, "dtype") else type(given).__name__
            raise UsageError(f"actions is an array of int64 of shape ({self.count},), not {got}")
        self._chosen.copy_to_device(given)
        self._run(partly)
        wrong = int(self._wrong[0])
        if wrong < self.count:
            self._wrong.copy_to_device(np.full(1, self.count, np.int64))
            self.fetch().refuse(wrong, int(self._chosen[wrong]))

    def _run(self, partly: bool) -> None:
        _check[self._grid](self._desks, self.masks, self._chosen, partly, self._wrong)
        _step[self._grid](*self._arguments, partly)

    def sample(self) -> Any:
        """A legal act for every table, each as likely: int64 (count,) on the GPU, the same array every time."""
        _pick[self._grid](self._desks, self._dice, self._sampled)
        return self._sampled

    def fetch(self) -> Tables:
        """All tables as they are now, copied to the CPU to be looked at; the same ``Tables`` every time."""
        for array, twin in self._twins:
            array.copy_to_host(twin)
        return self._host
