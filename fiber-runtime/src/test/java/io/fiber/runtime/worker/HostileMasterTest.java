// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.function.RemoteFunction;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.ExitCode;
import io.fiber.runtime.protocol.Frames;
import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.Inbox;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.TestLink;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.protocol.codec.AssignEncoder;
import io.fiber.runtime.protocol.codec.Input;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.rpc.CompletionHooks;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.HandshakeStep;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.MasterEnd;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.PayloadKey;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import io.fiber.spi.transport.LinkState;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Something that answers a worker and is not its master, or its master with an attacker in between. */
class HostileMasterTest {

    private static final HandshakeTerms TERMS = HandshakeTerms.of("abcdefghijkl", 3, false);
    private static final Outgoing FUNCTION = Messages.define(5, SealedPayload.open(Payload.of(new byte[] {1, 2, 3})));

    private final SecureRandom random = new SecureRandom();
    private final PayloadKey payloadKey = PayloadKey.random(random);
    private final Seals seals = Seals.under(payloadKey, Protocol.MASTER_NUMBER, (sealer, what) -> {});
    private final Codecs codecs =
            Codecs.of(new JavaSerializerProvider(), Options.none(), Side.WORKER, UnaryOperator.identity());
    private final JobKey key = JobKey.random(random);
    private final MasterEnd genuine = new MasterEnd(
            new MasterHandshake(TERMS, key, random),
            payloadKey,
            new WorkerRole(WorkerRole.Kind.POOL_WITH_INITIALIZER, 1, new WorkerRole.Services(1_001, 1_002)).encode());
    private final Conductor conductor = new Conductor("test", () -> 1, Duration.ofSeconds(20));
    private final TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
    private final TestLink master = link.peer();
    private final List<Integer> exits = new ArrayList<>();
    private final List<TaskThread> runners = new ArrayList<>();
    private final Inbox inbox = new Inbox(this::onMessage, 1 << 20);
    private Optional<HandshakeMessage.Hello> hello = Optional.empty();
    private Optional<HandshakeMessage.Proof> proof = Optional.empty();
    private WorkerAgent agent;

    private void onMessage(Message message) {
        if (hello.isEmpty()) {
            hello = Optional.of((HandshakeMessage.Hello) HandshakeMessage.of(message));
        } else if (proof.isEmpty()) {
            proof = Optional.of((HandshakeMessage.Proof) HandshakeMessage.of(message));
        }
    }

    @BeforeEach
    void greet() {
        agent = new WorkerAgent(
                new WorkerHandshake(TERMS, key, random),
                (admission, role) -> startRunner(admission),
                exits::add,
                Duration.ofSeconds(5));
        conductor.addDuty(agent);
        agent.greet(conductor.addPeer(link, agent));
        cycle();
        assertThat(hello).isPresent();
    }

    private TaskThread startRunner(Admission admission) {
        Seals ofWorker = Seals.under(admission.payloadKey(), 1, (sealer, what) -> agent.cutOff(what));
        TaskThread runner = new TaskThread(
                new TaskThread.Context(codecs.values(), codecs.failures(), ofWorker, conductor, new CompletionHooks()));
        runners.add(runner);
        return runner;
    }

    private void cycle() {
        conductor.doWork();
        conductor.doWork();
        master.poll(inbox, 100);
    }

    private void send(Frames frames) {
        master.inject(frames.toFrame());
        cycle();
    }

    private void assertGone(ExitCode code) {
        assertThat(exits).isNotEmpty().first().isEqualTo(code.code());
        assertThat(runners).isEmpty();
        assertThat(proof).isEmpty();
    }

    private void challenge() {
        HandshakeStep<HandshakeMessage.Challenge> step = genuine.onHello(hello.orElseThrow());
        HandshakeMessage.Challenge challenge = ((HandshakeStep.Next<HandshakeMessage.Challenge>) step).value();
        send(new Frames().add(challenge.outgoing()));
        assertThat(proof).isPresent();
    }

    private byte[] welcome() {
        HandshakeStep<HandshakeMessage.Welcome> step = genuine.onProof(proof.orElseThrow());
        return ((HandshakeStep.Next<HandshakeMessage.Welcome>) step).value().sealed();
    }

    private HeaderSeal letIn() {
        challenge();
        send(new Frames().add(Messages.welcome(welcome())));
        return genuine.keys().seal(Protocol.CONDUCTOR_STREAM);
    }

    /** Returns what this master sealed, with one bit of it turned on its way. */
    private SealedPayload damaged(Payload payload) {
        SealedPayload sealed = seals.close(payload);
        byte[] bytes = sealed.bytes().toArray().clone();
        bytes[bytes.length / 2] ^= 1;
        return new SealedPayload(Payload.of(bytes), sealed.sealer(), sealed.sealCounter());
    }

