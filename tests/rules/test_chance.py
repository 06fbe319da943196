"""ChaCha8 against published vectors, its draws against plain Python, and independent streams."""

from __future__ import annotations

import random
import struct
from collections import Counter
from typing import Any

import numpy as np
import pytest

from lastcard.game import action_codes
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.kernel import blocks
from lastcard.match.events import Drew, Reshuffled
from lastcard.match.round import Round
from lastcard.rules import chance, event_codes, exports, phases, refusal_reasons
from lastcard.rules.round_state import ROUND_STATE, new_round_states
from support import chacha
from support.clauses import proves
from support.compiled import PLAIN, compiled

# draft-strombergson-chacha-test-vectors-01: 256-bit key, 8 rounds; key, IV and the first two blocks.
VECTORS = {
    "TC1: all zero": (
        "00" * 32,
        "00" * 8,
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42",
        "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa",
    ),
    "TC2: one bit in the key": (
        "01" + "00" * 31,
        "00" * 8,
        "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea289d04f43c7518db56eb4433e498a1238cd8464d3763ddbb9222ee3bd8fae3c8",
        "b4355a7d93dd8867089ee643558b95754efa2bd1a8a1e2d75bcdb32015542638291941feb49965587c4fdfe219cf0ec132a6cd4dc067392e67982fe53278c0b4",
    ),
    "TC3: one bit in the IV": (
        "00" * 32,
        "01" + "00" * 7,
        "2b8f4bb3798306ca5130d47c4f8d4ed13aa0edccc1be6942090faeeca0d7599b7ff0fe616bb25aa0153ad6fdc88b954903c22426d478b97b22b8f9b1db00cf06",
        "470bdffbc488a8b7c701ebf4061d75c5969186497c95367809afa80bd843b040a79abc6e73a91757f1db73c8eacfa543b38f289d065ab2f3032d377b8c37fe46",
    ),
    "TC4: all bits": (
        "ff" * 32,
        "ff" * 8,
        "e163bbf8c9a739d18925ee8362dad2cdc973df05225afb2aa26396f2a9849a4a445e0547d31c1623c537df4ba85c70a9884a35bcbf3dfab077e98b0f68135f54",
        "81d4933f8b322ac0cd762c27235ce2b31534e0244a9a2f1fd5e94498d47ff108790c009cf9e1a348032a7694cb28024cd96d3498361edb1785af752d187ab54b",
    ),
    "TC5: even bits": (
        "55" * 32,
        "55" * 8,
        "7cb78214e4d3465b6dc62cf7a1538c88996952b4fb72cb6105f1243ce3442e2975a59ebcd2b2a598290d7538491fe65bdbfefd060d88798120a70d049dc2677d",
        "d48ff5a2513e497a5d54802d7484c4f1083944d8d0d14d6482ce09f7e5ebf20b29807d62c31874d02f5d3cc85381a745ecbc60525205e300a76961bfe51ac07c",
    ),
    "TC6: odd bits": (
        "aa" * 32,
        "aa" * 8,
        "40f9ab86c8f9a1a0cdc05a75e5531b612d71ef7f0cf9e387df6ed6972f0aae21311aa581f816c90e8a99de990b6b95aac92450f4e112712667b804c99e9c6eda",
        "f8d144f560c8c0ea36880d3b77874c9a9103d147f6ded386284801a4ee158e5ea4f9c093fc55fd344c33349dc5b699e21dc83b4296f92ee3ecabf3d51f95fe3f",
    ),
    "TC7: a pattern": (
        "00112233445566778899aabbccddeeffffeeddccbbaa99887766554433221100",
        "0f1e2d3c4b5a6978",
        "db43ad9d1e842d1272e4530e276b3f568f8859b3f7cf6d9d2c74fa53808cb5157a8ebf46ad3dcc4b6c7dadde131784b0120e0e22f6d5f9ffa7407d4a21b695d9",
        "c5dd30bf55612fab9bdd118920c19816470c7f5dcd42325dbbed8c57a56281c144cb0f03e81b3004624e0650a1ce5afaf9a7cd8163f6dbd72602257dd96e471e",
    ),
    "TC8: a hash": (
        "c46ec1b18ce8a878725a37e780dfb7351f68ed2e194c79fbc6aebee1a667975d",
        "1ada31d5cf688221",
        "838751b42d8ddd8a3d77f48825a2ba752cf4047cb308a5978ef274973be374c96ad848065871417b08f034e681fe46a93f7d5c61d1306614d4aaf257a7cff08b",
        "16f2fda170cc18a4b58a2667ed962774af792a6e7f3c77992540711a7a136d7e8a2f8d3f93816709d45a3fa5f8ce72fde15be7b841acba3a2abd557228d9fe4f",
    ),
}  # fmt: skip


