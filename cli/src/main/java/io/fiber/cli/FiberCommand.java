// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code fiber} command, and the main class of its jar. */
@Command(
        name = "fiber",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Run Java programs on Docker, Kubernetes or Slurm.",
        description = {
            "",
            "The cluster is chosen as in a program: by --backend, FIBER_BACKEND, .fiberconfig, or the class path."
        },
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success; for 'run' see 'fiber run --help'",
            "1:failure; a message says why. For 'doctor': there is a fault",
            "2:the command line is invalid"
        },
        subcommands = {
            RunCommand.class,
            PsCommand.class,
            LogsCommand.class,
            KillCommand.class,
            CopyCommand.class,
            CleanCommand.class,
            JournalCommand.class,
            SetupCommand.class,
            DoctorCommand.class,
            GenerateCompletion.class,
            CommandLine.HelpCommand.class
        })
public final class FiberCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** Creates the command; does nothing else. */
    public FiberCommand() {}

    /** Runs the command and ends this JVM with its exit code. */
    public static void main(String[] arguments) {
        int code = commandLine().execute(arguments);
        System.out.flush();
        System.exit(code);
    }

    /** Returns the command with all its subcommands. */
    public static CommandLine commandLine() {
        CommandLine command = new CommandLine(new FiberCommand());
        // Everything after the first word of a program's command belongs to the program.
        command.getSubcommands().values().stream()
                .filter(each -> each.getCommand() instanceof RunCommand)
                .forEach(each -> each.setStopAtPositional(true));
        return command.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setOut(new PrintWriter(System.out, true, Charset.defaultCharset()))
                .setErr(new PrintWriter(System.err, true, Charset.defaultCharset()))
                .setParameterExceptionHandler(FiberCommand::refuse)
                .setExecutionExceptionHandler(new KnownFailures());
    }

    /** Prints what is wrong with a command line. The options of a command would hide it: they fill a screen. */
    private static int refuse(ParameterException wrong, String... arguments) {
        CommandLine command = wrong.getCommandLine();
        command.getErr().println(wrong.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
        command.getErr().println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing.");
    }
}
