// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.FiberException;
import io.fiber.runtime.platform.UserDirectory;
import io.fiber.spi.Environment;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The runs of this user. Each has a directory with its record and, if it was detached, its output. Hosts that share a
 * home share the runs. Blocks for file operations. Thread-safe.
 */
public final class Runs {

    private static final String RECORD = "run.properties";
    private static final String OUTPUT = "output.log";
    private static final String SETTING = "setting.";

    private final Path root;

    /** Uses this directory, which need not exist. */
    public Runs(Path root) {
        this.root = root;
    }

    /**
     * Returns the runs of this user: below {@code XDG_STATE_HOME}, by default {@code ~/.local/state}; without a home,
     * in a temporary directory.
     */
    public static Runs ofThisUser() {
        return of(Environment.system());
    }

    static Runs of(Environment environment) {
        try {
            return new Runs(
                    UserDirectory.STATE.findOrMake(environment).resolve("fiber").resolve("runs"));
        } catch (IOException e) {
            throw new FiberException(
                    "FBR-533",
                    "This user has no home directory for the records of runs, and no other directory can be created: "
                            + e + ". Set XDG_STATE_HOME to a writable directory.",
                    e);
        }
    }

    /** Creates the directory of a run, accessible only to this user, and returns the file for its output. */
    public Path prepare(String id) {
        try {
            Files.createDirectories(root);
            Path directory = root.resolve(id);
            if (!Files.isDirectory(directory)) {
                Files.createDirectory(directory);
                if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
                }
            }
            return directory.resolve(OUTPUT);
        } catch (IOException e) {
            throw new FiberException(
                    "FBR-533",
                    "The record of a run cannot be written below '" + root + "': " + e
                            + ". Make that directory writable, or set XDG_STATE_HOME to one that is.",
                    e);
        }
    }

    /** Writes the record of a run atomically. */
    public void write(Run run) {
        Properties text = new Properties();
        text.setProperty("backend", run.backend());
        text.setProperty("session", run.session());
        text.setProperty("command", run.command());
        text.setProperty("host", run.keeper().host());
        text.setProperty("pid", Long.toString(run.keeper().pid()));
        text.setProperty("keeper-started", run.keeper().started().toString());
        text.setProperty("started", run.started().toString());
        text.setProperty("job", run.state().job());
        text.setProperty("state", run.state().words());
        text.setProperty("restarts", Integer.toString(run.state().restarts()));
        run.settings().forEach((key, value) -> text.setProperty(SETTING + key, value));
        run.state().exitCode().ifPresent(code -> text.setProperty("exit-code", Integer.toString(code)));
        prepare(run.id());
        Path unfinished = root.resolve(run.id()).resolve(RECORD + ".new");
        try {
            try (Writer writer = Files.newBufferedWriter(unfinished)) {
                text.store(writer, null);
            }
            Files.move(unfinished, root.resolve(run.id()).resolve(RECORD), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new FiberException("FBR-533", "The record of a run cannot be written below '" + root + "': " + e, e);
        }
    }

    /** Returns the record with exactly this id; empty if there is none. */
    public Optional<Run> read(String id) {
        Properties text = new Properties();
        try (Reader reader = Files.newBufferedReader(root.resolve(id).resolve(RECORD))) {
            text.load(reader);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String code = text.getProperty("exit-code");
        Map<String, String> settings = new TreeMap<>();
        text.stringPropertyNames().stream()
                .filter(key -> key.startsWith(SETTING))
                .forEach(key -> settings.put(key.substring(SETTING.length()), text.getProperty(key)));
        return Optional.of(new Run(
                id,
                text.getProperty("backend", ""),
                text.getProperty("session", ""),
                text.getProperty("command", ""),
                new Run.Keeper(
                        text.getProperty("host", ""),
                        Long.parseLong(text.getProperty("pid", "0")),
                        Instant.parse(text.getProperty("keeper-started", Instant.EPOCH.toString()))),
                Instant.parse(text.getProperty("started", Instant.EPOCH.toString())),
                new Run.State(
                        text.getProperty("job", ""),
                        text.getProperty("state", ""),
                        Integer.parseInt(text.getProperty("restarts", "0")),
                        code == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(code))),
                settings));
    }

    /** Returns all runs, oldest first. */
    public List<Run> all() {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        List<Run> runs = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(root)) {
            for (Path directory : directories) {
                read(String.valueOf(directory.getFileName())).ifPresent(runs::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        runs.sort(Comparator.comparing(Run::started));
        return runs;
    }

    /**
     * Returns the run whose id begins with this text.
     *
     * @throws FiberException FBR-534 if there is none, FBR-535 if there are several
     */
    public Run require(String start) {
        return require(
                start,
                all(),
                "No run of this user has",
                " If another host has started the run, name the backend: --backend docker.");
    }

    /**
     * Returns the run among these whose id begins with this text.
     *
     * @param none the beginning of the sentence that says that there is none
     * @param advice further advice, besides the list of existing ones
     * @throws FiberException FBR-534 if there is none, FBR-535 if there are several
     */
    public static Run require(String start, List<Run> all, String none, String advice) {
        List<Run> found = all.stream().filter(run -> run.id().startsWith(start)).toList();
        if (found.size() == 1) {
            return found.get(0);
        }
        String there = all.isEmpty()
                ? "There are no runs."
                : "The runs are: " + all.stream().map(Run::id).collect(Collectors.joining(", ")) + ".";
        throw found.isEmpty()
                ? new FiberException("FBR-534", none + " an id that begins with '" + start + "'. " + there + advice)
                : new FiberException(
                        "FBR-535",
                        "Several runs have ids that begin with '" + start + "': "
                                + found.stream().map(Run::id).collect(Collectors.joining(", "))
                                + ". Write more of the id.");
    }

    /** Returns the file with the output of a run. */
    public Path output(Run run) {
        return root.resolve(run.id()).resolve(OUTPUT);
    }

    /** Removes the record and the output of a run. */
    public void remove(Run run) {
        Path directory = root.resolve(run.id());
        try {
            Files.deleteIfExists(directory.resolve(OUTPUT));
            Files.deleteIfExists(directory.resolve(RECORD + ".new"));
            Files.deleteIfExists(directory.resolve(RECORD));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
