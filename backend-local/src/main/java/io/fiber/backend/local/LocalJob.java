// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.Secret;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import io.fiber.spi.backend.Reaper;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One child process, from its start to its last event. Public methods are for any thread; those that say so belong to
 * the backend's own thread.
 */
final class LocalJob implements Job {

    private static final Duration TIME_LIMIT_GRACE = Duration.ofSeconds(2);
    private static final int KILL_LIMIT_SECONDS = 3;
    private static final int SIGNAL_BASE = 128;
    /** A program that itself exits with 129 to 192 cannot be told from one that a signal ended: a shell has it so too. */
    private static final int LAST_SIGNAL = 64;

    private static final int SIGKILL = 9;

    /** What a job needs of the backend that it belongs to. */
    interface Owner {
        /** Asks the process to end, on the backend's thread. */
        void terminate(LocalJob job);

        /** Kills the process and what it started, on the backend's thread, after a delay that may be zero. */
        Future<?> killAfter(LocalJob job, long delayNs);
    }

    private final String name;
    private final Process process;
    private final JobLog log;
    private final JobListener listener;
    private final Owner owner;
    private volatile JobState state = JobState.QUEUED;

    private Reaper.@Nullable Registration registration;
    private @Nullable Future<?> timeLimit;
    private @Nullable Future<?> kill;
    private long killAtNs;
    private @Nullable Cause ending;
    private boolean exited;

    /** Descendants seen when the job was asked to end; they may outlive it outside of its group. */
    private List<ProcessHandle> descendants = List.of();

    LocalJob(String name, Process process, JobLog log, JobListener listener, Owner owner) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.listener = listener;
        this.owner = owner;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String id() {
        return Long.toString(process.pid());
    }

    @Override
    public JobState state() {
        return state;
    }

