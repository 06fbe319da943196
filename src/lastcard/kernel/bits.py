"""Functions that count and find bits in int64 masks; compiled, each is a few instructions (``intrinsics.py``)."""


def popcount(mask: int) -> int:
    """Returns how many bits of a non-negative mask are set."""
    return int(mask).bit_count()


def lowest_bit(mask: int) -> int:
    """Returns the index of the lowest set bit of a mask that is not 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def nth_bit(mask: int, n: int) -> int:
    """Returns the index of the n-th set bit of a mask, from 0."""
    for _ in range(n):
        mask &= mask - 1
    return lowest_bit(mask)
