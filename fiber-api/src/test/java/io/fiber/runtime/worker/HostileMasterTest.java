// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.conductor.Conductor;
import io.fiber.runtime.process.Codecs;
import io.fiber.runtime.process.Protocol;
import io.fiber.runtime.process.Seals;
import io.fiber.runtime.secure.HandshakeMessage;
import io.fiber.runtime.secure.HandshakeStep;
import io.fiber.runtime.secure.HandshakeTerms;
import io.fiber.runtime.secure.JobKey;
import io.fiber.runtime.secure.JobKeys;
import io.fiber.runtime.secure.MasterHandshake;
import io.fiber.runtime.secure.PayloadKey;
import io.fiber.runtime.secure.WorkerHandshake;
import io.fiber.runtime.serial.JavaSerializerProvider;
import io.fiber.runtime.serial.Side;
import io.fiber.runtime.service.Afterwards;
import io.fiber.runtime.wire.Frames;
import io.fiber.runtime.wire.Inbox;
import io.fiber.runtime.wire.Message;
import io.fiber.runtime.wire.Messages;
import io.fiber.runtime.wire.Outgoing;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.Payload;
import io.fiber.runtime.wire.TestLink;
import io.fiber.runtime.wire.codec.HelloDecoder;
import io.fiber.runtime.wire.codec.ProofDecoder;
import io.fiber.spi.Options;
import io.fiber.spi.transport.LinkState;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Something that answers a worker and is not its master, or its master with an attacker in between. */
class HostileMasterTest {

    private static final HandshakeTerms TERMS =
            new HandshakeTerms(Protocol.VERSION, "abcdefghijkl", HandshakeTerms.Exposure.OPEN);
    private static final long JOB = 3;
    private static final Outgoing FUNCTION = Messages.define(5, Parcel.open(Payload.of(new byte[] {1, 2, 3})));

    private final SecureRandom random = new SecureRandom();
    private final JobKeys keys = new JobKeys(random, 8);
    private final JobKey key = keys.register(JOB);
    private final MasterHandshake genuine = new MasterHandshake(TERMS, keys, random);
    private final Conductor conductor = new Conductor("test", () -> 1, Duration.ofSeconds(20));
    private final TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
    private final TestLink master = link.peer();
    private final List<Integer> exits = new ArrayList<>();
    private final List<TaskRunner> runners = new ArrayList<>();
    private final Inbox inbox = new Inbox(this::onMessage, 1 << 20);
    private byte[] nonce = {};
    private byte[] proof = {};

    private void onMessage(Message message) {
        if (message.templateId() == HelloDecoder.TEMPLATE_ID) {
            nonce = new byte[32];
            new HelloDecoder()
                    .wrap(message.buffer(), message.offset(), message.blockLength(), message.version())
                    .getNonce(nonce, 0, 32);
        } else if (message.templateId() == ProofDecoder.TEMPLATE_ID) {
            proof = new byte[32];
            new ProofDecoder()
                    .wrap(message.buffer(), message.offset(), message.blockLength(), message.version())
                    .getProof(proof, 0, 32);
        }
    }

    @BeforeEach
    void greet() {
        WorkerAgent agent = new WorkerAgent(
                new WorkerHandshake(TERMS, JOB, key, random),
                admission -> {
                    Codecs codecs = Codecs.of(
                            new JavaSerializerProvider(), Options.none(), Side.WORKER, UnaryOperator.identity());
                    TaskRunner runner = new TaskRunner(new TaskRunner.Tools(
                            codecs.values(),
                            codecs.failures(),
                            Seals.under(admission.payloadKey(), 2),
                            conductor,
                            new Afterwards()));
                    runners.add(runner);
                    return runner;
                },
                exits::add);
        conductor.onStart();
        conductor.addDuty(agent);
        agent.greet(conductor.addPeer(link, agent));
        cycle();
        assertThat(nonce).hasSize(32);
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
        HandshakeStep<HandshakeMessage.Challenge> step =
                genuine.onHello(new HandshakeMessage.Hello(Protocol.VERSION, JOB, nonce));
        HandshakeMessage.Challenge challenge = ((HandshakeStep.Next<HandshakeMessage.Challenge>) step).value();
        send(new Frames()
                .add(Messages.challenge(
                        challenge.protocolVersion(), challenge.masterNonce(), challenge.masterProof())));
        assertThat(proof).hasSize(32);
    }

    private byte[] welcome() {
        genuine.onProof(new HandshakeMessage.Proof(proof));
        return genuine.admit(
                        PayloadKey.random(random), new WorkerRole(WorkerRole.Kind.POOL_WITH_INITIALIZER, 2).encode())
                .welcome()
                .sealed();
    }

    @Test
    void workBeforeTheMasterHasProvenItselfIsNotTaken() {
        for (Outgoing early : List.of(
                FUNCTION, Messages.drain(), Messages.cancel(1, Messages.Running.INTERRUPTED), Messages.forget(1))) {
            exits.clear();
            TestLink other = TestLink.pair(1024, TestLink.Reach.OPEN);
            WorkerAgent agent = new WorkerAgent(
                    new WorkerHandshake(TERMS, JOB, key, random),
                    admission -> {
                        throw new AssertionError("let in");
                    },
                    exits::add);
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
