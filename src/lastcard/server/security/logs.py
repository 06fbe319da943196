"""The log on stderr, one line for an event: colored on a terminal, JSON elsewhere.

It never contains names, tokens, table codes, or URLs of pages.
"""

from __future__ import annotations

import logging
import secrets
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog
import structlog.tracebacks

from lastcard.server.security import metrics


class _StderrStream:
    """The current standard error. Lines that it does not accept are lost, because a full disk or a closed pipe must not
    stop the server.
    """

    def write(self, text: str) -> None:
        """Write a line."""
        with suppress(OSError):
            sys.stderr.write(text)

    def flush(self) -> None:
        """Flush the stream."""
        with suppress(OSError):
            sys.stderr.flush()


def set_up_logs() -> None:
    """Send the log and the warnings of libraries to stderr."""
    shared: list[structlog.types.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: list[structlog.types.Processor]
    # Neither format shows the variables of a traceback, which include hands and tokens.
    if sys.stderr.isatty():
        renderer = [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    else:
        traceback = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        renderer = [structlog.processors.ExceptionRenderer(traceback), structlog.processors.JSONRenderer()]
    outlet = _StderrStream()
    logger = structlog.WriteLogger(cast(TextIO, outlet))
    structlog.configure(
        processors=[*shared, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: logger,
        cache_logger_on_first_use=False,  # little is logged, and the configuration may change
    )
    handler = logging.StreamHandler(outlet)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    # uvicorn warns of every malformed request, so a stranger could fill the disk.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)


def note_fault(error: Exception, where: str) -> str:
    """Log an unexpected error and where it was (no personal input); return the line's reference, for the person."""
    reference = secrets.token_hex(4)
    metrics.FAULTS.inc()
    structlog.get_logger().error("fault", reference=reference, where=where, exc_info=error)
    return reference
