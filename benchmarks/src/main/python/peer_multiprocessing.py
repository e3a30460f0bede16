# SPDX-License-Identifier: Apache-2.0
"""Python's multiprocessing in ./benchmark peers: a pool, started by spawn."""

import multiprocessing

from peer_program import WORKERS, nap, process, run, same


def main():
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:

        def separate(tasks):
            futures = [pool.apply_async(same, (item,)) for item in range(tasks)]
            return [future.get() for future in futures]

        run(
            lambda: pool.map(process, range(WORKERS), chunksize=1),
            {"separate": separate, "naps": lambda tasks: pool.map(nap, range(tasks))},
        )
        pool.close()
        pool.join()


if __name__ == "__main__":
    main()
