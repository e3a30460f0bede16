// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.logging.Logs;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Waits for a {@code close()} to end. It regularly looks for streams that the program no longer holds, and if the wait is
 * long, logs what it waits for. It adds up the limits of its waits, so it needs no clock.
 *
 * @param what what is closed, for a person
 * @param waitsFor returns what the close waits for, for a person, with a full stop
 * @param lookForAbandoned ends what the program no longer holds
 */
public record LongClose(String what, Supplier<String> waitsFor, Runnable lookForAbandoned) {

    /** When to look for abandoned streams first. The interval then doubles, because a look costs a garbage collection. */
    private static final Duration FIRST_LOOK = Duration.ofSeconds(1);

    private static final Duration FIRST_NOTICE = Duration.ofSeconds(5);
    private static final Duration NOTICE_INTERVAL = Duration.ofMinutes(1);

    /**
     * Waits until {@code hasEnded} returns true, and meanwhile logs warnings.
     *
     * @param hasEnded waits for the end; returns false after its limit, and not earlier
     */
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
                        + " Call shutdownNow() to end without waiting.");
                nextNotice = waited.plus(NOTICE_INTERVAL);
            }
        }
    }
}
