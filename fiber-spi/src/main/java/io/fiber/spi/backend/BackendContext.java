// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import java.nio.file.Path;

/** What a backend is given when it is created: everything it may know of the session that uses it. */
public interface BackendContext {

    /**
     * Returns the name of the session: {@code [a-z0-9]{12}}, unique among all sessions of all users. Jobs carry it in
     * their name or label, so that a user or an administrator who finds them knows whose they are.
     */
    String sessionId();

    /**
     * Returns a directory of the session on this host, mode 0700, that the backend may put files into. The session
     * removes it at its end, also when its process is killed.
     */
    Path directory();

    /** Returns the backend's own options, checked. */
    Options options();

    /** Returns the environment that the session was opened in. */
    Environment environment();

    /** Returns who cancels jobs when this process is killed. */
    Reaper reaper();
}
