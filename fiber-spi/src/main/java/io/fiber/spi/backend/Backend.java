// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import io.fiber.spi.CallerHost;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A cluster, opened for one session.
 *
 * <p>{@link #submit} may block while it contacts the cluster, and {@link #preview} while it reads files of this host.
 * {@link #leftovers}, {@link #remove} and {@link #close} wait, too. Other methods do not block. Thread-safe.
 */
public interface Backend extends AutoCloseable {

    /**
     * Returns how jobs reach this process.
     *
     * @implSpec Constant for the life of the backend. (BKD-110)
     */
    CallerHost callerHost();

    /**
     * Returns whether all jobs run on one host and share its memory. If so, a worker that requests no memory gets its
     * share of the host's memory as its heap; otherwise it gets the default of its JVM. By default this is true if jobs
     * run on this host.
     *
     * @implSpec Constant for the life of the backend.
     */
    default boolean isOneHost() {
        return callerHost().reach() == CallerHost.Reach.SAME_HOST;
    }

    /**
     * Returns how many jobs of one processor fit into the allocation in which this process runs, beside this process.
     * Empty, the default, if there is no allocation.
     */
    default OptionalInt slots() {
        return OptionalInt.empty();
    }

    /**
     * Starts one job for each instance, all with the same spec, in one request if the cluster supports that.
     *
     * <p>The result has a job for each instance, in their order. Events may reach {@code listener} before this method
     * returns. If it throws, no job of the submission exists or will exist.
     *
     * @param listener receives every event of every job of this submission
     * @throws JobRejectedException if the cluster will never accept this spec, because of a wrong field, a missing
     *     capability or a missing image. The message says which field had which value and what was expected. A {@link
     *     TooManyJobsException} if the cluster may accept fewer jobs
     * @throws BackendUnavailableException if the cluster cannot be reached now; submitting again later may succeed
     * @implSpec Clauses BKD-201 to BKD-208, BKD-701 to BKD-712. In particular, each instance gets its own bootstrap
     *     bytes, only by standard input, a file of mode 0600 or a mounted secret. The environment variable {@link
     *     JobSpec#BOOTSTRAP_VARIABLE} says where they are. Everything else that the job needs is a field of the spec.
     */
    List<Job> submit(Submission submission, JobListener listener);

    /**
     * Returns what {@link #submit} would send to the platform, for people to read before it is sent. Scripts, documents
     * and command lines are complete, and in the format of the platform's own tools if there is one. Empty if this
     * backend has nothing to show.
     *
     * <p>Does not contact the platform and changes nothing there. Values that only a submission determines, for example
     * a number, are shown as if this were submitted next.
     *
     * @param submission its bootstrap bytes are placeholders. The preview may show whether there are any, but never
     *     what they are
     * @throws JobRejectedException as {@link #submit} does, as far as it is known without the platform
     * @implSpec Starts nothing, and does not show the bootstrap bytes in any encoding. The same submission has the same
     *     preview until another one is submitted. (BKD-209)
     */
    default Optional<String> preview(Submission submission) {
        return Optional.empty();
    }

    /**
     * Returns what other sessions have left on the platform, as far as this user can see it. Anything that may belong
     * to a live session is left out. Nothing by default. Waits for the platform.
     *
     * @throws BackendException if the platform does not answer, or rejects the request
     */
    default List<Leftover> leftovers() {
        return List.of();
    }

    /**
     * Removes what {@link #leftovers} has found of a session. Things that are already gone are not an error. Waits for
     * the platform.
     *
     * @throws BackendException if the platform does not answer, or rejects the request
     */
    default void remove(Leftover leftover) {}

    /**
     * Returns the jobs that the platform keeps without a program. Empty, the default, if jobs end with the program that
     * submitted them.
     */
    default Optional<DetachedJobs> detachedJobs() {
        return Optional.empty();
    }

    /**
     * Cancels every job that has not ended, unless it was {@linkplain DetachedJobs#handOver handed over} to the
     * platform, and frees the backend's resources. Returns within 10 seconds, even if the cluster does not answer. Jobs
     * that still run then end later: a process of the backend keeps trying to cancel them, the platform ends them, or
     * they exit on their own. Idempotent.
     *
     * @implSpec Afterwards no such job of this backend runs, it has no thread, and no file of it is left (BKD-601,
     *     BKD-605, BKD-606), even if the closing thread is interrupted (BKD-610). {@link #submit} throws {@link
     *     IllegalStateException} or {@link BackendException}. (BKD-603)
     */
    @Override
    void close();
}
