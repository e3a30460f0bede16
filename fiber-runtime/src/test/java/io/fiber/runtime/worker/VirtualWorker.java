// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.worker.main.WorkerMain;
import io.fiber.spec.Secret;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A worker of a simulation: the real agent and handshake of a worker, with tasks that take time without running. What
 * {@link WorkerMain} does with threads its host does with events.
 */
public final class VirtualWorker {

    private static final Codecs CODECS =
            Codecs.of(new JavaSerializerProvider(), Options.none(), Side.WORKER, UnaryOperator.identity());
    private static final SecureRandom RANDOM = new SecureRandom();

    /** What a worker needs of the process that it is in. */
    public interface Host {
        /** Returns how late it is. */
        long nowNs();

        /** Runs an action after a delay, unless the process has ended. */
        void later(long delayNs, Runnable action);

        /** Runs a cycle of the conductor. */
        void conduct();

        /** The worker ends by its own will. */
        void exit(int code);

        /** The worker is ended by what it runs. */
        void crash(String how);
    }

    /**
     * What becomes of an item.
     *
     * @param durationNs how long it runs
     * @param kills whether it ends its worker instead of being answered
     * @param result what it returns, or the {@link Throwable} that it throws
     */
    public record Doing(long durationNs, boolean kills, Object result) {}

    /** What the tasks of a world do. */
    public interface Script {
        /**
         * An item begins.
         *
         * @param function what the call sent as its function
         * @param item what it sent as the item
         * @param announced whether the master was told before, and has let it begin
         */
        Doing begin(Object function, @Nullable Object item, boolean announced);

        /** An item is announced, and will begin when the master lets it. */
        void announce(Object function, @Nullable Object item);

        /** Tells whether a function ends each process that deserializes it. */
        boolean isLethal(Object function);

        /** Tells whether a chunk that begins with this item ends each process that it is sent to, before it begins. */
        boolean endsOnArrival(Object function, @Nullable Object item);

        /** Returns how long the initializer takes. */
        long initializerNs();
    }

    private final Host host;
    private final Script script;
    private final Bootstrap bootstrap;
    private List<VirtualTasks> tasks = List.of();

    /** Creates a worker that was given a bootstrap. */
    public VirtualWorker(Host host, Secret secret, Script script) {
        this.host = host;
        this.script = script;
        try {
            this.bootstrap = Bootstrap.decode(secret.copyBytes());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns where it dials. */
    public Address address() {
        return bootstrap.address();
    }

    /** Begins the conversation. */
    public void greet(Conductor conductor, Link link) {
        WorkerHandshake handshake = new WorkerHandshake(
                HandshakeTerms.of(
                        bootstrap.sessionId(), bootstrap.processAddress().number(), link.isConfined()),
                new JobKey(bootstrap.jobKey()),
                RANDOM);
        WorkerAgent agent = new WorkerAgent(
                handshake, (admission, role) -> admitted(admission, role, link), host::exit, Duration.ofSeconds(5));
        conductor.addDuty(agent);
        conductor.addDuty(new EntryLimit(
                Duration.ofSeconds(20),
                new MasterRoute(bootstrap.parent(), bootstrap.transport().name(), "nowhere", List::of),
                () -> !tasks.isEmpty(),
                host::exit));
        Peer master = conductor.addPeer(link, agent);
        agent.greet(master);
    }

    private TaskExecutor admitted(Admission admission, WorkerRole role, Link link) {
        Seals seals = link.isConfined()
                ? Seals.none()
                : Seals.under(admission.payloadKey(), bootstrap.processAddress().number(), (sealer, what) -> {});
        tasks = IntStream.range(0, role.threads())
                .mapToObj(slot -> new VirtualTasks(host, script, CODECS, seals))
                .toList();
        return TaskCrew.of(tasks);
    }

    /** Its process has ended. */
    public void dies() {
        tasks.forEach(VirtualTasks::die);
    }
}
