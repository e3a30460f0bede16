// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import java.nio.file.Path;

/** What a backend receives when it is created: everything it may know about its session. */
public interface BackendContext {

    /**
     * Returns the id of the session: {@code [a-z0-9]{12}}, unique among all sessions of all users. Jobs carry it in
     * their name or label, so that a user or an administrator who finds them can tell whose they are.
     */
    String sessionId();

    /**
     * Returns a directory of the session on this host, with mode 0700, for the backend's files. The session removes it
     * when it ends, even if its process is killed. Its parent, with the same mode, holds the directories of all sessions
     * of this user on this host.
     */
    Path directory();

    /** Returns the backend's own options, already checked. */
    Options options();

    /** Returns the environment in which the session was opened. */
    Environment environment();

    /** Returns the reaper, which cancels jobs if this process is killed. */
    Reaper reaper();
}
