// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.TransportException;
import io.fiber.transport.socket.LinkAddress.TcpEndpoint;
import io.fiber.transport.socket.LinkAddress.UnixEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a process listens, and which socket files are trusted. */
final class ListeningTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir
    Path directory;

    private Fixture fixture;

    @BeforeEach
    void makeFixture() {
        fixture = new Fixture(directory);
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    @Test
    void portIsTheFirstFreeOneOfTheRange() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
            int free = freePort();
            fixture.overNetwork().with("port-range", taken.getLocalPort() + "," + free + "-65535");
            assertThat(tcpOf(fixture.open().invite())).satisfies(endpoint -> {
                assertThat(endpoint.host()).isEqualTo(LOOPBACK.getHostAddress());
                assertThat(endpoint.port()).isBetween(free, 65_535);
            });
        }
    }

    @Test
    void allInvitationsOfAProcessTakeOnePort() {
        SocketTransport inviter = fixture.overNetwork().open();
        assertThat(tcpOf(inviter.invite())).isEqualTo(tcpOf(inviter.invite()));
    }

    @Test
    void rangeWithoutAFreePortIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
            fixture.overNetwork().with("port-range", String.valueOf(taken.getLocalPort()));
            assertThatThrownBy(() -> fixture.open().invite())
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.NO_ROOM))
                    .hasMessage("No TCP port could be bound at 127.0.0.1: tried " + taken.getLocalPort()
                            + " (option 'port-range'), the last one failed with: Address already in use. One free port"
                            + " is needed, on an address of this host.");
        }
    }

    @Test
    void advertisedAddressIsWhatPeersDial() {
        fixture.host = new CallerHost(LOOPBACK, "localhost", CallerHost.Reach.NETWORK);
        Link invited = fixture.open().invite();
        assertThat(tcpOf(invited).host()).isEqualTo("localhost");
        Link dialled = fixture.open().dial(invited.address());
        fixture.connect(invited, dialled);
        assertThat(dialled.isConfined()).isFalse();
    }

    @Test
    void processesOfThisHostUseTcpWhenAskedTo() {
        Link invited = fixture.with("media", "tcp").open().invite();
        assertThat(tcpOf(invited).host()).isEqualTo(LOOPBACK.getHostAddress());
        assertThat(invited.isConfined()).isFalse();
    }

    @Test
    void optionsThatCannotBeReadAreNamed() {
        assertThatThrownBy(() -> fixture.with("media", "udp").open())
                .hasMessageStartingWith("The options of the transport 'socket' cannot be used: Option 'media' is 'udp',"
                        + " which is neither auto nor tcp. They are ");
        assertThatThrownBy(
                        () -> new Fixture(directory).with("port-range", "5-4").open())
                .hasMessageStartingWith("The options of the transport 'socket' cannot be used: Option 'port-range' has"
                        + " the entry '5-4', which is neither a port from 1 to 65535 nor a range such as 20000-20999.");
    }

    @Test
    void socketFileLiesInADirectoryOfItsOwnForThisUserAlone() throws IOException {
        Path file = fileOf(fixture.open().invite());
        assertThat(file.getParent()).hasParent(directory);
        assertThat(Files.getPosixFilePermissions(file.getParent()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        fixture.close();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void nameThatIsTooLongForASocketFileLeadsToTcp() throws IOException {
        Path deep = Files.createDirectory(directory.resolve("d".repeat(90)));
        try (Fixture tooDeep = new Fixture(deep)) {
            assertThat(tcpOf(tooDeep.open().invite()).host()).isEqualTo(LOOPBACK.getHostAddress());
            assertThat(tooDeep.warnings)
                    .singleElement()
                    .satisfies(warning -> assertThat(warning)
                            .startsWith(
                                    "Workers on this host are reached over TCP, with sealed frames: paths in '" + deep)
                            .endsWith("' are too long for socket files. Set -Djava.io.tmpdir to a shorter path."));
        }
    }

    @Test
    void directoryThatOthersCanEnterIsNotDialled() throws IOException {
        Link invited = fixture.open().invite();
        Path sockets = socketsOf(invited.address());
        Files.setPosixFilePermissions(sockets, PosixFilePermissions.fromString("rwxr-x---"));
        assertBadAddress(invited.address(), sockets, "its mode is rwxr-x---");
    }

    @Test
    void fileInPlaceOfTheDirectoryIsNotDialled() throws IOException {
        Path file = Files.createFile(directory.resolve("f"));
        String text = new LinkAddress(new UnixEndpoint(file.resolve("s")), new Token(1, 2), LinkUse.DATA)
                .toAddress()
                .text();
        assertBadAddress(new Address(text), file, "it is not a directory");
    }

    @Test
    void directoryThatIsGoneIsNotDialled() {
        SocketTransport gone = fixture.open();
        Address address = gone.invite().address();
        gone.close();
        Path sockets = socketsOf(address);
        assertBadAddress(address, sockets, "'" + sockets + "' does not exist here");
    }

    @Test
    void processOfAnotherUserIsNoPeer() throws IOException {
        UserPrincipal other = new OtherUser();
        Link invited = fixture.open().invite();
        Path sockets = socketsOf(invited.address());
        try (SocketChannel channel =
                java.nio.channels.SocketChannel.open(java.net.UnixDomainSocketAddress.of(fileOf(invited)))) {
            assertThat(SocketDirectory.proven(sockets, directory).isPeerOfOwner(channel))
                    .isTrue();
            assertThat(new SocketDirectory(sockets, other).isPeerOfOwner(channel))
                    .isFalse();
        }
    }

    /** The user of no process. */
    private record OtherUser() implements UserPrincipal {
        @Override
        public String getName() {
            return "other";
        }
    }

    @Test
    void processThatHasDialledListensInTheDirectoryOfItsInviter() throws IOException {
        SocketTransport inviter = fixture.open();
        Link invited = inviter.invite();
        SocketTransport dialler = fixture.open();
        fixture.connect(invited, dialler.dial(invited.address()));
        Path file = fileOf(dialler.invite());
        assertThat(file).exists().hasParent(socketsOf(invited.address()));
        dialler.close();
        assertThat(file).doesNotExist();

        SocketTransport killed = fixture.open();
        Link again = inviter.invite();
        fixture.connect(again, killed.dial(again.address()));
        assertThat(fileOf(killed.invite())).exists();
        inviter.close();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void socketFileWithoutAProcessEndsTheDialAtOnce() throws IOException {
        Link invited = fixture.open().invite();
        Files.delete(fileOf(invited));
        Link dialled = fixture.open().dial(invited.address());
        fixture.until("it is closed", () -> dialled.state() == LinkState.CLOSED);
        assertThat(dialled.closeReason())
                .isEqualTo("no process listens at the socket file " + fileOf(invited)
                        + " of this host (No such file or directory): the inviting process has ended or closed the"
                        + " link, another peer has dialled it");
    }

    /** Each of them holds buffers until its connection is closed, and the clock of the test stands still. */
    @Test
    void newcomersThatAreSentAwayHaveNoGraceWhenManyCome() throws IOException {
        int port = fixture.overNetwork().open().listen(0, Link::close);
        List<SocketChannel> newcomers = new ArrayList<>();
        try {
            for (int i = 0; i < SocketTransport.MOST_LEAVING + 2; i++) {
                SocketChannel newcomer = SocketChannel.open(new InetSocketAddress(LOOPBACK, port));
                newcomers.add(newcomer);
                newcomer.write(Greeting.naming(Token.OF_NEWCOMERS));
                newcomer.configureBlocking(false);
                fixture.until("it was let in and sent away", () -> read(newcomer) < 0);
            }

            fixture.until("the first is cut", () -> isCut(newcomers.get(0)));

            assertThat(newcomers.subList(1, newcomers.size())).noneMatch(ListeningTest::isCut);
        } finally {
            for (SocketChannel newcomer : newcomers) {
                newcomer.close();
            }
        }
    }

    private static int read(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(10));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isCut(SocketChannel channel) {
        try {
            channel.write(ByteBuffer.allocate(1));
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private void assertBadAddress(Address address, Path sockets, String found) {
        assertThatThrownBy(() -> fixture.open().dial(address))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.BAD_ADDRESS))
                .hasMessage(
                        "Fiber cannot verify that other users have no access to the socket files in '" + sockets + "': "
                                + found
                                + ". Expected a directory of the user of this process with mode 0700. If the job runs"
                                + " in a container, under another user or on another host, its backend must report the"
                                + " reach NETWORK.");
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, LOOPBACK)) {
            return any.getLocalPort();
        }
    }

    private static TcpEndpoint tcpOf(Link link) {
        return (TcpEndpoint) LinkAddress.parse(link.address()).endpoint();
    }

    private static Path socketsOf(Address address) {
        return requireNonNull(
                ((UnixEndpoint) LinkAddress.parse(address).endpoint()).file().getParent());
    }

    private static Path fileOf(Link link) {
        return ((UnixEndpoint) LinkAddress.parse(link.address()).endpoint()).file();
    }
}
