# SPDX-License-Identifier: Apache-2.0
"""The peer of PipeProgram: the same tests by the same steps with multiprocessing (spawn)."""

import multiprocessing
import sys
import time

MESSAGE = b"x" * 64
HOT_ROUND_TRIPS = 20_000
LATE_ROUND_TRIPS = 100
SILENCE_S = 0.02


def echo(end):
    try:
        while True:
            end.send_bytes(end.recv_bytes())
    except EOFError:
        pass


def median(mine, count, silence_s):
    times = []
    for _ in range(count):
        if silence_s:
            time.sleep(silence_s)
        begin = time.perf_counter()
        mine.send_bytes(MESSAGE)
        length = len(mine.recv_bytes())
        times.append(time.perf_counter() - begin)
        if length != len(MESSAGE):
            raise SystemExit(f"A message of {length} bytes came back.")
    return sorted(times)[count // 2]


def main():
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    child = context.Process(target=echo, args=(theirs,))
    child.start()
    theirs.close()
    tests = {
        "pipe_rtt_hot": lambda: median(mine, HOT_ROUND_TRIPS, 0),
        "pipe_rtt_hot_then_20ms": lambda: (
            median(mine, HOT_ROUND_TRIPS, 0),
            median(mine, LATE_ROUND_TRIPS, SILENCE_S),
        )[1],
        "pipe_rtt_after_20ms": lambda: median(mine, LATE_ROUND_TRIPS, SILENCE_S),
    }
    for line in sys.stdin:
        print(f"RESULT {tests[line.strip()]():.9f}", flush=True)
    mine.close()
    child.join()


if __name__ == "__main__":
    main()
