// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import java.nio.file.Path;
import java.time.Duration;

/** What a transport receives when it is created. */
public interface TransportContext {

    /** Returns the id of the session: {@code [a-z0-9]{12}}. */
    String sessionId();

    /**
     * Returns the directory for this process's files on this host. In the process that opened the session, it has mode
     * 0700 and is removed at the end of the session, even if the process is killed. In a worker it may be shared by all
     * users, for example {@code /tmp}: the transport must protect and remove what it creates there. A transport that
     * keeps files elsewhere ({@code /dev/shm}) registers them with {@link #removeAtDeath}.
     */
    Path directory();

    /**
     * Requests that a directory be removed with all its content if this process ends without cleaning up. Call it
     * before you create the directory.
     */
    void removeAtDeath(Path directory);

    /** Returns the transport's own options, already checked. */
    Options options();

    /** Returns how invited peers will reach this process. */
    CallerHost callerHost();

    /**
     * Returns the maximum number of peers that will be invited at one time. It determines the sizes of buffers and
     * counters. At least 1.
     */
    int maxPeers();

    /**
     * Returns the lease: the runtime considers a peer dead if it is silent for longer. The transport's own timeouts are
     * well above it, so that the lease decides.
     */
    Duration lease();

    /** Returns the listener that receives failures and warnings. */
    TransportListener listener();
}
