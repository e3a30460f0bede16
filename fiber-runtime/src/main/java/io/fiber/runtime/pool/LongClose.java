// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.logging.Logs;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A close that waits: it looks for streams that the program no longer holds, and says what it waits for when that takes
 * long. It measures time by how long it has waited, so it needs no clock.
 */
public final class LongClose {

    /** After so long streams are looked for; each further look comes after twice the time. */
    private static final Duration FIRST_LOOK = Duration.ofSeconds(1);

    private static final Duration FIRST_NOTICE = Duration.ofSeconds(5);
    private static final Duration NOTICE_INTERVAL = Duration.ofMinutes(1);

    /** What is waited for. */
    public interface Ending {
        /** Waits for the end; false when it has not come within the limit. */
        boolean await(Duration limit);

        /** Looks whether it waits for something that the program no longer holds. */
        default void lookForAbandoned() {}

        /** Returns what it waits for, for a person. */
        String waitsFor();
    }

    private LongClose() {}

    /** Waits for an end; says in the log, as a warning, what it waits for. */
    public static void await(String what, Ending ending) {
        await(what, ending, notice -> Logs.of(LongClose.class).log(System.Logger.Level.WARNING, notice));
    }

    static void await(String what, Ending ending, Consumer<String> notices) {
        Duration waited = Duration.ZERO;
        Duration nextLook = FIRST_LOOK;
        Duration nextNotice = FIRST_NOTICE;
        while (true) {
            Duration next = nextLook.compareTo(nextNotice) < 0 ? nextLook : nextNotice;
            if (ending.await(next.minus(waited))) {
                return;
            }
            waited = next;
            if (waited.equals(nextLook)) {
                ending.lookForAbandoned();
                nextLook = waited.multipliedBy(2).plus(FIRST_LOOK);
            }
            if (waited.equals(nextNotice)) {
                notices.accept("FBR-409 close() of " + what + " has waited " + waited.toSeconds() + " s for "
                        + ending.waitsFor() + " terminate() ends it without waiting.");
                nextNotice = waited.plus(NOTICE_INTERVAL);
            }
        }
    }
}
