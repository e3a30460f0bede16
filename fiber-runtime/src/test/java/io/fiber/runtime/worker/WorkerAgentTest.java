// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.function.RemoteCallable;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.ExitCode;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.PairedLink;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.protocol.codec.GoodbyeDecoder;
import io.fiber.runtime.protocol.codec.HaltingDecoder;
import io.fiber.runtime.protocol.codec.HelloDecoder;
import io.fiber.runtime.protocol.codec.ProofDecoder;
import io.fiber.runtime.protocol.codec.ReadyDecoder;
import io.fiber.runtime.protocol.codec.UnreadyDecoder;
import io.fiber.runtime.rpc.CompletionHooks;
import io.fiber.runtime.security.ConnectionKeys;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.PayloadKey;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Both ends in one thread: the runner conducts the worker's end, and a duty of it the master's. */
class WorkerAgentTest implements Peer.Listener, MasterHandshake.Owner {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final long JOB = 7;

    private final SecureRandom random = new SecureRandom();
    private final Codecs codecs =
            Codecs.of(new JavaSerializerProvider(), Options.none(), Side.WORKER, UnaryOperator.identity());
    private final JobKey key = JobKey.random(random);
    private final HandshakeTerms terms = HandshakeTerms.of("session", JOB, true);
    private final MasterHandshake handshake = new MasterHandshake(terms, key, random);
    private final PairedLink.Pair links = PairedLink.pair();
    private final Conductor masters = new Conductor("master", SystemNanoClock.INSTANCE, LEASE);
    private final Conductor workers = new Conductor("worker", SystemNanoClock.INSTANCE, LEASE);
    private final TaskThread runner = new TaskThread(
            new TaskThread.Context(codecs.values(), codecs.failures(), Seals.none(), workers, new CompletionHooks()));
    private final Peer worker = masters.addPeer(links.master(), this);
    private final List<String> said = new ArrayList<>();
    private final List<Integer> exits = new ArrayList<>();
    private WorkerRole.Kind kind = WorkerRole.Kind.POOL;
    private Runnable onReady = () -> {};
    private @Nullable WorkerAgent agent;

    /** Ends the runner, as a failure of the JVM does: a fault of code would end the message alone. */
    private static final class EndOfTest extends InternalError {
        private static final long serialVersionUID = 1L;
    }

    private void run(JobKey shown) {
        IntConsumer exit = code -> {
            exits.add(code);
            throw new EndOfTest();
        };
        agent = new WorkerAgent(
                new WorkerHandshake(terms, shown, random), (admission, role) -> runner, exit, Duration.ofSeconds(5));
        workers.addDuty(agent);
        workers.addDuty(nowNs -> masters.doWork());
        agent.greet(workers.addPeer(links.worker(), agent));
        try {
            while (true) {
                workers.doWork();
                runner.runNext();
            }
        } catch (EndOfTest e) {
            masters.doWork();
        }
    }

    @Override
    public void onMessage(Peer peer, Message message) {
        switch (message.templateId()) {
            case HelloDecoder.TEMPLATE_ID, ProofDecoder.TEMPLATE_ID -> handshake.onMessage(message, this);
            case ReadyDecoder.TEMPLATE_ID -> {
                said.add("ready");
                onReady.run();
            }
            case UnreadyDecoder.TEMPLATE_ID ->
                said.add("unready: "
                        + codecs.failures()
                                .read(message.payload().bytes().open())
                                .type());
            case HaltingDecoder.TEMPLATE_ID -> said.add("halting");
            case GoodbyeDecoder.TEMPLATE_ID ->
                said.add("goodbye " + message.as(new GoodbyeDecoder()).exitCode());
            default -> {}
        }
    }

    @Override
    public void onGone(Peer peer, String reason) {
        said.add("gone");
    }

    @Override
    public void post(Outgoing message) {
        worker.post(message);
    }

    @Override
    public MasterHandshake.Welcome admit() {
        WorkerRole role = new WorkerRole(kind, 1, new WorkerRole.Services(1_001, 1_002));
        return new MasterHandshake.Welcome(PayloadKey.random(random), role.encode());
    }

