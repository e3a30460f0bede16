// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.Transport;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A second process: invites, prints the address, and sends back what it gets until the link is closed. */
public final class InviterMain {

    private InviterMain() {}

    public static void main(String[] args) {
        Fixture fixture = new Fixture(Path.of(args[0]));
        fixture.lease = Duration.parse(args[1]);
        if (args.length > 2 && args[2].equals("network")) {
            fixture.overNetwork();
        }
        try (Transport transport = fixture.open()) {
            Link link = transport.invite();
            System.out.println(link.address().text());
            ByteBuffer reply = ByteBuffer.allocateDirect(link.maxFrameLength());
            while (link.state() != LinkState.CLOSED) {
                int frames = link.poll(
                        (buffer, offset, length) -> {
                            reply.clear().put(0, buffer, offset, length).limit(length);
                            link.offer(reply);
                        },
                        8);
                if (transport.doWork() + frames == 0) {
                    LockSupport.parkNanos(100_000);
                }
            }
        }
    }
}
