// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Admits submissions until the backend hands its jobs over or is closed, so that none follows the handover or the
 * cancellation on close. Thread-safe.
 */
public final class SubmissionGate {

    private final String backend;

    /** Submissions hold it for reading, handover and close for writing. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    private boolean closed;
    private volatile boolean handedOver;

    /** Creates an open gate for the backend of this name. */
    public SubmissionGate(String backend) {
        this.backend = requireNonNull(backend, "backend");
    }

    /**
     * Runs a submission, for which {@link #handOver} and {@link #close} wait.
     *
     * @throws IllegalStateException if the backend is closed, or has handed its jobs over
     */
    public <T> T pass(Supplier<T> submission) {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("The backend '" + backend + "' is closed; it takes no more jobs.");
            }
            if (handedOver) {
                throw new IllegalStateException(
                        "The backend '" + backend + "' has handed its jobs over; it takes no more jobs.");
            }
            return submission.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Rejects a submission whose preparation takes long and for which {@link #close} must not wait.
     *
     * @throws IllegalStateException as {@link #pass} does
     */
    public void check() {
        pass(() -> true);
    }

    /**
     * Waits for running submissions and hands their jobs over. If this succeeds, no more submissions are admitted:
     * close would not end their jobs.
     *
     * @param handover returns whether it has handed over all jobs
     */
    public boolean handOver(BooleanSupplier handover) {
        lock.writeLock().lock();
        try {
            handedOver |= handover.getAsBoolean();
            return handedOver;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Returns whether all jobs were handed over. */
    public boolean isHandedOver() {
        return handedOver;
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
