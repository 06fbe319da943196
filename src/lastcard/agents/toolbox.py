"""The tools of the MCP server without its transport: matches by id, and what each tool does with them."""

from __future__ import annotations

from base64 import b64encode
from collections import OrderedDict
from collections.abc import Mapping
from hmac import compare_digest
from typing import Any, Final

from msgspec import ValidationError, convert, to_builtins

from lastcard.agents import tool_values as tools
from lastcard.agents.agent_seat import Outcome
from lastcard.agents.game_tables import GameTable, LocalTable
from lastcard.agents.prompts import describe_view
from lastcard.agents.quoting import quote
from lastcard.agents.server_table import SeatKey, ServerTable
from lastcard.bundle.kernel_files import read_kernel_files
from lastcard.errors import LastcardError, PlayerError, UsageError
from lastcard.server.security.security import new_id
from lastcard.server.wire.protocol import ClientUnion
from lastcard.text.explanation import explain_ruleset

MAX_MATCHES: Final = 100
"""Number of matches at a time; the one that was used least recently ends first."""


class Toolbox:
    """All matches of one MCP server. Ids of matches cannot be guessed, so that clients do not see each other's.

    Args:
        server: address of the table server of ``join``; None for local matches only.
    """

    def __init__(self, server: str | None = None) -> None:
        self._server = server
        self._tables: OrderedDict[str, GameTable] = OrderedDict()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> tools.ToolResult:
        """Return the result of a tool; every refusal is a result with its reason.

        Raises:
            KeyError: for an unknown tool.
        """
        kind = tools.TOOLS[tool][1]
        try:
            return await self._run(tools.read_arguments(tool, arguments))
        except LastcardError as error:
            return kind(ok=False, reason=str(error))

    async def close(self) -> None:
        """Leave all tables."""
        while self._tables:
            await self._tables.popitem()[1].close()

    def table(self, match: str) -> GameTable:
        """Return the table of a match; raises a UsageError for an unknown id."""
        if match not in self._tables:
            raise UsageError("there is no such match; begin one with new_match or join")
        self._tables.move_to_end(match)
        return self._tables[match]

    def page_key(self, match: str | None) -> str | None:
        """Return the key for the page of a local match; None if there is no such match."""
        table = self._tables.get(match or "")
        return table.page.key if isinstance(table, LocalTable) else None

    def _page_table(self, match: str, key: str) -> LocalTable:
        table = self.table(match)
        if not isinstance(table, LocalTable) or not compare_digest(key.encode(), table.page.key.encode()):
            raise UsageError("only the page in the chat may ask for this")
        return table

    async def _run(self, wanted: tools.Arguments) -> tools.ToolResult:
        match wanted:
            case tools.NewMatch(rules, players, bots, language, person):
                return await self._add(LocalTable(rules, players, bots, language, person))
            case tools.Join(code, token, name, language):
                if self._server is None:
                    raise UsageError("no server is configured: start lastcard mcp with --server URL")
                return await self._add(await ServerTable.join(self._server, SeatKey(code, token, name, language)))
            case tools.View(match):
                return self._show(match)
            case tools.MakeMove(match, move):
                return self._show(match, await self.table(match).answer(move))
            case tools.WaitTurn(match, seconds):
                await self.table(match).wait(seconds)
                return self._show(match)
            case tools.Hint(match):
                return tools.HintResult(ok=True, moves=await self.table(match).hint())
            case tools.Explain(rules, language):
                return tools.TextResult(ok=True, text=explain_ruleset(rules, language))
            case tools.RecordOf(match):
                return tools.TextResult(ok=True, text=self.table(match).record())
            case tools.TablePage(match, key, message, seconds, file, rules):
                table = self._page_table(match, key)
                if file:
                    return tools.PageResult(ok=True, file=_read_network(file))
                if rules:
                    return tools.PageResult(ok=True, rules=table.page.describe_cards(rules))
                return tools.PageResult(ok=True, messages=await table.serve_page(_read_message(message), seconds))
        raise UsageError("unknown tool")

    async def _add(self, table: GameTable) -> tools.TableResult:
        match = new_id()
        self._tables[match] = table
        if len(self._tables) > MAX_MATCHES:
            await self._tables.popitem(last=False)[1].close()
        return self._show(match)

    def _show(self, match: str, outcome: Outcome | None = None) -> tools.TableResult:
        table = self.table(match)
        try:
            view, reason = table.view(), None
        except PlayerError as error:  # between matches
            view, reason = None, str(error)
        chat = [tools.ChatLine(name, text) for name, text in table.take_chat()]
        return tools.TableResult(
            ok=True,
            reason=reason,
            match=match,
            outcome=outcome,
            substituted=table.substituted,
            events=table.take_events(),
            chat=chat,
            view=view,
        )


def _read_network(name: str) -> str:
    """Return a network for hints and reports, in base64."""
    files = read_kernel_files()
    if not name.endswith(".npy") or f"kernel/{name}" not in files:
        raise UsageError(f"there is no network {name!r}; there is value-classic.npy, for example")
    return b64encode(files[f"kernel/{name}"]).decode()


def _read_message(message: Mapping[str, Any] | None) -> ClientUnion | None:
    try:
        return None if message is None else convert(message, ClientUnion)
    except ValidationError as error:
        raise UsageError(f"not a message of the page: {error}") from None


def result_text(result: tools.ToolResult) -> str:
    """Returns a result as text for a model, in which texts of people are quotations."""
    lines = [] if result.reason is None else [result.reason]
    match result:
        case tools.TextResult(text=text):
            lines.append(text)
        case tools.HintResult(moves=moves):
            lines += [f"{each['move']}: {each['chance']:.0%}. {each['why']}" for each in moves]
        case tools.TableResult(match=match, outcome=outcome, events=events, chat=chat, view=view):
            lines += [f"match: {match}"] if match else []
            if outcome is not None:
                facts = to_builtins(outcome)
                lines.append(", ".join(f"{name} {facts[name]}" for name in _OUTCOME_FACTS if facts[name] is not None))
            lines += [_event_text(event) for event in events]
            lines += [f"chat {quote(line.name)}: {quote(line.text)}" for line in chat]
            lines += [] if view is None else [describe_view(view)]
    return "\n".join(lines)


_OUTCOME_FACTS: Final = ("status", "move", "reason", "clause", "tries_left")


def _event_text(event: Mapping[str, Any]) -> str:
    """Returns an event on one line: ``played seat=1 card=R5``."""
    facts = [f"{name}={quote(value) if name == 'rule' else value}" for name, value in event.items() if name != "e"]
    return " ".join([event["e"], *facts])
