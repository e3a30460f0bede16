# SPDX-License-Identifier: Apache-2.0
"""Dask's dashboard for the program whose session page docs/monitoring.md shows: docs/images/dask-dashboard.png.

Four workers with a thread each run 408 tasks; before them, one task ended its worker and one failed. The last eight of
the 408 wait for Enter. The picture is from Python 3.11.2, Dask and distributed 2022.12.1, Bokeh 2.4.3 (this Dask
needs 2.4.2 or 2.4.3), Tornado 6.2 and Chromium 156 with a window of 1100 x 900.
"""

import os
import time

import dask
from distributed import Client, Event, LocalCluster, wait

WORKERS = 4
TASKS = 408


def work(number):
    time.sleep(number % 40 * 0.005)
    if number >= 400:
        Event("go").wait()
    return number


def reject(number):
    if number % 2 == 0:
        return number
    raise ValueError(f"no {number}")


def halt():
    os._exit(9)


def main():
    # As in the other program, a task is not run again when its worker was lost.
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    with (
        LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster) as client,
    ):
        print(client.dashboard_link, flush=True)
        input("Press Enter to begin.\n")
        failed = [client.submit(halt), client.submit(reject, 17)]
        wait(failed)
        passed = client.submit(reject, 18)
        client.wait_for_workers(WORKERS)

        results = client.map(work, range(TASKS))
        input("Press Enter to let the last tasks end.\n")
        Event("go").set()
        if client.gather(results) != list(range(TASKS)) or passed.result() != 18:
            raise SystemExit("The results differ from what was asked for.")
        print("Tasks that failed:", *(future.exception() for future in failed), sep="\n  ", flush=True)
        input("Press Enter to end.\n")


if __name__ == "__main__":
    main()
