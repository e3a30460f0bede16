// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.aeron.Aeron;
import io.aeron.command.ControlProtocolEvents;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedMemoryTest {

    /** Aeron's driver looks at its timers each second, its client says that it lives twice a second. */
    private static final long SEVERAL_HOUSEKEEPINGS_NS = 2_200_000_000L;

    @TempDir
    Path directory;

    private Fixture fixture;
    private AeronTransport master;
    private AeronTransport worker;

    @BeforeEach
    void open() {
        fixture = new Fixture(directory);
        master = fixture.open();
        worker = new Fixture(directory).open();
    }

    @AfterEach
    void closeAndLookForWhatIsLeft() {
        worker.close();
        master.close();
        assertThat(fixture.removedAtDeath).allSatisfy(path -> assertThat(path).doesNotExist());
    }

    @Test
    void silentLinkLetsItsProcessesBecomeIdle() {
        Link here = master.invite();
        Link there = worker.dial(here.address());
        Drive.connect(here, there, master, worker);
        long idleSinceNs = System.nanoTime();
        while (System.nanoTime() - idleSinceNs < SEVERAL_HOUSEKEEPINGS_NS) {
            if (master.doWork() + worker.doWork() > 0) {
                idleSinceNs = System.nanoTime();
            }
        }
        assertThat(there.state()).isEqualTo(LinkState.CONNECTED);
    }

    @Test
    void framesOfAllLengthsArriveInOrderBothWays() {
        Link here = master.invite();
        Link there = worker.dial(here.address());
        Drive.connect(here, there, master, worker);
        assertThat(here.isConfined()).isTrue();
        assertThat(there.isConfined()).isTrue();
        assertThat(here.maxFrameLength()).isEqualTo(there.maxFrameLength());
        assertThat(Drive.differences(there, here, 5_000, master, worker)).isEmpty();
        assertThat(Drive.differences(here, there, 5_000, master, worker)).isEmpty();
    }

    @Test
    void commandThatAKilledProcessDidNotFinishHoldsUpNoOther() {
        AeronAddress.Ipc address =
                (AeronAddress.Ipc) AeronAddress.parse(master.invite().address());
        try (Aeron killed = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(
                        DriverDirectory.inner(Path.of(address.directory())).toString())
                .useConductorAgentInvoker(true)
                .epochClock(SteadyClock.INSTANCE))) {
            RingBuffer commands = killed.context().toDriverBuffer();
            assertThat(commands.tryClaim(ControlProtocolEvents.ADD_SUBSCRIPTION, 64))
                    .isPositive();
            assertThat(master.invite().state()).isEqualTo(LinkState.CONNECTING);
            assertThat(commands.consumerPosition()).isEqualTo(commands.producerPosition());
        }
    }

    @Test
    void nothingIsMadeBeforeTheFirstInvite() {
        assertThat(master.doWork()).isZero();
        assertThat(fixture.removedAtDeath).isEmpty();
        Link link = master.invite();
        assertThat(fixture.removedAtDeath).hasSize(1);
        assertThat(link.state()).isEqualTo(LinkState.CONNECTING);
        assertThat(link.offer(ByteBuffer.allocateDirect(1))).isEqualTo(OfferResult.NOT_CONNECTED);
    }

    @Test
    void framesAcceptedBeforeTheEndAreReadBeforeThePeerIsClosed() {
        Link here = master.invite();
        Link there = worker.dial(here.address());
        Drive.connect(here, there, master, worker);
        assertThat(there.offer(ByteBuffer.allocateDirect(9))).isEqualTo(OfferResult.ACCEPTED);
        there.close();
        assertThat(there.state()).isEqualTo(LinkState.CLOSED);
        assertThat(there.closeReason()).isEqualTo("closed by this process");
        int[] length = {0};
        Drive.until(
                "closed",
                () -> {
                    here.poll((buffer, offset, size) -> length[0] = size, 1);
                    return here.state() == LinkState.CLOSED;
                },
                master,
                worker);
        assertThat(length[0]).isEqualTo(9);
        assertThat(here.closeReason()).isEqualTo("closed by the peer, or the peer is gone");
    }

    @Test
    void peerThatReadsNothingFindsItsEndClosedAllTheSame() {
        Link here = master.invite();
        Link there = worker.dial(here.address());
        Drive.connect(here, there, master, worker);
        assertThat(there.offer(ByteBuffer.allocateDirect(9))).isEqualTo(OfferResult.ACCEPTED);
        there.close();
        Drive.until("closed", () -> here.state() == LinkState.CLOSED, master, worker);
        assertThat(here.closeReason()).isEqualTo("closed by the peer before everything it sent was read");
    }

    @Test
    void closingTheInvitingTransportClosesThePeersLinksAndNothingElse() {
        Fixture workers = new Fixture(directory);
        try (AeronTransport dialling = workers.open()) {
            Link here = master.invite();
            Link there = dialling.dial(here.address());
            Drive.connect(here, there, master, dialling);
            master.close();
            Drive.until("closed", () -> there.state() == LinkState.CLOSED, dialling);
            assertThat(here.state()).isEqualTo(LinkState.CLOSED);
            assertThat(workers.failures).isEmpty();
            AeronTransport another = new Fixture(directory).open();
            try {
                Link next = another.invite();
                Link dialled = dialling.dial(next.address());
                Drive.connect(next, dialled, another, dialling);
            } finally {
                another.close();
            }
        }
    }

    @Test
    void secondPeerThatDialsTheSameAddressIsRefused() {
        Link here = master.invite();
        Link first = worker.dial(here.address());
        Drive.connect(here, first, master, worker);
        try (AeronTransport other = new Fixture(directory).open()) {
            Link second = other.dial(here.address());
            Drive.until("refused", () -> second.state() == LinkState.CLOSED, master, worker, other);
            assertThat(second.closeReason()).contains("if the address was dialled before");
            assertThat(Drive.differences(first, here, 50, master, worker, other))
                    .isEmpty();
        }
    }

    @Test
    void offerIsBackPressuredWhenThePeerStopsReading() {
        Link here = master.invite();
        Link there = worker.dial(here.address());
        Drive.connect(here, there, master, worker);
        ByteBuffer frame = ByteBuffer.allocateDirect(4_000);
        Drive.until("full", () -> there.offer(frame) == OfferResult.BACK_PRESSURED, master, worker);
        assertThat(there.offer(frame)).isEqualTo(OfferResult.BACK_PRESSURED);
        Drive.until(
                "room again",
                () -> here.poll((buffer, offset, length) -> {}, 10) >= 0 && there.offer(frame) == OfferResult.ACCEPTED,
                master,
                worker);
    }

    @Test
    void fewBuffersAreHandedOverAgainAndAgain() {
        Link here = master.invite();
        Link there = worker.dial(here.address());
        Drive.connect(here, there, master, worker);
        Set<ByteBuffer> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ByteBuffer frame = ByteBuffer.allocateDirect(1_000);
        int[] count = {0};
        Drive.until(
                "1000 frames",
                () -> {
                    there.offer(frame);
                    count[0] += here.poll((buffer, offset, length) -> seen.add(buffer), 10);
                    return count[0] >= 1_000;
                },
                master,
                worker);
        assertThat(seen).hasSizeLessThanOrEqualTo(4);
    }

    /** {@link SmallMemoryTest} shows what happens without. */
    @Test
    void framesAreLongerWhereThereIsMemoryForManyPeers() throws IOException {
        assumeThat(DriverDirectory.usableBytes(DriverDirectory.SHARED_MEMORY))
                .as("free shared memory")
                .isGreaterThan(64 << 20);
        Fixture chosen = new Fixture(directory);
        chosen.options = Options.of(List.of(new Options.Value(TransportSettings.KEYS.get(1), "64k", "test")));
        try (AeronTransport small = chosen.open()) {
            assertThat(small.invite().maxFrameLength()).isEqualTo(8160);
        }
        assertThat(master.invite().maxFrameLength()).isGreaterThan(7 * 8160);
    }

    @Test
    void frameThatIsEmptyOrTooLongIsRefusedByName() {
        Link link = master.invite();
        assertThatThrownBy(() -> link.offer(ByteBuffer.allocateDirect(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("A frame of 0 bytes")
                .hasMessageContaining("expected 1 to " + link.maxFrameLength() + " bytes");
        int tooLong = link.maxFrameLength() + 1;
        assertThatThrownBy(() -> link.offer(ByteBuffer.allocateDirect(tooLong)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("A frame of " + tooLong + " bytes");
    }

    @Test
    void directoryThatIsNotProvenIsRefusedWithTheReason() throws IOException {
        AeronAddress.Ipc good =
                (AeronAddress.Ipc) AeronAddress.parse(master.invite().address());
        DirectoryIdentity identity = good.identity();
        assertRefused(with(good, good.directory() + "x", identity), "does not exist here");
        assertRefused(
                with(good, good.directory(), new DirectoryIdentity(identity.inode() + 1, identity.uid())),
                "its inode is " + identity.inode());
        assertRefused(
                with(good, good.directory(), new DirectoryIdentity(identity.inode(), identity.uid() + 1)),
                "it belongs to uid " + identity.uid());
        Files.setPosixFilePermissions(Path.of(good.directory()), PosixFilePermissions.fromString("rwxr-x---"));
        assertRefused(good.toAddress(), "its mode is 0750");
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of(good.directory()));
        assertRefused(with(good, link.toString(), identity), "it is not a directory");
        assertRefused(new Address("tcp:somewhere"), "is not of the transport 'aeron'");
        assertRefused(new Address("aeron:ipc;dir=/tmp"), "'inode' is missing");
        assertRefused(
                new Address("aeron:udp;host=h;data=1;control=2;in=1.2;out=3.4;term=1073741824;mtu=1408"),
                "Term length 1073741824 bytes must be a power of two");
    }

    private void assertRefused(Address address, String reason) {
        assertThatThrownBy(() -> worker.dial(address))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.BAD_ADDRESS))
                .hasMessageContaining(reason);
    }

    private static Address with(AeronAddress.Ipc good, String path, DirectoryIdentity identity) {
        return new AeronAddress.Ipc(path, identity, good.toInviter(), good.toDialler(), good.shape()).toAddress();
    }

    @Test
    void closedTransportSaysSoAndCanBeClosedAgain() {
        Link link = master.invite();
        master.close();
        master.close();
        assertThat(link.closeReason()).isEqualTo("this process has closed its transport");
        assertThat(master.doWork()).isZero();
        assertThat(master.counters()).containsEntry("links-opened", 1L).containsEntry("links-closed", 1L);
        assertThatThrownBy(master::invite)
                .isInstanceOf(TransportException.class)
                .hasMessage("The transport was closed; create another one.");
    }

    @Test
    void oneTransportInvitesAndDialsAtTheSameTime() {
        Link here = master.invite();
        Link there = worker.dial(here.address());
        Link back = worker.invite();
        Link backThere = master.dial(back.address());
        Drive.connect(here, there, master, worker);
        Drive.connect(back, backThere, master, worker);
        assertThat(Drive.differences(backThere, back, 50, master, worker)).isEmpty();
    }
}
