# SPDX-License-Identifier: Apache-2.0
"""Python's multiprocessing, beside DataProgram: moves arrays, once for each line of standard input that says how."""

import array
import multiprocessing
import sys
import time

WORKERS = 4
KINDS = {
    "large": (64, lambda: bytes(8 << 20)),
    "doubles": (64, lambda: array.array("d", [0.0]) * (1 << 20)),
    "small": (20_000, lambda: bytes(4 << 10)),
}
BROADCAST_BYTES = 200_000_000


def size(item):
    return memoryview(item).nbytes


def new(kind):
    return KINDS[kind][1]()


def same(item):
    return item


def nap(_):
    time.sleep(0.1)


def move(pool, test):
    """Returns the seconds, the bytes that came, and those expected."""
    if test == "broadcast":
        value = bytes(BROADCAST_BYTES)
        begin = time.perf_counter()
        sizes = pool.map(size, [value] * WORKERS, chunksize=1)
        return time.perf_counter() - begin, sum(sizes), WORKERS * BROADCAST_BYTES
    kind, _, way = test.partition("_")
    count, make = KINDS[kind]
    # Arrays of their own: of one that stands in a list many times, pickle sends the first.
    items = [make() for _ in range(count)]
    begin = time.perf_counter()
    if way == "there":
        sizes = pool.map(size, items)
    elif way == "back":
        sizes = map(size, pool.map(new, [kind] * count))
    else:
        sizes = map(size, pool.map(same, items))
    return time.perf_counter() - begin, sum(sizes), count * size(items[0])


def main():
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        # Each worker has one: all have started.
        pool.map(nap, range(WORKERS), chunksize=1)
        for line in sys.stdin:
            seconds, came, expected = move(pool, line.strip())
            if came != expected:
                sys.exit(f"{came} bytes came, not {expected}.")
            print(f"RESULT {seconds:.6f}", flush=True)


if __name__ == "__main__":
    main()
