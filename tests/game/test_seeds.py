"""Valid and invalid seeds."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import numpy as np
import pytest

from lastcard.errors import UsageError
from lastcard.game.seeds import Seed, parse_seed


@pytest.mark.parametrize("seed", [bytes(range(32)), bytearray(range(32)), memoryview(bytes(range(32)))])
def test_bytes_are_taken_as_they_are(seed: Seed) -> None:
    found = parse_seed(seed)
    assert found == bytes(range(32)) and type(found) is bytes
    with pytest.raises(UsageError, match="has 32 of them, not 3"):
        parse_seed(bytearray(3))


@pytest.mark.parametrize("text", ["", "porch", "żółw", "7", "0" * 63])
def test_text_is_hashed(text: str) -> None:
    assert parse_seed(text) == hashlib.sha256(text.encode()).digest()


def test_any_text_is_a_seed() -> None:
    """A command line that is not UTF-8 is a seed, too; another byte is another seed."""
    assert len({parse_seed(text) for text in ("\udcff", "\udcfe", "\ufffd", "?")}) == 4
    assert parse_seed("\udcff") == parse_seed("\udcff ")


@pytest.mark.parametrize("seed", [random.Random(1), np.random.default_rng(1), [1], (1, 2), {}, object()])
def test_values_that_resemble_a_text_are_refused(seed: Any) -> None:
    """All NumPy generators have similar texts, so all would deal alike; an object's text differs in every process."""
    with pytest.raises(UsageError, match="a seed is a text, a number, 32 bytes or None, not "):
        parse_seed(seed)


@pytest.mark.parametrize("seed", [7, np.int64(7), np.uint8(7)])
def test_a_number_and_its_text_are_the_same_seed(seed: Any) -> None:
    assert parse_seed(seed) == parse_seed("7")
