// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportProvider;
import io.fiber.tck.memory.MemoryNetwork;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The transport in memory with a bug that a class of its own has: it waits, throws, or knows no stranger. */
final class OddTransportProvider implements TransportProvider {

    private final TransportProvider real = new MemoryNetwork().provider();
    private final AddressingTransport.Book book = new AddressingTransport.Book();
    private final Map<String, SocketAddress> doors = new ConcurrentHashMap<>();
    private final TransportBug bug;

    OddTransportProvider(TransportBug bug) {
        this.bug = bug;
    }

    static boolean has(TransportBug bug) {
        return bug.kind() != TransportBug.Kind.OF_ONE_METHOD;
    }

    /** Returns the port of the transport that invited. */
    Optional<SocketAddress> doorOf(Address address) {
        return DoorTransport.doorOf(doors, address);
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public List<String> jvmOptions(CodePath path) {
        return real.jvmOptions(path);
    }

    @Override
    public Transport create(TransportContext context) {
        Transport transport = real.create(context);
        return switch (bug.kind()) {
            case OF_ONE_METHOD -> transport;
            case OF_LENGTHS -> new SplittingTransport(bug, transport);
            case OF_ADDRESSES -> new AddressingTransport(bug, transport, book);
            case OF_STRANGERS -> new DoorTransport(bug, transport, doors);
            case OF_EXCEPTIONS -> new ThrowingTransport(bug, transport);
            case OF_WAITS -> new WaitingTransport(bug, transport);
            case OF_IDLE_TIME -> new FadingTransport(bug, transport);
        };
    }
}
