// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.backend.support.SessionOwner;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The session's own folder, mode 0700, that this host and all nodes see. Each submission has a part of it; {@code news}
 * is where jobs put a small file when something has happened, and this process takes it away when it was read.
 * Thread-safe.
 */
public final class SharedFolder {

    /** The name of the file with the labels of {@link SessionOwner} as one line of {@code key=value}, separated by commas. */
    public static final String OWNER = "owner";

    private final BatchName name;
    private final SharedFiles files;
    private final Path path;
    private final String sessionId;
    private final AtomicInteger parts = new AtomicInteger();
    private final Set<Path> unremoved = ConcurrentHashMap.newKeySet();

    /**
     * What a job has said.
     *
     * @param part number of the submission
     * @param index number of the job in it
     * @param kind {@code begun}, {@code leaving} or {@code ended}
     * @param text its one line
     */
    record News(int part, int index, String kind, String text) {}

    private SharedFolder(BatchName name, SharedFiles files, Path path, String sessionId) {
        this.name = name;
        this.files = files;
        this.path = path;
        this.sessionId = sessionId;
    }

    /**
     * Makes the folder of a session.
     *
     * @throws BackendException when it cannot be made
     */
    public static SharedFolder create(BatchName name, SharedFiles files, Path directory, String sessionId) {
        Path path = directory.resolve("fiber-" + sessionId);
        try {
            files.makeDirectory(path, Map.of(OWNER, owner()));
            files.makeDirectory(path.resolve("news"), Map.of());
        } catch (IOException e) {
            if (e.getCause() instanceof BackendException reason) {
                throw reason;
            }
            throw new BackendException(
                    "FBR-133 The folder '" + path + "' for scripts and output of jobs cannot be made: " + e
                            + ". Set " + name.setting(BatchName.DIRECTORY)
                            + " to a directory that can be written and that all nodes see.",
                    e);
        }
        return new SharedFolder(name, files, path, sessionId);
    }

