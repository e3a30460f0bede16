# SPDX-License-Identifier: Apache-2.0
"""What a benchmark maps, as Items.java makes it: for each kind how an item is made of a number, and the way back."""

import array
import dataclasses

DOUBLES = 100


@dataclasses.dataclass(frozen=True)
class Order:
    number: int
    customer: str
    amount: float


MAKE = {
    "range": None,
    "strings": lambda item: f"item {item:09d}",
    "records": lambda item: Order(item, f"customer {item}", item / 7),
    "arrays": lambda item: array.array("d", (item + at for at in range(DOUBLES))),
}


def number(item):
    """The number that an item of any kind was made of."""
    if isinstance(item, int):
        return item
    if isinstance(item, str):
        return int(item[5:])
    return item.number if isinstance(item, Order) else int(item[0])


def some(kind, count):
    """The first items of a kind: a range, or a list."""
    return range(count) if kind == "range" else [MAKE[kind](item) for item in range(count)]
