// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportException.Kind;
import java.nio.file.Path;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;
import org.jspecify.annotations.Nullable;

/** A client of the driver of the inviting process. */
final class ForeignDriver implements AeronNode {

    /** Aeron's message if the driver closed itself, which is not a failure. */
    private static final String SHUT_DOWN = "has been shutdown";

    private final AeronAddress.Ipc address;
    private final Aeron client;
    private final AgentInvoker invoker;
    private final FatalErrors errors;

    private ForeignDriver(AeronAddress.Ipc address, Aeron client, FatalErrors errors) {
        this.address = address;
        this.client = client;
        this.invoker = client.conductorAgentInvoker();
        this.errors = errors;
    }

    /**
     * Attaches to the driver of another process, whose directory has been verified.
     *
     * @throws TransportException (BAD_ADDRESS) if no driver is alive there
     */
    static ForeignDriver attach(AeronAddress.Ipc address, TransportTimes times, TransportCounters counters) {
        Path directory = Path.of(address.directory());
        Path inner = DriverDirectory.inner(directory);
        if (!HeartbeatFile.isBeating(inner.resolve(HeartbeatFile.NAME))) {
            throw new TransportException(
                    Kind.BAD_ADDRESS,
                    "No media driver is alive in '" + directory
                            + "': the inviting process has ended, or has not called doWork() for longer than its"
                            + " lease. Expected a running master.");
        }
        FatalErrors errors = new FatalErrors(counters);
        try {
            return new ForeignDriver(address, Aeron.connect(AeronNode.clientContext(inner, times, errors)), errors);
        } catch (RuntimeException e) {
            throw new TransportException(
                    Kind.BAD_ADDRESS, "The media driver in '" + directory + "' cannot be used: " + e.getMessage(), e);
        }
    }

    /** Returns the address by which the driver was found. */
    AeronAddress.Ipc address() {
        return address;
    }

    @Override
    public Aeron client() {
        return client;
    }

    /** Does what is due. */
    int invoke() {
        return errors.fatal() == null ? invoker.invoke() : 0;
    }

    @Override
    public @Nullable String failure() {
        Throwable fatal = errors.fatal();
        if (fatal != null) {
            return "the media driver of the inviting process is gone: " + fatal.getMessage();
        }
        return client.isClosed() ? "the Aeron client has closed itself" : null;
    }

    /** Returns whether the driver's owner ended it in order. */
    boolean hasEndedInOrder() {
        Throwable fatal = errors.fatal();
        String message = fatal == null ? null : fatal.getMessage();
        return message != null && message.contains(SHUT_DOWN);
    }

    /** Frees everything. No link may use a log any more. */
    void close() {
        CloseHelper.quietClose(client);
    }
}
