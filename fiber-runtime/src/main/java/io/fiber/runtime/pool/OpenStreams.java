// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Streams of results that were given out. One that was left before its end and not closed, as {@code limit} and {@code
 * findFirst} do, cannot be told from one that is read slowly, until the program no longer holds it: then its call is
 * cancelled. One that was never read is cancelled when its pool is closed. Thread-safe.
 */
final class OpenStreams {

    private final ReferenceQueue<ResultIterator> abandoned = new ReferenceQueue<>();
    private final Set<Given> given = ConcurrentHashMap.newKeySet();

    /** Notes a stream and what reads its results. */
    void add(Stream<?> stream, ResultIterator results, CallHandle call) {
        cancelAbandoned();
        given.add(new Given(stream, results, call, abandoned));
    }

    /** Cancels the calls of those that the garbage collector has found. */
    void cancelAbandoned() {
        for (Reference<? extends ResultIterator> next = abandoned.poll(); next != null; next = abandoned.poll()) {
            if (given.remove(next) && next instanceof Given lost) {
                lost.call.cancel();
            }
        }
    }

    /** Cancels the calls of those that have not been operated upon; whatever reads one later is told why it breaks off. */
    void cancelUnread(FiberException cause) {
        given.removeIf(open -> {
            if (!open.isUntouched()) {
                return false;
            }
            open.call.breakOff(cause);
            return true;
        });
    }

    /** Tells whether the program holds no stream. */
    boolean isEmpty() {
        return given.isEmpty();
    }

    private static final class Given extends PhantomReference<ResultIterator> {
        private final CallHandle call;
        private final WeakReference<Stream<?>> stream;

        Given(Stream<?> stream, ResultIterator results, CallHandle call, ReferenceQueue<ResultIterator> queue) {
            super(results, queue);
            this.call = call;
            this.stream = new WeakReference<>(stream);
        }

        /** A stream says by an exception that it has been operated upon; one that is gone has left its iterator to a reader. */
        boolean isUntouched() {
            Stream<?> open = stream.get();
            try {
                return open != null && open.onClose(() -> {}) == open;
            } catch (IllegalStateException e) {
                return false;
            }
        }
    }
}
