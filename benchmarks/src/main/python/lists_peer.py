# SPDX-License-Identifier: Apache-2.0
"""Python's multiprocessing, beside ListsProgram: maps a list with the default call, once for each line of standard input."""

import multiprocessing
import sys
import time

from items import number, some

WORKERS = 5
ITEMS = 100_000


def nap(_):
    time.sleep(0.1)


def main():
    items = some(sys.argv[1], ITEMS)
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        # Each worker has one: all have started.
        pool.map(nap, range(WORKERS), chunksize=1)
        for _ in sys.stdin:
            begin = time.perf_counter()
            results = pool.map(number, items)
            seconds = time.perf_counter() - begin
            if results != list(range(ITEMS)):
                sys.exit("The results are wrong.")
            print(f"RESULT {seconds:.6f}", flush=True)


if __name__ == "__main__":
    main()
