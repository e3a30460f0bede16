// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import io.fiber.spi.backend.DetachedJobs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fiber logs}. */
@Command(
        name = "logs",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Prints the output of a run.",
        description = {
            "",
            "The run must have been started with --detach. Its output is kept until 'fiber clean'. If another host"
                    + " has started the run, name its backend.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fiber logs k3f",
            "  fiber logs -f k3f       until it ends; Ctrl-C leaves the run alone",
            "  fiber logs --backend kubernetes k3f"
        })
final class LogsCommand implements Callable<Integer> {

    private static final int LOOK_MS = 200;

    @Mixin
    private SessionOptions session = new SessionOptions();

    @Option(
            names = {"-f", "--follow"},
            description = "Keep printing until the run ends.")
    private boolean follow;

    @Parameters(paramLabel = "RUN", description = "The id of the run, or the beginning of the id.")
    private String id = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        DetachedJobs.Until until = follow ? DetachedJobs.Until.END : DetachedJobs.Until.NOW;
        if (session.backend().isPresent()) {
            try (KeptRuns kept = KeptRuns.of(session)) {
                kept.copyLog(kept.require(id), until, System.out);
            }
            return 0;
        }
        Runs runs = Runs.ofThisUser();
        Run run = runs.require(id);
        if (run.isOnPlatform()) {
            try (KeptRuns kept = KeptRuns.of(run)) {
                kept.copyLog(run, until, System.out);
            }
            return 0;
        }
        return printFile(runs, run);
    }

    private int printFile(Runs runs, Run run) throws IOException, InterruptedException {
        Path output = runs.output(run);
        if (Files.notExists(output)) {
            throw new io.fiber.FiberException(
                    "FBR-536",
                    "The run " + run.id()
                            + " has no log: its output goes to the command that is attached to it. Start it with"
                            + " --detach to have one.");
        }
        try (InputStream log = Files.newInputStream(output)) {
            while (true) {
                // Asked before the copy, so that the last output is not missed.
                boolean over = !follow || runs.read(run.id()).map(Run::isOver).orElse(true);
                log.transferTo(System.out);
                System.out.flush();
                if (over) {
                    return 0;
                }
                rest(run);
            }
        }
    }

    /** Waits a moment, or until the keeper has ended. */
    private static void rest(Run run) throws InterruptedException {
        Optional<ProcessHandle> keeper = run.keeper().process();
        try {
            if (keeper.isPresent()) {
                keeper.get().onExit().get(LOOK_MS, TimeUnit.MILLISECONDS);
            } else {
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            }
        } catch (TimeoutException e) {
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
