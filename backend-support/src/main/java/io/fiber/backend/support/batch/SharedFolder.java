// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.backend.support.SessionOwner;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
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
 * The session's own folder, with mode 0700, that this host and all nodes see. Each submission has a part of it. Jobs
 * report by small files in {@code news}, which this process reads and deletes. Thread-safe.
 */
public final class SharedFolder {

    /**
     * The name of the file with the labels of {@link SessionOwner} as one line of {@code key=value}, separated by
     * commas.
     */
    public static final String OWNER = "owner";

    private final BatchName name;
    private final SharedFiles files;
    private final Path path;
    private final String sessionId;
    private final AtomicInteger parts = new AtomicInteger();
    private final Set<Path> unremoved = ConcurrentHashMap.newKeySet();

    /**
     * A job's report.
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
     * Creates the folder of a session.
     *
     * @throws BackendException if it cannot be created
     */
    public static SharedFolder create(BatchName name, SharedFiles files, Path directory, String sessionId) {
        Path path = directory.resolve("fiber-" + sessionId);
        SharedFolder folder = new SharedFolder(name, files, path, sessionId);
        try {
            files.makeDirectory(path, Map.of(OWNER, owner()));
            files.makeDirectory(path.resolve("news"), Map.of());
        } catch (IOException e) {
            if (e.getCause() instanceof BackendException reason) {
                throw reason;
            }
            if (!(e instanceof FileAlreadyExistsException)) {
                folder.remove();
            }
            throw new BackendException(
                    "FBR-133 The folder '" + path + "' for scripts and output of jobs cannot be made: " + e
                            + ". Set " + name.setting(BatchName.DIRECTORY)
                            + " to a directory that can be written and that all nodes see, or free some space if the"
                            + " disk or a quota is full.",
                    e);
        }
        return folder;
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

    /** Returns its path. */
    public Path path() {
        return path;
    }

    /** Returns the part that a submission would have after this many others, without creating anything. */
    public Part partAfter(int others) {
        return new Part(parts.get() + others);
    }

    /**
     * Creates the subfolder of a new submission, with the bootstrap files of its jobs. First removes a part that could not
     * be removed earlier: otherwise a job that the system accepted for it nevertheless would run beside the new ones.
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

    /** Returns the reports since the last call, and deletes them. */
    List<News> takeNews() {
        List<News> news = new ArrayList<>();
        try {
            files.take(path.resolve("news")).forEach((name, text) -> {
                String[] words = name.split("-", 3);
                news.add(new News(Integer.parseInt(words[0]), Integer.parseInt(words[1]), words[2], text.strip()));
            });
        } catch (IOException e) {
            // A file server with a temporary error; the next call finds what is left.
        }
        return news;
    }

    /** Marks jobs as cancelled, in one operation. Jobs that have not started do not run their programs then. */
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

    /** Removes everything, and returns whether it is known to be gone. */
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

        /** Returns the session to which it belongs. */
        public String sessionId() {
            return sessionId;
        }

        int number() {
            return number;
        }

        /** Returns the files through which it is accessed. */
        public SharedFiles files() {
            return files;
        }

        /** Returns its directory. */
        public Path path() {
            return path.resolve("job-" + number);
        }

        /** Returns the job name that the batch system shows, which is unique to this submission. */
        public String jobName() {
            return "fiber-" + sessionId + "-" + number;
        }

        /** Returns the prefix of the names of files with reports. */
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

        /** Keeps a job that has not started from running its program. */
        void markCancelled(int index) {
            if (marked.add(index)) {
                mark(List.of(cancelled(index)));
            }
        }

        /** Removes the secret of a job that has ended. Its output stays, and so does what prevents a second start. */
        void clean(int index) {
            try {
                files.delete(path().resolve(index + ".bootstrap"));
            } catch (IOException e) {
                log("A bootstrap file stays until the session ends.", e);
            }
        }

        /**
         * Removes all files, and returns whether they are known to be gone. If so, none of its jobs will run a program
         * from then on. Otherwise the removal is tried again before the next submission.
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
