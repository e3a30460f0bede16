// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.ProcessState;
import io.fiber.runtime.conductor.Conductor;
import io.fiber.runtime.secure.Admission;
import io.fiber.runtime.secure.HandshakeMessage;
import io.fiber.runtime.secure.HandshakeStep;
import io.fiber.runtime.secure.HandshakeTerms;
import io.fiber.runtime.secure.JobKey;
import io.fiber.runtime.secure.WorkerHandshake;
import io.fiber.runtime.wire.Frames;
import io.fiber.runtime.wire.HeaderSeal;
import io.fiber.runtime.wire.Inbox;
import io.fiber.runtime.wire.Message;
import io.fiber.runtime.wire.Messages;
import io.fiber.runtime.wire.TestLink;
import io.fiber.runtime.wire.codec.ChallengeDecoder;
import io.fiber.runtime.wire.codec.RefusalDecoder;
import io.fiber.runtime.wire.codec.ResultDecoder;
import io.fiber.runtime.wire.codec.WelcomeDecoder;
import io.fiber.runtime.worker.Bootstrap;
import io.fiber.runtime.worker.WorkerRole;
import io.fiber.spi.Resources;
import io.fiber.spi.Secret;
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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Peers that reach a master's link and are not the worker they should be, or have an attacker in between. */
class HostilePeerTest {

    private static final String SESSION = "abcdefghijkl";

    private final TestTransport transport = new TestTransport();
    private final TestBackend backend = new TestBackend();
    private long nowNs = 1;
    private final Conductor conductor = new Conductor("test", () -> nowNs, Duration.ofSeconds(20));
    private final Household household = new Household(
            new Household.Terms(
                    SESSION,
                    "main",
                    "test",
                    Map.of(),
                    new ProcessMachine.Limits(60_000_000_000L, 1_000_000_000L, 1_000_000_000L),
                    new AtomicLong()::incrementAndGet),
            conductor,
            transport,
            backend,
            Runnable::run);
    private final SecureRandom random = new SecureRandom();
    private int hired;

    /** Remembers what it was told. */
    private static final class Owner implements WorkerOwner {
        private final List<String> told = new ArrayList<>();
        private final List<RemoteWorker> hired = new ArrayList<>();

        @Override
        public void onHired(RemoteWorker worker) {
            hired.add(worker);
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
        }

        @Override
        public void onEnded(RemoteWorker worker, ProcessEnd end, List<String> lastLines) {
            told.add("ended " + end.state() + " " + end.how());
        }
    }

    /** The other end of a link that the master made for one worker. */
    private final class Dialler {
        private final Owner owner = new Owner();
        private final RemoteWorker remote;
        private final TestLink end;
        private final Bootstrap bootstrap;
        private final List<Integer> heard = new ArrayList<>();
        private Optional<HandshakeMessage.Challenge> challenge = Optional.empty();
        private byte[] welcome = {};
        private final Inbox inbox = new Inbox(this::onMessage, 1 << 20);

        Dialler() throws IOException {
            household.start(
                    JobSpec.builder(new Program.Command(List.of("true"))).build(),
                    List.of(new Household.Vacancy("job-" + ++hired, WorkerRole.Kind.POOL, owner)));
            conductor.doWork();
            conductor.doWork();
            remote = owner.hired.get(0);
            end = transport.last().peer();
            bootstrap = Bootstrap.decode(backend.lastBootstrap());
        }

        private void onMessage(Message message) {
            heard.add(message.templateId());
            if (message.templateId() == ChallengeDecoder.TEMPLATE_ID) {
                ChallengeDecoder decoder = new ChallengeDecoder()
                        .wrap(message.buffer(), message.offset(), message.blockLength(), message.version());
                byte[] nonce = new byte[32];
                byte[] proof = new byte[32];
                decoder.getNonce(nonce, 0, 32);
                decoder.getProof(proof, 0, 32);
                challenge = Optional.of(new HandshakeMessage.Challenge(decoder.protocolVersion(), nonce, proof));
            } else if (message.templateId() == WelcomeDecoder.TEMPLATE_ID) {
                welcome = message.parcel().payload().toArray();
            }
        }

        void send(byte[] frame) {
            end.inject(frame);
            conductor.doWork();
            end.poll(inbox, 100);
        }

        WorkerHandshake handshake(JobKey key) {
            return new WorkerHandshake(
                    new HandshakeTerms(Protocol.VERSION, SESSION, HandshakeTerms.Exposure.OPEN),
                    bootstrap.jobNumber(),
                    key,
                    random);
        }

