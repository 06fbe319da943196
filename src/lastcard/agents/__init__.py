"""Language models at the table: views as text, parsed answers, a policy for illegal moves, and an MCP server."""

from __future__ import annotations

from lastcard.agents.agent_seat import AgentSeat, Outcome
from lastcard.agents.agent_view import AgentView, view_match
from lastcard.agents.answers import Answer, parse_answer
from lastcard.agents.prompts import describe_view, rules_prompt
from lastcard.agents.quoting import quote
from lastcard.agents.text_round import Question, TextRound

__all__ = [
    "AgentSeat",
    "AgentView",
    "Answer",
    "Outcome",
    "Question",
    "TextRound",
    "describe_view",
    "parse_answer",
    "quote",
    "rules_prompt",
    "view_match",
]
