# SPDX-License-Identifier: Apache-2.0
"""The peer of ArraysProgram: the same by the same steps with multiprocessing (spawn)."""

import array
import multiprocessing
import sys
import time

ARRAYS = 8
DOUBLES = 8_000_000


def new_array(_):
    return array.array("d", [1.0]) * DOUBLES


def main():
    arrays = [new_array(i) for i in range(ARRAYS)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for line in sys.stdin:
            begin = time.perf_counter()
            if line.strip() == "there":
                moved = sum(pool.map(len, arrays))
            else:
                moved = sum(map(len, pool.map(new_array, range(ARRAYS))))
            took = time.perf_counter() - begin
            if moved != ARRAYS * DOUBLES:
                raise SystemExit(f"{moved} numbers came, not {ARRAYS * DOUBLES}.")
            print(f"RESULT {took:.9f}", flush=True)


if __name__ == "__main__":
    main()
