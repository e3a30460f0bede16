// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.spec.Secret;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The keys of one authenticated connection, one for each stream and direction. Each is issued only once, because a
 * second seal with the same key would use its nonces again. Not thread-safe.
 */
public final class ConnectionKeys {

    private static final byte[] FROM_MASTER = Transcript.ascii("fiber/1 frames from master");
    private static final byte[] FROM_WORKER = Transcript.ascii("fiber/1 frames from worker");

    private final Secret connectionSecret;
    private final Role role;
    private final Set<Integer> claimed = new HashSet<>();

    ConnectionKeys(Secret connectionSecret, Role role) {
        this.connectionSecret = connectionSecret;
        this.role = role;
    }

    /**
     * Returns the seal for both directions of a stream.
     *
     * @throws IllegalStateException if it has been issued
     */
    public HeaderSeal seal(int stream) {
        if (!claimed.add(stream)) {
            throw new IllegalStateException("The seal of stream " + stream
                    + " was already handed out; a key must not be used twice. Keep the first one.");
        }
        return new FrameSeal(key(role, stream), key(role.peer(), stream));
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
