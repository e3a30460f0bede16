// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import io.fiber.spi.CallerHost;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A cluster, opened for one session.
 *
 * <p>All methods may be called by any thread, also at the same time. {@link #submit} may block while it talks to the
 * cluster, {@link #preview} while it reads files of this host; {@link #leftovers}, {@link #remove} and {@link #close} wait, too.
 * No other method does.
 */
public interface Backend extends AutoCloseable {

    /**
     * Returns how jobs reach this process.
     *
     * @implSpec Constant for the life of the backend. (BKD-110)
     */
    CallerHost callerHost();

    /**
     * Tells whether all jobs run on one host and share its memory: a worker that asks for none has its share of that as
     * heap then, and else what its JVM takes. By default, when jobs run on this host.
     *
     * @implSpec Constant for the life of the backend.
     */
    default boolean isOneHost() {
        return callerHost().reach() == CallerHost.Reach.SAME_HOST;
    }

    /**
     * Returns how many jobs of one processor the allocation that this process runs in has room for, beside this process.
     * Empty, which is the default, when there is no allocation.
     */
    default OptionalInt slots() {
        return OptionalInt.empty();
    }

    /**
     * Starts one job for each instance, all of one spec, as one request where the cluster has such a thing.
     *
     * <p>The result has a job for each instance, in their order. Events may reach {@code listener} before this method
     * returns. When it throws, no job of the submission exists or will exist.
     *
     * @param listener is told of every event of every job of this submission
     * @throws JobRejectedException when the cluster will never take this spec: a wrong field, a missing capability, a
     *     missing image. The text says which field had which value and what was expected; a {@link TooManyJobsException} when
     *     it may take fewer jobs
     * @throws BackendUnavailableException when the cluster cannot be reached now; submitting again later may succeed
     * @implSpec Clauses BKD-201 to BKD-208, BKD-701 to BKD-712. In particular: each instance gets its own bootstrap bytes, and only by
     *     standard input, a file of mode 0600 or a mounted secret, its place named by the environment variable
     *     {@link JobSpec#BOOTSTRAP_VARIABLE}; whatever the job needs is a field of the spec.
     */
    List<Job> submit(Submission submission, JobListener listener);

    /**
     * Returns what {@link #submit} would send to the platform, for a person to read before it is sent: scripts, documents
     * and command lines whole, and as the platform's own tools take them where they have such a form. Empty when this
     * backend has nothing to show.
     *
     * <p>Asks the platform nothing and changes nothing there. What only a submission brings about, a number for example, is
     * shown as it would be if it were submitted next.
     *
     * @param submission its bootstrap bytes are stand-ins: whether there are any may show, what they are never does
     * @throws JobRejectedException as {@link #submit} does, as far as it is known without the platform
     * @implSpec Nothing is started and no bootstrap bytes are shown, in no spelling; the same submission looks the same until
     *     another one is submitted. (BKD-209)
     */
    default Optional<String> preview(Submission submission) {
        return Optional.empty();
    }

    /**
     * Returns what other sessions have left on the platform, where this user can see it. What may belong to a session that
     * lives is not among it. By default nothing. Waits for the platform.
     *
     * @throws BackendException when the platform does not answer, or refuses
     */
    default List<Leftover> leftovers() {
        return List.of();
    }

    /**
     * Removes what {@link #leftovers} has found of a session; what is gone already is no error. Waits for the platform.
     *
     * @throws BackendException when the platform does not answer, or refuses
     */
    default void remove(Leftover leftover) {}

    /**
     * Returns the jobs that the platform keeps without a program. Empty, which is the default, where jobs end with the program
     * that has submitted them.
     */
    default Optional<DetachedJobs> detachedJobs() {
        return Optional.empty();
    }

    /**
     * Cancels every job that has not ended, unless it was {@linkplain DetachedJobs#handOver handed over} to the platform, and
     * frees what the backend holds. A second call does nothing. Returns within 10 seconds, also when the cluster does not
     * answer; jobs that live then are ended afterwards, by a process of the backend's that asks on, by the platform, or by
     * themselves.
     *
     * @implSpec Afterwards no such job of this backend runs, no thread of it lives, and no file of it is left (BKD-601,
     *     BKD-605, BKD-606), also when the thread that closes is interrupted (BKD-610); {@link #submit} throws {@link
     *     IllegalStateException} or {@link BackendException}. (BKD-603)
     */
    @Override
    void close();
}
