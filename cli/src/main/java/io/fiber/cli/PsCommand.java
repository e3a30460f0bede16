// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import java.io.PrintWriter;
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
        header = "Lists your runs on all backends.",
        description = {
            "",
            "Runs that have ended stay in the list until 'fiber clean'. With --backend, lists all your runs that the"
                    + " platform"
                    + " keeps, even if another host has started them.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fiber ps", "  fiber ps --json", "  fiber ps --backend kubernetes --all"})
final class PsCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SessionOptions session = new SessionOptions();

    @Option(names = "--all", description = "With --backend: include the runs of other users.")
    private boolean all;

    @Option(names = "--no-trunc", description = "Do not cut long jobs, states and commands.")
    private boolean noTrunc;

    @Option(names = "--json", description = "Print the runs as a JSON array.")
    private boolean json;

    @Override
    public Integer call() {
        List<Run> runs = session.backend().isPresent() ? ofPlatform() : ofRecords();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(runs.stream().map(Run::toMap).toList()));
            return 0;
        }
        new PsTable(Instant.now(), noTrunc, Terminal.hasColour()).lines(runs).forEach(out::println);
        return 0;
    }

    private List<Run> ofRecords() {
        if (all || !session.settings().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--all and --set require a platform: name it with --backend.");
        }
        return RecordedRuns.upToDate(
                Runs.ofThisUser(), line -> spec.commandLine().getErr().println("fiber: " + line));
    }

    private List<Run> ofPlatform() {
        try (KeptRuns kept = KeptRuns.of(session)) {
            return all ? kept.all() : kept.ofThisUser();
        }
    }
}