        void sayHello(HandshakeMessage.Hello hello) {
            send(new Frames()
                    .add(Messages.hello(hello.protocolVersion(), hello.jobNumber(), hello.workerNonce()))
                    .toFrame());
        }

        byte[] proof(WorkerHandshake handshake) {
            HandshakeStep<HandshakeMessage.Proof> step = handshake.onChallenge(challenge.orElseThrow());
            return ((HandshakeStep.Next<HandshakeMessage.Proof>) step).value().workerProof();
        }

        Admission admit(WorkerHandshake handshake) {
            HandshakeStep<Admission> step = handshake.onWelcome(new HandshakeMessage.Welcome(welcome));
            return ((HandshakeStep.Next<Admission>) step).value();
        }

        HeaderSeal enter() {
            WorkerHandshake handshake = handshake(JobKey.of(bootstrap.jobKey()));
            sayHello(handshake.hello());
            send(new Frames().add(Messages.proof(proof(handshake))).toFrame());
            return admit(handshake).keys().headerSeal(Protocol.CONDUCTOR_STREAM);
        }

        void assertRefused(long refusalsBefore) {
            assertThat(end.state()).isEqualTo(LinkState.CLOSED);
            assertThat(household.refusals()).isEqualTo(refusalsBefore + 1);
            assertThat(owner.told).doesNotContain("ready").noneMatch(what -> what.startsWith("message"));
        }
    }

    @BeforeEach
    void openFirstLink() {
        conductor.onStart();
        assertThat(household.openFirstLink()).isFalse();
    }

    private void assertThatAnotherWorkerStillGetsIn() throws IOException {
        Dialler good = new Dialler();
        HeaderSeal seal = good.enter();
        good.send(new Frames().add(Messages.ready(5)).toFrame(seal));
        assertThat(good.owner.told).containsExactly("welcomed", "ready");
        assertThat(good.remote.state()).isEqualTo(ProcessState.RUNNING);
    }

