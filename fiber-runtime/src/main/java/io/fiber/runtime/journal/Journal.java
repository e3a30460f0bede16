// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import static java.util.stream.Collectors.joining;

import io.fiber.ChangedCode;
import io.fiber.FiberException;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.serialization.functions.ClassStamp;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A journal that this process writes. Calls look up what earlier runs have recorded, in their callers' threads, and hand
 * results to the journal's thread, which is the only one that writes. Thread-safe.
 */
public final class Journal implements AutoCloseable {

    private static final System.Logger LOG = Logs.of(Journal.class);
    /** After a loss of power, at most the results of this time are computed again. */
    private static final long SYNC_MS = 1_000;

    private static final long CLOSE_LIMIT_S = 30;
    private static final Payload NONE = Payload.empty();

    private final Path path;
    private final JournalFile file;
    private final JournalLock lock;
    private final JournalIndex index;
    private final ScheduledThreadPoolExecutor thread;

    // The rest belongs to the journal's thread.
    private boolean syncIsDue;
    /** Up to where the file says that it was synced. */
    private long markedLength;

    private long syncedLength;
    /** Why nothing is written any more. */
    private @Nullable FiberException ended;

    private Journal(Path path, JournalFile file, JournalLock lock, JournalIndex index) {
        this.path = path;
        this.file = file;
        this.lock = lock;
        this.index = index;
        this.syncedLength = file.length();
        this.markedLength = file.length();
        this.thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread made = new Thread(work, "fiber-journal");
            made.setDaemon(true);
            return made;
        });
    }

    /**
     * Opens a journal for writing, or creates it. Waits up to half a minute if a process of another host has written it and
     * may be gone.
     *
     * @throws FiberException FBR-580 to 582, FBR-585
     */
    static Journal open(Path path) {
        try {
            JournalLock lock = JournalLock.take(path);
            try {
                JournalIndex index = new JournalIndex();
                JournalFile.Opened opened = JournalFile.open(path, index);
                if (opened.cutBytes() > 0) {
                    LOG.log(
                            Level.WARNING,
                            "The last " + opened.cutBytes() + " bytes of the journal '" + path
                                    + "' were not written whole when its program ended. They were cut off, and their"
                                    + " tasks run again.");
                }
                return new Journal(path, opened.file(), lock, index);
            } catch (IOException | RuntimeException | Error e) {
                lock.release();
                throw e;
            }
        } catch (IOException e) {
            throw new FiberException(
                    "FBR-585",
                    "The journal '" + path + "' (from CallOptions.journal) cannot be opened: " + e
                            + ". Name a file in an existing directory that this user may write.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("the lock of the journal '" + path + "'", e);
        }
    }

    /**
     * Returns a function's place in the journal.
     *
     * @throws FiberException FBR-583 if its code has changed, and {@code policy} does not accept that
     */
    public synchronized JournaledFunction function(FunctionKey key, ChangedCode policy) {
        JournalIndex.Function known = index.find(key);
        if (known != null && known.code.equals(key.code())) {
            return new JournaledFunction(this, known);
        }
        if (known != null && policy == ChangedCode.REJECT) {
            throw changed(known, key);
        }
        JournalIndex.Function function = index.add(key);
        if (known != null) {
            execute(() -> accept(function));
        }
        return new JournaledFunction(this, function);
    }

    /** The next run need not accept the code again, even if this one records nothing. */
    private void accept(JournalIndex.Function function) {
        try {
            requireWritable();
            file.append(JournalIndex.FUNCTION, JournalIndex.bodyOf(function), NONE.open());
            file.flush();
            function.isEntered = true;
            syncSoon();
        } catch (FiberException e) {
            LOG.log(Level.WARNING, e.getMessage());
        } catch (IOException e) {
            LOG.log(Level.WARNING, unwritable(e).getMessage());
        }
    }

    private FiberException changed(JournalIndex.Function known, FunctionKey key) {
        List<ClassStamp> differing = new ArrayList<>(key.code());
        differing.removeAll(known.code);
        String changed = differing.stream().map(ClassStamp::name).collect(joining(", "));
        return new FiberException(
                "FBR-583",
                "The journal '" + path + "' (from CallOptions.journal) has results of " + key.name()
                        + ", and the code of that function has changed since: "
                        + (changed.isEmpty() ? "it has fewer classes now" : "class " + changed)
                        + ". To compute all results again, name a new file. To take the recorded results all the same,"
                        + " use journal(file, ChangedCode.ACCEPT) once.");
    }

    /** Returns the next call of a function. */
    synchronized JournaledCall begin(JournalIndex.Function function, OptionalLong total) {
        int number = ++function.begun;
        RecordedCall recorded = new RecordedCall(file, function.call(number).takePlaces());
        return new JournaledCall(this, function, number, total, recorded);
    }

    /** Returns where results go of tasks that are submitted alone. */
    JournaledCall singles(JournalIndex.Function function) {
        return new JournaledCall(
                this, function, JournalIndex.SINGLES, OptionalLong.empty(), new RecordedCall(file, new ArrayList<>()));
    }

    /** Returns the recorded result of a task that was submitted alone; each record is returned once. */
    Optional<Payload> takeSingle(JournalIndex.Function function, ItemDigest item) {
        OptionalLong offset;
        synchronized (this) {
            offset = function.takeSingle(item);
        }
        if (offset.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(RecordedCall.only(file, offset.getAsLong()));
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    FiberException unreadable(IOException fault) {
        return new FiberException(
                "FBR-585",
                "The journal '" + path + "' (from CallOptions.journal) cannot be read: " + fault + ".",
                fault);
    }

    /**
     * Runs work in the journal's thread, behind all that was handed over before.
     *
     * @return false if the journal is closed
     */
    public boolean execute(Runnable work) {
        try {
            thread.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /**
     * Writes results to the file, behind their function and call if it does not have these. Called by the journal's thread.
     *
     * @throws FiberException FBR-584 if they cannot be written, FBR-580 if another process has taken the journal over,
     *     FBR-302 if the session is closed
     */
    void write(JournaledCall call, ByteBuffer head, PayloadInput results) {
        try {
            requireWritable();
            mark();
            JournalIndex.Function function = call.function;
            if (!function.isEntered) {
                file.append(JournalIndex.FUNCTION, JournalIndex.bodyOf(function), NONE.open());
            }
            if (!call.isEntered) {
                file.append(JournalIndex.CALL, call.entry(), NONE.open());
            }
            file.append(JournalIndex.RESULTS, head, results);
            file.flush();
            function.isEntered = true;
            call.isEntered = true;
        } catch (IOException e) {
            throw unwritable(e);
        }
        syncSoon();
    }

    private void syncSoon() {
        if (!syncIsDue) {
            syncIsDue = true;
            var unused = thread.schedule(this::syncInTime, SYNC_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Says in the file how much of it was synced. */
    private void mark() throws IOException {
        if (markedLength < syncedLength) {
            markedLength = syncedLength;
            file.append(
                    JournalFile.SYNCED,
                    ByteBuffer.allocate(Long.BYTES).putLong(syncedLength).flip(),
                    NONE.open());
        }
    }

    private FiberException unwritable(IOException fault) {
        long length = file.length();
        try {
            file.cutUnflushed();
        } catch (IOException e) {
            fault.addSuppressed(e);
        }
        return unwritable(fault, length);
    }

    private FiberException unwritable(IOException fault, long length) {
        return new FiberException(
                "FBR-584",
                "The journal '" + path + "' (from CallOptions.journal) cannot be written; it has " + length
                        + " bytes: " + fault.getMessage()
                        + ". What it has is kept. Make room and run the program again: it goes on from there.",
                fault);
    }

    private void requireWritable() throws IOException {
        if (ended == null && (!lock.isHeld() || !file.isOurs())) {
            ended = new FiberException(
                    "FBR-580",
                    "The journal '" + path + "' (from CallOptions.journal) was taken over by another program, or its"
                            + " lock was removed. A lock that was not renewed for "
                            + JournalLock.STALE.toSeconds()
                            + " s is taken over. Only one session at a time may write a journal.");
        }
        if (ended != null) {
            throw ended;
        }
    }

    /**
     * Waits until the disk has everything. Called by the journal's thread.
     *
     * @throws FiberException FBR-584 if the results cannot be written
     */
    public void sync() {
        if (syncedLength == file.length()) {
            return;
        }
        if (ended != null) {
            throw ended;
        }
        try {
            file.force();
            syncedLength = file.length();
        } catch (IOException e) {
            // The system has dropped what it could not write, and would not say so again.
            ended = unwritable(e, syncedLength);
            throw ended;
        }
    }

    private void syncInTime() {
        syncIsDue = false;
        try {
            sync();
        } catch (FiberException e) {
            LOG.log(Level.WARNING, e.getMessage());
        }
    }

    /** Waits until the disk has everything that was handed over before, but not for ever. Any thread may call it. */
    void syncNow() {
        awaitStep(this::syncInTime);
    }

    /** Writes the rest to the disk and gives the file to the next program. Idempotent. */
    @Override
    public void close() {
        awaitStep(this::end);
        // Steps that were handed over meanwhile are run, so that no caller waits for ever.
        thread.shutdown();
    }

    private void awaitStep(Runnable step) {
        try {
            CompletableFuture.runAsync(step, thread)
                    .completeOnTimeout(null, CLOSE_LIMIT_S, TimeUnit.SECONDS)
                    .join();
        } catch (RejectedExecutionException e) {
            // It was closed before.
        }
    }

    private void end() {
        if (ended == null) {
            try {
                requireWritable();
                sync();
                if (markedLength < syncedLength) {
                    mark();
                    file.flush();
                    file.force();
                }
            } catch (FiberException e) {
                LOG.log(Level.WARNING, e.getMessage());
            } catch (IOException e) {
                LOG.log(Level.WARNING, unwritable(e).getMessage());
            }
        }
        ended = new FiberException("FBR-302", "This session is closed. Open another one with Fiber.open().");
        syncedLength = file.length();
        try {
            file.close();
            lock.release();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "The journal '" + path + "' could not be closed: " + e);
        }
    }
}
