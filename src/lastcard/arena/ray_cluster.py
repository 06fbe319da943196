"""The workers of a Ray cluster as an executor of ``concurrent.futures``."""

from __future__ import annotations

import os
import pickle
import socket
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any, Final

from lastcard.arena.code_key import DATASET_CODE, STUDY_CODE, read_code_key
from lastcard.errors import UsageError
from lastcard.kernel.jit import ENV_VARIABLE

LOCAL: Final = "local"
"""Address of a cluster that is started on this machine and ends with the program."""
_RETRIES: Final = 3
"""How often a function runs again whose worker or machine ended."""
_CONNECT_S: Final = 5
_LOOPBACK_VARIABLE: Final = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Variable that, if it is 0, makes Ray open its ports on loopback only, on any system. It opens them to the network
otherwise, even if it is given a loopback address (Ray 2.60)."""


class RayCluster(Executor):
    """Runs functions on a Ray cluster; those of a worker or a machine that ended run again elsewhere.

    Args:
        address: ``HOST:PORT`` of a cluster to which this machine belongs, ``auto`` for the one that runs here, or
            ``local`` for one on this machine alone, with its ports on loopback.

    Raises:
        UsageError: if Ray is missing, or no cluster answers.
    """

    def __init__(self, address: str) -> None:
        if address == LOCAL:
            os.environ[_LOOPBACK_VARIABLE] = "0"
        self._ray = _import_ray()
        variables = {name: os.environ[name] for name in (ENV_VARIABLE,) if name in os.environ}
        started = {"include_dashboard": False} if address == LOCAL else {}
        try:
            _check_port(address)
            self._ray.init(
                address, runtime_env={"env_vars": variables}, log_to_driver=False, logging_level="ERROR", **started
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageError(
                f"no Ray cluster answers at {address}: {str(error).splitlines()[0]}; start one with `ray start --head`,"
                f" or use {LOCAL}"
            ) from None
        self._run = self._ray.remote(max_retries=_RETRIES)(_run_here)

    def count_workers(self) -> int:
        """The number of cores of the cluster now, one at least."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 0)))

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a function on any machine of the cluster.

        Its future raises what the function raised, a UsageError if the machine has other code of lastcard, and
        BrokenExecutor if its workers ended each time.
        """
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()

        def read_answer(answered: Future[bytes]) -> None:
            error = answered.exception()
            if error is not None:
                future.set_exception(BrokenExecutor(f"a worker of the cluster ended: {error}"))
                return
            result, raised = pickle.loads(answered.result())
            if raised is None:
                future.set_result(result)
            else:
                future.set_exception(raised)

        request = pickle.dumps((function, args, kwargs))
        self._run.remote(read_code_key(STUDY_CODE, DATASET_CODE), request).future().add_done_callback(read_answer)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which gives up everything that was submitted; a local one ends."""
        self._ray.shutdown()


def _import_ray() -> Any:
    """Returns the module of Ray; raises a UsageError if it is missing."""
    try:
        import ray
    except ImportError:
        raise UsageError("a cluster needs Ray: install lastcard[cluster]") from None
    return ray


def _check_port(address: str) -> None:
    """Raise an OSError at once if nothing listens at ``HOST:PORT``; Ray itself would try for two minutes (2.60)."""
    host, separator, port = address.rpartition(":")
    if separator and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_S).close()


def _run_here(code_key: str, request: bytes) -> bytes:
    """Returns the result of a function and the error that it raised, pickled.

    Bytes, because Ray would share arrays among all processes of a machine, which compiled code can change although they
    are marked as read-only, and would raise errors of other types.
    """
    if code_key != read_code_key(STUDY_CODE, DATASET_CODE):
        wrong = UsageError("a machine of the cluster has other code of lastcard: install the same version on all")
        return pickle.dumps((None, wrong))
    function, args, kwargs = pickle.loads(request)
    try:
        return pickle.dumps((function(*args, **kwargs), None))
    except Exception as error:
        return pickle.dumps((None, error))
