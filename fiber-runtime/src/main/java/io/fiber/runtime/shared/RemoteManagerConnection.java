// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.ManagerEndpoint;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.channel.LinkInvitation;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.eventloop.SessionThreads;
import io.fiber.runtime.eventloop.Teardown;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.PayloadKey;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * This program as a client of another one: a conductor of its own, one link, and the place in the other program's tree that
 * it was given. Over when either side ends it. Thread-safe.
 */
public final class RemoteManagerConnection implements AutoCloseable {

    private static final long GOODBYE_LIMIT_SECONDS = 3;
    private static final long WATCH_LIMIT_MS = 1_000;

    private final ManagerEndpoint endpoint;
    private final AuthClient.Entered entered;
    private final Teardown teardown = new Teardown();
    private final Conductor conductor;
    private final ExecutorService blocking;
    private final CountDownLatch over = new CountDownLatch(1);
    private final ClientHandshakeHandler arrival;
    private volatile @Nullable Peer host;
    private volatile @Nullable ProcessContext process;
    private volatile boolean leaving;
    private volatile String loss = "";

    private RemoteManagerConnection(ManagerEndpoint endpoint, AuthClient.Entered entered) {
        this.endpoint = endpoint;
        this.entered = entered;
        this.conductor = new Conductor(
                "fiber-client",
                SystemNanoClock.INSTANCE,
                entered.grant().requirements().lease());
        this.blocking = SessionThreads.blocking("fiber-client-blocking", conductor::fail);
        LinkInvitation ticket = entered.grant().ticket();
        HandshakeTerms terms = new HandshakeTerms(
                Protocol.VERSION, entered.grant().processAddress().program(), HandshakeTerms.Exposure.OPEN);
        this.arrival = new ClientHandshakeHandler(
                new WorkerHandshake(terms, ticket.number(), ticket.key(), new SecureRandom()), this::onGone);
    }

    /** Connects; waits for {@code limit} at most. */
    public static RemoteManagerConnection begin(ManagerEndpoint endpoint, Duration limit) {
        long endNs = System.nanoTime() + TimeUnit.NANOSECONDS.convert(limit);
        ClientEnvironment environment = ClientEnvironment.pack();
        RemoteManagerConnection connection =
                new RemoteManagerConnection(endpoint, new AuthClient(endpoint, endNs).authenticate());
        try {
            connection.enter(environment, endNs);
            return connection;
        } catch (RuntimeException | Error e) {
            connection.end();
            throw e;
        }
    }

    private void enter(ClientEnvironment environment, long endNs) {
        SocketChannel line = entered.line();
        Thread watch = newWatch(line);
        teardown.add(() -> join(watch));
        teardown.add(line);
        teardown.add(blocking::shutdown);
        ClientEnvironment.Fitting fitting =
                environment.fit(endpoint, entered.grant().requirements());
        Transport transport =
                fitting.transport(teardown, entered.grant().requirements().lease());
        SessionThreads.conduct(conductor, teardown);
        watch.start();
        conductor.execute(() -> conductor.later(() -> dial(transport)));
        PayloadKey key = awaitAdmission(endNs);
        Seals seals =
                Seals.under(key, RemoteClient.CLIENT_SEALER, (sealer, what) -> conductor.execute(() -> leaveAt(what)));
        RpcRouter router = new RpcRouter(entered.grant().processAddress(), conductor, seals, blocking);
        process = ProcessContext.of(
                router, binding -> Codecs.of(fitting.serializer(), fitting.serializerOptions(), Side.CLIENT, binding));
        conductor.execute(() -> {
            arrival.serve(router);
            conductor.addDuty(router);
            router.connectMaster(message -> requireNonNull(host, "host").offer(message));
        });
        if (over.getCount() == 0) {
            router.closeFor(lost());
        }
    }

    private void dial(Transport transport) {
        conductor.addTransport(transport);
        try {
            Peer dialled =
                    conductor.addPeer(transport.dial(entered.grant().ticket().address()), arrival);
            host = dialled;
            arrival.greet(dialled);
        } catch (TransportException e) {
            arrival.admitted().completeExceptionally(e);
        }
    }

    private PayloadKey awaitAdmission(long endNs) {
        try {
            return arrival.admitted().get(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("manager at " + endpoint.address(), e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw unreached(String.valueOf(cause.getMessage()), cause);
        } catch (TimeoutException e) {
            throw unreached("no answer came in time", e);
        }
    }

    private FiberException unreached(String why, Throwable cause) {
        return new FiberException(
                "FBR-445",
                "The manager at " + endpoint.address() + " let this program in, which then did not reach it at "
                        + entered.grant().ticket().address().text() + ": " + why
                        + ". Both speak by UDP: does a firewall let the ports through that are named there (data=,"
                        + " control=)? fiber.aeron.port-range in the manager's program says which are used.",
                cause);
    }

    /** Nothing is ever sent over the line: what is read from it is its end. */
    private Thread newWatch(SocketChannel line) {
        Thread watch = new Thread(
                () -> {
                    try {
                        ByteBuffer nothing = ByteBuffer.allocate(1);
                        while (line.read(nothing) >= 0) {
                            nothing.clear();
                        }
                    } catch (IOException e) {
                        // So it has ended.
                    }
                    conductor.execute(() -> {
                        Peer other = host;
                        if (other != null) {
                            other.drain(conductor.nowNs());
                        }
                        leaveAt("its program, or the manager, has ended");
                    });
                },
                "fiber-client-watch");
        watch.setDaemon(true);
        return watch;
    }

    private static void join(Thread thread) {
        try {
            thread.join(WATCH_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void leaveAt(String reason) {
        Peer other = host;
        if (other != null) {
            other.close(reason);
        }
    }

    /** Called by the conductor; what it has to do takes another thread, because the conductor ends with it. */
    private void onGone(String reason) {
        loss = reason;
        over.countDown();
        if (!leaving) {
            ProcessContext mine = process;
            if (mine != null) {
                mine.router().closeFor(lost());
            }
            Thread ending = new Thread(this::end, "fiber-client-end");
            ending.setDaemon(true);
            ending.start();
        }
    }

    private Reply.Reason lost() {
        return new Reply.Reason(
                "FBR-442",
                "The connection to the manager at " + endpoint.address() + " is lost: " + loss
                        + ". What this program held there was given back. Connect again, when the manager is there.");
    }

    /** Returns what binds handles to this connection. */
    public ProcessContext process() {
        return requireNonNull(process, "here");
    }

    /** Returns the object that the program came for. */
    public ObjectAddress object() {
        return entered.grant().object();
    }

    /** Says goodbye, so that nothing sent before is lost, and ends. */
    @Override
    public void close() {
        leaving = true;
        ProcessContext mine = process;
        if (mine != null && over.getCount() > 0) {
            mine.afterwards().runAll();
            mine.router()
                    .closeFor(new Reply.Reason(
                            "FBR-448",
                            "This program has closed its connection to the manager at " + endpoint.address() + "."));
            CompletableFuture<@Nullable Void> said = new CompletableFuture<>();
            conductor.execute(() -> mine.router().whenFlushed(() -> {
                requireNonNull(host, "host").post(Messages.goodbye(0));
                said.complete(null);
            }));
            awaitGoodbye();
        }
        end();
    }

    private void awaitGoodbye() {
        try {
            if (!over.await(GOODBYE_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                log().log(System.Logger.Level.DEBUG, "the manager's program did not answer a goodbye");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A concurrent second call blocks until teardown has finished. */
    private synchronized void end() {
        teardown.run();
    }

    private static System.Logger log() {
        return Logs.of(RemoteManagerConnection.class);
    }
}
