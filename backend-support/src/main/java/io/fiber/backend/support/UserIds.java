// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The user and group of a container's processes, as numbers, because an image may lack the names of this host.
 *
 * @param user numeric id of the user
 * @param group numeric id of the group
 */
public record UserIds(int user, int group) {

    /** The user without rights, 65534 on Linux. */
    public static final UserIds UNPRIVILEGED = new UserIds(65534, 65534);

    /** The name that a JVM gives a user whom its host does not know. */
    private static final String UNKNOWN = "?";

    private static final Pattern FORM = Pattern.compile("(\\d{1,10})(?::(\\d{1,10}))?");

    /**
     * Returns the ids for {@code 1000:1000} or {@code 1000}; empty for any other form, and above 2147483647, which
     * neither Kubernetes nor Docker accepts.
     */
    public static Optional<UserIds> parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        long user = Long.parseLong(parts.group(1));
        long group = parts.group(2) == null ? user : Long.parseLong(parts.group(2));
        return Math.max(user, group) > Integer.MAX_VALUE
                ? Optional.empty()
                : Optional.of(new UserIds((int) user, (int) group));
    }

    /**
     * Returns the ids of this process, so that files that jobs write on this host belong to the program's user. If that
     * is root or unknown, returns {@link #UNPRIVILEGED}.
     */
    public static UserIds ofThisProcess() {
        try {
            Path self = Path.of("/proc/self");
            if (Files.getAttribute(self, "unix:uid") instanceof Integer user
                    && Files.getAttribute(self, "unix:gid") instanceof Integer group
                    && user > 0) {
                return new UserIds(user, group);
            }
            return UNPRIVILEGED;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return UNPRIVILEGED;
        }
    }

    /** Returns the name of the user: this process's if the ids are its own, or one with the number. */
    public String name() {
        String own = System.getProperty("user.name", UNKNOWN);
        if (equals(UNPRIVILEGED)) {
            return "nobody";
        }
        if (user == 0) {
            return "root";
        }
        return equals(ofThisProcess()) && !own.equals(UNKNOWN) ? own : "user-" + user;
    }

    @Override
    public String toString() {
        return user + ":" + group;
    }
}
