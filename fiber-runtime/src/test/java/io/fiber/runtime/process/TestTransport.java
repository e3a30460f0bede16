// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.TestLink;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes links whose other ends a test holds. */
final class TestTransport implements Transport {

    private final List<TestLink> invited = new ArrayList<>();
    private @Nullable Error fault;
    private TestLink.Reach reach = TestLink.Reach.OPEN;

    void reach(TestLink.Reach newReach) {
        reach = newReach;
    }

    /** Has {@link #invite} throw from now on. */
    void inviteThrows(Error newFault) {
        fault = newFault;
    }

    TestLink last() {
        return invited.get(invited.size() - 1);
    }

    @Override
    public Link invite(LinkUse use) {
        if (fault != null) {
            throw fault;
        }
        TestLink link = TestLink.pair(1024, reach);
        invited.add(link);
        return link;
    }

    @Override
    public Link dial(Address address) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int doWork() {
        return 0;
    }

    @Override
    public Map<String, Long> counters() {
        return Map.of();
    }

    @Override
    public void close() {}
}
