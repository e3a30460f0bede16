// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.FloatBinaryOperator;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A member of a ring, as the function that it runs sees it. When it is there all members are: each has run its initializer,
 * and knows the addresses of the others.
 *
 * <p>{@link #allReduce(float[], FloatBinaryOperator) allReduce}, {@link #broadcast} and {@link #barrier} are operations of
 * all members together: each must call the same ones in the same order, and each call waits for the others. They belong to
 * one thread at a time; the rest is thread-safe.
 *
 * <p>When a neighbour ends while it is waited for, the operation throws {@link PeerLostException}. The run fails then
 * with the cause of the first failure, so a member usually leaves it alone.
 */
public interface RingMember {

    /** Returns which member this is: 0 to {@link #size()} - 1. */
    int rank();

    /** Returns how many members there are. */
    int size();

    /**
     * Returns an address for each member, by rank, at which its own code may listen: a port of its host that was free
     * and is held for it by a listening TCP socket since before the function began, until {@link #takeServerSocket} or
     * {@link #releasePort}. The system keeps a peer that connects earlier waiting.
     *
     * <p>The host is the loopback address when all members are on the host of the caller, and else the one by which this host
     * is likely to be reached.
     */
    List<InetSocketAddress> addresses();

    /**
     * Hands over the socket that holds this member's port, bound and listening, so that no other process can take the
     * port in between. It is the caller's to close.
     *
     * @throws IllegalStateException when the port was taken or released before
     */
    ServerSocket takeServerSocket();

    /**
     * Gives this member's port up for code that insists on opening it itself, and returns it. From here until then another
     * program could open it, which is unlikely, because systems give ports that were just used last.
     *
     * @throws IllegalStateException when the port was taken or released before
     */
    int releasePort();

    /**
     * Returns the connection to the next member, of rank + 1; the last one's next is rank 0. Its other end is that member's
     * {@link #previous}. It carries what the function sends and receives, and nothing of the operations of all members. In a
     * ring of one it leads back to this member. Operations throw {@link PeerLostException} when the member is gone.
     *
     * @param <T> what the members send to their neighbours: serializable. What is of another type shows as a {@link
     *     ClassCastException} at the caller
     */
    <T extends @Nullable Object> Connection<T, T> next();

    /**
     * Returns the connection to the member before, of rank - 1; that of rank 0 is the last one.
     *
     * @param <T> as of {@link #next}
     */
    <T extends @Nullable Object> Connection<T, T> previous();

    /**
     * Combines the arrays of all members element by element; then each has the result in its array, all bit for bit the same.
     * Blocks until that is so. Each member sends and receives about two times the array, whatever their number, and nothing
     * of it is copied as a whole. When it throws, the array holds anything.
     *
     * @param array of the same length in all members
     * @param operator associative and commutative, like {@code Float::sum}; in which order elements are combined depends on
     *     their place and the number of members, but not on time
     * @throws PeerLostException FBR-461 when a neighbour has ended
     * @throws FiberException FBR-462 when another member does something else at this point
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the ring is of no more use then
     */
    void allReduce(float[] array, FloatBinaryOperator operator);

    /** Combines arrays of doubles as {@link #allReduce(float[], FloatBinaryOperator)} does floats. */
    void allReduce(double[] array, DoubleBinaryOperator operator);

    /** Combines arrays of ints as {@link #allReduce(float[], FloatBinaryOperator)} does floats. */
    void allReduce(int[] array, IntBinaryOperator operator);

    /** Combines arrays of longs as {@link #allReduce(float[], FloatBinaryOperator)} does floats. */
    void allReduce(long[] array, LongBinaryOperator operator);

    /**
     * Gives all members the value that one has. Blocks until it is here. It travels along the ring, and each member passes on
     * what it has while the rest still comes.
     *
     * @param <T> what it is: serializable, up to 2 GiB
     * @param root rank of the member whose value it is
     * @param value the value at the root; of no matter elsewhere, for example null
     * @return the value; at the root the same object
     * @throws IllegalArgumentException when {@code root} is no rank
     * @throws SerializationException when the value cannot be serialized, or not deserialized here
     * @throws PeerLostException FBR-461 when a neighbour has ended
     * @throws FiberException FBR-462 when another member does something else at this point
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the ring is of no more use then
     */
    <T extends @Nullable Object> T broadcast(int root, @Nullable T value);

    /**
     * Waits until all members have called it.
     *
     * @throws PeerLostException FBR-461 when a neighbour has ended
     * @throws FiberException FBR-462 when another member does something else at this point
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the ring is of no more use then
     */
    void barrier();
}
