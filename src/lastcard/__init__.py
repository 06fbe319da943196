"""lastcard: UNO All Wild, classic UNO and UNO Wild Jackpot by exact rules."""
