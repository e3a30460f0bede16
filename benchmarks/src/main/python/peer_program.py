# SPDX-License-Identifier: Apache-2.0
"""What the programs of ./benchmark peers and fresh_peer.py have in common in Python; PeerProgram.java is the same in Java."""

import os
import sys
import time

WORKERS = 5


def process(_=None):
    time.sleep(0.001)
    return os.getpid()


def same(item):
    return item


def nap(item):
    time.sleep(0.001)
    return item


def check(results, count):
    expected = count * (count - 1) // 2
    if len(results) != count or sum(results) != expected:
        raise SystemExit(f"{len(results)} results with sum {sum(results)}; expected {count} with sum {expected}.")


def run(processes, steps):
    """Takes a call to workers that returns their processes, and the steps by name."""
    begin = time.perf_counter()
    tasks = int(sys.argv[2])
    sys.stdin.readline()
    answered = set()
    while len(answered) < WORKERS:
        answered.update(processes())
    print(f"RESULT {time.perf_counter() - begin:.6f}", flush=True)
    if sys.stdin.readline():
        begin = time.perf_counter()
        check(steps[sys.argv[1]](tasks), tasks)
        print(f"RESULT {time.perf_counter() - begin:.6f}", flush=True)
        sys.stdin.readline()
