// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.managers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.FiberException;
import io.fiber.ManagerEndpoint;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outbox;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.TestLink;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Programs that come for a manager, over links whose both ends this thread holds, in virtual time. */
class ClientRegistryTest {

    private static final ManagerEndpoint ENDPOINT = ManagerEndpoint.of("127.0.0.1", 7007);
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final String PROGRAM = "abcdefghij01";
    private static final ObjectAddress MANAGER = new ObjectAddress(PROGRAM, ProcessPath.of(4), 1_001);

    private final AtomicLong nowNs = new AtomicLong();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger(6);
    private final Conductor server = new Conductor("server", nowNs::get, LEASE);
    private final Conductor outside = new Conductor("outside", nowNs::get, LEASE);
    private final Listening transport = new Listening();
    private final List<String> gone = new ArrayList<>();
    private final RemoteManagerServer.Terms terms;

    /** Hands over the links that a test makes. */
    private static final class Listening implements Transport {
        private @Nullable Consumer<Link> newcomers;

        @Override
        public int listen(int port, Consumer<Link> takers) {
            newcomers = takers;
            return port;
        }

        void arrive(Link link) {
            requireNonNull(newcomers).accept(link);
        }

        @Override
        public Link invite(LinkUse use) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Link dial(Address address) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public void close() {}
    }

    /** The end of a link in a program that comes. */
    private final class Visitor implements Peer.Listener, WorkerHandshake.Owner {
        private final ManagerEndpoint endpoint;
        private final WorkerHandshake handshake;
        private final CompletableFuture<Admission> admitted = new CompletableFuture<>();
        private @Nullable Peer host;

        Visitor(ManagerEndpoint endpoint, WorkerHandshake handshake) {
            this.endpoint = endpoint;
            this.handshake = handshake;
        }

        void greet(Peer dialled) {
            host = dialled;
            handshake.begin(this);
        }

        @Override
        public void onMessage(Peer from, Message message) {
            handshake.onMessage(message, this);
        }

        @Override
        public void post(Outgoing message) {
            requireNonNull(host).post(message);
        }

        @Override
        public void onAdmitted(Admission admission) {
            requireNonNull(host).onProvenInTheOpen(admission.keys());
            admitted.complete(admission);
        }

        @Override
        public void onFailed(HandshakeFailure failure) {
            admitted.completeExceptionally(ConnectedManagerClient.unproven(endpoint, failure));
            requireNonNull(host).close("it did not authenticate itself");
        }

        @Override
        public void onGone(Peer over, String reason) {
            gone.add(reason);
        }
    }

    ClientRegistryTest() {
        RpcRouter router =
                new RpcRouter(new ProcessAddress(PROGRAM, ProcessPath.of(3)), server, Seals.none(), Runnable::run);
        terms = new RemoteManagerServer.Terms(
                router,
                numbers::incrementAndGet,
                "java",
                LEASE,
                CallerHost.sameHost(),
                host -> transport,
                Optional.empty(),
                refused::incrementAndGet);
        ClientRegistry registry =
                new ClientRegistry(terms, MANAGER, JobKey.derived(ENDPOINT.key(), ClientRegistry.USE), transport);
        assertThat(registry.open(7007)).isEqualTo(7007);
    }

    private CompletableFuture<Admission> come(ManagerEndpoint shown, int version) {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        long number = ClientRegistry.handshakeTerms().number();
        HandshakeTerms terms = new HandshakeTerms(version, ClientRegistry.USE, number, false);
        Visitor visitor = new Visitor(
                shown, new WorkerHandshake(terms, JobKey.derived(shown.key(), ClientRegistry.USE), new SecureRandom()));
        transport.arrive(link);
        visitor.greet(outside.addPeer(link.peer(), visitor));
        for (int i = 0; i < 10; i++) {
            server.doWork();
            outside.doWork();
        }
        return visitor.admitted;
    }

    private static AccessGrant grantOf(CompletableFuture<Admission> admission) throws IOException {
        return AccessGrant.decode(admission.join().settings(), why -> new FiberException("FBR-446", why));
    }

