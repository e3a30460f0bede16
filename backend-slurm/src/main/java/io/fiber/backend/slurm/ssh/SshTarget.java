// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A host that is reached by SSH, as error messages name it. Immutable.
 *
 * @param role what it is: the login node, or a jump host
 * @param options what the user said
 * @param place its address and port
 * @param user the account there
 * @param knownHosts the files of trusted host keys
 * @param connectLimit within what time it must have answered
 */
public record SshTarget(
        String role, SshOptions options, String place, String user, String knownHosts, Duration connectLimit) {

    static final String LOGIN_NODE = "login node";
    static final Duration CONNECT_LIMIT = Duration.ofSeconds(15);

    /** Returns the host as the user knows it, and where that is. */
    public String named() {
        return "'" + options.host() + "' (" + place + ")";
    }

    /** Returns the first words of a sentence about it. */
    String theHost() {
        return "The " + role + " " + named();
    }

    /** Returns the command that shows the user the same failure. */
    String byHand(String... more) {
        List<String> words = new ArrayList<>(List.of("ssh"));
        words.addAll(List.of(more));
        words.addAll(options.words());
        words.addAll(List.of(options.host(), "echo works"));
        return SshOptions.said(words);
    }
}
