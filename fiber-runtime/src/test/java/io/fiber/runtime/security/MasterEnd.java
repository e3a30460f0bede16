// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.security.HandshakeMessage.Challenge;
import io.fiber.runtime.security.HandshakeMessage.Hello;
import io.fiber.runtime.security.HandshakeMessage.Proof;
import io.fiber.runtime.security.HandshakeMessage.Welcome;
import org.jspecify.annotations.Nullable;

/** A master's handshake, and the owner of its link, step by step. */
public final class MasterEnd implements MasterHandshake.Owner {

    private final MasterHandshake handshake;
    private final MasterHandshake.Welcome welcome;
    private @Nullable HandshakeMessage posted;
    private @Nullable String refused;
    private @Nullable ConnectionKeys keys;
    private int admitted;

    public MasterEnd(MasterHandshake handshake, PayloadKey payloadKey, byte[] settings) {
        this.handshake = handshake;
        this.welcome = new MasterHandshake.Welcome(payloadKey, settings);
    }

    public HandshakeStep<Challenge> onHello(Hello hello) {
        return step(hello, Challenge.class);
    }

    public HandshakeStep<Welcome> onProof(Proof proof) {
        return step(proof, Welcome.class);
    }

    /** Returns the keys of the connection, once a proof was good. */
    public ConnectionKeys keys() {
        return requireNonNull(keys, "keys");
    }

    /** Returns what was said last. */
    @Nullable
    HandshakeMessage posted() {
        return posted;
    }

    /** Returns how often the other end was let in. */
    int admitted() {
        return admitted;
    }

    private <M> HandshakeStep<M> step(HandshakeMessage arrived, Class<M> answer) {
        posted = null;
        refused = null;
        HandshakeMessage.deliver(arrived.outgoing(), message -> handshake.onMessage(message, this));
        return refused == null
                ? new HandshakeStep.Next<>(answer.cast(requireNonNull(posted)))
                : new HandshakeStep.Failed<>(refused);
    }

    @Override
    public void post(Outgoing message) {
        posted = HandshakeMessage.of(message);
    }

    @Override
    public MasterHandshake.Welcome admit() {
        admitted++;
        return welcome;
    }

    @Override
    public void onAccepted(ConnectionKeys agreed) {
        keys = agreed;
    }

    @Override
    public void onOtherVersion(HandshakeFailure failure) {
        refused = "other version: " + failure;
    }

    @Override
    public void refuse(String reason) {
        refused = reason;
    }
}
