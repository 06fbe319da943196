"""The log: one line for what matters, to stderr; pretty on a terminal, JSON elsewhere.

Never in it: names, tokens, table codes, addresses of pages.
"""

from __future__ import annotations

import logging
import secrets
import sys

import structlog

from lastcard.server import metrics


def set_up_logs() -> None:
    """Send the log to stderr, warnings of libraries too."""
    shared: list[structlog.types.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if sys.stderr.isatty():
        renderer: list[structlog.types.Processor] = [structlog.dev.ConsoleRenderer()]
    else:
        renderer = [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[*shared, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


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
