// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.File;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of a program's class path as they were when the program opened its first session. Build tools overwrite
 * jars and class files while a program runs. A JVM that starts later, or loads a class later, would then run other
 * code. Immutable.
 *
 * <p>File times are compared only with each other, because a file server has its own clock.
 *
 * @param entries the existing entries, with absolute paths
 */
public record ClassPathSnapshot(List<Entry> entries) {

    /** A class path whose files are unknown. */
    public static final ClassPathSnapshot NONE = new ClassPathSnapshot(List.of());

    private static final int MOST_SHOWN = 2_000;

    /** A jar or a directory of a class path. */
    public sealed interface Entry {

        String path();

        /** Returns the current state. */
        static Entry of(String path) {
            File file = new File(path);
            return !path.endsWith(".jar") && file.isDirectory() ? Directory.of(path) : Jar.of(path);
        }

        /** Returns how its files have changed since then, as a sentence without its full stop. */
        Optional<String> change();
    }

    /**
     * A jar, or any other file that is not a directory.
     *
     * @param modifiedMs 0 if there is no such file
     */
    public record Jar(String path, long bytes, long modifiedMs) implements Entry {

        static Jar of(String path) {
            File file = new File(path);
            return new Jar(path, file.length(), file.lastModified());
        }

        /** Returns how the jar has changed. A missing jar is not reported, because whatever needs it will fail. */
        @Override
        public Optional<String> change() {
            Jar now = Jar.of(path);
            return now.modifiedMs == 0 || (now.bytes == bytes && now.modifiedMs == modifiedMs)
                    ? Optional.empty()
                    : Optional.of("the file " + path + " was replaced while the program was running (it had " + state()
                            + " when the program opened its first session, and now has " + now.state() + ")");
        }

        private String state() {
            return bytes + " bytes and the time " + Instant.ofEpochMilli(modifiedMs);
        }
    }

    /**
     * A directory. Only the time of its newest class file is kept, because what a build writes is newer.
     *
     * @param newestMs 0 if there is no class file, {@link #UNKNOWN_MS} if there are too many files
     */
    public record Directory(String path, long newestMs) implements Entry {

        public static final long UNKNOWN_MS = Long.MAX_VALUE;

        static Directory of(String path) {
            NewestClassFile newest = new NewestClassFile();
            return new Directory(path, newest.isFoundIn(path) ? newest.modifiedMs : UNKNOWN_MS);
        }

        @Override
        public Optional<String> change() {
            NewestClassFile newest = new NewestClassFile();
            return newestMs < UNKNOWN_MS && newest.isFoundIn(path) ? change(newest.file) : Optional.empty();
        }

        private Optional<String> change(File file) {
            long modifiedMs = file.lastModified();
            return modifiedMs <= newestMs
                    ? Optional.empty()
                    : Optional.of("the file " + file.getPath() + " was written at " + Instant.ofEpochMilli(modifiedMs)
                            + ", later than all files that existed when the program opened its first session"
                            + (newestMs == 0
                                    ? ""
                                    : " (the newest was written at " + Instant.ofEpochMilli(newestMs) + ")"));
        }
    }

    /** Finds the newest class file of a directory. */
    private static final class NewestClassFile {

        /**
         * Looking at a file takes a fresh JVM some 10 us, and longer on a file server; and a class path may begin with
         * a home directory.
         */
        private static final int MOST_LOOKS = 5_000;

        private static final String CLASS_FILE = ".class";

        private File file = new File("");
        private long modifiedMs;
        private int looks;

        /** Returns false if there are too many files. */
        boolean isFoundIn(String path) {
            Deque<File> directories = new ArrayDeque<>(List.of(new File(path)));
            while (!directories.isEmpty() && looks <= MOST_LOOKS) {
                File directory = directories.remove();
                String[] names = directory.list();
                for (String name : names == null ? new String[0] : names) {
                    if (name.endsWith(CLASS_FILE)) {
                        lookAt(new File(directory, name));
                    } else if (name.indexOf('.') < 0) {
                        // A package, whose name has no full stop, or another file, which does not matter.
                        looks++;
                        directories.add(new File(directory, name));
                    }
                }
            }
            return looks <= MOST_LOOKS;
        }

