// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.NakFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.ProcessStartException;
import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outbox;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real sessions under attack: by strangers who reach their ports, and by somebody on the way. */
@Tag("slow")
class AttackTest {

    private static final int GIGABYTE = 1 << 30;
    private static final long GREATEST_GROWTH_BYTES = 64L << 20;
    private static final Pattern ADDRESS =
            Pattern.compile("data=(\\d+);control=(\\d+);in=([0-9a-f]+)\\.([0-9a-f]+);out=([0-9a-f]+)\\.([0-9a-f]+);");

    @TempDir
    Path directory;

    private final Interceptor interceptor = new Interceptor();

    /** What an address says: what a stranger must guess, and who is on the way sees. */
    private record Known(int dataPort, int controlPort, int inStream, int inSession, int outStream, int outSession) {
        static Known of(Bootstrap bootstrap) {
            Matcher matcher = ADDRESS.matcher(bootstrap.address().text());
            assertThat(matcher.find()).isTrue();
            return new Known(
                    Integer.parseInt(matcher.group(1)),
                    Integer.parseInt(matcher.group(2)),
                    Integer.parseUnsignedInt(matcher.group(3), 16),
                    Integer.parseUnsignedInt(matcher.group(4), 16),
                    Integer.parseUnsignedInt(matcher.group(5), 16),
                    Integer.parseUnsignedInt(matcher.group(6), 16));
        }
    }

    /** Sends packets from a socket of its own. */
    private static final class Stranger implements AutoCloseable {
        private final DatagramChannel channel;
        private final ByteBuffer packet = ByteBuffer.allocateDirect(2048);
        private final UnsafeBuffer view = new UnsafeBuffer(packet);

        Stranger() throws IOException {
            channel = DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }

