# SPDX-License-Identifier: Apache-2.0
"""Python's multiprocessing, beside ListsProgram: maps a list with the default call, once for each line of standard input."""

import array
import dataclasses
import multiprocessing
import sys
import time

WORKERS = 5
ITEMS = 100_000
DOUBLES = 100


@dataclasses.dataclass(frozen=True)
class Order:
    number: int
    customer: str
    amount: float


def number(order):
    return order.number


def first(values):
    return int(values[0])


KINDS = {
    "strings": (len, lambda item: f"item {item:09d}"),
    "records": (number, lambda item: Order(item, f"customer {item}", item / 7)),
    "arrays": (first, lambda item: array.array("d", (item + at for at in range(DOUBLES)))),
}


def nap(_):
    time.sleep(0.1)


def main():
    function, make = KINDS[sys.argv[1]]
    items = [make(item) for item in range(ITEMS)]
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        # Each worker has one: all have started.
        pool.map(nap, range(WORKERS), chunksize=1)
        for _ in sys.stdin:
            begin = time.perf_counter()
            results = pool.map(function, items)
            seconds = time.perf_counter() - begin
            if results != [function(item) for item in items]:
                sys.exit("The results are wrong.")
            print(f"RESULT {seconds:.6f}", flush=True)


if __name__ == "__main__":
    main()
