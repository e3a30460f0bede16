// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.FiberException;
import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import io.fiber.spi.OptionType;
import io.fiber.spi.backend.DetachedJobs.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fiber kill}. */
@Command(
        name = "kill",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Ends runs on any backend.",
        description = {
            "",
            "Asks the programs to end, and ends them by force after their grace period ('fiber run --grace', or 10 s"
                    + " if the platform keeps the run). Returns when the runs have ended. If another host has started"
                    + " a run, name its backend.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fiber kill k3f", "  fiber kill --now k3f p0q", "  fiber kill --backend docker k3f"})
final class KillCommand implements Callable<Integer> {

    private static final int BETWEEN_MS = 300;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SessionOptions session = new SessionOptions();

    @Option(names = "--now", description = "End by force at once.")
    private boolean now;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "60s",
            description = "How long to wait for the end of each run. Default: ${DEFAULT-VALUE}.")
    private String wait = "";

    @Parameters(arity = "1..*", paramLabel = "RUN", description = "The ids of the runs, or the beginnings of the ids.")
    private List<String> ids = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        Duration limit = limit();
        Runs runs = Runs.ofThisUser();
        if (session.backend().isPresent()) {
            endOnPlatform(runs, limit);
            return 0;
        }
        List<Run> wanted = ids.stream().map(runs::require).toList();
        for (Run run : wanted) {
            end(runs, run, limit);
        }
        for (Run run : wanted) {
            runs.read(run.id()).ifPresent(this::print);
        }
        return 0;
    }

    private void print(Run run) {
        spec.commandLine().getOut().println(run.id() + "  " + run.words());
    }

    private void endOnPlatform(Runs runs, Duration limit) throws InterruptedException {
        try (KeptRuns kept = KeptRuns.of(session)) {
            for (String id : ids) {
                Run ended = kept.end(kept.require(id), ending(), limit);
                runs.read(ended.id()).filter(Run::isOnPlatform).ifPresent(run -> runs.write(run.with(ended.state())));
                print(ended);
            }
        }
    }

    private Ending ending() {
        return now ? Ending.FORCED : Ending.ASKED;
    }

    private Duration limit() {
        try {
            return OptionType.parseDuration(wait);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--wait: " + e.getMessage(), e);
        }
    }

    private void end(Runs runs, Run run, Duration limit) throws InterruptedException {
        if (run.isOnPlatform()) {
            if (!run.isOver()) {
                try (KeptRuns kept = KeptRuns.of(run)) {
                    runs.write(kept.end(run, ending(), limit));
                }
            }
            return;
        }
        if (!run.keeper().isHere() && !run.isOver()) {
            throw new FiberException(
                    "FBR-537",
                    "The run " + run.id() + " is kept by a process on the host '"
                            + run.keeper().host() + "'; expected a run of this host. Log in there, and kill it there.");
        }
        Optional<ProcessHandle> keeper = run.keeper().process();
        if (keeper.isEmpty()) {
            return;
        }
        keeper.get().destroy();
        if (now && !hasEnded(keeper.get(), BETWEEN_MS)) {
            // The second request kills.
            keeper.get().destroy();
        }
        if (!hasEnded(keeper.get(), limit.toMillis())) {
            throw notEnded(run, limit);
        }
    }

    static FiberException notEnded(Run run, Duration limit) {
        return new FiberException(
                "FBR-538",
                "The run " + run.id() + " has not ended within " + limit.toSeconds() + " s: " + run.words()
                        + ". Its platform may not answer: 'fiber logs " + run.id()
                        + "' may say more; 'fiber kill --now "
                        + run.id() + "' ends it by force.");
    }

    private static boolean hasEnded(ProcessHandle keeper, long limitMs) throws InterruptedException {
        try {
            keeper.onExit().get(limitMs, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
