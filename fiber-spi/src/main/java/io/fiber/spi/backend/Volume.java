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

    public Volume {
        requireNonNull(name, "name");
        requireNonNull(access, "access");
        if (!mountPath.startsWith("/")) {
            throw new IllegalArgumentException(
                    "Volume '" + name + "' is mounted at '" + mountPath + "'; expected an absolute path.");
        }
    }
}
