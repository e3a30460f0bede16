// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Futures in the order in which they complete. Belongs to one thread. */
final class CompletedFutures<F extends CompletableFuture<?>> implements Iterator<F> {
    private final BlockingQueue<F> done = new LinkedBlockingQueue<>();
    private final int count;
    private int returned;

    private CompletedFutures(List<? extends F> futures) {
        this.count = futures.size();
        for (F future : futures) {
            var unused = future.whenComplete((result, thrown) -> done.add(future));
        }
    }

    static <F extends CompletableFuture<?>> Stream<F> stream(Collection<? extends F> futures) {
        Iterator<F> inOrder = new CompletedFutures<>(List.copyOf(futures));
        // Of unknown size: if the stream knew its size, count() would return without waiting for a future.
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(inOrder, Spliterator.ORDERED), false);
    }

    @Override
    public boolean hasNext() {
        return returned < count;
    }

    @Override
    public F next() {
        if (!hasNext()) {
            throw new NoSuchElementException("All " + count + " futures were returned.");
        }
        try {
            F future = done.take();
            returned++;
            return future;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("the next of " + count + " futures", e);
        }
    }
}
