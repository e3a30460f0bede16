# SPDX-License-Identifier: Apache-2.0
"""Dask in ./benchmark peers: a local cluster of five processes with a thread each, and this program as their client."""

import dask.bag
from distributed import Client, LocalCluster

from peer_program import WORKERS, nap, process, run, same


def main():
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):

        def separate(tasks):
            return client.gather(client.map(same, range(tasks)))

        def naps(tasks):
            return dask.bag.from_sequence(range(tasks)).map(nap).compute()

        run(lambda: client.run(process).values(), {"separate": separate, "naps": naps})


if __name__ == "__main__":
    main()