    private Payload function() {
        PayloadOutput out = new PayloadOutput();
        RemoteFunction<Object, Object> function = value -> value;
        codecs.values().write(function, out);
        return out.toPayload();
    }

    /** An assignment of one item. */
    private record Assign(Input input, SealedPayload payload) implements Outgoing {
        @Override
        public int headerLength() {
            return MessageHeaderEncoder.ENCODED_LENGTH + AssignEncoder.BLOCK_LENGTH;
        }

        @Override
        public void encode(MutableDirectBuffer buffer, int offset, Encoders encoders) {
            encoders.assign()
                    .wrapAndApplyHeader(buffer, offset, encoders.header())
                    .chunk(7)
                    .attempt(1)
                    .function(5)
                    .input(input)
                    .firstValue(0)
                    .firstItem(0)
                    .count(1)
                    .announce((short) 0);
        }
    }

    /** Runs what was sent in this thread, until the worker wants to exit. */
    private void runUntilExit() {
        do {
            conductor.doWork();
            runners.get(0).runNext();
        } while (exits.isEmpty());
    }

    @Test
    void workBeforeTheMasterHasProvenItselfIsNotTaken() {
        for (Outgoing early : List.of(
                FUNCTION, Messages.drain(), Messages.cancel(1, Messages.Running.INTERRUPTED), Messages.forget(1))) {
            exits.clear();
            TestLink other = TestLink.pair(1024, TestLink.Reach.OPEN);
            WorkerAgent agent = new WorkerAgent(
                    new WorkerHandshake(TERMS, key, random),
                    (admission, role) -> {
                        throw new InternalError("let in");
                    },
                    exits::add,
                    Duration.ofSeconds(5));
            agent.greet(conductor.addPeer(other, agent));
            other.peer().inject(new Frames().add(early).toFrame());
            cycle();
            assertThat(other.state()).isEqualTo(LinkState.CLOSED);
            assertGone(ExitCode.MASTER_LOST);
        }
    }

    @Test
    void masterThatDoesNotHoldTheKeyGetsNoProof() {
        send(new Frames().add(Messages.challenge(Protocol.VERSION, new byte[32], new byte[32])));
        assertGone(ExitCode.REFUSED);
    }

    @Test
    void welcomeWithoutChallengeIsRefused() {
        send(new Frames().add(Messages.welcome(new byte[80])));
        assertGone(ExitCode.REFUSED);
    }

    @Test
    void refusalThatNamesOurOwnVersionIsNotTakenForADifferenceOfVersions() {
        send(new Frames().add(Messages.refusal(Protocol.VERSION)));
        assertGone(ExitCode.REFUSED);
    }

    @Test
    void welcomeThatWasChangedIsRefused() {
        challenge();
        byte[] sealed = welcome();
        sealed[3] ^= 1;
        send(new Frames().add(Messages.welcome(sealed)));
        assertThat(exits).first().isEqualTo(ExitCode.REFUSED.code());
        assertThat(runners).isEmpty();
    }

    @Test
    void workThatAnAttackerAppendsToTheGenuineWelcomeIsNotTaken() {
        challenge();
        send(new Frames().add(Messages.welcome(welcome())).add(FUNCTION));
        assertThat(runners).hasSize(1);
        assertThat(link.state()).isEqualTo(LinkState.CLOSED);
        assertThat(exits).first().isEqualTo(ExitCode.MASTER_LOST.code());
        assertThat(runners.get(0).peek()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void payloadThatWasDamagedCostsTheMasterItsLinkBeforeAnythingIsSaidAboutIt(Damaged kind) {
        HeaderSeal header = letIn();
        Frames frames = new Frames();
        switch (kind) {
            case INITIALIZER -> frames.add(Messages.define(WorkerRole.START_FUNCTION, damaged(function())));
            case FUNCTION ->
                frames.add(Messages.define(5, damaged(function())))
                        .add(new Assign(Input.INT_RANGE, SealedPayload.none()));
            case ITEMS ->
                frames.add(Messages.define(5, seals.close(function())))
                        .add(new Assign(Input.ITEMS, damaged(Payload.of(new byte[40]))));
        }
        master.inject(frames.toFrame(header));
        runUntilExit();
        assertThat(exits).containsExactly(ExitCode.MASTER_LOST.code());
        assertThat(link.state()).isEqualTo(LinkState.CLOSED);
        assertThat(link.sent()).isEmpty();
    }

    /** What an attacker changed. */
    private enum Damaged {
        INITIALIZER,
        FUNCTION,
        ITEMS
    }

    @Test
    void workThatNobodySealedIsNotTakenAfterTheHandshake() {
        challenge();
        send(new Frames().add(Messages.welcome(welcome())));
        assertThat(exits).isEmpty();
        send(new Frames().add(FUNCTION));
        assertThat(link.state()).isEqualTo(LinkState.CLOSED);
        assertThat(exits).first().isEqualTo(ExitCode.MASTER_LOST.code());
    }
}
