// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.FiberException;
import io.fiber.cli.run.Attached;
import io.fiber.cli.run.BackendAccess;
import io.fiber.cli.run.DetachedRun;
import io.fiber.cli.run.ExitCodes;
import io.fiber.cli.run.ImageOptions;
import io.fiber.cli.run.Imaged;
import io.fiber.cli.run.JobOptions;
import io.fiber.cli.run.MasterProgram;
import io.fiber.cli.run.PlatformOptions;
import io.fiber.cli.run.ProgramBackends;
import io.fiber.cli.run.RestartOptions;
import io.fiber.cli.run.Run;
import io.fiber.cli.run.RunName;
import io.fiber.cli.run.RunRecord;
import io.fiber.cli.run.Runs;
import io.fiber.spec.Secret;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fiber run}. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Runs a program as a job of a backend.",
        customSynopsis = "fiber run [OPTIONS] [--] COMMAND...",
        description = {
            "",
            "COMMAND is what you would type: 'java -cp PATH Main args', 'java -jar app.jar', or any other command. If"
                    + " the backend does not share files with this host, the class path of a Java program is sent"
                    + " with the job.",
            "If there are backends on the program's class path, Fiber chooses among them; otherwise among those that"
                    + " this command brings.",
            "The program's output appears here from the first line on. Ctrl-C asks the program to end; a second"
                    + " Ctrl-C ends it by force.",
            ""
        },
        exitCodeOnInvalidInput = ExitCodes.NOT_RUN,
        exitCodeOnExecutionException = ExitCodes.NOT_RUN,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0-255:the program's own exit code",
            "75:the program has stopped in order and can be started again, see --restarts",
            "124:the time limit has ended the program",
            "125:the program did not run, or its end is unknown; a message says why",
            "130:ended by Ctrl-C (143: by SIGTERM, 129: by closing the terminal)"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fiber run -- java -cp 'app.jar:lib/*' my.Program 1000",
            "  fiber run --backend slurm -p short -A chem -t 2:00:00 -c 4 --memory 8g -- java -jar app.jar",
            "  fiber run --backend docker --image eclipse-temurin:21-jre -e SEED=7 -- java -jar app.jar",
            "  fiber run --backend kubernetes --push-image registry.example.org/team/app -- java -cp 'app.jar:lib/*'"
                    + " my.Program",
            "  fiber run --backend docker --dockerfile Dockerfile -- java -cp 'app.jar:lib/*' my.Program",
            "  fiber run --backend docker --workers docker -- java -cp 'app.jar:lib/*' my.Program",
            "  fiber run --backend slurm --gpus 1 -- nvidia-smi",
            "  fiber run --backend slurm --time-limit 4h --restarts 20 -- java -cp 'app.jar:lib/*' my.Sweep",
            "  fiber run --backend slurm --cpus 4 --dry-run -- java -jar app.jar",
            "  fiber run --detach -- java -jar app.jar        then: fiber ps, fiber logs -f, fiber kill"
        })
final class RunCommand implements Callable<Integer> {

    private static final int LAST_LINES = 200;

    /** By convention, a backend that forwards standard input has an option of this name. */
    private static final String INPUT_OPTION = "input";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SessionOptions session = new SessionOptions();

    @Mixin
    private JobOptions options = new JobOptions();

    @Mixin
    private PlatformOptions platform = new PlatformOptions();

    @Mixin
    private RestartOptions restarts = new RestartOptions();

