// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file system in which one half of a copy works, and how its paths are told to the user. It travels.
 *
 * @param root what relative paths begin at; empty for the directory that this process was started in, {@code ~} for the
 *     user's home
 * @param label what stands in front of a path when it is told
 * @param backend the one that it is on; empty for this host
 */
record CopyRoot(String root, String label, String backend) implements Serializable {

    static final String HOME = "~";

    /** Returns the ground of this host. */
    static CopyRoot here() {
        return new CopyRoot("", "", "");
    }

    /** Returns the path of a text, absolute. */
    Path path(String text) {
        Path start = Path.of(root.equals(HOME) ? System.getProperty("user.home") : root)
                .toAbsolutePath();
        return start.resolve(text).normalize();
    }

    /** Returns a path as the user would type it, without characters that a terminal acts on. */
    String name(Path path) {
        Path start = Path.of(root).toAbsolutePath();
        boolean shown = label.isEmpty() || root.equals(HOME) || !path.startsWith(start);
        return printable(label + (shown ? path : start.relativize(path)));
    }

    /** Returns a text without the characters that a terminal acts on. */
    static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    /** Says where this process works and who it is there: what a right that is missing hangs on. */
    String placeAndUser() {
        String user = System.getProperty("user.name");
        try {
            user += ", uid " + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            // The name says enough where there is no such directory.
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
