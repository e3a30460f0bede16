# SPDX-License-Identifier: Apache-2.0
"""The peer of QueueProgram: the same by the same steps with multiprocessing (spawn)."""

import multiprocessing
import sys
import time

ITEMS = 20_000
CAPACITY = 1_024


def write(orders, items):
    for count in iter(orders.get, None):
        for i in range(count):
            items.put(i)


def forward(items, passed):
    for item in iter(items.get, None):
        passed.put(item)


def main():
    writers, readers = int(sys.argv[1]), int(sys.argv[2])
    context = multiprocessing.get_context("spawn")
    queues = context.Manager() if "manager" in sys.argv else context
    orders, items = context.Queue(), queues.Queue(CAPACITY)
    passed = items if readers == 0 else queues.Queue(CAPACITY)
    children = [context.Process(target=write, args=(orders, items)) for _ in range(writers)]
    children += [context.Process(target=forward, args=(items, passed)) for _ in range(readers)]
    for child in children:
        child.start()
    for _ in sys.stdin:
        begin = time.perf_counter()
        for _ in range(writers):
            orders.put(ITEMS // writers)
        total = sum(passed.get() for _ in range(ITEMS))
        took = time.perf_counter() - begin
        wanted = ITEMS * (ITEMS // writers - 1) // 2
        if total != wanted:
            raise SystemExit(f"The items that came add up to {total}, not to {wanted}.")
        print(f"RESULT {took:.6f}", flush=True)
    for _ in range(writers):
        orders.put(None)
    for _ in range(readers):
        items.put(None)
    for child in children:
        child.join()


if __name__ == "__main__":
    main()
