// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.spi.Secret;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The keys of one connection that was proven, one for each stream and direction. Hands out each of them once: a second
 * sealer of the same key would use its nonces again. Belongs to one thread.
 */
public final class ConnectionKeys {

    private static final byte[] FROM_MASTER = Transcript.ascii("fiber/1 frames from master");
    private static final byte[] FROM_WORKER = Transcript.ascii("fiber/1 frames from worker");

    private final Secret connectionSecret;
    private final Role role;
    private final Set<Integer> sealers = new HashSet<>();
    private final Set<Integer> openers = new HashSet<>();

    ConnectionKeys(Secret connectionSecret, Role role) {
        this.connectionSecret = connectionSecret;
        this.role = role;
    }

    /**
     * Returns the sealer of what this end sends on a stream.
     *
     * @throws IllegalStateException when it was handed out before
     */
    public FrameSealer sealer(int stream) {
        claim(sealers, stream, "sealer");
        return new FrameSealer(key(role, stream));
    }

    /**
     * Returns the opener of what the peer sends on a stream.
     *
     * @throws IllegalStateException when it was handed out before
     */
    public FrameOpener opener(int stream) {
        claim(openers, stream, "opener");
        return new FrameOpener(key(role.peer(), stream));
    }

    /**
     * Returns the seal of the headers of both directions of a stream.
     *
     * @throws IllegalStateException when its sealer or its opener was handed out before
     */
    public HeaderSeal headerSeal(int stream) {
        return new FrameSeal(sealer(stream), opener(stream));
    }

    @Override
    public String toString() {
        return "ConnectionKeys[" + role + "]";
    }

    private static void claim(Set<Integer> claimed, int stream, String what) {
        if (!claimed.add(stream)) {
            throw new IllegalStateException("The " + what + " of stream " + stream
                    + " was handed out before; a key must not be used twice. Keep the first one.");
        }
    }

    private FrameKey key(Role sender, int stream) {
        byte[] label = sender == Role.MASTER ? FROM_MASTER : FROM_WORKER;
        byte[] info = ByteBuffer.allocate(label.length + Integer.BYTES)
                .put(label)
                .putInt(stream)
                .array();
        byte[] secret = connectionSecret.copyBytes();
        byte[] derived = new Hkdf().expand(secret, info, FrameKey.LENGTH_BYTES);
        FrameKey key = new FrameKey(derived);
        Arrays.fill(secret, (byte) 0);
        Arrays.fill(derived, (byte) 0);
        return key;
    }
}
