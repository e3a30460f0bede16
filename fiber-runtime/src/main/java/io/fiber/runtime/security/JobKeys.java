// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The keys of a master's jobs. Each is accepted once: the number of a job whose key was accepted stays here, without the
 * key, until it is forgotten, so that a second use is told from an unknown job. Thread-safe; blocks no longer than a look
 * into a map takes.
 */
public final class JobKeys {

    private final SecureRandom random;
    private final int limit;
    private final Map<Long, Optional<JobKey>> keys = new HashMap<>();

    /**
     * Creates a registry without a job.
     *
     * @param random where keys come from
     * @param limit the greatest number of jobs known at one time, used or not
     */
    public JobKeys(SecureRandom random, int limit) {
        this.random = random;
        this.limit = limit;
    }

    /**
     * Makes the key of a new job.
     *
     * @throws IllegalArgumentException when the number is known already
     * @throws IllegalStateException when the limit is reached; {@link #forget} jobs that have ended
     */
    public synchronized JobKey register(long jobNumber) {
        return register(jobNumber, JobKey.random(random));
    }

    /**
     * Expects a job with a key that it has already.
     *
     * @throws IllegalArgumentException when the number is known already
     * @throws IllegalStateException when the limit is reached; {@link #forget} jobs that have ended
     */
    public synchronized JobKey register(long jobNumber, JobKey key) {
        if (isKnown(jobNumber)) {
            throw new IllegalArgumentException(
                    "Job " + jobNumber + " has a key already; each job needs a number of its own.");
        }
        if (keys.size() >= limit) {
            throw new IllegalStateException("No key for job " + jobNumber + ": " + keys.size()
                    + " jobs are known, the limit is " + limit + ". Forget jobs that have ended.");
        }
        keys.put(jobNumber, Optional.of(key));
        return key;
    }

    /** Tells whether a key was made for a job, used or not, and not forgotten. */
    public synchronized boolean isKnown(long jobNumber) {
        return keys.containsKey(jobNumber);
    }

    /** Returns the key of a job that no worker has used. */
    public synchronized Optional<JobKey> waiting(long jobNumber) {
        return keys.getOrDefault(jobNumber, Optional.empty());
    }

    /**
     * Uses up the key of a job, after its holder was proven. Of two that hold it, one gets true.
     *
     * @param key the key that was proven, so that a number given anew in between is not mistaken
     * @return whether the key was waiting and is now used
     */
    public synchronized boolean accept(long jobNumber, JobKey key) {
        if (!waiting(jobNumber).equals(Optional.of(key))) {
            return false;
        }
        keys.put(jobNumber, Optional.empty());
        return true;
    }

    /** Forgets a job that has ended or will not be started; unknown numbers are ignored. */
    public synchronized void forget(long jobNumber) {
        keys.remove(jobNumber);
    }

    /** Returns how many jobs are known. */
    public synchronized int size() {
        return keys.size();
    }

    @Override
    public String toString() {
        return "JobKeys[" + size() + " of at most " + limit + "]";
    }
}
