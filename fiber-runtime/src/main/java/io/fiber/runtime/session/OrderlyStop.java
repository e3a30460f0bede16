// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.Signals;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends a program with a journal when a signal asks it to end: it hands out no more tasks, waits for those that run, writes
 * their results to the disk and exits with {@link #EXIT_CODE}, by which a platform knows that it can be started again. A
 * second signal ends the wait, and a third one the program; SIGTERM counts again after four seconds. Without an open journal, a signal does what it does in any JVM.
 */
final class OrderlyStop {

    /** {@code EX_TEMPFAIL} of {@code sysexits.h}: try again later. */
    static final int EXIT_CODE = 75;

    /** A JVM that a signal ends has the exit code 128 and the number of the signal. */
    private static final int SIGNALLED = 128;

    private static final int SIGTERM = 15;
    private static final int REPEATED = 0;

    /**
     * A scheduler may send SIGTERM to each process of a job and to its script, which passes it on. The script's reads end
     * after 2 s, and it may handle a signal only then.
     */
    private static final long REPEATED_NS = TimeUnit.SECONDS.toNanos(4);

    private static final System.Logger LOG = Logs.of(OrderlyStop.class);
    private static final OrderlyStop OF_PROCESS = new OrderlyStop();

    private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    private int signals;
    private long lastNs;

    private OrderlyStop() {
        Signals.takenBy(this::onSignal, Signals.ENDING);
    }

    /** Includes a session until it is removed. */
    static void add(Session session) {
        OF_PROCESS.sessions.add(session);
    }

    static void remove(Session session) {
        OF_PROCESS.sessions.remove(session);
    }

    /** Returns the number of a signal, from 1 on, or {@link #REPEATED}. */
    private synchronized int count(int number) {
        long nowNs = System.nanoTime();
        if (number == SIGTERM && signals > 0 && nowNs - lastNs < REPEATED_NS) {
            return REPEATED;
        }
        lastNs = nowNs;
        return ++signals;
    }

    /** Runs in a thread of the signal. */
    private void onSignal(int number) {
        int signal = count(number);
        if (signal == REPEATED) {
            return;
        }
        if (signal > 2) {
            Runtime.getRuntime().halt(SIGNALLED + number);
        }
        if (signal == 2 || sessions.isEmpty()) {
            System.exit(SIGNALLED + number);
        }
        ExitNotice notice = ExitNotice.install();
        Duration limit = sessions.stream()
                .map(Session::stopNotice)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        System.err.println("Stopping: no more tasks start, and those that run have " + limit.toSeconds()
                + " s to end. Their results go into the journal. A second signal ends the wait.");
        try {
            CompletableFuture<?>[] quiet =
                    sessions.stream().flatMap(Session::quiet).toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(quiet).get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.log(Level.WARNING, "Tasks that had not ended after " + limit.toSeconds() + " s run again next time.");
        } catch (ExecutionException | InterruptedException e) {
            LOG.log(Level.WARNING, "Tasks that run are not waited for.", e);
        }
        sessions.forEach(Session::syncJournals);
        notice.replace("This program was stopped by a signal, with exit code " + EXIT_CODE
                + ". The journal has the results so far, and the next run goes on from there.");
        System.exit(EXIT_CODE);
    }
}
