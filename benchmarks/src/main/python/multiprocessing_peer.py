# SPDX-License-Identifier: Apache-2.0
"""The peer of OverheadProgram: the same tests by the same steps with multiprocessing (spawn)."""

import multiprocessing
import sys
import time

from items import number, some

WORKERS = 5
TASKS = 100_000
MANY_TASKS = 10_000_000
SLEEPS = 5_000
BARRIERS = 200


def nothing(_item):
    return 0


def same(item):
    return number(item)


def sleep(item):
    time.sleep(0.001)
    return number(item)


def check(results, count):
    expected = count * (count - 1) // 2
    if len(results) != count or sum(results) != expected:
        raise SystemExit(f"{len(results)} results with sum {sum(results)}; expected {count} with sum {expected}.")


def answer(seconds):
    print(f"RESULT {seconds:.6f}", flush=True)


def start_up(context):
    sys.stdin.readline()
    begin = time.perf_counter()
    with context.Pool(WORKERS) as pool:
        check(pool.map(same, range(WORKERS)), WORKERS)
        answer(time.perf_counter() - begin)
        sys.stdin.readline()
        pool.close()
        pool.join()


def run(test, pool, items):
    if test == "warmup":
        pool.map(same, items[: TASKS // 10])
    elif test == "empty1":
        pool.map(nothing, items, chunksize=1)
    elif test == "emptydef":
        check(pool.map(same, items), TASKS)
    elif test == "emptydef10m":
        check(pool.map(same, range(MANY_TASKS)), MANY_TASKS)
    elif test == "sleep1ms":
        check(pool.map(sleep, items[:SLEEPS]), SLEEPS)
    elif test == "seq1ms":
        for _ in range(BARRIERS):
            check(pool.map(sleep, items[:WORKERS]), WORKERS)
    else:
        raise SystemExit(f"'{test}' is no test.")


def main():
    context = multiprocessing.get_context("spawn")
    if sys.argv[1] == "startup":
        start_up(context)
        return
    items = some(sys.argv[2], TASKS)
    with context.Pool(WORKERS) as pool:
        for line in sys.stdin:
            begin = time.perf_counter()
            run(line.strip(), pool, items)
            answer(time.perf_counter() - begin)
        pool.close()
        pool.join()


if __name__ == "__main__":
    main()
