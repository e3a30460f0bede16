// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** Lets submissions pass until the backend is closed, so that none comes after what close cancels. Thread-safe. */
public final class SubmissionGate {

    private final String backend;

    /** Held for reading by submissions, for writing by close. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    private boolean closed;

    /** Creates an open gate of the backend of this name. */
    public SubmissionGate(String backend) {
        this.backend = requireNonNull(backend, "backend");
    }

    /**
     * Makes a submission; {@link #close} waits for it.
     *
     * @throws IllegalStateException when the backend is closed
     */
    public <T> T pass(Supplier<T> submission) {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("The backend '" + backend + "' is closed; it takes no more jobs.");
            }
            return submission.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Refuses a submission whose preparation takes long, and which {@link #close} shall not wait for.
     *
     * @throws IllegalStateException when the backend is closed
     */
    public void check() {
        pass(() -> true);
    }

    /**
     * Lets no more submissions pass, after those that do, and runs {@code end} at the first call. A thread that is interrupted
     * already ends the backend like any other, and is interrupted again afterwards.
     */
    public void close(Runnable end) {
        boolean interrupted = Thread.interrupted();
        try {
            if (isFirstClose()) {
                end.run();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isFirstClose() {
        lock.writeLock().lock();
        try {
            boolean first = !closed;
            closed = true;
            return first;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