    @Override
    public void onOtherVersion(HandshakeFailure failure) {
        throw new AssertionError(failure);
    }

    @Override
    public void refuse(String reason) {
        throw new AssertionError(reason);
    }

    @Override
    public void onAccepted(ConnectionKeys keys) {
        worker.trust(Protocol.PAYLOAD_LIMIT_BYTES);
        if (kind != WorkerRole.Kind.POOL) {
            worker.post(Messages.define(WorkerRole.START_FUNCTION, first()));
        }
    }

    private SealedPayload first() {
        RemoteCallable<Object> program = fails
                ? () -> {
                    throw new IllegalStateException("on purpose");
                }
                : () -> "done";
        PayloadOutput out = new PayloadOutput();
        codecs.values().write(program, out);
        return SealedPayload.open(out.toPayload());
    }

    private boolean fails;

    @Test
    void drainedWorkerSaysGoodbyeBeforeItEnds() {
        onReady = () -> worker.post(Messages.drain());
        run(key);

        assertThat(said).startsWith("ready", "goodbye 0");
        assertThat(exits).containsExactly(ExitCode.DONE.code());
    }

    @Test
    void workerThatIsHaltedTellsItsMasterBefore() {
        CompletableFuture<@Nullable Void> left = new CompletableFuture<>();
        onReady = () -> {
            requireNonNull(agent, "agent").tellHalting(left);
            assertThat(left).isNotDone();
            worker.post(Messages.drain());
        };
        run(key);

        assertThat(said).startsWith("ready", "halting", "goodbye 0");
        assertThat(left).isCompleted();
    }

    @Test
    void goodbyeIsAwaitedWhileTheWayIsFull() {
        int[] cycles = new int[1];
        onReady = () -> {
            worker.post(Messages.drain());
            links.worker().full = true;
        };
        workers.addDuty(nowNs -> {
            if (links.worker().full && cycles[0]++ == 20) {
                assertThat(exits).isEmpty();
                links.worker().full = false;
            }
            return 1;
        });
        run(key);

        assertThat(cycles[0]).isEqualTo(21);
        assertThat(said).startsWith("ready", "goodbye 0");
    }

    @Test
    void workerIsReadyWhenItsInitializerHasRun() {
        kind = WorkerRole.Kind.POOL_WITH_INITIALIZER;
        onReady = () -> worker.post(Messages.drain());
        run(key);

        assertThat(said).startsWith("ready", "goodbye 0");
    }

    @Test
    void initializerThatFailsIsToldBeforeTheWorkerEnds() {
        kind = WorkerRole.Kind.POOL_WITH_INITIALIZER;
        fails = true;
        run(key);

        assertThat(said)
                .startsWith(
                        "unready: java.lang.IllegalStateException", "goodbye " + ExitCode.INITIALIZER_FAILED.code());
        assertThat(exits).containsExactly(ExitCode.INITIALIZER_FAILED.code());
    }

    @Test
    void workerWhoseMasterIsGoneEnds() {
        onReady = () -> links.worker().close();
        run(key);

        assertThat(exits).containsExactly(ExitCode.MASTER_LOST.code());
    }

    @Test
    void workerWhoseLinkEndsBeforeItsGoodbyeHasLeftEnds() {
        int[] cycles = new int[1];
        onReady = () -> {
            worker.post(Messages.drain());
            links.worker().full = true;
        };
        workers.addDuty(nowNs -> {
            if (links.worker().full && cycles[0]++ == 20) {
                links.worker().close();
            }
            return 1;
        });
        run(key);

        assertThat(exits).containsExactly(ExitCode.DONE.code());
        assertThat(said).doesNotContain("goodbye 0");
    }

    @Test
    void masterWithAnotherKeyIsRefused() {
        run(JobKey.random(random));

        assertThat(exits).containsExactly(ExitCode.REFUSED.code());
        assertThat(said).isEmpty();
    }
}
