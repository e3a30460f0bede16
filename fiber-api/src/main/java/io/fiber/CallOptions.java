// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spec.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Options for the calls made through a {@linkplain Pool#with view of a pool}. An empty option takes the value of the
 * pool.
 *
 * <pre>{@code
 * pool.with(CallOptions.defaults().chunkSize(1).maxReruns(0)).map(Model::train, configurations);
 * }</pre>
 *
 * <p>Immutable. Each method that takes a value returns a copy with it.
 */
public final class CallOptions {

    private static final CallOptions DEFAULTS = new CallOptions(
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    private final OptionalInt chunkSize;
    private final OptionalInt maxReruns;
    private final Optional<Resources> resources;
    private final Optional<Duration> deadline;
    private final Optional<Retry> retry;
    private final Optional<ProgressListener> progress;
    private final Optional<Path> journal;
    private final Optional<ChangedCode> changedCode;

    private CallOptions(
            OptionalInt chunkSize,
            OptionalInt maxReruns,
            Optional<Resources> resources,
            Optional<Duration> deadline,
            Optional<Retry> retry,
            Optional<ProgressListener> progress,
            Optional<Path> journal,
            Optional<ChangedCode> changedCode) {
        this.chunkSize = chunkSize;
        this.maxReruns = maxReruns;
        this.resources = resources;
        this.deadline = deadline;
        this.retry = retry;
        this.progress = progress;
        this.journal = journal;
        this.changedCode = changedCode;
        chunkSize.ifPresent(CallOptions::requireChunkSize);
        maxReruns.ifPresent(CallOptions::requireMaxReruns);
        deadline.ifPresent(CallOptions::requireDeadline);
    }

    /** Returns options with nothing set. */
    public static CallOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Returns a copy with a fixed chunk size.
     *
     * @param tasks how many tasks are sent together; at least 1
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    public CallOptions chunkSize(int tasks) {
        return new CallOptions(
                OptionalInt.of(tasks), maxReruns, resources, deadline, retry, progress, journal, changedCode);
    }

    /**
     * Returns a copy that limits how many times a task is run again if its worker is lost after the task has started.
     * With 0, no task runs twice. This limit does not concern tasks that throw: see {@link #retry}.
     *
     * @param times 0 or more. The default is the setting {@code max-reruns}, which is 2 unless you set it
     * @throws IllegalArgumentException if {@code times} is negative
     */
    public CallOptions maxReruns(int times) {
        return new CallOptions(
                chunkSize, OptionalInt.of(times), resources, deadline, retry, progress, journal, changedCode);
    }

    /**
     * Returns a copy that says what the functions need of their machine. If the workers of the pool are not started
     * yet, they are started with these resources. If they are running with other resources, the call is rejected
     * (FBR-480).
     *
     * @param needed overrides {@link Needs}, unless it is {@link Resources#unspecified()}
     */
    public CallOptions resources(Resources needed) {
        return new CallOptions(
                chunkSize, maxReruns, Optional.of(needed), deadline, retry, progress, journal, changedCode);
    }

    /**
     * Returns a copy that limits how long each task may run, counted from its start. A task that runs longer is
     * interrupted. If it still runs after the time of the setting {@code shutdown-grace}, its worker is ended and
     * replaced. Either way the task fails with {@link TaskTimeoutException} and is not run again; other tasks do not
     * fail because of it. Deadlines are checked every 10 to 50 ms. If a task is retried ({@link #retry}), the deadline
     * applies to the sum of its attempts, without the pauses between them.
     *
     * @param time greater than 0
     * @throws IllegalArgumentException if {@code time} is not greater than 0
     */
    public CallOptions deadline(Duration time) {
        return new CallOptions(
                chunkSize, maxReruns, resources, Optional.of(time), retry, progress, journal, changedCode);
    }

    /**
     * Returns a copy that retries tasks that throw. If the last attempt fails, the caller gets its exception. The
     * exceptions of earlier attempts are {@linkplain Throwable#getSuppressed() suppressed} in it, unless they are the
     * same. A result that cannot be serialized, an argument that cannot be deserialized and a task that exceeded its
     * {@link #deadline} are not retried.
     *
     * @param how how often, when and after which exceptions
     */
    public CallOptions retry(Retry how) {
        return new CallOptions(
                chunkSize, maxReruns, resources, deadline, Optional.of(how), progress, journal, changedCode);
    }

    /**
     * Returns a copy that reports the progress of calls with many tasks. {@code apply} reports nothing.
     *
     * @param listener stays in this process
     */
    public CallOptions progress(ProgressListener listener) {
        return new CallOptions(
                chunkSize, maxReruns, resources, deadline, retry, Optional.of(listener), journal, changedCode);
    }

    /**
     * Returns a copy that records each result in a file, so that a later run of the program takes it from there instead of
     * running the task again. A call that ends with its program, for whatever reason, goes on in the next run.
     *
     * <p>A recorded result is taken if the function is the same (class, method and captured values, and the code of the
     * program's classes that it reaches), and the item has the same place and the same serialized bytes. Items may be added
     * or removed at the end; changed ones run again. If the code has changed, the call is rejected with FBR-583. Tasks that
     * fail are not recorded. The calls of one function are told apart by their order in the program, so begin them in the
     * same order in each run. Tasks of {@code apply}, {@code applyAsync} and the executor are known by their item alone.
     *
     * <p>A result that the program has received is in the file, and on the disk after at most a second, or when its {@code
     * map} or stream ends. One session at a time writes a journal. It stays open until the session ends.
     *
     * @param file is created if it does not exist. Its directory may be on a network file system
     */
    public CallOptions journal(Path file) {
        return new CallOptions(
                chunkSize,
                maxReruns,
                resources,
                deadline,
                retry,
                progress,
                Optional.of(file),
                Optional.of(ChangedCode.REJECT));
    }

    /**
     * Returns a copy with a journal, as {@link #journal(Path)}, that says what to do if the code of a function has changed
     * since its results were recorded.
     *
     * @param file is created if it does not exist
     * @param changed accepting makes the present code the recorded one, so that the next run need not accept it
     */
    public CallOptions journal(Path file, ChangedCode changed) {
        return new CallOptions(
                chunkSize, maxReruns, resources, deadline, retry, progress, Optional.of(file), Optional.of(changed));
    }

    /**
     * Returns how many tasks are sent to a worker together. Chunks that together take less than 0.3 ms share a message,
     * unless {@code maxReruns} is 0 or there is a deadline. The pool's default adapts to the duration of the tasks.
     */
    public OptionalInt chunkSize() {
        return chunkSize;
    }

    /**
     * Returns how many times a task is run again if its worker is lost after the task has started. The pool's default is
     * the setting {@code max-reruns}.
     */
    public OptionalInt maxReruns() {
        return maxReruns;
    }

    /** Returns what the function needs of its machine. If empty, {@link Needs} says so. */
    public Optional<Resources> resources() {
        return resources;
    }

    /** Returns how long a task may run. There is no limit by default. */
    public Optional<Duration> deadline() {
        return deadline;
    }

    /** Returns how tasks that throw are retried. By default, they are not. */
    public Optional<Retry> retry() {
        return retry;
    }

    /** Returns the listener for the progress of calls. There is none by default. */
    public Optional<ProgressListener> progress() {
        return progress;
    }

    /** Returns the file that records results for later runs of the program. There is none by default. */
    public Optional<Path> journal() {
        return journal;
    }

    /**
     * Returns what becomes of recorded results if the code of the function has changed. By default, the call is
     * rejected.
     */
    public Optional<ChangedCode> changedCode() {
        return changedCode;
    }

    private static void requireDeadline(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException(
                    "FBR-305 deadline is " + time + "; expected more than 0. Leave it out for no deadline.");
        }
    }

