// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.tck.probe.JobProgram;
import io.fiber.tck.probe.JobWorld;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/** The threads and resources of a simulated process and its children, which die together. Thread-safe. */
final class ProcessGroup {

    private static final int SIGTERM_CODE = 143;
    private static final int SIGKILL_CODE = 137;
    private static final int FAILURE_CODE = 1;

    private final ThreadGroup threads = new ThreadGroup("simulated-process");
    private final List<Thread> members = new ArrayList<>();
    private final List<Closeable> resources = new ArrayList<>();
    private final List<Runnable> terminateActions = new ArrayList<>();
    private final SimulatedPlatform.Sessions sessions;
    private boolean dead;
    private boolean askedToEnd;

    ProcessGroup(SimulatedPlatform.Sessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Returns the group of a child that opens a session of its own. It is this group if the platform also kills such
     * children when it kills the job.
     */
    ProcessGroup ofNewSession() {
        return sessions == SimulatedPlatform.Sessions.END_WITH_THEIR_JOB ? this : new ProcessGroup(sessions);
    }

    /** Runs a program in a thread; {@code onEnd} receives its exit code, even if the group is killed. */
    synchronized void start(
            String name, JobProgram program, JobWorld world, List<String> arguments, IntConsumer onEnd) {
        AtomicBoolean told = new AtomicBoolean();
        Thread thread = new Thread(
                threads,
                () -> run(program, world, arguments, code -> {
                    if (told.compareAndSet(false, true)) {
                        onEnd.accept(code);
                    }
                }),
                "simulated-" + name);
        thread.setDaemon(true);
        members.add(thread);
        thread.start();
    }

    private void run(JobProgram program, JobWorld world, List<String> arguments, IntConsumer onEnd) {
        int code;
        try {
            code = program.run(world, arguments);
        } catch (Exception e) {
            code = FAILURE_CODE;
            world.err().println("The program failed: " + e);
        }
        synchronized (this) {
            if (dead) {
                code = askedToEnd ? SIGTERM_CODE : SIGKILL_CODE;
            }
        }
        onEnd.accept(code);
    }

    synchronized void onTerminate(Runnable action) {
        terminateActions.add(action);
    }

    void own(Closeable resource) {
        synchronized (this) {
            if (!dead) {
                resources.add(resource);
                return;
            }
        }
        close(resource);
    }

    /** Acts like SIGTERM: runs the actions, then the process dies. */
    synchronized void askToEnd() {
        if (askedToEnd || dead) {
            return;
        }
        askedToEnd = true;
        List<Runnable> actions = List.copyOf(terminateActions);
        Thread thread = new Thread(
                threads,
                () -> {
                    actions.forEach(Runnable::run);
                    kill();
                },
                "simulated-terminator");
        thread.setDaemon(true);
        members.add(thread);
        thread.start();
    }

    /** Acts like SIGKILL for all processes. */
    void kill() {
        List<Closeable> toClose;
        synchronized (this) {
            dead = true;
            toClose = List.copyOf(resources);
            resources.clear();
        }
        toClose.forEach(ProcessGroup::close);
        threads.interrupt();
    }

    private static void close(Closeable resource) {
        try {
            resource.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    void join() throws InterruptedException {
        List<Thread> toJoin;
        synchronized (this) {
            toJoin = List.copyOf(members);
        }
        for (Thread thread : toJoin) {
            thread.join(5_000);
        }
    }
}
