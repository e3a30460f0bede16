// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

/**
 * Storage that a job sees under a path.
 *
 * @param name the platform's name of it: a PersistentVolumeClaim, a Docker volume, or a directory of the host
 * @param mountPath absolute path under which the job sees it
 * @param access whether the job may change it
 */
public record Volume(String name, String mountPath, Access access) {

    /** Whether a job may change a volume. */
    public enum Access {
        /** The job may only read. */
        READ_ONLY,
        /** The job may read and write. */
        READ_WRITE
    }

    private static final String READ_ONLY = ":ro";

    /**
     * Checks that no value is null and that the path is absolute.
     *
     * @throws IllegalArgumentException (FBR-305) if the path is not absolute
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
     * Returns the volume for a text from a command line or a setting.
     *
     * @param text {@code NAME:PATH}, or {@code NAME:PATH:ro} for a volume that the job may only read
     * @throws IllegalArgumentException (FBR-305) if the text has another form; the message says what was expected
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

    /** Returns the text from which {@link #parse} creates this volume. */
    public String text() {
        return name + ":" + mountPath + (access == Access.READ_ONLY ? READ_ONLY : "");
    }
}
