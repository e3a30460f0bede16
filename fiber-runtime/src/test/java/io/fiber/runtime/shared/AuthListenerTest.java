// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.ManagerEndpoint;
import io.fiber.runtime.channel.LinkInvitation;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.JobKey;
import io.fiber.spi.Secret;
import io.fiber.spi.transport.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A listener and its connections, over real sockets and without the registry behind it. */
class AuthListenerTest {

    private static final long LIMIT_NS = Duration.ofSeconds(30).toNanos();
    private static final AccessGrant.Granted GRANTED = new AccessGrant.Granted(
            new ProcessAddress("abcdefghij01", ProcessPath.of(3)),
            new ObjectAddress("abcdefghij01", ProcessPath.of(4), 1_001),
            new LinkInvitation(new Address("aeron:udp;x"), 3, JobKey.of(Secret.of(new byte[JobKey.LENGTH_BYTES]))),
            new AccessGrant.Requirements("aeron", "java", Duration.ofSeconds(20)));

    /** Answers everybody alike. */
    private record Answering(
            AccessGrant grant, CompletableFuture<AuthConnection> left, CompletableFuture<String> refused)
            implements AuthListener.Callback {
        static Answering with(AccessGrant grant) {
            return new Answering(grant, new CompletableFuture<>(), new CompletableFuture<>());
        }

        @Override
        public void onProven(AuthConnection connection) {
            connection.listener().execute(() -> connection.answer(grant));
        }

        @Override
        public void onLeft(AuthConnection connection) {
            left.complete(connection);
        }

        @Override
        public void onRefused() {
            refused.complete("refused");
        }
    }

    private record Opened(AuthListener listener, ManagerEndpoint endpoint) implements AutoCloseable {
        static Opened with(AuthListener.Callback callback) {
            try {
                ServerSocketChannel listening =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
                ManagerEndpoint endpoint = ManagerEndpoint.of("127.0.0.1", port);
                AuthListener listener =
                        new AuthListener(listening, JobKey.derived(endpoint.key(), AuthListener.USE), callback);
                listener.begin();
                return new Opened(listener, endpoint);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            listener.close();
        }
    }

    private static AuthClient.Entered connection(ManagerEndpoint endpoint) {
        return new AuthClient(endpoint, System.nanoTime() + LIMIT_NS).authenticate();
    }

    @Test
    void whoHasTheKeyGetsThePassAndIsMissedWhenHeGoes() throws IOException {
        Answering callback = Answering.with(GRANTED);
        try (Opened opened = Opened.with(callback)) {
            AuthClient.Entered entered = connection(opened.endpoint());
            assertThat(entered.grant()).isEqualTo(GRANTED);
            assertThat(callback.left()).isNotDone();
            entered.line().close();
            assertThat(callback.left().join().isClosed()).isTrue();
            assertThat(callback.refused()).isNotDone();
        }
    }

    @Test
    void whoIsInsideSeesTheEndOfTheDoor() throws IOException {
        Opened opened = Opened.with(Answering.with(GRANTED));
        AuthClient.Entered entered = connection(opened.endpoint());
        opened.close();
        assertThat(entered.line().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        entered.line().close();
    }

    @Test
    void whoSaysMoreThanTheHandshakeHasToGo() throws IOException {
        Answering callback = Answering.with(GRANTED);
        try (Opened opened = Opened.with(callback)) {
            AuthClient.Entered entered = connection(opened.endpoint());
            entered.line().write(ByteBuffer.wrap(new byte[] {0, 1, 1}));
            assertThat(callback.left().join().isClosed()).isTrue();
            entered.line().close();
        }
    }

    @Test
    void whoIsDeniedIsToldWhy() {
        try (Opened opened = Opened.with(Answering.with(new AccessGrant.Denied("it has 256 guests")))) {
            assertThatThrownBy(() -> connection(opened.endpoint()))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith(
                            "FBR-446 The manager at " + opened.endpoint().address())
                    .hasMessageContaining("it has 256 guests");
        }
    }

    @Test
    void whoHasAnotherKeyIsRefused() {
        Answering callback = Answering.with(GRANTED);
        try (Opened opened = Opened.with(callback)) {
            ManagerEndpoint forged =
                    ManagerEndpoint.of("127.0.0.1", opened.endpoint().port());
            assertThatThrownBy(() -> connection(forged)).hasMessageStartingWith("FBR-439");
            assertThat(callback.refused().join()).isEqualTo("refused");
            assertThat(callback.left()).isNotDone();
        }
    }

    @Test
    void anotherVersionIsTold() throws Exception {
        byte[] refusal = bytes(new HandshakeMessage.VersionRefusal(2));
        assertThatThrownBy(() -> connectTo(refusal))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-440")
                .hasMessageContaining("speaks version 2 of Fiber's protocol, this program version 1");
    }

    @Test
    void whatIsNoManagerIsTold() {
        assertThatThrownBy(() -> connectTo(new byte[] {'H', 'T', 'T', 'P'}))
                .hasMessageStartingWith("FBR-438")
                .hasMessageContaining("which no manager does");
        assertThatThrownBy(() -> connectTo(new byte[0]))
                .hasMessageStartingWith("FBR-438")
                .hasMessageContaining("it closed the connection");
        assertThatThrownBy(() -> connectTo(bytes(new HandshakeMessage.Proof(new byte[32]))))
                .hasMessageStartingWith("FBR-438")
                .hasMessageContaining("something else than a challenge");
    }

    private static byte[] bytes(HandshakeMessage message) {
        ByteBuffer written = AuthMessages.encode(message);
        byte[] bytes = new byte[written.remaining()];
        written.get(bytes);
        return bytes;
    }

    /** Knocks where somebody reads a hello, says this, and goes. */
    private static void connectTo(byte[] answer) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> {
                try (Socket socket = listening.accept()) {
                    socket.getInputStream().readNBytes(39);
                    socket.getOutputStream().write(answer);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            answering.start();
            try {
                connection(ManagerEndpoint.of("127.0.0.1", listening.getLocalPort()));
            } finally {
                answering.join();
            }
        }
    }
}
