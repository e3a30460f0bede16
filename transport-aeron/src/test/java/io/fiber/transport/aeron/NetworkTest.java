// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkTest {

    /** Longer than a test may take. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final int TRIES = 3;

    @TempDir
    Path directory;

    @Test
    void framesOfAllLengthsArriveInOrderBothWaysOverUdp() {
        try (AeronTransport master = new Fixture(directory).overNetwork().open();
                AeronTransport worker = new Fixture(directory).open()) {
            Link here = master.invite();
            Link there = worker.dial(here.address());
            long startNs = System.nanoTime();
            Drive.connect(here, there, master, worker);
            System.out.println("closed UDP connect ms " + (System.nanoTime() - startNs) / 1_000_000);
            assertThat(here.isConfined()).isFalse();
            assertThat(there.isConfined()).isFalse();
            assertThat(here.maxFrameLength()).isEqualTo(there.maxFrameLength()).isEqualTo(8160);
            assertThat(Drive.differences(there, here, 2_000, master, worker)).isEmpty();
            assertThat(Drive.differences(here, there, 2_000, master, worker)).isEmpty();
        }
    }

    @Test
    void optionMediaMakesEvenPeersOfThisHostUseUdp() {
        Fixture fixture = new Fixture(directory);
        fixture.options = Options.of(List.of(new Options.Value(TransportSettings.KEYS.get(2), "udp", "test")));
        try (AeronTransport master = fixture.open();
                AeronTransport worker = new Fixture(directory).open()) {
            Link here = master.invite();
            assertThat(here.address().text()).startsWith("aeron:udp;host=127.0.0.1;");
            Link there = worker.dial(here.address());
            Drive.connect(here, there, master, worker);
            assertThat(here.isConfined()).isFalse();
            assertThat(there.isConfined()).isFalse();
        }
    }

    @Test
    void unknownMediaIsAnErrorThatNamesTheOptionAndItsValues() {
        Fixture fixture = new Fixture(directory);
        fixture.options = Options.of(List.of(new Options.Value(TransportSettings.KEYS.get(2), "tcp", "test")));
        assertThatThrownBy(fixture::open)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("Option 'media' is 'tcp', which is neither auto nor udp");
    }

    @Test
    void framesLargerThanThePacketsOfARealNetworkArriveWhole() throws IOException {
        Fixture fixture = new Fixture(directory);
        fixture.host = new CallerHost(InetAddress.getByName("0.0.0.0"), "127.0.0.1", CallerHost.Reach.NETWORK);
        try (AeronTransport master = fixture.open();
                AeronTransport worker = new Fixture(directory).open()) {
            Link here = master.invite();
            assertThat(here.address().text()).contains(";mtu=1408");
            Link there = worker.dial(here.address());
            Drive.connect(here, there, master, worker);
            assertThat(here.maxFrameLength()).isEqualTo(8160);
            assertThat(Drive.differences(there, here, 1_000, master, worker)).isEmpty();
            assertThat(Drive.differences(here, there, 1_000, master, worker)).isEmpty();
        }
    }

    @Test
    void manyPeersHaveLinksOfTheirOwnThroughTheSameTwoPorts() {
        try (AeronTransport master = new Fixture(directory).overNetwork().open();
                AeronTransport one = new Fixture(directory).open();
                AeronTransport two = new Fixture(directory).open()) {
            Link first = master.invite();
            Link second = master.invite();
            Link third = master.invite();
            Link firstPeer = one.dial(first.address());
            Link secondPeer = two.dial(second.address());
            Link thirdPeer = two.dial(third.address());
            Drive.connect(first, firstPeer, master, one, two);
            Drive.connect(second, secondPeer, master, one, two);
            Drive.connect(third, thirdPeer, master, one, two);
            assertThat(Drive.differences(first, firstPeer, 100, master, one, two))
                    .isEmpty();
            assertThat(Drive.differences(second, secondPeer, 100, master, one, two))
                    .isEmpty();
            assertThat(Drive.differences(thirdPeer, third, 100, master, one, two))
                    .isEmpty();
            firstPeer.close();
            Drive.until("closed", () -> first.state() == LinkState.CLOSED, master, one, two);
            assertThat(Drive.differences(second, secondPeer, 100, master, one, two))
                    .isEmpty();
        }
    }

    @Test
    void peerNoticesThatTheOtherEndClosedLongBeforeTheLeaseIsOver() {
        Fixture inviting = new Fixture(directory).overNetwork();
        Fixture dialling = new Fixture(directory);
        inviting.lease = LONG;
        dialling.lease = LONG;
        AeronTransport master = inviting.open();
        try (AeronTransport worker = dialling.open()) {
            Link here = master.invite();
            Link there = worker.dial(here.address());
            Drive.connect(here, there, master, worker);
            there.close();
            Drive.until("closed", () -> here.state() == LinkState.CLOSED, master, worker);
            Link again = master.invite();
            Link dialled = worker.dial(again.address());
            Drive.connect(again, dialled, master, worker);
            master.close();
            Drive.until("closed", () -> dialled.state() == LinkState.CLOSED, worker);
        } finally {
            master.close();
        }
    }

    @Test
    void portsAreTakenFromTheRangeAndStayBoundWhileNoLinkIsOpen() throws IOException {
        for (int i = 1; i < TRIES; i++) {
            try {
                checkPorts(twoFreePorts());
                return;
            } catch (TransportException e) {
                // Another process has taken one of them meanwhile.
                assertThat(e.kind()).isEqualTo(TransportException.Kind.NO_ROOM);
            }
        }
        checkPorts(twoFreePorts());
    }

    private void checkPorts(int[] ports) {
        Fixture fixture = new Fixture(directory).overNetwork();
        fixture.options = options(ports[0] + "," + ports[1]);
        try (AeronTransport master = fixture.open()) {
            Link link = master.invite();
            assertThat(link.address().text()).contains(";data=" + ports[0] + ";control=" + ports[1] + ";");
            link.close();
            master.doWork();
            master.doWork();
            for (int port : ports) {
                assertThatThrownBy(() -> bind(port).close()).isInstanceOf(IOException.class);
            }
            assertThat(master.invite().address().text()).contains(";data=" + ports[0] + ";control=" + ports[1] + ";");
        }
    }

    @Test
    void fullPortRangeIsAnErrorThatNamesTheOption() throws IOException {
        try (DatagramChannel taken = bind(0)) {
            int port = ((InetSocketAddress) taken.getLocalAddress()).getPort();
            Fixture fixture = new Fixture(directory).overNetwork();
            fixture.options = options(String.valueOf(port));
            try (AeronTransport master = fixture.open()) {
                assertThatThrownBy(master::invite)
                        .isInstanceOfSatisfying(
                                TransportException.class,
                                e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.NO_ROOM))
                        .hasMessageContaining("No UDP port could be bound at 127.0.0.1: tried 1 of " + port + "-" + port
                                + " (option 'port-range')");
            }
        }
    }

    @Test
    void dialledNameThatDoesNotExistClosesTheLinkAndNothingElse() {
        // A label of more than 63 characters is no name: no server is asked for it.
        String host = "x".repeat(64) + ".invalid";
        try (AeronTransport worker = new Fixture(directory).open()) {
            Link link = worker.dial(
                    new Address("aeron:udp;host=" + host + ";data=1;control=2;in=1.2;out=3.4;term=65536;mtu=1408"));
            Drive.until("closed", () -> link.state() == LinkState.CLOSED, worker);
            assertThat(link.closeReason()).contains(host);
        }
    }

    private static Options options(String range) {
        return Options.of(List.of(new Options.Value(TransportSettings.KEYS.get(0), range, "test")));
    }

    private static DatagramChannel bind(int port) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            return channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static int[] twoFreePorts() throws IOException {
        try (DatagramChannel one = bind(0);
                DatagramChannel two = bind(0)) {
            return new int[] {
                ((InetSocketAddress) one.getLocalAddress()).getPort(),
                ((InetSocketAddress) two.getLocalAddress()).getPort()
            };
        }
    }
}
