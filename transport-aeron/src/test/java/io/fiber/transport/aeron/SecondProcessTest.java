// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.TransportException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class SecondProcessTest {

    private static final Duration SHORT_LEASE = Duration.ofSeconds(3);

    @TempDir
    Path directory;

    private Fixture fixture;

    @BeforeEach
    void newFixture() {
        fixture = new Fixture(directory);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void framesComeBackFromAnotherProcessUntilTheLinkIsClosed(boolean isSameHost) throws Exception {
        fixture = isSameHost ? fixture : fixture.overNetwork();
        try (AeronTransport master = fixture.open()) {
            Link link = master.invite();
            try (SecondJvm peer = SecondJvm.start(
                    PeerMain.class, directory.toString(), link.address().text(), fixture.lease.toString())) {
                Drive.until("connected", () -> link.state() == LinkState.CONNECTED, master);
                Drive.until("hello", () -> link.poll((buffer, offset, length) -> {}, 1) == 1, master);
                ByteBuffer frame = ByteBuffer.allocateDirect(link.maxFrameLength());
                frame.put(17, (byte) 5);
                assertThat(link.offer(frame)).isEqualTo(OfferResult.ACCEPTED);
                int[] seen = new int[2];
                Drive.until(
                        "echo",
                        () -> link.poll(
                                        (buffer, offset, length) -> {
                                            seen[0] = length;
                                            seen[1] = buffer.get(offset + 17);
                                        },
                                        1)
                                == 1,
                        master);
                assertThat(seen).containsExactly(link.maxFrameLength(), 5);
                System.out.println("closed measured " + (isSameHost ? "IPC " : "UDP ") + peer.line());
                link.close();
                Drive.until("peer saw the end", () -> hasOutput(peer), master);
                assertThat(peer.line()).isEqualTo("closed closed by the peer, or the peer is gone failures []");
                Drive.until("peer ended", () -> !peer.isAlive(), master);
                assertThat(peer.exitCode()).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void killedPeerIsGoneAfterTheTimeOutAndHarmsNobody(boolean isSameHost) throws Exception {
        fixture = isSameHost ? fixture : fixture.overNetwork();
        fixture.lease = SHORT_LEASE;
        try (AeronTransport master = fixture.open();
                AeronTransport other = new Fixture(directory).open()) {
            Link link = master.invite();
            Link stays = master.invite();
            try (SecondJvm peer = SecondJvm.start(
                    PeerMain.class, directory.toString(), link.address().text(), fixture.lease.toString())) {
                Link staysPeer = other.dial(stays.address());
                Drive.until("connected", () -> link.state() == LinkState.CONNECTED, master, other);
                peer.kill(master, other);
                removeWhatTheRuntimeWould(peer.pid());
                Drive.until("closed", () -> link.state() == LinkState.CLOSED, master, other);
                assertThat(Drive.differences(stays, staysPeer, 50, master, other))
                        .isEmpty();
                assertThat(fixture.failures).isEmpty();
            }
        }
    }

    @Test
    void lossOfTheInvitingProcessEndsTheTransportAndItsDirectoryIsRemovedLater() throws Exception {
        fixture.lease = SHORT_LEASE;
        try (SecondJvm inviter = SecondJvm.start(InviterMain.class, directory.toString(), fixture.lease.toString())) {
            Address address = new Address(inviter.line());
            Path left = Path.of(((AeronAddress.Ipc) AeronAddress.parse(address)).directory());
            AeronTransport worker = fixture.open();
            try {
                Link link = worker.dial(address);
                Drive.until("connected", () -> link.state() == LinkState.CONNECTED, worker);
                inviter.kill(worker);
                ByteBuffer frame = ByteBuffer.allocateDirect(8);
                Drive.until("told", () -> !fixture.failures.isEmpty(), worker);
                assertThat(fixture.failures).hasSize(1);
                assertThat(fixture.failures.get(0).kind()).isEqualTo(TransportException.Kind.DRIVER_LOST);
                assertThat(fixture.failures.get(0))
                        .hasMessageContaining("the media driver of the inviting process is gone");
                assertThat(link.state()).isEqualTo(LinkState.CLOSED);
                assertThat(link.closeReason()).contains("the media driver of the inviting process is gone");
                assertThat(link.offer(frame)).isEqualTo(OfferResult.CLOSED);
                assertThat(link.poll((buffer, offset, length) -> {}, 1)).isZero();
                assertThat(worker.doWork()).isZero();
            } finally {
                worker.close();
            }
            // Any process of this user that comes to use shared memory may have removed it already.
            try (AeronTransport next = new Fixture(directory).open()) {
                next.invite();
                assertThat(left).doesNotExist();
            }
        }
        assertThat(Files.exists(directory)).isTrue();
    }

    @Test
    void processThatStoodStillForLongerThanTheTimeOutsGoesOnWithItsTransport() {
        fixture.lease = SHORT_LEASE;
        try (AeronTransport master = fixture.open();
                AeronTransport other = new Fixture(directory).open()) {
            master.invite();
            Drive.during(
                    Duration.ofNanos(TransportTimes.of(fixture.lease).livenessNs())
                            .plusSeconds(1),
                    other);
            Link after = master.invite();
            Link peer = other.dial(after.address());
            Drive.until("connected", () -> after.state() == LinkState.CONNECTED, master, other);

            assertThat(Drive.differences(after, peer, 50, master, other)).isEmpty();
            assertThat(fixture.failures).isEmpty();
        }
        assertThat(fixture.removedAtDeath).allSatisfy(path -> assertThat(path).doesNotExist());
    }

    /** A session removes at a process's death what {@code removeAtDeath} named; the second JVM's fixture does not. */
    private void removeWhatTheRuntimeWould(long pid) throws java.io.IOException {
        Path left = DriverDirectory.SHARED_MEMORY.resolve(
                DriverDirectory.PREFIX + DriverDirectory.userOf(directory) + "-" + fixture.sessionId() + "-" + pid);
        if (Files.exists(left)) {
            StaleDirectories.deleteTree(left);
        }
    }

    private static boolean hasOutput(SecondJvm peer) {
        try {
            return peer.hasOutput();
        } catch (java.io.IOException e) {
            return true;
        }
    }
}