# Kernel functions cannot be called from Python; these are exports of the tests' own.


@compiled
def rolls(dice: Any, n: int, out: Any) -> None:
    for i in range(out.size):
        out[i] = chance.roll(dice) if n == 0 else chance.roll_below(dice, n)


@compiled
def singles(tables: Any, purpose: int, first: int, n: int, out: Any) -> None:
    t = tables[0]
    for i in range(out.size):
        out[i] = chance.first_below(t, purpose, first + i, n)


@compiled
def renew(tables: Any, dice: Any) -> None:
    chance.reseed_chance(tables[0], dice)


@compiled
def nexts(tables: Any, purpose: int, index: int, n: int, out: Any) -> None:
    t = tables[0]
    chance.open_stream(t, purpose, index)
    for i in range(out.size):
        out[i] = chance.next_below(t, n)


@compiled
def nexts_of_block(tables: Any, n: int, out: Any) -> None:
    t = tables[0]
    for i in range(out.size):
        out[i] = chance.next_below(t, n)


def kernel_block(key: bytes, w12: int, w13: int, w14: int, w15: int) -> bytes:
    out = np.zeros(16, np.int64)
    chance.chacha8_block(chance.seed_words(key), w12, w13, w14, w15, out)
    return out.astype("<u4").tobytes()


def keyed_table(key: bytes, number: int) -> Any:
    tables = new_round_states(1)
    tables[0]["key"] = chance.seed_words(key)
    tables[0]["number"] = number
    return tables


# --- the cipher ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VECTORS)
def test_published_vectors(name: str) -> None:
    """The kernel and the oracle of the tests give the published key stream."""
    key, iv, *blocks = (bytes.fromhex(part) for part in VECTORS[name])
    for counter, expected in enumerate(blocks):
        words = (counter, 0, *struct.unpack("<2I", iv))
        assert kernel_block(key, *words) == expected
        assert struct.pack("<16I", *chacha.block(key, *words)) == expected


def test_oracle_with_twenty_rounds() -> None:
    """The oracle is ChaCha: with 20 rounds it gives the block of RFC 8439, 2.3.2."""
    words = (1, *struct.unpack("<3I", bytes.fromhex("000000090000004a00000000")))
    block = struct.pack("<16I", *chacha.block(bytes(range(32)), *words, rounds=20))
    assert block == bytes.fromhex(
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )


def test_blocks_of_random_input() -> None:
    """For any key, counter and nonce, the kernel's block is the oracle's."""
    rng = random.Random(1)
    for _ in range(20 if PLAIN else 300):
        key, words = rng.randbytes(32), [rng.getrandbits(32) for _ in range(4)]
        assert kernel_block(key, *words) == struct.pack("<16I", *chacha.block(key, *words))


# --- bounded integers -----------------------------------------------------------------------------


def test_draws_follow_the_oracle() -> None:
    """Shuffles, single integers and sequences of them, of any stream, equal those of plain Python."""
    rng = random.Random(2)
    for _ in range(5 if PLAIN else 60):
        key, number, index = rng.randbytes(32), rng.randrange(1000), rng.randrange(1000)
        purpose, n = rng.randrange(1, 8), rng.choice((1, 2, 6, 7, 75, 108, 594, rng.randrange(1, 1 << 31)))
        tables, out = keyed_table(key, number), np.zeros(20, np.int64)
        for one in (chance.LEVER, chance.RULES, chance.BLIND):
            singles(tables, one, index, n, out)
            assert out.tolist() == [chacha.Stream(key, one, number, index + i).below(n) for i in range(20)]
        stream = chacha.Stream(key, purpose, number, index)
        nexts(tables, purpose, index, n, out)
        assert out.tolist() == [stream.below(n) for _ in range(20)]
        cards = np.arange(rng.choice((0, 1, 2, 9, 10, 112)))
        expected = chacha.shuffle(cards.tolist(), chacha.Stream(key, purpose, number, index))
        chance.shuffle_cards(chance.seed_words(key), purpose, number, index, cards, np.zeros(16, np.int64))
        assert cards.tolist() == expected


def test_consecutive_rejections() -> None:
    """Words that would make an integer likelier are rejected: here 0, because 2**32 is no multiple of n."""
    for n, rejected in ((75, [0]), (75, [0, 0, 0]), (112, [0]), (64, [])):
        tables = keyed_table(bytes(32), 0)
        record = tables[0]
        words = [*rejected, 0x9E3779B9]
        record["block"][: len(words)] = words
        record["word"] = 0
        out = np.zeros(1, np.int64)
        nexts_of_block(tables, n, out)
        assert out[0] == 0x9E3779B9 * n >> 32
        assert tables[0]["word"] == len(words)
    tables[0]["word"] = tables[0]["block"][0] = 0
    nexts_of_block(tables, 64, out)
    assert out[0] == 0 and tables[0]["word"] == 1, "64 divides 2**32, so no word is rejected"


