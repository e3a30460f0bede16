// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.logging.Logs;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A close that waits: it looks for streams that the program no longer holds, and says what it waits for when that takes
 * long. It measures time by how long it has waited, so it needs no clock.
 *
 * @param waitsFor says what it waits for, for a person
 * @param lookForAbandoned looks whether it waits for something that the program no longer holds
 */
public record LongClose(String what, Supplier<String> waitsFor, Runnable lookForAbandoned) {

    /** After so long streams are looked for; each further look comes after twice the time. */
    private static final Duration FIRST_LOOK = Duration.ofSeconds(1);

    private static final Duration FIRST_NOTICE = Duration.ofSeconds(5);
    private static final Duration NOTICE_INTERVAL = Duration.ofMinutes(1);

    /** Waits until {@code hasEnded}, which waits within a limit; says in the log, as a warning, what it waits for. */
    public void await(Predicate<Duration> hasEnded) {
        await(hasEnded, notice -> Logs.of(LongClose.class).log(System.Logger.Level.WARNING, notice));
    }

    void await(Predicate<Duration> hasEnded, Consumer<String> notices) {
        Duration waited = Duration.ZERO;
        Duration nextLook = FIRST_LOOK;
        Duration nextNotice = FIRST_NOTICE;
        while (true) {
            Duration next = nextLook.compareTo(nextNotice) < 0 ? nextLook : nextNotice;
            if (hasEnded.test(next.minus(waited))) {
                return;
            }
            waited = next;
            if (waited.equals(nextLook)) {
                lookForAbandoned.run();
                nextLook = waited.multipliedBy(2).plus(FIRST_LOOK);
            }
            if (waited.equals(nextNotice)) {
                notices.accept("FBR-409 close() of " + what + " has waited " + waited.toSeconds() + " s for "
                        + waitsFor.get() + " If the try block has thrown an exception, it appears only afterwards."
                        + " Call terminate() to end without waiting.");
                nextNotice = waited.plus(NOTICE_INTERVAL);
            }
        }
    }
}
