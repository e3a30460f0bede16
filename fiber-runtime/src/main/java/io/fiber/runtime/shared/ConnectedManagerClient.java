// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.ConnectedManager;
import io.fiber.FiberException;
import io.fiber.ManagerEndpoint;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.SessionThreads;
import io.fiber.runtime.eventloop.Teardown;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportProvider;
import java.io.IOException;
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
 * A manager of another program, as a program that has connected to it holds it: a conductor of its own, one link, and the
 * place in the other program's tree that it was given. Over when either side ends it. Thread-safe.
 */
public final class ConnectedManagerClient extends ObjectsClient implements ConnectedManager {

    private static final System.Logger LOG = Logs.of(ConnectedManagerClient.class);
    private static final long GOODBYE_LIMIT_SECONDS = 3;

    private final ManagerEndpoint endpoint;
    private final Teardown teardown = new Teardown();
    private final Conductor conductor;
    private final ExecutorService blocking;
    private final CountDownLatch over = new CountDownLatch(1);
    private final ClientHandshakeHandler arrival;
    private volatile @Nullable RemoteObject registry;
    private volatile boolean leaving;
    private volatile String loss = "";

    private ConnectedManagerClient(ManagerEndpoint endpoint, Duration lease) {
        this.endpoint = endpoint;
        this.conductor = new Conductor("fiber-client", SystemNanoClock.INSTANCE, lease);
        this.blocking = SessionThreads.blocking("fiber-client-blocking", conductor::fail);
        JobKey key = JobKey.derived(endpoint.key(), ClientRegistry.USE);
        this.arrival = new ClientHandshakeHandler(
                endpoint, new WorkerHandshake(ClientRegistry.handshakeTerms(), key, new SecureRandom()), this::onGone);
    }

    /** Connects; waits for {@code limit} at most. */
    public static ConnectedManager connect(ManagerEndpoint endpoint, Duration limit) {
        long endNs = System.nanoTime() + TimeUnit.NANOSECONDS.convert(limit);
        ClientEnvironment environment = ClientEnvironment.pack();
        ConnectedManagerClient client = new ConnectedManagerClient(endpoint, environment.lease());
        try {
            client.enter(environment, endNs);
            return client;
        } catch (RuntimeException | Error e) {
            client.end();
            throw e;
        }
    }

    private void enter(ClientEnvironment environment, long endNs) {
        teardown.add(blocking::shutdown);
        TransportProvider provider = environment.transport();
        Address address =
                provider.listeningAddress(endpoint.host(), endpoint.port()).orElseThrow();
        Transport transport = environment.open(provider, teardown);
        SessionThreads.conduct(conductor, teardown);
        conductor.execute(() -> conductor.later(() -> dial(transport, address)));
        Admission admission = awaitAdmission(endNs);
        AccessGrant.Granted grant = granted(admission);
        Seals seals = Seals.under(
                admission.payloadKey(),
                RemoteClient.CLIENT_SEALER,
                (sealer, what) -> conductor.execute(() -> arrival.host().close(what)));
        RpcRouter router = new RpcRouter(grant.processAddress(), conductor, seals, blocking);
        registry = new RemoteObject(
                new ProcessContext(router, binding -> environment.codecs(endpoint, grant.serializer(), binding)),
                grant.object());
        conductor.execute(() -> {
            arrival.host().agreeOn(grant.lease());
            arrival.serve(router);
            conductor.addDuty(router);
            router.connectMaster(message -> arrival.host().offer(message));
        });
        if (over.getCount() == 0) {
            router.closeFor(lost());
        }
    }

    private AccessGrant.Granted granted(Admission admission) {
        try {
            AccessGrant grant = AccessGrant.decode(admission.settings());
            if (grant instanceof AccessGrant.Granted granted) {
                return granted;
            }
            throw new FiberException(
                    "FBR-446",
                    "The manager at " + endpoint.address() + " refuses this program, although it has the key: "
                            + ((AccessGrant.Denied) grant).why() + ".");
        } catch (IOException e) {
            throw unanswered("it sent something else than a grant", e);
        }
    }

    private void dial(Transport transport, Address address) {
        conductor.addTransport(transport);
        try {
            arrival.greet(conductor.addPeer(transport.dial(address), arrival));
        } catch (TransportException e) {
            arrival.admitted().completeExceptionally(e);
        }
    }

    private Admission awaitAdmission(long endNs) {
        try {
            return arrival.admitted().get(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("manager at " + endpoint.address(), e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cause instanceof FiberException known ? known : unanswered(String.valueOf(cause.getMessage()), cause);
        } catch (TimeoutException e) {
            throw unanswered("it did not answer in time", e);
        }
    }

    private FiberException unanswered(String why, Throwable cause) {
        return new FiberException(
                "FBR-438",
                "No manager accepts this program at " + endpoint.address() + ": " + why
                        + ". Expected a manager that listens there: is its program still running, is this its address,"
                        + " and does a firewall let the TCP port through?",
                cause);
    }

    /** Called by the conductor; what it has to do takes another thread, because the conductor ends with it. */
    private void onGone(String reason) {
        loss = reason;
        over.countDown();
        if (!leaving) {
            RemoteObject known = registry;
            if (known != null) {
                known.process().router().closeFor(lost());
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

    @Override
    RemoteObject registry() {
        return requireNonNull(registry, "registry");
    }

    @Override
    public ManagerEndpoint endpoint() {
        return endpoint;
    }

    /** Says goodbye, so that nothing sent before is lost, and ends. */
    @Override
    public void close() {
        leaving = true;
        RemoteObject known = registry;
        if (known != null && over.getCount() > 0) {
            ProcessContext mine = known.process();
            mine.afterwards().runAll();
            mine.router()
                    .closeFor(new Reply.Reason(
                            "FBR-448",
                            "This program has closed its connection to the manager at " + endpoint.address() + "."));
            CompletableFuture<@Nullable Void> said = new CompletableFuture<>();
            conductor.execute(() -> mine.router().whenFlushed(() -> {
                arrival.post(Messages.goodbye(0));
                said.complete(null);
            }));
            awaitGoodbye();
        }
        end();
    }

    private void awaitGoodbye() {
        try {
            if (!over.await(GOODBYE_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(System.Logger.Level.DEBUG, "the manager's program did not answer a goodbye");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A concurrent second call blocks until teardown has finished. */
    private synchronized void end() {
        teardown.run();
    }

    @Override
    public String toString() {
        return "ConnectedManager[" + endpoint.address() + "]";
    }
}
