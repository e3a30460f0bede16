// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;

/**
 * The main class of a second JVM in a transport's test. It dials an address and sends every frame back, until the link
 * or standard input ends. The kit starts it; authors of transports do not.
 */
public final class EchoPeerMain {

    /** The beginning of a line that names a directory to be removed when this process has died. */
    static final String REMOVE = "remove at death: ";

    private EchoPeerMain() {}

    /**
     * Runs the peer.
     *
     * @param arguments the class name of the fixture, the address to dial
     * @throws ReflectiveOperationException if the fixture cannot be created
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        endWithStandardInput();
        try (TransportFixture fixture = Class.forName(arguments[0])
                        .asSubclass(TransportFixture.class)
                        .getConstructor()
                        .newInstance();
                Transport transport = fixture.provider().create(context(fixture))) {
            echo(transport, transport.dial(new Address(arguments[1])));
        }
    }

    private static KitTransportContext context(TransportFixture fixture) {
        return new KitTransportContext(fixture, fixture.callerHost(), 1) {
            @Override
            public void removeAtDeath(Path path) {
                super.removeAtDeath(path);
                System.out.println(REMOVE + path);
            }
        };
    }

    private static void echo(Transport transport, Link link) {
        ArrayDeque<ByteBuffer> owed = new ArrayDeque<>();
        int idleCycles = 0;
        while (link.state() != LinkState.CLOSED) {
            int work = transport.doWork();
            work += link.poll(
                    (buffer, offset, length) -> {
                        ByteBuffer copy = ByteBuffer.allocateDirect(length);
                        copy.put(0, buffer, offset, length);
                        owed.add(copy);
                    },
                    10);
            while (!owed.isEmpty() && link.offer(owed.element()) == OfferResult.ACCEPTED) {
                owed.remove();
                work++;
            }
            idleCycles = work > 0 ? 0 : idleCycles + 1;
            TransportContract.idle(idleCycles);
        }
    }

    /** Ends with standard input, whose other end the kit holds, so that this JVM does not survive the kit's. */
    private static void endWithStandardInput() {
        Thread watcher = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            Thread.onSpinWait();
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    } finally {
                        Runtime.getRuntime().halt(1);
                    }
                },
                "parent-watcher");
        watcher.setDaemon(true);
        watcher.start();
    }
}
