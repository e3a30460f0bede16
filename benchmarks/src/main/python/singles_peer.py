# SPDX-License-Identifier: Apache-2.0
"""Python's multiprocessing, beside SinglesProgram: submits tasks one by one, once for each line of standard input."""

import multiprocessing
import sys
import time

WORKERS = 4
TASKS = 10_000


def same(item):
    return item


def nap(_):
    time.sleep(0.1)


def main():
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        # Each worker has one: all have started.
        pool.map(nap, range(WORKERS), chunksize=1)
        for _ in sys.stdin:
            begin = time.perf_counter()
            results = [pool.apply_async(same, (i,)) for i in range(TASKS)]
            total = sum(result.get() for result in results)
            seconds = time.perf_counter() - begin
            if total != TASKS * (TASKS - 1) // 2:
                sys.exit("The results are wrong.")
            print(f"RESULT {seconds:.6f}", flush=True)


if __name__ == "__main__":
    main()