        private void lookAt(File classFile) {
            looks++;
            long timeMs = looks > MOST_LOOKS ? 0 : classFile.lastModified();
            if (timeMs > modifiedMs) {
                file = classFile;
                modifiedMs = timeMs;
            }
        }
    }

    /** The class path of this JVM at its first use. */
    private static final class OfJvm {

        static final Map<String, Entry> ENTRIES = entries();

        private OfJvm() {}

        private static Map<String, Entry> entries() {
            Map<String, Entry> entries = new HashMap<>();
            for (String path : pathsOfJvm()) {
                String absolute = new File(path).getAbsolutePath();
                entries.put(absolute, Entry.of(absolute));
            }
            return Map.copyOf(entries);
        }
    }

    private static Set<String> pathsOfJvm() {
        Set<String> paths = new HashSet<>();
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            String value = System.getProperty(property, "");
            if (!value.isEmpty()) {
                paths.addAll(List.of(value.split(File.pathSeparator, -1)));
            }
        }
        return paths;
    }

    /**
     * Takes a snapshot.
     *
     * @param loader the loader of the program's classes: the JVM's own loader may have loaded them when the first
     *     session was opened, another one a moment ago
     */
    public static ClassPathSnapshot of(List<String> paths, ClassLoader loader) {
        boolean isOfJvm = loader == ClassLoader.getSystemClassLoader();
        List<Entry> entries = new ArrayList<>(paths.size());
        for (String path : paths) {
            Entry known = isOfJvm ? OfJvm.ENTRIES.get(path) : null;
            Entry entry = known == null ? Entry.of(path) : known;
            if (!(entry instanceof Jar jar && jar.modifiedMs == 0)) {
                entries.add(entry);
            }
        }
        return new ClassPathSnapshot(entries);
    }

    /** Returns the part that this JVM reads under the same paths; {@link #NONE} if it has a class path of its own. */
    public ClassPathSnapshot ofThisJvm() {
        Set<String> own = pathsOfJvm();
        List<Entry> shared = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            if (own.contains(entry.path())) {
                shared.add(entry);
            }
        }
        return new ClassPathSnapshot(shared);
    }

    /** Returns a class path for a message, shortened to its beginning if it is long. */
    public static String shown(String classPath) {
        return classPath.length() <= MOST_SHOWN
                ? classPath
                : classPath.substring(0, MOST_SHOWN) + "... (" + classPath.length() + " characters)";
    }

    /** Returns how the first changed entry has changed, as a sentence without its full stop. */
    public Optional<String> change() {
        for (Entry entry : entries) {
            Optional<String> change = entry.change();
            if (change.isPresent()) {
                return change;
            }
        }
        return Optional.empty();
    }

    /** Returns how a jar or class file has changed, as a sentence without its full stop. */
    public Optional<String> change(File file) {
        Entry entry = entryOf(file);
        if (entry == null) {
            return Optional.empty();
        }
        return entry instanceof Directory directory ? directory.change(file) : entry.change();
    }

    /** Returns the entry of a file. The JVM names files without the symbolic links that may be in its class path. */
    private @Nullable Entry entryOf(File file) {
        for (Entry entry : entries) {
            if (isIn(entry.path(), file)) {
                return entry;
            }
        }
        for (Entry entry : entries) {
            try {
                if (isIn(new File(entry.path()).getCanonicalPath(), file)) {
                    return entry;
                }
            } catch (IOException e) {
                // It cannot be read.
            }
        }
        return null;
    }

    private static boolean isIn(String entry, File file) {
        String path = file.getPath();
        return path.startsWith(entry)
                && (path.length() == entry.length() || path.charAt(entry.length()) == File.separatorChar);
    }
}
