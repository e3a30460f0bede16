// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.ManagerEndpoint;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.WorkerHandshake;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** This program's end of the link to the program of a manager that it connects to. Belongs to the conductor. */
final class ClientHandshakeHandler implements Peer.Listener, WorkerHandshake.Owner {

    private final WorkerHandshake handshake;
    private final ManagerEndpoint endpoint;
    private final Consumer<String> gone;
    private final CompletableFuture<Admission> admitted = new CompletableFuture<>();
    private @Nullable Peer host;
    private @Nullable RpcRouter router;

    /**
     * Creates the end of a link that was dialled.
     *
     * @param endpoint what is dialled, for the text of an error
     * @param gone is told once, when the link is over
     */
    ClientHandshakeHandler(ManagerEndpoint endpoint, WorkerHandshake handshake, Consumer<String> gone) {
        this.endpoint = endpoint;
        this.handshake = handshake;
        this.gone = gone;
    }

    void greet(Peer dialled) {
        host = dialled;
        handshake.begin(this);
    }

    /** Completes once both sides have proven themselves; else with the error that says why not. */
    CompletableFuture<Admission> admitted() {
        return admitted;
    }

    /** Returns the other side, once it was dialled. */
    Peer host() {
        return requireNonNull(host, "host");
    }

    /** Says who takes what the other side says. */
    void serve(RpcRouter newRouter) {
        router = newRouter;
    }

    @Override
    public void onMessage(Peer from, Message message) {
        int template = message.templateId();
        if (router != null && RpcRouter.isConcernedBy(template)) {
            router.onMessageOfMaster(message);
        } else if (!handshake.onMessage(message, this)
                && (template != HeartbeatDecoder.TEMPLATE_ID || !admitted.isDone())) {
            from.close("it sent message " + template + ", which is none for a client");
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
        admitted.completeExceptionally(failed(failure));
        host().close("it did not prove itself");
    }

    private FiberException failed(HandshakeFailure failure) {
        if (failure.reason() == HandshakeFailure.Reason.VERSION) {
            return new FiberException(
                    "FBR-440",
                    "The manager at " + endpoint.address() + " speaks version "
                            + (failure.peerVersion().isPresent()
                                    ? failure.peerVersion().getAsInt()
                                    : "unknown")
                            + " of Fiber's protocol, this program version " + failure.ownVersion()
                            + ". Run both with the same version of Fiber.");
        }
        return new FiberException(
                "FBR-439",
                "The manager at " + endpoint.address() + " holds another key than this program, so nothing was sent"
                        + " to it. Check that the endpoint is the one that Manager.listen returned: each start of a"
                        + " manager"
                        + " without a key of your own makes a new key, and another manager may have the port by now.");
    }

    @Override
    public void onGone(Peer over, String reason) {
        gone.accept(reason);
        admitted.completeExceptionally(new IllegalStateException(reason));
    }
}
