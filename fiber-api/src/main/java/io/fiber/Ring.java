// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteConsumer;
import io.fiber.function.RemoteFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A number of processes that run one function together, each linked to the next one and the last to the first. Use it
 * for programs in which all members do the same work and combine their results, as in distributed gradient descent.
 *
 * <pre>{@code
 * fiber.ring(8).run(member -> {
 *     float[] gradient = model.gradient(shard(member.rank(), member.size()));
 *     member.allReduce(gradient, Float::sum);
 *     model.apply(gradient);
 * });
 * }</pre>
 *
 * <p>Each run starts processes of its own, which end with it; between runs a ring holds nothing. All members are equal:
 * rank 0 is a process like the others. If a member's function throws or its process ends before the function has
 * returned, the run and all other members end. No function runs twice.
 *
 * <p>Thread-safe; several runs may take place at the same time.
 *
 * @see Fiber#ring
 */
public interface Ring {

    /**
     * Runs a program in each member and blocks until all have returned.
     *
     * @throws RingFailedException FBR-460 if a member could not be started, its function threw or its process ended
     *     early; the others have been ended
     * @throws SerializationException if the program cannot be serialized
     * @throws WaitInterruptedException if the thread is interrupted while it waits; all members are ended then
     * @throws IllegalStateException if the session is closed
     */
    void run(RemoteConsumer<? super RingMember> program);

    /**
     * Runs a function in each member and returns the results by rank. Blocks until all have returned, and throws what
     * {@link #run} throws.
     *
     * @param <R> type of a member's result; serializable
     */
    <R extends @Nullable Object> List<R> call(RemoteFunction<? super RingMember, R> function);

    /** Returns the number of members. */
    int size();

    /** Returns the name. The members are named after it, with their rank. */
    String name();
}
