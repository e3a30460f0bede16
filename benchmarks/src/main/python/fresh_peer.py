# SPDX-License-Identifier: Apache-2.0
"""Python's multiprocessing, beside FreshProgram: makes a pool at the first line, runs one step with it at the second."""

import multiprocessing
import sys
import time

from peer_program import WORKERS, check, nap, same


def answer(seconds):
    print(f"RESULT {seconds:.6f}", flush=True)


def run(step, pool):
    if step == "separate":
        check(pool.map(same, range(100_000), chunksize=1), 100_000)
    elif step == "default":
        check(pool.map(same, range(100_000)), 100_000)
    elif step == "naps":
        check(pool.map(nap, range(5_000)), 5_000)
    elif step == "rounds":
        for _ in range(1_000):
            check(pool.map(nap, range(WORKERS)), WORKERS)
    else:
        raise SystemExit(f"'{step}' is no step.")


def main():
    sys.stdin.readline()
    begin = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        check(pool.map(same, range(WORKERS)), WORKERS)
        answer(time.perf_counter() - begin)
        if sys.stdin.readline():
            begin = time.perf_counter()
            run(sys.argv[1], pool)
            answer(time.perf_counter() - begin)
            sys.stdin.readline()
        pool.close()
        pool.join()


if __name__ == "__main__":
    main()
