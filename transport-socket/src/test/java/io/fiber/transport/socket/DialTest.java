// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import io.fiber.transport.socket.LinkAddress.TcpEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dialled links whose other end is not what it should be, or comes late, and links that are used by interrupted threads. */
final class DialTest {

    private static final Duration PAUSE = Duration.ofMillis(100);

    @TempDir
    Path directory;

    private Fixture fixture;
    private ServerSocketChannel server;
    private TcpEndpoint endpoint;

    @BeforeEach
    void listen() throws IOException {
        fixture = new Fixture(directory);
        server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.configureBlocking(false);
        endpoint = new TcpEndpoint("localhost", server.socket().getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
        server.close();
    }

    @Test
    void connectionThatIsLostBeforeItIsAnsweredIsTriedAgain() throws IOException {
        Link dialled = dial();
        try (SocketChannel lost = accept()) {
            assertThat(lost.isConnected()).isTrue();
        }
        assertThat(dialled.state()).isEqualTo(LinkState.CONNECTING);
        try (SocketChannel second = accept(PAUSE)) {
            assertThat(greetingOf(second)).isEqualTo(new Token(3, 4));
            answer(second, Greeting.ACCEPTED);
            fixture.until("it is connected", () -> dialled.state() == LinkState.CONNECTED);
        }
    }

    @Test
    void refusalIsFinal() throws IOException {
        Link dialled = dial();
        try (SocketChannel peer = accept()) {
            greetingOf(peer);
            answer(peer, Greeting.REFUSED);
            fixture.until("it is closed", () -> dialled.state() == LinkState.CLOSED);
        }
        assertThat(dialled.closeReason())
                .isEqualTo("the link was refused at " + endpoint.inWords()
                        + ": the inviting process has ended or closed the link, another peer has dialled it, or a"
                        + " firewall blocks it");
    }

    @Test
    void anotherProtocolIsNamed() throws IOException {
        Link dialled = dial();
        try (SocketChannel peer = accept()) {
            answer(peer, (byte) 'H');
            fixture.until("it is closed", () -> dialled.state() == LinkState.CLOSED);
        }
        assertThat(dialled.closeReason())
                .startsWith("something other than this transport listens at " + endpoint.inWords() + ": ");
    }

    @Test
    void dialThatIsNotAnsweredEndsAfterTwiceTheLease() throws IOException {
        Link dialled = dial();
        try (SocketChannel silent = accept()) {
            fixture.advance(fixture.lease().multipliedBy(2));
            fixture.until("nothing is done", () -> fixture.drive() == 0);
            assertThat(dialled.state()).isEqualTo(LinkState.CONNECTING);
            fixture.advance(PAUSE);
            fixture.until("it is closed", () -> dialled.state() == LinkState.CLOSED);
            assertThat(silent.isOpen()).isTrue();
        }
        assertThat(dialled.closeReason())
                .startsWith("no process has answered at " + endpoint.inWords() + " (no answer came): ");
    }

    @Test
    void interruptedThreadOffersAndPollsAsAnyOther() {
        Link invited = fixture.overNetwork().open().invite(LinkUse.DATA);
        Link dialled = fixture.open().dial(invited.address());
        fixture.connect(invited, dialled);
        Thread.currentThread().interrupt();
        try {
            fixture.checkThatFramesPass(invited, dialled);
        } finally {
            assertThat(Thread.interrupted())
                    .as("the thread is interrupted still")
                    .isTrue();
        }
    }

    @Test
    void whatWasAcceptedBeforeALinkWasClosedArrivesAlsoWhenThePeerIsSlow() {
        SocketTransport sender = fixture.open();
        Link invited = sender.invite(LinkUse.DATA);
        Link dialled = fixture.open().dial(invited.address());
        fixture.connect(invited, dialled);
        ByteBuffer frame = ByteBuffer.allocateDirect(invited.maxFrameLength());
        int sent = 0;
        while (invited.offer(frame.putInt(0, sent)) == OfferResult.ACCEPTED) {
            sent++;
        }
        invited.close();
        fixture.advance(Duration.ofMinutes(1));
        int[] received = {0};
        fixture.until("the link is closed", () -> {
            dialled.poll((buffer, at, length) -> assertThat(buffer.getInt(at)).isEqualTo(received[0]++), 1);
            return dialled.state() == LinkState.CLOSED;
        });
        assertThat(received[0]).isEqualTo(sent).isPositive();
        assertThat(dialled.closeReason()).isEqualTo("closed by the peer, or the peer is gone");
    }

    /** Several frames wait, and the beginning of one more, while the transport is driven and not polled. */
    @Test
    void framesOfAnyLengthArriveWholeHoweverSeldomALinkIsPolled() {
        Link invited = fixture.open().invite(LinkUse.DATA);
        Link dialled = fixture.open().dial(invited.address());
        fixture.connect(invited, dialled);
        Random random = new Random(5);
        Queue<Integer> expected = new ArrayDeque<>();
        ByteBuffer frame = ByteBuffer.allocateDirect(invited.maxFrameLength());
        for (int sent = 0; sent < 2_000 || !expected.isEmpty(); ) {
            int length = random.nextInt(4) == 0 ? 1 + random.nextInt(frame.capacity()) : 4 + random.nextInt(40_000);
            frame.clear().limit(Math.max(length, Integer.BYTES)).putInt(0, sent);
            if (sent < 2_000 && invited.offer(frame) == OfferResult.ACCEPTED) {
                expected.add(frame.limit());
                sent++;
                continue;
            }
            fixture.drive();
            fixture.drive();
            int last = sent;
            dialled.poll(
                    (buffer, at, bytes) -> {
                        assertThat(buffer.getInt(at)).isEqualTo(last - expected.size());
                        assertThat(bytes).isEqualTo(expected.remove());
                    },
                    1 + random.nextInt(3));
        }
    }

    private Link dial() {
        return fixture.open().dial(new LinkAddress(endpoint, new Token(3, 4), LinkUse.CONVERSATION).toAddress());
    }

    private SocketChannel accept() {
        return accept(Duration.ZERO);
    }

    private SocketChannel accept(Duration step) {
        SocketChannel[] accepted = {null};
        fixture.until("a connection comes", () -> {
            fixture.advance(step);
            try {
                accepted[0] = server.accept();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return accepted[0] != null;
        });
        return accepted[0];
    }

    private Token greetingOf(SocketChannel peer) throws IOException {
        peer.configureBlocking(false);
        ByteBuffer greeting = ByteBuffer.allocate(Greeting.BYTES);
        fixture.until("the greeting comes", () -> {
            try {
                peer.read(greeting);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return !greeting.hasRemaining();
        });
        return requireNonNull(Greeting.read(greeting.flip()));
    }

    private static void answer(SocketChannel peer, byte answer) throws IOException {
        peer.configureBlocking(true);
        Greeting.answer(peer, answer);
    }
}