    @Mixin
    private ImageOptions images = new ImageOptions();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The job's name. Default: the name of the main class or the jar.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--dry-run",
            description = "Print what would be submitted (a script, a pod, a request), and submit nothing.")
    private boolean dryRun;

    @Option(
            names = {"-a", "--attach"},
            description = "Stay until the program ends. This is the default.")
    private boolean attach;

    @Option(
            names = {"-d", "--detach"},
            description =
                    "Print the run's id and return. The platform keeps the run; on the backend 'local', a process on"
                            + " this host keeps it.")
    private boolean detach;

    @Option(
            names = {"-i", "--interactive"},
            description = "Pass standard input on to the program. Only the backend 'local' can do this.")
    private boolean interactive;

    @Option(names = "--quiet", description = "Print nothing but the program's output.")
    private boolean quiet;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            defaultValue = "10s",
            description = "How long the program may take to end after Ctrl-C. Default: ${DEFAULT-VALUE}.")
    private String grace = "";

    @Option(names = DetachedRun.OPTION, hidden = true)
    private Optional<String> keptAs = Optional.empty();

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The command and its arguments.")
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (attach && detach) {
            throw new ParameterException(spec.commandLine(), "--attach and --detach contradict each other.");
        }
        if (interactive && detach) {
            throw new ParameterException(spec.commandLine(), "--interactive and --detach contradict each other.");
        }
        if (interactive && restarts.isAskedFor()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--interactive and --restarts contradict each other: the first start consumes the input.");
        }
        if (dryRun && images.isAskedFor()) {
            throw new ParameterException(
                    spec.commandLine(), "--dry-run builds no image: leave the image's option out.");
        }
        Runs runs = Runs.ofThisUser();
        PrintWriter err = spec.commandLine().getErr();
        String classPath = Optional.ofNullable(System.getenv("CLASSPATH")).orElse(".");
        Program program = images.program(words, classPath);
        Consumer<String> said = quiet ? line -> {} : line -> err.println("fiber: " + line);
        if (keptAs.isEmpty() && program instanceof Program.Java) {
            MasterProgram.look(words, classPath, said);
        }
        if (detach && keptAs.isEmpty() && !dryRun) {
            return new DetachedRun(FiberCommand.class, runs, spec.commandLine().getOut(), err)
                    .start(spec.root().commandLine().getParseResult().originalArgs());
        }
        RunRecord record = new RunRecord(runs, said);
        try (ProgramBackends chosen = ProgramBackends.select(program, session.backend(), session.sources())) {
            if (chosen.isOfFiber()) {
                platform.choiceOfWorkers(optionsOf(chosen), chosen.backend().provider())
                        .ifPresent(said);
            }
            if (dryRun) {
                return print(chosen, new Imaged(chosen.withJava(program), options.image()));
            }
            // While an image is built, Ctrl-C ends this command at once.
            Imaged imaged = images.image(
                    chosen.withJava(program), options.image(), chosen, quiet ? Optional.empty() : Optional.of(said));
            return submit(chosen, imaged, record);
        } finally {
            if (keptAs.isEmpty()) {
                record.forget();
            }
        }
    }

    private int print(ProgramBackends chosen, Imaged imaged) {
        BackendProvider provider = chosen.backend().provider();
        try (BackendAccess access = BackendAccess.open(provider, optionsOf(chosen))) {
            Attached.Named named = new Attached.Named(spec(imaged, chosen), name(imaged));
            if (detach && access.backend().detachedJobs().isPresent()) {
                named = KeptRuns.labelled(restarts.byPlatform(named, provider), access.sessionId());
            }
            String text = access.backend()
                    .preview(Submission.of(named.spec(), named.name(), Secret.of(new byte[0])))
                    .orElseThrow(() -> new FiberException(
                            "FBR-554",
                            "The backend '" + provider.name() + "' cannot show what it would submit. Run the program"
                                    + " without --dry-run, and look with the platform's own tools."));
            spec.commandLine().getOut().print(text.endsWith("\n") ? text : text + "\n");
            spec.commandLine().getOut().flush();
            return ExitCodes.OK;
        }
    }

    /** Returns the backend's options; with --interactive, including the one that forwards standard input. */
    private Options optionsOf(ProgramBackends chosen) {
        BackendProvider provider = chosen.backend().provider();
        Options set = platform.over(chosen.config().optionsOf(provider), provider);
        Options options = chosen.programs().isPresent() ? platform.spread(set, provider) : set;
        if (!interactive) {
            return options;
        }
        OptionKey key = provider.options().stream()
                .filter(each -> each.name().equals(INPUT_OPTION))
                .findFirst()
                .orElseThrow(() -> new FiberException(
                        "FBR-558",
                        "--interactive passes standard input to the program, which the backend '" + provider.name()
                                + "' cannot do. Leave it out, and have the program read a file that its job sees."));
        List<Options.Value> values = new ArrayList<>(List.of(new Options.Value(key, "true", "--interactive")));
        values.addAll(options.values());
        return Options.of(values);
    }

    private JobSpec spec(Imaged imaged, ProgramBackends chosen) {
        return options.spec(
                imaged,
                chosen.backend().provider().capabilities(),
                platform.variables(options.volumes(), optionsOf(chosen)));
    }

    private String name(Imaged imaged) {
        return name.orElseGet(() -> RunName.of(imaged.program(), words));
    }

    private int submit(ProgramBackends chosen, Imaged imaged, RunRecord record) throws InterruptedException {
        BackendProvider provider = chosen.backend().provider();
        Attached attached = new Attached(graceOf(grace), record::note, job -> printWhatIsKept(provider, job));
        attached.takeSignals();
        try (BackendAccess access = BackendAccess.open(provider, optionsOf(chosen))) {
            String id = keptAs.orElseGet(access::sessionId);
            record.begin(new Run(
                    id,
                    provider.name(),
                    access.sessionId(),
                    String.join(" ", words),
                    Run.Keeper.thisProcess(),
                    Instant.now(),
                    Run.State.open("", "is being submitted"),
                    session.settings()));
            Attached.Named named = new Attached.Named(spec(imaged, chosen), name(imaged));
            Optional<DetachedJobs> platform =
                    keptAs.flatMap(run -> access.backend().detachedJobs());
            Optional<Attached.Outcome> outcome = platform.isPresent()
                    ? attached.handOver(
                            access,
                            platform.get(),
                            KeptRuns.labelled(restarts.byPlatform(named, provider), id),
                            record::handedOver)
                    : Optional.of(restarts.byThisCommand(attached, record).run(access, named));
            outcome.ifPresent(record::end);
            return outcome.map(Attached.Outcome::exitCode).orElse(ExitCodes.OK);
        }
    }

    private Duration graceOf(String text) {
        try {
            return OptionType.parseDuration(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--grace: " + e.getMessage(), e);
        }
    }

    /** Prints the last output if the backend does not forward output but keeps it. */
    private void printWhatIsKept(BackendProvider provider, Job job) {
        if (provider.capabilities().contains(Capability.LOGS)) {
            job.logs(LAST_LINES).forEach(spec.commandLine().getOut()::println);
        } else {
            spec.commandLine()
                    .getErr()
                    .println("fiber: the backend '" + provider.name() + "' does not return the output of programs");
        }
    }
}