    @Test
    void anythingButAHandshakeIsRefusedBeforeTheKeyWasShown() throws IOException {
        byte[] result = new Frames()
                .add(ResultDecoder.TEMPLATE_ID, ResultDecoder.BLOCK_LENGTH, 4, 4, new byte[4])
                .toFrame();
        for (byte[] frame : List.of(
                result,
                new Frames().add(Messages.ready(1)).toFrame(),
                new Frames().add(Messages.goodbye(0)).toFrame(),
                new Frames().add(Messages.drain()).toFrame(),
                new byte[] {9},
                new byte[300])) {
            long before = household.refusals();
            Dialler stranger = new Dialler();
            stranger.send(frame);
            stranger.assertRefused(before);
        }
        assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void wrongKeyIsRefused() throws IOException {
        Dialler stranger = new Dialler();
        stranger.sayHello(stranger.handshake(JobKey.of(Secret.of(new byte[32]))).hello());
        assertThat(stranger.heard).containsExactly(ChallengeDecoder.TEMPLATE_ID);
        stranger.send(new Frames().add(Messages.proof(new byte[32])).toFrame());
        stranger.assertRefused(0);
        assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void challengeSentBackAsProofIsRefused() throws IOException {
        Dialler stranger = new Dialler();
        stranger.sayHello(stranger.handshake(JobKey.of(Secret.of(new byte[32]))).hello());
        byte[] mastersOwn = stranger.challenge.orElseThrow().masterProof();
        stranger.send(new Frames().add(Messages.proof(mastersOwn)).toFrame());
        stranger.assertRefused(0);
        assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void unknownJobNumberAndThatOfAnotherLinkAreRefused() throws IOException {
        Dialler first = new Dialler();
        for (long number : new long[] {first.bootstrap.jobNumber(), 99, -1, Long.MAX_VALUE}) {
            long before = household.refusals();
            Dialler stranger = new Dialler();
            stranger.sayHello(new HandshakeMessage.Hello(Protocol.VERSION, number, new byte[32]));
            stranger.assertRefused(before);
            assertThat(stranger.heard).isEmpty();
        }
        assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void keyThatWasUsedOpensNothingMore() throws IOException {
        Dialler first = new Dialler();
        first.enter();
        long before = household.refusals();
        Dialler second = new Dialler();
        WorkerHandshake copy = second.handshake(JobKey.of(first.bootstrap.jobKey()));
        second.sayHello(copy.hello());
        second.send(new Frames()
                .add(Messages.proof(
                        copy.onChallenge(second.challenge.orElseThrow()) instanceof HandshakeStep.Failed<?>
                                ? new byte[32]
                                : new byte[1]))
                .toFrame());
        second.assertRefused(before);
        first.sayHello(first.handshake(JobKey.of(first.bootstrap.jobKey())).hello());
        assertThat(first.end.state()).isEqualTo(LinkState.CLOSED);
        assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void replayOfAWholeHandshakeIsRefused() throws IOException {
        Dialler first = new Dialler();
        WorkerHandshake handshake = first.handshake(JobKey.of(first.bootstrap.jobKey()));
        first.sayHello(handshake.hello());
        byte[] proof = first.proof(handshake);
        long before = household.refusals();
        first.send(new Frames()
                .add(Messages.hello(
                        1, handshake.hello().jobNumber(), handshake.hello().workerNonce()))
                .toFrame());
        first.assertRefused(before);
        first.send(new Frames().add(Messages.proof(proof)).toFrame());
        assertThat(first.owner.told).doesNotContain("welcomed");
        assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void otherVersionIsToldOursAndNothingElse() throws IOException {
        Dialler stranger = new Dialler();
        stranger.sayHello(new HandshakeMessage.Hello(9, stranger.bootstrap.jobNumber(), new byte[32]));
        assertThat(stranger.heard).containsExactly(RefusalDecoder.TEMPLATE_ID);
        assertThat(household.refusals()).isEqualTo(1);
        assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void whatAnAttackerAppendsToTheProofOfAGenuineWorkerIsNotBelieved() throws IOException {
        Dialler worker = new Dialler();
        WorkerHandshake handshake = worker.handshake(JobKey.of(worker.bootstrap.jobKey()));
        worker.sayHello(handshake.hello());
        worker.send(new Frames()
                .add(Messages.proof(worker.proof(handshake)))
                .add(Messages.ready(1))
                .add(ResultDecoder.TEMPLATE_ID, ResultDecoder.BLOCK_LENGTH, 4, 4, new byte[4])
                .toFrame());
        worker.assertRefused(0);
        assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void framesOfAProvenWorkerAreNotBelievedWhenTheyAreForgedReplayedOrCarryWhatNobodySealed() throws IOException {
        for (int kind = 0; kind < 4; kind++) {
            long before = household.refusals();
            Dialler worker = new Dialler();
            HeaderSeal seal = worker.enter();
            Frames result = new Frames().add(ResultDecoder.TEMPLATE_ID, ResultDecoder.BLOCK_LENGTH, 4, 4, new byte[4]);
            byte[] beat = new Frames()
                    .add(Messages.cancel(1, Messages.Running.INTERRUPTED))
                    .toFrame(seal);
            switch (kind) {
                case 0 -> worker.send(result.toFrame());
                case 1 -> worker.send(result.toFrame(seal));
                case 2 -> {
                    beat[4] ^= 1;
                    worker.send(beat);
                }
                default -> {
                    worker.end.inject(beat);
                    conductor.doWork();
                    worker.owner.told.clear();
                    worker.send(beat);
                }
            }
            worker.assertRefused(before);
        }
        assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void linkThatIsMoreOpenThanTheFirstOneIsNotUsed() throws IOException {
        TestTransport changing = new TestTransport();
        changing.reach(TestLink.Reach.CONFINED);
        Household trusting = new Household(
                new Household.Terms(
                        SESSION,
                        "main",
                        "test",
                        Map.of(),
                        new ProcessMachine.Limits(1, 1, 1),
                        new AtomicLong()::incrementAndGet),
                conductor,
                changing,
                backend,
                Runnable::run);
        assertThat(trusting.openFirstLink()).isTrue();
        changing.reach(TestLink.Reach.OPEN);
        Owner first = new Owner();
        Owner second = new Owner();
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true")))
                .resources(Resources.unspecified())
                .build();
        trusting.start(
                spec,
                List.of(
                        new Household.Vacancy("one", WorkerRole.Kind.POOL, first),
                        new Household.Vacancy("two", WorkerRole.Kind.POOL, second)));
        conductor.doWork();
        conductor.doWork();
        assertThat(second.told)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("ended FAILED The transport made a link that others can reach, 'test:link'");
    }
}