def test_rejection_of_single_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rejection is the same if one integer is drawn from a stream, also past the end of a block."""

    def zeros_first(key: object, counter: int, purpose: int, number: int, index: int, out: Any) -> None:
        out[:16] = [0] * 16
        if counter == 1:
            out[3] = 0x9E3779B9

    monkeypatch.setattr(blocks, "fill_block", zeros_first)
    table = np.zeros(1, ROUND_STATE).view(np.recarray)[0]
    assert chance.first_below(table, chance.LEVER, 0, 75) == 0x9E3779B9 * 75 >> 32


def test_singles_of_a_new_key_and_a_new_round() -> None:
    """Words computed ahead for one key or round are not used with another."""
    round = Round.deal("wild-jackpot", 4, seed=7)
    tables, out = round._states, np.zeros(3, np.int64)
    singles(tables, chance.LEVER, 0, 594, out)
    renew(tables, np.arange(1, 5))
    key = tables[0]["key"].astype("<u4").tobytes()
    number = int(tables[0]["number"])
    singles(tables, chance.LEVER, 1, 594, out)
    assert out.tolist() == [chacha.Stream(key, chance.LEVER, number, 1 + i).below(594) for i in range(3)]
    exports.deal_round(tables, 0, 0, number + 1, 0)
    singles(tables, chance.LEVER, 1, 594, out)
    assert out.tolist() == [chacha.Stream(key, chance.LEVER, number + 1, 1 + i).below(594) for i in range(3)]


@pytest.mark.skipif(PLAIN, reason="a hundred thousand cards")
def test_rejection_in_a_shuffle() -> None:
    """A shuffle is so large that words are rejected in it."""
    size = 100_000
    for seed in range(5):
        stream = chacha.Stream(bytes([seed] * 32), 1, 2, 3)
        expected = chacha.shuffle(range(size), stream)
        words = stream.counter * 16 - len(stream.words)
        cards = np.arange(size)
        chance.shuffle_cards(chance.seed_words(bytes([seed] * 32)), 1, 2, 3, cards, np.zeros(16, np.int64))
        assert cards.tolist() == expected
        if words > size:
            return
    pytest.fail("no word was rejected; the test needs other seeds")


def chi_square(counts: list[int]) -> float:
    """The deviation of counts from equal ones, in standard deviations of the chi-square statistic."""
    mean = sum(counts) / len(counts)
    free = len(counts) - 1
    return float((sum((c - mean) ** 2 for c in counts) / mean - free) / (2 * free) ** 0.5)


@pytest.mark.parametrize("n", [3, 7, 108])
def test_integers_are_unbiased(n: int) -> None:
    """Every integer is equally likely, single ones and sequences."""
    out = np.zeros(20 * n if PLAIN else 60_000, np.int64)
    tables = keyed_table(bytes(range(32)), 5)
    singles(tables, chance.RULES, 0, n, out)
    assert chi_square(np.bincount(out, minlength=n).tolist()) < 4
    nexts(tables, chance.DEAL, 0, n, out)
    assert chi_square(np.bincount(out, minlength=n).tolist()) < 4


def test_shuffles_are_unbiased() -> None:
    """Each of the 24 orders of four cards is equally likely."""
    permutations: Counter[tuple[int, ...]] = Counter()
    for index in range(480 if PLAIN else 9_600):
        cards = np.arange(4)
        chance.shuffle_cards(chance.seed_words(bytes(32)), chance.DECK, 0, index, cards, np.zeros(16, np.int64))
        permutations[tuple(cards.tolist())] += 1
    assert len(permutations) == 24 and chi_square(list(permutations.values())) < 4


# --- dice -------------------------------------------------------------------------------------------


def sfc32(a: int, b: int, c: int, d: int) -> Any:
    """C. Doty-Humphrey's sfc32, with 32-bit words."""
    mask = 0xFFFFFFFF
    while True:
        word = (a + b + d) & mask
        d = (d + 1) & mask
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & mask
        c = (((c << 21) & mask | c >> 11) + word) & mask
        yield word


def test_dice_are_sfc32() -> None:
    """Words of a Dice, and bounded integers from them."""
    rng = random.Random(3)
    for n in (0, 1, 2, 7, 10, 2_000_000_000):
        state = [rng.getrandbits(32) for _ in range(4)]
        out = np.zeros(200, np.int64)
        rolls(np.array(state), n, out)
        words = sfc32(*state)
        if n == 0:
            assert out.tolist() == [next(words) for _ in range(200)]
            continue
        expected: list[int] = []
        while len(expected) < 200:
            product = next(words) * n
            if product % 2**32 >= 2**32 % n:
                expected.append(product >> 32)
        assert out.tolist() == expected


