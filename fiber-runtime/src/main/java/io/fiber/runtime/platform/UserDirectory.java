// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.spi.Environment;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a user's programs keep files beyond their end: below the directory that XDG names for them, by default in the user's
 * home. The user of a container may have no home: to the JVM it is {@code ?} then, or {@code /}.
 */
public enum UserDirectory {
    /** What can be made again. */
    CACHE("XDG_CACHE_HOME", ".cache"),
    /** What is known of earlier runs. */
    STATE("XDG_STATE_HOME", ".local" + File.separator + "state");

    private final String variable;
    private final String inHome;

    UserDirectory(String variable, String inHome) {
        this.variable = variable;
        this.inHome = inHome;
    }

    /** Returns where it is, absolute, though it need not exist; empty for a user without a home. */
    public Optional<Path> find(Environment environment) {
        Optional<Path> named =
                environment.variable(variable).filter(text -> !text.isEmpty()).map(Path::of);
        if (named.isPresent() && named.get().isAbsolute()) {
            return named;
        }
        Path home = Path.of(environment.property("user.home").orElse(""));
        return home.isAbsolute() && home.getParent() != null ? Optional.of(home.resolve(inHome)) : Optional.empty();
    }

    /**
     * Returns where it is; for a user without a home a directory of this user alone below {@code java.io.tmpdir}, which is
     * made.
     *
     * @throws IOException if that cannot be made, or another user could write into it
     */
    public Path findOrMake(Environment environment) throws IOException {
        Optional<Path> known = find(environment);
        if (known.isPresent()) {
            return known.get();
        }
        String user = SessionDirectory.user(environment.property("user.name").orElse(""));
        String tmp = environment.property("java.io.tmpdir").orElseGet(() -> System.getProperty("java.io.tmpdir"));
        Path home = PrivateDirectory.createOrCheck(
                Path.of(tmp, "fiber-home-" + user).toAbsolutePath());
        return home.resolve(inHome);
    }
}
