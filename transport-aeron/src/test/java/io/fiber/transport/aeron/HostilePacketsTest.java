// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.NakFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stranger who can send packets to the ports of the inviting process, and in the worst case knows the address. */
class HostilePacketsTest {

    private static final int GIGABYTE = 1 << 30;

    @TempDir
    Path directory;

    private final ByteBuffer packet = ByteBuffer.allocateDirect(2048);
    private final UnsafeBuffer view = new UnsafeBuffer(packet);
    private Fixture fixture;
    private AeronTransport master;
    private AeronTransport worker;
    private DatagramChannel stranger;
    private Link here;
    private Link there;
    private AeronAddress.Udp known;
    private AeronAddress.Udp waiting;

    @BeforeEach
    void connectOneLinkAndInviteAnother() throws IOException {
        fixture = new Fixture(directory).overNetwork();
        master = fixture.open();
        worker = new Fixture(directory).open();
        stranger = DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        here = master.invite();
        there = worker.dial(here.address());
        Drive.connect(here, there, master, worker);
        known = (AeronAddress.Udp) AeronAddress.parse(here.address());
        waiting = (AeronAddress.Udp) AeronAddress.parse(master.invite().address());
    }

    @AfterEach
    void closeAll() throws IOException {
        worker.close();
        master.close();
        stranger.close();
    }

    @Test
    void setupOfAGigabyteMapsNothingWhetherTheSessionIsGuessedOrNot() {
        long before = bytesOfFiles();
        for (StreamId stream : new StreamId[] {
            waiting.toInviter(),
            known.toInviter(),
            new StreamId(waiting.toInviter().stream(), 7),
            new StreamId(7, waiting.toInviter().session()),
        }) {
            setup(stream, GIGABYTE, 8192);
            setup(stream, 2 * TermLength.SMALLEST, 8192);
            setup(stream, -1, 8192);
            setup(stream, 0, 0);
        }
        waitForRefusals("refused-setups", 16);
        assertThat(bytesOfFiles()).isEqualTo(before);
        assertLinkGoesOn();
    }

    @Test
    void setupWithSenselessPositionsIsRefused() {
        for (int offset : new int[] {-32, 7, TermLength.SMALLEST, Integer.MAX_VALUE}) {
            setupAt(waiting.toInviter(), offset, 5);
        }
        setupAt(waiting.toInviter(), 0, -1);
        waitForRefusals("refused-setups", 5);
        assertLinkGoesOn();
    }

    @Test
    void secondPeerThatKnowsTheAddressOfALinkGetsNothingAndChangesNothing() {
        setup(known.toInviter(), TermLength.SMALLEST, 8192);
        data(known.toInviter(), 64, 64);
        data(known.toInviter(), 0, 32);
        data(known.toInviter(), Integer.MAX_VALUE, 64);
        status(known.toDialler());
        nak(known.toDialler());
        waitForRefusals("refused-setups", 1);
        waitForRefusals("refused-data", 3);
        waitForRefusals("refused-control", 2);
        assertLinkGoesOn();
    }

    @Test
    void controlPacketsForStreamsThatNobodySendsAreRefused() {
        status(new StreamId(1, 2));
        nak(new StreamId(1, 2));
        RttMeasurementFlyweight rtt = new RttMeasurementFlyweight(view);
        header(rtt, HeaderFlyweight.HDR_TYPE_RTTM, RttMeasurementFlyweight.HEADER_LENGTH);
        rtt.sessionId(2).streamId(1);
        send(known.controlPort(), RttMeasurementFlyweight.HEADER_LENGTH);
        waitForRefusals("refused-control", 3);
        assertLinkGoesOn();
    }

    @Test
    void randomAndTruncatedBytesAreDropped() {
        Random random = new Random(42);
        long before = bytesOfFiles();
        byte[] bytes = new byte[1400];
        for (int i = 0; i < 3_000; i++) {
            random.nextBytes(bytes);
            packet.clear().put(bytes);
            if (i % 2 == 0) {
                view.putByte(4, (byte) 0);
                view.putByte(5, (byte) 0xc0);
                view.putShort(6, (short) (i / 2 % 12), java.nio.ByteOrder.LITTLE_ENDIAN);
            }
            int length = i % 3 == 0 ? random.nextInt(48) : random.nextInt(1400);
            send(i % 4 < 2 ? known.dataPort() : known.controlPort(), length);
            if (i % 50 == 0) {
                master.doWork();
                worker.doWork();
            }
        }
        Drive.until(
                "some are counted", () -> master.counters().getOrDefault("invalid-packets", 0L) > 0, master, worker);
        assertThat(bytesOfFiles()).isEqualTo(before);
        assertLinkGoesOn();
    }

