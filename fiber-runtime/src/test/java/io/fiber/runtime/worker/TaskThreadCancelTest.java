// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Messages.Running;
import io.fiber.runtime.protocol.codec.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Announcements, cancels and interrupts. */
class TaskThreadCancelTest extends TaskThreadScene {

    @Test
    void announcedItemWaitsUntilItIsGrantedAsItsFunctionDoesOnce() {
        List<String> story = new ArrayList<>();
        onBegun = begun -> {
            story.add("granted " + begun.item());
            grant(begun);
        };
        body(value -> {
            story.add("run");
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 3, true));

        assertThat(story).containsExactly("granted -1", "granted 0", "run", "granted 1", "run", "granted 2", "run");
        assertThat(reports)
                .extracting(report -> report.getClass().getSimpleName())
                .containsExactly("Begun", "Begun", "Results", "Begun", "Results", "Begun", "Results");
        assertThat(answers(7)).containsExactly("0", "1", "2");
    }

    @Test
    void cancelOfAChunkWhoseItemWasJustGrantedKeepsTheItemFromRunning() {
        Work.Chunk chunk = chunk(ints(), 7, Input.INT_RANGE, 3, true);
        onBegun = begun -> {
            if (begun.item() == 0) {
                runner.cancel(chunk, Running.INTERRUPTED);
            }
            grant(begun);
        };
        body(value -> value);
        run(chunk);

        assertThat(ran).isEmpty();
        assertThat(reports)
                .containsExactly(
                        new Report.Begun(7, 1, Messages.FUNCTION),
                        new Report.Begun(7, 1, 0),
                        new Report.Dropped(7, 1),
                        ended(7));
    }

    @Test
    void cancelEndsTheWaitOfAnItemThatIsNeverGranted() {
        Work.Chunk chunk = chunk(ints(), 7, Input.INT_RANGE, 3, true);
        onBegun = begun -> {
            if (begun.item() == 0) {
                runner.cancel(chunk, Running.LEFT);
            } else {
                grant(begun);
            }
        };
        body(value -> value);
        run(chunk);

        assertThat(ran).isEmpty();
        assertThat(reports)
                .containsExactly(
                        new Report.Begun(7, 1, Messages.FUNCTION),
                        new Report.Begun(7, 1, 0),
                        new Report.Dropped(7, 1),
                        ended(7));
    }

    @Test
    void cancelEndsTheWaitOfAFunctionThatIsNeverGranted() {
        Work.Chunk chunk = chunk(ints(), 7, Input.INT_RANGE, 3, true);
        onBegun = begun -> runner.cancel(chunk, Running.LEFT);
        body(value -> value);
        run(chunk);

        assertThat(ran).isEmpty();
        assertThat(reports)
                .containsExactly(new Report.Begun(7, 1, Messages.FUNCTION), new Report.Dropped(7, 1), ended(7));
    }

    @Test
    void grantOfAnotherItemDoesNotLetOneBegin() {
        List<Integer> grants = new ArrayList<>();
        onBegun = begun -> {
            if (begun.item() == Messages.FUNCTION) {
                grant(begun);
                return;
            }
            for (int item = begun.item() + 3; item >= begun.item(); item--) {
                assertThat(ran).hasSize(begun.item());
                grants.add(item);
                grant(new Report.Begun(7, 1, item));
            }
        };
        body(value -> value);
        run(chunk(ints(), 7, Input.INT_RANGE, 2, true));

        assertThat(ran).containsExactly(0, 1);
        assertThat(grants).hasSize(8);
    }

    @Test
    void cancelBeforeTheStartDropsTheChunk() {
        Work.Chunk chunk = chunk(ints(), 7, Input.INT_RANGE, 3, false);
        runner.cancel(chunk, Running.INTERRUPTED);
        body(value -> value);
        run(chunk);

        assertThat(ran).isEmpty();
        assertThat(reports).containsExactly(new Report.Dropped(7, 1), ended(7));
    }

    @Test
    void cancelInterruptsTheTaskAndNotTheNextChunk() {
        Work.Chunk cancelled = chunk(ints(), 7, Input.INT_RANGE, 3, false);
        List<Boolean> interrupted = new ArrayList<>();
        body(value -> {
            if (ran.size() == 2) {
                runner.cancel(cancelled, Running.INTERRUPTED);
            }
            interrupted.add(Thread.currentThread().isInterrupted());
            return value;
        });
        run(cancelled, chunk(ints(), 8, Input.INT_RANGE, 2, false));

        assertThat(interrupted).containsExactly(false, true, false, false);
        assertThat(reports).contains(new Report.Dropped(7, 1));
        assertThat(answers(8)).containsExactly("0", "1");
    }

    /** The item of the interrupt has ended, and its result waits for the link. */
    @Test
    void threadThatWaitsForItsLinkIsNotStuck() throws InterruptedException {
        Work.Chunk cancelled = chunk(ints(), 7, Input.INT_RANGE, 3, false);
        List<Object> stuck = new ArrayList<>();
        Thread link = new Thread(() -> {
            while (runner.peek() == null) {
                Thread.onSpinWait();
            }
            runner.cancel(cancelled, Running.INTERRUPTED);
            for (int look = 0; look < 50; look++) {
                stuck.add(Optional.ofNullable(runner.stuck(Long.MAX_VALUE, 0)));
                LockSupport.parkNanos(1_000_000);
            }
            reports.add(runner.peek());
            runner.taken();
            hasRoom = true;
        });
        body(value -> {
            hasRoom = false;
            link.start();
            return new byte[2 << 20];
        });
        run(cancelled, chunk(items(), 8, Input.INT_RANGE, 2, false));
        link.join();

        assertThat(ran).containsExactly(0);
        assertThat(stuck).containsOnly(Optional.empty());
        assertThat(reports).contains(new Report.Dropped(7, 1));
        assertThat(answers(8)).containsExactly("0", "1");
    }

    @Test
    void cancelDuringTheLastTaskIsTooLateToDropAnything() {
        Work.Chunk cancelled = chunk(ints(), 7, Input.INT_RANGE, 1, false);
        body(value -> {
            runner.cancel(cancelled, Running.INTERRUPTED);
            return value;
        });
        run(cancelled);

        assertThat(answers(7)).containsExactly("0");
        assertThat(reports).hasSize(1);
    }

    @Test
    void cancelOfAChunkThatWaitsDoesNotInterruptTheOneThatRuns() {
        Work.Chunk waiting = chunk(ints(), 8, Input.INT_RANGE, 2, false);
        List<Boolean> interrupted = new ArrayList<>();
        body(value -> {
            runner.cancel(waiting, Running.INTERRUPTED);
            interrupted.add(Thread.currentThread().isInterrupted());
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 2, false), waiting);

        assertThat(interrupted).containsExactly(false, false);
        assertThat(answers(7)).containsExactly("0", "1");
        assertThat(reports).contains(new Report.Dropped(8, 1));
    }

    @Test
    void interruptThatATaskLeavesBehindDoesNotReachTheNextTask() {
        List<Boolean> interrupted = new ArrayList<>();
        body(value -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 3, false), chunk(ints(), 8, Input.INT_RANGE, 1, false));

        assertThat(interrupted).containsExactly(false, false, false, false);
    }
}
