// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteConsumer;
import io.fiber.function.RemoteFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A number of processes that run one function together, each linked to the next one and the last to the first: for programs
 * in which all have the same to do and combine what they found, as in distributed gradient descent.
 *
 * <pre>{@code
 * fiber.ring(8).run(member -> {
 *     float[] gradient = model.gradient(shard(member.rank(), member.size()));
 *     member.allReduce(gradient, Float::sum);
 *     model.apply(gradient);
 * });
 * }</pre>
 *
 * <p>Each run starts processes of its own, which end with it: between runs a ring holds nothing. All members are alike; that
 * of rank 0 is a process like the others. A member whose function throws, or whose process ends before its function has
 * returned, ends the run, and the others with it. No function is run twice.
 *
 * <p>Thread-safe; several runs may go on at the same time.
 *
 * @see Fiber#ring
 */
public interface Ring {

    /**
     * Runs a program in each member. Blocks until all have returned.
     *
     * @throws RingFailedException FBR-460 when a member could not be started, its function threw or its process ended
     *     early; the others have been ended
     * @throws SerializationException when the program cannot be serialized
     * @throws WaitInterruptedException when the thread is interrupted while it waits; all members are ended then
     * @throws IllegalStateException when the session is closed
     */
    void run(RemoteConsumer<? super RingMember> program);

    /**
     * Runs a function in each member and returns what they return, by rank. Blocks until all have returned, and throws what
     * {@link #run} throws.
     *
     * @param <R> what a member returns: serializable
     */
    <R extends @Nullable Object> List<R> call(RemoteFunction<? super RingMember, R> function);

    /** Returns how many members it has. */
    int size();

    /** Returns the name; members are named after it, with their rank. */
    String name();
}
