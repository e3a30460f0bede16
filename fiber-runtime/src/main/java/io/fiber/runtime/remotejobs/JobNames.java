// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.platform.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Names of jobs that workers ask for, so that no two of them meet in the session of the one who submits them. */
final class JobNames {

    private static final int GREATEST_LENGTH = 63;

    private JobNames() {}

    /**
     * Returns {@code <worker>-<name>}; where that is longer than a name may be, its end behind a digest of the whole.
     *
     * @param worker name of the job that asks
     * @param name what it calls the job that it asks for
     */
    static String of(String worker, String name) {
        String whole = worker + "-" + name;
        if (whole.length() <= GREATEST_LENGTH) {
            return whole;
        }
        byte[] hash = Sha256.newDigest().digest(whole.getBytes(StandardCharsets.UTF_8));
        String digest = Long.toUnsignedString(ByteBuffer.wrap(hash).getLong(), 36);
        return digest + "-" + whole.substring(whole.length() - (GREATEST_LENGTH - digest.length() - 1));
    }
}
