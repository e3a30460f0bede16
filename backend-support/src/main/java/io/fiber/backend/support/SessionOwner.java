// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Labels that identify the process of a session. The session's objects on a platform have them, so that another process
 * can later tell whether the session may still be alive. Linux only; other systems have no such labels.
 */
public final class SessionOwner {

    /** The label of the process. */
    public static final String OWNER = "io.fiber.owner";

    /** The label of its host, for people to read. */
    public static final String HOST = "io.fiber.host";

    private static final Path PROCESSES = Path.of("/proc");
    private static final int PARTS = 4;
    private static final int BOOT_LETTERS = 16;
    /**
     * Index among the fields of {@code /proc/<pid>/stat} after the name, which is in brackets and may contain anything.
     */
    private static final int START_FIELD = 19;

    /** Whether a process is alive. */
    public enum Life {
        /** The process is alive. */
        LIVES,
        /** The process has ended. */
        GONE,
        /** The process cannot be seen from here. */
        UNKNOWN
    }

    private SessionOwner() {}

    /** Returns the labels of this process. */
    public static Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        long pid = ProcessHandle.current().pid();
        start(pid)
                .flatMap(start -> scope().map(scope -> user() + "-" + pid + "-" + start + "-" + scope))
                .ifPresent(owner -> labels.put(OWNER, owner));
        read(PROCESSES.resolve("sys/kernel/hostname"))
                .map(SessionOwner::asLabel)
                .filter(host -> !host.isEmpty())
                .ifPresent(host -> labels.put(HOST, host));
        return labels;
    }

    /**
     * Returns whether the process of a label is alive. This is known only for processes of this user (for root, of all
     * users) that belong to this container and to this boot of this host.
     *
     * @param owner as from {@link #labels}; any other text is an unknown process
     */
    public static Life life(String owner) {
        String[] parts = owner.split("-", PARTS);
        String user = user();
        if (parts.length < PARTS
                || !scope().equals(Optional.of(parts[PARTS - 1]))
                || !(user.equals(parts[0]) || user.equals("0"))) {
            return Life.UNKNOWN;
        }
        try {
            return start(Long.parseLong(parts[1])).equals(Optional.of(parts[2])) ? Life.LIVES : Life.GONE;
        } catch (NumberFormatException e) {
            return Life.UNKNOWN;
        }
    }

    /** Returns a text in the form that platforms accept as the value of a label. */
    private static String asLabel(String host) {
        String plain = host.replaceAll("[^A-Za-z0-9.-]", "-");
        return plain.substring(0, Math.min(plain.length(), 63)).replaceAll("^[.-]+|[.-]+$", "");
    }

    /**
     * Returns the scope within which a pid is unique: the boot of the host, and the namespace. Empty if {@code /proc}
     * belongs to another namespace.
     */
    private static Optional<String> scope() {
        try {
            Path self = Files.readSymbolicLink(PROCESSES.resolve("self"));
            if (!self.toString().equals(Long.toString(ProcessHandle.current().pid()))) {
                return Optional.empty();
            }
            String namespace = Files.readSymbolicLink(PROCESSES.resolve("self/ns/pid"))
                    .toString()
                    .replaceAll("\\D", "");
            return read(PROCESSES.resolve("sys/kernel/random/boot_id"))
                    .map(boot -> boot.replace("-", "").substring(0, BOOT_LETTERS) + "-" + namespace);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns when a process started, in ticks since the boot of the host; empty if there is no such process. */
    private static Optional<String> start(long pid) {
        return read(PROCESSES.resolve(Long.toString(pid)).resolve("stat"))
                .map(stat -> stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[START_FIELD]);
    }

    private static String user() {
        try {
            return Files.getAttribute(PROCESSES.resolve("self"), "unix:uid").toString();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "";
        }
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
