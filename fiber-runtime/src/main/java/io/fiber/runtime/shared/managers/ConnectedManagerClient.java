// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.managers;

import static java.util.Objects.requireNonNull;

import io.fiber.ConnectedManager;
import io.fiber.FiberException;
import io.fiber.ManagerEndpoint;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.Providers;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.IoThread;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.AgronaAccess;
import io.fiber.runtime.platform.SessionDirectory;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.platform.ShellReaper;
import io.fiber.runtime.platform.Teardown;
import io.fiber.runtime.process.TransportSettings;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.serialization.TypeFilter;
import io.fiber.runtime.shared.ObjectsClient;
import io.fiber.runtime.shared.RemoteObject;
import io.fiber.spi.CallerHost;
import io.fiber.spi.serializer.ObjectSerializer;
import io.fiber.spi.serializer.SerializerProvider;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportProvider;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
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
    private final FiberConfig config;
    private final Providers providers;
    private final Teardown teardown = new Teardown();
    private final Conductor conductor;
    private final ExecutorService blocking;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Arrival arrival;
    private volatile @Nullable RemoteObject registry;
    private volatile boolean leaving;
    private volatile String loss = "";

    private ConnectedManagerClient(ManagerEndpoint endpoint, FiberConfig config, Providers providers) {
        this.endpoint = endpoint;
        this.config = config;
        this.providers = providers;
        this.conductor = new Conductor("fiber-client", SystemNanoClock.INSTANCE, config.duration(ConfigKey.LEASE));
        this.blocking = SessionThreads.blocking("fiber-client-blocking", conductor::fail);
        JobKey key = JobKey.derived(endpoint.key(), ClientRegistry.USE);
        this.arrival = new Arrival(new WorkerHandshake(ClientRegistry.handshakeTerms(), key, new SecureRandom()));
    }

    /** Connects; waits for {@code limit} at most. */
    public static ConnectedManager connect(ManagerEndpoint endpoint, Duration limit) {
        long endNs = System.nanoTime() + TimeUnit.NANOSECONDS.convert(limit);
        Providers providers = Providers.discover();
        FiberConfig config = FiberConfig.load(ConfigSources.system(Map.of()), providers.keys(List.of()));
        AgronaAccess.ensure(config);
        ConnectedManagerClient client = new ConnectedManagerClient(endpoint, config, providers);
        try {
            client.enter(endNs);
            return client;
        } catch (RuntimeException | Error e) {
            client.end();
            throw e;
        }
    }

    private void enter(long endNs) {
        teardown.add(blocking::shutdown);
        TransportProvider provider = providers.listeningTransport(config.text(ConfigKey.TRANSPORT));
        Address address =
                provider.listeningAddress(endpoint.host(), endpoint.port()).orElseThrow();
        Transport transport = open(provider);
        IoThread.start(conductor, teardown);
        conductor.later(() -> dial(transport, address));
        Admission admission = awaitAdmission(endNs);
        AccessGrant grant = granted(admission);
        Seals seals = Seals.under(
                admission.payloadKey(),
                ClientRegistry.CLIENT_NUMBER,
                (sealer, what) -> conductor.execute(() -> arrival.host().close(what)));
        RpcRouter router = new RpcRouter(grant.processAddress(), conductor, seals, blocking);
        registry = new RemoteObject(
                new ProcessContext(router, binding -> codecs(grant.serializer(), binding)), grant.object());
        conductor.execute(() -> {
            arrival.host().agreeOn(grant.lease());
            arrival.router = router;
            conductor.addDuty(router);
            router.connectMaster(message -> arrival.host().offer(message));
        });
        if (over.getCount() == 0) {
            router.closeFor(lost());
        }
    }

    /** Makes a transport; what it leaves is removed by the teardown, or when this process is killed. */
    private Transport open(TransportProvider provider) {
        String id = SessionDirectory.newId();
        SessionDirectory directory = teardown.add(SessionDirectory.open(id));
        ShellReaper reaper = teardown.add(ShellReaper.of(directory));
        return provider.create(new TransportSettings(
                id,
                directory.path(),
                reaper::removeAtDeath,
                config.optionsOf(provider),
                CallerHost.sameHost(),
                1,
                config.duration(ConfigKey.LEASE)));
    }

    /** Returns the codecs by the serializer of the program that is visited. */
    private Codecs codecs(String serializer, UnaryOperator<ObjectSerializer> binding) {
        SerializerProvider provider = providers
                .serializer(serializer)
                .orElseThrow(() -> new FiberException(
                        "FBR-449",
                        "The manager at " + endpoint.address() + " uses the serializer '" + serializer
                                + "', which this program does not have. On its class path: "
                                + providers.serializers().names() + ". Add the artifact that contains it."));
        TypeFilter filter = TypeFilter.allowing(config.list(ConfigKey.ALLOWED_CLASSES));
        return Codecs.of(
                new Codecs.Choice(provider, config.optionsOf(provider), filter),
                new Codecs.Place(Side.CLIENT),
                binding);
    }

    private AccessGrant granted(Admission admission) {
        String refused = "The manager at " + endpoint.address() + " refuses this program, although it has the key: ";
        try {
            return AccessGrant.decode(admission.settings(), why -> new FiberException("FBR-446", refused + why + "."));
        } catch (IOException e) {
            throw unanswered("it sent something other than a grant", e);
        }
    }

    private void dial(Transport transport, Address address) {
        conductor.addTransport(transport);
        try {
            arrival.greet(conductor.addPeer(transport.dial(address), arrival));
        } catch (TransportException e) {
            arrival.admitted.completeExceptionally(e);
        }
    }

    private Admission awaitAdmission(long endNs) {
        try {
            return arrival.admitted.get(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
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
                        + ". Check that the manager's program is still running, that this is its address, and that no"
                        + " firewall blocks the TCP port.",
                cause);
    }

    /** Called by the conductor; what it has to do takes another thread, because the conductor ends with it. */
    private void onLost(String reason) {
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
                        + ". The manager has released everything that this program held there. Connect again when the"
                        + " manager is available.");
    }

    @Override
    protected RemoteObject registry() {
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
            conductor.execute(() -> mine.router().whenFlushed(() -> arrival.post(Messages.goodbye(0))));
            awaitGoodbye();
        }
        end();
    }

    private void awaitGoodbye() {
        try {
            if (!over.await(GOODBYE_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(System.Logger.Level.DEBUG, "the manager's program did not confirm the end of the connection");
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

    /** This program's end of the link. Belongs to the conductor. */
    private final class Arrival implements Peer.Listener, WorkerHandshake.Owner {
        private final WorkerHandshake handshake;
        /** Completes once both sides have proven themselves; else with the error that says why not. */
        private final CompletableFuture<Admission> admitted = new CompletableFuture<>();

        private @Nullable Peer host;
        /** Takes what the other side says from then on. */
        private @Nullable RpcRouter router;

        Arrival(WorkerHandshake handshake) {
            this.handshake = handshake;
        }

        void greet(Peer dialled) {
            host = dialled;
            handshake.begin(this);
        }

        Peer host() {
            return requireNonNull(host, "host");
        }

        @Override
        public void onMessage(Peer from, Message message) {
            int template = message.templateId();
            if (router != null && template == RpcMessageDecoder.TEMPLATE_ID) {
                router.onMessageOfMaster(message);
            } else if (!handshake.onMessage(message, this)
                    && (template != HeartbeatDecoder.TEMPLATE_ID || !admitted.isDone())) {
                from.close("it sent message " + template + ", which is not meant for a client");
            }
        }

        @Override
        public void post(Outgoing message) {
            host().post(message);
        }

        @Override
        public void onAdmitted(Admission admission) {
            host().onProvenInTheOpen(admission.keys());
            admitted.complete(admission);
        }

        @Override
        public void onFailed(HandshakeFailure failure) {
            admitted.completeExceptionally(unproven(endpoint, failure));
            host().close("it did not authenticate itself");
        }

        @Override
        public void onGone(Peer over, String reason) {
            onLost(reason);
            admitted.completeExceptionally(new IllegalStateException(reason));
        }
    }

    /** Returns what a program is thrown when the handshake with the manager at an endpoint has failed. */
    static FiberException unproven(ManagerEndpoint endpoint, HandshakeFailure failure) {
        if (failure.reason() == HandshakeFailure.Reason.VERSION) {
            return new FiberException(
                    "FBR-440",
                    "The manager at " + endpoint.address() + " speaks version "
                            + (failure.peerVersion().isPresent()
                                    ? failure.peerVersion().getAsInt()
                                    : "unknown")
                            + " of Fiber's protocol, but this program speaks version " + failure.ownVersion()
                            + ". Run both with the same version of Fiber.");
        }
        return new FiberException(
                "FBR-439",
                "The manager at " + endpoint.address() + " does not have the key of this program, so nothing was sent"
                        + " to it. Check that the endpoint is the one that Manager.listen returned. A manager without"
                        + " a key of your own makes a new key each time it starts, and another manager may use the"
                        + " port by now.");
    }
}
