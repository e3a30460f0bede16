// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import static java.util.Objects.requireNonNull;

import io.fiber.Connection;
import io.fiber.runtime.rpc.ObjectAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The program's handle of a pipe's end: light, and bound to the process's {@link Endpoint} when it is used. */
final class PipeEnd<S extends @Nullable Object, R extends @Nullable Object> implements Connection<S, R> {
    private static final long serialVersionUID = 1L;

    private final transient Pipes pipes;
    private final transient PipeHandle handle;
    private transient volatile @Nullable Endpoint endpoint;
    private transient volatile boolean sent;

    PipeEnd(Pipes pipes, PipeHandle handle) {
        this.pipes = pipes;
        this.handle = handle;
    }

    ObjectAddress meeting() {
        return handle.meeting();
    }

    RawPipeEnd raw() {
        return new RawPipeEnd(used());
    }

    /** All copies of a handle that arrive in one process are the same end. */
    private Endpoint used() {
        Endpoint used = endpoint;
        if (used == null) {
            pipes.router().requireOurs(handle.meeting());
            used = pipes.endpoint(handle);
            endpoint = used;
        }
        return used;
    }

    @Override
    public void send(S value) {
        used().sender.sendObject(value);
    }

    @Override
    public void sendBytes(byte[] bytes) {
        used().sender.sendBytes(requireNonNull(bytes, "bytes"));
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // what arrives is what the other end has sent
    public R receive() {
        return (R) used().receiver.receiveObject();
    }

    @Override
    public byte[] receiveBytes() {
        return used().receiver.receiveBytes();
    }

    @Override
    public boolean poll(Duration timeout) {
        return used().receiver.poll(requireNonNull(timeout, "timeout"));
    }

    /**
     * An end that was sent elsewhere and never used here belongs to the other process, so closing this copy does
     * nothing, as with a file that was passed to a child. An end of another program is not an end here.
     */
    @Override
    public void close() {
        if (endpoint != null || (!sent && pipes.router().isOurs(handle.meeting()))) {
            used().close();
        }
    }

    private Object writeReplace() {
        sent = true;
        return handle;
    }

    @Override
    public String toString() {
        return "end " + handle.side() + " of " + handle.describe();
    }
}
