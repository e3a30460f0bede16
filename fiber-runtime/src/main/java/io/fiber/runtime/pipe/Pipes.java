// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.Connection;
import io.fiber.OneWayPipe;
import io.fiber.Pipe;
import io.fiber.runtime.channel.DirectLinks;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The pipes of one process: creates them, and keeps the ends that are used here. Thread-safe, except for methods that
 * the conductor calls.
 */
public final class Pipes implements Duty {

    /** How long a process that ends waits until the other ends of its pipes have received what it has sent. */
    static final Duration GOODBYE_LIMIT = Duration.ofSeconds(20);

    private final ProcessContext process;
    private final DirectLinks links;
    private final ConcurrentMap<PipeHandle, Endpoint> endpoints = new ConcurrentHashMap<>();
    private final Queue<Endpoint> flushing = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean dutiesBegun = new AtomicBoolean();
    private volatile boolean leaving;
    private long goodbyeEndNs;
    private Runnable goodbye = () -> {};

    private Pipes(ProcessContext process, DirectLinks links) {
        this.process = process;
        this.links = links;
    }

    /**
     * Opens the pipes of a process, including those whose handles arrive in it.
     *
     * @param transport the transport by which the process can be reached
     */
    public static Pipes open(ProcessContext process, Transport transport) {
        Conductor conductor = process.router().conductor();
        String program = process.router().processAddress().program();
        DirectLinks links = new DirectLinks(program, transport, conductor.lease(), () -> {
            if (conductor.isPolling()) {
                conductor.wake();
            }
        });
        Pipes pipes = new Pipes(process, links);
        process.add(Pipes.class, pipes);
        return pipes;
    }

    public <A extends @Nullable Object, B extends @Nullable Object> Pipe<A, B> pipe() {
        ObjectAddress meeting = newMeeting();
        return new Pipe<>(end(meeting, 0), end(meeting, 1));
    }

    public <T extends @Nullable Object> OneWayPipe<T> oneWayPipe() {
        ObjectAddress meeting = newMeeting();
        return new OneWayPipe<>(this.<T, T>end(meeting, 0), this.<T, T>end(meeting, 1));
    }

    /** Withdraws a pipe that was created here and is no longer used: its ends can no longer connect. */
    public void withdraw(Pipe<?, ?> pipe) {
        if (pipe.first() instanceof PipeEnd<?, ?> end) {
            router().withdraw(end.meeting());
        }
    }

    /** Returns an end for a user that handles its parts and does not use it in any other way. */
    public static RawPipeEnd raw(Connection<?, ?> end) {
        if (end instanceof PipeEnd<?, ?> known) {
            return known.raw();
        }
        throw new IllegalArgumentException(end + " is not an end of a pipe.");
    }

    private ObjectAddress newMeeting() {
        ObjectAddress address = router().reserve();
        return router().host(address.object(), new PipeRendezvous(seals(), () -> router().withdraw(address)));
    }

    private <S extends @Nullable Object, R extends @Nullable Object> PipeEnd<S, R> end(
            ObjectAddress meeting, int side) {
        return new PipeEnd<>(this, new PipeHandle(meeting, side));
    }

    Endpoint endpoint(PipeHandle handle) {
        beginDuties();
        return endpoints.computeIfAbsent(handle, key -> new Endpoint(this, key));
    }

    /** Adds duties for pipes only when a pipe is used. */
    private void beginDuties() {
        if (dutiesBegun.compareAndSet(false, true)) {
            Conductor conductor = router().conductor();
            conductor.execute(() -> {
                conductor.addDuty(links);
                conductor.addDuty(this);
            });
        }
    }

    void forget(Endpoint endpoint) {
        endpoints.remove(endpoint.handle, endpoint);
    }

    RpcRouter router() {
        return process.router();
    }

    DirectLinks links() {
        return links;
    }

    Codecs codecs() {
        return process.codecs();
    }

    Seals seals() {
        return process.seals();
    }

    /** Returns a text that the rendezvous or the other end has sealed. */
    String text(SealedPayload payload) {
        try {
            return seals().open(payload).open().readText();
        } catch (IOException | SealException e) {
            return "the reason cannot be read: " + e.getMessage();
        }
    }

    /** Lets the conductor pump this end until nothing is left to do. Thread-safe. */
    void flush(Endpoint endpoint) {
        flushing.add(endpoint);
        router().conductor().wake();
    }

    /**
     * Closes all ends because this process ends, and runs {@code done} when what they had sent has left, but no later
     * than {@link #GOODBYE_LIMIT}. The conductor calls it.
     */
    public void leave(Runnable done) {
        goodbye = done;
        goodbyeEndNs = router().conductor().nowNs() + GOODBYE_LIMIT.toNanos();
        endpoints.values().forEach(Endpoint::close);
        leaving = true;
        beginDuties();
    }

    @Override
    public int doWork(long nowNs) {
        int work = 0;
        for (int left = flushing.size(); left > 0; left--) {
            Endpoint endpoint = flushing.poll();
            if (endpoint != null && !endpoint.pump()) {
                flushing.add(endpoint);
            } else {
                work++;
            }
        }
        if (leaving && (nowNs - goodbyeEndNs > 0 || endpoints.values().stream().allMatch(Endpoint::hasSaidAll))) {
            leaving = false;
            goodbye.run();
            work++;
        }
        return work;
    }

    /** The conductor reads and writes the links of these ends itself, which are not watched. */
    @Override
    public boolean isUrgent() {
        return leaving || !flushing.isEmpty();
    }

    @Override
    public boolean isTimed() {
        return false;
    }

    @Override
    public void onClose() {
        endpoints.values().forEach(Endpoint::onProcessEnds);
    }
}
