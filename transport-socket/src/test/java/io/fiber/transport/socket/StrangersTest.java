// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.transport.socket.LinkAddress.TcpEndpoint;
import io.fiber.transport.socket.LinkAddress.UnixEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections of processes that are no peers, by TCP: none gets a link, memory or much time, and peers come as before. */
class StrangersTest {

    @TempDir
    Path directory;

    Fixture fixture;
    SocketTransport inviter;
    Link invited;
    private final List<SocketChannel> strangers = new ArrayList<>();

    @BeforeEach
    void invite() {
        fixture = reachedBy(new Fixture(directory));
        inviter = fixture.open();
        invited = inviter.invite();
    }

    /** Overridden where the same is shown at a socket file. */
    Fixture reachedBy(Fixture made) {
        return made.overNetwork();
    }

    @AfterEach
    void closeAll() throws IOException {
        for (SocketChannel stranger : strangers) {
            stranger.close();
        }
        fixture.close();
    }

    @Test
    void randomBytesGetNoAnswer() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[Greeting.BYTES + random.nextInt(100)];
            random.nextBytes(bytes);
            send(stranger(), ByteBuffer.wrap(bytes));
        }
        awaitCount("refused-connections", 200);
        for (SocketChannel stranger : strangers) {
            awaitEndWithoutAnswer(stranger);
        }
        checkThatPeersCome();
    }

    @Test
    void wrongTokenIsRefusedAndTheInvitationStays() throws IOException {
        Token token = LinkAddress.parse(invited.address()).token();
        for (int bit = 0; bit < 64; bit += 7) {
            send(stranger(), Greeting.naming(new Token(token.high(), token.low() ^ 1L << bit)));
        }
        awaitCount("refused-connections", 10);
        for (SocketChannel stranger : strangers) {
            assertThat(awaitByte(stranger)).isEqualTo(Greeting.REFUSED);
            awaitEndWithoutAnswer(stranger);
        }
        checkThatPeersCome();
    }

    @Test
    void connectionsThatCloseWithoutAWordLeaveNothing() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            SocketChannel stranger = stranger();
            if (i % 2 == 0) {
                send(stranger, ByteBuffer.allocate(i % Greeting.BYTES));
            }
            stranger.close();
            int seen = i + 1;
            fixture.until("it is gone", () -> counted("cut-connections") >= seen);
        }
        checkThatPeersCome();
        assertThat(inviter.counters()).containsEntry("cut-connections", 1_000L);
    }

    @Test
    void silentConnectionsMakeRoomForOthers() throws IOException {
        int tooMany = 20;
        for (int i = 0; i < Arrivals.MOST_STRANGERS + tooMany; i++) {
            stranger();
            fixture.until("no more connections wait", () -> inviter.doWork() == 0);
        }
        awaitCount("cut-connections", tooMany);
        for (SocketChannel oldest : strangers.subList(0, tooMany)) {
            awaitEndWithoutAnswer(oldest);
        }
        checkThatPeersCome();
        assertThat(counted("cut-connections")).isEqualTo(tooMany);
    }

    @Test
    void silentAndSlowConnectionsAreCutInTime() throws IOException {
        SocketChannel silent = stranger();
        SocketChannel slow = stranger();
        fixture.until("both have come", () -> inviter.doWork() == 0);
        ByteBuffer greeting =
                Greeting.naming(LinkAddress.parse(invited.address()).token());
        Duration pause = Duration.ofNanos(Arrivals.LIMIT_NS / 10);
        for (int i = 0; i < 10; i++) {
            assertThat(counted("cut-connections")).isZero();
            send(slow, greeting.slice(i, 1));
            inviter.doWork();
            fixture.advance(pause);
        }
        awaitCount("cut-connections", 2);
        awaitEndWithoutAnswer(silent);
        awaitEndWithoutAnswer(slow);
        assertThat(invited.state()).isEqualTo(LinkState.CONNECTING);
        checkThatPeersCome();
    }

    @Test
    void forgedLengthsCloseTheLinkAndTakeNoMemory() throws IOException {
        int refused = 0;
        for (int length : new int[] {Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 0, invited.maxFrameLength() + 1}) {
            Link link = inviter.invite();
            SocketChannel forger = stranger();
            send(forger, Greeting.naming(LinkAddress.parse(link.address()).token()));
            fixture.until("the forger is let in", () -> link.state() == LinkState.CONNECTED);
            assertThat(awaitByte(forger)).isEqualTo(Greeting.ACCEPTED);
            long beforeBytes = directBytes();
            ByteBuffer forged = ByteBuffer.allocate(20).putInt(length);
            send(forger, forged.clear());
            fixture.until("the link is closed", () -> {
                assertThat(link.poll(
                                (buffer, offset, size) -> {
                                    throw new AssertionError("a frame of " + size + " bytes");
                                },
                                10))
                        .isZero();
                return link.state() == LinkState.CLOSED;
            });
            assertThat(link.closeReason())
                    .isEqualTo("the peer sent a frame of " + Integer.toUnsignedString(length)
                            + " bytes on a link which allows " + link.maxFrameLength());
            assertThat(counted("refused-frames")).isEqualTo(++refused);
            assertThat(directBytes()).isLessThanOrEqualTo(beforeBytes);
        }
        checkThatPeersCome();
    }

    @Test
    void frameThatIsCutOffIsNotHandedOver() throws IOException {
        SocketChannel stranger = stranger();
        send(stranger, Greeting.naming(LinkAddress.parse(invited.address()).token()));
        fixture.until("it is let in", () -> invited.state() == LinkState.CONNECTED);
        awaitByte(stranger);
        send(stranger, ByteBuffer.allocate(50).putInt(100).clear());
        stranger.close();
        fixture.until("the link is closed", () -> {
            assertThat(invited.poll((buffer, offset, length) -> {}, 10)).isZero();
            return invited.state() == LinkState.CLOSED;
        });
        assertThat(invited.closeReason())
                .isEqualTo("closed by the peer, or the peer is gone, in the middle of a frame");
    }

    @Test
    void connectionOfAPeerThatSaysMoreThanItsGreetingLosesNothing() throws IOException {
        SocketChannel eager = stranger();
        ByteBuffer all = ByteBuffer.allocate(Greeting.BYTES + 5);
        all.put(Greeting.naming(LinkAddress.parse(invited.address()).token()))
                .putInt(1)
                .put((byte) 77);
        send(eager, all.flip());
        List<Byte> arrived = new ArrayList<>();
        fixture.until(
                "the frame arrives", () -> invited.poll((buffer, at, length) -> arrived.add(buffer.get(at)), 1) > 0);
        assertThat(arrived).containsExactly((byte) 77);
    }

    private void checkThatPeersCome() {
        SocketTransport dialler = fixture.open();
        Link dialled = dialler.dial(new Address(invited.address().text()));
        fixture.connect(invited, dialled);
        fixture.checkThatFramesPass(invited, dialled);
        assertThat(dialled.offer(ByteBuffer.allocateDirect(1))).isEqualTo(OfferResult.ACCEPTED);
    }

    private SocketChannel stranger() throws IOException {
        LinkAddress.Endpoint endpoint = LinkAddress.parse(invited.address()).endpoint();
        SocketChannel channel = endpoint instanceof TcpEndpoint
                ? SocketChannel.open()
                : SocketChannel.open(StandardProtocolFamily.UNIX);
        strangers.add(channel);
        channel.connect(
                endpoint instanceof TcpEndpoint tcp
                        ? new InetSocketAddress(tcp.host(), tcp.port())
                        : UnixDomainSocketAddress.of(((UnixEndpoint) endpoint).file()));
        return channel;
    }

    private static void send(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private byte awaitByte(SocketChannel channel) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        channel.configureBlocking(false);
        fixture.until("a byte comes", () -> read(channel, one) != 0);
        channel.configureBlocking(true);
        assertThat(one.position()).as("bytes that came").isEqualTo(1);
        return one.get(0);
    }

    private void awaitEndWithoutAnswer(SocketChannel channel) throws IOException {
        ByteBuffer some = ByteBuffer.allocate(10);
        channel.configureBlocking(false);
        fixture.until("the connection ends", () -> read(channel, some) < 0);
        assertThat(some.position()).as("bytes that came").isZero();
    }

    /** A connection that is closed with unread bytes is reset: that is an end, too. */
    private static int read(SocketChannel channel, ByteBuffer into) {
        try {
            return channel.read(into);
        } catch (SocketException e) {
            return -1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitCount(String name, long count) {
        fixture.until(name + " is " + count, () -> counted(name) >= count);
        assertThat(counted(name)).isEqualTo(count);
    }

    private long counted(String name) {
        return inviter.counters().getOrDefault(name, -1L);
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
