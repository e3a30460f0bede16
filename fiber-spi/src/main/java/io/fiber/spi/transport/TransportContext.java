// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import java.nio.file.Path;
import java.time.Duration;

/** What a transport is given when it is created. */
public interface TransportContext {

    /** Returns the name of the session: {@code [a-z0-9]{12}}. */
    String sessionId();

    /**
     * Returns where this process has its files on this host. In the process that opened the session it is a directory of
     * mode 0700, removed at the end of the session also when the process is killed. In a worker it may be one of all users,
     * such as {@code /tmp}: what a transport makes there is for the transport to protect, and to remove. A transport that
     * keeps files elsewhere ({@code /dev/shm}) says so by {@link #removeAtDeath}.
     */
    Path directory();

    /**
     * Asks for a directory to be removed with all its content when this process is gone without having cleaned up.
     * Called before the directory is made.
     */
    void removeAtDeath(Path directory);

    /** Returns the transport's own options, checked. */
    Options options();

    /** Returns how the peers that will be invited reach this process. */
    CallerHost callerHost();

    /**
     * Returns the largest number of peers that will be invited at one time; buffers and counters are sized by it. At
     * least 1.
     */
    int maxPeers();

    /**
     * Returns the lease: a peer silent for longer is taken for dead by the runtime. Every time-out of the transport
     * itself lies well above it, so that the lease decides.
     */
    Duration lease();

    /** Returns who is told of what goes wrong. */
    TransportListener listener();
}
