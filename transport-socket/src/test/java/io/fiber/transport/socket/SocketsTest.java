// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

class SocketsTest {

    @Test
    void silenceIsAskedForAsFarAsTheSystemAllows() throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            Sockets.prepare(channel, Duration.ofSeconds(40).toNanos());
            assertThat(channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(40);

            Sockets.prepare(channel, Duration.ofDays(200).toNanos());
            assertThat(channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(32_767);
        }
    }
}