    private static byte[] owner() {
        return SessionOwner.labels().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(",", "", "\n"))
                .getBytes(StandardCharsets.UTF_8);
    }

    BatchName name() {
        return name;
    }

    /** Returns where it is. */
    public Path path() {
        return path;
    }

    /** Returns the part that a submission would have, if it were made after so many others; nothing is made. */
    public Part partAfter(int others) {
        return new Part(parts.get() + others);
    }

    /**
     * Makes the part of a new submission, with the bootstrap files of its jobs, when no part is left that was to be removed:
     * a job that the system took for that one nevertheless would run beside those of this one.
     */
    public Part part(Submission submission) {
        Part part = new Part(parts.getAndIncrement());
        Map<String, byte[]> content = new TreeMap<>();
        for (int i = 0; i < submission.instances().size(); i++) {
            Secret bootstrap = submission.instances().get(i).bootstrap();
            if (bootstrap.length() > 0) {
                content.put(i + ".bootstrap", bootstrap.copyBytes());
            }
        }
        try {
            for (Path left : List.copyOf(unremoved)) {
                files.deleteTree(left);
                unremoved.remove(left);
            }
            files.makeDirectory(part.path(), content);
            return part;
        } catch (IOException e) {
            removeTree(part.path());
            throw notWritten("The files of a submission", path, e);
        } finally {
            content.values().forEach(bytes -> Arrays.fill(bytes, (byte) 0));
        }
    }

    private BackendException notWritten(String what, Path to, IOException failure) {
        return failure.getCause() instanceof BackendException reason
                ? reason
                : new BackendUnavailableException(
                        "FBR-133 " + what + " cannot be written to '" + to + "': " + failure
                                + ". Free some space, or set " + name.setting(BatchName.DIRECTORY)
                                + " to another shared directory.",
                        failure);
    }

    /** Writes a file of one line beside the parts. */
    public void note(String file, String line) {
        try {
            files.write(path.resolve(file), (line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw notWritten("The note of a run", path, e);
        }
    }

    /** Returns what jobs have said since the last call, and takes it away. */
    List<News> takeNews() {
        List<News> news = new ArrayList<>();
        try {
            files.take(path.resolve("news")).forEach((name, text) -> {
                String[] words = name.split("-", 3);
                news.add(new News(Integer.parseInt(words[0]), Integer.parseInt(words[1]), words[2], text.strip()));
            });
        } catch (IOException e) {
            // A file server that stumbles; what was not taken is found by the next call.
        }
        return news;
    }

    /** Keeps jobs that have not begun from running their programs, all at once. */
    void markCancelled(Collection<BatchJob.Place> places) {
        mark(places.stream()
                .filter(place -> place.part().marked.add(place.index()))
                .map(place -> place.part().cancelled(place.index()))
                .toList());
    }

    private void mark(List<Path> marks) {
        try {
            files.mark(marks);
        } catch (NoSuchFileException e) {
            // The session's files are gone, which keeps them from running as well.
        } catch (IOException e) {
            log("Cannot mark as cancelled: " + marks + ".", e);
        }
    }

    /** Removes everything, and tells whether it is known to be gone. */
    public boolean remove() {
        return removeTree(path);
    }

    private boolean removeTree(Path root) {
        try {
            files.deleteTree(root);
            return true;
        } catch (IOException e) {
            log("The folder '" + root + "' stays.", e);
            return false;
        }
    }

    private static void log(String message, IOException cause) {
        System.getLogger(SharedFolder.class.getName()).log(System.Logger.Level.DEBUG, message, cause);
    }

    /** The files of one submission. */
    public final class Part {
        private final int number;
        private final Set<Integer> marked = ConcurrentHashMap.newKeySet();

        private Part(int number) {
            this.number = number;
        }

        BatchName name() {
            return name;
        }

        /** Returns the session that it belongs to. */
        public String sessionId() {
            return sessionId;
        }

        int number() {
            return number;
        }

        /** Returns the files that it is one of. */
        public SharedFiles files() {
            return files;
        }

        /** Returns its directory. */
        public Path path() {
            return path.resolve("job-" + number);
        }

        /** Returns the name that the batch system shows; no other submission has it. */
        public String jobName() {
            return "fiber-" + sessionId + "-" + number;
        }

        /** Returns what the name of a file with news begins with. */
        public String newsPrefix() {
            return path.resolve("news").resolve(String.valueOf(number)).toString();
        }

        /** Returns the file with the standard output of a job. */
        public Path output(int index) {
            return path().resolve(index + ".out");
        }

        /** Returns the file with the standard error of a job whose output goes to the console. */
        public Path errors(int index) {
            return path().resolve(index + ".err");
        }

        /** Returns the file of the script. */
        public Path script() {
            return path().resolve("job.sh");
        }

        /** Keeps the script for the user to read. */
        public void keep(String text) {
            try {
                files.write(script(), text.getBytes(StandardCharsets.UTF_8));
                files.makeExecutable(script());
            } catch (IOException e) {
                throw notWritten("The script of a submission", path(), e);
            }
        }

        private Path cancelled(int index) {
            return path().resolve(index + ".cancelled");
        }

        /** Keeps a job that has not begun from running its program. */
        void markCancelled(int index) {
            if (marked.add(index)) {
                mark(List.of(cancelled(index)));
            }
        }

        /** Removes the secret of a job that has ended; its output stays, and so does what fences a second start. */
        void clean(int index) {
            try {
                files.delete(path().resolve(index + ".bootstrap"));
            } catch (IOException e) {
                log("A bootstrap file stays until the session ends.", e);
            }
        }

        /**
         * Removes all files, and tells whether they are known to be gone: none of its jobs will run a program from then on.
         * Else it is tried again before the next submission.
         */
        public boolean remove() {
            boolean isGone = removeTree(path());
            if (!isGone) {
                unremoved.add(path());
            }
            return isGone;
        }
    }
}
