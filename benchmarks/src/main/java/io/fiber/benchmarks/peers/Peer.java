// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.peers;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** A system with {@value #WORKERS} worker processes, each of which runs one task at a time. */
public interface Peer extends AutoCloseable {
    int WORKERS = 5;

    /** Calls {@link #process} in workers, if possible in each. */
    Collection<Long> processes() throws ExecutionException, InterruptedException;

    /** Runs {@link #same} for the ints from 0, each a task of its own, all submitted before the first result is awaited. */
    List<Integer> separate(int tasks) throws ExecutionException, InterruptedException;

    /** Runs {@link #nap} for the ints from 0 in one call. */
    List<Integer> naps(int tasks) throws ExecutionException, InterruptedException;

    @Override
    void close() throws IOException;

    /** Returns the id of its process after a millisecond. */
    static long process() throws InterruptedException {
        Thread.sleep(1);
        return ProcessHandle.current().pid();
    }

    static int same(int item) {
        return item;
    }

    static int nap(int item) throws InterruptedException {
        Thread.sleep(1);
        return item;
    }
}
