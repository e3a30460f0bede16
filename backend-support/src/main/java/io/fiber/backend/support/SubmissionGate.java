// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** Admits submissions until the backend is closed, so that none follows the cancellation on close. Thread-safe. */
public final class SubmissionGate {

    private final String backend;

    /** Submissions hold it for reading, close for writing. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    private boolean closed;

    /** Creates an open gate for the backend of this name. */
    public SubmissionGate(String backend) {
        this.backend = requireNonNull(backend, "backend");
    }

    /**
     * Runs a submission, for which {@link #close} waits.
     *
     * @throws IllegalStateException if the backend is closed
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
     * Rejects a submission whose preparation takes long and for which {@link #close} must not wait.
     *
     * @throws IllegalStateException if the backend is closed
     */
    public void check() {
        pass(() -> true);
    }

    /**
     * Waits for running submissions, admits no more, and runs {@code end} at the first call. An interrupted thread ends
     * the backend like any other, and is interrupted again afterwards.
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
