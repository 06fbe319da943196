"""Counting and finding bits in int64 masks; one machine instruction where compiled (``intrinsics.py``)."""


def popcount(mask: int) -> int:
    """How many bits of a non-negative mask are set."""
    return int(mask).bit_count()


def lowest_bit(mask: int) -> int:
    """The index of the lowest set bit of a mask that is not 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def nth_bit(mask: int, n: int) -> int:
    """The index of the n-th set bit of a mask, from 0."""
    for _ in range(n):
        mask &= mask - 1
    return lowest_bit(mask)
