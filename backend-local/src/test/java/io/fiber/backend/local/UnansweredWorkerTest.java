// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.ProcessStartException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers whose master never answers, as when its host died while they were being started. */
@Tag("slow")
class UnansweredWorkerTest {

    @Test
    @Tag("soak")
    void workerEndsByItself() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        Interceptor interceptor = new Interceptor();
        try (DatagramSocket data = new DatagramSocket(0, loopback);
                DatagramSocket control = new DatagramSocket(0, loopback);
                Fiber fiber = SealedSessions.builder(interceptor.detour(
                                address -> Relay.withPorts(address, data.getLocalPort(), control.getLocalPort())))
                        .set("start-limit", "10m")
                        .open()) {

            assertThatThrownBy(() -> fiber.process(() -> {}))
                    .isInstanceOf(ProcessStartException.class)
                    .hasMessageContaining("exit code 75")
                    .hasMessageContaining("FBR-157 the master 'main' at 127.0.0.1:" + data.getLocalPort()
                            + " and 127.0.0.1:" + control.getLocalPort() + " (UDP) did not accept this worker within")
                    .hasMessageContaining("within 20000 ms");
        }
    }
}
