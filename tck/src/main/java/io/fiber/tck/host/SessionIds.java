// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.host;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** Creates ids of sessions: {@code [a-z0-9]{12}}. */
public final class SessionIds {

    private static final long SPACE = 4_738_381_338_321_616_896L; // 36^12

    private SessionIds() {}

    /** Returns a random id. */
    public static String next() {
        String digits = Long.toString(ThreadLocalRandom.current().nextLong(SPACE), 36);
        return "0".repeat(12 - digits.length()) + digits.toLowerCase(Locale.ROOT);
    }
}
