// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.FiberException;
import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import io.fiber.runtime.platform.SessionDirectory;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.Leftover;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fiber clean}. */
@Command(
        name = "clean",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Removes what ended runs and crashed sessions have left behind.",
        description = {
            "",
            "Removes the records and logs of runs that have ended, everything that their platforms keep of them, and"
                    + " the directories of crashed sessions on this host. With --backend, also removes what sessions"
                    + " and runs of other hosts have left on that platform: containers, volumes and kept class paths,"
                    + " pods and secrets, folders. Without --yes, only shows what would be removed. Whatever belongs"
                    + " to a running program stays.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fiber clean", "  fiber clean --yes", "  fiber clean --backend docker --yes"})
final class CleanCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SessionOptions session = new SessionOptions();

    @Option(
            names = {"-y", "--yes"},
            description = "Remove what is shown.")
    private boolean yes;

    @Parameters(
            arity = "0..*",
            paramLabel = "SESSION",
            description = "A session that you know has ended, although its program cannot be seen from here. It is"
                    + " removed too.")
    private List<String> ended = new ArrayList<>();

    @Override
    public Integer call() {
        if (!ended.isEmpty() && session.backend().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "Sessions " + ended + " belong to a backend: name it with --backend.");
        }
        Runs runs = Runs.ofThisUser();
        PrintWriter out = spec.commandLine().getOut();
        Consumer<String> said = line -> spec.commandLine().getErr().println("fiber: " + line);
        List<Run> over = RecordedRuns.over(runs, said);
        new PsTable(Instant.now(), false, Terminal.hasColour())
                .lines(over).stream().skip(1).forEach(out::println);
        if (yes) {
            RecordedRuns.removeWhatIsLeftOf(over, said);
            over.forEach(runs::remove);
            out.println("Removed " + over.size() + " ended runs and " + SessionDirectory.removeStale()
                    + " directories of crashed sessions.");
        } else {
            out.println(over.size() + " ended runs. Nothing was removed; 'fiber clean --yes' removes them.");
        }
        if (session.backend().isPresent()) {
            cleanPlatform(out);
        }
        return 0;
    }

    private void cleanPlatform(PrintWriter out) {
        try (Platform platform = Platform.of(session)) {
            clean(platform.backend(), platform.name(), out);
        }
    }

    private void clean(Backend backend, String name, PrintWriter out) {
        List<Leftover> found = backend.leftovers();
        for (String each : ended) {
            if (found.stream().noneMatch(leftover -> leftover.sessionId().equals(each))) {
                throw new FiberException(
                        "FBR-568",
                        "Nothing of session '" + each + "' can be removed from '" + name
                                + "': it has left nothing there, or it is still running. 'fiber clean --backend " + name
                                + "' shows what can be removed.");
            }
        }
        found.forEach(leftover -> out.println(row(leftover)));
        List<Leftover> removed = found.stream()
                .filter(each -> each.doubt().isEmpty() || ended.contains(each.sessionId()))
                .toList();
        if (yes) {
            removed.forEach(backend::remove);
            out.println("Removed " + removed.size() + " leftovers from '" + name + "'.");
        } else {
            out.println(removed.size() + " leftovers on '" + name + "'. Nothing was removed.");
        }
    }

    private String row(Leftover leftover) {
        String doubt = leftover.doubt()
                .filter(each -> !ended.contains(leftover.sessionId()))
                .map(each -> "  stays: " + each + "; if it has ended, name the session")
                .orElse("");
        return leftover.sessionId() + "  " + leftover.things() + doubt;
    }
}
