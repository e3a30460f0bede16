// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What a session that has ended left on a platform, or what sessions keep there for later ones. Immutable.
 *
 * @param sessionId the session, or a word of the backend's own, such as {@code class-paths}
 * @param things what there is, for people to read: {@code 2 containers, 1 volume}
 * @param doubt why it is not certain that the session has ended, although none of its jobs runs: its program was on a
 *     host that cannot be asked from here. Empty if it is certain
 */
public record Leftover(String sessionId, String things, Optional<String> doubt) {

    /** Checks that no value is null. */
    public Leftover {
        requireNonNull(sessionId, "sessionId");
        requireNonNull(things, "things");
        requireNonNull(doubt, "doubt");
    }
}