    @Override
    public void cancel(Duration grace) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace is " + grace + "; expected zero or more.");
        }
        end(Cause.CANCELLED, grace);
    }

    @Override
    public List<String> logs(int lastLines) {
        if (lastLines < 0) {
            throw new IllegalArgumentException("lastLines is " + lastLines + "; expected 0 or more.");
        }
        return log.lastLines(lastLines);
    }

    @Override
    public String toString() {
        return "LocalJob[" + name + ", pid " + process.pid() + ", " + state + "]";
    }

    long pid() {
        return process.pid();
    }

    JobLog log() {
        return log;
    }

    /** Ends the job because its time is over. */
    void timeIsOver() {
        end(Cause.TIME_LIMIT, TIME_LIMIT_GRACE);
    }

    private synchronized void end(Cause cause, Duration grace) {
        if (exited) {
            return;
        }
        long graceNs = saturatedNanos(grace);
        long atNs = System.nanoTime() + graceNs;
        boolean first = ending == null;
        if (first) {
            ending = cause;
        } else if (kill != null && atNs - killAtNs >= 0) {
            return;
        }
        if (kill != null) {
            kill.cancel(false);
        }
        killAtNs = atNs;
        if (first && graceNs > 0) {
            owner.terminate(this);
        }
        kill = owner.killAfter(this, graceNs);
    }

    /** Returns nanoseconds that can be added to a nanoTime without ending up in the past: at most 146 years. */
    static long saturatedNanos(Duration duration) {
        try {
            return Math.min(duration.toNanos(), Long.MAX_VALUE / 2);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 2;
        }
    }

    synchronized void reaped(Reaper.Registration value) {
        registration = requireNonNull(value, "value");
    }

    synchronized void limited(Future<?> value) {
        timeLimit = value;
    }

    /** Writes the bootstrap bytes and waits for the end of the process. Blocks the job's own thread. */
    int runToEnd(Secret bootstrap) {
        if (bootstrap.length() > 0) {
            writeBootstrap(bootstrap);
        }
        while (true) {
            try {
                int exitCode = process.waitFor();
                synchronized (this) {
                    exited = true;
                }
                return exitCode;
            } catch (InterruptedException e) {
                // Nobody has a reason to interrupt this thread; the process is still to be waited for.
            }
        }
    }

    private void writeBootstrap(Secret bootstrap) {
        byte[] secret = bootstrap.copyBytes();
        byte[] framed = ByteBuffer.allocate(Integer.BYTES + secret.length)
                .putInt(secret.length)
                .put(secret)
                .array();
        try {
            // Never closed here: the end of this stream tells the job that its master is gone.
            OutputStream out = process.getOutputStream();
            out.write(framed);
            out.flush();
        } catch (IOException e) {
            // The process has ended or closed its input; its end says more than this.
            return;
        } catch (OutOfMemoryError e) {
            // Without its bootstrap it cannot work, and its end is told.
            process.destroyForcibly();
        } finally {
            Arrays.fill(secret, (byte) 0);
            Arrays.fill(framed, (byte) 0);
        }
    }

    /** Sends the polite signal. On the backend's thread. */
    void sendTerminate() {
        rememberDescendants();
        // Not Process.destroy(), which closes the streams as well and so loses the last lines.
        process.toHandle().destroy();
    }

    /** Kills the process and all that it started. On the backend's thread. */
    void sendKill(ProcessGroups groups) {
        rememberDescendants();
        groups.kill(List.of(process.pid()));
        process.toHandle().destroyForcibly();
        killDescendants();
    }

    /** Waits for the end of a process that was killed. */
    void awaitKilled() {
        try {
            process.waitFor(KILL_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void rememberDescendants() {
        List<ProcessHandle> now = process.toHandle()
                .descendants()
                .filter(descendant -> !isReaper(descendant))
                .toList();
        synchronized (this) {
            List<ProcessHandle> all = new ArrayList<>(descendants);
            all.addAll(now);
            descendants = all.stream().distinct().toList();
        }
    }

    /** A job that has a session of its own has a reaper, which is about to remove what the job cannot remove any more. */
    private static boolean isReaper(ProcessHandle descendant) {
        return descendant
                .info()
                .arguments()
                .map(words -> List.of(words).contains(Reaper.PROCESS_NAME))
                .orElse(false);
    }

    /** Kills the descendants that were seen; a handle knows its process's start time, so a reused pid is safe. */
    void killDescendants() {
        List<ProcessHandle> handles;
        synchronized (this) {
            handles = descendants;
        }
        for (ProcessHandle handle : handles) {
            handle.descendants().filter(child -> !isReaper(child)).forEach(ProcessHandle::destroyForcibly);
            handle.destroyForcibly();
        }
    }

    /** Tells the listener that the process runs. On the backend's thread. */
    void tellRunning() {
        state = JobState.RUNNING;
        tell(new JobEvent.Running(this, "localhost"));
    }

    /** Frees what the job holds and tells the listener of its end, once. On the backend's thread. */
    void tellEnded(int exitCode) {
        release();
        log.finish();
        JobTermination termination = termination(exitCode);
        state = termination.state();
        tell(new JobEvent.Ended(this, termination));
    }

    /** A listener that throws breaks its contract; the jobs of others must not suffer for it. */
    private void tell(JobEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable e) {
            System.getLogger(LocalJob.class.getName()).log(Level.WARNING, "A listener failed at " + event + ".", e);
        }
    }

    /** Gives back the registration and the timers. */
    synchronized void release() {
        if (registration != null) {
            registration.cancel();
            registration = null;
        }
        if (timeLimit != null) {
            timeLimit.cancel(false);
            timeLimit = null;
        }
        if (kill != null) {
            kill.cancel(false);
            kill = null;
        }
    }

    private synchronized JobTermination termination(int exitCode) {
        int signal = exitCode - SIGNAL_BASE;
        boolean signalled = signal > 0 && signal <= LAST_SIGNAL;
        OptionalInt code = exitCode >= 0 && exitCode <= 255 ? OptionalInt.of(exitCode) : OptionalInt.empty();
        if (ending == Cause.CANCELLED) {
            return new JobTermination(JobState.CANCELLED, Cause.CANCELLED, code, "");
        }
        if (ending == Cause.TIME_LIMIT) {
            return JobTermination.failed(Cause.TIME_LIMIT, code, "");
        }
        if (signalled) {
            return JobTermination.failed(Cause.SIGNALLED, code, describe(signal));
        }
        if (code.isEmpty()) {
            return JobTermination.failed(
                    Cause.EXITED,
                    code,
                    "exit status 0x" + Integer.toHexString(exitCode).toUpperCase(Locale.ROOT));
        }
        return JobTermination.exited(exitCode);
    }

    private static String describe(int signal) {
        return signal == SIGKILL ? "signal 9; perhaps the kernel needed the memory, see 'dmesg'" : "signal " + signal;
    }
}
