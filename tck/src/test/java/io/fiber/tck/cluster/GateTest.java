// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateTest {

    @TempDir
    Path directory;

    private static void send(SocketChannel channel, int value) throws IOException {
        channel.write(ByteBuffer.wrap(new byte[] {(byte) value}));
    }

    /** Returns what comes next, -1 at the end. */
    private static int receive(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1);
        return channel.read(buffer) < 0 ? -1 : buffer.get(0);
    }

    @Test
    void whatIsOpenBreaksWhenItIsShutAndNobodyGetsInUntilItIsOpened() throws IOException {
        InetAddress own = InetAddress.getLoopbackAddress();
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(own, 0));
                Gate gate = Gate.before(own, (InetSocketAddress) server.getLocalAddress())) {
            try (SocketChannel client = SocketChannel.open(gate.address());
                    SocketChannel served = server.accept()) {
                send(client, 1);
                assertThat(receive(served)).isEqualTo(1);
                send(served, 2);
                assertThat(receive(client)).isEqualTo(2);

                gate.shut();
                assertThat(receive(served)).isEqualTo(-1);
                assertThat(receive(client)).isEqualTo(-1);
            }
            try (SocketChannel refused = SocketChannel.open(gate.address())) {
                assertThat(receive(refused)).isEqualTo(-1);
            }

            gate.open();
            try (SocketChannel client = SocketChannel.open(gate.address());
                    SocketChannel served = server.accept()) {
                send(client, 3);
                assertThat(receive(served)).isEqualTo(3);
            }
        }
    }

    @Test
    void unixSocketLeadsToAnotherAndIsRemovedInTheEnd() throws IOException {
        Path behind = directory.resolve("behind");
        Path front = directory.resolve("front");
        try (ServerSocketChannel server =
                ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(behind))) {
            try (Gate gate = Gate.before(front, behind);
                    SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(front));
                    SocketChannel served = server.accept()) {
                send(client, 1);
                assertThat(receive(served)).isEqualTo(1);
                assertThatThrownBy(gate::address).isInstanceOf(IllegalStateException.class);
            }
        }
        assertThat(front).doesNotExist();
    }
}
