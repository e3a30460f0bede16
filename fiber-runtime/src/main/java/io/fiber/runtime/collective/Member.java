// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import static java.util.Objects.requireNonNull;

import io.fiber.Connection;
import io.fiber.RingMember;
import io.fiber.function.FloatBinaryOperator;
import io.fiber.runtime.pipe.Pipes;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.ValueCodec;
import io.fiber.runtime.serialization.ValueName;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/** A member in its own process. */
final class Member implements RingMember {

    private static final ValueName VALUE = new ValueName("the value", "broadcast");

    private final Exchange.Position position;
    private final List<InetSocketAddress> addresses;
    private final AtomicReference<@Nullable ServerSocket> reserved;
    private final ValueCodec values;
    private final Neighbour next;
    private final Neighbour previous;
    private final Exchange exchange;
    private long operations;

    /** Creates a member. {@code reserved} holds its port until its own code takes the port over. */
    Member(
            MemberProgram program,
            List<InetSocketAddress> addresses,
            AtomicReference<@Nullable ServerSocket> reserved,
            ValueCodec values) {
        this.position = program.position();
        this.addresses = List.copyOf(addresses);
        this.reserved = reserved;
        this.values = values;
        this.next = new Neighbour(program.next(), position, position.next());
        this.previous = new Neighbour(program.previous(), position, position.previous());
        this.exchange = new Exchange(position, Pipes.raw(program.allNext()), Pipes.raw(program.allPrevious()));
    }

    @Override
    public int rank() {
        return position.rank();
    }

    @Override
    public int size() {
        return position.size();
    }

    @Override
    public List<InetSocketAddress> addresses() {
        return addresses;
    }

    @Override
    public ServerSocket takeServerSocket() {
        ServerSocket socket = reserved.getAndSet(null);
        if (socket == null) {
            throw new IllegalStateException("FBR-306 The port " + port()
                    + " of this member was already taken or released; it can be taken only once.");
        }
        return socket;
    }

    @Override
    public int releasePort() {
        CloseHelper.quietClose(takeServerSocket());
        return port();
    }

    private int port() {
        return addresses.get(position.rank()).getPort();
    }

    @Override
    public <T extends @Nullable Object> Connection<T, T> next() {
        return typed(next);
    }

    @Override
    public <T extends @Nullable Object> Connection<T, T> previous() {
        return typed(previous);
    }

    @SuppressWarnings("unchecked") // what arrives is what the neighbour has sent
    private static <T extends @Nullable Object> Connection<T, T> typed(Connection<?, ?> neighbour) {
        return (Connection<T, T>) neighbour;
    }

    @Override
    public void allReduce(float[] array, FloatBinaryOperator operator) {
        allReduce(Numbers.of(requireNonNull(array, "array"), requireNonNull(operator, "operator")));
    }

    @Override
    public void allReduce(double[] array, DoubleBinaryOperator operator) {
        allReduce(Numbers.of(requireNonNull(array, "array"), requireNonNull(operator, "operator")));
    }

    @Override
    public void allReduce(int[] array, IntBinaryOperator operator) {
        allReduce(Numbers.of(requireNonNull(array, "array"), requireNonNull(operator, "operator")));
    }

    @Override
    public void allReduce(long[] array, LongBinaryOperator operator) {
        allReduce(Numbers.of(requireNonNull(array, "array"), requireNonNull(operator, "operator")));
    }

    private void allReduce(Numbers numbers) {
        operations++;
        if (position.size() > 1) {
            Heading heading = new Heading(Heading.Operation.ALL_REDUCE, operations, numbers.kind(), numbers.length());
            exchange.run(heading, new AllReduceFlow(numbers, position.rank(), position.size()));
        }
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the members know what the root sends
    public <T extends @Nullable Object> T broadcast(int root, @Nullable T value) {
        if (root < 0 || root >= position.size()) {
            throw new IllegalArgumentException(
                    "FBR-305 root is " + root + "; expected a rank, 0 to " + (position.size() - 1) + ".");
        }
        if (position.size() == 1) {
            return value;
        }
        boolean isRoot = position.rank() == root;
        // A value that cannot be serialized must not count as an operation: the others are still waiting for it.
        Payload sent = isRoot ? encode(value) : null;
        Heading heading = new Heading(Heading.Operation.BROADCAST, ++operations, root, 0);
        if (sent != null) {
            exchange.run(heading, BroadcastFlow.ofRoot(sent));
            return value;
        }
        // The value ends at the member before the root.
        BroadcastFlow passing = new BroadcastFlow(position.next() != root, true);
        exchange.run(heading, passing);
        return (T) values.read(passing.payload().open(), VALUE);
    }

    private Payload encode(@Nullable Object value) {
        PayloadOutput out = new PayloadOutput();
        values.write(value, out, VALUE);
        return out.toPayload();
    }

    @Override
    public void barrier() {
        operations++;
        if (position.size() > 1) {
            Heading heading = new Heading(Heading.Operation.BARRIER, operations, 0, 0);
            exchange.run(heading, AllReduceFlow.ofBarrier(position.rank(), position.size()));
        }
    }

    @Override
    public String toString() {
        return position.describe();
    }
}
