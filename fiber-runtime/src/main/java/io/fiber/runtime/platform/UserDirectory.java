// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.spi.Environment;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The directories for a user's files that outlive programs: those that XDG names, by default in the user's home. A
 * container's user may have no home, which the JVM shows as {@code ?} or {@code /}.
 */
public enum UserDirectory {
    /** Files that can be made again. */
    CACHE("XDG_CACHE_HOME", ".cache"),
    /** Records of earlier runs. */
    STATE("XDG_STATE_HOME", ".local" + File.separator + "state");

    private final String variable;
    private final String inHome;

    UserDirectory(String variable, String inHome) {
        this.variable = variable;
        this.inHome = inHome;
    }

    /** Returns the absolute path of the directory, which need not exist; empty for a user without a home. */
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
     * Returns the directory. For a user without a home, creates one for this user alone below {@code java.io.tmpdir}.
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
