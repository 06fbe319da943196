"""The log: one line for what matters, to stderr; pretty on a terminal, JSON elsewhere.

Never in it: names, tokens, table codes, addresses of pages.
"""

from __future__ import annotations

import logging
import secrets
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog
import structlog.tracebacks

from lastcard.server.guard import metrics


class _Outlet:
    """Standard error, as it is at the moment. What it does not take is lost: that a disk is full or a reader has gone
    must not keep anybody from playing, nor the store from saying that the disk is full.
    """

    def write(self, text: str) -> None:
        """Write a line."""
        with suppress(OSError):
            sys.stderr.write(text)

    def flush(self) -> None:
        """See it written."""
        with suppress(OSError):
            sys.stderr.flush()


def set_up_logs() -> None:
    """Send the log to stderr, warnings of libraries too."""
    shared: list[structlog.types.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: list[structlog.types.Processor]
    # Neither shows the variables of a traceback: hands and tokens are among them.
    if sys.stderr.isatty():
        renderer = [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    else:
        traceback = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        renderer = [structlog.processors.ExceptionRenderer(traceback), structlog.processors.JSONRenderer()]
    outlet = _Outlet()
    logger = structlog.WriteLogger(cast(TextIO, outlet))
    structlog.configure(
        processors=[*shared, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: logger,
        cache_logger_on_first_use=False,  # there is little to log, and it may be set up anew by then
    )
    handler = logging.StreamHandler(outlet)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    # It warns of every request that cannot be read: a stranger could fill the disk.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)


def note_fault(error: Exception, where: str) -> str:
    """Log an error nobody expected.

    Args:
        error: what was raised.
        where: the kind of message or the route, without anything a person sent.

    Returns:
        A reference to the line, to tell the person.
    """
    reference = secrets.token_hex(4)
    metrics.FAULTS.inc()
    structlog.get_logger().error("fault", reference=reference, where=where, exc_info=error)
    return reference
