// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.ProcessState;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.runtime.protocol.Frames;
import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.Inbox;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.ProviderName;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.TestLink;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.HandshakeStep;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.security.WorkerEnd;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.transport.LinkState;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A master and the other ends of the links that it makes, in one thread, over links of the test. */
final class MasterFixture {

    static final String SESSION = "abcdefghijkl";

    private final TestTransport transport = new TestTransport();
    private final TestBackend backend = new TestBackend();
    private long nowNs = 1;
    private final AtomicInteger number = new AtomicInteger(1);
    private final Conductor conductor = new Conductor("test", () -> nowNs, Duration.ofSeconds(20));
    private final WorkerSupervisor supervisor = new WorkerSupervisor(
            new WorkerSupervisor.Terms(
                    SESSION,
                    "main",
                    new ProviderName("test", "none"),
                    Map.of(),
                    Map.of(),
                    ClassPathSnapshot.NONE,
                    new ProcessMachine.Limits(60_000_000_000L, 5_000_000_000L, 1_000_000_000L, 1_000_000_000L),
                    number::getAndAdd),
            conductor,
            transport,
            backend,
            this::runBlocking);
    private Optional<Error> withoutThreads = Optional.empty();
    private boolean slow;
    private final SecureRandom random = new SecureRandom();
    private int registered;

    /** Remembers what it was told. */
    static class Owner implements WorkerOwner {
        final List<String> told = new ArrayList<>();
        final List<RemoteWorker> registered = new ArrayList<>();
        final List<String> lines = new ArrayList<>();
        final List<SealedPayload> payloads = new ArrayList<>();

        @Override
        public void onRegistered(RemoteWorker worker) {
            registered.add(worker);
        }

        @Override
        public void onWelcomed(RemoteWorker worker) {
            told.add("welcomed");
        }

        @Override
        public void onReady(RemoteWorker worker) {
            told.add("ready");
        }

        @Override
        public void onMessage(RemoteWorker worker, Message message) {
            told.add("message " + message.templateId());
            payloads.add(message.payload());
        }

        @Override
        public void onEnded(RemoteWorker worker, ProcessEnd end) {
            lines.addAll(end.lastLines());
            told.add("ended " + end.state() + " " + end.how());
        }
    }

    /** The other end of a link that the master made for one worker. */
    final class Dialler {
        final Owner owner = new Owner();
        final RemoteWorker remote;
        final TestLink end;
        final Bootstrap bootstrap;
        final List<Integer> heard = new ArrayList<>();
        Optional<HandshakeMessage.Challenge> challenge = Optional.empty();
        Optional<HandshakeMessage.Welcome> welcome = Optional.empty();
        private final Inbox inbox = new Inbox(this::onMessage, 1 << 20);

        Dialler() throws IOException {
            supervisor.start(
                    JobSpec.builder(new Program.Command(List.of("true"))).build(),
                    List.of(new WorkerSupervisor.WorkerRequest(
                            supervisor.takeNumbers(1), "job-" + ++registered, WorkerRole.Kind.POOL, 1, owner)));
            conductor.doWork();
            conductor.doWork();
            remote = owner.registered.get(0);
            end = transport.last().peer();
            bootstrap = Bootstrap.decode(backend.lastBootstrap());
        }

        private void onMessage(Message message) {
            heard.add(message.templateId());
            if (welcome.isEmpty()) {
                HandshakeMessage said = HandshakeMessage.of(message);
                if (said instanceof HandshakeMessage.Challenge ofMaster) {
                    challenge = Optional.of(ofMaster);
                } else if (said instanceof HandshakeMessage.Welcome ofMaster) {
                    welcome = Optional.of(ofMaster);
                }
            }
        }

        void send(byte[] frame) {
            end.inject(frame);
            conductor.doWork();
            end.poll(inbox, 100);
        }

        WorkerEnd handshake(JobKey key) {
            return new WorkerEnd(
                    HandshakeTerms.of(SESSION, bootstrap.processAddress().number(), false), key, random);
        }

        void sayHello(HandshakeMessage.Hello hello) {
            send(new Frames().add(hello.outgoing()).toFrame());
        }

        byte[] proof(WorkerEnd handshake) {
            HandshakeStep<HandshakeMessage.Proof> step = handshake.onChallenge(challenge.orElseThrow());
            return ((HandshakeStep.Next<HandshakeMessage.Proof>) step).value().workerProof();
        }

        Admission admit(WorkerEnd handshake) {
            HandshakeStep<Admission> step = handshake.onWelcome(welcome.orElseThrow());
            return ((HandshakeStep.Next<Admission>) step).value();
        }

        HeaderSeal enter() {
            WorkerEnd handshake = handshake(new JobKey(bootstrap.jobKey()));
            sayHello(handshake.hello());
            send(Frames.of(Messages.proof(proof(handshake))));
            return admit(handshake).keys().seal(Protocol.CONDUCTOR_STREAM);
        }

        void assertRefused(long refusalsBefore) {
            assertThat(end.state()).isEqualTo(LinkState.CLOSED);
            assertThat(supervisor.refusals()).isEqualTo(refusalsBefore + 1);
            assertThat(owner.told).doesNotContain("ready").noneMatch(what -> what.startsWith("message"));
        }
    }

    MasterFixture() {
        supervisor.serveCalls(routes(conductor));
        assertThat(supervisor.openFirstLink()).isFalse();
    }

    /** Returns the way of calls to the workers of a root; none of them finds an object there. */
    static WorkerSupervisor.Routes routes(Conductor conductor) {
        RpcRouter router =
                new RpcRouter(new ProcessAddress(SESSION, ProcessPath.root()), conductor, Seals.none(), Runnable::run);
        return new WorkerSupervisor.Routes(router, Seals.none(), new WorkerRole.Services(1_001, 1_002));
    }

    /** From now on there is no thread for what blocks. */
    void hasNoThreads(Error why) {
        withoutThreads = Optional.of(why);
    }

    /** From now on what blocks does not end before the test. */
    void isSlow() {
        slow = true;
    }

    private void runBlocking(Runnable task) {
        withoutThreads.ifPresent(why -> {
            throw why;
        });
        if (!slow) {
            task.run();
        }
    }

    Conductor conductor() {
        return conductor;
    }

    void advance(Duration time) {
        nowNs += time.toNanos();
    }

    TestTransport transport() {
        return transport;
    }

    TestBackend backend() {
        return backend;
    }

    WorkerSupervisor supervisor() {
        return supervisor;
    }

    /** Has a worker started, and returns the end of the link that it was told. */
    Dialler dialler() throws IOException {
        return new Dialler();
    }

    void assertThatAnotherWorkerStillGetsIn() throws IOException {
        Dialler good = new Dialler();
        HeaderSeal seal = good.enter();
        good.send(new Frames().add(Messages.ready(5)).toFrame(seal));
        assertThat(good.owner.told).containsExactly("welcomed", "ready");
        assertThat(good.remote.state()).isEqualTo(ProcessState.RUNNING);
    }
}
