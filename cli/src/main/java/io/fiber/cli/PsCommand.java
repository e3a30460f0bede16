// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fiber ps}. */
@Command(
        name = "ps",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Lists your runs, on every backend.",
        description = {
            "",
            "Those that have ended stay until 'fiber clean'. With --backend, all that this platform keeps, whichever host has"
                    + " started them.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fiber ps", "  fiber ps --json", "  fiber ps --backend kubernetes"})
final class PsCommand implements Callable<Integer> {

    private static final String ROW = "%-12s  %-10s  %-14s  %-6s  %-34s  %s";
    private static final int STATE_WIDTH = 34;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SessionOptions session = new SessionOptions();

    @Option(names = "--all", description = "With --backend, also runs of other users.")
    private boolean all;

    @Option(names = "--json", description = "Print an array of runs, for programs.")
    private boolean json;

    @Override
    public Integer call() {
        List<Run> runs = session.backend().isPresent() ? ofPlatform() : ofRecords();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(runs.stream().map(Run::toMap).toList()));
            return 0;
        }
        out.println(String.format(ROW, "RUN", "BACKEND", "JOB", "AGE", "STATE", "COMMAND"));
        runs.forEach(run -> out.println(row(run)));
        return 0;
    }

    private List<Run> ofRecords() {
        if (all || !session.settings().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--all and --set are for a platform: name it by --backend.");
        }
        return RecordedRuns.upToDate(
                Runs.ofThisUser(), line -> spec.commandLine().getErr().println("fiber: " + line));
    }

    private List<Run> ofPlatform() {
        try (KeptRuns kept = KeptRuns.of(session)) {
            return all ? kept.all() : kept.ofThisUser();
        }
    }

    static String row(Run run) {
        String job = run.state().job();
        String state = run.words();
        return String.format(
                ROW,
                run.id(),
                run.backend(),
                job.length() > 14 ? job.substring(0, 12) : job,
                age(Duration.between(run.started(), Instant.now())),
                state.length() > STATE_WIDTH ? state.substring(0, STATE_WIDTH - 1) + "…" : state,
                run.command());
    }

    private static String age(Duration age) {
        if (age.toDays() > 0) {
            return age.toDays() + "d";
        }
        if (age.toHours() > 0) {
            return age.toHours() + "h";
        }
        return age.toMinutes() > 0 ? age.toMinutes() + "m" : age.toSeconds() + "s";
    }
}
