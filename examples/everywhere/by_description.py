"""Use of the module by its description only, without lastcard, as in any language with a WebAssembly runtime.

pip install wasmtime
python examples/everywhere/by_description.py               plays a round at random and writes down its moves
python examples/everywhere/by_description.py match.toml    plays the rounds of records again, and compares
"""

import hashlib
import json
import random
import re
import struct
import sys
import tomllib
from pathlib import Path

import wasmtime

MODULE = Path(__file__).parents[2] / "src" / "lastcard" / "kernel" / "lastcard.wasm"
LETTERS = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint32": "I"}


class Kernel:
    """The module, its description, and one round state in its memory, with buffers for the results of exports."""

    def __init__(self):
        self.description = json.loads(MODULE.with_suffix(".json").read_text(encoding="utf-8"))
        self.store = wasmtime.Store()
        module = wasmtime.Module.from_file(self.store.engine, str(MODULE))
        self.exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.memory, self.top = self.exports["memory"], self.exports["__heap_base"].value(self.store)
        sizes, self.table = self.description["sizes"], self.description["records"]["ROUND_STATE"]
        self.tables = self.allocate(self.table["bytes"], 1)
        self.actions = self.allocate(8 * sizes["actions"], sizes["actions"])
        self.scores, self.points = (self.allocate(80, sizes["seats"]) for _ in range(2))
        self.scratch = self.allocate(8 * sizes["drawing"], sizes["drawing"])

    def allocate(self, size, count):
        """Returns address and length of a new array above the module's own memory."""
        at = -(-self.top // 64) * 64
        self.top = at + size
        while self.top > self.memory.data_len(self.store):
            self.memory.grow(self.store, 16)
        return at, count

    def call(self, export, *arguments):
        """Call an export; an array is passed as two words."""
        words = [word for part in arguments for word in (part if isinstance(part, tuple) else (part,))]
        return self.exports[export](self.store, *words)

    def read(self, array, count, letter="q"):
        """Returns the first numbers of an array."""
        data = self.memory.read(self.store, array[0], array[0] + count * struct.calcsize(letter))
        return [*struct.unpack(f"<{count}{letter}", data)]

    def write(self, array, numbers, letter="q"):
        """Write the first numbers of an array."""
        self.memory.write(self.store, struct.pack(f"<{len(numbers)}{letter}", *numbers), array[0])

    def get(self, name):
        """Returns a field of the round state."""
        field = self.table["fields"][name]
        return self.read((self.tables[0] + field["at"], 1), 1, LETTERS[field["type"]])[0]

    def set(self, name, *numbers):
        """Write numbers to a field of the round state."""
        field = self.table["fields"][name]
        self.write((self.tables[0] + field["at"], 1), numbers, LETTERS[field["type"]])

    def options(self, rules):
        """Returns the game of a name such as ``classic+harsh+stacking=same``, and its non-default options."""
        game, *words = rules.split("+")
        wanted = dict(self.description["games"][game]["defaults"])
        allowed = {option["name"] for option in self.description["options"] if game in option["games"]}
        names = {option["written"]: option["name"] for option in self.description["options"]}
        for name, _, value in (word.partition("=") for word in words):
            preset = self.description["presets"].get(name)
            if preset is None:
                wanted[names[name]] = value or "true"
            else:
                wanted |= {option: preset[option] for option in preset.keys() & allowed}
        return game, {name: value if isinstance(value, str) else json.dumps(value) for name, value in wanted.items()}

    def set_up(self, rules, players, seed, rule_cards=None):
        """Set up an empty round state."""
        game, wanted = self.options(rules)
        kind = self.description["games"][game]
        self.memory.write(self.store, bytes(self.table["bytes"]), self.tables[0])
        for option in self.description["options"]:
            chosen = wanted.get(option["name"], option["choices"][0]["text"])
            self.set(option["name"], *[c["number"] for c in option["choices"] if chosen in (c["text"], c["value"])])
        numbers = wanted.get("wj_number_distribution", next(iter(kind["decks"])))
        deck = [card for card, count in kind["decks"][numbers] for _ in range(count)]
        self.set("deck", *deck)
        self.set("deck_n", len(deck))
        self.set("game", kind["number"])
        self.set("players", players)
        self.set("record_events", 1)
        for name in ("performer", "winner", "drawn", "named_color"):
            self.set(name, -1)
        weights = wanted.get("wj_lever_weights", "uniform")
        self.set("lever_weights", *([1] * 6 if weights == "uniform" else map(int, weights.split("/"))))
        self.set("key", *struct.unpack("<8I", seed))
        cards = self.description["rule_cards"]
        social = wanted.get("wj_rules") == "social_only"
        texts = rule_cards or [text for text in cards["built_in"].values() if not social or text.startswith("dare:")]
        effects = [([effect(cards, part) for part in parts(text)] + [0, 0])[:3] for text in texts]
        self.set("effects", *(number for three in effects for number in three))
        self.set("rule_n", len(texts))
        self.call("exports.apply_number_distribution", self.tables, 0, self.scratch)

    def decision(self):
        """Returns the kind of the next decision."""
        return self.description["phases"][self.get("phase")]


def parts(text):
    """Returns the effects of a rule card; a dare is one effect."""
    return [text] if text.startswith("dare:") else text.split("; ")


def effect(cards, text):
    """Returns an effect of a rule card as a number."""
    words = text.split()
    if words[0] == "dare:":
        return cards["dare"]
    fitting = [verb for verb in cards["verbs"].values() if words[: len(verb["words"])] == verb["words"]]
    verb = max(fitting, key=lambda verb: len(verb["words"]))
    rest = words[len(verb["words"]) :]
    n = int(rest.pop(0)) if verb["most"] else 0
    return verb["number"] | n << 8 | (cards["who"][rest[0]] if rest else 0) << 16


def parse(description, text):
    """Returns the action id of a canonical move: ``R5!``, ``W=G``, ``Wx>1``, ``catch>2``, ``throw R5``, ``draw``."""
    actions = description["actions"]
    found = re.fullmatch(r"([^\s=>!]+)(?: (\S+))?([=>]?)([^!]*)(!?)", text)
    assert found, f"{text!r} is no move"
    word, card, sign, named, call = found.groups()
    arg = actions["no_arg"] if not sign else description["colors"].index(named) if sign == "=" else int(named)
    code = actions["verbs"][word] if word in actions["verbs"] else description["cards"][word]
    return code | arg << 8 | bool(call) << 12 | (description["cards"][card] if card else 0) << 16


def write(description, action):
    """Returns the canonical text of an action id."""
    actions, cards = description["actions"], {number: name for name, number in description["cards"].items()}
    code, arg = action & 255, action >> 8 & 15
    verb = {number: name for name, number in actions["verbs"].items()}.get(code)
    names_color = verb in actions["name_a_color"] if verb else code in actions["color_cards"]
    named = "" if arg == actions["no_arg"] else f"={description['colors'][arg]}" if names_color else f">{arg}"
    return (verb or cards[code]) + (f" {cards[action >> 16]}" if verb in actions["name_a_card"] else "") + named


def play_round(kernel, rules="classic", players=3, seed="porch"):
    """Play a round at random; returns its moves."""
    kernel.set_up(rules, players, hashlib.sha256(seed.encode()).digest())
    dealer = kernel.call("exports.draw_dealer", kernel.tables, 0, 0, kernel.scratch)
    kernel.call("exports.deal_round", kernel.tables, 0, dealer, 0, 0)
    moves, dice = [], random.Random(seed)
    while kernel.decision() != "over":
        seat = kernel.get("turn")
        count = kernel.call("exports.list_actions", kernel.tables, 0, seat, kernel.actions)
        action = dice.choice(kernel.read(kernel.actions, count))
        assert kernel.call("exports.apply_action", kernel.tables, 0, seat, action) == 0
        moves.append(f"{seat}:{write(kernel.description, action)}")
    return moves


def check_record(kernel, record):
    """Replay the rounds of a record, and compare winners, points and scores."""
    lacking = {"players", "rules", "seed", "commitment", "round"} - record.keys()
    assert not lacking, f"a record has {', '.join(sorted(lacking))}"
    players = len(record["players"])
    assert 2 <= players <= kernel.description["sizes"]["seats"], f"{players} players"
    kernel.set_up(record["rules"], players, bytes.fromhex(record["seed"]), record.get("rule_cards"))
    assert hashlib.sha256(bytes.fromhex(record["seed"])).hexdigest() == record["commitment"], "the commitment"
    kernel.write(kernel.scores, [0] * players)
    for number, played in enumerate(record["round"]):
        kernel.call("exports.deal_round", kernel.tables, 0, played["dealer"], number, 0)
        for text in played["moves"]:
            seat, _, move = text.partition(":")
            why = kernel.call("exports.apply_action", kernel.tables, 0, int(seat), parse(kernel.description, move))
            assert why == 0, f"round {number + 1}: {text}: {kernel.description['reasons'][why]}"
        kernel.call("exports.count_points", kernel.tables, 0, kernel.points)
        assert kernel.read(kernel.points, players) == played["held"], f"round {number + 1}: the points left"
        kernel.call("exports.score_round", kernel.tables, 0, kernel.points, kernel.scores)
        assert kernel.read(kernel.scores, players) == played["scores"], f"round {number + 1}: the scores"
    return kernel.read(kernel.scores, players)


def check_file(kernel, path):
    """Check the record in a file; returns whether it is true, and a message."""
    try:
        return True, f"true: {check_record(kernel, tomllib.loads(Path(path).read_text(encoding='utf-8')))}"
    except AssertionError as error:
        return False, f"not true: {path}: {error}"
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return False, f"cannot be read: {path}: {error}"
    except (AttributeError, LookupError, TypeError, ValueError, struct.error, wasmtime.WasmtimeError) as error:
        return False, f"not a record: {path}: {error!r}"


if __name__ == "__main__":
    kernel = Kernel()
    answers = [check_file(kernel, path) for path in sys.argv[1:]]
    print("\n".join([text for _, text in answers] if answers else play_round(kernel)))
    sys.exit(not all(true for true, _ in answers))