    /** Returns these options, with missing ones taken from {@code others}. */
    public CallOptions orElse(CallOptions others) {
        return new CallOptions(
                chunkSize.isPresent() ? chunkSize : others.chunkSize,
                maxReruns.isPresent() ? maxReruns : others.maxReruns,
                resources.or(() -> others.resources),
                deadline.or(() -> others.deadline),
                retry.or(() -> others.retry),
                progress.or(() -> others.progress),
                journal.or(() -> others.journal),
                changedCode.or(() -> others.changedCode));
    }

    private static void requireChunkSize(int chunkSize) {
        if (chunkSize < 1) {
            throw new IllegalArgumentException("FBR-305 chunkSize is " + chunkSize
                    + "; expected at least 1. Leave it out to have Fiber choose" + " it.");
        }
    }

    private static void requireMaxReruns(int maxReruns) {
        if (maxReruns < 0) {
            throw new IllegalArgumentException(
                    "FBR-305 maxReruns is " + maxReruns + "; expected 0 or more. 0 means that no task runs twice.");
        }
    }

    @Override
    public String toString() {
        return "CallOptions[chunkSize=" + chunkSize + ", maxReruns=" + maxReruns + ", resources=" + resources
                + ", deadline=" + deadline + ", retry=" + retry + ", journal=" + journal + ", changedCode="
                + changedCode + "]";
    }
}
