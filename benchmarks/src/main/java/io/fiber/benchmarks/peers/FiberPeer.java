// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.peers;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

/** Fiber on this host: a pool. */
public final class FiberPeer implements Peer {
    private final Fiber fiber = Fiber.open();
    private final Pool pool = fiber.pool(WORKERS);

    private FiberPeer() {}

    public static void main(String[] args) throws IOException, ExecutionException, InterruptedException {
        PeerProgram.run(args, FiberPeer::new);
    }

    @Override
    public Collection<Long> processes() {
        return pool.map(item -> Peer.process(), IntStream.range(0, WORKERS));
    }

    @Override
    public List<Integer> separate(int tasks) {
        List<CompletableFuture<Integer>> futures = IntStream.range(0, tasks)
                .mapToObj(item -> pool.applyAsync(Peer::same, item))
                .toList();
        return futures.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public List<Integer> naps(int tasks) {
        return pool.map(Peer::nap, IntStream.range(0, tasks));
    }

    @Override
    public void close() {
        pool.close();
        fiber.close();
    }
}
