// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.memory;

import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportProvider;
import java.util.List;

/** Creates transports named {@code memory}, which reach each other if they belong to one network. Thread-safe. */
public final class MemoryTransportProvider implements TransportProvider {

    static final String NAME = "memory";

    private final MemoryNetwork network;

    /** Creates a provider with a network of its own. */
    public MemoryTransportProvider() {
        this(new MemoryNetwork());
    }

    MemoryTransportProvider(MemoryNetwork network) {
        this.network = network;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> jvmOptions(CodePath path) {
        return List.of();
    }

    @Override
    public Transport create(TransportContext context) {
        return new MemoryTransport(network, context);
    }
}
