// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.runtime.logging.Logs;
import io.fiber.spi.backend.Reaper;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.System.Logger.Level;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands and removes directories if this process ends without closing the reaper. A child {@code /bin/sh} reads
 * a pipe from this process, and acts when the pipe ends without a closing word.
 *
 * <p>A thread starts the child at the first registration, so that no caller waits for it. If this process is killed in
 * the few milliseconds before that, its registrations have no effect. The child sleeps in a read, ignores the signals
 * of a terminal, and is a session of its own if {@code setsid} exists, so that a signal to our process group does not
 * end it. After this process has ended, the child waits {@value #GRACE_SECONDS} seconds, in which workers can notice
 * the end of their input and leave. Then it starts all commands at once, in the directory {@code /} and with their
 * output discarded, removes the directories, and ends. A pid is unlikely to be reused in this time, provided that a
 * registration is cancelled as soon as its job has ended.
 *
 * <p>Without {@code /bin/sh} (Windows), it only logs that it does nothing.
 *
 * <p>Thread-safe. Except for {@link #close}, no method blocks while the child reads its pipe.
 */
public final class ShellReaper implements Reaper, AutoCloseable {

    private static final System.Logger LOG = Logs.of(ShellReaper.class);

    static final int GRACE_SECONDS = 2;

    private static final String SHELL = "/bin/sh";
    private static final int MOST_STARTS = 3;
    private static final int CLOSE_LIMIT_SECONDS = 2;
    private static final int LEAST_NAMES_REMOVED = 2;

    /**
     * Lines are {@code c <slot> <quoted command>}, {@code r <slot> <quoted directory>}, {@code - <slot>} and {@code
     * end}. Reading them starts no process. Directories are removed twice, because a dying job may still create a file.
     */
    private static final String SCRIPT = """
            trap '' INT TERM HUP QUIT
            last=0
            while IFS= read -r line; do
              operation=${line%% *}; rest=${line#* }; slot=${rest%% *}; text=${rest#* }
              case $operation in
                c|r) eval "fiber_$operation$slot=\\$text"; if [ "$slot" -gt "$last" ]; then last=$slot; fi ;;
                -) unset "fiber_c$slot" "fiber_r$slot" ;;
                end) exit 0 ;;
              esac
            done
            each() {
              slot=0
              while [ "$slot" -le "$last" ]; do
                eval "text=\\${fiber_$1$slot-}"
                if [ -n "$text" ]; then $2; fi
                slot=$((slot + 1))
              done
            }
            run() { eval "$text </dev/null >/dev/null 2>&1 &"; }
            remove() { eval "rm -rf -- $text" >/dev/null 2>&1; }
            sleep "$1"
            each c run
            sleep 1
            each r remove
            sleep 1
            each r remove
            """;

    private final List<Path> removable;
    private final boolean works;
    private final Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    /** What the child knows, or will know when it has started, by slot; a cancelled registration is empty. */
    private final List<String> lines = new ArrayList<>();

    private @Nullable Process child;
    private @Nullable Thread starter;
    private int starts;
    private boolean closed;

    /**
     * Creates the reaper of a session. It removes the session's directory, and may remove others below {@code
     * java.io.tmpdir} and {@code /dev/shm}.
     */
    public static ShellReaper of(SessionDirectory directory) {
        Path tmp =
                Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().normalize();
        ShellReaper reaper = new ShellReaper(List.of(tmp, Path.of("/dev/shm")));
        reaper.removeAtDeath(directory.path());
        return reaper;
    }

    /**
     * Creates a reaper without starting anything.
     *
     * @param removable directories below which {@link #removeAtDeath} may remove others
     */
    public ShellReaper(List<Path> removable) {
        this.removable = List.copyOf(removable);
        this.works = File.separatorChar == '/' && Files.isExecutable(Path.of(SHELL));
        if (!works) {
            LOG.log(
                    Level.INFO,
                    "This host has no " + SHELL + ". If this process is killed, its jobs end only when they notice it"
                            + " themselves.");
        }
    }

    /** Returns whether a process is the child of a reaper; false if the platform does not report its arguments. */
    public static boolean isOne(ProcessHandle process) {
        return process.info()
                .arguments()
                .map(arguments -> List.of(arguments).contains(PROCESS_NAME))
                .orElse(false);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if a word contains a line end or a character that this host's encoding lacks
     */
    @Override
    public Registration onDeath(List<String> command) {
        if (command.isEmpty()) {
            throw new IllegalArgumentException("The command is empty; expected a program and its arguments.");
        }
        StringBuilder quoted = new StringBuilder();
        for (String word : command) {
            quoted.append(quoted.length() == 0 ? "" : " ").append(quote(word));
        }
        return register('c', quoted.toString());
    }

    /**
     * Registers a directory to be removed with its content after this process has ended and the commands have started,
     * unless the registration was cancelled. Links in it are removed and not followed.
     *
     * @throws IllegalArgumentException if the path is not absolute and normal, has fewer than two names, or is not
     *     below one of the directories that were named as removable
     */
    public Registration removeAtDeath(Path directory) {
        boolean below = false;
        for (Path root : removable) {
            below |= directory.startsWith(root) && !directory.equals(root);
        }
        if (!directory.isAbsolute()
                || !directory.equals(directory.normalize())
                || directory.getNameCount() < LEAST_NAMES_REMOVED
                || !below) {
            throw new IllegalArgumentException("The directory '" + directory
                    + "' must not be removed: expected an absolute path without '..', of at least two names, below one"
                    + " of " + removable + ".");
        }
        return register('r', quote(directory.toString()));
    }

    private String quote(String word) {
        if (word.indexOf('\n') >= 0 || word.indexOf('\r') >= 0 || word.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "The word '" + word.replace('\n', ' ').replace('\r', ' ')
                            + "' of a command to run after this process contains a line break or a NUL character;"
                            + " expected neither.");
        }
        if (!charset.newEncoder().canEncode(word)) {
            throw new IllegalArgumentException(
                    "The word '" + word + "' of a command to run after this process cannot be" + " written in "
                            + charset + ", the encoding of this host. Set LANG to a UTF-8 locale.");
        }
        return "'" + word.replace("'", "'\\''") + "'";
    }

    private synchronized Registration register(char operation, String text) {
        if (closed) {
            throw new IllegalStateException("The reaper is closed; it takes no more registrations.");
        }
        if (!works) {
            return new Slot(-1);
        }
        int slot = lines.indexOf("");
        if (slot < 0) {
            slot = lines.size();
            lines.add("");
        }
        String line = operation + " " + slot + " " + text;
        lines.set(slot, line);
        if (child == null) {
            start();
        } else {
            write(line);
        }
        return new Slot(slot);
    }

    /** A registration. No other one uses its slot until it is cancelled. */
    private final class Slot implements Registration {
        private int slot;

        Slot(int slot) {
            this.slot = slot;
        }

        @Override
        public void cancel() {
            synchronized (ShellReaper.this) {
                if (slot >= 0 && !closed) {
                    lines.set(slot, "");
                    if (child != null) {
                        write("- " + slot);
                    }
                }
                slot = -1;
            }
        }
    }

    private void start() {
        if (starter != null || starts == MOST_STARTS) {
            return;
        }
        starts++;
        starter = new Thread(this::startChild, "fiber-reaper-start");
        starter.setDaemon(true);
        starter.start();
    }

    private void startChild() {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
            command.add("/usr/bin/setsid");
        }
        command.addAll(List.of(SHELL, "-c", SCRIPT, PROCESS_NAME, Integer.toString(GRACE_SECONDS)));
        try {
            Process started = new ProcessBuilder(command)
                    .directory(new File("/"))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            synchronized (this) {
                starter = null;
                child = started;
                for (String line : lines) {
                    if (!line.isEmpty()) {
                        write(line);
                    }
                }
                if (closed) {
                    write("end");
                }
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "The reaper cannot be started; jobs may outlive a kill of this process: " + e);
            synchronized (this) {
                starter = null;
            }
        }
    }

    /** Writes a line. If the child is gone, starts another one and repeats all lines. */
    private void write(String line) {
        Process to = child;
        if (to == null) {
            return;
        }
        try {
            OutputStream pipe = to.getOutputStream();
            pipe.write((line + "\n").getBytes(charset));
            pipe.flush();
            if (to.isAlive()) {
                return;
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "The reaper does not read any more: " + e);
        }
        child = null;
        if (!closed) {
            LOG.log(Level.WARNING, "Something has ended the reaper of this process; Fiber starts another one.");
            start();
        }
    }

    /** Returns the pid of the child; empty if there is none. */
    synchronized OptionalLong childPid() {
        return child == null ? OptionalLong.empty() : OptionalLong.of(child.pid());
    }

    @Override
    public synchronized String toString() {
        int free = Collections.frequency(lines, "");
        return "ShellReaper[" + (lines.size() - free) + " registered, " + lines.size() + " slots]";
    }

    /** Ends the child without running anything. Idempotent. Blocks until the child has ended, at most two seconds. */
    @Override
    public void close() {
        Thread starting;
        synchronized (this) {
            closed = true;
            lines.clear();
            starting = starter;
        }
        try {
            if (starting != null) {
                starting.join();
            }
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() throws InterruptedException {
        Process ending;
        synchronized (this) {
            ending = child;
            write("end");
            child = null;
        }
        if (ending == null) {
            return;
        }
        boolean ended = ending.waitFor(CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            ending.destroyForcibly();
        }
        try {
            ending.getOutputStream().close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "The reaper had ended by itself: " + e);
        }
    }
}
