// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** When a conductor rests between two looks at its peers. */
class ConductorIdleTest {

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final ConductorIdle idle = idle(() -> Expected.ANSWER);

    private ConductorIdle idle(Supplier<Expected> expected) {
        return idle(expected, new TransportWait(() -> false));
    }

    private ConductorIdle idle(Supplier<Expected> expected, TransportWait transports) {
        return new ConductorIdle(clock::get, expected, transports, ConductorIdle.Rank.MAIN);
    }

    @Test
    void lookAtManyPeersIsWorthItsTimeWhenItFindsAFrameForEachEighth() {
        assertThat(ConductorIdle.isWorthItsTime(400, 49)).isFalse();
        assertThat(ConductorIdle.isWorthItsTime(400, 50)).isTrue();
    }

    @Test
    void lookThatFindsAsMuchAsOnePeerMaySendIsWorthItsTimeHoweverManyThereAre() {
        assertThat(ConductorIdle.isWorthItsTime(100_000, 63)).isFalse();
        assertThat(ConductorIdle.isWorthItsTime(100_000, 64)).isTrue();
    }

    @Test
    void lookAtFewPeersIsNeverFollowedByARest() {
        assertThat(ConductorIdle.isWorthItsTime(7, 0)).isTrue();
        assertThat(ConductorIdle.restAfter(24, 10_000_000)).isZero();
    }

    @Test
    void restIsFourTimesAsLongAsTheLook() {
        assertThat(ConductorIdle.restAfter(1_000, 6_000)).isZero();
        assertThat(ConductorIdle.restAfter(1_000, 100_000)).isEqualTo(400_000);
    }

    /** A look may have been long because its thread had no processor; the peers are not to pay for it. */
    @Test
    void restIsNoLongerThanThePeersAreMany() {
        assertThat(ConductorIdle.restAfter(1_000, 1_000_000_000)).isEqualTo(1_000_000);
    }

    @Test
    void restAfterALookThatFoundLittleIsEndedByACommand() throws InterruptedException {
        int peers = 1_000_000_000;
        long beganNs = clock.getAndAdd(50_000_000_000L);
        idle.looked(peers, 1, beganNs);

        Thread conductor = new Thread(() -> idle.idle(1, Long.MAX_VALUE));
        conductor.start();
        await().until(idle::isAsleep);
        idle.wake();
        conductor.join();

        assertThat(idle.isAsleep()).isFalse();
    }

    @Test
    void lookThatWasWorthItsTimeEndsTheRests() {
        idle.looked(1_000_000_000, 1, clock.getAndAdd(50_000_000_000L));
        idle.looked(1_000_000_000, 64, clock.get());

        Thread conductor = new Thread(() -> idle.idle(1, Long.MAX_VALUE));
        conductor.setDaemon(true);
        conductor.start();

        await().until(() -> !conductor.isAlive());
    }

    /** A process that sleeps before the answer comes takes twice as long for it; a thousand that look for tasks take all. */
    @Test
    void answerIsLookedForLongerThanTasks() {
        assertThat(looksBeforeSleep(Expected.ANSWER)).isEqualTo(100);
        assertThat(looksBeforeSleep(Expected.TASKS)).isEqualTo(20);
    }

    private int looksBeforeSleep(Expected expected) {
        ConductorIdle warm = idle(() -> expected);
        for (int look = 0; look < 10_000; look++) {
            warm.lengthNs(1);
        }
        return looksBeforeSleep(warm);
    }

    private static int looksBeforeSleep(ConductorIdle idle) {
        int looks = 0;
        while (idle.lengthNs(0) == 0) {
            looks++;
        }
        return looks;
    }

    @Test
    void waitThatTheTransportsEndBeginsAtOnce() {
        TransportWait transports = new TransportWait(() -> false);
        transports.leaveAlone(TransportWait.TIMED);

        assertThat(looksBeforeSleep(idle(() -> Expected.ANSWER, transports))).isZero();
    }

    /** Each look of a fresh program takes the processor from its workers and from the compiler. */
    @Test
    void freshProcessLooksForTasksAndResultsMoreRarely() {
        ConductorIdle fresh = idle(() -> Expected.TASKS);

        assertThat(fresh.sleepNs(0, Expected.TASKS)).isEqualTo(400_000);
        assertThat(fresh.sleepNs(50_000_000, Expected.TASKS)).isEqualTo(1_000_000);
        for (int look = 0; look < 9_999; look++) {
            fresh.idle(1);
        }
        assertThat(fresh.sleepNs(0, Expected.TASKS)).isEqualTo(400_000);
        fresh.idle(1);
        assertThat(fresh.sleepNs(0, Expected.TASKS)).isEqualTo(25_000);
    }

    @Test
    void freshProcessSleepsWhenTheFirstLookHasFoundNothing() {
        ConductorIdle fresh = idle(() -> Expected.TASKS);

        assertThat(fresh.lengthNs(1)).isZero();
        assertThat(fresh.lengthNs(0)).isEqualTo(400_000);
    }

    @Test
    void freshProcessLooksForTheAnswerToOneMessageAsOftenAsEver() {
        assertThat(idle.sleepNs(0, Expected.ANSWER)).isEqualTo(25_000);
        assertThat(looksBeforeSleep(idle(() -> Expected.ANSWER))).isEqualTo(100);
    }

    @Test
    void processThatExpectsNothingSleepsForALargerShareOfTheSilence() {
        ConductorIdle quiet = idle(() -> Expected.NOTHING);

        assertThat(quiet.sleepNs(8_000_000, Expected.NOTHING)).isEqualTo(1_000_000);
        assertThat(quiet.sleepNs(Long.MAX_VALUE, Expected.NOTHING)).isEqualTo(10_000_000);
    }
}
