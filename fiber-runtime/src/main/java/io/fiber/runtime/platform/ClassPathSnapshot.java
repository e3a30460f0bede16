// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The class path of a program as it was when the program started. Build tools overwrite jars and class files
 * while a program runs; a JVM that starts later, or loads a class later, would run other code. Immutable.
 *
 * @param sinceMs when the program started: what was written later is not what it started with
 * @param entries what existed, with absolute paths
 */
public record ClassPathSnapshot(long sinceMs, List<Entry> entries) {

    /** A class path whose files its readers do not share. */
    public static final ClassPathSnapshot NONE = new ClassPathSnapshot(Long.MAX_VALUE, List.of());

    private static final int MOST_SHOWN = 2_000;

    /** A file of a class path. The time and the size of a directory say nothing of the files in it. */
    public sealed interface Entry {
        String path();
    }

    public record Directory(String path) implements Entry {}

    public record Jar(String path, long bytes, long modifiedMs) implements Entry {
        /** Returns what a file is now; of one that does not exist, no bytes. */
        static Jar of(File file) {
            return new Jar(file.getPath(), file.length(), file.lastModified());
        }

        private String state() {
            return bytes + " bytes of " + Instant.ofEpochMilli(modifiedMs);
        }
    }

    /**
     * Takes a snapshot.
     *
     * @param loader the one that has the program's classes: those of the JVM's own loader are as old as the JVM; another
     *     one may have loaded them a moment ago
     */
    public static ClassPathSnapshot of(List<String> paths, ClassLoader loader) {
        List<Entry> entries = new ArrayList<>(paths.size());
        for (String path : paths) {
            File file = new File(path);
            if (!path.endsWith(".jar") && file.isDirectory()) {
                entries.add(new Directory(path));
            } else {
                Jar jar = Jar.of(file);
                if (jar.modifiedMs() > 0) {
                    entries.add(jar);
                }
            }
        }
        boolean isOfJvm = loader == ClassLoader.getSystemClassLoader();
        return new ClassPathSnapshot(isOfJvm ? Program.START_MS : System.currentTimeMillis(), entries);
    }

    /** Returns the part of it that this JVM reads under the same paths; {@link #NONE} if it has a class path of its own. */
    public ClassPathSnapshot ofThisJvm() {
        Set<String> own = new HashSet<>();
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            own.addAll(List.of(System.getProperty(property, "").split(File.pathSeparator, -1)));
        }
        List<Entry> shared = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            if (own.contains(entry.path())) {
                shared.add(entry);
            }
        }
        return shared.isEmpty() ? NONE : new ClassPathSnapshot(sinceMs, shared);
    }

    /** Returns a class path for a message: of a long one, the beginning. */
    public static String shown(String classPath) {
        return classPath.length() <= MOST_SHOWN
                ? classPath
                : classPath.substring(0, MOST_SHOWN) + "... (" + classPath.length() + " characters)";
    }

    /** Returns the directories of the class path. */
    public List<File> directories() {
        List<File> directories = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry instanceof Directory directory) {
                directories.add(new File(directory.path()));
            }
        }
        return directories;
    }

    /** Returns what is different now about the first jar that has changed, as a sentence without its full stop. */
    public Optional<String> changedJar() {
        for (Entry entry : entries) {
            Optional<String> change = entry instanceof Jar jar ? change(jar) : Optional.empty();
            if (change.isPresent()) {
                return change;
            }
        }
        return Optional.empty();
    }

    /** Returns what has happened to a jar or class file since, as a sentence without its full stop. */
    public Optional<String> change(File file) {
        for (Entry entry : file.getPath().endsWith(".class") ? List.<Entry>of() : entries) {
            if (entry instanceof Jar jar && jar.path().equals(file.getPath())) {
                return change(jar);
            }
        }
        return written(file.getPath(), file.lastModified());
    }

    /** A jar that is gone is no other code: what needs it says so. */
    private Optional<String> change(Jar then) {
        Jar now = Jar.of(new File(then.path()));
        return now.modifiedMs() == 0 || now.equals(then)
                ? written(then.path(), then.modifiedMs())
                : Optional.of("the file " + then.path() + " was replaced while the program runs (it had " + then.state()
                        + " when this session was opened, and now has " + now.state() + ")");
    }

    /** A file of the future is of a file server whose clock is ahead, which says nothing. */
    private Optional<String> written(String path, long modifiedMs) {
        return modifiedMs <= sinceMs || modifiedMs > System.currentTimeMillis()
                ? Optional.empty()
                : Optional.of("the file " + path + " was written at " + Instant.ofEpochMilli(modifiedMs)
                        + ", after the program had started at " + Instant.ofEpochMilli(sinceMs));
    }

    /** When this program started, or at the latest opened its first session. */
    private static final class Program {

        private static final long FIRST_USE_MS = System.currentTimeMillis();

        /** A program that has run longer may have been built meanwhile. Others do not pay for the JVM's own word. */
        private static final long YOUNG_MS = 2_000;

        /** Linux counts the start of a process in hundredths of a second. */
        private static final long MS_PER_TICK = 10;

        static final long START_MS = startMs();

        private Program() {}

        /**
         * Returns when this program started. Where it is old, the JVM is asked, whose bean of {@code java.management} takes 25 to
         * 80 ms; the operating system's word is not enough, because a script that builds and then calls {@code exec} is the
         * same process.
         */
        private static long startMs() {
            if (ageMs() < YOUNG_MS) {
                return FIRST_USE_MS;
            }
            try {
                Object bean = Class.forName("java.lang.management.ManagementFactory")
                        .getMethod("getRuntimeMXBean")
                        .invoke(null);
                Method start =
                        Class.forName("java.lang.management.RuntimeMXBean").getMethod("getStartTime");
                return Math.min(FIRST_USE_MS, (Long) start.invoke(bean));
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                return FIRST_USE_MS;
            }
        }

        /** Returns the age of this process; 0 where the system does not say, or contradicts itself, as some containers do. */
        private static long ageMs() {
            try {
                String uptime = Files.readString(Path.of("/proc/uptime"));
                long upMs = (long) (Double.parseDouble(uptime.substring(0, uptime.indexOf(' '))) * 1_000);
                long startMs = ProcessIdentity.startTicks("self") * MS_PER_TICK;
                return startMs <= 0 ? 0 : Math.max(0, upMs - startMs);
            } catch (IOException | RuntimeException e) {
                return 0;
            }
        }
    }
}
