// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file system in which one half of a copy works, and how its paths are shown to the user. Serializable.
 *
 * @param root the directory of relative paths; empty for the directory in which this process was started, {@code ~} for
 *     the user's home
 * @param label the prefix of a path that is shown
 * @param backend the backend that the file system is on; empty for this host
 */
record CopyRoot(String root, String label, String backend) implements Serializable {

    static final String HOME = "~";

    /** Returns the root of this host. */
    static CopyRoot here() {
        return new CopyRoot("", "", "");
    }

    /** Returns the absolute path for a text. */
    Path path(String text) {
        Path start = Path.of(root.equals(HOME) ? System.getProperty("user.home") : root)
                .toAbsolutePath();
        return start.resolve(text).normalize();
    }

    /** Returns a path as the user would type it, without terminal control characters. */
    String name(Path path) {
        Path start = Path.of(root).toAbsolutePath();
        boolean shown = label.isEmpty() || root.equals(HOME) || !path.startsWith(start);
        return printable(label + (shown ? path : start.relativize(path)));
    }

    /** Returns a text without terminal control characters. */
    static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    /** Returns where this process works and as which user, on which missing rights depend. */
    String placeAndUser() {
        String user = System.getProperty("user.name");
        try {
            user += ", uid " + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            // If there is no such directory, the name says enough.
        }
        return (backend.isEmpty() ? "on this host" : "on the backend '" + backend + "'") + " (host " + host()
                + ", user " + user + ")";
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
