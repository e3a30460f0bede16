// SPDX-License-Identifier: Apache-2.0
package io.fiber.spec;

import static java.util.Objects.requireNonNull;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Storage that a job sees under a path.
 *
 * <pre>{@code
 * Volume.of("results", "/results")
 * Volume.of("training-data", "/data").readOnly()
 * }</pre>
 *
 * Immutable and thread-safe.
 */
public final class Volume {

    /** Whether a job may change a volume. */
    public enum Access {
        /** The job may only read. */
        READ_ONLY,
        /** The job may read and write. */
        READ_WRITE
    }

    private static final String READ_ONLY = ":ro";

    private final String name;
    private final String mountPath;
    private final Access access;

    private Volume(String name, String mountPath, Access access) {
        this.name = name;
        this.mountPath = mountPath;
        this.access = access;
    }

    /**
     * Returns a volume that a job may read and write.
     *
     * @param name the platform's name of it: a PersistentVolumeClaim, a Docker volume, or a directory of the host
     * @param mountPath absolute path under which the job sees it
     * @throws IllegalArgumentException (FBR-305) if the path is not absolute
     */
    public static Volume of(String name, String mountPath) {
        requireNonNull(name, "name");
        if (!mountPath.startsWith("/")) {
            throw new IllegalArgumentException(
                    "FBR-305 Volume '" + name + "' is mounted at '" + mountPath + "'; expected an absolute path.");
        }
        return new Volume(name, mountPath, Access.READ_WRITE);
    }

    /** Returns a copy that a job may only read. */
    public Volume readOnly() {
        return new Volume(name, mountPath, Access.READ_ONLY);
    }

    /**
     * Returns the volume for a text from a command line or a setting.
     *
     * @param text {@code NAME:PATH}, or {@code NAME:PATH:ro} for a volume that the job may only read
     * @throws IllegalArgumentException (FBR-305) if the text has another form; the message says what was expected
     */
    public static Volume parse(String text) {
        boolean isReadOnly = text.endsWith(READ_ONLY);
        String rest = isReadOnly ? text.substring(0, text.length() - READ_ONLY.length()) : text;
        int colon = rest.indexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException(
                    "FBR-305 The volume is '" + text + "'; expected NAME:PATH or NAME:PATH:ro.");
        }
        Volume volume = of(rest.substring(0, colon), rest.substring(colon + 1));
        return isReadOnly ? volume.readOnly() : volume;
    }

    /** Returns the platform's name of the volume. */
    public String name() {
        return name;
    }

    /** Returns the absolute path under which the job sees the volume. */
    public String mountPath() {
        return mountPath;
    }

    /** Returns whether the job may change the volume. */
    public Access access() {
        return access;
    }

    /** Returns the text from which {@link #parse} creates this volume. */
    public String text() {
        return name + ":" + mountPath + (access == Access.READ_ONLY ? READ_ONLY : "");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Volume volume
                && name.equals(volume.name)
                && mountPath.equals(volume.mountPath)
                && access == volume.access;
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, mountPath, access);
    }

    /** Returns {@link #text}. */
    @Override
    public String toString() {
        return text();
    }
}
