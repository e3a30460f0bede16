// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.FiberException;
import io.fiber.cli.run.ExitCodes;
import io.fiber.cli.run.Imaged;
import io.fiber.cli.run.JobOptions;
import io.fiber.cli.run.MasterProgram;
import io.fiber.cli.run.ProgramBackends;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fiber script}. */
@Command(
        name = "script",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Prints what 'fiber run' would submit, and submits nothing.",
        customSynopsis = "fiber script [OPTIONS] [--] COMMAND...",
        description = {
            "",
            "Options and COMMAND are those of 'fiber run'. The backend is opened, since its form depends on the cluster:"
                    + " a script of sbatch, the YAML of a pod, the request for a container.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was printed",
            "1:the backend has nothing to show, or would refuse the job; a message says why",
            "2:the command line is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fiber script --backend slurm --cpus 4 -s slurm.partition=short -- java -jar app.jar",
            "  fiber script --backend kubernetes --memory 2g -- java -cp 'app.jar:lib/*' my.Program"
        })
final class ScriptCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SessionOptions session = new SessionOptions();

    @Mixin
    private JobOptions options = new JobOptions();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "main",
            description = "The job's name. Default: ${DEFAULT-VALUE}.")
    private String name = "";

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The command and its arguments.")
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() {
        String classPath = Optional.ofNullable(System.getenv("CLASSPATH")).orElse(".");
        Program program = MasterProgram.of(words, classPath);
        MasterProgram.look(words, classPath, line -> spec.commandLine().getErr().println("fiber: " + line));
        try (ProgramBackends chosen = ProgramBackends.select(program, session.backend(), session.sources())) {
            BackendProvider provider = chosen.backend().provider();
            JobSpec job = options.spec(new Imaged(chosen.withJava(program), options.image()), provider.capabilities());
            try (BackendAccess access = BackendAccess.open(provider, chosen.config())) {
                String text = access.backend()
                        .preview(Submission.of(job, name, Secret.of(new byte[0])))
                        .orElseThrow(() -> new FiberException(
                                "FBR-554",
                                "The backend '" + provider.name() + "' has nothing to show of what it submits. Run the"
                                        + " program (fiber run), and look with the platform's own tools."));
                spec.commandLine().getOut().print(text.endsWith("\n") ? text : text + "\n");
                spec.commandLine().getOut().flush();
                return ExitCodes.OK;
            }
        }
    }
}
