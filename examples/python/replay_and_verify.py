"""Save a match, prove its record, and replay the last moves of its first round."""

from lastcard import Match, play, read_record, replay, verify, write_record

write_record("match.toml", play(Match("classic", ["Ann", "Bo"], seed="porch"), "sharp").record())
record = read_record("match.toml")
verify(record)
for match, seat, move, _ in replay(record):
    if match.number == 0 and min(match.round.counts) <= 1:
        print(f"{record.players[seat]} plays {move}; cards left: {match.round.counts}")
