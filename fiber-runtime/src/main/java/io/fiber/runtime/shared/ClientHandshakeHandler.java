// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.codec.ChallengeDecoder;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.protocol.codec.WelcomeDecoder;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.HandshakeReading;
import io.fiber.runtime.security.HandshakeStep;
import io.fiber.runtime.security.PayloadKey;
import io.fiber.runtime.security.WorkerHandshake;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The client's end of the link to the program of the manager. Belongs to the conductor. */
final class ClientHandshakeHandler implements Peer.Listener {

    private final WorkerHandshake handshake;
    private final Consumer<String> gone;
    private final CompletableFuture<PayloadKey> admitted = new CompletableFuture<>();
    private @Nullable RpcRouter router;

    /**
     * Creates the end of a link that was dialled.
     *
     * @param gone is told once, when the link is over
     */
    ClientHandshakeHandler(WorkerHandshake handshake, Consumer<String> gone) {
        this.handshake = handshake;
        this.gone = gone;
    }

    void greet(Peer host) {
        HandshakeMessage.Hello hello = handshake.hello();
        host.post(Messages.hello(hello.protocolVersion(), hello.jobNumber(), hello.workerNonce()));
    }

    /** Completes with the key of payloads once the other side has proven itself and let this one in. */
    CompletableFuture<PayloadKey> admitted() {
        return admitted;
    }

    /** Says who takes what the other side says. */
    void serve(RpcRouter exchange) {
        router = exchange;
    }

    @Override
    public void onMessage(Peer from, Message message) {
        int template = message.templateId();
        if (template == ChallengeDecoder.TEMPLATE_ID) {
            onChallenge(from, message);
        } else if (template == WelcomeDecoder.TEMPLATE_ID) {
            onWelcome(from, message);
        } else if (router != null && RpcRouter.isConcernedBy(template)) {
            router.onMessageOfMaster(message);
        } else if (template != HeartbeatDecoder.TEMPLATE_ID || !admitted.isDone()) {
            from.close("it sent message " + template + ", which is none for a client");
        }
    }

    private void onChallenge(Peer from, Message message) {
        if (handshake.onChallenge(HandshakeReading.challenge(message))
                instanceof HandshakeStep.Next<HandshakeMessage.Proof> next) {
            from.post(Messages.proof(next.value().workerProof()));
        } else {
            from.close("it did not prove itself");
        }
    }

    private void onWelcome(Peer from, Message message) {
        HandshakeMessage.Welcome welcome =
                new HandshakeMessage.Welcome(message.parcel().payload().toArray());
        if (handshake.onWelcome(welcome) instanceof HandshakeStep.Next<Admission> next) {
            HeaderSeal seal = next.value().keys().headerSeal(Protocol.CONDUCTOR_STREAM);
            from.sealWith(seal);
            from.openWith(seal);
            from.trust(Protocol.PAYLOAD_LIMIT_BYTES);
            admitted.complete(next.value().payloadKey());
        } else {
            from.close("it did not prove itself");
        }
    }

    @Override
    public void onGone(Peer host, String reason) {
        gone.accept(reason);
        admitted.completeExceptionally(new IllegalStateException(reason));
    }
}
