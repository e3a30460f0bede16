// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.FiberException;
import io.fiber.PeerLostException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A pipe to a neighbour, whose errors name the neighbour. Thread-safe. */
record Neighbour(Connection<Object, Object> end, Exchange.Position position, int rank)
        implements Connection<Object, Object> {

    /** The neighbour had closed its end, and its last message did not arrive. */
    private static final String LAST_WORDS_LOST = "FBR-457";

    @Override
    public void send(Object value) {
        guard(() -> {
            end.send(value);
            return true;
        });
    }

    @Override
    public void sendBytes(byte[] bytes) {
        guard(() -> {
            end.sendBytes(bytes);
            return true;
        });
    }

    @Override
    public Object receive() {
        return guard(end::receive);
    }

    @Override
    public byte[] receiveBytes() {
        return guard(end::receiveBytes);
    }

    @Override
    public boolean poll(Duration timeout) {
        return end.poll(timeout);
    }

    @Override
    public void close() {
        end.close();
    }

    private <T extends @Nullable Object> T guard(Supplier<T> what) {
        try {
            return what.get();
        } catch (EndOfStreamException e) {
            throw new PeerLostException(rank, position.describe(), e);
        } catch (FiberException e) {
            throw e.code().equals(LAST_WORDS_LOST) ? new PeerLostException(rank, position.describe(), e) : e;
        }
    }

    /** Elsewhere it is the end of a pipe like any other. */
    private Object writeReplace() {
        return end;
    }

    @Override
    public String toString() {
        return "connection of " + position.describe() + " to rank " + rank;
    }
}