    @Test
    void programWithTheKeyGetsAPlaceOfItsOwn() throws IOException {
        CompletableFuture<Admission> first = come(ENDPOINT, Protocol.VERSION);
        CompletableFuture<Admission> second = come(ENDPOINT, Protocol.VERSION);
        assertThat(grantOf(first))
                .isEqualTo(new AccessGrant(new ProcessAddress(PROGRAM, ProcessPath.of(3, 7)), MANAGER, "java", LEASE));
        assertThat(grantOf(second).processAddress().path()).isEqualTo(ProcessPath.of(3, 8));
        assertThat(first.join().payloadKey()).isNotEqualTo(second.join().payloadKey());
        assertThat(refused).hasValue(0);
    }

    @Test
    void programBeyondTheGreatestNumberIsToldSo() throws IOException {
        for (int i = 0; i < RemoteManagerServer.MOST; i++) {
            assertThat(grantOf(come(ENDPOINT, Protocol.VERSION))).isNotNull();
        }
        assertThatThrownBy(() -> grantOf(come(ENDPOINT, Protocol.VERSION)))
                .hasMessage("FBR-446 it has 256 clients already, and accepts no more");
    }

    @Test
    void programWithAnotherKeyIsRefusedAndToldWhatToCheck() {
        CompletableFuture<Admission> admission = come(ManagerEndpoint.of("127.0.0.1", 7007), Protocol.VERSION);
        assertThatThrownBy(admission::join)
                .hasCauseInstanceOf(FiberException.class)
                .cause()
                .hasMessageStartingWith("FBR-439 The manager at 127.0.0.1:7007 does not have the key");
        assertThat(refused).hasValue(1);
        assertThat(gone).hasSize(1);
    }

    @Test
    void programOfAnotherVersionIsToldBothVersions() {
        assertThatThrownBy(come(ENDPOINT, 2)::join)
                .cause()
                .hasMessage("FBR-440 The manager at 127.0.0.1:7007 speaks version 1 of Fiber's protocol, but this"
                        + " program speaks version 2. Run both with the same version of Fiber.");
    }

    private TestLink stranger() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        transport.arrive(link);
        server.doWork();
        return link;
    }

    @Test
    void strangerThatSaysNothingGoesWhenItsTimeIsUpOrManyCameAfterIt() {
        List<TestLink> strangers = new ArrayList<>();
        for (int i = 0; i < 65; i++) {
            strangers.add(stranger());
        }
        assertThat(strangers.get(0).state()).isEqualTo(LinkState.CLOSED);
        assertThat(strangers.subList(1, 65)).allMatch(link -> link.state() == LinkState.CONNECTED);
        assertThat(come(ENDPOINT, Protocol.VERSION)).isCompleted();

        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(21));
        server.doWork();
        assertThat(strangers).allMatch(link -> link.state() == LinkState.CLOSED);
        assertThat(refused).hasValue(65);
    }

    @Test
    void strangerForWhoseBuffersThereIsNoMemoryIsSentAway() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        Link huge = (Link) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Link.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("maxFrameLength")) {
                        throw new OutOfMemoryError("an error of the test");
                    }
                    return method.invoke(link, arguments);
                });

        transport.arrive(huge);
        server.doWork();

        assertThat(link.state()).isEqualTo(LinkState.CLOSED);
        assertThat(refused).hasValue(1);
        assertThat(come(ENDPOINT, Protocol.VERSION)).isCompleted();
    }

    @Test
    void payloadOfAStrangerIsNotAwaited() {
        TestLink link = stranger();
        Outbox outbox = new Outbox(link.peer(), new Encoders());
        outbox.post(Messages.welcome(new byte[100_000]));
        outbox.flush(0, Long.MAX_VALUE);
        link.peer().sent().removeIf(frame -> frame != link.peer().sent().peek());
        server.doWork();
        assertThat(link.state()).isEqualTo(LinkState.CLOSED);
        assertThat(refused).hasValue(1);
    }

    @Test
    void sessionThatClosesBeforeItsManagerListensIsNamed() {
        RemoteManagerServer.Of manager = new RemoteManagerServer(terms).of(MANAGER);
        CompletableFuture<ManagerEndpoint> endpoint = new CompletableFuture<>();
        Thread caller = new Thread(
                () -> {
                    try {
                        endpoint.complete(manager.listen());
                    } catch (FiberException e) {
                        endpoint.completeExceptionally(e);
                    }
                },
                "caller");
        caller.setDaemon(true);
        caller.start();
        await().until(() -> caller.getState() == Thread.State.WAITING);

        server.onClose();

        assertThat(endpoint)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(FiberException.class)
                .withMessage("FBR-302 This session is closed. Open another one with Fiber.open().");
    }
}
