// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static java.util.Objects.requireNonNull;

import io.fiber.backend.support.ExitCodes;
import io.fiber.backend.support.ReportingJob;
import io.fiber.spec.EndCause;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Reaper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
 * A child process, from its start to its last event. Public methods are thread-safe; methods that say so belong to the
 * backend's own thread.
 */
final class LocalJob extends ReportingJob {

    private static final long TIME_LIMIT_GRACE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int KILL_LIMIT_SECONDS = 3;
    private static final int SIGKILL = 9;

    /** What a job needs from its backend. */
    interface Owner {
        /** Asks the process to end, in the backend's thread. */
        void terminate(LocalJob job);

        /** Kills the process and what it started, in the backend's thread, after a delay that may be zero. */
        Future<?> killAfter(LocalJob job, long delayNs);
    }

    private final Process process;
    private final JobLog log;
    private final Owner owner;

    private Reaper.@Nullable Registration registration;
    private @Nullable Future<?> timeLimit;
    private @Nullable Future<?> kill;
    private long killAtNs;
    private @Nullable EndCause ending;
    private boolean exited;

    /** Belongs to the backend's own thread. */
    private String waitsFor = "";

    /** Descendants that were running when the job was asked to end; outside its group, they may outlive it. */
    private List<ProcessHandle> descendants = List.of();

    LocalJob(String name, Process process, JobLog log, JobListener listener, Owner owner) {
        super(name, listener);
        this.process = process;
        this.log = log;
        this.owner = owner;
    }

    @Override
    public String id() {
        return Long.toString(process.pid());
    }

    @Override
    protected void cancelAfter(long graceNs) {
        end(EndCause.CANCELLED, graceNs);
    }

    @Override
    protected List<String> lastLines(int count) {
        return log.lastLines(count);
    }

    @Override
    public String toString() {
        return "LocalJob[" + name() + ", pid " + process.pid() + ", " + state() + "]";
    }

    long pid() {
        return process.pid();
    }

    JobLog log() {
        return log;
    }

    /** Ends the job because its time limit has passed. */
    void timeIsOver() {
        end(EndCause.TIME_LIMIT, TIME_LIMIT_GRACE_NS);
    }

    private synchronized void end(EndCause cause, long graceNs) {
        if (exited) {
            return;
        }
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

    /** Returns whether the job was asked to end. */
    synchronized boolean isEnding() {
        return ending != null;
    }

    /** Returns a limit in nanoseconds, however long it is. */
    static long limitNs(Duration limit) {
        return saturatedNanos(limit);
    }

    synchronized void reaped(Reaper.Registration value) {
        registration = requireNonNull(value, "value");
    }

    synchronized void limited(Future<?> value) {
        timeLimit = value;
    }

    /** Waits for the end of the process. Blocks the job's own thread. */
    int awaitEnd() {
        while (true) {
            try {
                int exitCode = process.waitFor();
                synchronized (this) {
                    exited = true;
                }
                return exitCode;
            } catch (InterruptedException e) {
                // No code interrupts this thread on purpose, and the process must still be waited for.
            }
        }
    }

    /** Names the GPUs to a process that waits for them; blocks until it has read them. */
    void sendGpus(List<String> names) {
        try {
            OutputStream out = process.getOutputStream();
            out.write((String.join(",", names) + "\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException e) {
            // The process has ended; its exit is reported elsewhere.
            return;
        }
    }

    /** Sends what a program waits for after its start; blocks until it has read it. */
    void sendInput(Secret bootstrap, Launch.Input input) {
        if (bootstrap.length() > 0) {
            sendBootstrap(bootstrap);
        } else if (input == Launch.Input.CONSOLE) {
            ConsoleInput.passTo(process);
        } else {
            closeInput();
        }
    }

    private void closeInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The process has ended; its exit is reported elsewhere.
            return;
        }
    }

    private void sendBootstrap(Secret bootstrap) {
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
            // The process has ended or closed its input; its exit is reported elsewhere.
            return;
        } catch (OutOfMemoryError e) {
            // It cannot work without its bootstrap bytes; its exit is reported.
            process.destroyForcibly();
        } finally {
            Arrays.fill(secret, (byte) 0);
            Arrays.fill(framed, (byte) 0);
        }
    }

    /** Sends SIGTERM. In the backend's thread. */
    void sendTerminate() {
        rememberDescendants();
        // Process.destroy() would also close the streams and so lose the last lines.
        process.toHandle().destroy();
    }

    /** Kills the process and everything that it started. In the backend's thread. */
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

    /** A job with a session of its own has a reaper, which is about to remove what the job can no longer remove. */
    private static boolean isReaper(ProcessHandle descendant) {
        return descendant
                .info()
                .arguments()
                .map(words -> List.of(words).contains(Reaper.PROCESS_NAME))
                .orElse(false);
    }

    /** Kills the descendants that were seen. A handle knows its process's start time, so a reused pid is safe. */
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

    /** Reports that the process runs. In the backend's thread. */
    void begun() {
        tellRunning("localhost");
    }

    /** Reports why the process does not start yet, unless it has said so already. In the backend's thread. */
    void waits(String reason) {
        if (!reason.equals(waitsFor)) {
            waitsFor = reason;
            tellWaiting(reason);
        }
    }

    /** Reports the end of the process, once. In the backend's thread. */
    void ended(int exitCode) {
        tellEnded(termination(exitCode));
    }

    /** Cancels the registration and the timers, because after its end its pid may belong to another process. */
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
        OptionalInt signal = ExitCodes.signal(exitCode);
        OptionalInt code = exitCode >= 0 && exitCode <= 255 ? OptionalInt.of(exitCode) : OptionalInt.empty();
        if (ending == EndCause.CANCELLED) {
            return JobTermination.cancelled(code);
        }
        if (ending == EndCause.TIME_LIMIT) {
            return JobTermination.failed(EndCause.TIME_LIMIT, code, "");
        }
        if (signal.isPresent()) {
            return JobTermination.failed(EndCause.SIGNALLED, code, describe(signal.getAsInt()));
        }
        if (code.isEmpty()) {
            return JobTermination.failed(
                    EndCause.EXITED,
                    code,
                    "exit status 0x" + Integer.toHexString(exitCode).toUpperCase(Locale.ROOT));
        }
        return JobTermination.exited(exitCode);
    }

    private static String describe(int signal) {
        return ExitCodes.inWords(signal)
                + (signal == SIGKILL ? "; perhaps the kernel needed the memory, see 'dmesg'" : "");
    }
}