    @Test
    void truncatedPacketsOfEveryTypeAreDropped() {
        for (int type = 0; type < 12; type++) {
            for (int length = 0; length < 60; length++) {
                packet.clear();
                view.setMemory(0, 64, (byte) 0);
                HeaderFlyweight header = new HeaderFlyweight(view);
                header(header, type, 64);
                send(known.dataPort(), length);
                send(known.controlPort(), length);
                master.doWork();
            }
        }
        assertLinkGoesOn();
    }

    private void assertLinkGoesOn() {
        assertThat(Drive.differences(there, here, 200, master, worker)).isEmpty();
        assertThat(Drive.differences(here, there, 200, master, worker)).isEmpty();
        assertThat(here.state()).isEqualTo(LinkState.CONNECTED);
        assertThat(fixture.failures).isEmpty();
    }

    private void waitForRefusals(String counter, long least) {
        Drive.until(
                counter + " is at least " + least + " in " + master.counters(),
                () -> {
                    Map<String, Long> counters = master.counters();
                    return counters.getOrDefault(counter, 0L) >= least;
                },
                master,
                worker);
    }

    private long bytesOfFiles() {
        Path shared = fixture.removedAtDeath.get(0);
        try (Stream<Path> files = Files.walk(shared)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void setup(StreamId stream, int termLength, int mtu) {
        SetupFlyweight setup = new SetupFlyweight(view);
        header(setup, HeaderFlyweight.HDR_TYPE_SETUP, SetupFlyweight.HEADER_LENGTH);
        setup.sessionId(stream.session())
                .streamId(stream.stream())
                .initialTermId(5)
                .activeTermId(5)
                .termOffset(0)
                .termLength(termLength)
                .mtuLength(mtu)
                .ttl(0);
        send(known.dataPort(), SetupFlyweight.HEADER_LENGTH);
    }

    private void setupAt(StreamId stream, int offset, int activeTermId) {
        SetupFlyweight setup = new SetupFlyweight(view);
        header(setup, HeaderFlyweight.HDR_TYPE_SETUP, SetupFlyweight.HEADER_LENGTH);
        setup.sessionId(stream.session())
                .streamId(stream.stream())
                .initialTermId(5)
                .activeTermId(activeTermId)
                .termOffset(offset)
                .termLength(TermLength.SMALLEST)
                .mtuLength(8192)
                .ttl(0);
        send(known.dataPort(), SetupFlyweight.HEADER_LENGTH);
    }

    private void data(StreamId stream, int frameLength, int packetLength) {
        DataHeaderFlyweight data = new DataHeaderFlyweight(view);
        header(data, HeaderFlyweight.HDR_TYPE_DATA, frameLength);
        data.sessionId(stream.session()).streamId(stream.stream()).termId(5).termOffset(0);
        send(known.dataPort(), packetLength);
    }

    private void status(StreamId stream) {
        StatusMessageFlyweight status = new StatusMessageFlyweight(view);
        header(status, HeaderFlyweight.HDR_TYPE_SM, StatusMessageFlyweight.HEADER_LENGTH);
        status.sessionId(stream.session())
                .streamId(stream.stream())
                .consumptionTermId(Integer.MAX_VALUE)
                .consumptionTermOffset(0)
                .receiverWindowLength(GIGABYTE)
                .receiverId(1);
        send(known.controlPort(), StatusMessageFlyweight.HEADER_LENGTH);
    }

    private void nak(StreamId stream) {
        NakFlyweight nak = new NakFlyweight(view);
        header(nak, HeaderFlyweight.HDR_TYPE_NAK, NakFlyweight.HEADER_LENGTH);
        nak.sessionId(stream.session())
                .streamId(stream.stream())
                .termId(5)
                .termOffset(0)
                .length(GIGABYTE);
        send(known.controlPort(), NakFlyweight.HEADER_LENGTH);
    }

    private static void header(HeaderFlyweight header, int type, int frameLength) {
        header.version(HeaderFlyweight.CURRENT_VERSION)
                .flags((short) 0)
                .headerType(type)
                .frameLength(frameLength);
    }

    private void send(int port, int length) {
        try {
            packet.clear().limit(length);
            stranger.send(packet, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