        void send(int port, int length) {
            try {
                channel.send(
                        packet.clear().limit(length), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void send(int port, byte[] bytes) {
            packet.clear().put(bytes, 0, Math.min(bytes.length, packet.capacity()));
            send(port, packet.position());
        }

        private void header(HeaderFlyweight header, int type, int frameLength) {
            view.setMemory(0, 64, (byte) 0);
            header.wrap(view);
            header.version(HeaderFlyweight.CURRENT_VERSION).headerType(type).frameLength(frameLength);
        }

        void setup(int port, int stream, int session, int termLength) {
            SetupFlyweight setup = new SetupFlyweight();
            header(setup, HeaderFlyweight.HDR_TYPE_SETUP, SetupFlyweight.HEADER_LENGTH);
            setup.sessionId(session).streamId(stream).termLength(termLength).mtuLength(8192);
            send(port, SetupFlyweight.HEADER_LENGTH);
        }

        void data(int port, int stream, int session, int termOffset) {
            DataHeaderFlyweight data = new DataHeaderFlyweight();
            header(data, HeaderFlyweight.HDR_TYPE_DATA, 512);
            data.sessionId(session).streamId(stream).termOffset(termOffset);
            send(port, 512);
        }

        void status(int port, int stream, int session) {
            StatusMessageFlyweight status = new StatusMessageFlyweight();
            header(status, HeaderFlyweight.HDR_TYPE_SM, StatusMessageFlyweight.HEADER_LENGTH);
            status.sessionId(session)
                    .streamId(stream)
                    .consumptionTermId(Integer.MAX_VALUE)
                    .receiverWindowLength(GIGABYTE);
            send(port, StatusMessageFlyweight.HEADER_LENGTH);
        }

        void nak(int port, int stream, int session) {
            NakFlyweight nak = new NakFlyweight();
            header(nak, HeaderFlyweight.HDR_TYPE_NAK, NakFlyweight.HEADER_LENGTH);
            nak.sessionId(session).streamId(stream).length(GIGABYTE);
            send(port, NakFlyweight.HEADER_LENGTH);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @Test
    void packetsOfStrangersMapNothingStartNothingAndTheSessionGoesOn() throws IOException {
        try (Fiber fiber = SealedSessions.builder(interceptor).open();
                Pool pool = fiber.pool(2);
                Stranger stranger = new Stranger()) {
            pool.awaitReady(); // one that comes later maps what it needs
            assertThat(SealedSessions.works(pool)).isTrue();
            Known known = Known.of(interceptor.bootstraps().get(0));
            Path driver = LocalFiber.sharedMemoryOf(
                            interceptor.bootstraps().get(0).sessionId() + "-"
                                    + ProcessHandle.current().pid())
                    .get(0);
            long filesBefore = SealedSessions.bytesBelow(driver);
            long residentBefore = residentBytes();
            long childrenBefore = ProcessHandle.current().descendants().count();

            for (int port : new int[] {known.dataPort(), known.controlPort()}) {
                sprayRandom(stranger, port, pool);
                for (int i = 0; i < 50; i++) {
                    for (int stream : new int[] {known.inStream(), known.outStream(), i}) {
                        for (int session : new int[] {known.inSession(), known.outSession(), -i}) {
                            stranger.setup(port, stream, session, GIGABYTE);
                            stranger.setup(port, stream, session, 64 << 10);
                            stranger.data(port, stream, session, 32 * i);
                            stranger.status(port, stream, session);
                            stranger.nak(port, stream, session);
                        }
                    }
                    if (i % 10 == 0) {
                        assertThat(SealedSessions.works(pool)).isTrue();
                    }
                }
            }
            await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
                assertThat(SealedSessions.counted(fiber, "refused-setups")).isGreaterThan(10);
                assertThat(SealedSessions.counted(fiber, "refused-data")).isGreaterThan(10);
                assertThat(SealedSessions.counted(fiber, "refused-control")).isGreaterThan(10);
                assertThat(SealedSessions.counted(fiber, "invalid-packets")).isGreaterThan(10);
            });
            assertThat(SealedSessions.works(pool)).isTrue();
            assertThat(SealedSessions.bytesBelow(driver)).isEqualTo(filesBefore);
            assertThat(residentBytes() - residentBefore).isLessThan(GREATEST_GROWTH_BYTES);
            assertThat(ProcessHandle.current().descendants().count()).isLessThanOrEqualTo(childrenBefore);
            assertThat(pool.statistics().workersLost()).isZero();
        }
    }

    private static void sprayRandom(Stranger stranger, int port, Pool pool) {
        Random random = new Random(port);
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = new byte[random.nextInt(1400)];
            random.nextBytes(bytes);
            if (i % 2 == 0 && bytes.length >= 8) {
                bytes[4] = 0;
                bytes[6] = (byte) random.nextInt(12);
                bytes[7] = 0;
            }
            stranger.send(port, bytes);
            if (i % 200 == 0) {
                assertThat(SealedSessions.works(pool)).isTrue();
            }
        }
    }

    private static long residentBytes() throws IOException {
        String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ", -1);
        return Long.parseLong(pages[1]) * 4096;
    }

    @Test
    void packetsThatWereCapturedAndComeAgainChangeNothing() throws IOException {
        try (Relay relay = new Relay();
                Stranger stranger = new Stranger()) {
            interceptor.detour(relay::detour);
            try (Fiber fiber = SealedSessions.builder(interceptor).open();
                    Pool pool = fiber.pool(1)) {
                assertThat(SealedSessions.works(pool)).isTrue();
                relay.stopCapture();
                Known known = Known.of(interceptor.bootstraps().get(0));
                assertThat(relay.captured()).hasSizeGreaterThan(20);
                for (int round = 0; round < 3; round++) {
                    for (Relay.Captured datagram : relay.captured()) {
                        Relay.again(datagram);
                        stranger.send(known.dataPort(), datagram.bytes());
                        stranger.send(known.controlPort(), datagram.bytes());
                    }
                    assertThat(SealedSessions.works(pool)).isTrue();
                }
                assertThat(pool.statistics().duplicatesIgnored()).isZero();
                assertThat(pool.statistics().workersLost()).isZero();
                assertThat(SealedSessions.counted(fiber, "refused-data")).isPositive();
                try (Pool another = fiber.pool(1)) {
                    another.awaitReady();
                    relay.captured().forEach(Relay::again);
                    assertThat(SealedSessions.works(another)).isTrue();
                }
            }
        }
    }

    private byte[] serialized(Object object) {
        PayloadOutput out = new PayloadOutput();
        codecs().values().write(object, out);
        return out.toPayload().toArray();
    }

    private static Codecs codecs() {
        return Codecs.of(new JavaSerializerProvider(), Options.none(), Side.WORKER, UnaryOperator.identity());
    }

    @Test
    void gadgetOfThisTestDoesItsHarmWhenItIsRead() {
        Path harm = directory.resolve("harm");
        codecs().values().read(Payload.of(serialized(new Gadget(harm))).open());
        assertThat(harm).exists();
    }

    @Test
    void strangerWhoDialsBeforeTheWorkerGetsNothingReadAndIsCounted() {
        Path harm = directory.resolve("harm");
        SealedPayload gadget = SealedPayload.open(Payload.of(serialized(new Gadget(harm))));
        AtomicReference<Link> dialled = new AtomicReference<>();
        try (Transport transport = SealedSessions.strangersTransport(directory)) {
            interceptor.beforeStart(bootstrap -> {
                if (dialled.get() == null) {
                    Link link = transport.dial(bootstrap.address());
                    dialled.set(link);
                    sendUnproven(transport, link, List.of(Messages.unready(gadget), Messages.define(1, gadget)));
                }
            });
            try (Fiber fiber = SealedSessions.builder(interceptor).open()) {
                assertThatThrownBy(() -> fiber.process(() -> {}))
                        .isInstanceOf(ProcessStartException.class)
                        .hasMessageContaining("before it had authenticated itself");
                assertThat(SealedSessions.counted(fiber, "refused-peers")).isEqualTo(1);
                assertThat(harm).doesNotExist();
                try (Pool pool = fiber.pool(1)) {
                    assertThat(SealedSessions.works(pool)).isTrue();
                }
            }
        }
    }

    @Test
    void workerThatIsLuredToAnotherMasterTakesNothingFromIt() {
        Path harm = directory.resolve("harm");
        SealedPayload gadget = SealedPayload.open(Payload.of(serialized(new Gadget(harm))));
        try (Transport transport = SealedSessions.strangersTransport(directory)) {
            for (List<Outgoing> offer : List.of(
                    List.of(Messages.define(0, gadget)),
                    List.of(Messages.challenge(1, new byte[32], new byte[32]), Messages.define(0, gadget)),
                    List.of(Messages.welcome(new byte[120]), Messages.define(0, gadget)))) {
                Interceptor lure = new Interceptor();
                Link link = transport.invite();
                Thread[] speaking = new Thread[1];
                lure.detour(address -> link.address()).beforeStart(bootstrap -> {
                    speaking[0] = new Thread(() -> sendUnproven(transport, link, offer));
                    speaking[0].start();
                });
                try (Fiber fiber = SealedSessions.builder(lure).open()) {
                    assertThatThrownBy(() -> fiber.process(() -> {})).isInstanceOf(ProcessStartException.class);
                    speaking[0].join();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                assertThat(harm).doesNotExist();
            }
        }
    }

    /** Speaks without having shown a key, until the other end closes. */
    private static void sendUnproven(Transport transport, Link link, List<Outgoing> messages) {
        Outbox outbox = new Outbox(link, new Encoders());
        messages.forEach(outbox::post);
        long[] cycles = {0};
        SealedSessions.drive("the other end closes", transport, () -> {
            if (link.state() == LinkState.CONNECTED) {
                outbox.flush(cycles[0]++, Long.MAX_VALUE);
            }
            return link.state() == LinkState.CLOSED;
        });
    }

    @Test
    void secondProcessWithTheSameBootstrapIsNotLetIn() {
        try (Transport transport = SealedSessions.strangersTransport(directory);
                Fiber fiber = SealedSessions.builder(interceptor).open();
                Pool pool = fiber.pool(1)) {
            assertThat(SealedSessions.works(pool)).isTrue();
            Link copy = transport.dial(interceptor.bootstraps().get(0).address());
            SealedSessions.drive(
                    "a refusal",
                    transport,
                    () -> SealedSessions.counted(fiber, "refused-setups")
                                    + SealedSessions.counted(fiber, "refused-control")
                            > 0);
            assertThat(copy.state()).isNotEqualTo(LinkState.CONNECTED);
            assertThat(SealedSessions.works(pool)).isTrue();
        }
    }
}
