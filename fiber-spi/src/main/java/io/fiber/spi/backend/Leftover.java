// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What a session that does not live has left on a platform, or sessions for later ones. Immutable.
 *
 * @param sessionId the session, or a word of the backend's own, such as {@code class-paths}
 * @param things what there is of it, for a person: {@code 2 containers, 1 volume}
 * @param doubt why it is not certain that the session has ended, though none of its jobs runs: its program was on a host that
 *     cannot be asked from here. Empty when it is certain
 */
public record Leftover(String sessionId, String things, Optional<String> doubt) {

    /** Checks that nothing is null. */
    public Leftover {
        requireNonNull(sessionId, "sessionId");
        requireNonNull(things, "things");
        requireNonNull(doubt, "doubt");
    }
}
