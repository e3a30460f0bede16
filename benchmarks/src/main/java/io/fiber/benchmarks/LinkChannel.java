// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.runtime.process.TransportSettings;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportProvider;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.function.Function;

/** A link of the transport "aeron", as the runtime uses it. */
final class LinkChannel implements Channel {
    private static final int FRAME_LIMIT = 64;

    private final Transport transport;
    private final Link link;
    private final FrameHandler handler = this::onFrame;
    private Receiver receiver = (kind, length) -> {};

    private LinkChannel(Path directory, Function<Transport, Link> opening) {
        this.transport = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("aeron"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The transport 'aeron' is not on the class path."))
                .create(new TransportSettings(
                        "benchmark000",
                        directory,
                        path -> path.toFile().deleteOnExit(),
                        Options.none(),
                        CallerHost.sameHost(),
                        1,
                        Duration.ofSeconds(20)));
        this.link = opening.apply(transport);
    }

    static LinkChannel invite(Path directory) {
        return new LinkChannel(directory, Transport::invite);
    }

    static LinkChannel dial(Path directory, String address) {
        return new LinkChannel(directory, transport -> transport.dial(new Address(address)));
    }

    String address() {
        return link.address().text();
    }

    @Override
    public boolean isConnected() {
        transport.doWork();
        return link.state() == LinkState.CONNECTED;
    }

    @Override
    public boolean isClosed() {
        return link.state() == LinkState.CLOSED;
    }

    @Override
    public boolean offer(ByteBuffer message) {
        return link.offer(message) == OfferResult.ACCEPTED;
    }

    @Override
    public int poll(Receiver to) {
        receiver = to;
        return transport.doWork() + link.poll(handler, FRAME_LIMIT);
    }

    @Override
    public void close() {
        transport.close();
    }

    private void onFrame(ByteBuffer buffer, int offset, int length) {
        receiver.onMessage(buffer.get(offset), length);
    }
}
