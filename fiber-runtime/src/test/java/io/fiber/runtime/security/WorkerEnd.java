// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.security.HandshakeMessage.Challenge;
import io.fiber.runtime.security.HandshakeMessage.Hello;
import io.fiber.runtime.security.HandshakeMessage.Proof;
import io.fiber.runtime.security.HandshakeMessage.VersionRefusal;
import io.fiber.runtime.security.HandshakeMessage.Welcome;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** A worker's handshake, and the owner of its link, step by step. */
public final class WorkerEnd implements WorkerHandshake.Owner {

    private final WorkerHandshake handshake;
    private @Nullable Hello hello;
    private @Nullable Object result;

    public WorkerEnd(HandshakeTerms terms, JobKey key, SecureRandom random) {
        this.handshake = new WorkerHandshake(terms, key, random);
    }

    /** Returns the first message, and begins with it the first time. */
    public Hello hello() {
        if (hello == null) {
            handshake.begin(this);
            hello = (Hello) requireNonNull(result);
        }
        return hello;
    }

    public HandshakeStep<Proof> onChallenge(Challenge challenge) {
        return step(challenge, Proof.class);
    }

    public HandshakeStep<Admission> onWelcome(Welcome welcome) {
        return step(welcome, Admission.class);
    }

    HandshakeStep<Void> onVersionRefusal(VersionRefusal refusal) {
        return step(refusal, Void.class);
    }

    private <M> HandshakeStep<M> step(HandshakeMessage arrived, Class<M> answer) {
        result = null;
        HandshakeMessage.deliver(arrived.outgoing(), message -> handshake.onMessage(message, this));
        return result instanceof HandshakeFailure failure
                ? new HandshakeStep.Failed<>(failure.toString())
                : new HandshakeStep.Next<>(answer.cast(requireNonNull(result)));
    }

    @Override
    public void post(Outgoing message) {
        result = HandshakeMessage.of(message);
    }

    @Override
    public void onAdmitted(Admission admission) {
        result = admission;
    }

    @Override
    public void onFailed(HandshakeFailure failure) {
        result = failure;
    }
}
