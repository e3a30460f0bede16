// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** A second process: dials, sends back what it gets, and ends when the link does. Prints what it saw. */
public final class PeerMain {

    private PeerMain() {}

    public static void main(String[] args) throws Exception {
        long startNs = System.nanoTime();
        Fixture fixture = new Fixture(Path.of(args[0]));
        fixture.lease = Duration.parse(args[2]);
        boolean isOnce = args.length > 3 && args[3].equals("once");
        boolean isSink = args.length > 3 && args[3].equals("sink");
        try (Transport transport = fixture.open()) {
            Link link = transport.dial(new Address(args[1]));
            long dialledNs = System.nanoTime();
            while (link.state() == LinkState.CONNECTING) {
                transport.doWork();
                Thread.onSpinWait();
            }
            long connectedNs = System.nanoTime();
            ByteBuffer hello = ByteBuffer.allocateDirect(64);
            while (link.offer(hello) != OfferResult.ACCEPTED && link.state() != LinkState.CLOSED) {
                transport.doWork();
            }
            IdleStrategy idle = new BackoffIdleStrategy(1_000, 100, 1_000, 1_000_000);
            boolean[] isFirst = {true};
            ByteBuffer reply = ByteBuffer.allocateDirect(link.maxFrameLength());
            while (link.state() != LinkState.CLOSED) {
                int work = transport.doWork();
                work += link.poll(
                        (buffer, offset, length) -> {
                            if (isFirst[0]) {
                                isFirst[0] = false;
                                System.out.println("dial-us " + (dialledNs - startNs) / 1000 + " connected-us "
                                        + (connectedNs - startNs) / 1000 + " round-trip-us "
                                        + (System.nanoTime() - startNs) / 1000);
                            }
                            if (isOnce) {
                                link.close();
                            } else if (!isSink) {
                                reply.clear().put(0, buffer, offset, length).limit(length);
                                while (link.offer(reply) == OfferResult.BACK_PRESSURED) {
                                    transport.doWork();
                                }
                            }
                        },
                        16);
                idle.idle(work);
            }
            System.out.println("closed " + link.closeReason() + " failures " + fixture.failures);
        }
    }
}
