// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The user and group of a container's processes. Numbers: an image need not know the names of this host.
 *
 * @param user the number of the user
 * @param group the number of the group
 */
public record UserIds(int user, int group) {

    /** The user without rights, 65534 on Linux. */
    public static final UserIds UNPRIVILEGED = new UserIds(65534, 65534);

    private static final Pattern FORM = Pattern.compile("(\\d{1,10})(?::(\\d{1,10}))?");

    /**
     * Returns what {@code 1000:1000} or {@code 1000} means; empty for any other form, and above 2147483647, which neither
     * Kubernetes nor Docker takes.
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
     * Returns those of this process, so that files that jobs write on this host belong to the user of the program; {@link
     * #UNPRIVILEGED} when that is root or cannot be known.
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

    @Override
    public String toString() {
        return user + ":" + group;
    }
}