# --- streams and the lever --------------------------------------------------------------------------


def drawn_cards(seed: int, moves: random.Random, lever: list[int]) -> list[int]:
    """All cards drawn in a Wild Jackpot round, in order, until the discards are shuffled."""
    table = Round.deal("wild-jackpot+uno_window=automatic_call", 3, seed=seed, number=seed)
    record = table._states[0]
    record["lever_script"][: len(lever)] = lever
    record["lever_script_n"] = len(lever)
    drawn: list[int] = []
    for _ in range(60):
        turn_moves = [move for move in table.legal() if move.verb != "uno"]
        if not turn_moves:
            break
        for event in table.do(table.turn, moves.choice(turn_moves)):
            if isinstance(event, Reshuffled):
                return drawn
            if isinstance(event, Drew):
                drawn += event.cards or ()
    return drawn


def test_streams_do_not_disturb_each_other() -> None:
    """Whatever is played, pulled, dispensed and taken blind: the k-th drawn card is the same."""
    rng = random.Random(4)
    longest = 0
    for seed in range(2 if PLAIN else 40):
        runs = [drawn_cards(seed, random.Random(k), [rng.randrange(6) for _ in range(20)]) for k in range(4)]
        for one in runs:
            for two in runs:
                both = min(len(one), len(two))
                assert one[:both] == two[:both], f"seed {seed}"
                longest = max(longest, both if one is not two else 0)
    assert longest > 5


def test_streams_differ() -> None:
    """Another purpose, round, index or seed gives another stream."""
    found = set()
    for key in (bytes(32), bytes(31) + b"\1"):
        for purpose in range(1, 8):
            for number in range(3):
                for index in range(3):
                    tables, out = keyed_table(key, number), np.zeros(6, np.int64)
                    nexts(tables, purpose, index, 1 << 31, out)
                    found.add(tuple(out.tolist()))
    assert len(found) == 2 * 7 * 3 * 3


@proves("WJ-24")
def test_outcomes_of_the_lever_are_equally_likely() -> None:
    """WJ-C10: 60 000 pulls, each outcome within 5 %."""
    pulls = 600 if PLAIN else 60_000
    outcomes = lever_outcomes(pulls, "wild-jackpot")
    assert all(abs(outcomes[i] - pulls / 6) <= pulls / 6 * (0.3 if PLAIN else 0.05) for i in range(6))


@proves("LC-25")
def test_weights_of_the_lever() -> None:
    """An outcome comes as often as its weight says, never with weight 0."""
    pulls = 600 if PLAIN else 12_000
    outcomes = lever_outcomes(pulls, "wild-jackpot+wj_lever_weights=1/0/3/0/2/0")
    for i, weight in enumerate((1, 0, 3, 0, 2, 0)):
        assert abs(outcomes[i] - pulls * weight / 6) <= pulls * weight / 6 * (0.4 if PLAIN else 0.05)


def lever_outcomes(pulls: int, rules: str) -> Counter[int]:
    """The number of times that each outcome comes in ``pulls`` of one table's lever."""
    table = Round.deal(rules, 3, seed=10)
    tables = table._states
    record = tables[0]
    record["phase"], record["turn"], record["puller"], record["origin"] = phases.PULL, 0, 0, 0
    before = tables.copy()
    outcomes: Counter[int] = Counter()
    for k in range(pulls):
        tables[0] = before[0]
        tables[0]["lever_pulls"] = k
        assert exports.apply_action(tables, 0, 0, action_codes.PULL | 15 << 8) == refusal_reasons.OK
        word = int(tables[0]["event_log"][0])
        assert word & 255 == event_codes.LEVER
        outcomes[(word >> 16 & 255) - 1] += 1
    assert set(outcomes) <= set(range(len(LEVER_OUTCOMES)))
    return outcomes


def test_a_draw_takes_the_card_the_stream_names() -> None:
    """A table's own draw uses the bounded integer: a rejected word is skipped there, too."""
    table = Round.deal("classic", 2, seed=3)
    record = table._states[0]
    n = int(record["pile_n"])
    assert (1 << 32) % n, "the pile has a size that leaves words to reject"
    record["block"][:2] = 0, 0xDEADBEEF
    record["word"] = 0
    wanted = int(record["pile"][0xDEADBEEF * n >> 32])
    before = Counter(table.hand(table.turn))
    seat = table.turn
    assert exports.apply_action(table._states, 0, seat, action_codes.DRAW | 15 << 8) == refusal_reasons.OK
    assert Counter(table.hand(seat)) - before == Counter([wanted])
