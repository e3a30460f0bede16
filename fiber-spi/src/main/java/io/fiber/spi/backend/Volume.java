// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

/**
 * Storage that a job sees under a path.
 *
 * @param name what the platform calls it: a PersistentVolumeClaim, a Docker volume, a directory of the host
 * @param mountPath where the job sees it, absolute
 * @param access whether the job may change it
 */
public record Volume(String name, String mountPath, Access access) {

    /** Whether a job may change a volume. */
    public enum Access {
        /** The job may read. */
        READ_ONLY,
        /** The job may read and write. */
        READ_WRITE
    }

    private static final String READ_ONLY = ":ro";

    /**
     * Checks that nothing is null, and the path.
     *
     * @throws IllegalArgumentException (FBR-305) when the path is not absolute
     */
    public Volume {
        requireNonNull(name, "name");
        requireNonNull(access, "access");
        if (!mountPath.startsWith("/")) {
            throw new IllegalArgumentException(
                    "FBR-305 Volume '" + name + "' is mounted at '" + mountPath + "'; expected an absolute path.");
        }
    }

    /**
     * Reads a volume as commands and settings have it.
     *
     * @param text {@code NAME:PATH}, or {@code NAME:PATH:ro} of which the job may only read
     * @throws IllegalArgumentException (FBR-305) when it is something else; the text says what was expected
     */
    public static Volume parse(String text) {
        Access access = text.endsWith(READ_ONLY) ? Access.READ_ONLY : Access.READ_WRITE;
        String rest = access == Access.READ_ONLY ? text.substring(0, text.length() - READ_ONLY.length()) : text;
        int colon = rest.indexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException(
                    "FBR-305 The volume is '" + text + "'; expected NAME:PATH or NAME:PATH:ro.");
        }
        return new Volume(rest.substring(0, colon), rest.substring(colon + 1), access);
    }

    /** Returns what {@link #parse} reads. */
    public String text() {
        return name + ":" + mountPath + (access == Access.READ_ONLY ? READ_ONLY : "");
    }
}
