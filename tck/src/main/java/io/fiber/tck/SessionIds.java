// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** Creates ids of sessions: {@code [a-z0-9]{12}}. */
final class SessionIds {

    private static final long SPACE = 4_738_381_338_321_616_896L; // 36^12

    private SessionIds() {}

    static String next() {
        String digits = Long.toString(ThreadLocalRandom.current().nextLong(SPACE), 36);
        return "0".repeat(12 - digits.length()) + digits.toLowerCase(Locale.ROOT);
    }
}
