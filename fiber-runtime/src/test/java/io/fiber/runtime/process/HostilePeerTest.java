// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.protocol.Frames;
import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.ProviderName;
import io.fiber.runtime.protocol.TestLink;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.protocol.codec.ChallengeDecoder;
import io.fiber.runtime.protocol.codec.RefusalDecoder;
import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.HandshakeStep;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.WorkerEnd;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.transport.LinkState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Peers that reach a master's link and are not the worker they should be, or have an attacker in between. */
class HostilePeerTest {

    private final MasterFixture master = new MasterFixture();

    @Test
    void anythingButAHandshakeIsRefusedBeforeTheKeyWasShown() throws IOException {
        byte[] result = new Frames().result(4, 4, new byte[4]).toFrame();
        for (byte[] frame : List.of(
                result,
                Frames.of(Messages.ready(1)),
                Frames.of(Messages.goodbye(0)),
                Frames.of(Messages.drain()),
                new byte[] {9},
                new byte[300])) {
            long before = master.supervisor().refusals();
            MasterFixture.Dialler stranger = master.dialler();
            stranger.send(frame);
            stranger.assertRefused(before);
        }
        master.assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void wrongKeyIsRefused() throws IOException {
        MasterFixture.Dialler stranger = master.dialler();
        stranger.sayHello(
                stranger.handshake(new JobKey(Secret.of(new byte[32]))).hello());
        assertThat(stranger.heard).containsExactly(ChallengeDecoder.TEMPLATE_ID);
        stranger.send(Frames.of(Messages.proof(new byte[32])));
        stranger.assertRefused(0);
        master.assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void challengeSentBackAsProofIsRefused() throws IOException {
        MasterFixture.Dialler stranger = master.dialler();
        stranger.sayHello(
                stranger.handshake(new JobKey(Secret.of(new byte[32]))).hello());
        byte[] mastersOwn = stranger.challenge.orElseThrow().masterProof();
        stranger.send(Frames.of(Messages.proof(mastersOwn)));
        stranger.assertRefused(0);
        master.assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void unknownNumberAndThatOfAnotherLinkAreRefused() throws IOException {
        MasterFixture.Dialler first = master.dialler();
        for (long number : new long[] {first.bootstrap.processAddress().number(), 99, -1, Long.MAX_VALUE}) {
            long before = master.supervisor().refusals();
            MasterFixture.Dialler stranger = master.dialler();
            stranger.sayHello(new HandshakeMessage.Hello(Protocol.VERSION, number, new byte[32]));
            stranger.assertRefused(before);
            assertThat(stranger.heard).isEmpty();
        }
        master.assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void keyThatWasUsedOpensNothingMore() throws IOException {
        MasterFixture.Dialler first = master.dialler();
        first.enter();
        long before = master.supervisor().refusals();
        MasterFixture.Dialler second = master.dialler();
        WorkerEnd copy = second.handshake(new JobKey(first.bootstrap.jobKey()));
        second.sayHello(copy.hello());
        second.send(new Frames()
                .add(Messages.proof(
                        copy.onChallenge(second.challenge.orElseThrow()) instanceof HandshakeStep.Failed<?>
                                ? new byte[32]
                                : new byte[1]))
                .toFrame());
        second.assertRefused(before);
        first.sayHello(first.handshake(new JobKey(first.bootstrap.jobKey())).hello());
        assertThat(first.end.state()).isEqualTo(LinkState.CLOSED);
        master.assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void replayOfAWholeHandshakeIsRefused() throws IOException {
        MasterFixture.Dialler first = master.dialler();
        WorkerEnd handshake = first.handshake(new JobKey(first.bootstrap.jobKey()));
        first.sayHello(handshake.hello());
        byte[] proof = first.proof(handshake);
        long before = master.supervisor().refusals();
        first.sayHello(handshake.hello());
        first.assertRefused(before);
        first.send(Frames.of(Messages.proof(proof)));
        assertThat(first.owner.told).doesNotContain("welcomed");
        master.assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void otherVersionIsToldOursAndNothingElse() throws IOException {
        MasterFixture.Dialler stranger = master.dialler();
        stranger.sayHello(new HandshakeMessage.Hello(
                9, stranger.bootstrap.processAddress().number(), new byte[32]));
        assertThat(stranger.heard).containsExactly(RefusalDecoder.TEMPLATE_ID);
        assertThat(master.supervisor().refusals()).isEqualTo(1);
        master.assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void whatAnAttackerAppendsToTheProofOfAGenuineWorkerIsNotBelieved() throws IOException {
        MasterFixture.Dialler worker = master.dialler();
        WorkerEnd handshake = worker.handshake(new JobKey(worker.bootstrap.jobKey()));
        worker.sayHello(handshake.hello());
        worker.send(new Frames()
                .add(Messages.proof(worker.proof(handshake)))
                .add(Messages.ready(1))
                .result(4, 4, new byte[4])
                .toFrame());
        worker.assertRefused(0);
        master.assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void framesOfAProvenWorkerAreNotBelievedWhenTheyAreForgedReplayedOrCarryWhatNobodySealed() throws IOException {
        for (int kind = 0; kind < 4; kind++) {
            long before = master.supervisor().refusals();
            MasterFixture.Dialler worker = master.dialler();
            HeaderSeal seal = worker.enter();
            Frames result = new Frames().result(4, 4, new byte[4]);
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
                    master.conductor().doWork();
                    worker.owner.told.clear();
                    worker.send(beat);
                }
            }
            worker.assertRefused(before);
        }
        master.assertThatAnotherWorkerStillGetsIn();
    }

    @Test
    void linkThatIsMoreOpenThanTheFirstOneIsNotUsed() throws IOException {
        TestTransport changing = new TestTransport();
        changing.reach(TestLink.Reach.CONFINED);
        WorkerSupervisor trusting = new WorkerSupervisor(
                new WorkerSupervisor.Terms(
                        MasterFixture.SESSION,
                        "main",
                        new ProviderName("test", "none"),
                        Map.of(),
                        Map.of(),
                        ClassPathSnapshot.NONE,
                        new ProcessMachine.Limits(1, 1, 1, 1),
                        count -> 1),
                master.conductor(),
                changing,
                master.backend(),
                Runnable::run);
        trusting.serveCalls(MasterFixture.routes(master.conductor()));
        assertThat(trusting.openFirstLink()).isTrue();
        changing.reach(TestLink.Reach.OPEN);
        MasterFixture.Owner first = new MasterFixture.Owner();
        MasterFixture.Owner second = new MasterFixture.Owner();
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true")))
                .resources(Resources.unspecified())
                .build();
        trusting.start(
                spec,
                List.of(
                        new WorkerSupervisor.WorkerRequest(8, "one", WorkerRole.Kind.POOL, 1, first),
                        new WorkerSupervisor.WorkerRequest(9, "two", WorkerRole.Kind.POOL, 1, second)));
        master.conductor().doWork();
        master.conductor().doWork();
        assertThat(second.told)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("ended FAILED The transport made a link that others can reach, 'test:link'");
    }
}
