// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.FiberException;
import io.fiber.runtime.platform.SessionDirectory;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Starts the keeper of a run: this command with the same words, in the background, with its output in a file. The
 * keeper lives until the platform keeps the run, or as long as the run. Not thread-safe.
 */
public final class DetachedRun {

    /** The option that tells the keeper which run it keeps. */
    public static final String OPTION = "--kept-as";

    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final int LOOK_MS = 50;

    private final Class<?> main;
    private final Runs runs;
    private final PrintWriter out;
    private final PrintWriter err;

    /** Creates it; {@code main} is this command, {@code out} receives the run's id, and {@code err} errors. */
    public DetachedRun(Class<?> main, Runs runs, PrintWriter out, PrintWriter err) {
        this.main = main;
        this.runs = runs;
        this.out = out;
        this.err = err;
    }

    /**
     * Starts a keeper and returns when the platform has accepted or rejected the job. If this command is ended before,
     * the keeper ends with it, and so does what the keeper builds.
     *
     * @param arguments arguments of this command, from {@code run} on
     * @return the exit code of this command
     * @throws FiberException FBR-533 if the run's directory cannot be created
     */
    public int start(List<String> arguments) throws IOException, InterruptedException {
        String id = SessionDirectory.newId();
        Path output = runs.prepare(id);
        File file = output.toFile();
        Process keeper = new ProcessBuilder(command(arguments, id))
                .redirectInput(Redirect.from(new File(File.separatorChar == '/' ? "/dev/null" : "NUL")))
                .redirectOutput(Redirect.appendTo(file))
                .redirectError(Redirect.appendTo(file))
                .start();
        try (SharedEnd end = SharedEnd.with(keeper)) {
            if (isTakenBy(keeper, id)) {
                out.println(id);
                return ExitCodes.OK;
            }
            if (!end.hasBegun()) {
                Files.readAllLines(output).forEach(err::println);
            }
            Files.deleteIfExists(output);
            runs.read(id).ifPresent(runs::remove);
            Files.deleteIfExists(output.toAbsolutePath().getParent());
            return ExitCodes.NOT_RUN;
        }
    }

    /** Waits until the platform has accepted the job, or the keeper has ended without that. */
    private boolean isTakenBy(Process keeper, String id) throws InterruptedException {
        while (!keeper.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
            if (isTaken(id)) {
                return true;
            }
        }
        return isTaken(id);
    }

    private boolean isTaken(String id) {
        Optional<Run> run = runs.read(id);
        return run.isPresent() && !run.get().state().job().isEmpty();
    }

    private List<String> command(List<String> arguments, String id) {
        List<String> words = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            // The shell's Ctrl-C and the end of its terminal must not reach it.
            words.add(SETSID.toString());
        }
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        int run = arguments.indexOf("run");
        words.addAll(arguments.subList(0, run + 1));
        words.add(OPTION + "=" + id);
        words.addAll(arguments.subList(run + 1, arguments.size()));
        return words;
    }
}
