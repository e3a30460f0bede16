// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import io.fiber.runtime.platform.SessionDirectory;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fiber clean}. */
@Command(
        name = "clean",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Removes what ended runs and crashed sessions have left.",
        description = {
            "",
            "Records and logs of runs that have ended, and on this host directories of sessions whose process is gone. Shows"
                    + " them first, and removes nothing without --yes. What runs stays.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fiber clean", "  fiber clean --yes"})
final class CleanCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = {"-y", "--yes"},
            description = "Remove what is shown.")
    private boolean yes;

    @Override
    public Integer call() {
        Runs runs = Runs.ofThisUser();
        PrintWriter out = spec.commandLine().getOut();
        List<Run> over = runs.all().stream().filter(Run::isOver).toList();
        over.forEach(run -> out.println(PsCommand.row(run)));
        if (!yes) {
            out.println(over.size() + " ended runs. Nothing was removed: 'fiber clean --yes' does it.");
            return 0;
        }
        over.forEach(runs::remove);
        int sessions = SessionDirectory.removeStale();
        out.println("Removed " + over.size() + " ended runs and " + sessions + " directories of crashed sessions.");
        return 0;
    }
}
