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
 * A member of a ring, as its function sees it. When the function starts, all members are there: each has run its
 * initializer and knows the addresses of the others.
 *
 * <p>{@link #allReduce(float[], FloatBinaryOperator) allReduce}, {@link #broadcast} and {@link #barrier} are collective
 * operations: all members must call the same ones in the same order, and each call waits for the others. Call them from
 * one thread at a time. All other methods are thread-safe.
 *
 * <p>If a neighbour ends while an operation waits for it, the operation throws {@link PeerLostException}. The run then
 * fails with the cause of the first failure, so a member rarely needs to catch the exception.
 */
public interface RingMember {

    /** Returns the rank of this member: 0 to {@link #size()} - 1. */
    int rank();

    /** Returns the number of members. */
    int size();

    /**
     * Returns, by rank, an address at which each member's own code may listen. Its port is a free port of the member's
     * host. A listening TCP socket has reserved it since before the function started, until {@link #takeServerSocket}
     * or {@link #releasePort}. If a peer connects earlier, the system keeps it waiting.
     *
     * <p>The host is the loopback address if all members run on the caller's host. Otherwise it is the address at which
     * the member's host can probably be reached.
     */
    List<InetSocketAddress> addresses();

    /**
     * Returns the bound and listening socket that reserves this member's port, so that no other process can take the
     * port in between. You must close it.
     *
     * @throws IllegalStateException if the port has been taken or released
     */
    ServerSocket takeServerSocket();

    /**
     * Releases this member's port, for code that insists on opening it itself, and returns it. Until that code opens
     * the port, another program could take it. This is unlikely, because systems reuse recent ports last.
     *
     * @throws IllegalStateException if the port has been taken or released
     */
    int releasePort();

    /**
     * Returns the connection to the next member, that of rank + 1; the last member's next one is rank 0. Its other end
     * is that member's {@link #previous}. It carries only what your functions send and receive, not the data of
     * collective operations. In a ring of one, it leads back to this member. If the other member is gone, its methods
     * throw {@link PeerLostException}.
     *
     * @param <T> type of what members send to their neighbours; serializable. A value of another type causes a {@link
     *     ClassCastException} in the caller
     */
    <T extends @Nullable Object> Connection<T, T> next();

    /**
     * Returns the connection to the previous member, that of rank - 1; the one before rank 0 is the last member.
     *
     * @param <T> as of {@link #next}
     */
    <T extends @Nullable Object> Connection<T, T> previous();

    /**
     * Combines the arrays of all members element by element and writes the result into each array, identical bit for
     * bit. Each member sends and receives about twice the size of its array, regardless of the number of members, and
     * never copies the array as a whole. Blocks until the result is there. If it throws, the content of the array is
     * undefined.
     *
     * @param array of the same length in all members
     * @param operator associative and commutative, like {@code Float::sum}; the order in which elements are combined
     *     depends on their position and the number of members, but not on timing
     * @throws PeerLostException FBR-461 if a neighbour has ended
     * @throws FiberException FBR-462 if another member calls a different operation at this point
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the ring is unusable then
     */
    void allReduce(float[] array, FloatBinaryOperator operator);

    /** Combines arrays of doubles, as {@link #allReduce(float[], FloatBinaryOperator)} does for floats. */
    void allReduce(double[] array, DoubleBinaryOperator operator);

    /** Combines arrays of ints, as {@link #allReduce(float[], FloatBinaryOperator)} does for floats. */
    void allReduce(int[] array, IntBinaryOperator operator);

    /** Combines arrays of longs, as {@link #allReduce(float[], FloatBinaryOperator)} does for floats. */
    void allReduce(long[] array, LongBinaryOperator operator);

    /**
     * Sends a value from one member to all others, and returns it. It travels along the ring, and each member forwards
     * what it has received while the rest is still arriving. Blocks until the value is here.
     *
     * @param <T> type of the value; serializable, up to 2 GiB
     * @param root rank of the member that provides the value
     * @param value the value at the root; ignored in other members, for example null
     * @return the value; at the root, the same object
     * @throws IllegalArgumentException if {@code root} is not a rank
     * @throws SerializationException if the value cannot be serialized, or not deserialized here
     * @throws PeerLostException FBR-461 if a neighbour has ended
     * @throws FiberException FBR-462 if another member calls a different operation at this point
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the ring is unusable then
     */
    <T extends @Nullable Object> T broadcast(int root, @Nullable T value);

    /**
     * Waits until all members have called this method.
     *
     * @throws PeerLostException FBR-461 if a neighbour has ended
     * @throws FiberException FBR-462 if another member calls a different operation at this point
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the ring is unusable then
     */
    void barrier();
}
